// The rows of a live feed, newest first. While it is paused or scrolled away from the top, newer rows are counted but not inserted.
import { useEffect, useMemo, useState } from 'react';

export interface HeldRows<Row> {
  readonly rows: readonly Row[];
  /** Matching rows that are not shown yet. */
  readonly waiting: number;
  readonly isPaused: boolean;
  /** Paused, or scrolled away from the top. */
  readonly isFrozen: boolean;
  readonly pause: () => void;
  readonly setScrolled: (scrolled: boolean) => void;
  readonly resume: () => void;
}

/**
 * `newest`: of what is loaded, shown or not. `firstShown`: index of the newest row that was there when `newest` was this; null: that
 * row is gone, as with another filter, and nothing is held back any more.
 */
export function useHeldRows<Row, Newest extends string | number>(
  matching: readonly Row[],
  newest: Newest | null,
  firstShown: (rows: readonly Row[], newest: Newest) => number | null,
): HeldRows<Row> {
  const [isPaused, setPaused] = useState(false);
  const [isScrolled, setScrolled] = useState(false);
  /** Null: all are shown. */
  const [heldAt, setHeldAt] = useState<Newest | null>(null);
  const first = heldAt === null ? 0 : firstShown(matching, heldAt);
  const isGone = first === null;
  const waiting = first ?? 0;
  const rows = useMemo(() => (waiting === 0 ? matching : matching.slice(waiting)), [matching, waiting]);
  const isFrozen = isPaused || isScrolled;
  useEffect(() => {
    if (!isFrozen || isGone) setHeldAt(null);
    else setHeldAt((before) => before ?? newest);
  }, [isFrozen, isGone, newest]);
  return {
    rows,
    waiting,
    isPaused,
    isFrozen,
    pause: () => setPaused(true),
    setScrolled,
    resume: () => {
      setPaused(false);
      setScrolled(false);
      setHeldAt(null);
    },
  };
}
