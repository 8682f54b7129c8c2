// The store's port, of operations and what is written back with them: rows in plain data. See port.ts.

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
  pending(workspaceId: string, limit: number, afterOpId?: string | null): Promise<readonly OperationRow[]>;
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
      /** Who acknowledges: its draft goes only where they may change files. Absent: nothing limits it. */
      authority?: Authority | null;
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
  /** What waits for its next try at the provider is due now. */
  hasten(workspaceId: string, provider: string, atMs: number): Promise<void>;
  /** After a start: nobody is at work yet, so what was running is pending again. How many there were. */
  releaseAll(atMs: number): Promise<number>;
  /** When the next waiting item of the provider is due, also in the past; null: none waits. */
  nextDueMs(workspaceId: string, provider: string): Promise<number | null>;
  /** Paths whose newest local state has not reached its provider: waiting, running, or dead and still current. */
  unsentPaths(workspaceId: string): Promise<readonly string[]>;
  /** Of these paths, those of files that were made here, that a consumer or provider took over as they are now, and that got no id of
   * it. `created`: taken over with the revision that made the file. */
  deliveredDrafts(
    workspaceId: string,
    paths: readonly string[],
  ): Promise<readonly { readonly path: string; readonly created: boolean }[]>;
  /** By provider, of one workspace or (null) of all together. */
  figures(workspaceId: string | null): Promise<readonly WritebackCounts[]>;
}

export interface WritebackCounts {
  readonly provider: string;
  readonly pending: number;
  readonly running: number;
  readonly deadLettered: number;
  readonly oldestPendingAtMs: number | null;
  /** Of dead-lettered items: how many for which cause. */
  readonly failureCodes: Readonly<Partial<Record<FailureCode, number>>>;
}
