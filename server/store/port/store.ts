// The store's port: coarse, asynchronous, plain data. Everything above speaks to this interface and never to SQLite, so that
// a second engine can stand behind it. Writes of one batch are one transaction; a promise resolves after its COMMIT.
import type { Origin } from '../../contract/words.ts';
import type { ChangeFiles, ChangeResult } from '../../core/change/change.ts';
import type { AccessSubject } from '../../core/entry.ts';
import type { IngestStore } from './envelopes.ts';
import type { FileStore, RestoreFiles, RestoreResult } from './files.ts';
import type { ForkStore } from './forks.ts';
import type { MirrorStore } from './mirrors.ts';
import type { OperationStore, WritebackStore } from './operations.ts';
import type { ProviderStore } from './providers.ts';
import type { SubscriptionStore } from './subscriptions.ts';
import type { WebhookStore } from './webhooks.ts';

export type * from './envelopes.ts';
export {
  ContentTooLargeError,
  CorruptContentError,
  type StoreFault,
  StoreUnavailableError,
} from './errors.ts';
export type * from './files.ts';
export type * from './forks.ts';
export type * from './mirrors.ts';
export type * from './operations.ts';
export type * from './providers.ts';
export type * from './subscriptions.ts';
export type * from './webhooks.ts';

export interface Store {
  readonly workspaces: WorkspaceStore;
  readonly files: FileStore;
  readonly forks: ForkStore;
  readonly events: EventStore;
  readonly operations: OperationStore;
  readonly writebacks: WritebackStore;
  readonly providers: ProviderStore;
  readonly webhooks: WebhookStore;
  readonly subscriptions: SubscriptionStore;
  /** What comes in. Its `apply` changes content and is called by `WorkspaceService.deliver` alone. */
  readonly ingest: IngestStore;
  readonly tokens: TokenStore;
  readonly mirrors: MirrorStore;
  readonly maintenance: MaintenanceStore;
  /** The one write path of workspace content. Results stand in the order of the changes. */
  change(command: ChangeFiles): Promise<readonly ChangeResult[]>;
  /** The same for a past state: all of it, or nothing. */
  restore(command: RestoreFiles): Promise<RestoreResult>;
  /** Called after each COMMIT that made events. Returns the unsubscribe function. */
  onCommit(listener: (commit: Commit) => void): () => void;
  close(): Promise<void>;
}

/** What a committed batch touched: enough to wake the feed, which then reads rows. */
export interface Commit {
  readonly lastEventSeq: number;
  readonly workspaceIds: readonly string[];
}

// ---- workspaces

export interface WorkspaceRow {
  readonly workspaceId: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly deletedAtMs: number | null;
  readonly files: number;
}

export interface WorkspaceStore {
  /** false: the id exists already (a deleted one counts). */
  create(row: { workspaceId: string; name: string; createdAtMs: number }): Promise<boolean>;
  get(workspaceId: string): Promise<WorkspaceRow | null>;
  list(options: { includeDeleted: boolean }): Promise<readonly WorkspaceRow[]>;
  rename(workspaceId: string, name: string): Promise<boolean>;
  /** Marks it deleted (contents stay until retention lets them go) or, with null, restores it. */
  setDeleted(workspaceId: string, deletedAtMs: number | null): Promise<boolean>;
}

// ---- events

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

export interface EventStore {
  /** Ascending: seq > after. Descending: seq < before. Filtered by path prefix, provider and access (ruling 27). `more`
   * may be true with a short page; `scannedTo` is the position to go on from. */
  list(
    workspaceId: string,
    query: {
      direction: 'asc' | 'desc';
      /** Exclusive start; null = the oldest (asc) or the newest (desc). */
      from: number | null;
      limit: number;
      pathPrefix: string | null;
      /** true: `pathPrefix` alone, nothing below it. */
      pathOnly?: boolean;
      provider: string | null;
      access: AccessSubject | null;
    },
  ): Promise<{ events: readonly EventRow[]; more: boolean; scannedTo: number | null }>;
  /** The position before the first event of the workspace at or after a time, as far as times go up with positions. */
  positionAt(workspaceId: string, atMs: number): Promise<number>;
  /** Range of kept sequence numbers, over all workspaces; 0 when there is none. `last` is the newest ever issued. */
  range(): Promise<{ oldest: number; last: number }>;
}

// ---- tokens

export interface TokenRow {
  readonly tokenId: string;
  readonly workspaceId: string;
  readonly agent: string;
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly revokedAtMs: number | null;
  readonly deletesPerMinute: number | null;
  /** To the minute; null: never yet. */
  readonly lastUsedAtMs: number | null;
}

export interface TokenStore {
  insert(row: TokenRow): Promise<void>;
  get(tokenId: string): Promise<TokenRow | null>;
  list(workspaceId: string): Promise<readonly TokenRow[]>;
  /** false: unknown. */
  revoke(workspaceId: string, tokenId: string, atMs: number): Promise<boolean>;
  /** Token ids that are revoked and not yet expired; loaded at start so that verification needs no read. */
  revokedIds(nowMs: number): Promise<readonly string[]>;
  /** Of a token that is not known nothing is kept. */
  noteUse(tokenId: string, atMs: number): Promise<void>;
}

// ---- maintenance

export interface MaintenanceStore {
  /** Random id of this database's life; a restored backup gets a new one. */
  epoch(): Promise<string>;
  lastRevision(): Promise<number>;
  /** Empty when whole. Each line names what is wrong. */
  integrityCheck(): Promise<readonly string[]>;
  /** A consistent copy into an empty or new directory: database first, then the blobs that the copy names, then verified. */
  backup(dir: string): Promise<{ blobFiles: number; bytes: number }>;
  /** What `sweep` may take for the time: the clock's, but at most a day after the time of the last call, which it notes. */
  retentionTime(clockMs: number): Promise<number>;
  /** Lets go of history, events, operations and deleted workspaces beyond retention; frees blobs. */
  sweep(nowMs: number): Promise<{ revisions: number; events: number; operations: number; blobs: number }>;
  /** Numbers for metrics and diagnostics. */
  figures(): Promise<Readonly<Record<string, number>>>;
}
