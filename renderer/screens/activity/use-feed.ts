// The feed of a workspace with the filters of the URL: the loaded events, the matching ones, and the live rows.
import { useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import type { EventFrame } from '../../../server/contract/events.ts';
import { type Activity, useActivity } from '../../api/activity.ts';
import { useRevisionActors } from '../../api/revision-actors.ts';
import { useScreenLocation } from '../../location/screen-location.ts';
import {
  type ActorOf,
  activityKinds,
  eventNumber,
  feedPath,
  passes,
} from '../../model/inbound/activity-view.ts';
import { eventView } from '../../model/inbound/event-view.ts';
import { parseRange, type TimeRange } from '../../model/inbound/time-range.ts';
import { useDebounced } from '../../parts/fields/use-debounced.ts';
import { useHeldRows } from '../../parts/tables/use-held-rows.ts';

export type Feed = ReturnType<typeof useFeed>;

export function useFeed(workspaceId: string) {
  const location = useScreenLocation('activity');
  const path = location.field('path');
  const folder = useDebounced(feedPath(path));
  const activity = useActivity(workspaceId, folder);
  const kind = activityKinds.find((each) => each === location.field('kind')) ?? 'all';
  const showsEchoes = location.field('echoes') === '1';
  const text = useDeferredValue(location.field('text'));
  const rangeField = location.field('range');
  const range = useMemo(() => parseRange(rangeField), [rangeField]);
  const actors = useRevisionActors(workspaceId, activity.events);
  const actorOf = useCallback<ActorOf>(
    (event) => eventView(event).actor ?? actors.get(event.revision) ?? null,
    [actors],
  );
  const matching = useMemo(
    () => activity.events.filter((event) => passes(event, { kind, showsEchoes, text, range }, actorOf)),
    [activity.events, kind, showsEchoes, text, range, actorOf],
  );
  const live = useHeldRows(matching, eventNumber(activity.events[0]?.eventId ?? ''), firstUpTo);
  useLoadBackTo(activity, range);
  // What "Show all" clears.
  const isFiltered = kind !== 'all' || text !== '' || path !== '' || range !== null;
  return { location, activity, folder, kind, showsEchoes, range, actorOf, live, isFiltered };
}

function firstUpTo(matching: readonly EventFrame[], newest: number): number {
  const index = matching.findIndex((event) => eventNumber(event.eventId) <= newest);
  return index === -1 ? matching.length : index;
}

/** Loads older pages until they cover a time range that begins before the loaded events. */
function useLoadBackTo(
  { events, hasOlder, readingOlder, state, loadOlder }: Activity,
  range: TimeRange | null,
): void {
  const oldest = events.at(-1);
  const needsOlder =
    range !== null &&
    state === 'ready' &&
    hasOlder &&
    !readingOlder &&
    oldest !== undefined &&
    Date.parse(oldest.timestamp) >= range.fromMs;
  useEffect(() => {
    if (needsOlder) loadOlder();
  });
}
