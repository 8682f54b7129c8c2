// Rows of a group that wait and are sent as one statement a table: their order, and what sends them earlier.
import { expect, test } from 'vitest';
import { insertBlob } from '../../../server/store/contents/blob-rows.ts';
import { InsertBatches } from '../../../server/store/postgres/insert-batches.ts';
import { insertFile, updateFile } from '../../../server/store/tables/change/write-decision.ts';
import { storeDirectory } from '../../../server/store/tables/files/directories.ts';

const insertEvent = 'INSERT INTO events (workspace, seq, origin) VALUES (?, ?, 3)';

function blob(name: string): readonly unknown[] {
  return [Buffer.from(name), 1, Buffer.from(name)];
}

test('rows of one table are sent as one statement, an array a column, in the order in which they came', () => {
  const batches = new InsertBatches();
  expect(batches.add(insertEvent, [1, 7])).toBe(true);
  expect(batches.add(insertEvent, [2, 8])).toBe(true);
  const [sent, ...more] = batches.take(null);
  expect(more).toEqual([]);
  expect(sent?.values).toEqual([
    [1, 2],
    [7, 8],
  ]);
  expect(sent?.sql).toMatch(
    /SELECT row\.workspace, row\.seq, 3\s+FROM unnest\(CAST\(\? AS \w+\[\]\), CAST\(\? AS \w+\[\]\)\)/,
  );
  expect(batches.take(null)).toEqual([]);
});

test('one row alone is sent by its own statement', () => {
  const batches = new InsertBatches();
  batches.add(insertEvent, [1, 7]);
  expect(batches.take(null)).toEqual([{ sql: insertEvent, values: [1, 7] }]);
});

test('a statement that names a table sends the rows of that table first, and no others', () => {
  const batches = new InsertBatches();
  batches.add(insertEvent, [1, 7]);
  batches.add(insertBlob, blob('a'));
  expect(batches.take('SELECT 1 FROM workspaces')).toEqual([]);
  expect(batches.take('DELETE FROM events WHERE seq < ?').map(({ sql }) => sql)).toEqual([insertEvent]);
  expect(batches.take('DELETE FROM events WHERE seq < ?')).toEqual([]);
  expect(batches.take(null).map(({ sql }) => sql)).toEqual([insertBlob]);
});

test('a content that a group names several times is one row with that number of references', () => {
  const batches = new InsertBatches();
  for (const name of ['a', 'b', 'a', 'a']) batches.add(insertBlob, blob(name));
  const [sent] = batches.take(null);
  const [hashes, sizes, refs] = sent?.values ?? [];
  expect(hashes).toEqual([Buffer.from('a'), Buffer.from('b')]);
  expect(sizes).toEqual([1, 1]);
  expect(refs).toEqual([3, 1]);
});

test('what is no insert of plain values into a table that only grows does not wait', () => {
  const batches = new InsertBatches();
  expect(batches.add('UPDATE events SET origin = ? WHERE seq = ?', [1, 2])).toBe(false);
  expect(batches.add('INSERT INTO events (workspace, seq) VALUES (?, lower(?))', [1, 2])).toBe(false);
  expect(batches.add(`${insertEvent} ON CONFLICT DO NOTHING`, [1, 2])).toBe(false);
  expect(batches.add('INSERT INTO workspaces (id) VALUES (?)', ['w'])).toBe(false);
  expect(batches.take(null)).toEqual([]);
});

test('many rows or bytes ask to be sent before the end of the group', () => {
  const rows = new InsertBatches();
  for (let seq = 0; seq < 1_999; seq++) rows.add(insertEvent, [1, seq]);
  expect(rows.isFull).toBe(false);
  rows.add(insertEvent, [1, 1_999]);
  expect(rows.isFull).toBe(true);

  const bytes = new InsertBatches();
  bytes.add(insertBlob, [Buffer.from('a'), 4, Buffer.alloc(4 * 1024 * 1024)]);
  expect(bytes.isFull).toBe(true);
  bytes.clear();
  expect(bytes.isFull).toBe(false);
});

const updateOf = (path: string, revision: number) => [
  revision,
  revision,
  null,
  1,
  '',
  0,
  null,
  '{}',
  1,
  path,
];
const insertOf = (path: string, revision: number) => [
  1,
  path,
  ...updateOf(path, revision).slice(0, -2),
  null,
];

test('of several writes of one row the last is sent, found by its key', () => {
  const batches = new InsertBatches();
  expect(batches.add(updateFile, updateOf('/a', 1))).toBe(true);
  expect(batches.add(updateFile, updateOf('/b', 2))).toBe(true);
  expect(batches.add(updateFile, updateOf('/a', 3))).toBe(true);
  const [sent, ...more] = batches.take(null);
  expect(more).toEqual([]);
  expect(sent?.sql).toMatch(
    /ON CONFLICT \(workspace, path\) DO UPDATE SET updated_at = excluded\.updated_at/,
  );
  expect(sent?.values.at(0)).toEqual([3, 2]);
  expect(sent?.values.at(-1)).toEqual(['/a', '/b']);
});

test('paths that are stored alike are one row', () => {
  const batches = new InsertBatches();
  for (const path of ['/\ud800', '/\ud801']) batches.add(updateFile, updateOf(path, 1));
  expect(batches.take(null)).toHaveLength(1);
});

test('statements of two kinds wait side by side for different rows, and one after the other for the same', () => {
  const batches = new InsertBatches();
  expect(batches.add(insertFile, insertOf('/a', 1))).toBe(true);
  expect(batches.add(updateFile, updateOf('/b', 2))).toBe(true);
  expect(batches.add(updateFile, updateOf('/a', 3))).toBe(false);
  expect(batches.add(storeDirectory, [1, '/b', 1, 1, null])).toBe(false);
  expect(batches.add(storeDirectory, [1, '/', 1, 1, null])).toBe(true);
  // A second file of the same path has to fail.
  expect(batches.add(insertFile, insertOf('/a', 4))).toBe(false);
  expect(batches.take('DELETE FROM entries WHERE path = ?')).toHaveLength(3);
});
