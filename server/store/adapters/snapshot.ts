// One consistent view of the workspaces on a read connection of its own: later writes are not visible, and the contents that it
// names stay readable until it is closed.
import type { AccessSubject, FileEntry } from '../../core/entry.ts';
import type { BlobFiles } from '../contents/blob-files.ts';
import { type EntryRow, endOfSubtree, entryColumns, fileOf, startOfSubtree } from '../database/rows.ts';
import { openForReading } from '../database/sqlite.ts';
import type { ReadStatements } from '../database/statements.ts';
import type { Snapshot } from '../port/store.ts';
import { entryAt, findContent } from '../tables/files/files.ts';
import { AccessView } from '../tables/files/visible-files.ts';
import { forkFiles } from '../tables/forks/reads.ts';
import { workspaceNumber } from '../tables/workspaces/workspaces.ts';

/** Rows that are read at once; no statement stays open between two calls of the iterator. */
const pageRows = 500;

export function openSnapshot(databaseFile: string, blobs: BlobFiles): Snapshot {
  const release = blobs.holdAll();
  try {
    const statements = openForReading(databaseFile);
    statements.holdState();
    return {
      files: (workspaceId, path, access, forkId) =>
        forkId === undefined
          ? snapshotFiles(statements, workspaceId, path, access)
          : forkFiles(statements, forkId, path, access),
      async read(hash) {
        const content = findContent(statements, hash);
        if (content === null) throw new Error('the snapshot names no such content');
        return content.bytes ?? (await blobs.read(hash));
      },
      close() {
        statements.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

function* snapshotFiles(
  statements: ReadStatements,
  workspaceId: string,
  path: string,
  access: AccessSubject | null,
): Generator<FileEntry, undefined> {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return;
  const view = new AccessView(statements, workspace, access);
  const self = entryAt(statements, workspace, path);
  if (self?.type === 'file') {
    if (view.allowsFile(self)) yield self;
    return;
  }
  let after = startOfSubtree(path);
  for (;;) {
    const rows = statements.all<EntryRow>(
      `SELECT ${entryColumns} FROM entries
         WHERE workspace = ? AND path > ? AND path < ? AND files IS NULL ORDER BY path LIMIT ${pageRows}`,
      workspace,
      after,
      endOfSubtree(path),
    );
    for (const row of rows) {
      const entry = fileOf(row);
      if (view.allowsFile(entry)) yield entry;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.path;
  }
}
