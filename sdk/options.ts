// Options of calls, and inputs and answers that differ from the wire. Types only.
import type { EventPage } from '../server/contract/events.ts';
import type { ContentIdentity } from '../server/contract/files.ts';
import type { LogLevel, LogSource } from '../server/contract/logs.ts';
import type { FailureCause } from '../server/contract/sync.ts';

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** Identifies the request in the agent's log. Default: the client's, or a new random one. */
  readonly correlationId?: string;
  /** Time limit of the whole call, or for streams until the headers. Default: that of the client, extended by the time of the bodies. */
  readonly timeoutMs?: number;
}

/** Options of calls that also work in a fork. */
export interface InForkOptions extends CallOptions {
  /** Default: the workspace itself. */
  readonly forkId?: string;
}

export interface TreeOptions extends InForkOptions {
  /** Default `/`. */
  readonly path?: string;
  /** 1 to 100, default 10. */
  readonly depth?: number;
  readonly cursor?: string;
}

export interface SearchOptions extends InForkOptions {
  /** Default `text`: words and phrases. */
  readonly mode?: 'text' | 'literal' | 'regex' | 'name';
  /** Default `/`. */
  readonly path?: string;
  readonly glob?: string;
  readonly provider?: string;
  readonly changedSince?: string | Date;
  /** Files per page: 1 to 500, default 50. */
  readonly limit?: number;
  readonly cursor?: string;
  /** Lines before and after each match: 0 to 10. */
  readonly context?: number;
  readonly caseSensitive?: boolean;
  /** Waits until everything that is committed now is indexed, up to 10,000. */
  readonly waitMs?: number;
}

/** History has no forks. */
export type PastTreeOptions = Omit<TreeOptions, 'forkId'>;

/** `*`: create or overwrite. `0`: create only. A revision (`rev_42`): replace this revision only. */
export type IfMatch = '*' | '0' | (string & {});

/** Metadata of a file. Properties are stored as text. */
export interface SemanticsInput {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly relations?: readonly string[];
  readonly permissions?: readonly string[];
  readonly comments?: readonly string[];
}

export interface WriteOptions extends InForkOptions {
  /** Default `*`. */
  readonly ifMatch?: IfMatch;
  /** Default: that of the existing file, or the agent's choice. */
  readonly contentType?: string;
  /** Non-empty metadata replaces the old metadata. Absent: no change. */
  readonly semantics?: SemanticsInput;
  readonly contentIdentity?: ContentIdentity;
}

/** One file of `files.writeMany`. Bytes are sent as base64, text as text. */
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
  /** Default `*`: any revision. */
  readonly ifMatch?: IfMatch;
}

export interface ReadOptions extends InForkOptions {
  /** A retained revision, also from before a move. Default: the current one. */
  readonly revision?: string;
  /** The state at this time, instead of a `revision`. */
  readonly at?: string | Date;
}

export interface FileStat {
  readonly revision: string;
  /** Size of the content in bytes. */
  readonly size: number;
}

/** A stream of bytes. `part` is their range within the file. */
export interface RawFile {
  readonly revision: string;
  /** Size of the whole file in bytes. */
  readonly size: number;
  readonly part: { readonly start: number; readonly end: number };
  readonly stream: ReadableStream<Uint8Array>;
}

/** A move of a file in a fork. */
export interface StagedMove {
  readonly from: string;
  /** Of `from`. */
  readonly revision: string;
  readonly to: string;
  readonly ifMatch?: IfMatch;
}

export interface RawReadOptions extends ReadOptions {
  /** First byte. Default 0. */
  readonly start?: number;
  /** Exclusive. Default: the end of the file. */
  readonly end?: number;
}

export interface RawWriteOptions extends InForkOptions {
  /** Default `*`. */
  readonly ifMatch?: IfMatch;
  /** Default: that of the existing file, or by name. */
  readonly contentType?: string;
  /** Identifies this write, so that a repeat of it writes nothing. */
  readonly contentIdentity?: WriteOptions['contentIdentity'];
}

export interface ReadManyOptions extends InForkOptions {
  /** Contents of more bytes are omitted: those files have the status 413 and all but their content. */
  readonly contentBytesMax?: number;
}

export interface EditOptions extends Omit<WriteOptions, 'ifMatch'> {
  /** Maximum number of attempts when the file changes meanwhile. Default 10. */
  readonly tries?: number;
}

export interface HistoryOptions extends CallOptions {
  /** Include all descendants of the path. */
  readonly below?: boolean;
  /** Only deletions, at or below the path, of files that do not exist now. */
  readonly deleted?: boolean;
  /** Only changes of one request at or below the path. */
  readonly batch?: string;
  /** Default true: includes the history of a file before it was moved to the path. */
  readonly follow?: boolean;
  readonly cursor?: string;
  /** 1 to 1000, default 100. */
  readonly limit?: number;
}

export interface DiffOptions extends CallOptions {
  /** A revision, or `0` for no file. Default: the one before `to`. */
  readonly from?: string;
  /** Default: the newest. */
  readonly to?: string;
}

/** The state to restore: exactly one of `revision`, `at` and `batch`. */
export interface RestoreInput {
  /** A file, or a directory with all descendants. Default: `/`. */
  readonly path?: string;
  readonly revision?: string;
  readonly at?: Date | string;
  readonly batch?: string;
  /** For files of a batch with later changes. Default `refuse`. */
  readonly ifChanged?: 'refuse' | 'keep';
  /** true: list the changes without applying them. */
  readonly dryRun?: boolean;
}

export interface QueryOptions extends InForkOptions {
  /** Only this path and its descendants. */
  readonly path?: string;
  readonly provider?: string;
  readonly relation?: string;
  readonly permission?: string;
  readonly comment?: string;
  /** All properties must match exactly. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly cursor?: string;
  /** 1 to 1000, default 100. */
  readonly limit?: number;
}

export interface EventsOptions extends CallOptions {
  /** Only this path and its descendants. */
  readonly path?: string;
  readonly provider?: string;
  /** Exclusive: events after this one, or before it with `desc`. */
  readonly cursor?: string;
  /** 1 to 1000, default 200. */
  readonly limit?: number;
  /** Default `asc`: oldest first. */
  readonly direction?: 'asc' | 'desc';
  /** Waits for the first event where the page would be empty. At most 50,000. */
  readonly waitMs?: number;
}

export interface ChangesOptions extends CallOptions {
  /** Changes at this time and later. Absent: the latest changes. */
  readonly since?: Date | string;
  /** 1 to 1000, default 100. */
  readonly last?: number;
  readonly path?: string;
  readonly provider?: string;
  /** With `since`: 1 to 1000, default 100. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** Which entries of the log. Absent: all. */
export interface LogFilterOptions extends CallOptions {
  /** This level and more severe ones. */
  readonly level?: LogLevel;
  readonly source?: LogSource;
  /** A text in any field, case-insensitive. */
  readonly q?: string;
  /** Entries of the request with this correlation id. */
  readonly ofCorrelationId?: string;
  readonly since?: Date | string;
  readonly until?: Date | string;
}

export interface LogsOptions extends LogFilterOptions {
  readonly cursor?: string;
  /** `newestId` of an earlier page. */
  readonly after?: string;
  /** 1 to 500, default 100. */
  readonly limit?: number;
}

export interface LogMinutesOptions extends LogFilterOptions {
  /** 1 to 1440, default 60. */
  readonly minutes?: number;
}

/** A page of runs. */
export interface RunsOptions extends CallOptions {
  /** `nextCursor` of the previous page. */
  readonly cursor?: string;
  /** Runs per page. */
  readonly limit?: number;
}

export interface IgnoredChangesOptions extends CallOptions {
  readonly cursor?: string;
  /** 1 to 1000, default 100. At most 20 with `patch`. */
  readonly limit?: number;
  /** true: each change includes a patch. */
  readonly patch?: boolean;
}

export interface CommitForkOptions extends CallOptions {
  /** The `stagedRevision` of the changes that you have read. Absent: the commit contains everything that is staged. */
  readonly stagedRevision?: number;
}

export interface ForkChangesOptions extends CallOptions {
  readonly cursor?: string;
  /** 1 to 1000, default 100. At most 20 with `patch`. */
  readonly limit?: number;
  /** true: each change includes a patch for `git apply`. */
  readonly patch?: boolean;
  /** Only paths that one of these globs matches. */
  readonly glob?: readonly string[];
}

export interface RunSummaryOptions extends CallOptions {
  /** Counts only paths that one of these globs matches. */
  readonly glob?: readonly string[];
}

/** A page of the feed. `cursorGap`: events after the cursor are no longer retained. */
export interface Events extends EventPage {
  readonly cursorGap: boolean;
}

export type ExportFormat = 'json' | 'tar' | 'patch';

export interface ExportOptions extends InForkOptions {
  /** Default `json`. */
  readonly format?: ExportFormat;
  readonly path?: string;
  /** Gzip level of `tar`, 1 (default, fast) to 9 (small); 0: an uncompressed tar. */
  readonly level?: number;
}

/** The stream ends with an error when the agent cannot finish the export. */
export interface ExportedWorkspace {
  readonly contentType: string;
  /** Approximate size of a tar before compression. null: unknown, or another format. */
  readonly tarBytes: number | null;
  readonly stream: ReadableStream<Uint8Array>;
}

export interface OperationsOptions extends CallOptions {
  readonly status?: string;
  readonly action?: string;
  readonly provider?: string;
  /** true: only those of registered providers, and those that have not succeeded. Not with the filters above. */
  readonly registered?: boolean;
  /** Only those whose path contains it, in any case, or whose id or correlation id it is. */
  readonly text?: string;
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

/** `current`: the current revision of the file. `original`: the revision of the operation. */
export type ReplayOf = 'current' | 'original';

export interface RetryOptions {
  /** Attempts after the first one. Default 3. 0: no retries. */
  readonly retries?: number;
  /** First backoff. It doubles with each retry, with jitter. Default 100. */
  readonly firstDelayMs?: number;
  /** Maximum backoff, and maximum Retry-After that is waited for. Default 10,000. */
  readonly delayMsMax?: number;
}

/** An event of a provider, with the names of the wire. */
export interface WebhookInput {
  readonly provider: string;
  /** `file.created`, `file.updated` or `file.deleted`. Other types are recorded without effect. */
  readonly event_type: string;
  readonly path: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** Idempotency key of the sender. */
  readonly delivery_id?: string;
  /** RFC 3339 time of the event at the provider. */
  readonly timestamp?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

export interface DeadLettersOptions extends CallOptions {
  readonly provider?: string;
  readonly cause?: FailureCause;
  /** Part of the path, the delivery id or the message of the cause. */
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
