// The detail pane of an event: its fields, and the events with the same correlation id.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { EventFrame } from '../../../server/contract/events.ts';
import { describeError, useServices } from '../../api/services.ts';
import { filesHref } from '../../location/app-location.ts';
import { type ActorOf, eventNames, eventNumber, preciseClock } from '../../model/inbound/activity-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { Fact } from '../../parts/feedback/fact.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { DetailHead, DetailPane } from '../../parts/tables/detail-head.tsx';
import type { Panes } from '../../parts/tables/use-panes.tsx';
import { useStable } from '../../parts/tables/use-stable.ts';
import { Related, useRelated } from './related.tsx';

interface EventPaneProps {
  readonly workspaceId: string;
  readonly events: readonly EventFrame[];
  readonly actorOf: ActorOf;
  readonly panes: Panes;
  readonly onSelect: (eventId: string) => void;
  readonly onCorrelation: (correlationId: string) => void;
  readonly onClose: () => void;
}

export function EventDetail({
  eventId,
  ...props
}: EventPaneProps & { readonly eventId: string | null }): ReactElement {
  const { workspaceId, events, onClose } = props;
  const { client } = useServices();
  const loaded = events.find((event) => event.eventId === eventId);
  // A link may name an event that is not loaded.
  const query = useQuery({
    queryKey: ['event', workspaceId, eventId],
    queryFn: async () => {
      const before = `evt_${Math.max(0, eventNumber(eventId ?? '') - 1)}`;
      const { events: page } = await client.events.page(workspaceId, { cursor: before, limit: 1 });
      return page.find((event) => event.eventId === eventId) ?? null;
    },
    enabled: eventId !== null && loaded === undefined && eventNumber(eventId) > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const event = loaded ?? query.data ?? undefined;
  return (
    <DetailPane label="Event" openId={eventId} panes={props.panes}>
      {(openId) =>
        event !== undefined ? (
          <OpenEvent {...props} event={event} />
        ) : (
          <>
            <DetailHead title={openId} titleClass="event-title" onClose={onClose} />
            <div className="empty">
              {query.isError ? (
                <p>{describeError(query.error)}</p>
              ) : query.isFetching ? (
                <p>Loading…</p>
              ) : (
                <p>Event not found in this workspace, or no longer retained.</p>
              )}
            </div>
          </>
        )
      }
    </DetailPane>
  );
}

function OpenEvent({
  workspaceId,
  event,
  events,
  actorOf,
  onSelect,
  onCorrelation,
  onClose,
}: EventPaneProps & { readonly event: EventFrame }): ReactElement {
  const [, navigate] = useLocation();
  const { correlationId } = event;
  const related = useRelated(events, correlationId);
  const onRelated = useStable(onSelect);
  return (
    <>
      <DetailHead
        title={eventNames[event.type].name}
        titleClass="event-title"
        side={<span className="faint">{preciseClock(event.timestamp)}</span>}
        onClose={onClose}
      />
      <ReadingRegion className="detail-body" name={`About ${event.eventId}`}>
        <EventFacts event={event} actor={actorOf(event)?.name ?? null} />
        {correlationId === undefined ? null : (
          <Related related={related} currentId={event.eventId} loaded={events.length} onSelect={onRelated} />
        )}
      </ReadingRegion>
      <div className="detail-foot">
        <Button
          icon="file"
          disabledReason={noFileReason(event)}
          onClick={() => navigate(filesHref(workspaceId, event.path, 'file'))}
        >
          Open file
        </Button>
        {correlationId === undefined || related.length < 2 ? null : (
          <Button icon="filter" onClick={() => onCorrelation(correlationId)}>
            Filter by correlation
          </Button>
        )}
      </div>
    </>
  );
}

function EventFacts({
  event,
  actor,
}: {
  readonly event: EventFrame;
  readonly actor: string | null;
}): ReactElement {
  const { correlationId } = event;
  return (
    <dl className="facts">
      <Fact name="Event">
        <Identifier text={event.eventId} what="the event’s id" />
      </Fact>
      <Fact name="Type">
        <span className="mono">{event.type}</span>
      </Fact>
      <Fact name="Path">
        <Identifier text={event.path} what="the path" />
      </Fact>
      {event.revision === '' ? null : (
        <Fact name="Revision">
          <Identifier text={event.revision} what="the revision" />
        </Fact>
      )}
      <Fact name="Origin">
        <span className="mono">{event.origin}</span>
      </Fact>
      {actor === null ? null : <Fact name="Changed by">{actor}</Fact>}
      {event.contentHash === undefined ? null : (
        <Fact name="SHA-256">
          <Identifier text={event.contentHash} what="the hash" shown={`${event.contentHash.slice(0, 12)}…`} />
        </Fact>
      )}
      {correlationId === undefined ? null : (
        <Fact name="Correlation">
          <Identifier text={correlationId} what="the correlation id" />
        </Fact>
      )}
    </dl>
  );
}

/** null: the file can be opened. */
function noFileReason({ type }: EventFrame): string | null {
  if (type === 'file.deleted') return 'The file was deleted.';
  return type.startsWith('file.') || type.startsWith('writeback.') ? null : 'This event has no file.';
}
