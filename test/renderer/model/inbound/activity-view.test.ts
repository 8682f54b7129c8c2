import { expect, it } from 'vitest';
import { around } from '../../../../renderer/model/inbound/activity-view.ts';

it.each([
  ['in the middle', 5, ['d', 'e', 'f', 'g']],
  ['at the beginning', 1, ['a', 'b', 'c', 'd']],
  ['at the end', 9, ['g', 'h', 'i', 'j']],
  ['that does not exist', -1, ['a', 'b', 'c', 'd']],
])('of a long list the items around one %s are shown', (_where, index, shown) => {
  expect(around([...'abcdefghij'], index, 4)).toEqual(shown);
  expect(around(['a', 'b'], index, 4)).toEqual(['a', 'b']);
});
