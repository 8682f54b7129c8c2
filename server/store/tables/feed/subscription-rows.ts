// Rows of subscriptions, and their statuses.
import type { SubscriptionRow } from '../../port/feed.ts';

export const active = 1;
export const cancelled = 2;
export const retired = 3;

export type StoredSubscription = Omit<SubscriptionRow, 'eventTypes' | 'terminalTypes' | 'status'> & {
  readonly eventTypes: string;
  readonly terminalTypes: string;
  readonly status: number;
};

export const selectSubscriptions = `SELECT number, owner, subscriber, provider, resource, event_types AS eventTypes,
  terminal_types AS terminalTypes, intent, status, created_at AS createdAtMs, updated_at AS updatedAtMs,
  expires_at AS expiresAtMs, retired_at AS retiredAtMs FROM subscriptions`;

export function subscriptionOf(row: StoredSubscription, atMs: number): SubscriptionRow {
  const past = row.expiresAtMs <= atMs ? 'expired' : 'active';
  return {
    ...row,
    eventTypes: JSON.parse(row.eventTypes) as string[],
    terminalTypes: JSON.parse(row.terminalTypes) as string[],
    status: row.status === cancelled ? 'cancelled' : row.status === retired ? 'retired' : past,
  };
}
