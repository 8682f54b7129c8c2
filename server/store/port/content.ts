// The port by capability: who reads the content of workspaces gets ContentReader, EventReader or ForkReader; only the workspace
// services get ContentWriter (test/architecture.test.ts).
import type { Content } from '../../core/change/change.ts';
import type { AccessSubject, Entry, FileEntry } from '../../core/entry.ts';
import type { Sends } from './commands.ts';
import type {
  ByteRange,
  EventRow,
  FileFilter,
  HistoryPage,
  HistoryQuery,
  PastTreePage,
  PastTreeQuery,
  RevisionRow,
  Snapshot,
  TreePage,
  TreeQuery,
} from './files.ts';
import type { ForkRow, StagedChange, StagedCounts } from './forks.ts';

/** Files, history and trees of workspaces. */
export interface ContentReader {
  /** The entry without any access check. */
  get(workspaceId: string, path: string): Promise<Entry | null>;
  /** The file if its workspace has no access rules, so that every subject may read it; null: ask for a subject. */
  getOpen(workspaceId: string, path: string): Promise<FileEntry | null>;
  /** The entry and the decision of the access rules for this subject, from one read. */
  getChecked(
    workspaceId: string,
    path: string,
    access: AccessSubject | null,
  ): Promise<{ entry: Entry | null; allowed: boolean }>;
  /** The decision of the current access rules for each path: of its file, or of a new file there. In slices. */
  allowEach(
    workspaceId: string,
    paths: readonly string[],
    access: AccessSubject | null,
  ): Promise<readonly boolean[]>;
  /** As `getChecked`, with the content as text where the same read returns it; null does not mean that there is none.
   * `forEveryone`: the file's workspace has no access rules, so every subject gets this answer. */
  getCheckedText(
    workspaceId: string,
    path: string,
    access: AccessSubject | null,
  ): Promise<{ entry: Entry | null; allowed: boolean; text: string | null; forEveryone: boolean }>;
  /** Content of a hash that a live entry or a retained revision names; null when it was deleted. */
  read(hash: string): Promise<Uint8Array | null>;
  /** The same as text, decoded as UTF-8: a small content is never copied into an array. */
  readText(hash: string): Promise<string | null>;
  /** A stream of the same, or of a range of it, for large contents. */
  open(
    hash: string,
    range?: ByteRange,
  ): Promise<{ sizeBytes: number; stream: ReadableStream<Uint8Array> } | null>;
  /** `afterPath` is a position, whether or not it has an entry. */
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
  /** A page of the files at or below `path`, byte-wise by path. For the mirror. */
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
  /** The same, limited to what the subject may read. */
  historyPage(workspaceId: string, query: HistoryQuery): Promise<HistoryPage>;
  /** A revision of the path, or of a file that was moved there since; null: not retained. */
  revision(
    workspaceId: string,
    path: string,
    revision: number,
    access: AccessSubject | null,
  ): Promise<{ row: RevisionRow; allowed: boolean } | null>;
  /** The revision of the path at a point in time, tombstones included; null: none is retained from then. */
  revisionAt(
    workspaceId: string,
    path: string,
    atMs: number,
    access: AccessSubject | null,
  ): Promise<{ row: RevisionRow; allowed: boolean } | null>;
  /** null: the position is outside of the directory. */
  treeAt(workspaceId: string, query: PastTreeQuery): Promise<PastTreePage | null>;
  /** No committed change of the workspace has a greater revision. */
  lastRevision(workspaceId: string): Promise<number>;
  /** History is complete from this time on. */
  historyCompleteSinceMs(): Promise<number>;
  /** Does any retained revision of this path have this content? See docs/sync-rules.md#3. */
  isKnownContent(workspaceId: string, path: string, hash: string): Promise<boolean>;
  snapshot(): Promise<Snapshot>;
}

export interface EventReader {
  /** Ascending: seq > from. Descending: seq < from. Filtered by path prefix, provider and access. `more` may be true with a short
   * page; `scannedTo` is the position to continue from. See docs/wire-contract.md#events. */
  list(
    workspaceId: string,
    query: {
      direction: 'asc' | 'desc';
      /** Exclusive; null: the oldest (asc) or the newest (desc). */
      from: number | null;
      limit: number;
      pathPrefix: string | null;
      /** true: `pathPrefix` alone, without its descendants. */
      pathOnly?: boolean;
      provider: string | null;
      access: AccessSubject | null;
    },
  ): Promise<{ events: readonly EventRow[]; more: boolean; scannedTo: number | null }>;
  /** All events after a position (exclusive), without a subject. `areOpen`: no access rules are stored with them.
   * `isOpen`: the workspace has none now. Where both are true every subject may see them all. */
  after(
    workspaceId: string,
    from: number,
    limit: number,
  ): Promise<{ events: readonly EventRow[]; more: boolean; areOpen: boolean; isOpen: boolean }>;
  /** The position before the first event of the workspace at or after a time, as far as times rise with positions. */
  positionAt(workspaceId: string, atMs: number): Promise<number>;
  /** Positions of the workspace. `last`: no event of it that is committed has a greater one. `oldest`: every event of it from here on
   * is retained; 0: none is. Positions of two workspaces say nothing about each other. */
  range(workspaceId: string): Promise<{ oldest: number; last: number }>;
  /** true: what followed the position is not known. Retention has deleted some of it, or the position is of an event that a restore or
   * a failover has lost. */
  isGone(workspaceId: string, position: number): Promise<boolean>;
}

/** Forks, and files as they show them. A read of a fork that is gone meanwhile answers as an empty workspace does. */
export interface ForkReader {
  /** null: unknown, committed or discarded. An expired fork is found until retention deletes it. */
  find(workspaceId: string, forkId: string): Promise<ForkRow | null>;
  /** Open ones, oldest first, expired ones included. */
  list(workspaceId: string): Promise<readonly ForkRow[]>;
  /** Of the staged changes that the subject may see. In slices. */
  counts(forkId: string, access: AccessSubject | null): Promise<StagedCounts>;
  /** Staged changes that the subject may see, by path. */
  staged(
    forkId: string,
    page: {
      readonly access: AccessSubject | null;
      readonly afterPath: string | null;
      readonly limit: number;
    },
  ): Promise<readonly StagedChange[]>;
  getChecked(
    forkId: string,
    path: string,
    access: AccessSubject | null,
  ): Promise<{ entry: Entry | null; allowed: boolean }>;
  /** As `ContentReader.tree`. */
  tree(forkId: string, query: TreeQuery): Promise<TreePage>;
  /** As `ContentReader.query`. */
  query(
    forkId: string,
    ...query: Tail<Parameters<ContentReader['query']>>
  ): ReturnType<ContentReader['query']>;
}

type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** Every write of workspace content, and the commands whose transaction includes one. */
export interface ContentWriter {
  /** Makes bytes ready for a change: small ones stay inline, large ones become a durable blob file. */
  stage(bytes: Uint8Array): Promise<Content>;
  /** The same for a stream. ContentTooLargeError: it has more than `bytesMax`. */
  stageStream(
    source: AsyncIterable<Uint8Array>,
    bytesMax: number,
  ): Promise<{ readonly content: Content; readonly isText: boolean }>;
  /** No change is going to name the staged content. */
  unstage(content: Content): void;
  /** Results are in the order of the changes. */
  readonly change: Sends<'change_files', 'atMs'>;
  /** Writes a past state as one change: all of it, or nothing. */
  readonly restore: Sends<'restore_files', 'atMs'>;
  /** Envelopes of one workspace, in this order, in one transaction: their changes and their ends. */
  readonly applyEnvelopes: Sends<'apply_envelopes'>;
  /** What `applyEnvelopes` would do to a waiting envelope or a dead letter; changes nothing. */
  readonly previewEnvelope: Sends<'preview_envelope'>;
  /**
   * Success -> succeeded, failure -> dead_lettered; in the same transaction a draft that got a name or path moves there.
   * Repeating an acknowledgement changes nothing and answers the same. null: unknown.
   */
  readonly acknowledgeOperation: Sends<'acknowledge_operation'>;
  /**
   * The end of an attempt: operation, event, draft and the operations that it superseded, in one transaction. null: it is not this
   * attempt's any more (acknowledged or leased by another one meanwhile); nothing changed.
   */
  readonly finishAttempt: Sends<'finish_writeback'>;
  readonly createFork: Sends<'create_fork', 'atMs'>;
  readonly changeFork: Sends<'change_fork', 'atMs'>;
  readonly commitFork: Sends<'commit_fork', 'atMs'>;
  readonly rebaseFork: Sends<'rebase_fork', 'atMs'>;
  readonly discardFork: Sends<'discard_fork', 'atMs'>;
}
