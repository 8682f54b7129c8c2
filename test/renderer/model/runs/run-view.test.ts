import { expect, it } from 'vitest';
import {
  canUndo,
  changeCount,
  runName,
  runRows,
  runState,
  undoText,
} from '../../../../renderer/model/runs/run-view.ts';
import type { Run, RunUndone } from '../../../../sdk/index.ts';

const commit = { batch: 'batch_1', at: '2026-01-01T00:00:00Z', writtenCount: 2, deletedCount: 1 };
const run = (fields: Partial<Run>): Run => ({
  runId: 'run_1',
  workspaceId: 'rw_1',
  forkId: 'fork_1',
  name: 'Tidy',
  path: '/',
  command: [],
  state: 'open',
  createdBy: 'agent-docs',
  createdAt: '2026-01-01T00:00:00Z',
  endedAt: null,
  expiresAt: null,
  writtenCount: 0,
  deletedCount: 0,
  bytes: 0,
  commits: [],
  ...fields,
});

it('a run is named by its name, its command, or who began it', () => {
  expect(runName(run({}))).toBe('Tidy');
  expect(runName(run({ name: '', command: ['sed', '-i', "s/a b/it's/", 'x.md'] }))).toBe(
    `sed -i 's/a b/it'\\''s/' x.md`,
  );
  expect(runName(run({ name: '' }))).toBe('Run of agent-docs');
});

it('runs to review come first, and groups without runs are omitted', () => {
  const rows = runRows([
    run({ runId: 'run_ended', state: 'committed', commits: [commit] }),
    run({ runId: 'run_new' }),
    run({ runId: 'run_changed', writtenCount: 1 }),
  ]);
  expect(rows.map((row) => (row.kind === 'heading' ? `${row.text} ${row.runs}` : row.id))).toEqual([
    'To review 1',
    'run_changed',
    'No changes yet 1',
    'run_new',
    'Ended 1',
    'run_ended',
  ]);
  expect(runRows([])).toEqual([]);
});

it('a commit in part shows in the state, and can be undone after the end', () => {
  const partly = run({ commits: [commit], writtenCount: 4 });
  expect([runState(partly), changeCount(partly), canUndo(partly)]).toEqual(['Partly committed', 4, false]);
  const ended = run({ state: 'discarded', commits: [commit] });
  expect([runState(ended), changeCount(ended), canUndo(ended)]).toEqual(['Partly committed', 3, true]);
  const discarded = run({ state: 'discarded' });
  expect([runState(discarded), canUndo(discarded)]).toEqual(['Discarded', false]);
  expect(canUndo(run({ state: 'undone', commits: [commit] }))).toBe(false);
});

it('says what an undo changes', () => {
  const undone = { createdCount: 1, updatedCount: 2, deletedCount: 0 } as RunUndone;
  expect(undoText(undone)).toBe('2 files reverted, 1 file restored');
  expect(undoText({ ...undone, createdCount: 0, updatedCount: 0 })).toBe('');
});
