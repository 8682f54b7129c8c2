// The port by subject: an interface for each kind of rows that are not workspace content. Its writes are commands (commands.ts).
import type { OperationAction, OperationStatus } from '../../contract/words.ts';
import type { Sends } from './commands.ts';
import type {
  AttemptRow,
  DeadLetterQuery,
  EnvelopeHead,
  EnvelopeRow,
  EnvelopeToLoad,
  IngressRow,
  PendingEnvelope,
  ProviderFailures,
} from './envelopes.ts';
import type { SubscriptionRow, WebhookCounts, WebhookDeliveryRow, WebhookRow } from './feed.ts';
import type { OperationRow, OperationStepRow, ProviderRow, WritebackCounts } from './outbound.ts';
import type { RemoteBaseRow, RemoteConflictRow, RemoteRow, RemoteSentRow } from './remotes.ts';
import type { RunRow } from './runs.ts';
import type { UsersSnapshot } from './users.ts';
import type {
  BaseRow,
  ConflictRow,
  JournalRow,
  MirrorRow,
  ProofRow,
  TokenRow,
  WorkspaceRow,
} from './workspaces.ts';

export interface WorkspaceStore {
  /** false: the id exists already (a deleted one counts). */
  readonly create: Sends<'create_workspace'>;
  get(workspaceId: string): Promise<WorkspaceRow | null>;
  list(options: { includeDeleted: boolean }): Promise<readonly WorkspaceRow[]>;
  readonly rename: Sends<'rename_workspace'>;
  /** Marks it deleted (its contents stay until retention deletes them) or, with null, restores it. */
  readonly setDeleted: Sends<'set_workspace_deleted'>;
}

export interface TokenStore {
  readonly insert: Sends<'insert_token'>;
  get(tokenId: string): Promise<TokenRow | null>;
  list(workspaceId: string): Promise<readonly TokenRow[]>;
  /** false: unknown. */
  readonly revoke: Sends<'revoke_token'>;
  /** Ids of tokens that are revoked and not yet expired; loaded at start so that verification needs no read. */
  revokedIds(nowMs: number): Promise<readonly string[]>;
  /** Does nothing for an unknown token. */
  readonly noteUse: Sends<'note_token_use'>;
}

/** Users, their roles in workspaces, and invites. */
export interface UserStore {
  readonly insert: Sends<'insert_user'>;
  readonly setDisabled: Sends<'set_user_disabled'>;
  readonly setRole: Sends<'set_user_role'>;
  readonly removeRole: Sends<'remove_user_role'>;
  /** Replaces the open invite of the user. false: unknown or disabled. */
  readonly insertInvite: Sends<'insert_invite'>;
  /** Once. null: unknown, used, expired, or of a disabled user. */
  readonly useInvite: Sends<'use_invite'>;
  readonly linkIdentity: Sends<'link_identity'>;
  /** Raised by every change of users and roles. */
  version(): Promise<number>;
  all(): Promise<UsersSnapshot>;
  userOfInvite(secretHash: string, atMs: number): Promise<string | null>;
}

/** Envelopes from their acceptance to their end, and the counters of inbound events. */
export interface IngestStore {
  /** Durable when it resolves. */
  readonly accept: Sends<'accept_envelope'>;
  /** By workspace and provider, in each in the order of arrival; the page after `after` (null: the first). */
  pending(after: PendingEnvelope | null, limit: number): Promise<readonly PendingEnvelope[]>;
  /** Those that wait, in the order of the numbers. */
  load(envelopes: readonly EnvelopeToLoad[]): Promise<readonly EnvelopeRow[]>;
  find(workspaceId: string, envelopeId: string): Promise<EnvelopeRow | null>;
  /** Of a row that `isLong`, read by the thread of the writer: a text of megabytes would hold up this one. null: it is gone. */
  readonly texts: Sends<'read_envelope_texts'>;
  /** Dead letters of that id, in any workspace. */
  findDead(envelopeId: string): Promise<readonly EnvelopeRow[]>;
  /** After a failed attempt. false: the envelope is not pending. */
  readonly fail: Sends<'fail_envelope'>;
  /** Oldest first, at most the newest 1,000. */
  attempts(number: number): Promise<readonly AttemptRow[]>;
  /** null: the cursor names no envelope of the workspace. */
  deadLetters(query: DeadLetterQuery): Promise<{ items: readonly EnvelopeHead[]; more: boolean } | null>;
  /** Dead letters become pending again; answers those that did. */
  readonly replay: Sends<'replay_envelopes'>;
  /** The number of those that were dead letters. */
  readonly acknowledge: Sends<'acknowledge_envelopes'>;
  ingress(workspaceId: string | null): Promise<readonly IngressRow[]>;
  queue(): Promise<{ pending: number; bytes: number }>;
  /** Dead letters by provider and cause. null: of every workspace. */
  deadLetterCauses(workspaceId: string | null): Promise<readonly ProviderFailures[]>;
  /** The error of the newest dead letter of each provider. */
  lastErrors(workspaceId: string): Promise<ReadonlyMap<string, string>>;
  /** First path segments of the workspace's files, lower-cased, in order: at most `limit` of those after `after`. */
  fileProviders(workspaceId: string, after: string, limit: number): Promise<readonly string[]>;
}

export interface OperationStore {
  get(workspaceId: string, opId: string): Promise<OperationRow | null>;
  /** Newest first. null: the cursor names no operation of this workspace. */
  list(
    workspaceId: string,
    query: { status?: string; action?: string; provider?: string; cursor: string | null; limit: number },
  ): Promise<{ items: readonly OperationRow[]; more: boolean } | null>;
  /** Those of registered providers, and those that have not succeeded. Newest first; null: as above. */
  listRegistered(
    workspaceId: string,
    query: { cursor: string | null; limit: number },
  ): Promise<{ items: readonly OperationRow[]; more: boolean } | null>;
  /** Succeeded ones of no registered provider, counted up to 100,000. */
  countPlainSaves(workspaceId: string): Promise<number>;
  /** Of one status, oldest first, without superseded ones. */
  oldest(
    workspaceId: string,
    query: { status: OperationStatus; action?: OperationAction; provider?: string; limit: number },
  ): Promise<{ items: readonly OperationRow[]; more: boolean }>;
  /** Pending and running, oldest first, without superseded ones. */
  pending(workspaceId: string, limit: number, afterOpId?: string | null): Promise<readonly OperationRow[]>;
  steps(workspaceId: string, opId: string): Promise<readonly OperationStepRow[]>;
  /**
   * Replay: dead_lettered -> pending with attemptCount 0, without lastError and completedAt; any other status changes nothing.
   * `current`: it sends what its path contains now. The row before, and whether it was requeued; null: unknown.
   */
  readonly requeue: Sends<'requeue_operation'>;
  /** A pending operation in backoff is due at once; any other changes nothing. null: unknown. */
  readonly retryNow: Sends<'retry_operation_now'>;
  /** pending -> canceled; any other status changes nothing. null: unknown. */
  readonly cancel: Sends<'cancel_operation'>;
}

/** The queue of pending operations, as the dispatcher uses it. */
export interface WritebackStore {
  /** pending -> running, with a lease: the oldest operations that are due and not behind another one of their path.
   * Operations whose lease ran out are due again. `owner`: the process, by a name that it keeps over its restarts. */
  readonly lease: Sends<'lease_writebacks'>;
  /** Operations of the provider in backoff are due now. */
  readonly retryNow: Sends<'retry_writebacks_now'>;
  /** For the start of the owner: no attempt of it runs, so the operations that it had leased are pending again. Answers how many there
   * were. */
  readonly release: Sends<'release_writebacks'>;
  /** When the next waiting operation of the provider is due, also in the past; null: none waits. */
  nextDueMs(workspaceId: string, provider: string): Promise<number | null>;
  /** Paths whose newest local state has not reached its provider: waiting, running, or dead-lettered and still current. */
  unsentPaths(workspaceId: string): Promise<readonly string[]>;
  /**
   * Of these paths, those of files that were created here, whose current content a consumer or provider received, and that got no id
   * from it. `created`: it was received with the revision that created the file.
   */
  deliveredDrafts(
    workspaceId: string,
    paths: readonly string[],
  ): Promise<readonly { readonly path: string; readonly created: boolean }[]>;
  /** By provider, of one workspace or (null) of all together. */
  counts(workspaceId: string | null): Promise<readonly WritebackCounts[]>;
}

export interface ProviderStore {
  /** false: the name is taken, or the workspace unknown. */
  readonly insert: Sends<'insert_provider'>;
  /** Of all workspaces, deleted ones included. */
  list(): Promise<readonly ProviderRow[]>;
  /** The row after the update; null: unknown. */
  readonly update: Sends<'update_provider'>;
  /** Removes it and cancels its pending operations. null: unknown. */
  readonly remove: Sends<'remove_provider'>;
}

/** Webhook endpoints and their deliveries. */
export interface WebhookStore {
  /** Also deletes expired and revoked endpoints of the workspace, except the newest `endedMax`. */
  readonly insert: Sends<'insert_webhook'>;
  /** Of all workspaces that are not deleted. */
  list(): Promise<readonly WebhookRow[]>;
  /** With its deliveries. false: unknown. */
  readonly remove: Sends<'remove_webhook'>;
  /** May it be called at this time? false also when it is unknown. */
  isActive(workspaceId: string, webhookId: string, atMs: number): Promise<boolean>;
  /** Of an expired or revoked endpoint: deletes its pending and running deliveries. Dead letters stay. */
  readonly dropWaiting: Sends<'drop_webhook_deliveries'>;
  /** Adds deliveries for the events in `(from, to]` and moves the position, together. false: the position is no longer `from`, or the
   * endpoint is expired or revoked; nothing changed. */
  readonly add: Sends<'add_webhook_deliveries'>;
  /** Pending and running deliveries, counted up to a limit. */
  waiting(workspaceId: string, webhookId: string, countMax: number): Promise<number>;
  /** pending -> running: the oldest that are due, or whose lease ran out. None of an expired or revoked endpoint; those of paths that
   * are hidden from the subject that registered it are deleted. */
  readonly lease: Sends<'lease_webhook_deliveries'>;
  nextDueMs(workspaceId: string, webhookId: string): Promise<number | null>;
  /** The end of an attempt. null: it is not this attempt's any more; nothing changed. */
  readonly finish: Sends<'finish_webhook_delivery'>;
  counts(): Promise<WebhookCounts>;
  /** For the start of the owner: the deliveries that it had leased are pending again. */
  readonly release: Sends<'release_webhook_deliveries'>;
  /** Dead letters, and those replayed since, newest first. */
  deadLetters(
    workspaceId: string,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<{ readonly items: readonly WebhookDeliveryRow[]; readonly more: boolean }>;
  /** dead_lettered -> pending; any other status, and an expired or revoked endpoint, changes nothing. The status before; null: unknown,
   * or of none of these endpoints. */
  readonly replay: Sends<'replay_webhook_delivery'>;
}

export interface SubscriptionStore {
  /** Creates it, or extends the active one for the same events. */
  readonly renew: Sends<'renew_subscription'>;
  /** Active ones. */
  list(workspaceId: string, owner: string, atMs: number): Promise<readonly SubscriptionRow[]>;
  /** With its deliveries. false: unknown, or not active. */
  readonly cancel: Sends<'cancel_subscription'>;
  /** The oldest pending ones, and those whose lease ran out. */
  readonly claim: Sends<'claim_subscription_deliveries'>;
  /** Idempotent: an accepted delivery answers the same. */
  readonly accept: Sends<'accept_subscription_delivery'>;
}

/** What the store remembers for mirrors: no content. */
export interface MirrorStore {
  readonly insert: Sends<'insert_mirror'>;
  list(): Promise<readonly MirrorRow[]>;
  readonly update: Sends<'update_mirror'>;
  readonly remove: Sends<'remove_mirror'>;
  /** The whole stored base, by path, in parts. */
  loadBase(mirrorId: string, take: (rows: readonly BaseRow[]) => void): Promise<void>;
  /** A page of the stored base, by path. */
  listBase(mirrorId: string, afterPath: string, limit: number): Promise<readonly BaseRow[]>;
  countBase(mirrorId: string): Promise<number>;
  readonly saveBase: Sends<'save_base'>;
  /** Deletes its proof, too. */
  readonly clearBase: Sends<'clear_base'>;
  /** Replaces the previous one. */
  readonly saveProof: Sends<'save_proof'>;
  lastProof(mirrorId: string): Promise<ProofRow | null>;
  /** Durable when it resolves; ids are in the order of the rows. */
  readonly beginIntents: Sends<'begin_intents'>;
  readonly endIntents: Sends<'end_intents'>;
  openIntents(mirrorId: string): Promise<readonly JournalRow[]>;
  readonly addConflict: Sends<'add_conflict'>;
  readonly removeConflict: Sends<'remove_conflict'>;
  listConflicts(mirrorId: string): Promise<readonly ConflictRow[]>;
}

export interface MaintenanceStore {
  /** Random id of this database's life; a restored backup gets a new one. */
  epoch(): Promise<string>;
  /** Empty when everything is intact. Each line is one finding. */
  integrityCheck(): Promise<readonly string[]>;
  /** A consistent copy into an empty or new directory: database first, then the blobs that it names, then verified. */
  backup(dir: string): Promise<{ blobFiles: number; bytes: number }>;
  /** The time that retention uses: the clock's, but at most one day after the time of the previous call, which it records. */
  readonly retentionTime: Sends<'note_retention_time'>;
  /** Deletes history, events, operations and deleted workspaces beyond retention; frees blobs. */
  applyRetention(
    nowMs: number,
  ): Promise<{ revisions: number; events: number; operations: number; blobs: number }>;
  /** Counts for metrics and diagnostics. */
  counts(): Promise<Readonly<Record<string, number>>>;
}

export interface RunStore {
  /** Creates the run and its fork in one transaction. */
  readonly create: Sends<'create_run'>;
  find(workspaceId: string, runId: string): Promise<RunRow | null>;
  findOfFork(workspaceId: string, forkId: string): Promise<RunRow | null>;
  /** Newest first, older than a number. */
  list(workspaceId: string, before: number | null, limit: number): Promise<readonly RunRow[]>;
}

/** What the store remembers for remotes: no content. */
export interface RemoteStore {
  /** false: the workspace has a remote. */
  readonly insert: Sends<'insert_remote'>;
  list(): Promise<readonly RemoteRow[]>;
  readonly update: Sends<'update_remote'>;
  readonly remove: Sends<'remove_remote'>;
  /** A page of the base, by path. */
  listBase(remoteId: string, afterPath: string, limit: number): Promise<readonly RemoteBaseRow[]>;
  /** The rows of these paths, as far as there are any. */
  baseOf(remoteId: string, paths: readonly string[]): Promise<readonly RemoteBaseRow[]>;
  /** A page of the paths of the base below a directory. */
  basePathsBelow(
    remoteId: string,
    directory: string,
    afterPath: string,
    limit: number,
  ): Promise<readonly string[]>;
  countBase(remoteId: string): Promise<number>;
  /** The newest revision of the remote that the base names; null: the base is empty. */
  newestRevision(remoteId: string): Promise<string | null>;
  readonly saveBase: Sends<'save_remote_base'>;
  /** With what was sent. */
  readonly clearBase: Sends<'clear_remote_base'>;
  /** Durable when it resolves. */
  readonly recordSent: Sends<'record_remote_sent'>;
  listSent(remoteId: string): Promise<readonly RemoteSentRow[]>;
  /** Oldest first. */
  listConflicts(remoteId: string): Promise<readonly RemoteConflictRow[]>;
  readonly removeConflict: Sends<'remove_remote_conflict'>;
}
