// Long loops in time slices, between which everything else runs, and the comparison of ignore rules with many paths: a thousand rules take a
// millisecond per path. The rules cache each result.
import type { IgnoreRules } from '../../disk/names/ignore.ts';
import type { Clock } from '../../platform/clock.ts';

/** Milliseconds of one slice; between two of them everything else runs. */
const sliceMs = 10;

/** The time of a long loop, by the clock that is given. */
export class Slices {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #startMs: number;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
    this.#startMs = clock.monotonicMs();
  }

  /** Call between two steps: yields when the slice is over. */
  next(): Promise<void> | undefined {
    return this.#clock.monotonicMs() - this.#startMs < sliceMs ? undefined : this.#rest();
  }

  async #rest(): Promise<void> {
    await nextTurn();
    this.#startMs = this.#clock.monotonicMs();
  }
}

/** Yields between slices. */
export async function inSlices<Item>(
  items: Iterable<Item>,
  clock: Pick<Clock, 'monotonicMs'>,
  each: (item: Item) => void,
): Promise<void> {
  const slices = new Slices(clock);
  for (const item of items) {
    each(item);
    const rest = slices.next();
    if (rest !== undefined) await rest;
  }
}

/** Runs steps to their end; yields between slices. */
export async function inSteps<Result>(
  steps: Iterator<void, Result>,
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<Result> {
  const slices = new Slices(clock);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const rest = slices.next();
    if (rest !== undefined) await rest;
  }
}

export async function decideIgnored(
  rules: IgnoreRules,
  paths: Iterable<string>,
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<void> {
  if (rules.isEmpty) return;
  // As a list: the paths may change between two slices.
  await inSlices([...paths], clock, (path) => void rules.ignores(path));
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
