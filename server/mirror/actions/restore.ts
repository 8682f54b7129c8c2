// Restores truncated contents: stores the rest of each file in the history of its path and records it as the base, so that the
// next plan writes the workspace's content into the folder (docs/sync-rules.md#3, docs/sync-rules.md#27). It never writes the
// folder.
import type { FileChange } from '../../core/change/change.ts';
import type { FolderFile } from '../../disk/port/folder.ts';
import type { BaseRow } from '../../store/port/store.ts';
import type { PendingDeletion } from '../guard/deletion-guard.ts';
import { changeWorkspace, refreshWorkspace, type SyncContext } from '../state/context.ts';
import { baseRow } from '../state/trees.ts';
import { stageFile } from './transfer.ts';

/** Files of one base commit. */
const rowsPerCommit = 2000;

/** A file that changed meanwhile is left unchanged: the next plan decides. */
export async function restoreTruncated(
  context: SyncContext,
  losses: readonly PendingDeletion[],
): Promise<void> {
  const rows: BaseRow[] = [];
  for (const { path, change } of losses) {
    if (context.signal.aborted) break;
    const local = change === 'truncation' ? context.trees.localAt(path) : null;
    if (local?.kind !== 'file' || !(await keepRest(context, path, local))) continue;
    const workspace = context.trees.workspaceAt(path);
    if (workspace === null) continue;
    const row = baseRow(path, local, workspace.revision);
    context.trees.agree(path, row);
    rows.push(row);
  }
  for (let at = 0; at < rows.length; at += rowsPerCommit)
    await context.store.mirrors.saveBase({
      mirrorId: context.mirrorId,
      upserts: rows.slice(at, at + rowsPerCommit),
      removals: [],
    });
}

/** false: the folder's file or the workspace's is another one by now, or there is no room for it. */
async function keepRest(context: SyncContext, path: string, local: FolderFile): Promise<boolean> {
  const { workspaces, workspaceId, trees, mode } = context;
  // Where the folder is never written, the rest stays where it is.
  if (local.sizeBytes === 0 || mode === 'to-workspace') return true;
  if (await workspaces.isKnownContent(workspaceId, path, local.hash)) return true;
  const current = await workspaces.getEntry(workspaceId, path);
  if (current?.type !== 'file' || current.hash !== trees.workspaceAt(path)?.hash) return false;
  const staged = await stageFile(context, path, local);
  if (staged === null) return false;
  const { content, isText } = staged;
  const { revision, hash, sizeBytes, contentType, encoding, semantics } = current;
  const from = { revision, hash, sizeBytes, contentType, encoding, semantics };
  const changes: readonly FileChange[] = [
    { kind: 'keep_version', path, content, encoding: isText ? 'utf-8' : 'base64' },
    // The newest revision has to be the one that is there.
    { kind: 'restore_file', path, from },
  ];
  const results = await changeWorkspace(context, { changes, atomic: true, makesOperations: false });
  await refreshWorkspace(context, path);
  return results.every(({ ok }) => ok);
}
