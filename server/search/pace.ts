// Slices of the indexing: short ones between which searches run, and long pauses while commits arrive, because writes have priority.
import { setTimeout as delay } from 'node:timers/promises';
import { yieldToEventLoop } from '../platform/event-loop.ts';
import {
  busyMs,
  busyPauseFactor,
  busyPauseMsMax,
  fewEvents,
  fewEventsPauseMsMax,
  sliceMs,
} from './limits.ts';

/** The pause after a slice while commits arrive. */
export function busyPauseMs(sliceTookMs: number, eventsBehind: number): number {
  const max = eventsBehind <= fewEvents ? fewEventsPauseMsMax : busyPauseMsMax;
  return Math.min(sliceTookMs * busyPauseFactor, max);
}

export class Pace {
  /** Events that are to be indexed, when they were last counted. */
  eventsBehind = 0;
  #sliceStartedAt = performance.now();
  #lastCommitAt = Number.NEGATIVE_INFINITY;
  #waiters = 0;
  #urgent = new AbortController();

  /** The store has committed. */
  committed(): void {
    this.#lastCommitAt = performance.now();
  }

  /** A caller waits for the index: no long pauses until the returned function is called. */
  hurry(): () => void {
    this.#waiters += 1;
    this.#urgent.abort();
    return () => {
      this.#waiters -= 1;
      if (this.#waiters === 0) this.#urgent = new AbortController();
    };
  }

  get isOver(): boolean {
    return performance.now() - this.#sliceStartedAt >= sliceMs;
  }

  /** Commits arrive, and no caller waits for the index. */
  get isBusy(): boolean {
    return this.#waiters === 0 && performance.now() - this.#lastCommitAt < busyMs;
  }

  async pause(): Promise<void> {
    if (this.isBusy) {
      const sliceTookMs = performance.now() - this.#sliceStartedAt;
      const pauseMs = busyPauseMs(sliceTookMs, this.eventsBehind);
      await delay(pauseMs, undefined, { signal: this.#urgent.signal, ref: true }).catch(() => undefined);
    } else await yieldToEventLoop();
    this.#sliceStartedAt = performance.now();
  }
}
