// The clock port, so that tests and the simulation control time.
import { performance } from 'node:perf_hooks';

export interface Clock {
  /** Milliseconds since 1970; may jump. */
  nowMs(): number;
  /** Milliseconds of a monotonic clock. */
  monotonicMs(): number;
  /** Resolves after the delay, or at once when the signal aborts. */
  delay(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** Longest delay of a Node timer; a longer one would fire immediately. */
const timerMsMax = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  delay(delayMs, signal) {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        // A loop uses one signal for months, so its listeners must not accumulate.
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(delayMs, timerMsMax));
      signal?.addEventListener('abort', end);
    });
  },
};

/** Resolves when the wall clock reaches that time, or when the signal aborts. Timers are limited to 24 days, so it waits in steps. */
export async function waitUntil(
  clock: Pick<Clock, 'nowMs' | 'delay'>,
  atMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (let leftMs = atMs - clock.nowMs(); leftMs > 0 && !signal.aborted; leftMs = atMs - clock.nowMs()) {
    await clock.delay(leftMs, signal);
  }
}

/** Aborts the signal of the act after so long; the timer ends with the act. `signal` aborts it earlier. */
export async function withTimeLimit<T>(
  clock: Pick<Clock, 'delay'>,
  limitMs: number,
  signal: AbortSignal | undefined,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timer = new AbortController();
  const late = new AbortController();
  const timeUp = clock.delay(limitMs, timer.signal).then(() => late.abort());
  const result = await act(AbortSignal.any([...(signal === undefined ? [] : [signal]), late.signal]));
  timer.abort();
  await timeUp;
  return result;
}
