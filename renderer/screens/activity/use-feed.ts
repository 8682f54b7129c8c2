// The feed of one workspace as the address narrows it: what was read, what of it is shown, and what holds it still.
import { useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { type Activity, useActivity } from '../../api/activity.ts';
import { useRevisionActors } from '../../api/revision-actors.ts';
import { type ScreenLocation, useScreenLocation } from '../../location/screen-location.ts';
import {
  type ActivityKind,
  activityKinds,
  type ByWhom,
  eventNumber,
  feedPath,
  passes,
} from '../../model/inbound/activity-view.ts';
import { eventView } from '../../model/inbound/event-view.ts';
import { parseRange, type TimeRange } from '../../model/inbound/time-range.ts';
import { useDebounced } from '../../parts/fields/use-debounced.ts';
import { type HeldRows, useHeldRows } from './live-rows.ts';

export interface Feed {
  readonly place: ScreenLocation;
  readonly activity: Activity;
  readonly folder: string;
  readonly kind: ActivityKind;
  readonly echoes: boolean;
  readonly range: TimeRange | null;
  readonly byWhom: ByWhom;
  readonly held: HeldRows;
  /** Something is left out that "Show all" brings back. */
  readonly narrowed: boolean;
}

export function useFeed(workspaceId: string): Feed {
  const place = useScreenLocation('activity');
  const path = place.field('path');
  const folder = useDebounced(feedPath(path));
  const activity = useActivity(workspaceId, folder);
  const kind = activityKinds.find((each) => each === place.field('kind')) ?? 'all';
  const echoes = place.field('echoes') === '1';
  const text = useDeferredValue(place.field('text'));
  const rangeField = place.field('range');
  const range = useMemo(() => parseRange(rangeField), [rangeField]);
  const actors = useRevisionActors(workspaceId, activity.events);
  const byWhom = useCallback<ByWhom>(
    (event) => eventView(event).by ?? actors.get(event.revision) ?? null,
    [actors],
  );
  const matching = useMemo(
    () => activity.events.filter((event) => passes(event, { kind, echoes, text, range }, byWhom)),
    [activity.events, kind, echoes, text, range, byWhom],
  );
  const held = useHeldRows(matching, eventNumber(activity.events[0]?.eventId ?? ''));
  useReadBackTo(activity, range);
  const narrowed = kind !== 'all' || text !== '' || path !== '' || range !== null;
  return { place, activity, folder, kind, echoes, range, byWhom, held, narrowed };
}

/** A span that begins before what was read: older pages come until it is whole. */
function useReadBackTo(
  { events, hasOlder, readingOlder, state, loadOlder }: Activity,
  range: TimeRange | null,
): void {
  const oldest = events.at(-1);
  const wanted =
    range !== null &&
    state === 'ready' &&
    hasOlder &&
    !readingOlder &&
    oldest !== undefined &&
    Date.parse(oldest.timestamp) >= range.fromMs;
  useEffect(() => {
    if (wanted) loadOlder();
  });
}
