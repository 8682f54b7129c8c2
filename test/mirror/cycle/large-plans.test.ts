// One rename or deletion in a file manager may be a hundred thousand differences. Whatever the plan of them takes, the API and the UI are answered
// meanwhile: no turn of the main thread takes more than 50 ms of a processor.
import { expect, it } from 'vitest';
import { allSteps } from '../../../server/core/paths/steps.ts';
import type { Plan } from '../../../server/core/sync/plan.ts';
import type { NameRules } from '../../../server/disk/port/folder.ts';
import { CyclePlanner } from '../../../server/mirror/cycle/cycle-planner.ts';
import type { FolderState } from '../../../server/mirror/cycle/folder-state.ts';
import { amountOf } from '../../../server/mirror/cycle/progress.ts';
import { DeletionGuard, type GuardVerdict } from '../../../server/mirror/guard/deletion-guard.ts';
import { fileBytesMaxDefault, planLimits, type SyncContext } from '../../../server/mirror/state/context.ts';
import { ProblemTable } from '../../../server/mirror/state/problems.ts';
import { baseRow, MirrorTrees } from '../../../server/mirror/state/trees.ts';
import { UnsyncableRules } from '../../../server/mirror/state/unsyncable.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import { stepsInSlices } from '../../../server/platform/event-loop.ts';
import { longestTurnMs } from '../../support/longest-turn.ts';

const filesOfDirectory = 20_000;
const turnMsMax = 50;

const foldingDisk: NameRules = {
  foldsCase: true,
  foldsUnicode: true,
  decomposes: false,
  windows: false,
  pathBytesMax: 4096,
  rootBytes: 10,
};

function file(n: number) {
  return {
    kind: 'file' as const,
    hash: n.toString(16).padStart(64, '0'),
    sizeBytes: 100,
    mtimeNs: String(1_700_000_000_000_000_000n + BigInt(n)),
    ctimeNs: String(1_700_000_000_000_000_000n + BigInt(n)),
    inode: String(n + 1),
    mode: 0o644,
    trusted: true,
  };
}

function pathIn(directory: string, n: number): string {
  return `/${directory}/d${Math.floor(n / 100)}/${n}.md`;
}

/** A mirror that is in sync, with all of its files below one directory. */
function mirror(files: number) {
  const trees = new MirrorTrees();
  trees.load(Array.from({ length: files }, (_, n) => baseRow(pathIn('old', n), file(n), 1)));
  const problems = new ProblemTable(systemClock);
  const context = { trees, mode: 'two-way', clock: systemClock, planned: planLimits, problems };
  const planner = new CyclePlanner({
    context: context as unknown as SyncContext,
    unsyncable: new UnsyncableRules(foldingDisk, trees, fileBytesMaxDefault, () => false),
    folderState: { unsettled: new Set<string>(), ignores: () => false } as unknown as FolderState,
  });
  const guard = new DeletionGuard(systemClock, trees, 1000);
  const check = (plan: Plan, halted: GuardVerdict['cause']) =>
    guard.check(
      plan,
      { tracked: trees.tracked, left: trees.localFiles, leaving: 0, unmarked: false },
      halted,
    );
  return { trees, planner, guard, check };
}

it('the plan of a renamed directory holds up nothing', async () => {
  const files = filesOfDirectory;
  const { trees, planner, check } = mirror(files);
  for (let n = 0; n < files; n += 1) trees.setLocal(pathIn('old', n), null);
  for (let n = 0; n < files; n += 1) trees.setLocal(pathIn('new', n), file(n));
  let actions = 0;
  const longest = await longestTurnMs(async () => {
    const { parts } = await planner.parts();
    expect(parts).toHaveLength(1);
    const plan = await planner.plan(parts[0] ?? expect.unreachable());
    await stepsInSlices(amountOf(plan, trees), systemClock);
    expect((await stepsInSlices(check(plan, null), systemClock)).cause).toBeNull();
    actions = plan.toWorkspace.flat().filter(({ kind }) => kind === 'move').length;
  });
  expect(actions).toBe(files);
  expect(longest).toBeLessThan(turnMsMax);
});

it('to hold a deletion back, to confirm it and to check it again holds up nothing', async () => {
  const files = filesOfDirectory;
  const { trees, planner, guard, check } = mirror(files);
  for (let n = 0; n < files; n += 1) trees.setLocal(pathIn('old', n), null);
  let held: GuardVerdict = { cause: null, pendingDeletions: [] };
  const longest = await longestTurnMs(async () => {
    const { parts } = await planner.parts();
    const plan = await planner.plan(parts[0] ?? expect.unreachable());
    held = await stepsInSlices(check(plan, null), systemClock);
    guard.confirm(held.pendingDeletions);
    expect((await stepsInSlices(check(plan, held.cause), systemClock)).cause).toBeNull();
    guard.recordApplied();
  });
  expect(held.cause).toBe('emptied');
  expect(held.pendingDeletions).toHaveLength(files);
  const paths = held.pendingDeletions.map(({ path }) => path);
  expect(paths).toEqual(paths.toSorted());
  expect(longest).toBeLessThan(turnMsMax);
});

it('who confirms others while a plan is checked has confirmed these', () => {
  const files = 100;
  const { trees, guard, check } = mirror(files);
  for (let n = 0; n < files; n += 1) trees.setLocal(pathIn('old', n), null);
  const paths = Array.from({ length: files }, (_, n) => pathIn('old', n));
  const plan: Plan = {
    toLocal: [],
    toWorkspace: paths.map((path, n) => [{ kind: 'delete' as const, path, expected: file(n).hash }]),
    toBase: [],
    conflicts: [],
    conflictCopies: [],
  };
  const { pendingDeletions } = allSteps(check(plan, null));
  guard.confirm(pendingDeletions.slice(0, 10));
  const checking = check(plan, 'emptied');
  for (let step = 0; step < files + 5; step += 1) checking.next();
  guard.confirm(pendingDeletions);
  expect(allSteps(checking).cause).toBe('emptied');
  expect(allSteps(check(plan, 'emptied')).cause).toBeNull();
});
