// What calls take and answer beside the wire's own types: options, inputs in the SDK's words, joined answers. Types only.
import type { EventPage } from '../server/contract/events.ts';
import type { ContentIdentity } from '../server/contract/files.ts';
import type { FailureCause } from '../server/contract/sync.ts';

/** What every call takes: a signal that gives it up, a correlation id that is found again in the agent's log, a limit of time. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Default: the client's, else a new random one. */
  readonly correlationId?: string;
  /** Until the answer is there; of `exportWorkspace` until its first byte. Default: the client's. */
  readonly timeoutMs?: number;
}

/** Where a call may look into a fork. */
export interface InForkOptions extends CallOptions {
  /** Reads from or writes to this fork. Default: the workspace itself. */
  readonly forkId?: string;
}

export interface TreeOptions extends InForkOptions {
  /** Default `/`. */
  readonly path?: string;
  /** 1 to 100, default 10. */
  readonly depth?: number;
  readonly cursor?: string;
}

/** A past has no forks. */
export type PastTreeOptions = Omit<TreeOptions, 'forkId'>;

/** `*` creates or overwrites, `0` only creates, a revision (`rev_42`) only replaces that one. */
export type IfMatch = '*' | '0' | (string & {});

/** What may be written as metadata: properties of any JSON (kept as text), the rest lists of strings. */
export interface SemanticsInput {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly relations?: readonly string[];
  readonly permissions?: readonly string[];
  readonly comments?: readonly string[];
}

export interface WriteOptions extends InForkOptions {
  /** Default `*`. */
  readonly ifMatch?: IfMatch;
  /** Default: the existing file's, else the agent's choice. */
  readonly contentType?: string;
  /** Non-empty metadata replaces the old; absent keeps it. */
  readonly semantics?: SemanticsInput;
  readonly contentIdentity?: ContentIdentity;
}

/** One file of `bulkWrite`. Bytes travel as base64; text as it is. */
export interface BulkFileInput {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly contentType?: string;
  /** Default: create or overwrite. */
  readonly ifMatch?: IfMatch;
  readonly semantics?: SemanticsInput;
  readonly contentIdentity?: ContentIdentity;
}

export interface DeleteOptions extends InForkOptions {
  /** Default `*`: whatever revision it has. */
  readonly ifMatch?: IfMatch;
}

export interface ReadOptions extends InForkOptions {
  /** A kept revision, also from before a rename. Default: the current one. */
  readonly revision?: string;
  /** What stood at the path at this moment, instead of a `revision`. */
  readonly at?: string | Date;
}

export interface FileStat {
  readonly revision: string;
  /** Bytes of the content. */
  readonly size: number;
}

/** Bytes as they come; `part` says which of `size` they are. */
export interface RawFile {
  readonly revision: string;
  /** Of the whole file. */
  readonly size: number;
  readonly part: { readonly start: number; readonly end: number };
  readonly stream: ReadableStream<Uint8Array>;
}

export interface RawReadOptions extends ReadOptions {
  /** The first byte; default 0. */
  readonly start?: number;
  /** Exclusive; default: to the end. */
  readonly end?: number;
}

export interface RawWriteOptions extends InForkOptions {
  /** Default `*`. */
  readonly ifMatch?: IfMatch;
  /** Default: the existing file's, else by its name. */
  readonly contentType?: string;
}

export interface EditOptions extends Omit<WriteOptions, 'ifMatch'> {
  /** How often it begins again when somebody else was faster. Default 10. */
  readonly tries?: number;
}

export interface HistoryOptions extends CallOptions {
  /** All below the path, too. */
  readonly below?: boolean;
  /** Only what one request changed at or below the path. */
  readonly batch?: string;
  /** Default true: what a file was before it was moved to the path belongs to it. */
  readonly follow?: boolean;
  readonly cursor?: string;
  /** 1 to 1000, default 100. */
  readonly limit?: number;
}

export interface DiffOptions extends CallOptions {
  /** A revision, or `0` for nothing. Default: the one before `to`. */
  readonly from?: string;
  /** Default: the newest. */
  readonly to?: string;
}

/** What to bring back: exactly one of `revision`, `at` and `batch`. */
export interface RestoreInput {
  /** A file, or a directory with all below it. Default: everything. */
  readonly path?: string;
  readonly revision?: string;
  readonly at?: Date | string;
  readonly batch?: string;
  /** Of a batch whose files were changed since. Default `refuse`. */
  readonly ifChanged?: 'refuse' | 'keep';
  /** true: only say what would be done. */
  readonly dryRun?: boolean;
}

export interface QueryOptions extends InForkOptions {
  /** Restricts to this path and what lies below it. */
  readonly path?: string;
  readonly provider?: string;
  readonly relation?: string;
  readonly permission?: string;
  readonly comment?: string;
  /** All of them must match, exactly. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly cursor?: string;
  /** 1 to 1000, default 100. */
  readonly limit?: number;
}

export interface EventsOptions extends CallOptions {
  /** This path and what lies below it. */
  readonly path?: string;
  readonly provider?: string;
  /** Exclusive: events after this one (before it, when descending). */
  readonly cursor?: string;
  /** 1 to 1000, default 200. */
  readonly limit?: number;
  /** Default `asc`: the oldest first. */
  readonly direction?: 'asc' | 'desc';
}

export interface ChangesOptions extends CallOptions {
  /** Changes at this moment and later. Without it: the last ones. */
  readonly since?: Date | string;
  /** 1 to 1000, default 100. */
  readonly last?: number;
  readonly path?: string;
  readonly provider?: string;
  /** With `since`: 1 to 1000, default 100. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface ForkChangesOptions extends CallOptions {
  readonly cursor?: string;
  /** 1 to 1000, default 100; with patches at most 20. */
  readonly limit?: number;
  /** true: with what a commit would change of each, as a patch for `git apply`. */
  readonly patch?: boolean;
}

/** A page of the feed. `cursorGap`: the cursor was older than the oldest kept event, so events between are gone. */
export interface Events extends EventPage {
  readonly cursorGap: boolean;
}

export type ExportFormat = 'json' | 'tar' | 'patch';

export interface ExportOptions extends InForkOptions {
  /** Default `json`. */
  readonly format?: ExportFormat;
  readonly path?: string;
}

/** The body breaks off with an error, and never ends cleanly, when the agent could not finish the export. */
export interface ExportedWorkspace {
  readonly contentType: string;
  readonly stream: ReadableStream<Uint8Array>;
}

export interface OperationsOptions extends CallOptions {
  readonly status?: string;
  readonly action?: string;
  readonly provider?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface AcknowledgeInput {
  /** Default true. */
  readonly success?: boolean;
  readonly error?: string;
  readonly externalId?: string;
  readonly canonicalPath?: string;
  readonly providerResult?: Readonly<Record<string, unknown>>;
}

/** `current`: the file as it is now. `original`: the revision that the operation was made of. */
export type ReplayOf = 'current' | 'original';

export interface RetryOptions {
  /** Tries after the first one. Default 3; 0 turns retries off. */
  readonly retries?: number;
  /** First pause; it doubles, with jitter. Default 100. */
  readonly firstDelayMs?: number;
  /** Longest pause, also of a Retry-After that is obeyed. Default 10,000. */
  readonly delayMsMax?: number;
}

/** What a provider's event says; names as on the wire. */
export interface WebhookInput {
  readonly provider: string;
  /** `file.created`, `file.updated`, `file.deleted`; any other is noted and has no effect. */
  readonly event_type: string;
  readonly path: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** Makes a repeat harmless. */
  readonly delivery_id?: string;
  /** RFC 3339: when it happened at the provider. */
  readonly timestamp?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

export interface DeadLettersOptions extends CallOptions {
  readonly provider?: string;
  readonly cause?: FailureCause;
  /** Part of the path, the delivery id or the cause's words. */
  readonly text?: string;
  readonly cursor?: string;
  /** 1 to 1000, default 100. */
  readonly limit?: number;
}

interface AdminOptions extends CallOptions {
  readonly workspaceId?: string;
  readonly provider?: string;
  readonly nonZeroOnly?: boolean;
  readonly maxAlerts?: number;
  readonly cursor?: string;
  readonly limit?: number;
  readonly includeWorkspaces?: boolean;
  readonly includeAlerts?: boolean;
}

export interface AdminIngressOptions extends AdminOptions {
  readonly alertProfile?: 'strict' | 'balanced' | 'relaxed';
  readonly pendingThreshold?: number;
  readonly deadLetterThreshold?: number;
  readonly staleThreshold?: number;
  readonly dropRateThreshold?: number;
}

export interface AdminSyncOptions extends AdminOptions {
  readonly statusErrorThreshold?: number;
  readonly lagSecondsThreshold?: number;
  readonly deadLetteredEnvelopesThreshold?: number;
  readonly deadLetteredOpsThreshold?: number;
}

export interface WebhookDeadLettersOptions extends CallOptions {
  readonly cursor?: string;
  /** 1 to 1000, default 100. */
  readonly limit?: number;
}

export interface ClaimOptions extends CallOptions {
  /** 1 to 250, default 100. */
  readonly limit?: number;
}
