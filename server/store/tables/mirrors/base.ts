// The base of a mirror: the state that folder and workspace last had in common. Written in the transaction of the change that it
// follows from, so that no crash separates them.
import type { BaseUpdate, ChangeResult } from '../../../core/change/change.ts';
import { bytesOf, hexHash, hexText } from '../../database/rows.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { BaseRow } from '../../port/store.ts';

interface BaseColumns {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly mtime_ns: string;
  readonly ctime_ns: string;
  readonly inode: string;
  readonly mode: number;
  readonly revision: number;
  readonly trusted: number;
}

/** A page of the base in the order of paths. */
export function loadBasePage(
  statements: ReadStatements,
  mirrorId: string,
  afterPath: string,
  limit: number,
): readonly BaseRow[] {
  return statements
    .all<BaseColumns>(
      `SELECT path, ${hexHash}, size, mtime_ns, ctime_ns, inode, mode, revision, trusted FROM mirror_base
         WHERE mirror_id = ? AND path > ? ORDER BY path LIMIT ?`,
      mirrorId,
      afterPath,
      limit,
    )
    .map((row) => ({
      path: row.path,
      hash: hexText(row.hash),
      sizeBytes: row.size,
      mtimeNs: row.mtime_ns,
      ctimeNs: row.ctime_ns,
      inode: row.inode,
      mode: row.mode,
      revision: row.revision,
      trusted: row.trusted === 1,
    }));
}

/** How many files a folder and its workspace agree on. */
export function countBase(statements: ReadStatements, mirrorId: string): number {
  const [row] = statements.all<{ files: number }>(
    'SELECT count(*) AS files FROM mirror_base WHERE mirror_id = ?',
    mirrorId,
  );
  return row?.files ?? 0;
}

/** Records the base entries of these changes, in the same transaction. Does nothing for a mirror that was removed meanwhile. */
export function saveBaseEntry(
  statements: WriteStatements,
  { mirrorId, steps }: BaseUpdate,
  results: readonly ChangeResult[],
): void {
  if (statements.get('SELECT 1 FROM mirrors WHERE mirror_id = ?', mirrorId) === undefined) return;
  const upserts: BaseRow[] = [];
  const removals: string[] = [];
  for (const [index, { gone, file }] of steps.entries()) {
    const result = results[index];
    if (result?.ok !== true) continue;
    if (gone !== null) removals.push(gone);
    if (file !== null) upserts.push({ ...file, revision: result.revision });
  }
  saveBase(statements, mirrorId, upserts, removals);
}

/** Saves some base entries and deletes others. */
export function saveBase(
  statements: WriteStatements,
  mirrorId: string,
  upserts: readonly BaseRow[],
  removals: readonly string[],
): void {
  for (const path of removals) {
    statements.run('DELETE FROM mirror_base WHERE mirror_id = ? AND path = ?', mirrorId, path);
  }
  for (const row of upserts) {
    statements.run(
      `INSERT OR REPLACE INTO mirror_base (mirror_id, path, hash, size, mtime_ns, ctime_ns, inode, mode, revision,
         trusted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      mirrorId,
      row.path,
      bytesOf(row.hash),
      row.sizeBytes,
      row.mtimeNs,
      row.ctimeNs,
      row.inode,
      row.mode,
      row.revision,
      row.trusted ? 1 : 0,
    );
  }
}

export function clearBase(statements: WriteStatements, mirrorId: string): void {
  statements.run('DELETE FROM mirror_base WHERE mirror_id = ?', mirrorId);
}
