// Lists the conflicts of a workspace's mirrors and of its remote, and reads their versions with a proposed merge (docs/sync-rules.md#14). It writes
// nothing; resolve-conflict.ts does.
import { type Compute, isOverLimit } from '../compute/port.ts';
import type { ConflictKind } from '../contract/conflicts.ts';
import type { ChangeFiles } from '../core/change/change.ts';
import { type Encoding, revisionName } from '../core/entry.ts';
import { type Merge, mergeBytesMax } from '../core/merge/three-way-merge.ts';
import type { ConflictRow, RevisionRow } from '../store/port/store.ts';
import { decodeText } from '../workspaces/content-encoding.ts';
import {
  type ConflictAnswer,
  fileOf,
  type ListedConflict,
  type Resolution,
  resolveConflict,
} from './resolve-conflict.ts';
import { type ConflictSource, type ConflictSourceDeps, conflictSources } from './sources.ts';

export type { ConflictAnswer, ListedConflict, Resolution } from './resolve-conflict.ts';

/** Larger contents are not shown. */
const shownBytesMax = 1024 * 1024;
/** Revisions of the path that are searched for the base. */
const historyRowsMax = 200;

export interface Version {
  readonly hash: string;
  readonly sizeBytes: number;
  readonly revision: string | null;
  readonly editedAtMs: number | null;
  readonly by: Pick<RevisionRow['actor'], 'kind' | 'name'> | null;
  readonly encoding: Encoding;
  /** null: too large to show, or no longer retained. */
  readonly bytes: Uint8Array | null;
}

export interface ConflictVersions extends ListedConflict {
  readonly base: Version | null;
  readonly folder: Version | null;
  readonly workspace: Version | null;
  /** `mine` is the folder's version. null: not three texts. */
  readonly merge: Exclude<Merge, { kind: 'too_different' }> | null;
}

export interface Conflicts {
  /** Oldest first: of all mirrors of the workspace and of its remote, or of the mirror of a fork alone. */
  list(workspaceId: string, forkId?: string): Promise<readonly ListedConflict[]>;
  /** null: unknown. */
  get(workspaceId: string, conflictId: string): Promise<ConflictVersions | null>;
  resolve(
    workspaceId: string,
    conflictId: string,
    answer: ConflictAnswer,
    by: Pick<ChangeFiles, 'actor' | 'access' | 'correlationId'>,
  ): Promise<Resolution>;
}

export interface ConflictDeps extends ConflictSourceDeps {
  readonly compute: Compute;
}

export function createConflicts(deps: ConflictDeps): Conflicts {
  return new ConflictService(deps);
}

class ConflictService implements Conflicts {
  readonly #deps: ConflictDeps;

  constructor(deps: ConflictDeps) {
    this.#deps = deps;
  }

  list: Conflicts['list'] = (workspaceId, forkId) =>
    this.#listOf(workspaceId, (source) => source.forkId === (forkId ?? null));

  async #listOf(
    workspaceId: string,
    isMeant: (source: ConflictSource) => boolean,
  ): Promise<readonly ListedConflict[]> {
    const sources = (await conflictSources(this.#deps, workspaceId)).filter(isMeant);
    const lists = await Promise.all(
      sources.map(async (source) => (await source.rows()).map((row) => listed(source, row))),
    );
    return lists.flat().sort((left, right) => left.row.atMs - right.row.atMs);
  }

  async get(workspaceId: string, conflictId: string): Promise<ConflictVersions | null> {
    const conflict = await this.#find(workspaceId, conflictId);
    if (conflict === null) return null;
    const { path, copyPath, baseHash } = conflict.row;
    const { source } = conflict;
    const [base, folder, workspace] = await Promise.all([
      baseHash === null ? null : this.#versionInHistory(source, path, baseHash),
      this.#versionAt(source, copyPath),
      this.#versionAt(source, path),
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
    return conflict === null ? { kind: 'unknown' } : await resolveConflict(workspaceId, conflict, answer, by);
  }

  async #find(workspaceId: string, conflictId: string): Promise<ListedConflict | null> {
    return (
      (await this.#listOf(workspaceId, () => true)).find(({ row }) => row.conflictId === conflictId) ?? null
    );
  }

  async #versionAt(source: ConflictSource, path: string): Promise<Version | null> {
    const { workspaceId, forkId, side } = source;
    const entry = fileOf(await side.getEntry(workspaceId, path));
    if (entry === null) return null;
    const rows = await side.history(workspaceId, path, 1, entry.revision + 1);
    // A fork does not know who staged a file.
    const by = forkId === null && rows[0]?.revision === entry.revision ? rows[0].actor : null;
    const { hash, sizeBytes, encoding } = entry;
    return {
      hash,
      sizeBytes,
      revision: revisionName(entry),
      encoding,
      editedAtMs: entry.editedAtMs,
      by,
      bytes: await bytesOf(source, entry),
    };
  }

  async #versionInHistory(source: ConflictSource, path: string, hash: string): Promise<Version | null> {
    const { workspaceId, forkId, side } = source;
    const rows = await side.history(workspaceId, path, historyRowsMax, null);
    const row = rows.find((revision) => revision.hash === hash);
    const bytes = await bytesOf(source, { hash, sizeBytes: row?.sizeBytes ?? 0 });
    if (row === undefined && bytes === null) return null;
    return {
      hash,
      sizeBytes: row?.sizeBytes ?? bytes?.length ?? 0,
      revision: row === undefined ? null : revisionName(row),
      editedAtMs: row?.atMs ?? null,
      by: forkId === null ? (row?.actor ?? null) : null,
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
      const merge = await this.#deps.compute.run('merge_lines', { base: baseText, mine, theirs });
      return merge.kind === 'too_different' ? null : merge;
    } catch (error) {
      if (isOverLimit(error)) return null;
      throw error;
    }
  }
}

async function bytesOf(
  { side }: ConflictSource,
  { hash, sizeBytes }: { readonly hash: string; readonly sizeBytes: number },
): Promise<Uint8Array | null> {
  return sizeBytes > shownBytesMax ? null : await side.readContent(hash);
}

function listed(source: ConflictSource, row: ConflictRow): ListedConflict {
  const kind = kindOf(row);
  return {
    source,
    row,
    kind,
    choices: kind === 'file_and_folder' ? ['workspace', 'both'] : ['folder', 'workspace', 'both', 'merged'],
  };
}

function kindOf({ localHash, workspaceHash, baseHash }: ConflictRow): ConflictKind {
  if (localHash === '' || workspaceHash === null) return 'file_and_folder';
  return baseHash === null ? 'both_added' : 'both_edited';
}
