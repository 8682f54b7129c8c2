// One event: everything its record says, and the others of the same correlation.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { EventFrame } from '../../../server/contract/events.ts';
import { describeError, useServices } from '../../api/services.ts';
import { filesHref } from '../../location/app-location.ts';
import { type ByWhom, eventNames, eventNumber, preciseClock } from '../../model/inbound/activity-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { Fact } from '../../parts/feedback/fact.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { DetailHead } from '../../parts/tables/detail-head.tsx';
import { useStable } from '../../parts/tables/use-stable.ts';
import { Related, useRelated } from './related.tsx';

export function EventDetail({
  workspaceId,
  eventId,
  events,
  byWhom,
  onSelect,
  onCorrelation,
  onClose,
}: {
  readonly workspaceId: string;
  readonly eventId: string | null;
  readonly events: readonly EventFrame[];
  readonly byWhom: ByWhom;
  readonly onSelect: (eventId: string) => void;
  readonly onCorrelation: (correlationId: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const held = events.find((event) => event.eventId === eventId);
  // A link may name an event that is not among those read.
  const query = useQuery({
    queryKey: ['event', workspaceId, eventId],
    queryFn: async () => {
      const before = `evt_${Math.max(0, eventNumber(eventId ?? '') - 1)}`;
      const { events: page } = await client.getEvents(workspaceId, { cursor: before, limit: 1 });
      return page.find((event) => event.eventId === eventId) ?? null;
    },
    enabled: eventId !== null && held === undefined && eventNumber(eventId) > 0,
  });
  const event = held ?? query.data ?? undefined;
  return (
    <section className="pane detail" aria-label="Event">
      {eventId === null ? (
        <div className="empty unselected">
          <p>No event is selected. J and K, or the arrows, move through the feed.</p>
        </div>
      ) : event !== undefined ? (
        <OpenEvent
          workspaceId={workspaceId}
          event={event}
          events={events}
          byWhom={byWhom}
          onSelect={onSelect}
          onCorrelation={onCorrelation}
          onClose={onClose}
        />
      ) : (
        <>
          <DetailHead title={eventId} titleClass="event-title" onClose={onClose} />
          <div className="empty">
            {query.isError ? (
              <p>{describeError(query.error)}</p>
            ) : query.isFetching ? (
              <p>Reading it.</p>
            ) : (
              <p>This event is not kept, or is not one of this workspace.</p>
            )}
          </div>
        </>
      )}
    </section>
  );
}

function OpenEvent({
  workspaceId,
  event,
  events,
  byWhom,
  onSelect,
  onCorrelation,
  onClose,
}: {
  readonly workspaceId: string;
  readonly event: EventFrame;
  readonly events: readonly EventFrame[];
  readonly byWhom: ByWhom;
  readonly onSelect: (eventId: string) => void;
  readonly onCorrelation: (correlationId: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const [, navigate] = useLocation();
  const { correlationId } = event;
  const related = useRelated(events, correlationId);
  const onRelated = useStable(onSelect);
  const by = byWhom(event);
  const noFile =
    event.type === 'file.deleted'
      ? 'The file was deleted.'
      : event.type.startsWith('file.') || event.type.startsWith('writeback.')
        ? null
        : 'This event is about no file.';
  return (
    <>
      <DetailHead
        title={eventNames[event.type].name}
        titleClass="event-title"
        side={<span className="faint">{preciseClock(event.timestamp)}</span>}
        onClose={onClose}
      />
      <ReadingRegion className="detail-body" name={`About ${event.eventId}`}>
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
          {by === null ? null : <Fact name="By">{by}</Fact>}
          {event.contentHash === undefined ? null : (
            <Fact name="SHA-256">
              <Identifier
                text={event.contentHash}
                what="the hash"
                shown={`${event.contentHash.slice(0, 12)}…`}
              />
            </Fact>
          )}
          {correlationId === undefined ? null : (
            <Fact name="Correlation">
              <Identifier text={correlationId} what="the correlation id" />
            </Fact>
          )}
        </dl>
        {correlationId === undefined ? null : (
          <Related related={related} currentId={event.eventId} read={events.length} onSelect={onRelated} />
        )}
      </ReadingRegion>
      <div className="detail-foot">
        <Button
          icon="file"
          disabledReason={noFile}
          onClick={() => navigate(filesHref(workspaceId, event.path, 'file'))}
        >
          Open file
        </Button>
        {correlationId === undefined || related.length < 2 ? null : (
          <Button icon="filter" onClick={() => onCorrelation(correlationId)}>
            Only these
          </Button>
        )}
      </div>
    </>
  );
}
