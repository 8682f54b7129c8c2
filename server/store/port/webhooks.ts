// The part of the port that keeps registered addresses, and what is on its way to them.
import type { AccessSubject } from '../../core/entry.ts';
import type { AttemptOutcome } from '../../core/outbound/decide-attempt.ts';

export interface WebhookRow {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly globs: readonly string[];
  readonly plainHttp: boolean;
  readonly privateAddresses: boolean;
  /** With whose eyes events are looked at; null: the owner's. */
  readonly access: AccessSubject | null;
  /** Of who registered it: when one of them is revoked nothing is sent any more. */
  readonly tokenIds: readonly string[];
  /** When the token expires that registered it; null: the owner registered it, and it does not expire. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Events up to here were looked at. */
  readonly position: number;
  readonly createdAtMs: number;
  readonly lastAttemptAtMs: number | null;
  readonly lastSuccessAtMs: number | null;
  readonly lastError: string | null;
  readonly failuresInRow: number;
}

export type WebhookDeliveryStatus = 'pending' | 'running' | 'delivered' | 'dead_lettered';

export interface WebhookDeliveryRow {
  readonly number: number;
  readonly webhookId: string;
  readonly url: string;
  readonly eventSeq: number;
  /** The body as it is sent. */
  readonly body: string;
  readonly status: WebhookDeliveryStatus;
  /** Since it was made or replayed. */
  readonly attempts: number;
  readonly replays: number;
  readonly lastError: string | null;
  readonly failedAtMs: number | null;
}

export type ReplayWebhookResult = WebhookDeliveryStatus | 'webhook_ended' | null;

/** Of all workspaces. */
export interface WebhookCounts {
  readonly pending: number;
  readonly running: number;
  readonly deadLettered: number;
  /** When the oldest event happened that waits or is under way; null: there is none. */
  readonly oldestPendingAtMs: number | null;
}

export type InsertWebhookResult = 'inserted' | 'workspace_unknown' | 'token_revoked';

interface WebhookKey {
  readonly workspaceId: string;
  readonly webhookId: string;
}

/** Deliveries for the events in `(from, to]`. */
export interface AddDeliveriesInput extends WebhookKey {
  readonly from: number;
  readonly to: number;
  readonly atMs: number;
  readonly deliveries: readonly { readonly eventSeq: number; readonly body: string }[];
}

export interface LeaseDeliveriesInput extends WebhookKey {
  readonly atMs: number;
  readonly leaseMs: number;
  readonly limit: number;
}

/** The end of an attempt. */
export interface FinishDeliveryInput {
  readonly number: number;
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
  readonly attemptsMax: number;
  readonly random: number;
  readonly atMs: number;
}
