// The rows of the log, virtualized.
import { type KeyboardEvent, memo, type ReactElement, type RefObject, useEffect, useMemo } from 'react';
import type { LogEntry } from '../../../sdk/index.ts';
import { factsLine, levelIcons, levelNames, sourceNames } from '../../model/diagnosis/log-view.ts';
import { clockWithMs, fullTime } from '../../model/format.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { GridCell, GridRow, RowFrame, type RowPosition, rowPosition } from '../../parts/tables/grid.tsx';
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
    <>
      <div className="grid-head list-head log-columns" aria-hidden="true">
        <span>Time</span>
        <span>Level</span>
        <span>Message</span>
        <span>Source</span>
      </div>
      <RowFrame
        role="grid"
        aria-label="Log entries, newest first"
        aria-rowcount={rows.length}
        aria-colcount={4}
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
    </>
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
    <GridRow position={position} className="list-row log-columns" onClick={() => onSelect(position.index)}>
      <GridCell className="soft-cell">
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
      <GridCell className="soft-cell ellipsis">{source === null ? '' : sourceNames[source]}</GridCell>
    </GridRow>
  );
});
