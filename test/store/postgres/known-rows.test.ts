// Rows that the writer of a hub knows without asking: what its own statements leave of them.
import { expect, test } from 'vitest';
import { selectEntry } from '../../../server/store/database/rows.ts';
import { KnownRows } from '../../../server/store/postgres/known-rows.ts';
import { insertFile, updateFile } from '../../../server/store/tables/change/write-decision.ts';
import { insertOperation, supersedeOperation } from '../../../server/store/tables/change/write-log.ts';
import { deleteEntry, storeDirectory } from '../../../server/store/tables/files/directories.ts';
import { selectOpenOperation } from '../../../server/store/tables/files/provenance.ts';
import { deleteStaged, selectStaged, storeStaged } from '../../../server/store/tables/forks/rows.ts';
import { selectWaitingOperation } from '../../../server/store/tables/outbound/pending-operations.ts';

const workspace = 1;
const file = [5, 7, Buffer.from('ab', 'hex'), 3, 'text/plain', 0, null, '{}'];
const fileRow = {
  path: '/notes/a.md',
  files: null,
  updated_at: 5,
  revision: 7,
  hash: 'ab',
  size: 3,
  content_type: 'text/plain',
  base64: 0,
  provider_object_id: null,
  semantics: '{}',
};

/** One path without an entry and without operations, in a workspace with these providers. */
function known(providers: readonly string[], waiting: number | null = null): KnownRows {
  const rows = new KnownRows();
  const path = { wanted_path: '/notes/a.md', number: workspace, path: null };
  rows.set('paths', [{ ...path, is_open: waiting === null ? null : 1, waiting }]);
  const about = { number: workspace, has_acl_files: 0, has_subscriptions: 0 };
  rows.set('workspaces', [{ wanted_id: 'rw_1', ...about, providers: JSON.stringify(providers) }]);
  return rows;
}

const entry = (rows: KnownRows) => rows.answer(selectEntry, [workspace, '/notes/a.md']);
const waiting = (rows: KnownRows) => rows.answer(selectWaitingOperation, [workspace, '/notes/a.md']);
const operation = (number: number, provider: string, status: number) => [
  workspace,
  number,
  '/notes/a.md',
  7,
  1,
  provider,
  status,
];

test('a file is known after it was inserted, updated and deleted', () => {
  const rows = known([]);
  expect(entry(rows)).toEqual({ row: undefined });
  rows.written(insertFile, [workspace, '/notes/a.md', ...file, null]);
  expect(entry(rows)).toEqual({ row: fileRow });
  rows.written(updateFile, [6, 8, ...file.slice(2), workspace, '/notes/a.md']);
  expect(entry(rows)).toEqual({ row: { ...fileRow, updated_at: 6, revision: 8 } });
  rows.written(deleteEntry, [workspace, '/notes/a.md']);
  expect(entry(rows)).toEqual({ row: undefined });
  rows.written(storeDirectory, [workspace, '/notes/a.md', 2, 5, null]);
  expect(entry(rows)).toMatchObject({ row: { files: 2, hash: '', revision: null } });
});

test('what is staged in a fork is known after it was stored, replaced and deleted, and unknown after any other statement', () => {
  const fork = 3;
  const rows = new KnownRows();
  const staged = () => rows.answer(selectStaged, [fork, '/notes/a.md']);
  expect(staged()).toBeNull();
  rows.set('staged', [{ wanted_path: '/notes/a.md', fork, path: null, kind: null, made_on: null }]);
  rows.set('numbered', [{ ...fileRow, wanted_path: '/notes/a.md', number: -fork }]);
  expect(staged()).toEqual({ row: undefined });
  expect(rows.answer(selectEntry, [-fork, '/notes/a.md'])).toEqual({ row: fileRow });
  expect(rows.answer(selectEntry, [workspace, '/notes/a.md'])).toBeNull();
  rows.written(storeStaged, [fork, '/notes/a.md', 1, 7]);
  expect(staged()).toEqual({ row: { path: '/notes/a.md', kind: 1, made_on: 7 } });
  rows.written(storeStaged, [fork, '/notes/a.md', 2, 9]);
  expect(staged()).toEqual({ row: { path: '/notes/a.md', kind: 2, made_on: 9 } });
  rows.written(deleteStaged, [fork, '/notes/a.md']);
  expect(staged()).toEqual({ row: undefined });
  rows.written('UPDATE fork_paths SET made_on = ? WHERE fork = ? AND path = ?', [9, fork, '/notes/a.md']);
  expect(staged()).toBeNull();
});

test('texts are known as they are stored; a path that is no Unicode makes entries unknown', () => {
  const rows = known([]);
  rows.written(updateFile, [...file.slice(0, 4), 'text/\ud800', ...file.slice(5), workspace, '/notes/a.md']);
  expect(entry(rows)).toMatchObject({ row: { content_type: 'text/\ufffd' } });
  rows.written(updateFile, [...file, workspace, '/notes/\ud800']);
  expect(entry(rows)).toBeNull();
});

test('an operation waits only for a registered provider', () => {
  const rows = known(['notes']);
  expect(waiting(rows)).toEqual({ row: undefined });
  rows.written(insertOperation, operation(3, 'others', 1));
  expect(waiting(rows)).toEqual({ row: undefined });
  rows.written(insertOperation, operation(4, 'notes', 3));
  expect(waiting(rows)).toEqual({ row: undefined });
  rows.written(insertOperation, operation(5, 'notes', 1));
  expect(waiting(rows)).toEqual({ row: { number: 5 } });
  expect(rows.answer(selectOpenOperation, [workspace, '/notes/a.md'])).toEqual({ row: { known: 1 } });
});

test('a superseded operation leaves what waits unknown, unless a newer one waits', () => {
  const older = known(['notes'], 3);
  expect(waiting(older)).toEqual({ row: { number: 3 } });
  older.written(supersedeOperation, [9, 5, workspace, 3]);
  expect(waiting(older)).toBeNull();

  const newer = known(['notes'], 3);
  newer.written(insertOperation, operation(4, 'notes', 1));
  newer.written(supersedeOperation, [4, 5, workspace, 3]);
  expect(waiting(newer)).toEqual({ row: { number: 4 } });
});

test('other statements about operations or providers make unknown what waits', () => {
  const rows = known(['notes'], 3);
  rows.written('UPDATE operations SET status = ? WHERE number = ?', [2, 3]);
  expect(waiting(rows)).toBeNull();

  const providers = known(['notes'], 3);
  providers.written('DELETE FROM providers WHERE workspace = ? AND name = ?', [workspace, 'notes']);
  expect(waiting(providers)).toBeNull();
});
