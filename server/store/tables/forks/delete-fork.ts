// Deletes a fork in bounded parts, so that no write waits long behind it. The rest after a crash in between is consistent:
// directories are deleted before the files that they count, files before the contents that they name.
import type { BlobRows } from '../../contents/blob-rows.ts';
import { bytesOf } from '../../database/rows.ts';
import type { WriteStatements } from '../../database/statements.ts';
import { holdingOf } from './rows.ts';

/** Rows that one part removes. */
const partRows = 500;
/** After that an expired fork is as unknown as one that never was. */
const expiredKnownMs = 30 * 24 * 60 * 60 * 1000;

/** A part of the next fork whose end has come; null: there is none. `removed` 0: nothing more of it goes. */
export function removeEndedFork(
  statements: WriteStatements,
  blobs: BlobRows,
  { nowMs, after }: { readonly nowMs: number; readonly after: number },
): { readonly fork: number; readonly removed: number } | null {
  const row = statements.get<{ number: number; forgotten: number }>(
    `SELECT number, ended_at IS NOT NULL OR expires_at <= ? AS forgotten FROM forks
       WHERE number > ? AND (ended_at IS NOT NULL OR expires_at <= ?) ORDER BY number LIMIT 1`,
    nowMs - expiredKnownMs,
    after,
    nowMs,
  );
  if (row === undefined) return null;
  const removed = removeFork(statements, blobs, row.number, { nowMs, whole: row.forgotten === 1 });
  return { fork: row.number, removed };
}

/** How many rows went; 0: there is nothing left. `whole`: the fork's own row goes, too. */
export function removeFork(
  statements: WriteStatements,
  blobs: BlobRows,
  fork: number,
  { nowMs, whole }: { readonly nowMs: number; readonly whole: boolean },
): number {
  const holding = holdingOf(fork);
  const { changes: directories } = statements.run(
    'DELETE FROM entries WHERE workspace = ? AND files IS NOT NULL',
    holding,
  );
  if (directories > 0) {
    statements.run('UPDATE forks SET emptied_at = ? WHERE number = ?', nowMs, fork);
    return directories;
  }
  for (const [table, key, column] of [
    ['entries', 'path', 'workspace'],
    ['labels', 'kind, name, value, path', 'workspace'],
    ['access_rules', 'path, is_marker', 'workspace'],
    ['identities', 'kind, key', 'workspace'],
    ['fork_paths', 'path', 'fork'],
  ] as const) {
    const { changes } = statements.run(
      `DELETE FROM ${table} WHERE ${column} = ? AND (${key}) IN
         (SELECT ${key} FROM ${table} WHERE ${column} = ? LIMIT ${partRows})`,
      column === 'fork' ? fork : holding,
      column === 'fork' ? fork : holding,
    );
    if (changes > 0) return changes;
  }
  const states = statements.all<{ revision: number; hash: string }>(
    `SELECT revision, lower(hex(hash)) AS hash FROM history WHERE workspace = ? LIMIT ${partRows}`,
    holding,
  );
  for (const { revision, hash } of states) {
    statements.run('DELETE FROM history WHERE workspace = ? AND revision = ?', holding, revision);
    if (hash !== '') blobs.release(bytesOf(hash));
  }
  if (states.length > 0 || !whole) return states.length;
  return statements.run('DELETE FROM forks WHERE number = ?', fork).changes;
}
