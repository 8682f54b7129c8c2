// Time from outside, so that tests and the simulation can drive it.
import { performance } from 'node:perf_hooks';

export interface Clock {
  /** Milliseconds since 1970, may jump. */
  nowMs(): number;
  /** Milliseconds of a clock that never goes backwards. */
  monotonicMs(): number;
  /** Resolves after the delay, or at once when the signal aborts. */
  delay(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** Longest delay that a Node timer holds; a longer one would fire at once. */
const timerMsMax = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  delay(delayMs, signal) {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        // A loop waits on one signal for months: its listeners must not pile up.
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(delayMs, timerMsMax));
      signal?.addEventListener('abort', end);
    });
  },
};

/** Resolves once the wall clock shows that time, or when the signal aborts. A delay may end early: timers hold 24 days. */
export async function waitUntil(
  clock: Pick<Clock, 'nowMs' | 'delay'>,
  atMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (let leftMs = atMs - clock.nowMs(); leftMs > 0 && !signal.aborted; leftMs = atMs - clock.nowMs()) {
    await clock.delay(leftMs, signal);
  }
}
