// Rows of subscriptions, and their statuses.
import type { SubscriptionRow } from '../../port/subscriptions.ts';

export const active = 1;
export const cancelled = 2;
export const retired = 3;

export interface StoredSubscription {
  readonly number: number;
  readonly owner: string;
  readonly subscriber: string;
  readonly provider: string;
  readonly resource: string;
  readonly event_types: string;
  readonly terminal_types: string;
  readonly intent: string | null;
  readonly status: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly expires_at: number;
  readonly retired_at: number | null;
}

export function subscriptionOf(row: StoredSubscription, atMs: number): SubscriptionRow {
  const past = row.expires_at <= atMs ? 'expired' : 'active';
  return {
    number: row.number,
    owner: row.owner,
    subscriber: row.subscriber,
    provider: row.provider,
    resource: row.resource,
    eventTypes: JSON.parse(row.event_types) as string[],
    terminalTypes: JSON.parse(row.terminal_types) as string[],
    intent: row.intent,
    status: row.status === cancelled ? 'cancelled' : row.status === retired ? 'retired' : past,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    expiresAtMs: row.expires_at,
    retiredAtMs: row.retired_at,
  };
}
