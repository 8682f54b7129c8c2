// Resolves a conflict as a person chose: writes the chosen version and deletes the conflict copy in one atomic change. The other
// version stays in the history of its path (docs/sync-rules.md#14).
import type { ConflictKind, ConflictSide } from '../contract/conflicts.ts';
import type { ChangeFiles, FileChange, Precondition, Refusal } from '../core/change/change.ts';
import { type FileEntry, revisionName } from '../core/entry.ts';
import { aclTextOf, stageHeld, stageStored } from '../mirror/actions/transfer.ts';
import type { MirroredWorkspace } from '../mirror/state/scoped-workspace.ts';
import type { ConflictRow } from '../store/port/store.ts';
import { contentTypeOf } from '../workspaces/content-type.ts';
import type { ConflictSource } from './sources.ts';

/** Files that one resolution deletes at most. */
const copiesMax = 1000;

export type ConflictChoice = ConflictSide | 'merged';

export interface ListedConflict {
  readonly source: ConflictSource;
  readonly row: ConflictRow;
  readonly kind: ConflictKind;
  readonly choices: readonly ConflictChoice[];
}

export type ConflictAnswer = {
  /** Revisions that the person saw; absent: the current ones. */
  readonly workspaceRevision?: string;
  readonly folderRevision?: string;
} & ({ readonly keep: ConflictSide } | { readonly keep: 'merged'; readonly bytes: Uint8Array });

export type Resolution =
  | { readonly kind: 'resolved'; readonly path: string; readonly revision: string | null }
  | { readonly kind: 'unknown' }
  /** Not possible for this conflict; for people. */
  | { readonly kind: 'unfit'; readonly reason: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export async function resolveConflict(
  workspaceId: string,
  conflict: ListedConflict,
  answer: ConflictAnswer,
  by: Pick<ChangeFiles, 'actor' | 'access' | 'correlationId'>,
): Promise<Resolution> {
  const { path, copyPath } = conflict.row;
  if (!conflict.choices.includes(answer.keep)) {
    return {
      kind: 'unfit',
      reason: 'a file and a folder have the same name: move the one that you want to keep manually',
    };
  }
  const { source } = conflict;
  const current = fileOf(await source.side.getEntry(workspaceId, path));
  const changed = changedSince(path, answer.workspaceRevision, current);
  if (changed !== null) return { kind: 'refused', refusal: changed };
  let revision = current === null ? null : revisionName(current);
  if (answer.keep !== 'both') {
    const planned = await changesFor(workspaceId, conflict, current, answer);
    if ('kind' in planned) return planned;
    const results = await source.side.change({
      workspaceId,
      changes: planned,
      atomic: true,
      ...by,
      origin: 'agent_write',
      makesOperations: true,
    });
    const refusal = results.find((result) => !result.ok && result.code !== 'not_applied');
    if (refusal !== undefined && !refusal.ok)
      return refusal.code === 'fork_full'
        ? { kind: 'unfit', reason: refusal.message }
        : { kind: 'refused', refusal };
    const written = results.find((result) => result.ok && result.path === path);
    if (written?.ok) revision = revisionName({ ...forkOf(source), revision: written.revision });
  }
  await source.close(copyPath);
  return { kind: 'resolved', path, revision };
}

/** The atomic change after which only the chosen version remains. */
async function changesFor(
  workspaceId: string,
  { kind, row, source }: ListedConflict,
  current: FileEntry | null,
  answer: ConflictAnswer,
): Promise<readonly FileChange[] | Resolution> {
  const workspaces = source.side;
  // One file, or the files of a folder.
  const copies = await workspaces.listFiles(workspaceId, row.copyPath, null, copiesMax + 1);
  const copy = copies[0];
  if (copy === undefined || copies.length > copiesMax) {
    const reason =
      copy === undefined
        ? "the folder's version is not uploaded yet"
        : `the conflict copy has more than ${copiesMax} files: delete the files that you do not want manually`;
    return { kind: 'unfit', reason };
  }
  const changed = kind === 'file_and_folder' ? null : changedSince(row.copyPath, answer.folderRevision, copy);
  if (changed !== null) return { kind: 'refused', refusal: changed };
  const deletions = copies.map(
    (entry): FileChange => ({ kind: 'delete_file', path: entry.path, precondition: revisionOf(entry) }),
  );
  if (answer.keep === 'workspace') return deletions;
  const chosen =
    answer.keep === 'merged'
      ? await stageHeld(workspaces, answer.bytes)
      : await stageStored(workspaces, copy);
  if (chosen === null) return { kind: 'unfit', reason: "the folder's version cannot be read at the moment" };
  const { content, isText } = chosen;
  const write: FileChange = {
    kind: 'write_file',
    path: row.path,
    precondition: current === null ? { kind: 'absent' } : revisionOf(current),
    content,
    defaultContentType: contentTypeOf(row.path, isText),
    encoding: isText ? 'utf-8' : 'base64',
    ...aclTextOf(row.path, chosen),
  };
  return [write, ...deletions];
}

/** null: the file still has the revision `seen`. */
function changedSince(path: string, seen: string | undefined, entry: FileEntry | null): Refusal | null {
  const current = entry === null ? '' : revisionName(entry);
  if (seen === undefined || seen === current) return null;
  return {
    ok: false,
    path,
    code: 'revision_conflict',
    message: `${path} has changed since you opened it`,
    expectedRevision: seen,
    currentRevision: current,
    ...(entry === null ? {} : { current: entry }),
  };
}

function revisionOf(entry: FileEntry): Precondition {
  return { kind: 'revision', revision: revisionName(entry) };
}

function forkOf({ forkId }: ConflictSource): Pick<FileEntry, 'forkId'> {
  return forkId === null ? {} : { forkId };
}

export function fileOf(entry: Awaited<ReturnType<MirroredWorkspace['getEntry']>>): FileEntry | null {
  return entry?.type === 'file' ? entry : null;
}
