// Polls of many workspaces together are limited; those of few are as frequent as the query says.
import { expect, test } from 'vitest';
import { pollOfEachMs } from '../../renderer/api/changed-lists.ts';

test('few lists are polled as often as one, many share one poll per second', () => {
  expect([0, 1, 5].map((lists) => pollOfEachMs(lists, 5_000))).toEqual([5_000, 5_000, 5_000]);
  expect([6, 20, 100].map((lists) => pollOfEachMs(lists, 5_000))).toEqual([6_000, 20_000, 100_000]);
});
