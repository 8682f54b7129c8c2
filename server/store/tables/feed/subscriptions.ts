// Durable subscriptions to events of one resource, until they expire. Their deliveries: subscription-deliveries.ts.

import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers, Input, Result } from '../../port/commands.ts';
import type { SubscriptionRow } from '../../port/feed.ts';
import { isAnyRevoked } from '../workspaces/tokens.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import { acceptDelivery, claimDeliveries, withdrawDeliveries } from './subscription-deliveries.ts';
import {
  active,
  cancelled,
  type StoredSubscription,
  selectSubscriptions,
  subscriptionOf,
} from './subscription-rows.ts';

export function listSubscriptions(
  statements: ReadStatements,
  workspaceId: string,
  owner: string,
  atMs: number,
): readonly SubscriptionRow[] {
  return statements
    .all<StoredSubscription>(
      `${selectSubscriptions} WHERE workspace = ? AND owner = ? AND status = ${active} AND expires_at > ? ORDER BY number`,
      workspaceNumber(statements, workspaceId),
      owner,
      atMs,
    )
    .map((row) => subscriptionOf(row, atMs));
}

export function subscriptionHandlers(statements: WriteStatements) {
  return {
    renew_subscription: (input) => renew(statements, input),
    cancel_subscription({ workspaceId, owner, number, atMs }) {
      const { changes } = statements.run(
        `UPDATE subscriptions SET status = ${cancelled}, updated_at = ?
           WHERE number = ? AND workspace = ? AND owner = ? AND status = ${active}`,
        atMs,
        number,
        workspaceNumber(statements, workspaceId),
        owner,
      );
      if (changes === 0) return false;
      withdrawDeliveries(statements, number);
      return true;
    },
    claim_subscription_deliveries: (input) => claimDeliveries(statements, input),
    accept_subscription_delivery: (input) => acceptDelivery(statements, input),
  } satisfies Partial<Handlers>;
}

function renew(
  statements: WriteStatements,
  input: Input<'renew_subscription'>,
): Result<'renew_subscription'> {
  const { workspaceId, owner, subscriber, provider, resource, intent, atMs, expiresAtMs } = input;
  if (isAnyRevoked(statements, input.tokenIds)) return { outcome: 'token_revoked' };
  const tokenIds = JSON.stringify(input.tokenIds);
  const workspace = workspaceNumber(statements, workspaceId);
  const mine = listSubscriptions(statements, workspaceId, owner, atMs);
  const same = mine.find((row) => row.subscriber === subscriber && row.resource === resource);
  if (same !== undefined) {
    if (!waitsForTheSame(same, input)) return { outcome: 'differs' };
    statements.run(
      'UPDATE subscriptions SET expires_at = ?, token_ids = ?, updated_at = ? WHERE number = ?',
      expiresAtMs,
      tokenIds,
      atMs,
      same.number,
    );
    return { outcome: 'renewed', row: mustFind(statements, same.number, atMs) };
  }
  if (mine.length >= input.activeMax) return { outcome: 'too_many' };
  const inserted = statements.get<{ number: number }>(
    `INSERT INTO subscriptions (workspace, owner, subscriber, provider, resource, event_types, terminal_types, intent,
       status, created_at, updated_at, expires_at, token_ids) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${active}, ?, ?, ?, ?)
       RETURNING number`,
    workspace,
    owner,
    subscriber,
    provider,
    resource,
    JSON.stringify(input.eventTypes),
    JSON.stringify(input.terminalTypes),
    intent,
    atMs,
    atMs,
    expiresAtMs,
    tokenIds,
  );
  if (inserted === undefined) throw new Error('a subscription was not stored');
  return { outcome: 'created', row: mustFind(statements, inserted.number, atMs) };
}

function waitsForTheSame(row: SubscriptionRow, input: Input<'renew_subscription'>): boolean {
  const asText = (types: readonly string[]) => JSON.stringify([...types].sort());
  return (
    row.provider === input.provider &&
    row.intent === input.intent &&
    asText(row.eventTypes) === asText(input.eventTypes) &&
    asText(row.terminalTypes) === asText(input.terminalTypes)
  );
}

function mustFind(statements: ReadStatements, number: number, atMs: number): SubscriptionRow {
  const row = statements.get<StoredSubscription>(`${selectSubscriptions} WHERE number = ?`, number);
  if (row === undefined) throw new Error('a subscription is gone within its own transaction');
  return subscriptionOf(row, atMs);
}
