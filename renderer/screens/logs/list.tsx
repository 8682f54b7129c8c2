// The rows of the log, virtualized.
import { type KeyboardEvent, memo, type ReactElement, type RefObject, useEffect, useMemo } from 'react';
import type { LogEntry } from '../../../sdk/index.ts';
import { factsLine, levelIcons, levelNames, sourceNames } from '../../model/diagnosis/log-view.ts';
import { clockWithMs, fullTime } from '../../model/format.ts';
import type { Column } from '../../model/tables/column-layout.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { ColumnHeads } from '../../parts/tables/column-heads.tsx';
import { GridCell, GridRow, RowFrame, type RowPosition, rowPosition } from '../../parts/tables/grid.tsx';
import { useColumns } from '../../parts/tables/use-columns.ts';
import { useStable } from '../../parts/tables/use-stable.ts';
import { movedIndex, useVirtualRows } from '../../parts/tables/use-virtual-rows.ts';

export interface ListHandle {
  /** `begin` also selects the first row if none is selected. */
  focus(begin: boolean): void;
  toTop(): void;
}

const rowPx = 28;
const pageRows = 16;
/** Within this distance of the top, new rows are inserted. */
const topPx = 4;
/** Within this distance of the end, older entries are loaded. */
const endPx = 200;

type LogColumn = 'time' | 'level' | 'message' | 'source';

/** Newest first: entries arrive, so that they have no other order. */
const logColumns: readonly Column<LogColumn>[] = [
  { id: 'time', title: 'Time', widthPx: 84 },
  { id: 'level', title: 'Level', widthPx: 84 },
  { id: 'message', title: 'Message', widthPx: 200, grows: true },
  { id: 'source', title: 'Source', widthPx: 84, leaves: 1 },
];

export function LogList({
  rows,
  selected,
  handle,
  onSelect,
  onScrolled,
  onEnd,
}: {
  readonly rows: readonly LogEntry[];
  readonly selected: string | null;
  readonly handle: RefObject<ListHandle | null>;
  readonly onSelect: (id: string) => void;
  readonly onScrolled: (scrolled: boolean) => void;
  readonly onEnd: () => void;
}): ReactElement {
  const current = useMemo(() => rows.findIndex(({ id }) => id === selected), [rows, selected]);
  const layout = useColumns('logs', logColumns);
  const virtual = useVirtualRows({ count: rows.length, rowPx, current });
  const select = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    onSelect(row.id);
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
    else if (event.key === 'Enter') select(Math.max(0, current));
    else return;
    event.preventDefault();
  };
  return (
    <RowFrame
      role="grid"
      aria-label="Log entries, newest first"
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
      {(row, item) => <LogRow key={row.id} {...rowPosition(item, current)} entry={row} onSelect={onRow} />}
    </RowFrame>
  );
}

/** Memoized, because each key typed into a filter renders the screen. */
const LogRow = memo(function LogRow({
  entry,
  onSelect,
  ...position
}: RowPosition & {
  readonly entry: LogEntry;
  readonly onSelect: (index: number) => void;
}): ReactElement {
  const { at, level, message, source } = entry;
  return (
    <GridRow position={position} className="feed-row" onClick={() => onSelect(position.index)}>
      <GridCell className="soft">
        {at === null ? null : (
          <time dateTime={at} title={fullTime(Date.parse(at))}>
            {clockWithMs(Date.parse(at))}
          </time>
        )}
      </GridCell>
      <GridCell className={`event-name log-level ${level ?? ''}`}>
        {level === null ? null : (
          <>
            <Icon of={levelIcons[level]} small />
            <span className="ellipsis">{levelNames[level]}</span>
          </>
        )}
      </GridCell>
      <GridCell className="ellipsis">
        {message} <span className="soft">{factsLine(entry)}</span>
      </GridCell>
      <GridCell className="soft ellipsis">{source === null ? '' : sourceNames[source]}</GridCell>
    </GridRow>
  );
});
