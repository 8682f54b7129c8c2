// What was: the revisions of a path as a subject may see them, renames followed, and what differs between two. Only reads;
// a past state comes back through the service.

import { type Compute, isOverLimit } from '../compute/port.ts';
import { grantsScope } from '../core/access/scope.ts';
import type { AccessSubject, FileEntry } from '../core/entry.ts';
import { diffBytesMax, type TextDiff } from '../core/merge/text-diff.ts';
import { providerOf } from '../core/paths/path.ts';
import type {
  ContentReader,
  HistoryQuery,
  PastTreePage,
  PastTreeQuery,
  RevisionRow,
} from '../store/port/store.ts';
import { isBinary, patchHead } from './git-patch.ts';

/** Renames that one page follows. */
const renamesFollowedMax = 100;

/** Where a page goes on: before this revision, at the path that the file had then. */
export interface HistoryPosition {
  readonly path: string;
  readonly beforeRevision: number | null;
}

export interface HistoryRequest {
  readonly workspaceId: string;
  readonly from: HistoryPosition;
  readonly what: HistoryQuery['what'];
  /** true: what a file was before it was moved to the path belongs to it, too. */
  readonly follow: boolean;
  readonly limit: number;
  readonly access: AccessSubject | null;
}

export interface SeenHistory {
  /** Newest first. `movedFrom` is null where the subject may not know of it. */
  readonly rows: readonly RevisionRow[];
  readonly next: HistoryPosition | null;
}

export type FoundRevision =
  | { readonly kind: 'found'; readonly row: RevisionRow }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'missing' };

export type Difference =
  /** `too_different`: a line by line comparison is too much work; the patch replaces the whole text. */
  | { readonly kind: 'text' | 'too_different'; readonly patch: string }
  /** `binary`: at least one side is no text. `too_large`: a side is over the limit of a comparison. */
  | { readonly kind: 'binary' | 'too_large' };

/** Of a kept revision or of a file; a hash of null: nothing stood there. */
type Content = Pick<RevisionRow, 'hash' | 'sizeBytes'>;

export interface WorkspaceHistory {
  page(request: HistoryRequest): Promise<SeenHistory>;
  /** A revision of the path, or of what was moved there since. */
  revision(
    workspaceId: string,
    path: string,
    revision: number,
    access: AccessSubject | null,
  ): Promise<FoundRevision>;
  /** What stood at exactly this path at a moment; its hash is null where it was deleted. */
  revisionAt(
    workspaceId: string,
    path: string,
    atMs: number,
    access: AccessSubject | null,
  ): Promise<FoundRevision>;
  /** A tree as it was; null: the position lies outside of the directory. */
  tree(workspaceId: string, query: PastTreeQuery): Promise<PastTreePage | null>;
  /**
   * From one state of a path to another; null is where nothing stands. A text's patch starts with git's head. Answers null when
   * a content cannot be read right now.
   */
  difference(path: string, before: Content | null, after: Content | null): Promise<Difference | null>;
  /** Every state of this moment and later is kept. */
  completeSinceMs(): Promise<number>;
}

export function createHistory(
  { files }: { readonly files: ContentReader },
  compute: Compute,
): WorkspaceHistory {
  const mayRead = (access: AccessSubject | null, path: string) =>
    access === null || grantsScope(access.scopes, 'fs:read', path);

  const revision: WorkspaceHistory['revision'] = async (workspaceId, path, number, access) => {
    const found = await files.revision(workspaceId, path, number, access);
    // Where the token does not reach there is nothing.
    if (found === null || !mayRead(access, found.row.path)) return { kind: 'missing' };
    return found.allowed ? { kind: 'found', row: found.row } : { kind: 'hidden' };
  };

  /** Where the file came from; null when the subject may not know. */
  async function origin(row: RevisionRow, { workspaceId, access }: HistoryRequest): Promise<string | null> {
    const { movedFrom } = row;
    if (movedFrom === null || access === null) return movedFrom;
    if (!mayRead(access, movedFrom)) return null;
    // It left its old place with the revision before it came to the new one.
    const left = await files.revision(workspaceId, movedFrom, row.revision - 1, access);
    const allowed = left?.allowed ?? (await files.getChecked(workspaceId, movedFrom, access)).allowed;
    return allowed ? movedFrom : null;
  }

  async function part(request: HistoryRequest, at: HistoryPosition, limit: number): Promise<SeenHistory> {
    const { workspaceId, what, access } = request;
    const page = await files.historyPage(workspaceId, {
      path: at.path,
      what,
      beforeRevision: at.beforeRevision,
      limit,
      access,
    });
    const rows: RevisionRow[] = [];
    for (const row of page.rows) {
      if (!mayRead(access, row.path)) continue;
      const movedFrom = await origin(row, request);
      rows.push({ ...row, movedFrom });
      if (row.action !== 'move' || !request.follow || what.kind !== 'path') continue;
      return {
        rows,
        next: movedFrom === null ? null : { path: movedFrom, beforeRevision: row.revision - 1 },
      };
    }
    return { rows, next: page.more ? { path: at.path, beforeRevision: page.scannedTo } : null };
  }

  return {
    async page(request) {
      const rows: RevisionRow[] = [];
      let next: HistoryPosition | null = request.from;
      for (let parts = 0; next !== null && parts <= renamesFollowedMax; parts += 1) {
        const before: HistoryPosition = next;
        const found: SeenHistory = await part(request, before, request.limit - rows.length);
        rows.push(...found.rows);
        next = found.next;
        // A position at the same path is the end of a page; another path is a rename to follow.
        if (rows.length >= request.limit || next?.path === before.path) break;
      }
      return { rows, next };
    },
    revision,
    async revisionAt(workspaceId, path, atMs, access) {
      const found = await files.revisionAt(workspaceId, path, atMs, access);
      if (found === null) return { kind: 'missing' };
      return found.allowed ? { kind: 'found', row: found.row } : { kind: 'hidden' };
    },
    tree: (workspaceId, query) => files.treeAt(workspaceId, query),
    async difference(path, before, after) {
      // Before anything of it is read: what is that large is not held in memory to be compared.
      if ([before, after].some((side) => (side?.sizeBytes ?? 0) > diffBytesMax)) return { kind: 'too_large' };
      const [old, fresh] = await Promise.all([bytesOf(before), bytesOf(after)]);
      if (old === 'gone' || fresh === 'gone') return null;
      if (isBinary(old ?? empty) || isBinary(fresh ?? empty)) return { kind: 'binary' };
      const diff = await diffOf(compute, textOf(old), textOf(fresh));
      if (diff === null) return { kind: 'too_large' };
      const { hunks, tooDifferent } = diff;
      if (hunks === '' && (old === null) === (fresh === null)) return { kind: 'text', patch: '' };
      const patch = patchHead(path, old, fresh, hunks !== '') + hunks;
      return { kind: tooDifferent ? 'too_different' : 'text', patch };
    },
    completeSinceMs: () => files.historyCompleteSinceMs(),
  };

  async function bytesOf(row: Content | null): Promise<Buffer | null | 'gone'> {
    if (row === null || row.hash === null) return null;
    const bytes = await files.read(row.hash);
    return bytes === null ? 'gone' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** null: it took longer than it may. */
async function diffOf(compute: Compute, before: string, after: string): Promise<TextDiff | null> {
  try {
    return await compute.run('diff_lines', { before, after });
  } catch (error) {
    if (isOverLimit(error)) return null;
    throw error;
  }
}

const empty = Buffer.alloc(0);

function textOf(bytes: Buffer | null): string {
  return bytes === null ? '' : bytes.toString('utf8');
}

/** The file as it was; null where nothing stood. */
export function pastEntry(row: RevisionRow): FileEntry | null {
  const { path, revision, hash, sizeBytes, contentType, encoding, atMs, semantics } = row;
  if (hash === null) return null;
  return {
    type: 'file',
    path,
    revision,
    hash,
    sizeBytes,
    contentType,
    encoding,
    provider: providerOf(path),
    providerObjectId: null,
    editedAtMs: atMs,
    semantics,
  };
}
