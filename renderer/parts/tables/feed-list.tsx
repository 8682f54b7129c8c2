// A virtualized list of what arrives, newest first: new rows are inserted while its top is visible, older ones are loaded at its end. The
// screen renders a row.
import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useMemo } from 'react';
import type { Column } from '../../model/tables/column-layout.ts';
import { ColumnHeads } from './column-heads.tsx';
import { RowFrame, type RowPosition, rowPosition } from './grid.tsx';
import { useColumns } from './use-columns.ts';
import { useStable } from './use-stable.ts';
import { movedIndex, useVirtualRows } from './use-virtual-rows.ts';

export interface FeedListHandle {
  /** `begin` also selects the first row if none is selected. */
  focus(begin: boolean): void;
  toTop(): void;
}

const rowPx = 28;
const pageRows = 16;
/** Within this distance of the top, new rows are inserted. */
const topPx = 4;
/** Within this distance of the end, older rows are loaded. */
const endPx = 200;

export function FeedList<Row, ColumnId extends string>({
  listId,
  label,
  columns,
  rows,
  idOf,
  selected,
  handle,
  onSelect,
  onEnter,
  onScrolled,
  onEnd,
  children,
}: {
  /** Names what is remembered of the columns. */
  readonly listId: string;
  readonly label: string;
  /** Constant. */
  readonly columns: readonly Column<ColumnId>[];
  readonly rows: readonly Row[];
  /** Constant. */
  readonly idOf: (row: Row) => string;
  readonly selected: string | null;
  readonly handle: RefObject<FeedListHandle | null>;
  readonly onSelect: (id: string) => void;
  /** Enter on the selected row. */
  readonly onEnter?: () => void;
  readonly onScrolled: (scrolled: boolean) => void;
  readonly onEnd: () => void;
  /** `onRow` selects the row of an index, and stays the same function, as rows are memoized. */
  readonly children: (row: Row, position: RowPosition, onRow: (index: number) => void) => ReactElement;
}): ReactElement {
  const current = useMemo(() => rows.findIndex((row) => idOf(row) === selected), [rows, idOf, selected]);
  const layout = useColumns(listId, columns);
  const virtual = useVirtualRows({ count: rows.length, rowPx, current });
  const select = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    onSelect(idOf(row));
    virtual.focus(index);
  };
  const onRow = useStable(select);
  useEffect(() => {
    handle.current = {
      focus: (begin) => {
        if (current >= 0) virtual.focus(current);
        else if (begin) select(0);
        else virtual.focus(0);
      },
      toTop: () => virtual.scroller.current?.scrollTo({ top: 0 }),
    };
    return () => {
      handle.current = null;
    };
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moved = movedIndex(event.key, current, rows.length, pageRows);
    if (moved !== null) select(moved);
    else if (event.key === 'Enter' && current < 0) select(0);
    else if (event.key === 'Enter') onEnter?.();
    else return;
    event.preventDefault();
  };
  return (
    <RowFrame
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length}
      aria-colcount={layout.shown.length}
      layout={layout}
      heads={<ColumnHeads layout={layout} />}
      virtual={virtual}
      rows={rows}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: box }) => {
        onScrolled(box.scrollTop > topPx);
        if (box.scrollHeight - box.scrollTop - box.clientHeight < endPx) onEnd();
      }}
    >
      {(row, item) => children(row, rowPosition(item, current), onRow)}
    </RowFrame>
  );
}
