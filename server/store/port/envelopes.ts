// Rows and inputs of envelopes, from their acceptance to their end, and the counters of inbound events. Plain data.
import type { EnvelopeOutcome, FailureCause } from '../../contract/sync.ts';
import type { Authority } from '../../core/access/authority.ts';
import type { CoalesceShape } from '../../core/inbound/coalesce.ts';
import type { InboundChange } from '../../core/inbound/decide-envelope.ts';
import type { Unreadable } from '../../core/inbound/read-payload.ts';

/** JSON. Bytes of UTF-8 in shared memory: a long one, which the threads of the store get and return without a copy. */
export type EnvelopeText = string | Uint8Array;

/** More bytes than this are long. */
export const longEnvelopeBytes = 256 * 1024;

/** A received envelope in its stored form. */
export interface AcceptInput {
  readonly workspaceId: string;
  /** Lower-cased. */
  readonly provider: string;
  /** null: the store creates one. */
  readonly envelopeId: string | null;
  readonly deliveryId: string | null;
  readonly correlationId: string;
  readonly atMs: number;
  /** When it happened at the provider; null: unknown. */
  readonly occurredAtMs: number | null;
  /** The whole envelope. */
  readonly body: EnvelopeText;
  readonly sizeBytes: number;
  /** As the payload has it, whether or not it can be a path; null when it has none. */
  readonly path: string | null;
  /** null: it is not coalesced. */
  readonly shape: CoalesceShape | null;
  readonly coalesceWindowMs: number;
  readonly capacity: { readonly envelopes: number; readonly bytes: number };
  /** Of an internal request: each signature is accepted once. */
  readonly signature: { readonly value: string; readonly expiresAtMs: number } | null;
  /** Who hands it over, as `authorityText` writes it; null: its provider, or the owner. */
  readonly authority: string | null;
}

export type AcceptResult =
  | { readonly kind: 'accepted'; readonly number: number; readonly envelopeId: string }
  | { readonly kind: 'duplicate'; readonly envelopeId: string }
  | { readonly kind: 'full' }
  | { readonly kind: 'workspace_not_found' }
  | { readonly kind: 'replayed' };

/** What the worker knows of a waiting envelope before it loads it. */
export interface PendingEnvelope {
  readonly number: number;
  readonly workspaceId: string;
  readonly provider: string;
  readonly sizeBytes: number;
  readonly nextAttemptAtMs: number | null;
}

export interface EnvelopeToLoad {
  readonly number: number;
  readonly withBody: boolean;
}

/** An envelope without its body: lists contain many, and a body may have megabytes. */
export interface EnvelopeHead {
  readonly number: number;
  readonly envelopeId: string;
  readonly workspaceId: string;
  readonly provider: string;
  readonly deliveryId: string;
  readonly correlationId: string;
  readonly acceptedAtMs: number;
  readonly occurredAtMs: number | null;
  readonly path: string | null;
  readonly state: 'pending' | 'dead_letter' | 'settled';
  readonly outcome: EnvelopeOutcome | null;
  readonly settledAtMs: number | null;
  readonly attempts: number;
  /** Since it was accepted or last replayed. */
  readonly tries: number;
  readonly nextAttemptAtMs: number | null;
  readonly failedAtMs: number | null;
  readonly cause: FailureCause | null;
  readonly lastError: string | null;
  /** On whose authority it is applied; null: its provider's, or it was applied. */
  readonly authority: Authority | null;
}

export interface EnvelopeRow extends EnvelopeHead {
  /** null: settled, and its body was deleted; or loaded without it; or long. */
  readonly body: string | null;
  /** The corrected payload of the last replay, JSON; null: none, or long. */
  readonly edited: string | null;
  /** One of the two is long: `texts` of the port reads both. */
  readonly isLong: boolean;
}

/** The texts of an envelope. */
export interface EnvelopeTexts {
  readonly body: EnvelopeText | null;
  readonly edited: EnvelopeText | null;
}

export interface AttemptRow {
  readonly attempt: number;
  readonly atMs: number;
  readonly cause: FailureCause;
  readonly message: string;
}

/** An inbound change with its content staged, or why there is none. */
export type Prepared =
  | { readonly ok: true; readonly delivery: InboundChange }
  | ({ readonly ok: false } & Unreadable);

export interface ApplyInput {
  readonly number: number;
  readonly prepared: Prepared;
  /** false: the delete quota of its sender is used up. */
  readonly mayDelete: boolean;
}

export interface PreviewInput extends ApplyInput {
  /** The caller's authority, and the one on which it would be applied: see ReplayInput. */
  readonly authority: Authority | null;
  readonly actsAs: ReplayInput['actsAs'];
  readonly atMs: number;
  readonly overwriteNewer: boolean;
}

/** The state of a path before and after, for previews. */
export interface EntryGlimpse {
  readonly revision: number;
  readonly hash: string;
  readonly sizeBytes: number;
}

export type ApplyResult =
  /** Another attempt has settled it. */
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'ignored' | 'suppressed' }
  | { readonly outcome: 'stale'; readonly newerAtMs: number }
  | {
      readonly outcome: 'applied';
      readonly path: string | null;
      readonly movedFrom: string | null;
      /** Files that left their path, by a delete or a move: 0 or 1. */
      readonly deleted: number;
      /** Read for a preview only. */
      readonly before: EntryGlimpse | null;
      readonly after: EntryGlimpse | null;
    }
  /** A permanent failure: it is a dead letter now. */
  | { readonly outcome: 'failed'; readonly cause: FailureCause; readonly message: string };

export interface IngressRow {
  readonly workspaceId: string;
  readonly provider: string;
  readonly accepted: number;
  readonly dropped: number;
  readonly deduped: number;
  readonly coalesced: number;
  readonly applied: number;
  readonly ignored: number;
  readonly suppressed: number;
  readonly stale: number;
  readonly acknowledged: number;
  /** Now. */
  readonly pending: number;
  /** Dead letters now. */
  readonly dead: number;
  readonly retried: number;
  /** Ever. */
  readonly deadLettered: number;
  readonly replayed: number;
  readonly lastEnvelopeId: string | null;
  readonly lastReceivedAtMs: number | null;
  readonly oldestPendingAtMs: number | null;
}

export interface DeadLetterQuery {
  readonly workspaceId: string;
  readonly provider: string | null;
  readonly cause: FailureCause | null;
  readonly text: string | null;
  readonly failedBeforeMs: number | null;
  /** null: any. At most 1,000. */
  readonly envelopeIds: readonly string[] | null;
  /** The id of an envelope of the workspace; exclusive. */
  readonly cursor: string | null;
  /** Absent: newest first. */
  readonly oldestFirst?: true;
  readonly limit: number;
}

/** What a replay changes in the envelope. */
export interface ReplayInput {
  readonly number: number;
  /** The corrected payload, JSON; null: as it was the last time. */
  readonly edited: EnvelopeText | null;
  readonly overwriteNewer: boolean;
  /** Who replays it. */
  readonly authority: Authority | null;
  /**
   * `both`: limited to what both the sender and the replaying caller may do. `replayer`: nothing of the sender's payload remains.
   */
  readonly actsAs: 'both' | 'replayer';
}

export interface ProviderFailures {
  readonly workspaceId: string;
  readonly provider: string;
  readonly cause: FailureCause;
  readonly count: number;
}

/** A failed attempt that may succeed later. */
export interface FailInput {
  readonly number: number;
  readonly cause: FailureCause;
  readonly message: string;
  readonly atMs: number;
  /** null: it becomes a dead letter. */
  readonly retryAtMs: number | null;
}
