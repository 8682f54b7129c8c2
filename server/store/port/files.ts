// Rows and queries of files, trees, history and events. Plain data.
import type { Semantics } from '../../contract/common.ts';
import type { Origin } from '../../contract/words.ts';
import type { PastRevision, RefusalCode, WriteFile } from '../../core/change/change.ts';
import type { AccessSubject, Actor, DirEntry, FileEntry } from '../../core/entry.ts';

export interface TreeQuery {
  readonly path: string;
  readonly depth: number;
  readonly afterPath: string | null;
  readonly limit: number;
  readonly access: AccessSubject | null;
}

/** A file in a page of a tree. */
export type TreeFile = Omit<FileEntry, 'contentType'>;
export type TreeEntry = TreeFile | DirEntry;

export interface TreePage {
  readonly entries: readonly TreeEntry[];
  /** true when more entries follow the last one. */
  readonly more: boolean;
  /** Visible files below the path. */
  readonly totalFiles: number;
  /** The workspace has no access rules, so every subject gets this page. */
  readonly forEveryone: boolean;
}

/** A tree at a point in time. `after`: the previous page's `next`; null: the beginning. */
export interface PastTreeQuery extends Pick<TreeQuery, 'path' | 'depth' | 'limit' | 'access'> {
  readonly atMs: number;
  readonly after: string | null;
}

/** Of a past directory only its existence is known. */
export type PastTreeEntry = TreeFile | { readonly type: 'dir'; readonly path: string };

/** A page may be short, or empty, and still have a `next`. */
export interface PastTreePage {
  readonly entries: readonly PastTreeEntry[];
  readonly next: string | null;
  /** Every subject gets this page: no rule of that time or of now was asked. */
  readonly forEveryone: boolean;
}

export interface FileFilter {
  /** Prefix: the path itself or its descendants. */
  readonly path: string;
  readonly provider?: string;
  readonly relation?: string;
  /** Matches effective permissions: of the ancestors' ACL files and the file's own. */
  readonly permission?: string;
  readonly comment?: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** A past or present state of a path. */
export interface RevisionRow {
  readonly revision: number;
  readonly path: string;
  readonly action: 'write' | 'delete' | 'move';
  readonly movedFrom: string | null;
  readonly hash: string | null;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly encoding: 'utf-8' | 'base64';
  readonly actor: Actor;
  readonly origin: Origin;
  readonly correlationId: string;
  readonly opId: string | null;
  readonly atMs: number;
  /** Revision of the first change of its request; its own when it was the only one. */
  readonly batch: number;
  /** The restored revision; null: not a restore. */
  readonly restoredFrom: number | null;
  readonly semantics: Semantics;
}

export interface HistoryQuery {
  readonly path: string;
  /** `path`: of this path only. `below`: also of its descendants. `batch`: of one request, at or below it.
   * `deleted`: deletions at or below it of files that do not exist now; a move is none. */
  readonly what:
    | { readonly kind: 'path' }
    | { readonly kind: 'below' }
    | { readonly kind: 'deleted' }
    | { readonly kind: 'batch'; readonly batch: number };
  /** Exclusive start; null: the newest. */
  readonly beforeRevision: number | null;
  readonly limit: number;
  readonly access: AccessSubject | null;
}

/** `more` may be true with a short page; `scannedTo` is the position to continue from. */
export interface HistoryPage {
  readonly rows: readonly RevisionRow[];
  readonly more: boolean;
  readonly scannedTo: number | null;
}

export type RestoreTarget =
  /** The path and its descendants after this revision or at this time. */
  | { readonly kind: 'revision'; readonly path: string; readonly revision: number }
  | { readonly kind: 'instant'; readonly path: string; readonly atMs: number }
  /** The state before one request, at or below the path. `keep`: paths that changed since stay. */
  | {
      readonly kind: 'batch';
      readonly path: string;
      readonly batch: number;
      readonly ifChanged: 'refuse' | 'keep';
    }
  /** The state before the commits of a run. A path that changed since needs a decision on its newest revision. */
  | {
      readonly kind: 'run';
      readonly runId: string;
      readonly path: string;
      readonly batches: readonly number[];
      readonly decisions: readonly UndoDecision[];
    };

/** What becomes of a path that was changed after the run: the state before the run, what it is now, or a merge of both. */
export interface UndoDecision {
  readonly path: string;
  /** Of the newest revision when it was decided, a deletion included. */
  readonly revision: number;
  readonly take: 'before' | 'now' | WriteFile;
}

/** A path that was changed after the commits that a restore reverts. Hashes of contents; null: no file. */
export interface ChangedSince {
  readonly path: string;
  readonly revision: number;
  readonly now: PastRevision | null;
  readonly committed: PastRevision | null;
  readonly before: PastRevision | null;
  /** false: others changed it between two of the commits. */
  readonly isContinuous: boolean;
}

export interface RestoreFiles {
  readonly workspaceId: string;
  readonly target: RestoreTarget;
  /** true: reports what would be done without doing it. */
  readonly dryRun: boolean;
  readonly actor: Actor;
  readonly access: AccessSubject | null;
  readonly correlationId: string;
}

export interface RestoredFile {
  readonly path: string;
  readonly action: 'create' | 'update' | 'delete';
  /** The revision before; null: no file. */
  readonly before: number | null;
  /** The restored revision; null: no file. */
  readonly from: number | null;
  readonly hash: string | null;
  readonly sizeBytes: number;
  /** The revision of the change, and its operation; null for a dry run. */
  readonly revision: number | null;
  readonly opId: string | null;
}

export type RestoreResult =
  | {
      readonly ok: true;
      /** null: no change was needed, or it was a dry run. */
      readonly batch: number | null;
      /** In the order in which they were done; the first ones of many. */
      readonly files: readonly RestoredFile[];
      readonly created: number;
      readonly updated: number;
      readonly deleted: number;
      /** Paths that were changed since and stay as they are. */
      readonly kept: readonly string[];
    }
  | {
      readonly ok: false;
      /** `not_kept`: retention has deleted a needed revision. `changed`: a path of the batch was changed since. */
      readonly code: RefusalCode | 'not_kept' | 'changed' | 'too_many';
      readonly message: string;
      readonly paths: readonly string[];
      /** For a run: the first ones of the paths that need a decision. */
      readonly changed?: readonly ChangedSince[];
    };

/** One consistent view of a workspace on its own read connection. Blobs that it names stay readable until `close`. */
export interface Snapshot {
  /** Pages of the files at or below `path`, byte-wise by path, filtered by access; as the fork shows them when one is named. */
  files(
    workspaceId: string,
    path: string,
    access: AccessSubject | null,
    forkId?: string,
  ): AsyncIterable<readonly FileEntry[]>;
  /** Of the same files of a workspace, each size rounded up to whole blocks. null: access rules hide files from the subject. */
  totals(request: {
    readonly workspaceId: string;
    readonly path: string;
    readonly access: AccessSubject | null;
    readonly blockBytes: number;
  }): Promise<{ readonly files: number; readonly bytes: number } | null>;
  read(hash: string): Promise<Uint8Array>;
  /** The same in pieces. Throws at its end when the content is corrupted. */
  open(hash: string): Promise<AsyncIterable<Uint8Array>>;
  close(): void;
}

/** Of bytes; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A committed change in the event feed. */
export interface EventRow {
  readonly seq: number;
  readonly workspaceId: string;
  readonly type: string;
  readonly path: string;
  readonly revision: number | null;
  readonly hash: string | null;
  readonly origin: Origin;
  readonly provider: string | null;
  readonly correlationId: string;
  readonly atMs: number;
}
