// Runs long work on the main thread in time slices, so that other requests are served between them.
import { setImmediate as afterPendingEvents } from 'node:timers/promises';

const sliceMs = 8;

/** Resolves after the pending events and timers. */
export async function yieldToEventLoop(): Promise<void> {
  await afterPendingEvents();
}

export class TimeSlices {
  #endsMs = performance.now() + sliceMs;

  /** Call between two steps: yields when the slice is over. */
  next(): Promise<void> | undefined {
    return performance.now() > this.#endsMs ? this.#rest() : undefined;
  }

  async #rest(): Promise<void> {
    await yieldToEventLoop();
    this.#endsMs = performance.now() + sliceMs;
  }
}

/** Runs steps to their end; yields between slices. */
export async function stepsInSlices<Result>(steps: Iterator<void, Result>): Promise<Result> {
  const slices = new TimeSlices();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const rest = slices.next();
    if (rest !== undefined) await rest;
  }
}
