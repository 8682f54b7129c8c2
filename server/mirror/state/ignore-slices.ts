// Compares ignore rules with many paths in time slices: a thousand rules take a millisecond per path. The rules cache each result.
import type { IgnoreRules } from '../../disk/names/ignore.ts';
import type { Clock } from '../../platform/clock.ts';

/** Milliseconds of one slice; between two of them everything else runs. */
const sliceMs = 10;

/** Yields between slices, by the clock that is given. */
export async function inSlices<Item>(
  items: Iterable<Item>,
  clock: Pick<Clock, 'monotonicMs'>,
  each: (item: Item) => void,
): Promise<void> {
  let startMs = clock.monotonicMs();
  for (const item of items) {
    each(item);
    if (clock.monotonicMs() - startMs < sliceMs) continue;
    await nextTurn();
    startMs = clock.monotonicMs();
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
