import { expect, it } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import type { RemoteContext } from '../../server/remotes/state/context.ts';
import { loadSlice } from '../../server/remotes/state/slice.ts';
import { longestTurnMs } from '../support/longest-turn.ts';

const readMs = 0.2;

/** The reads of an agent take a fraction of a millisecond each, and wait for nothing. */
function read<Result>(result: Result): Promise<Result> {
  const endMs = performance.now() + readMs;
  while (performance.now() < endMs);
  return Promise.resolve(result);
}

it('a thousand paths are read without holding anything up', async () => {
  const file = { type: 'file', hash: 'h' };
  const context = {
    clock: systemClock,
    row: { workspaceId: 'w', remoteId: 'r' },
    workspaces: { getEntry: () => read(file) },
    store: { remotes: { baseOf: () => read([]), basePathsBelow: () => read([]) } },
    differences: { holdsBelow: () => false, isGone: () => false, fileAt: () => null },
  };
  const paths = Array.from({ length: 1000 }, (_, n) => `/d/${n}`);
  let found = 0;
  const longest = await longestTurnMs(async () => {
    const slice = await loadSlice(context as unknown as RemoteContext, paths);
    found = paths.filter((path) => slice.localAt(path) !== null).length;
  });
  expect(found).toBe(1000);
  expect(longest).toBeLessThan(50);
});
