// A clock that stands still until the test moves it.
import type { Clock } from '../../server/platform/clock.ts';

export interface ManualClock extends Clock {
  /** Moves both clocks and ends the delays that are over by then. */
  advance(byMs: number): void;
  /** Those that wait for it now. What is written down may be read before its writer has begun to wait. */
  delays(): number;
  /** Sets the wall clock alone, as a user or NTP does. */
  setWallMs(wallMs: number): void;
}

export function createManualClock(startMs = Date.UTC(2026, 10, 20, 12)): ManualClock {
  let wallMs = startMs;
  let monotonicMs = 0;
  let waiting: readonly { readonly endsAtMs: number; readonly end: () => void }[] = [];
  return {
    nowMs: () => wallMs,
    monotonicMs: () => monotonicMs,
    delay(delayMs, signal) {
      if (signal?.aborted === true) return Promise.resolve();
      return new Promise((resolve) => {
        const one = { endsAtMs: monotonicMs + delayMs, end: resolve };
        waiting = [...waiting, one];
        const aborted = () => {
          waiting = waiting.filter((each) => each !== one);
          resolve();
        };
        signal?.addEventListener('abort', aborted, { once: true });
      });
    },
    advance(byMs) {
      wallMs += byMs;
      monotonicMs += byMs;
      const over = waiting.filter((one) => one.endsAtMs <= monotonicMs);
      waiting = waiting.filter((one) => one.endsAtMs > monotonicMs);
      for (const { end } of over) end();
    },
    delays: () => waiting.length,
    setWallMs(nextMs) {
      wallMs = nextMs;
    },
  };
}
