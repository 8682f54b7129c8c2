// Uploads conflict copies of a mirror that only uploads: the folder is never written, so the folder's version becomes a conflict
// copy in the workspace and the conflict is listed (docs/sync-rules.md#14). Retries upload the same version once.
import { conflictCopyPath } from '../../core/sync/conflict-copy-name.ts';
import type { Conflict } from '../../core/sync/plan.ts';
import { contentTypeOf } from '../../workspaces/content-type.ts';
import { changeWorkspace, refreshWorkspace, type SyncContext } from '../state/context.ts';
import { busy } from '../state/problems.ts';
import { type MirrorChangeResult, mirrorPath } from '../state/scoped-workspace.ts';
import { baseRow } from '../state/trees.ts';
import { conflictRow } from './download.ts';
import { stageFile } from './transfer.ts';

/** How long a repeat after a crash finds what it has done. */
const identitySeconds = 7 * 86_400;

/** Returns how many were put beside. */
export async function uploadConflictCopies(
  context: SyncContext,
  conflicts: readonly Conflict[],
): Promise<number> {
  let done = 0;
  for (const conflict of conflicts) {
    if (context.signal.aborted) break;
    if (await putOne(context, conflict)) done += 1;
  }
  return done;
}

async function putOne(context: SyncContext, conflict: Conflict): Promise<boolean> {
  const { trees, clock, mirrorId, store } = context;
  const { path } = conflict;
  const local = trees.localAt(path);
  if (local?.kind !== 'file') return false;
  const staged = await stageFile(context, path, local);
  if (staged === null) return false;
  const { content, isText } = staged;
  const atMs = clock.nowMs();
  const copyPath = conflictCopyPath(path, { atMs, offsetMinutes: context.offsetMinutes(atMs) }, (candidate) =>
    trees.isTaken(candidate),
  );
  const key = `${mirrorId} ${path} ${local.hash} ${conflict.workspaceHash ?? ''}`;
  const [result] = await changeWorkspace(context, {
    changes: [
      {
        kind: 'write_file',
        path: copyPath,
        precondition: { kind: 'absent' },
        content,
        defaultContentType: contentTypeOf(path, isText),
        encoding: isText ? 'utf-8' : 'base64',
        contentIdentity: { kind: 'mirror-copy', key, ttlSeconds: identitySeconds },
      },
    ],
    atomic: true,
    makesOperations: true,
  });
  const written = result === undefined ? null : writtenOf(result, local.hash);
  if (result === undefined || written === null) {
    await refreshWorkspace(context, copyPath);
    const reason = result?.ok === false ? result.message : 'no answer';
    context.problems.collide(
      path,
      busy(`The folder's version could not be put beside the workspace's: ${reason}.`),
    );
    return false;
  }
  const placedAt = mirrorPath(context.rootPath, written.path) ?? copyPath;
  await refreshWorkspace(context, placedAt);
  const listed = await store.mirrors.listConflicts(mirrorId);
  if (!listed.some((row) => row.copyPath === placedAt))
    await store.mirrors.addConflict({ mirrorId, row: conflictRow(context, path, placedAt, local.hash) });
  // The folder's version has its place in the workspace: until it changes again there is nothing to be done about it.
  const row = baseRow(path, local, written.revision);
  trees.agree(path, row);
  await store.mirrors.saveBase({ mirrorId, upserts: [row], removals: [] });
  context.onActionDone(path, local.sizeBytes);
  return true;
}

/** Before a crash the same version may have got a name of another second: then that is its place. null: it has none. */
function writtenOf(
  result: MirrorChangeResult,
  hash: string,
): { readonly path: string; readonly revision: number } | null {
  if (result.ok) return result;
  return result.code !== 'fork_full' && result.earlier?.hash === hash ? result.earlier : null;
}
