// Long loops over paths in time slices (platform/event-loop.ts), and the comparison of ignore rules with many paths: a thousand rules take a
// millisecond per path. The rules cache each result.
import type { IgnoreRules } from '../../disk/names/ignore.ts';
import { type SliceClock, TimeSlices } from '../../platform/event-loop.ts';

/** Yields between slices. */
export async function inSlices<Item>(
  items: Iterable<Item>,
  clock: SliceClock,
  each: (item: Item) => void,
): Promise<void> {
  const slices = new TimeSlices(clock);
  for (const item of items) {
    each(item);
    const rest = slices.next();
    if (rest !== undefined) await rest;
  }
}

export async function setInSlices<Item>(
  items: Iterable<Item>,
  clock: SliceClock,
): Promise<ReadonlySet<Item>> {
  const set = new Set<Item>();
  await inSlices(items, clock, (item) => set.add(item));
  return set;
}

export async function decideIgnored(
  rules: IgnoreRules,
  paths: Iterable<string>,
  clock: SliceClock,
): Promise<void> {
  if (rules.isEmpty) return;
  // As a list: the paths may change between two slices.
  await inSlices([...paths], clock, (path) => void rules.ignores(path));
}
