// Detects that the thread or the machine was stopped for a while: the kernel's event queue may have overflowed without a report,
// or a disk may have changed (docs/sync-rules.md#6). It only reports.
import type { Clock } from '../../platform/clock.ts';

/** Each look wakes the thread, also at rest. So often only where a stall alone may have lost an event. */
const closeLookEveryMs = 200;
/** For the end of a sleep of the machine. */
const lookEveryMs = 2000;
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
  /** A thread that is not served for a moment may lose events. */
  readonly needsCloseLook: () => boolean;
}

export class StallDetector {
  readonly #parts: StallDetectorOptions;
  readonly #stopped = new AbortController();
  #countedMs: number;
  #stampedMs: number;

  constructor(parts: StallDetectorOptions) {
    this.#parts = parts;
    this.#countedMs = parts.clock.monotonicMs();
    this.#stampedMs = parts.clock.nowMs();
  }

  /** Looks until it is stopped. */
  async run(): Promise<void> {
    const { clock, onLag, needsCloseLook } = this.#parts;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const everyMs = needsCloseLook() ? closeLookEveryMs : lookEveryMs;
      const begunMs = clock.monotonicMs();
      await clock.delay(everyMs, signal);
      if (signal.aborted) return;
      // Some systems count the time asleep, and then it looks like a lag; the others show it as a leap of the wall clock.
      if (!this.look() && clock.monotonicMs() - begunMs > everyMs + lagMsMax) onLag('busy');
    }
  }

  /** Whether the machine was asleep since the last look; then it has been reported. */
  look(): boolean {
    const { clock, onLag } = this.#parts;
    const [countedMs, stampedMs] = [clock.monotonicMs(), clock.nowMs()];
    const leapMs = stampedMs - this.#stampedMs - (countedMs - this.#countedMs);
    this.#countedMs = countedMs;
    this.#stampedMs = stampedMs;
    if (leapMs <= asleepMs) return false;
    onLag('asleep');
    return true;
  }

  stop(): void {
    this.#stopped.abort();
  }
}

/** `busy`: the thread was not served for a while. `flood`: events were lost, or may have been. */
export type StallCause = 'busy' | 'asleep' | 'flood';

export interface StallListener {
  readonly onStall: (cause: StallCause) => void;
  /** The folder's watches may miss a change while the thread is busy. */
  readonly needsCloseLook: () => boolean;
}

/** One look-out for all folders of a thread: each one of its own would wake the thread more often. */
export class ThreadStallDetector {
  readonly #clock: Clock;
  readonly #eventsMax: number;
  readonly #listeners = new Set<StallListener>();
  #detector: StallDetector | null = null;
  #events = 0;

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
    if (this.#events === 1) void this.#endWindow();
    if (this.#events === Math.floor(this.#eventsMax)) this.#tell('flood');
  }

  /** The listener is called until what this returns is. */
  listen(listener: StallListener): () => void {
    this.#listeners.add(listener);
    if (this.#detector === null) {
      this.#detector = new StallDetector({
        clock: this.#clock,
        onLag: (cause) => this.#tell(cause),
        needsCloseLook: () => [...this.#listeners].some((each) => each.needsCloseLook()),
      });
      void this.#detector.run();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#detector?.stop();
      this.#detector = null;
    };
  }

  /** Reports at once that the machine was asleep since the last look. */
  look(): void {
    this.#detector?.look();
  }

  /** Only when the thread is served: during a stall the count continues. At rest nothing waits. */
  async #endWindow(): Promise<void> {
    await this.#clock.delay(floodWindowMs);
    this.#events = 0;
  }

  #tell(cause: StallCause): void {
    for (const { onStall } of this.#listeners) onStall(cause);
  }
}
