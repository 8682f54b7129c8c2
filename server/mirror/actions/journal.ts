// The intent journal: each change of the folder is a durable row before it is a system call, and rows that a crash left open are
// finished at the next start (docs/sync-rules.md#9). Replaying is idempotent; the scan that follows finds the result.
import type { Folder, FolderOperation, RecoverIntent } from '../../disk/port/folder.ts';
import type { ConflictRow, JournalRow, MirrorStore } from '../../store/port/store.ts';

type Intent = Omit<JournalRow, 'id'>;

/** The rows that stand for an operation; a put that makes something step aside is two. */
export function intentsOf(operation: FolderOperation): readonly Intent[] {
  const { path } = operation;
  switch (operation.kind) {
    case 'remove':
      return [{ action: 'remove', path, fromPath: null, tempName: null, hash: null }];
    case 'move_aside':
      return [aside(path, operation.asidePath, operation.expected?.hash ?? null)];
    case 'put': {
      const put: Intent = {
        action: 'put',
        path,
        fromPath: null,
        tempName: operation.tempName,
        hash: operation.hash,
      };
      if (operation.asidePath === null) return [put];
      return [aside(path, operation.asidePath, operation.expected?.hash ?? null), put];
    }
  }
}

function aside(fromPath: string, path: string, hash: string | null): Intent {
  return { action: 'move', path, fromPath, tempName: null, hash };
}

/**
 * Finishes what was open. The folder must be known to be the right one. `left`: rows that stay open until the folder shows whether
 * they were done (unconfirmed-writes.ts).
 */
export async function replayJournal(
  store: MirrorStore,
  mirrorId: string,
  folder: Folder,
  makeConflict: (path: string, copyPath: string, localHash: string) => ConflictRow | null,
): Promise<{ readonly count: number; readonly left: readonly JournalRow[] }> {
  const open = await store.openIntents(mirrorId);
  if (open.length === 0) return { count: 0, left: [] };
  const asides = open.filter((row) => row.action === 'move' && row.fromPath !== null);
  await folder.recover(open.flatMap(tempOf));
  const stepped = await folder.recover(asides.flatMap(asideOf));
  const listed = new Set((await store.listConflicts(mirrorId)).map((row) => row.copyPath));
  for (const [index, row] of asides.entries()) {
    // One that did not come to it is planned anew, under a name of its own.
    if (stepped[index] !== true || row.fromPath === null || listed.has(row.path)) continue;
    const conflict = makeConflict(row.fromPath, row.path, row.hash ?? '');
    if (conflict !== null) await store.addConflict({ mirrorId, row: conflict });
  }
  await store.endIntents({ mirrorId, ids: asides.map((row) => row.id) });
  return { count: open.length, left: open.filter((row) => !asides.includes(row)) };
}

function tempOf(row: JournalRow): readonly RecoverIntent[] {
  return row.tempName === null ? [] : [{ kind: 'temp', path: row.path, tempName: row.tempName }];
}

function asideOf(row: JournalRow): readonly RecoverIntent[] {
  return row.fromPath === null ? [] : [{ kind: 'aside', path: row.fromPath, asidePath: row.path }];
}
