// The events with the same correlation id, oldest first. Of thousands, as in a bulk write, only those around the open event are
// listed; the feed shows all.
import { memo, type ReactElement, useMemo } from 'react';
import type { EventFrame } from '../../../server/contract/events.ts';
import { nameOf } from '../../model/files/path.ts';
import { count, plural } from '../../model/format.ts';
import { around, eventNames, isError, preciseClock } from '../../model/inbound/activity-view.ts';
import { Icon } from '../../parts/feedback/icon.tsx';

const relatedMax = 50;

/** `events`: the feed, newest first. */
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

/** Memoized: a new event in the feed renders the screen. */
export const Related = memo(function Related({
  related,
  currentId,
  loaded,
  onSelect,
}: {
  readonly related: readonly EventFrame[];
  readonly currentId: string;
  /** Number of loaded events, in which these were found. */
  readonly loaded: number;
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
        {plural(related.length, 'event')} among {plural(loaded, 'loaded event')}
        {shown.length < related.length ? ` (${count(shown.length)} nearest shown)` : ''}
      </p>
    </section>
  );
});
