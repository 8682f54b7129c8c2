// The store's port: coarse, asynchronous, plain data. Everything above speaks to this interface and never to SQLite, so that
// a second engine can stand behind it. Writes of one batch are one transaction; a promise resolves after its COMMIT.
import type { ContentIdentity } from '../contract/files.ts';
import type { MirrorMode, OperationAction, OperationStatus, Origin } from '../contract/words.ts';
import type { AgreedFile, ChangeFiles, ChangeResult } from '../core/change.ts';
import type { AccessSubject } from '../core/entry.ts';
import type { AttemptOutcome, FailureCode } from '../core/writeback.ts';
import type { FileStore, RestoreFiles, RestoreResult } from './file-port.ts';
import type { ForkStore } from './fork-port.ts';
import type { IngestStore } from './ingest-port.ts';
import type { SubscriptionStore } from './subscription-port.ts';
import type { WebhookStore } from './webhook-port.ts';

export type * from './file-port.ts';
export type * from './fork-port.ts';
export { ContentTooLargeError } from './incoming-blob.ts';
export type * from './ingest-port.ts';
export type * from './subscription-port.ts';
export type * from './webhook-port.ts';

/** Thrown (as a rejection) when the store cannot commit or answer right now; nothing was applied. HTTP says 503 `unavailable`. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

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
      provider: string | null;
      access: AccessSubject | null;
    },
  ): Promise<{ events: readonly EventRow[]; more: boolean; scannedTo: number | null }>;
  /** The position before the first event of the workspace at or after a time, as far as times go up with positions. */
  positionAt(workspaceId: string, atMs: number): Promise<number>;
  /** Range of kept sequence numbers, over all workspaces; 0 when there is none. `last` is the newest ever issued. */
  range(): Promise<{ oldest: number; last: number }>;
}

// ---- operations and writeback

export interface OperationRow {
  readonly opId: string;
  readonly workspaceId: string;
  readonly path: string;
  readonly revision: number;
  readonly action: OperationAction;
  readonly provider: string;
  readonly status: OperationStatus;
  readonly attemptCount: number;
  readonly nextAttemptAtMs: number | null;
  readonly lastError: string | null;
  readonly providerResult: Readonly<Record<string, unknown>> | null;
  readonly contentIdentity: ContentIdentity | null;
  readonly correlationId: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly completedAtMs: number | null;
  /** The newer operation of the same path that does this one's work, too. */
  readonly supersededBy: string | null;
  /** Failed attempts that count against its limit. */
  readonly failures: number;
  /** How often it was given other content to carry; part of its idempotency key. */
  readonly renewals: number;
  readonly failureCode: FailureCode | null;
  /** What became of the draft when it was acknowledged; null when nothing was asked for. */
  readonly draft: DraftOutcome | null;
}

export interface DraftOutcome {
  readonly action: 'renamed' | 'removed' | 'none';
  readonly from?: string;
  readonly to?: string;
}

/** What happened to an operation after it was made, in order. */
export interface OperationStepRow {
  readonly step: number;
  readonly kind: 'attempt' | 'acknowledged' | 'replayed' | 'hastened' | 'canceled';
  readonly atMs: number;
  /** Of an attempt: null while it runs. */
  readonly endedAtMs: number | null;
  readonly attempt: number | null;
  /** Of an attempt: how it ended; `interrupted`: the agent ended first. Of a replay: what is sent. */
  readonly outcome: string | null;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly nextAttemptAtMs: number | null;
  readonly correlationId: string | null;
}

export interface OperationStore {
  get(workspaceId: string, opId: string): Promise<OperationRow | null>;
  /** Newest first. null: the cursor names no operation of this workspace. */
  list(
    workspaceId: string,
    query: { status?: string; action?: string; provider?: string; cursor: string | null; limit: number },
  ): Promise<{ items: readonly OperationRow[]; more: boolean } | null>;
  /** Of one status, oldest first, without those whose work a newer one does. */
  oldest(
    workspaceId: string,
    query: { status: OperationStatus; action?: OperationAction; provider?: string; limit: number },
  ): Promise<{ items: readonly OperationRow[]; more: boolean }>;
  /** Oldest first, pending and running, without those whose work a newer one does. */
  pending(workspaceId: string, limit: number): Promise<readonly OperationRow[]>;
  steps(workspaceId: string, opId: string): Promise<readonly OperationStepRow[]>;
  /** Success -> succeeded, failure -> dead_lettered; in the same transaction a draft that got a name or place goes there.
   * Repeating an acknowledgement changes nothing and answers the same. null: unknown. */
  acknowledge(
    workspaceId: string,
    opId: string,
    result: {
      success: boolean;
      error: string | null;
      externalId?: string | null;
      canonicalPath?: string | null;
      providerResult: Readonly<Record<string, unknown>> | null;
      correlationId?: string;
      atMs: number;
    },
  ): Promise<OperationRow | null>;
  /** Replay: dead_lettered -> pending with attemptCount 0, lastError and completedAt cleared; any other status changes
   * nothing. `current` (default): it carries what stands at its path now. The row as it was found and whether it was
   * requeued; null: unknown. */
  requeue(
    workspaceId: string,
    opId: string,
    atMs: number,
    more?: { send: 'current' | 'original'; correlationId: string },
  ): Promise<{ row: OperationRow; requeued: boolean } | null>;
  /** A pending one that waits for its next try is due at once; any other changes nothing. null: unknown. */
  hasten(
    workspaceId: string,
    opId: string,
    result: { correlationId: string; atMs: number },
  ): Promise<{ row: OperationRow; hastened: boolean } | null>;
  /** pending -> canceled; any other status changes nothing. null: unknown. */
  cancel(
    workspaceId: string,
    opId: string,
    result: { correlationId: string; atMs: number },
  ): Promise<{ row: OperationRow; canceled: boolean } | null>;
}

/** What a worker does with the items of one provider. */
export interface WritebackStore {
  /** Takes the oldest items that are due and not behind another one of their path: pending -> running, with a lease.
   * Items whose lease ran out are due again. */
  lease(
    workspaceId: string,
    provider: string,
    options: { atMs: number; leaseMs: number; limit: number },
  ): Promise<readonly OperationRow[]>;
  /** The end of an attempt: item, event, draft and what it superseded in one transaction. null: it is not this attempt's
   * any more (acknowledged or leased by someone else meanwhile); nothing changed. */
  finish(
    workspaceId: string,
    opId: string,
    end: {
      attempt: number;
      outcome: AttemptOutcome;
      failuresMax: number;
      counts: boolean;
      random: number;
      atMs: number;
    },
  ): Promise<OperationRow | null>;
  /** After a start: nobody is at work yet, so what was running is pending again. How many there were. */
  releaseAll(atMs: number): Promise<number>;
  /** When the next waiting item of the provider is due, also in the past; null: none waits. */
  nextDueMs(workspaceId: string, provider: string): Promise<number | null>;
  /** Paths whose newest local state has not reached its provider: waiting, running, or dead and still current. */
  unsentPaths(workspaceId: string): Promise<readonly string[]>;
  /** By provider, of one workspace or (null) of all together. */
  figures(workspaceId: string | null): Promise<readonly WritebackFigures[]>;
}

export interface WritebackFigures {
  readonly provider: string;
  readonly pending: number;
  readonly running: number;
  readonly deadLettered: number;
  readonly oldestPendingAtMs: number | null;
  /** Of dead-lettered items: how many for which cause. */
  readonly failureCodes: Readonly<Partial<Record<FailureCode, number>>>;
}

// ---- providers

export interface ProviderRow {
  readonly workspaceId: string;
  /** First path segment of its files, lower-cased. */
  readonly name: string;
  /** `external`: a consumer polls and acknowledges. `http`: this agent sends. */
  readonly kind: 'external' | 'http';
  readonly url: string | null;
  readonly refreshUrl: string | null;
  /** Addresses without TLS, and loopback and private ranges, are allowed. */
  readonly plainHttp: boolean;
  readonly privateAddresses: boolean;
  readonly timeoutMs: number;
  /** true: nothing is sent until it is resumed. */
  readonly paused: boolean;
  readonly lastSuccessAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  readonly lastError: string | null;
  /** The last refresh that was asked for; due while `finishedAtMs` is null. */
  readonly refresh: {
    readonly id: string;
    readonly correlationId: string;
    readonly requestedAtMs: number;
    readonly finishedAtMs: number | null;
    readonly error: string | null;
  } | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface ProviderStore {
  /** false: the name is taken, or the workspace unknown. */
  insert(row: ProviderRow): Promise<boolean>;
  /** Of all workspaces, deleted ones included. */
  list(): Promise<readonly ProviderRow[]>;
  /** The row as it is then; null: unknown. */
  update(
    workspaceId: string,
    name: string,
    patch: Partial<Omit<ProviderRow, 'workspaceId' | 'name' | 'kind' | 'createdAtMs'>>,
  ): Promise<ProviderRow | null>;
  /** Takes it away and cancels what waits for it. null: unknown. */
  remove(
    workspaceId: string,
    name: string,
    how: { atMs: number; correlationId: string },
  ): Promise<{ canceled: number } | null>;
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

// ---- mirrors (bookkeeping only; content goes through `change`)

export interface MirrorRow {
  readonly mirrorId: string;
  readonly workspaceId: string;
  readonly dir: string;
  readonly mode: MirrorMode;
  /** The directory of the workspace that the folder shows; paths of its base and conflicts count from there. */
  readonly rootPath: string;
  /** Random id that also stands in the folder's marker file. */
  readonly markerId: string;
  readonly rootDevice: string;
  readonly rootInode: string;
  readonly paused: boolean;
  /** More deletions than this within a minute are asked about; null: as many as the guard believes by itself. */
  readonly deletesPerMinuteMax: number | null;
  /** Why it halted; null when it did not. Survives restarts. */
  readonly haltedCause: string | null;
  /** The store's epoch in which the base was agreed; another one makes the base unknown. */
  readonly epoch: string;
  /** true once the first contact was completed. */
  readonly established: boolean;
  readonly lastSyncAtMs: number | null;
  readonly createdAtMs: number;
}

/** What both sides last agreed on, with the file's identity on disk at that moment. */
export interface BaseRow extends AgreedFile {
  readonly revision: number;
}

/** An intent: written before a system call changes the folder. */
export interface JournalRow {
  readonly id: number;
  readonly action: 'put' | 'remove' | 'move';
  readonly path: string;
  readonly fromPath: string | null;
  readonly tempName: string | null;
  /** What will be there afterwards; null for a removal. */
  readonly hash: string | null;
}

export interface ConflictRow {
  readonly conflictId: string;
  readonly path: string;
  /** The folder's version, an ordinary synced file beside it. */
  readonly copyPath: string;
  readonly localHash: string;
  readonly workspaceHash: string | null;
  readonly baseHash: string | null;
  readonly atMs: number;
}

/** That both sides of a mirror and its base were found equal. */
export interface ProofRow {
  readonly atMs: number;
  /** Of the Merkle tree that all three had. */
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  readonly leftOut: number;
  readonly hashedFiles: number;
  readonly hashedBytes: number;
}

export interface MirrorStore {
  insert(row: MirrorRow): Promise<void>;
  list(): Promise<readonly MirrorRow[]>;
  update(mirrorId: string, patch: Partial<Omit<MirrorRow, 'mirrorId' | 'workspaceId'>>): Promise<void>;
  remove(mirrorId: string): Promise<void>;
  loadBase(mirrorId: string): Promise<readonly BaseRow[]>;
  /** A page of it as it is stored, in the order of paths, after a path. */
  listBase(mirrorId: string, afterPath: string, limit: number): Promise<readonly BaseRow[]>;
  countBase(mirrorId: string): Promise<number>;
  saveBase(mirrorId: string, upserts: readonly BaseRow[], removals: readonly string[]): Promise<void>;
  /** What was proved of it is forgotten, too. */
  clearBase(mirrorId: string): Promise<void>;
  /** In place of the one before. */
  keepProof(mirrorId: string, row: ProofRow): Promise<void>;
  lastProof(mirrorId: string): Promise<ProofRow | null>;
  /** Durable when it resolves; ids stand in the order of the rows. */
  beginIntents(mirrorId: string, rows: readonly Omit<JournalRow, 'id'>[]): Promise<readonly number[]>;
  endIntents(mirrorId: string, ids: readonly number[]): Promise<void>;
  openIntents(mirrorId: string): Promise<readonly JournalRow[]>;
  addConflict(mirrorId: string, row: ConflictRow): Promise<void>;
  removeConflict(mirrorId: string, conflictId: string): Promise<void>;
  listConflicts(mirrorId: string): Promise<readonly ConflictRow[]>;
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
  /** Lets go of history, events, operations and deleted workspaces beyond retention; frees blobs. */
  sweep(nowMs: number): Promise<{ revisions: number; events: number; operations: number; blobs: number }>;
  /** Numbers for metrics and diagnostics. */
  figures(): Promise<Readonly<Record<string, number>>>;
}
