import { expect, it } from 'vitest';
import type { SyncSession } from '../../../server/mirror/cycle/session.ts';
import { MirrorTrees } from '../../../server/mirror/state/trees.ts';
import type { LoopView } from '../../../server/mirror/status/loop-view.ts';
import { PathSummaries } from '../../../server/mirror/status/path-summary.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import { longestTurnMs } from '../../support/longest-turn.ts';

/** A mirror with so many files of the workspace that its folder lacks; every tenth has a name that the disk does not support. */
function mirrorOf(paths: number) {
  const trees = new MirrorTrees();
  for (let n = 0; n < paths; n += 1) trees.setWorkspace(pathOf(n), { hash: 'h', revision: 1, sizeBytes: 1 });
  const looked = { at: 0 };
  const session = {
    problemsVersion: '1',
    runningCycle: null as number | null,
    mode: 'two-way',
    trees,
    isLocalOnly: () => false,
    unsyncable: {
      prepare: () => Promise.resolve(),
      reason(path: string) {
        looked.at += 1;
        return path.endsWith('0') ? { kind: 'name', cause: 'no such name', proposal: null } : null;
      },
    },
    problems: { list: () => [] },
    folderState: { ruleFaults: [], undurable: new Set<string>(), ignores: () => false },
  };
  const loop = {
    row: { rootPath: '/' },
    session: session as unknown as SyncSession,
    conflicts: [],
    failure: null,
    retryAtMs: null,
    watchTrouble: null,
    proof: { alarm: null, unreadable: [] },
  };
  return { session, looked, loop: loop as unknown as LoopView };
}

function pathOf(n: number): string {
  return `/d${Math.floor(n / 100)}/${n}`;
}

it('a status looks at the paths of a session once for each change of the session, not for each question', async () => {
  const { loop, session, looked } = mirrorOf(2_000);
  const summaries = new PathSummaries(systemClock);
  const counts = await Promise.all(
    Array.from({ length: 50 }, async () => (await summaries.of(loop)).problems.count),
  );
  expect(new Set(counts)).toEqual(new Set([200]));
  expect(looked.at).toBe(2_000);
  session.trees.setWorkspace(pathOf(0), null);
  session.problemsVersion = '2';
  expect((await summaries.of(loop)).problems.count).toBe(199);
  expect(looked.at).toBe(3_999);
});

it('who asks while a summary is built gets one that knows what changed before the question', async () => {
  const { loop, session } = mirrorOf(20_000);
  const summaries = new PathSummaries(systemClock);
  const before = summaries.of(loop);
  await new Promise((resolve) => setImmediate(resolve));
  session.trees.setWorkspace('/new0', { hash: 'h', revision: 1, sizeBytes: 1 });
  session.problemsVersion = '2';
  const after = await Promise.all([summaries.of(loop), summaries.of(loop)]);
  expect(after.map(({ problems }) => problems.count)).toEqual([2_001, 2_001]);
  await before;
});

it('a hundred thousand paths hold up nothing, and are not looked at all the time while a cycle changes them', async () => {
  const { loop, session, looked } = mirrorOf(100_000);
  let nowMs = 0;
  const summaries = new PathSummaries({
    monotonicMs: () => (nowMs === 0 ? systemClock.monotonicMs() : nowMs),
  });
  const longest = await longestTurnMs(async () => void (await summaries.of(loop)));
  expect(longest).toBeLessThan(50);
  expect(looked.at).toBe(100_000);
  const ask = async (cycle: number | null, version: string) => {
    session.runningCycle = cycle;
    session.problemsVersion = version;
    const before = looked.at;
    await summaries.of(loop);
    return looked.at - before;
  };
  expect(await ask(1, '2'), 'a cycle has begun').toBe(100_000);
  nowMs = systemClock.monotonicMs();
  expect(await ask(1, '3'), 'right after').toBe(0);
  expect(await ask(2, '4'), 'in the next cycle').toBe(100_000);
  expect(await ask(null, '5'), 'after the cycle').toBe(100_000);
});
