// Rows and inputs of webhook endpoints, of durable subscriptions to events of one resource, and of the deliveries of both. Plain data.
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
  /** As of `WritebackStore.lease`. */
  readonly owner: string;
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

// ---- subscriptions

export interface SubscriptionRow {
  readonly number: number;
  readonly owner: string;
  readonly subscriber: string;
  readonly provider: string;
  readonly resource: string;
  readonly eventTypes: readonly string[];
  readonly terminalTypes: readonly string[];
  readonly intent: string | null;
  readonly status: 'active' | 'cancelled' | 'expired' | 'retired';
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
  readonly retiredAtMs: number | null;
}

/** An event in the form of the answer. */
export interface SubscriptionEvent {
  readonly id: string;
  readonly type: string;
  readonly path: string;
  readonly revision: string;
  readonly origin: string;
  readonly provider: string;
  readonly correlationId: string;
  readonly timestamp: string;
}

export interface SubscriptionDeliveryRow {
  readonly number: number;
  readonly subscription: number;
  readonly owner: string;
  readonly subscriber: string;
  readonly provider: string;
  readonly resource: string;
  readonly event: SubscriptionEvent;
  readonly terminal: boolean;
  readonly status: 'pending' | 'claimed' | 'accepted' | 'cancelled';
  readonly createdAtMs: number;
  readonly claimedAtMs: number | null;
  readonly leaseUntilMs: number | null;
  /** Only while it is claimed. */
  readonly claimToken: string | null;
  readonly acceptedAtMs: number | null;
}

export interface RenewInput
  extends Pick<
    SubscriptionRow,
    | 'owner'
    | 'subscriber'
    | 'provider'
    | 'resource'
    | 'eventTypes'
    | 'terminalTypes'
    | 'intent'
    | 'expiresAtMs'
  > {
  readonly workspaceId: string;
  readonly atMs: number;
  /** With one of these tokens revoked it is cancelled; none: the owner's. */
  readonly tokenIds: readonly string[];
  /** Active ones that an owner may have. */
  readonly activeMax: number;
}

export type RenewResult =
  | { readonly outcome: 'created' | 'renewed'; readonly row: SubscriptionRow }
  /** The subscriber waits for other events of this resource already. */
  | { readonly outcome: 'differs' | 'too_many' | 'token_revoked' };

export interface ClaimInput {
  readonly workspaceId: string;
  readonly owner: string;
  readonly limit: number;
  readonly atMs: number;
  readonly leaseMs: number;
  /** Shared by all deliveries of one claim. */
  readonly claimToken: string;
  /** The claiming subject: hidden events are not delivered. */
  readonly access: AccessSubject | null;
  readonly scopes: readonly string[] | null;
}

export interface AcceptClaimInput {
  readonly workspaceId: string;
  readonly owner: string;
  readonly number: number;
  readonly claimToken: string;
  readonly atMs: number;
}

export type AcceptClaimResult =
  | { readonly outcome: 'accepted'; readonly row: SubscriptionDeliveryRow }
  | { readonly outcome: 'unknown' | 'not_claimed' };
