// Rows and inputs of operations, and rows of providers: their settings and requested refreshes. Plain data.
import type { ContentIdentity } from '../../contract/files.ts';
import type { OperationAction, OperationStatus } from '../../contract/words.ts';
import type { Authority } from '../../core/access/authority.ts';
import type { AttemptOutcome, FailureCode } from '../../core/outbound/decide-attempt.ts';

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
  /** How often its content was replaced; part of its idempotency key. */
  readonly renewals: number;
  readonly failureCode: FailureCode | null;
  /** The outcome of its draft at the acknowledgement; null: there was none. */
  readonly draft: DraftOutcome | null;
}

export interface DraftOutcome {
  readonly action: 'renamed' | 'removed' | 'none';
  readonly from?: string;
  readonly to?: string;
}

/** A step in the life of an operation. */
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

export interface WritebackCounts {
  readonly provider: string;
  readonly pending: number;
  readonly running: number;
  readonly deadLettered: number;
  readonly oldestPendingAtMs: number | null;
  /** Dead-lettered operations by cause. */
  readonly failureCodes: Readonly<Partial<Record<FailureCode, number>>>;
}

export interface OperationKey {
  readonly workspaceId: string;
  readonly opId: string;
}

export interface AcknowledgeOperationInput extends OperationKey {
  readonly success: boolean;
  readonly error: string | null;
  readonly externalId?: string | null;
  readonly canonicalPath?: string | null;
  readonly providerResult: Readonly<Record<string, unknown>> | null;
  readonly correlationId?: string;
  /** Who acknowledges: its draft moves only where that caller may change files. Absent: nothing limits it. */
  readonly authority?: Authority | null;
  readonly atMs: number;
}

/** The end of an attempt. */
export interface FinishAttemptInput extends OperationKey {
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
  readonly failuresMax: number;
  readonly counts: boolean;
  readonly random: number;
  readonly atMs: number;
}

// ---- providers

export interface RefreshRequest {
  readonly id: string;
  readonly correlationId: string;
  readonly requestedAtMs: number;
  /** The caller's authority; null: unlimited. */
  readonly authority: Authority | null;
}

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
  /** The last refresh that began, or begins next; due while `finishedAtMs` is null. */
  readonly refresh:
    | (RefreshRequest & {
        readonly finishedAtMs: number | null;
        readonly error: string | null;
        /** Starts without an end, the running one included. */
        readonly openStarts: number;
      })
    | null;
  /** Those that follow it, each on an authority of its own, in their order. */
  readonly nextRefreshes: readonly RefreshRequest[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export type ProviderPatch = Partial<Omit<ProviderRow, 'workspaceId' | 'name' | 'kind' | 'createdAtMs'>>;
