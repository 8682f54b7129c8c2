// Runs requests one after the other, in time slices so that none blocks its thread for long.
import { type DiskTime, errorCode } from '../port/file-system.ts';

/** The thread is given back after so long at the latest, so that hints are taken off the kernel's queue. */
const sliceMs = 15;

export class SerialQueue {
  readonly #time: DiskTime;
  readonly #breathe: () => Promise<void>;
  #queue: Promise<unknown> = Promise.resolve();

  /** `breathe` resolves when the thread has served what waits. */
  constructor(time: DiskTime, yieldToEventLoop: () => Promise<void>) {
    this.#time = time;
    this.#breathe = yieldToEventLoop;
  }

  enqueue<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(act);
    this.#queue = result.catch((error: unknown) => errorCode(error));
    return result;
  }

  /** Goes through the steps; a promise among them is waited for. */
  async runSliced<T>(
    steps: Generator<Promise<unknown> | undefined, T>,
    beforePause: () => void = () => undefined,
  ): Promise<T> {
    let sliceEndMs = this.#time.monotonicMs() + sliceMs;
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (step.value !== undefined) await step.value;
      if (this.#time.monotonicMs() < sliceEndMs) continue;
      beforePause();
      await this.#breathe();
      sliceEndMs = this.#time.monotonicMs() + sliceMs;
    }
  }
}
