// Checks at intervals that the system still reports events (docs/sync-rules.md#6): touches the marker in the private folder and
// waits for its event. Some disks report none, and a watcher can stop without an error. It creates nothing.
import type { Clock } from '../../platform/clock.ts';

const checkEveryMs = 60_000;
/** An event takes milliseconds; this long means none. */
const eventWithinMs = 5000;
/** One that is late may be the machine's; two in a row are the watcher's. */
const missesMax = 2;

export interface WatcherSelfTestOptions {
  readonly clock: Clock;
  /** Makes a change that must cause an event. Throws when it cannot: then nothing is proved. */
  readonly touch: () => void;
  /** An event did not come: hints may have been lost. `silent`: there seem to be none at all. */
  readonly onMissed: (silent: boolean) => void;
  /** They come again after they were silent. */
  readonly onHeardAgain: () => void;
}

export class WatcherSelfTest {
  readonly #parts: WatcherSelfTestOptions;
  readonly #stopped = new AbortController();
  #heard = Promise.withResolvers<boolean>();
  #misses = 0;
  #hasHeard = false;

  constructor(parts: WatcherSelfTestOptions) {
    this.#parts = parts;
  }

  /** It was heard the last time, and none is waited for. */
  get isHealthy(): boolean {
    return this.#hasHeard && this.#misses === 0;
  }

  /** The event came. */
  heard(): void {
    this.#heard.resolve(true);
  }

  /** Checks until it is stopped. */
  async run(): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await this.#check();
      const again = this.#misses > 0 && this.#misses < missesMax;
      if (!again) await clock.delay(checkEveryMs, signal);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #check(): Promise<void> {
    const { clock, touch, onMissed, onHeardAgain } = this.#parts;
    const { signal } = this.#stopped;
    this.#heard = Promise.withResolvers();
    try {
      touch();
    } catch {
      // The folder is out of reach: its scans say so.
      return;
    }
    const timer = new AbortController();
    const tooLate = clock.delay(eventWithinMs, AbortSignal.any([signal, timer.signal])).then(() => false);
    const heard = await Promise.race([this.#heard.promise, tooLate]);
    timer.abort();
    if (signal.aborted) return;
    if (heard) {
      this.#hasHeard = true;
      if (this.#misses >= missesMax) onHeardAgain();
      this.#misses = 0;
      return;
    }
    this.#misses = Math.min(missesMax, this.#misses + 1);
    onMissed(this.#misses >= missesMax);
  }
}
