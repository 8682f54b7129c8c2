// The base of a remote: the state that a workspace and the remote workspace last had in common, and the sent changes whose answer is
// not known. Written in the transaction of the change that it follows from, so that no crash separates them.
import type { ChangeResult } from '../../../core/change/change.ts';
import { bytesOf, hexHash, hexOf, hexText } from '../../database/rows.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type {
  RemoteBaseRow,
  RemoteBaseUpdate,
  RemoteConflictRow,
  RemoteSentRow,
  SaveRemoteBase,
} from '../../port/store.ts';

interface BaseColumns {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly revision: number;
  readonly remote_revision: string;
  readonly metadata: string;
}

const columns = `path, ${hexHash}, size, revision, remote_revision, metadata`;

/** A page of the base in the order of paths. */
export function listRemoteBase(
  statements: ReadStatements,
  remoteId: string,
  afterPath: string,
  limit: number,
): readonly RemoteBaseRow[] {
  return statements
    .all<BaseColumns>(
      `SELECT ${columns} FROM remote_base WHERE remote_id = ? AND path > ? ORDER BY path LIMIT ?`,
      remoteId,
      afterPath,
      limit,
    )
    .map(baseOf);
}

/** Of the form `rev_<n>`, so that the longer one is the newer one. */
export function newestRemoteRevision(statements: ReadStatements, remoteId: string): string | null {
  const row = statements.get<{ remote_revision: string }>(
    `SELECT remote_revision FROM remote_base WHERE remote_id = ?
       ORDER BY length(remote_revision) DESC, remote_revision DESC LIMIT 1`,
    remoteId,
  );
  return row?.remote_revision ?? null;
}

export function remoteBaseOf(
  statements: ReadStatements,
  remoteId: string,
  paths: readonly string[],
): readonly RemoteBaseRow[] {
  return paths.flatMap((path) => {
    const row = statements.get<BaseColumns>(
      `SELECT ${columns} FROM remote_base WHERE remote_id = ? AND path = ?`,
      remoteId,
      path,
    );
    return row === undefined ? [] : [baseOf(row)];
  });
}

export function remoteBasePathsBelow(
  statements: ReadStatements,
  remoteId: string,
  directory: string,
  afterPath: string,
  limit: number,
): readonly string[] {
  const prefix = directory === '/' ? '/' : `${directory}/`;
  return statements
    .all<{ path: string }>(
      // The character after `/` ends the descendants.
      'SELECT path FROM remote_base WHERE remote_id = ? AND path > ? AND path < ? ORDER BY path LIMIT ?',
      remoteId,
      afterPath > prefix ? afterPath : prefix,
      `${prefix.slice(0, -1)}0`,
      limit,
    )
    .map(({ path }) => path);
}

export function countRemoteBase(statements: ReadStatements, remoteId: string): number {
  const row = statements.get<{ files: number }>(
    'SELECT count(*) AS files FROM remote_base WHERE remote_id = ?',
    remoteId,
  );
  return row?.files ?? 0;
}

export function listRemoteSent(statements: ReadStatements, remoteId: string): readonly RemoteSentRow[] {
  return statements
    .all<Omit<RemoteSentRow, 'hash'> & { readonly hash: Buffer | null }>(
      `SELECT path, hash, size AS sizeBytes, revision, content_type AS contentType, encoding, metadata, expected, at AS atMs
         FROM remote_sent WHERE remote_id = ? ORDER BY path`,
      remoteId,
    )
    .map((row) => ({ ...row, hash: row.hash === null ? null : hexOf(row.hash) }));
}

/** Records the base rows of these local changes. Does nothing for a remote that was removed meanwhile. */
export function recordRemoteChanges(
  statements: WriteStatements,
  { remoteId, steps, conflicts }: RemoteBaseUpdate,
  results: readonly ChangeResult[],
): void {
  if (statements.get('SELECT 1 FROM remotes WHERE remote_id = ?', remoteId) === undefined) return;
  const upserts: RemoteBaseRow[] = [];
  const removals: string[] = [];
  for (const [index, { gone, file }] of steps.entries()) {
    const result = results[index];
    if (result?.ok !== true) continue;
    if (gone !== null) removals.push(gone);
    if (file !== null) upserts.push({ ...file, revision: result.revision });
  }
  saveRemoteBase(statements, { remoteId, upserts, removals, answered: [] });
  if (results.every(({ ok }) => ok))
    for (const conflict of conflicts) insertConflict(statements, remoteId, conflict);
}

export function saveRemoteBase(
  statements: WriteStatements,
  { remoteId, upserts, removals, answered }: SaveRemoteBase,
): void {
  for (const path of removals)
    statements.run('DELETE FROM remote_base WHERE remote_id = ? AND path = ?', remoteId, path);
  for (const row of upserts) {
    statements.run(
      `INSERT OR REPLACE INTO remote_base (remote_id, path, hash, size, revision, remote_revision, metadata)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      remoteId,
      row.path,
      bytesOf(row.hash),
      row.sizeBytes,
      row.revision,
      row.remoteRevision,
      row.metadata,
    );
  }
  for (const path of answered)
    statements.run('DELETE FROM remote_sent WHERE remote_id = ? AND path = ?', remoteId, path);
}

export function recordSent(
  statements: WriteStatements,
  remoteId: string,
  rows: readonly RemoteSentRow[],
): void {
  for (const row of rows) {
    statements.run(
      `INSERT OR REPLACE INTO remote_sent (remote_id, path, hash, size, revision, content_type, encoding, metadata, expected, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      remoteId,
      row.path,
      row.hash === null ? null : bytesOf(row.hash),
      row.sizeBytes,
      row.revision,
      row.contentType,
      row.encoding,
      row.metadata,
      row.expected,
      row.atMs,
    );
  }
}

function insertConflict(statements: WriteStatements, remoteId: string, row: RemoteConflictRow): void {
  statements.run(
    `INSERT OR REPLACE INTO remote_conflicts (remote_id, conflict_id, path, copy_path, local_hash, remote_hash, base_hash, at)
       VALUES (@remoteId, @conflictId, @path, @copyPath, @localHash, @remoteHash, @baseHash, @atMs)`,
    { remoteId, ...row },
  );
}

function baseOf(row: BaseColumns): RemoteBaseRow {
  return {
    path: row.path,
    hash: hexText(row.hash),
    sizeBytes: row.size,
    revision: row.revision,
    remoteRevision: row.remote_revision,
    metadata: row.metadata,
  };
}
