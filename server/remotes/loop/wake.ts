// Lets one loop wait for a signal or a time, whichever comes first. A signal that arrives while the loop works is not lost.
import type { Clock } from '../../platform/clock.ts';

export class Wake {
  readonly #clock: Pick<Clock, 'delay'>;
  #isSet = false;
  #ring: (() => void) | null = null;

  constructor(clock: Pick<Clock, 'delay'>) {
    this.#clock = clock;
  }

  set(): void {
    this.#isSet = true;
    this.#ring?.();
  }

  /** `forMs`: null waits for the signal alone. true: a signal ended the wait. */
  async wait(forMs: number | null, signal: AbortSignal): Promise<boolean> {
    if (!this.#isSet && !signal.aborted) {
      const ended = new AbortController();
      const rung = new Promise<void>((resolve) => {
        this.#ring = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true, signal: ended.signal });
      });
      const late = forMs === null ? [] : [this.#clock.delay(forMs, ended.signal)];
      await Promise.race([rung, ...late]);
      ended.abort();
      this.#ring = null;
    }
    const wasSet = this.#isSet;
    this.#isSet = false;
    return wasSet || signal.aborted;
  }
}
