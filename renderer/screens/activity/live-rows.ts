// A feed that holds still: while it is paused, or scrolled away from its top, rows do not move and what is new waits.
import { useEffect, useMemo, useState } from 'react';
import type { EventFrame } from '../../../server/contract/events.ts';
import { eventNumber } from '../../model/inbound/activity-view.ts';

export interface HeldRows {
  readonly rows: readonly EventFrame[];
  /** Events that came since. */
  readonly waiting: number;
  readonly paused: boolean;
  /** Paused, or scrolled away from the top. */
  readonly isHeld: boolean;
  readonly pause: () => void;
  readonly setScrolled: (scrolled: boolean) => void;
  readonly goOn: () => void;
}

/** `newest`: the number of the newest event there is, shown or not. */
export function useHeldRows(matching: readonly EventFrame[], newest: number): HeldRows {
  const [paused, setPaused] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  /** The newest event that is shown; null: every new one is. */
  const [frozenAt, setFrozenAt] = useState<number | null>(null);
  const rows = useMemo(
    () => (frozenAt === null ? matching : matching.filter((event) => eventNumber(event.eventId) <= frozenAt)),
    [matching, frozenAt],
  );
  const isHeld = paused || scrolled;
  useEffect(() => {
    if (!isHeld) setFrozenAt(null);
    else setFrozenAt((before) => before ?? newest);
  }, [isHeld, newest]);
  return {
    rows,
    waiting: matching.length - rows.length,
    paused,
    isHeld,
    pause: () => setPaused(true),
    setScrolled,
    goOn: () => {
      setPaused(false);
      setScrolled(false);
      setFrozenAt(null);
    },
  };
}
