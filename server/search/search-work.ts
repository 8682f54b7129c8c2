// Time, files and bytes of one request, and its end when the caller is gone. A search works in slices, so that others run in between.
import { yieldToEventLoop } from '../platform/event-loop.ts';
import { bytesExaminedMax, filesExaminedMax, searchMsMax, sliceMs } from './limits.ts';

export class SearchWork {
  readonly #signal: AbortSignal;
  #sliceStartedAt = performance.now();
  #workedMs = 0;
  #files = 0;
  #bytes = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Time of the thread for this request so far. */
  get workedMs(): number {
    return this.#workedMs + performance.now() - this.#sliceStartedAt;
  }

  get isSliceOver(): boolean {
    return performance.now() - this.#sliceStartedAt >= sliceMs;
  }

  get isAtLimit(): boolean {
    return this.workedMs > searchMsMax || this.#files >= filesExaminedMax || this.#bytes >= bytesExaminedMax;
  }

  /** A file that the caller may read was read. */
  examined(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
  }

  /** Throws when the caller is gone. */
  async rest(): Promise<void> {
    this.#workedMs += performance.now() - this.#sliceStartedAt;
    await yieldToEventLoop();
    this.#signal.throwIfAborted();
    this.#sliceStartedAt = performance.now();
  }
}
