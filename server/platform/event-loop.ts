// Long work on the main thread, in slices: others get their turn between them.
import { setImmediate as untilNextTurn } from 'node:timers/promises';

/** Work goes on for this long before others get their turn. */
const turnMs = 8;

/** Others go first: what has come in, and what is due. */
export async function yieldToEventLoop(): Promise<void> {
  await untilNextTurn();
}

export class Turns {
  #endsMs = performance.now() + turnMs;

  /** To be called between two steps: lets others go first when it is their turn. */
  next(): Promise<void> | undefined {
    return performance.now() > this.#endsMs ? this.#rest() : undefined;
  }

  async #rest(): Promise<void> {
    await yieldToEventLoop();
    this.#endsMs = performance.now() + turnMs;
  }
}
