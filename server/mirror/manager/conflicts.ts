// Conflicts for people: which there are, both versions with what they came from, and the end that somebody chooses. It writes
// only through the one door, and every version that loses stays in the history of its path (sync-engine rule 14).
import { type Compute, isOverLimit } from '../../compute/port.ts';
import type { ConflictKind, ConflictSide } from '../../contract/conflicts.ts';
import type { ChangeFiles, FileChange, Precondition, Refusal } from '../../core/change/change.ts';
import type { Encoding, FileEntry } from '../../core/entry.ts';
import { type Merge, mergeBytesMax } from '../../core/merge/three-way-merge.ts';
import type { ConflictRow, MirrorRow, MirrorStore, RevisionRow } from '../../store/port/store.ts';
import { decodeText } from '../../workspaces/content-encoding.ts';
import { contentTypeOf } from '../../workspaces/content-type.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';
import { aclTextOf, stageStored, stageWhole } from '../actions/transfer.ts';
import { workspacePath } from '../state/scoped-workspace.ts';

/** Contents beyond this are not shown. */
const shownBytesMax = 1024 * 1024;
/** So many revisions of the path are looked through for the base. */
const historyRowsMax = 200;
/** Files that one answer deletes at most. */
const copiesMax = 1000;

export type ConflictChoice = ConflictSide | 'merged';

export interface ListedConflict {
  readonly mirror: MirrorRow;
  readonly row: ConflictRow;
  readonly kind: ConflictKind;
  readonly choices: readonly ConflictChoice[];
}

export interface Version {
  readonly hash: string;
  readonly sizeBytes: number;
  readonly revision: number | null;
  readonly editedAtMs: number | null;
  readonly by: Pick<RevisionRow['actor'], 'kind' | 'name'> | null;
  readonly encoding: Encoding;
  /** null: too large to show, or not kept any more. */
  readonly bytes: Uint8Array | null;
}

export interface ConflictVersions extends ListedConflict {
  readonly base: Version | null;
  readonly folder: Version | null;
  readonly workspace: Version | null;
  /** The folder's side is "mine". null: not three texts. */
  readonly merge: Exclude<Merge, { kind: 'too_different' }> | null;
}

export type ConflictAnswer = {
  /** Revisions of what was looked at; absent: whatever stands there now. */
  readonly workspaceRevision?: string;
  readonly folderRevision?: string;
} & ({ readonly keep: ConflictSide } | { readonly keep: 'merged'; readonly bytes: Uint8Array });

export type Resolution =
  | { readonly kind: 'resolved'; readonly path: string; readonly revision: number | null }
  | { readonly kind: 'unknown' }
  /** Not possible for this one; in words. */
  | { readonly kind: 'unfit'; readonly reason: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface Conflicts {
  /** Oldest first, over all mirrors of the workspace. */
  list(workspaceId: string): Promise<readonly ListedConflict[]>;
  /** null: unknown. */
  get(workspaceId: string, conflictId: string): Promise<ConflictVersions | null>;
  resolve(
    workspaceId: string,
    conflictId: string,
    answer: ConflictAnswer,
    by: Pick<ChangeFiles, 'actor' | 'access' | 'correlationId'>,
  ): Promise<Resolution>;
}

export interface ConflictParts {
  readonly store: MirrorStore;
  readonly workspaces: WorkspaceService;
  readonly compute: Compute;
  /** The list of this mirror has changed. */
  readonly onChange: (mirrorId: string) => Promise<void>;
}

export function createConflicts(parts: ConflictParts): Conflicts {
  return new ConflictDesk(parts);
}

class ConflictDesk implements Conflicts {
  readonly #parts: ConflictParts;

  constructor(parts: ConflictParts) {
    this.#parts = parts;
  }

  async list(workspaceId: string): Promise<readonly ListedConflict[]> {
    const { store } = this.#parts;
    const mirrors = (await store.list()).filter((mirror) => mirror.workspaceId === workspaceId);
    const lists = await Promise.all(
      mirrors.map(async (mirror) =>
        (await store.listConflicts(mirror.mirrorId)).map((row) => listed(mirror, inWorkspace(mirror, row))),
      ),
    );
    return lists.flat().sort((left, right) => left.row.atMs - right.row.atMs);
  }

  async get(workspaceId: string, conflictId: string): Promise<ConflictVersions | null> {
    const conflict = await this.#find(workspaceId, conflictId);
    if (conflict === null) return null;
    const { path, copyPath, baseHash } = conflict.row;
    const [base, folder, workspace] = await Promise.all([
      baseHash === null ? null : this.#versionInHistory(workspaceId, path, baseHash),
      this.#versionAt(workspaceId, copyPath),
      this.#versionAt(workspaceId, path),
    ]);
    return { ...conflict, base, folder, workspace, merge: await this.#mergeOf(base, folder, workspace) };
  }

  async resolve(
    workspaceId: string,
    conflictId: string,
    answer: ConflictAnswer,
    by: Pick<ChangeFiles, 'actor' | 'access' | 'correlationId'>,
  ): Promise<Resolution> {
    const conflict = await this.#find(workspaceId, conflictId);
    if (conflict === null) return { kind: 'unknown' };
    const { path, copyPath } = conflict.row;
    if (!conflict.choices.includes(answer.keep)) {
      return {
        kind: 'unfit',
        reason: 'a file and a folder have one name: move what you want to keep by hand',
      };
    }
    const { workspaces } = this.#parts;
    const current = fileOf(await workspaces.getEntry(workspaceId, path));
    const changed = changedSince(path, answer.workspaceRevision, current);
    if (changed !== null) return { kind: 'refused', refusal: changed };
    let revision = current?.revision ?? null;
    if (answer.keep !== 'both') {
      const planned = await this.#changesFor(workspaceId, conflict, current, answer);
      if ('kind' in planned) return planned;
      const results = await workspaces.change({
        workspaceId,
        changes: planned,
        atomic: true,
        ...by,
        origin: 'agent_write',
        makesOperations: true,
      });
      const refusal = results.find((result) => !result.ok && result.code !== 'not_applied');
      if (refusal !== undefined && !refusal.ok) return { kind: 'refused', refusal };
      const written = results.find((result) => result.ok && result.path === path);
      if (written?.ok) revision = written.revision;
    }
    await this.#close(conflict.mirror, copyPath);
    return { kind: 'resolved', path, revision };
  }

  /** The change that makes the chosen version the only one: all of it or nothing. */
  async #changesFor(
    workspaceId: string,
    { kind, row }: ListedConflict,
    current: FileEntry | null,
    answer: ConflictAnswer,
  ): Promise<readonly FileChange[] | Resolution> {
    const { workspaces } = this.#parts;
    // A file, or the files of a folder.
    const copies = await workspaces.listFiles(workspaceId, row.copyPath, null, copiesMax + 1);
    const copy = copies[0];
    if (copy === undefined || copies.length > copiesMax) {
      const reason =
        copy === undefined
          ? "the folder's version has not reached the workspace yet"
          : `more than ${copiesMax} files stand aside: delete what you do not want by hand`;
      return { kind: 'unfit', reason };
    }
    const changed =
      kind === 'file_and_folder' ? null : changedSince(row.copyPath, answer.folderRevision, copy);
    if (changed !== null) return { kind: 'refused', refusal: changed };
    const deletions = copies.map(
      (entry): FileChange => ({ kind: 'delete_file', path: entry.path, precondition: at(entry) }),
    );
    if (answer.keep === 'workspace') return deletions;
    const chosen =
      answer.keep === 'merged'
        ? await stageWhole(workspaces, answer.bytes)
        : await stageStored(workspaces, copy);
    if (chosen === null) return { kind: 'unfit', reason: "the folder's version cannot be read right now" };
    const { content, isText } = chosen;
    const write: FileChange = {
      kind: 'write_file',
      path: row.path,
      precondition: current === null ? { kind: 'absent' } : at(current),
      content,
      defaultContentType: contentTypeOf(row.path, isText),
      encoding: isText ? 'utf-8' : 'base64',
      ...aclTextOf(row.path, chosen),
    };
    return [write, ...deletions];
  }

  async #close(mirror: MirrorRow, copyPath: string): Promise<void> {
    const { store, onChange } = this.#parts;
    const { mirrorId } = mirror;
    const isCopy = (path: string) => workspacePath(mirror.rootPath, path) === copyPath;
    // An intent that is still open because the disk refused to make it durable would list it once more at the next start.
    const told = (await store.openIntents(mirrorId)).filter(
      ({ action, path }) => action === 'move' && isCopy(path),
    );
    await store.endIntents({ mirrorId, ids: told.map(({ id }) => id) });
    for (const row of await store.listConflicts(mirrorId)) {
      if (isCopy(row.copyPath)) await store.removeConflict({ mirrorId, conflictId: row.conflictId });
    }
    await onChange(mirrorId);
  }

  async #find(workspaceId: string, conflictId: string): Promise<ListedConflict | null> {
    return (await this.list(workspaceId)).find(({ row }) => row.conflictId === conflictId) ?? null;
  }

  async #versionAt(workspaceId: string, path: string): Promise<Version | null> {
    const { workspaces } = this.#parts;
    const entry = fileOf(await workspaces.getEntry(workspaceId, path));
    if (entry === null) return null;
    const rows = await workspaces.history(workspaceId, path, 1, entry.revision + 1);
    const by = rows[0]?.revision === entry.revision ? rows[0].actor : null;
    const { hash, sizeBytes, revision, encoding } = entry;
    return {
      hash,
      sizeBytes,
      revision,
      encoding,
      editedAtMs: entry.editedAtMs,
      by,
      bytes: await this.#bytes(entry),
    };
  }

  async #versionInHistory(workspaceId: string, path: string, hash: string): Promise<Version | null> {
    const rows = await this.#parts.workspaces.history(workspaceId, path, historyRowsMax, null);
    const row = rows.find((one) => one.hash === hash);
    const bytes = await this.#bytes({ hash, sizeBytes: row?.sizeBytes ?? 0 });
    if (row === undefined && bytes === null) return null;
    return {
      hash,
      sizeBytes: row?.sizeBytes ?? bytes?.length ?? 0,
      revision: row?.revision ?? null,
      editedAtMs: row?.atMs ?? null,
      by: row?.actor ?? null,
      encoding: row?.encoding ?? (bytes !== null && decodeText(bytes) === null ? 'base64' : 'utf-8'),
      bytes,
    };
  }

  async #mergeOf(
    base: Version | null,
    folder: Version | null,
    workspace: Version | null,
  ): Promise<ConflictVersions['merge']> {
    const [baseText, mine, theirs] = [base, folder, workspace].map((version) =>
      version?.bytes == null || version.bytes.length > mergeBytesMax ? null : decodeText(version.bytes),
    );
    if (baseText == null || mine == null || theirs == null) return null;
    try {
      const merge = await this.#parts.compute.run('merge_lines', { base: baseText, mine, theirs });
      return merge.kind === 'too_different' ? null : merge;
    } catch (error) {
      if (isOverLimit(error)) return null;
      throw error;
    }
  }

  async #bytes({ hash, sizeBytes }: { hash: string; sizeBytes: number }): Promise<Uint8Array | null> {
    return sizeBytes > shownBytesMax ? null : await this.#parts.workspaces.readContent(hash);
  }
}

/** Its paths as the workspace has them. */
function inWorkspace({ rootPath }: MirrorRow, row: ConflictRow): ConflictRow {
  const path = workspacePath(rootPath, row.path);
  return { ...row, path, copyPath: workspacePath(rootPath, row.copyPath) };
}

function listed(mirror: MirrorRow, row: ConflictRow): ListedConflict {
  const kind = kindOf(row);
  return {
    mirror,
    row,
    kind,
    choices: kind === 'file_and_folder' ? ['workspace', 'both'] : ['folder', 'workspace', 'both', 'merged'],
  };
}

function kindOf({ localHash, workspaceHash, baseHash }: ConflictRow): ConflictKind {
  if (localHash === '' || workspaceHash === null) return 'file_and_folder';
  return baseHash === null ? 'both_added' : 'both_edited';
}

/** null: it is still the one that was looked at. */
function changedSince(path: string, seen: string | undefined, entry: FileEntry | null): Refusal | null {
  const current = entry === null ? '' : `rev_${entry.revision}`;
  if (seen === undefined || seen === current) return null;
  return {
    ok: false,
    path,
    code: 'revision_conflict',
    message: `${path} has changed since it was looked at`,
    expectedRevision: seen,
    currentRevision: current,
    ...(entry === null ? {} : { current: entry }),
  };
}

function at(entry: FileEntry): Precondition {
  return { kind: 'revision', revision: `rev_${entry.revision}` };
}

function fileOf(entry: Awaited<ReturnType<WorkspaceService['getEntry']>>): FileEntry | null {
  return entry?.type === 'file' ? entry : null;
}
