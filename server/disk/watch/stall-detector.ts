// Detects that the thread or the machine was stopped for a while: the kernel's event queue may have overflowed without a report,
// or a disk may have changed (docs/sync-rules.md#6). It only reports.
import type { Clock } from '../../platform/clock.ts';

/** Each look wakes the thread, also at rest. */
const lookEveryMs = 200;
/** A thread that was busy for this and the time between two looks may have lost hints. */
const lagMsMax = 150;
/**
 * The kernel keeps 16,384 events at most and drops the others without a word. Then at least so many are delivered while the thread
 * stalls, or a large part of them within a second.
 */
const eventsMaxDefault = 8000;
const floodWindowMs = 1000;
/** The clock that stamps files went on so far ahead of the one that counts: the machine was asleep. */
const asleepMs = 2000;

export interface StallDetectorOptions {
  readonly clock: Clock;
  readonly onLag: (cause: 'busy' | 'asleep') => void;
  readonly onLook?: () => void;
}

export class StallDetector {
  readonly #parts: StallDetectorOptions;
  #isStopped = false;

  constructor(parts: StallDetectorOptions) {
    this.#parts = parts;
  }

  /** Looks until it is stopped. */
  async run(): Promise<void> {
    const { clock, onLag, onLook } = this.#parts;
    while (!this.#isStopped) {
      const countedMs = clock.monotonicMs();
      onLook?.();
      const stampedMs = clock.nowMs();
      // Without a signal: its listener would cost more than the look.
      await clock.delay(lookEveryMs);
      if (this.#isStopped) return;
      const tookMs = clock.monotonicMs() - countedMs;
      // Some systems count the time asleep, and then it looks like a lag; the others show it as a leap of the wall clock.
      const wasBusy = tookMs > lookEveryMs + lagMsMax;
      const wasAsleep = clock.nowMs() - stampedMs - tookMs > asleepMs;
      if (wasBusy || wasAsleep) onLag(wasAsleep ? 'asleep' : 'busy');
    }
  }

  stop(): void {
    this.#isStopped = true;
  }
}

/** One look-out for all folders of a thread: each one of its own would wake the thread ten times a second. */
/** `busy`: the thread was not served for a while. `flood`: events were lost, or may have been. */
export type StallCause = 'busy' | 'asleep' | 'flood';

export class ThreadStallDetector {
  readonly #clock: Clock;
  readonly #eventsMax: number;
  readonly #listeners = new Set<(cause: StallCause) => void>();
  #watch: StallDetector | null = null;
  #events = 0;
  #windowStartMs = 0;

  /** `queueMax`: events that the kernel keeps; null: unknown. */
  constructor(clock: Clock, queueMax: number | null = null) {
    this.#clock = clock;
    this.#eventsMax = Math.min(eventsMaxDefault, (queueMax ?? Number.POSITIVE_INFINITY) / 2);
  }

  /**
   * An event of any watch of the thread: all of them share one queue of the kernel. What is in the queue is read at once, so all events
   * of a queue that overflowed are counted before the event of a later change arrives.
   */
  countEvent(): void {
    this.#events += 1;
    if (this.#events === Math.floor(this.#eventsMax)) this.#tell('flood');
  }

  /** `onLag` is called until what this returns is. */
  listen(onLag: (cause: StallCause) => void): () => void {
    // Each call is a listener of its own, also of one function.
    const listener = (cause: StallCause) => onLag(cause);
    this.#listeners.add(listener);
    if (this.#watch === null) {
      this.#watch = new StallDetector({
        clock: this.#clock,
        onLag: (cause) => this.#tell(cause),
        onLook: () => this.#endWindow(),
      });
      void this.#watch.run();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#watch?.stop();
      this.#watch = null;
    };
  }

  /** Only while the thread is served: during a stall the count continues. */
  #endWindow(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#windowStartMs < floodWindowMs) return;
    this.#windowStartMs = nowMs;
    this.#events = 0;
  }

  #tell(cause: StallCause): void {
    for (const listener of this.#listeners) listener(cause);
  }
}
