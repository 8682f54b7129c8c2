// The rows of the live log. While it is paused or scrolled away from the top, newer entries are counted but not inserted.
import { useEffect, useMemo, useState } from 'react';
import type { LogEntry } from '../../../sdk/index.ts';

export type HeldRows = ReturnType<typeof useHeldRows>;

export function useHeldRows(entries: readonly LogEntry[]) {
  const [isPaused, setPaused] = useState(false);
  const [isScrolled, setScrolled] = useState(false);
  /** Newest entry that is shown; null: all are. */
  const [newestShown, setNewestShown] = useState<string | null>(null);
  const newest = entries[0]?.id ?? null;
  const first = newestShown === null ? 0 : entries.findIndex(({ id }) => id === newestShown);
  // It is gone with another filter: nothing is held back then.
  const waiting = Math.max(0, first);
  const rows = useMemo(() => entries.slice(waiting), [entries, waiting]);
  const isFrozen = isPaused || isScrolled;
  useEffect(() => {
    if (!isFrozen || first === -1) setNewestShown(null);
    else setNewestShown((before) => before ?? newest);
  }, [isFrozen, first, newest]);
  return {
    rows,
    /** Matching entries that are not shown yet. */
    waiting,
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
