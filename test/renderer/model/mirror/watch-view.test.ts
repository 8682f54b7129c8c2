import { expect, it } from 'vitest';
import { watchView } from '../../../../renderer/model/mirror/watch-view.ts';
import type { Mirror } from '../../../../server/contract/workspaces.ts';

type Watching = Pick<Mirror, 'state' | 'watch'>;

const idle: Watching = { state: 'idle', watch: 'events' };
const polled: Watching = { state: 'syncing', watch: 'polling' };
const paused: Watching = { state: 'paused', watch: 'events' };
const halted: Watching = { state: 'halted', watch: 'events' };
const unreachable: Watching = { state: 'error', watch: 'events' };

it.each<[readonly Watching[], string]>([
  [[], 'waiting: No folders'],
  [[idle], 'ok: Watching 1 folder'],
  [[idle, idle], 'ok: Watching 2 folders'],
  [[polled], 'warn: Polling 1 folder'],
  [[polled, idle], 'warn: Polling 1 of 2 folders'],
  [[idle, paused], 'paused: Watching 1 of 2 folders'],
  [[paused], 'paused: Watching 0 of 1 folder'],
  [[idle, paused, halted], 'warn: Watching 1 of 3 folders'],
  [[unreachable, polled], 'warn: Watching 1 of 2 folders'],
])('%j', (mirrors, expected) => {
  const { kind, word } = watchView(mirrors, false);
  expect(`${kind}: ${word}`).toBe(expected);
});

it('is unknown while the agent does not respond', () => {
  expect(watchView([idle], true)).toEqual({ kind: 'offline', word: 'Watching unknown' });
});
