// The rows of a live feed. While it is paused or scrolled away from the top, new events are counted but not inserted.
import { useEffect, useMemo, useState } from 'react';
import type { EventFrame } from '../../../server/contract/events.ts';
import { eventNumber } from '../../model/inbound/activity-view.ts';

export type LiveRows = ReturnType<typeof useLiveRows>;

/** `newest`: the number of the newest loaded event, shown or not. */
export function useLiveRows(matching: readonly EventFrame[], newest: number) {
  const [isPaused, setPaused] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  /** Number of the newest event that is shown; null: all are. */
  const [newestShown, setNewestShown] = useState<number | null>(null);
  const rows = useMemo(
    () =>
      newestShown === null ? matching : matching.filter((event) => eventNumber(event.eventId) <= newestShown),
    [matching, newestShown],
  );
  const isFrozen = isPaused || scrolled;
  useEffect(() => {
    if (!isFrozen) setNewestShown(null);
    else setNewestShown((before) => before ?? newest);
  }, [isFrozen, newest]);
  return {
    rows,
    /** Matching events that are not shown yet. */
    waiting: matching.length - rows.length,
    isPaused,
    /** Paused, or scrolled away from the top. */
    isFrozen,
    pause: () => setPaused(true),
    setScrolled,
    resume: () => {
      setPaused(false);
      setScrolled(false);
      setNewestShown(null);
    },
  };
}
