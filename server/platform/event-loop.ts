// Runs long work on the main thread in time slices, so that other requests are served between them.
import { setImmediate as afterPendingEvents } from 'node:timers/promises';

const sliceMs = 8;

/** One that does not move, as in a simulation, has no slice end: the work is the same each time. */
export interface SliceClock {
  monotonicMs(): number;
}

const machineClock: SliceClock = { monotonicMs: () => performance.now() };

/** Resolves after the pending events and timers. */
export async function yieldToEventLoop(): Promise<void> {
  await afterPendingEvents();
}

export class TimeSlices {
  readonly #clock: SliceClock;
  #endsMs: number;

  constructor(clock = machineClock) {
    this.#clock = clock;
    this.#endsMs = clock.monotonicMs() + sliceMs;
  }

  /** Call between two steps: yields when the slice is over. */
  next(): Promise<void> | undefined {
    return this.#clock.monotonicMs() > this.#endsMs ? this.#rest() : undefined;
  }

  async #rest(): Promise<void> {
    await yieldToEventLoop();
    this.#endsMs = this.#clock.monotonicMs() + sliceMs;
  }
}

/** Runs steps to their end; yields between slices. */
export async function stepsInSlices<Result>(
  steps: Iterator<void, Result>,
  clock?: SliceClock,
): Promise<Result> {
  const slices = new TimeSlices(clock);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const rest = slices.next();
    if (rest !== undefined) await rest;
  }
}
