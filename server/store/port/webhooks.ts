// Rows and inputs of webhook endpoints and their deliveries. Plain data.
import type { AccessSubject } from '../../core/entry.ts';
import type { AttemptOutcome } from '../../core/outbound/decide-attempt.ts';

export interface WebhookRow {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly globs: readonly string[];
  readonly plainHttp: boolean;
  readonly privateAddresses: boolean;
  /** The subject whose visibility applies to events; null: the owner. */
  readonly access: AccessSubject | null;
  /** Of the caller that registered it: nothing is sent after one of them is revoked. */
  readonly tokenIds: readonly string[];
  /** When the token expires that registered it; null: the owner registered it, and it does not expire. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Events up to this position were processed. */
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
  /** The body of the request. */
  readonly body: string;
  readonly status: WebhookDeliveryStatus;
  /** Since it was created or replayed. */
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
  /** Time of the oldest pending or running event; null: none. */
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
