// Limits the bytes per second of one direction. Requests wait for their turn before they are sent, and after what they received.
import type { Clock } from '../../platform/clock.ts';

export class Bandwidth {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'delay'>;
  #bytesPerSecond: number | null = null;
  /** The time at which everything taken so far has passed. */
  #freeAtMs = 0;

  constructor(clock: Pick<Clock, 'monotonicMs' | 'delay'>) {
    this.#clock = clock;
  }

  /** null: no limit. */
  limitTo(bytesPerSecond: number | null): void {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** null: no limit. */
  get bytesPerSecond(): number | null {
    return this.#bytesPerSecond;
  }

  async take(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.#bytesPerSecond === null) return;
    const nowMs = this.#clock.monotonicMs();
    const startMs = Math.max(nowMs, this.#freeAtMs);
    this.#freeAtMs = startMs + (bytes / this.#bytesPerSecond) * 1000;
    if (startMs > nowMs) await this.#clock.delay(startMs - nowMs, signal);
  }
}
