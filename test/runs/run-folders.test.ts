// The folders of runs below the data directory: which of them are removed. The mirrors of runs are tested in test/mirror and test/flow.
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RunMissingError } from '../../server/runs/run.ts';
import { RunFolders, type RunFoldersDeps } from '../../server/runs/run-folders.ts';
import type { RunStateNow } from '../../server/runs/service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const day = 24 * 3_600_000;
const nowMs = Date.UTC(2026, 10, 22);

function foldersOf(runs: Readonly<Record<string, { state: RunStateNow; endedDaysAgo?: number }>>) {
  const dataDir = tempFolder('mooring-run-folders');
  const at = (runId: string) => path.join(dataDir, 'runs/rw_1', runId);
  const make = (runId: string, usedDaysAgo: number) => {
    mkdirSync(path.join(at(runId), '.mooring'), { recursive: true });
    writeFileSync(path.join(at(runId), 'file'), 'text');
    const usedAt = new Date(nowMs - usedDaysAgo * day);
    for (const dir of [at(runId), path.join(at(runId), '.mooring')]) utimesSync(dir, usedAt, usedAt);
  };
  const current = async (_workspaceId: string, runId: string) => {
    const known = runs[runId];
    if (known === undefined) throw new RunMissingError('run not found');
    const endedAtMs = known.endedDaysAgo === undefined ? null : nowMs - known.endedDaysAgo * day;
    const run = { runId, forkId: 'fork_1', rootPath: '/', createdAtMs: nowMs - 40 * day, endedAtMs };
    return { run, state: known.state };
  };
  const refuse = () => Promise.reject(new Error('no mirror is asked for'));
  // The parts of a run and of the mirrors that are read here.
  const deps = {
    dataDir,
    runs: { current },
    mirrors: { add: refuse, ofForks: { view: () => null, settle: refuse } },
    clock: { nowMs: () => nowMs },
  } as unknown as RunFoldersDeps;
  return { folders: new RunFolders(deps), make, exists: (runId: string) => existsSync(at(runId)), dataDir };
}

test('the folder of an ended run is kept for 7 days, and that of an open one for ever', async () => {
  const { folders, make, exists } = foldersOf({
    run_open: { state: 'open' },
    run_recent: { state: 'discarded', endedDaysAgo: 6 },
    run_old: { state: 'committed', endedDaysAgo: 8 },
    run_expired: { state: 'expired' },
  });
  for (const runId of ['run_open', 'run_recent', 'run_old', 'run_expired', 'run_unknown']) make(runId, 20);
  make('run_unknown_in_use', 1);
  expect(await folders.sweep()).toBe(3);
  const left = ['run_open', 'run_recent', 'run_old', 'run_expired', 'run_unknown', 'run_unknown_in_use'];
  expect(left.filter(exists)).toEqual(['run_open', 'run_recent', 'run_unknown_in_use']);
});

test.each([
  ['symlink', true],
  ['refused', false],
  ['store_failed', false],
])('after a commit a folder with a problem of the kind %s is removed: %s', async (kind, isRemoved) => {
  const dataDir = tempFolder('mooring-run-folders');
  const dir = path.join(dataDir, 'runs/rw_1/run_1');
  mkdirSync(dir, { recursive: true });
  const run = { workspaceId: 'rw_1', runId: 'run_1', forkId: 'fork_1' };
  const mirror = { mirrorId: 'mir_1', problemGroups: [{ kind, count: 1 }] };
  const deps = {
    dataDir,
    runs: { current: async () => ({ run, state: 'committed' }) },
    mirrors: {
      remove: async () => null,
      ofForks: { view: () => mirror, settle: async () => ({ settled: true, mirror }) },
    },
  } as unknown as RunFoldersDeps;
  const { signal } = new AbortController();
  const folder = await new RunFolders(deps).beforeCommit('rw_1', 'run_1', { keepsFolder: false, signal });
  await folder.end();
  expect([folder.isSynced, existsSync(dir)]).toEqual([isRemoved, !isRemoved]);
});

test('without folders there is nothing to remove', async () => {
  expect(await foldersOf({}).folders.sweep()).toBe(0);
});

test('an ended run has no folder, and a folder with files is refused', async () => {
  const { folders, dataDir } = foldersOf({
    run_old: { state: 'committed', endedDaysAgo: 1 },
    run_open: { state: 'open' },
  });
  await expect(folders.open('rw_1', 'run_old', null)).rejects.toThrow('the run is committed');
  await expect(folders.get('rw_1', 'run_open')).rejects.toThrow('the run has no folder');
  const used = path.join(dataDir, 'used');
  mkdirSync(used);
  writeFileSync(path.join(used, 'file'), 'text');
  await expect(folders.open('rw_1', 'run_open', used)).rejects.toThrow('Choose an empty folder');
});
