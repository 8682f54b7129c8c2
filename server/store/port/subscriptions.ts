// Rows and inputs of durable subscriptions to events of one resource, and of their deliveries. Plain data.
import type { AccessSubject } from '../../core/entry.ts';

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
