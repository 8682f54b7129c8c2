// The other events of a correlation, in the order they came. A bulk write may have thousands: those around the one that is
// looked at are shown, and the feed has all of them.
import { memo, type ReactElement, useMemo } from 'react';
import type { EventFrame } from '../../../server/contract/events.ts';
import { nameOf } from '../../model/files/path.ts';
import { count, plural } from '../../model/format.ts';
import { around, eventNames, isError, preciseClock } from '../../model/inbound/activity-view.ts';
import { Icon } from '../../parts/feedback/icon.tsx';

const relatedMax = 50;

/** `events`: of the feed, newest first. */
export function useRelated(
  events: readonly EventFrame[],
  correlationId: string | undefined,
): readonly EventFrame[] {
  return useMemo(
    () =>
      correlationId === undefined
        ? []
        : events.filter((each) => each.correlationId === correlationId).toReversed(),
    [events, correlationId],
  );
}

/** Drawn again only when something of it changed. */
export const Related = memo(function Related({
  related,
  currentId,
  read,
  onSelect,
}: {
  readonly related: readonly EventFrame[];
  readonly currentId: string;
  /** Of how many events these were found. */
  readonly read: number;
  readonly onSelect: (eventId: string) => void;
}): ReactElement {
  const shown = around(
    related,
    related.findIndex((each) => each.eventId === currentId),
    relatedMax,
  );
  return (
    <section className="related" aria-labelledby="same-correlation">
      <h3 id="same-correlation">Same correlation</h3>
      <ol>
        {shown.map((each) => (
          <li key={each.eventId}>
            <button
              type="button"
              aria-current={each.eventId === currentId}
              title={each.path}
              onClick={() => onSelect(each.eventId)}
            >
              <span className="faint">{preciseClock(each.timestamp)}</span>
              <span className={isError(each) ? 'event-name bad' : 'event-name'}>
                <Icon of={eventNames[each.type].icon} small />
                <span className="ellipsis">{eventNames[each.type].name}</span>
              </span>
              <span className="mono soft ellipsis">{nameOf(each.path)}</span>
            </button>
          </li>
        ))}
      </ol>
      <p className="hint">
        {plural(related.length, 'event')} among the {plural(read, 'event')} read so far
        {shown.length < related.length ? `; the ${count(shown.length)} nearest to this one are shown` : ''}.
      </p>
    </section>
  );
});
