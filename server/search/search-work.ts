// The work of one request: files and bytes that are read, and its end when they are too many, or when the caller is gone. It is counted and not
// timed, so that an answer does not become shorter on a busy machine. A search works in slices, so that others run in between.
import { yieldToEventLoop } from '../platform/event-loop.ts';
import { bytesExaminedMax, fileCostBytes, filesExaminedMax, processorMsMax, sliceMs } from './limits.ts';

export class SearchWork {
  readonly #signal: AbortSignal;
  #sliceStartedAt = performance.now();
  #processorAtSliceMs = threadMs();
  #processorMs = 0;
  #files = 0;
  #bytes = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Bytes that were read so far, with what each file costs in addition. */
  get cost(): number {
    return this.#bytes + this.#files * fileCostBytes;
  }

  get isSliceOver(): boolean {
    return performance.now() - this.#sliceStartedAt >= sliceMs;
  }

  get isAtLimit(): boolean {
    return (
      this.#files >= filesExaminedMax ||
      this.#bytes >= bytesExaminedMax ||
      this.#processorMs + threadMs() - this.#processorAtSliceMs > processorMsMax
    );
  }

  /** So much of the slice was no work: the thread waited for the store. */
  waited(ms: number): void {
    this.#sliceStartedAt += ms;
  }

  /** A file that the caller may read was read. */
  examined(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
  }

  /** Throws when the caller is gone. */
  async rest(): Promise<void> {
    this.#processorMs += threadMs() - this.#processorAtSliceMs;
    await yieldToEventLoop();
    this.#signal.throwIfAborted();
    this.#sliceStartedAt = performance.now();
    this.#processorAtSliceMs = threadMs();
  }
}

/** Of the processor, for this thread. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
