// Reads the history of a path: visible revisions across renames, past trees, and diffs. Restores are changes of service.ts.

import type { Compute } from '../compute/port.ts';
import { grantsScope } from '../core/access/scope.ts';
import type { AccessSubject, FileEntry } from '../core/entry.ts';
import { providerOf } from '../core/paths/path.ts';
import type {
  ContentReader,
  HistoryQuery,
  PastTreePage,
  PastTreeQuery,
  RevisionRow,
} from '../store/port/store.ts';
import { type Content, type Difference, differenceOf } from './difference.ts';

export type { Difference } from './difference.ts';

/** Renames that one page follows. */
const renamesFollowedMax = 100;

/** Start of the next page: before this revision, at the path of the file at that time. */
export interface HistoryPosition {
  readonly path: string;
  readonly beforeRevision: number | null;
}

export interface HistoryRequest {
  readonly workspaceId: string;
  readonly from: HistoryPosition;
  readonly what: HistoryQuery['what'];
  /** true: includes revisions from before the file was moved to the path. */
  readonly follow: boolean;
  readonly limit: number;
  readonly access: AccessSubject | null;
}

export interface VisibleHistory {
  /** Newest first. `movedFrom` is null where the subject may not read that path. */
  readonly rows: readonly RevisionRow[];
  readonly next: HistoryPosition | null;
}

export type RevisionLookup =
  | { readonly kind: 'found'; readonly row: RevisionRow }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'missing' };

export interface WorkspaceHistory {
  page(request: HistoryRequest): Promise<VisibleHistory>;
  /** A revision of the path, or of a file that was moved there later. */
  revision(
    workspaceId: string,
    path: string,
    revision: number,
    access: AccessSubject | null,
  ): Promise<RevisionLookup>;
  /** The revision at exactly this path at a point in time; its hash is null where the file was deleted. */
  revisionAt(
    workspaceId: string,
    path: string,
    atMs: number,
    access: AccessSubject | null,
  ): Promise<RevisionLookup>;
  /** The tree at a point in time; null: the position is outside the directory. */
  tree(workspaceId: string, query: PastTreeQuery): Promise<PastTreePage | null>;
  /**
   * The diff between two contents of a path; null is no file. The patch of a text starts with git's header. Resolves with null when
   * a content cannot be read at the moment.
   */
  difference(path: string, before: Content | null, after: Content | null): Promise<Difference | null>;
  /** Every state since this time is retained. */
  completeSinceMs(): Promise<number>;
}

export function createHistory(
  { files }: { readonly files: ContentReader },
  compute: Compute,
): WorkspaceHistory {
  const revision: WorkspaceHistory['revision'] = async (workspaceId, path, number, access) => {
    const lookup = await files.revision(workspaceId, path, number, access);
    // Paths outside the token's scopes are answered like missing ones.
    if (lookup === null || !mayRead(access, lookup.row.path)) return { kind: 'missing' };
    return lookup.allowed ? { kind: 'found', row: lookup.row } : { kind: 'hidden' };
  };
  return {
    page: (request) => readPage(files, request),
    revision,
    async revisionAt(workspaceId, path, atMs, access) {
      const lookup = await files.revisionAt(workspaceId, path, atMs, access);
      if (lookup === null) return { kind: 'missing' };
      return lookup.allowed ? { kind: 'found', row: lookup.row } : { kind: 'hidden' };
    },
    tree: (workspaceId, query) => files.treeAt(workspaceId, query),
    difference: (path, before, after) => differenceOf(files, compute, path, before, after),
    completeSinceMs: () => files.historyCompleteSinceMs(),
  };
}

function mayRead(access: AccessSubject | null, path: string): boolean {
  return access === null || grantsScope(access.scopes, 'fs:read', path);
}

async function readPage(files: ContentReader, request: HistoryRequest): Promise<VisibleHistory> {
  const rows: RevisionRow[] = [];
  let next: HistoryPosition | null = request.from;
  for (let segments = 0; next !== null && segments <= renamesFollowedMax; segments += 1) {
    const from: HistoryPosition = next;
    const segment: VisibleHistory = await readSegment(files, request, from, request.limit - rows.length);
    rows.push(...segment.rows);
    next = segment.next;
    // A position at the same path ends the page; another path is a rename to follow.
    if (rows.length >= request.limit || next?.path === from.path) break;
  }
  return { rows, next };
}

/** Rows of one path, up to the rename that created it. */
async function readSegment(
  files: ContentReader,
  request: HistoryRequest,
  from: HistoryPosition,
  limit: number,
): Promise<VisibleHistory> {
  const { workspaceId, what, access } = request;
  const page = await files.historyPage(workspaceId, {
    path: from.path,
    what,
    beforeRevision: from.beforeRevision,
    limit,
    access,
  });
  const rows: RevisionRow[] = [];
  for (const row of page.rows) {
    if (!mayRead(access, row.path)) continue;
    const movedFrom = await visibleOrigin(files, row, request);
    rows.push({ ...row, movedFrom });
    if (row.action !== 'move' || !request.follow || what.kind !== 'path') continue;
    return {
      rows,
      next: movedFrom === null ? null : { path: movedFrom, beforeRevision: row.revision - 1 },
    };
  }
  return { rows, next: page.more ? { path: from.path, beforeRevision: page.scannedTo } : null };
}

/** The path from which a revision was moved; null where the subject may not read it. */
async function visibleOrigin(
  files: ContentReader,
  row: RevisionRow,
  { workspaceId, access }: HistoryRequest,
): Promise<string | null> {
  const { movedFrom } = row;
  if (movedFrom === null || access === null) return movedFrom;
  if (!mayRead(access, movedFrom)) return null;
  // The deletion at the old path has the revision before the one at the new path.
  const deletion = await files.revision(workspaceId, movedFrom, row.revision - 1, access);
  const allowed = deletion?.allowed ?? (await files.getChecked(workspaceId, movedFrom, access)).allowed;
  return allowed ? movedFrom : null;
}

/** The file entry of a revision; null where no file existed. */
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
