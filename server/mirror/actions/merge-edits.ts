// Merges two edits of one text that do not overlap (docs/sync-rules.md#14). The folder's version is stored in the history of the
// path first; then the merged text is written with the revision that it was merged with as precondition. Other edits become
// conflict copies.
import { ComputeError, isOverLimit } from '../../compute/port.ts';
import { isAclPath } from '../../core/access/acl.ts';
import type { FileChange } from '../../core/change/change.ts';
import { mergeBytesMax } from '../../core/merge/three-way-merge.ts';
import type { Conflict } from '../../core/sync/plan.ts';
import type { FolderFile } from '../../disk/port/folder.ts';
import { sha256Hex } from '../../platform/crypto/hashes.ts';
import { decodeText } from '../../workspaces/content-encoding.ts';
import { contentTypeOf } from '../../workspaces/content-type.ts';
import { changeWorkspace, refreshWorkspace, type SyncContext } from '../state/context.ts';
import { busy } from '../state/problems.ts';
import { baseRow, type WorkspaceFile } from '../state/trees.ts';

interface Candidate {
  readonly path: string;
  readonly local: FolderFile;
  readonly workspace: WorkspaceFile;
  readonly baseHash: string;
}

interface Texts {
  readonly mine: string;
  readonly theirs: string;
  readonly merged: string;
}

/** How many were merged, and which are for a person. The others changed meanwhile and are planned again after a scan. */
export async function mergeConflicts(
  context: SyncContext,
  conflicts: readonly Conflict[],
): Promise<{ readonly merged: number; readonly left: readonly Conflict[] }> {
  const left: Conflict[] = [];
  let merged = 0;
  for (const conflict of conflicts) {
    const candidate = candidateOf(context, conflict);
    const texts = candidate === null || context.signal.aborted ? null : await textsOf(context, candidate);
    if (candidate === null || texts === null) {
      left.push(conflict);
      continue;
    }
    // Neither merged nor left: the folder has to be scanned again first.
    if (texts === 'changed') continue;
    await write(context, candidate, texts);
    merged += 1;
    context.onActionDone(candidate.path, candidate.workspace.sizeBytes);
  }
  return { merged, left };
}

/** Without a known base nothing is ever guessed. */
function candidateOf({ trees }: SyncContext, conflict: Conflict): Candidate | null {
  const { path, what, baseHash } = conflict;
  const local = trees.localAt(path);
  const workspace = trees.workspaceAt(path);
  if (what !== 'file' || baseHash === null || local?.kind !== 'file' || workspace === null) return null;
  // Lines of access rules are no text to be put together by a machine.
  if (isAclPath(path)) return null;
  if (local.sizeBytes > mergeBytesMax || workspace.sizeBytes > mergeBytesMax) return null;
  return { path, local, workspace, baseHash };
}

/** null: not mergeable. `changed`: the folder's file is another one by now, or the merge must wait. */
async function textsOf(
  context: SyncContext,
  { path, local, workspace, baseHash }: Candidate,
): Promise<Texts | 'changed' | null> {
  const { folder, workspaces } = context;
  const [[read], baseBytes, theirBytes] = await Promise.all([
    folder.read([{ path, expected: local }]),
    workspaces.readContent(baseHash),
    workspaces.readContent(workspace.hash),
  ]);
  if (read?.ok !== true) return 'changed';
  if (baseBytes === null || theirBytes === null || baseBytes.length > mergeBytesMax) return null;
  const [base, mine, theirs] = [baseBytes, read.bytes, theirBytes].map(decodeText);
  if (base == null || mine == null || theirs == null) return null;
  try {
    const input = { path, base, mine, theirs };
    const merged = await context.compute.run('merge_file', input, { signal: context.signal });
    return merged === null ? null : { mine, theirs, merged };
  } catch (error) {
    if (isOverLimit(error)) return null;
    if (!(error instanceof ComputeError)) throw error;
    // A conflict copy must not come of a busy machine: the file is planned again.
    context.problems.collide(path, busy('The merge of this file waits for a compute thread.'));
    return 'changed';
  }
}

async function write(
  context: SyncContext,
  { path, local, workspace }: Candidate,
  texts: Texts,
): Promise<void> {
  const { workspaces, workspaceId, trees, problems } = context;
  const { mine, theirs, merged } = texts;
  const encoder = new TextEncoder();
  const known = merged === mine || (await workspaces.isKnownContent(workspaceId, path, local.hash));
  const changes: FileChange[] = [];
  if (!known) {
    const content = await workspaces.stage(encoder.encode(mine));
    changes.push({ kind: 'keep_version', path, content, encoding: 'utf-8' });
  }
  const bytes = encoder.encode(merged);
  // What the workspace holds already needs no new revision, unless the folder's version must be kept below it.
  if (merged !== theirs || !known) {
    changes.push({
      kind: 'write_file',
      path,
      precondition: { kind: 'content', hash: workspace.hash },
      content: await workspaces.stage(bytes),
      defaultContentType: contentTypeOf(path, true),
      encoding: 'utf-8',
    });
  }
  const results = await changeWorkspace(context, { changes, atomic: true, makesOperations: true });
  context.atKillPoint('merge.committed');
  if (results.some((result) => !result.ok)) {
    // Another writer was faster. Its change is read; the planner decides anew.
    await refreshWorkspace(context, path);
    problems.collide(path, busy('The file keeps changing while it is merged.'));
    return;
  }
  const last = results.at(-1);
  const revision = last?.ok ? last.revision : workspace.revision;
  trees.setWorkspace(path, { hash: sha256Hex(bytes), revision, sizeBytes: bytes.length });
  // The folder's version is part of the workspace's now: only the workspace is ahead, and the next plan brings it here.
  const row = baseRow(path, local, workspace.revision);
  trees.agree(path, row);
  await context.store.mirrors.saveBase({ mirrorId: context.mirrorId, upserts: [row], removals: [] });
}
