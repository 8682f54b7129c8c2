// The port's part for the files of a workspace: what stands there, what stood there, and how contents come in. Plain data.
import type { Semantics } from '../../contract/common.ts';
import type { Origin } from '../../contract/words.ts';
import type { Content, RefusalCode } from '../../core/change/change.ts';
import type { AccessSubject, Actor, DirEntry, Entry, FileEntry } from '../../core/entry.ts';

export interface TreeQuery {
  readonly path: string;
  readonly depth: number;
  readonly afterPath: string | null;
  readonly limit: number;
  readonly access: AccessSubject | null;
}

/** What a page of a tree tells of a file. */
export type TreeFile = Omit<FileEntry, 'contentType'>;
export type TreeEntry = TreeFile | DirEntry;

export interface TreePage {
  readonly entries: readonly TreeEntry[];
  /** true when more entries follow the last one. */
  readonly more: boolean;
  /** Visible files below the path. */
  readonly totalFiles: number;
}

/** A tree as it was. `after`: where to go on, as a page before said; null: the beginning. */
export interface PastTreeQuery extends Pick<TreeQuery, 'path' | 'depth' | 'limit' | 'access'> {
  readonly atMs: number;
  readonly after: string | null;
}

/** Of a directory no more is known than that it held something. */
export type PastTreeEntry = TreeFile | { readonly type: 'dir'; readonly path: string };

/** A page may be short, or empty, and still have a `next`. */
export interface PastTreePage {
  readonly entries: readonly PastTreeEntry[];
  readonly next: string | null;
}

export interface FileFilter {
  /** Prefix: the path itself or its descendants. */
  readonly path: string;
  readonly provider?: string;
  readonly relation?: string;
  /** Matches effective permissions: markers of the ancestors and the file's own. */
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
  /** Revision of the first change of the request that it came with; its own when it came alone. */
  readonly batch: number;
  /** The revision whose state it brought back; null: a change of its own. */
  readonly restoredFrom: number | null;
  readonly semantics: Semantics;
}

export interface HistoryQuery {
  readonly path: string;
  /** `path`: of this path alone. `below`: and of all below it. `batch`: what one request changed at or below it. */
  readonly what:
    | { readonly kind: 'path' }
    | { readonly kind: 'below' }
    | { readonly kind: 'batch'; readonly batch: number };
  /** Exclusive start; null: the newest. */
  readonly beforeRevision: number | null;
  readonly limit: number;
  readonly access: AccessSubject | null;
}

/** `more` may be true with a short page; `scannedTo` is the position to go on from. */
export interface HistoryPage {
  readonly rows: readonly RevisionRow[];
  readonly more: boolean;
  readonly scannedTo: number | null;
}

export type RestoreTarget =
  /** The path and all below it as they stood after this revision or at this moment. */
  | { readonly kind: 'revision'; readonly path: string; readonly revision: number }
  | { readonly kind: 'instant'; readonly path: string; readonly atMs: number }
  /** What one request changed at or below the path as it stood before. `keep`: what was changed since stays. */
  | {
      readonly kind: 'batch';
      readonly path: string;
      readonly batch: number;
      readonly ifChanged: 'refuse' | 'keep';
    };

export interface RestoreFiles {
  readonly workspaceId: string;
  readonly target: RestoreTarget;
  /** true: says what would be done, and does nothing. */
  readonly dryRun: boolean;
  readonly actor: Actor;
  readonly access: AccessSubject | null;
  readonly correlationId: string;
}

export interface RestoredFile {
  readonly path: string;
  readonly action: 'create' | 'update' | 'delete';
  /** What stood there before; null: nothing. */
  readonly before: number | null;
  /** The revision that came back; null: nothing stood there. */
  readonly from: number | null;
  readonly hash: string | null;
  readonly sizeBytes: number;
  /** The revision that the change took, and its operation; of a dry run none. */
  readonly revision: number | null;
  readonly opId: string | null;
}

export type RestoreResult =
  | {
      readonly ok: true;
      /** null: nothing was to be changed, or it was a dry run. */
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
      /** `not_kept`: retention has let go of a state that is needed. `changed`: what the batch left was changed since. */
      readonly code: RefusalCode | 'not_kept' | 'changed' | 'too_many';
      readonly message: string;
      readonly paths: readonly string[];
    };

/** One consistent view of a workspace on its own read connection. Blobs that it names stay readable until `close`. */
export interface Snapshot {
  /** Files at or below `path`, byte-wise by path, filtered by access; as the fork shows them when one is named. */
  files(
    workspaceId: string,
    path: string,
    access: AccessSubject | null,
    forkId?: string,
  ): IterableIterator<FileEntry>;
  read(hash: string): Promise<Uint8Array>;
  close(): void;
}

/** Of bytes; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface FileStore {
  /** The entry as it is, without any access check. */
  get(workspaceId: string, path: string): Promise<Entry | null>;
  /** The entry with the decision of the access rules for this subject, from one read. */
  getChecked(
    workspaceId: string,
    path: string,
    access: AccessSubject | null,
  ): Promise<{ entry: Entry | null; allowed: boolean }>;
  /** The decision of the access rules in force for each path: of the file there, else for one that would be made there. In slices. */
  allowEach(
    workspaceId: string,
    paths: readonly string[],
    access: AccessSubject | null,
  ): Promise<readonly boolean[]>;
  /** The same with the content as text, where that comes along for nothing; null says nothing of it. */
  getCheckedText(
    workspaceId: string,
    path: string,
    access: AccessSubject | null,
  ): Promise<{ entry: Entry | null; allowed: boolean; text: string | null }>;
  /** Content of a hash that a live entry or kept revision names; null when it is gone. */
  read(hash: string): Promise<Uint8Array | null>;
  /** The same as text, decoded as UTF-8: small contents never become an array on their way. */
  readText(hash: string): Promise<string | null>;
  /** A stream of the same, or of a part of it, for large contents. */
  open(
    hash: string,
    range?: ByteRange,
  ): Promise<{ sizeBytes: number; stream: ReadableStream<Uint8Array> } | null>;
  /** `afterPath` is a position, whether or not something is there. */
  tree(workspaceId: string, query: TreeQuery): Promise<TreePage>;
  /** `afterPath` as above. */
  query(
    workspaceId: string,
    filter: FileFilter,
    page: { afterPath: string | null; limit: number; access: AccessSubject | null },
  ): Promise<{
    items: readonly { entry: FileEntry; effectivePermissions: readonly string[] }[];
    more: boolean;
  }>;
  /** Files at or below `path` in byte-wise order, a page. For the mirror. */
  list(
    workspaceId: string,
    path: string,
    afterPath: string | null,
    limit: number,
  ): Promise<readonly FileEntry[]>;
  /** Newest first. */
  history(
    workspaceId: string,
    path: string,
    limit: number,
    beforeRevision: number | null,
  ): Promise<readonly RevisionRow[]>;
  /** The same as the subject may see it. */
  historyPage(workspaceId: string, query: HistoryQuery): Promise<HistoryPage>;
  /** A revision of the path, or of what was moved there since; null: none is kept. */
  revision(
    workspaceId: string,
    path: string,
    revision: number,
    access: AccessSubject | null,
  ): Promise<{ row: RevisionRow; allowed: boolean } | null>;
  /** What stood there at a moment, a deletion too; null: nothing is kept from then. */
  revisionAt(
    workspaceId: string,
    path: string,
    atMs: number,
    access: AccessSubject | null,
  ): Promise<{ row: RevisionRow; allowed: boolean } | null>;
  /** null: the position lies outside of the directory. */
  treeAt(workspaceId: string, query: PastTreeQuery): Promise<PastTreePage | null>;
  /** Every state of this moment and later is kept. */
  historyCompleteSinceMs(): Promise<number>;
  /** Was this content ever at this path (and is it still kept)? Rule "bytes decide". */
  isKnownContent(workspaceId: string, path: string, hash: string): Promise<boolean>;
  snapshot(): Promise<Snapshot>;
  /** Makes bytes ready for a change: small ones stay inline, large ones become a durable blob file. */
  stage(bytes: Uint8Array): Promise<Content>;
  /** The same for a stream. ContentTooLargeError: it has more than `bytesMax`. */
  stageStream(
    source: AsyncIterable<Uint8Array>,
    bytesMax: number,
  ): Promise<{ readonly content: Content; readonly isText: boolean }>;
  /** No change is going to name what was staged. */
  unstage(content: Content): void;
}
