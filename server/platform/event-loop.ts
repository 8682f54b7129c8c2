// Runs long work on the main thread in time slices, so that other requests are served between them.
import { setImmediate as afterPendingEvents } from 'node:timers/promises';

const sliceMs = 8;
/** Items that are sorted, or merged, between two looks at the time: about 2 ms of paths. */
const sortedAtOnce = 2_048;

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

/** A sorted copy, as by `items.toSorted(compare)`: stable. Few items are sorted without a pause. */
export async function sortedInSlices<Item>(
  items: readonly Item[],
  compare: (left: Item, right: Item) => number,
): Promise<readonly Item[]> {
  const slices = new TimeSlices();
  let runs: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += sortedAtOnce) {
    if (start > 0) await slices.next();
    runs.push(items.slice(start, start + sortedAtOnce).sort(compare));
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await mergedInSlices(runs[at] ?? [], runs[at + 1] ?? [], compare, slices));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedInSlices<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (left: Item, right: Item) => number,
  slices: TimeSlices,
): Promise<readonly Item[]> {
  if (right.length === 0) return left;
  const merged: Item[] = [];
  let [fromLeft, fromRight] = [0, 0];
  while (merged.length < left.length + right.length) {
    if (merged.length % sortedAtOnce === 0) await slices.next();
    const [a, b] = [left[fromLeft] as Item, right[fromRight] as Item];
    const takesLeft = fromRight === right.length || (fromLeft < left.length && compare(a, b) <= 0);
    merged.push(takesLeft ? a : b);
    if (takesLeft) fromLeft += 1;
    else fromRight += 1;
  }
  return merged;
}
