// Detects that the thread or the machine was stopped for a while: the kernel's event queue may have overflowed without a report,
// or a disk may have changed (docs/sync-rules.md#6). It only reports.
import type { Clock } from '../../platform/clock.ts';

const lookEveryMs = 100;
/** A thread that was busy this long may have lost hints. */
const lagMsMax = 250;
/** The clock that stamps files went on so far ahead of the one that counts: the machine was asleep. */
const asleepMs = 2000;

export interface StallDetectorOptions {
  readonly clock: Clock;
  readonly onLag: () => void;
}

export class StallDetector {
  readonly #parts: StallDetectorOptions;
  readonly #stopped = new AbortController();

  constructor(parts: StallDetectorOptions) {
    this.#parts = parts;
  }

  /** Looks until it is stopped. */
  async run(): Promise<void> {
    const { clock, onLag } = this.#parts;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const countedMs = clock.monotonicMs();
      const stampedMs = clock.nowMs();
      await clock.delay(lookEveryMs, signal);
      if (signal.aborted) return;
      const tookMs = clock.monotonicMs() - countedMs;
      // Some systems count the time asleep, and then it looks like a lag; the others show it as a leap of the wall clock.
      const wasBusy = tookMs > lookEveryMs + lagMsMax;
      const wasAsleep = clock.nowMs() - stampedMs - tookMs > asleepMs;
      if (wasBusy || wasAsleep) onLag();
    }
  }

  stop(): void {
    this.#stopped.abort();
  }
}

/** One look-out for all folders of a thread: each one of its own would wake the thread ten times a second. */
export class ThreadStallDetector {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #watch: StallDetector | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `onLag` is called until what this returns is. */
  listen(onLag: () => void): () => void {
    // Each call is a listener of its own, also of one function.
    const listener = () => onLag();
    this.#listeners.add(listener);
    if (this.#watch === null) {
      this.#watch = new StallDetector({ clock: this.#clock, onLag: () => this.#tell() });
      void this.#watch.run();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#watch?.stop();
      this.#watch = null;
    };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
