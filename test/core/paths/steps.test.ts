import { expect, test } from 'vitest';
import { comparePaths } from '../../../server/core/paths/path.ts';
import { allSteps, sortInSteps } from '../../../server/core/paths/steps.ts';
import { stepsInSlices } from '../../../server/platform/event-loop.ts';

const paths = Array.from({ length: 100_000 }, (_, number) => ({
  path: `/dir${(number * 7919) % 1000}/sub${number % 37}/file-${(number * 104_729) % 50_021}.txt`,
  number,
}));
const compare = (left: { path: string }, right: { path: string }) => comparePaths(left.path, right.path);

test('a copy is sorted as at once, stable, and without holding the thread', async () => {
  const atOnce = paths.toSorted(compare);
  let turns = 0;
  let isSorting = true;
  const countTurns = (): void => {
    turns += 1;
    if (isSorting) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const sorted = await stepsInSlices(sortInSteps(paths, compare));
  isSorting = false;
  expect(sorted).toEqual(atOnce);
  expect(turns).toBeGreaterThan(2);
});

test('few items are sorted, too', () => {
  expect(allSteps(sortInSteps([], compare))).toEqual([]);
  expect(allSteps(sortInSteps([3, 1, 2], (left, right) => left - right))).toEqual([1, 2, 3]);
});
