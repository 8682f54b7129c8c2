// The rows of the feed.
import { memo, type ReactElement, type RefObject } from 'react';
import type { EventFrame } from '../../../server/contract/events.ts';
import type { ActorKind, ActorView } from '../../model/actor-view.ts';
import { fullTime } from '../../model/format.ts';
import { type ActorOf, eventNames, isError, preciseClock } from '../../model/inbound/activity-view.ts';
import type { Column } from '../../model/tables/column-layout.ts';
import { Avatar } from '../../parts/feedback/avatar.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { FeedList, type FeedListHandle } from '../../parts/tables/feed-list.tsx';
import { GridCell, GridRow, type RowPosition } from '../../parts/tables/grid.tsx';

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

const idOf = ({ eventId }: EventFrame): string => eventId;

export function EventList({
  actorOf,
  ...list
}: {
  readonly rows: readonly EventFrame[];
  readonly actorOf: ActorOf;
  readonly selected: string | null;
  readonly handle: RefObject<FeedListHandle | null>;
  readonly onSelect: (eventId: string) => void;
  readonly onEnter: () => void;
  readonly onScrolled: (scrolled: boolean) => void;
  readonly onEnd: () => void;
}): ReactElement {
  return (
    <FeedList listId="activity" label="Events, newest first" columns={eventColumns} idOf={idOf} {...list}>
      {(row, position, onRow) => (
        <EventRow
          key={row.eventId}
          {...position}
          event={row}
          {...actorValues(actorOf(row))}
          onSelect={onRow}
        />
      )}
    </FeedList>
  );
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
