// Runs long work on the main thread in time slices, so that other requests are served between them.
import { setImmediate as afterPendingEvents } from 'node:timers/promises';

const sliceMs = 8;

/** Resolves after the pending events and timers. */
export async function yieldToEventLoop(): Promise<void> {
  await afterPendingEvents();
}

export class TimeSlices {
  readonly #nowMs: () => number;
  #endsMs: number;

  /** `nowMs`: of a clock that may be another one than the machine's. */
  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#endsMs = nowMs() + sliceMs;
  }

  /** Call between two steps: yields when the slice is over. */
  next(): Promise<void> | undefined {
    return this.#nowMs() > this.#endsMs ? this.#rest() : undefined;
  }

  async #rest(): Promise<void> {
    await yieldToEventLoop();
    this.#endsMs = this.#nowMs() + sliceMs;
  }
}

/** Runs steps to their end; yields between slices. */
export async function stepsInSlices<Result>(
  steps: Iterator<void, Result>,
  nowMs?: () => number,
): Promise<Result> {
  const slices = new TimeSlices(nowMs);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const rest = slices.next();
    if (rest !== undefined) await rest;
  }
}
