// The rows of the feed, virtualized. New events are inserted while the top is visible.
import { type KeyboardEvent, memo, type ReactElement, type RefObject, useEffect, useMemo } from 'react';
import type { EventFrame } from '../../../server/contract/events.ts';
import type { ActorKind, ActorView } from '../../model/actor-view.ts';
import { fullTime } from '../../model/format.ts';
import { type ActorOf, eventNames, isError, preciseClock } from '../../model/inbound/activity-view.ts';
import type { Column } from '../../model/tables/column-layout.ts';
import { Avatar } from '../../parts/feedback/avatar.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { ColumnHeads } from '../../parts/tables/column-heads.tsx';
import { GridCell, GridRow, RowFrame, type RowPosition, rowPosition } from '../../parts/tables/grid.tsx';
import { useColumns } from '../../parts/tables/use-columns.ts';
import { useStable } from '../../parts/tables/use-stable.ts';
import { movedIndex, useVirtualRows, type VirtualRows } from '../../parts/tables/use-virtual-rows.ts';

export interface ListHandle {
  /** `begin` also selects the first row if none is selected. */
  focus(begin: boolean): void;
  toTop(): void;
}

const rowPx = 28;
const pageRows = 16;
/** Within this distance of the top, new rows are inserted. */
const topPx = 4;
/** Within this distance of the end, older events are loaded. */
const endPx = 200;

type EventColumn = 'time' | 'event' | 'path' | 'actor' | 'revision' | 'correlation';

/** Newest first: events arrive, so that they have no other order. */
const eventColumns: readonly Column<EventColumn>[] = [
  { id: 'time', title: 'Time', widthPx: 84 },
  { id: 'event', title: 'Event', widthPx: 124 },
  { id: 'path', title: 'Path', widthPx: 200, grows: true },
  { id: 'actor', title: 'Changed by', widthPx: 124, leaves: 1 },
  { id: 'revision', title: 'Revision', widthPx: 68, leaves: 2 },
  { id: 'correlation', title: 'Correlation', widthPx: 92, leaves: 3 },
];

export function EventList({
  rows,
  actorOf,
  selected,
  handle,
  onSelect,
  onEnter,
  onScrolled,
  onEnd,
}: {
  readonly rows: readonly EventFrame[];
  readonly actorOf: ActorOf;
  readonly selected: string | null;
  readonly handle: RefObject<ListHandle | null>;
  readonly onSelect: (eventId: string) => void;
  readonly onEnter: () => void;
  readonly onScrolled: (scrolled: boolean) => void;
  readonly onEnd: () => void;
}): ReactElement {
  const current = useMemo(() => rows.findIndex((row) => row.eventId === selected), [rows, selected]);
  const layout = useColumns('activity', eventColumns);
  const virtual = useVirtualRows({ count: rows.length, rowPx, current });
  const select = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    onSelect(row.eventId);
    virtual.focus(index);
  };
  const onRow = useStable(select);
  useListHandle(handle, current, virtual, select);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moved = movedIndex(event.key, current, rows.length, pageRows);
    if (moved !== null) select(moved);
    else if (event.key === 'Enter' && current < 0) select(0);
    else if (event.key === 'Enter') onEnter();
    else return;
    event.preventDefault();
  };
  return (
    <RowFrame
      role="grid"
      aria-label="Events, newest first"
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
      {(row, item) => (
        <EventRow
          key={row.eventId}
          {...rowPosition(item, current)}
          event={row}
          {...actorValues(actorOf(row))}
          onSelect={onRow}
        />
      )}
    </RowFrame>
  );
}

function useListHandle(
  handle: RefObject<ListHandle | null>,
  current: number,
  virtual: VirtualRows,
  select: (index: number) => void,
): void {
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
}

/** As single values, because rows are memoized. */
function actorValues(actor: ActorView | null): {
  readonly actorKind: ActorKind | null;
  readonly actorName: string;
} {
  return { actorKind: actor?.kind ?? null, actorName: actor?.name ?? '' };
}

/** Memoized, because each key typed into a filter renders the screen; its position is passed as single values for that reason. */
const EventRow = memo(function EventRow({
  event,
  actorKind,
  actorName,
  onSelect,
  ...position
}: RowPosition & {
  readonly event: EventFrame;
  readonly actorKind: ActorKind | null;
  readonly actorName: string;
  readonly onSelect: (index: number) => void;
}): ReactElement {
  const { name, icon } = eventNames[event.type];
  return (
    <GridRow position={position} className="feed-row" onClick={() => onSelect(position.index)}>
      <GridCell className="soft">
        <time dateTime={event.timestamp} title={fullTime(Date.parse(event.timestamp))}>
          {preciseClock(event.timestamp)}
        </time>
      </GridCell>
      <GridCell className={isError(event) ? 'event-name bad' : 'event-name'}>
        <Icon of={icon} small />
        <span className="ellipsis">{name}</span>
      </GridCell>
      <GridCell className="item-path">
        <PathText path={event.path} />
      </GridCell>
      <GridCell className="feed-actor soft" title={actorName}>
        {actorKind === null ? null : <Avatar of={{ kind: actorKind, name: actorName }} />}
        <span className="ellipsis">{actorName}</span>
      </GridCell>
      <GridCell className="mono soft ellipsis">{event.revision}</GridCell>
      <GridCell className="mono soft ellipsis" title={event.correlationId}>
        {event.correlationId}
      </GridCell>
    </GridRow>
  );
});
