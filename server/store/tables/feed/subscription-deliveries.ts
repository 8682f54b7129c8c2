// Deliveries of subscriptions: each is created in the transaction of its event, and waits until its owner accepts it. So no event
// is missed, however long the owner is away.
import { effectiveRules, isAllowed } from '../../../core/access/acl.ts';
import { grantsScope } from '../../../core/access/scope.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Input, Result } from '../../port/commands.ts';
import type { SubscriptionDeliveryRow, SubscriptionEvent } from '../../port/feed.ts';
import { visiblePaths } from '../files/files.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import {
  active,
  retired,
  type StoredSubscription,
  selectSubscriptions,
  subscriptionOf,
} from './subscription-rows.ts';

const pending = 1;
const claimed = 2;
const accepted = 3;
const withdrawn = 4;
const statuses = ['pending', 'claimed', 'accepted', 'cancelled'] as const;
/** Accepted and cancelled deliveries, and unclaimed ones, are retained this long. */
const retainedMs = 30 * 86_400_000;
const deletedRowsMax = 200;
/** Rows scanned per claim: hidden ones are skipped. */
const claimRowsMax = 1_000;

export interface CommittedEvent extends SubscriptionEvent {
  readonly atMs: number;
  /** Access rules in force, as JSON. */
  readonly rules: string | null;
}

/** For each event of a path, inside its transaction. Almost free without subscriptions. */
export function noteEvent(statements: WriteStatements, workspace: number, event: CommittedEvent): void {
  if (!hasSubscriptions(statements, workspace)) return;
  const waiting = statements.all<StoredSubscription>(
    `${selectSubscriptions} INDEXED BY subscriptions_by_resource
       WHERE workspace = ? AND resource = ? AND status = ${active} AND expires_at > ?`,
    workspace,
    event.path,
    event.atMs,
  );
  for (const row of waiting) {
    const { eventTypes, terminalTypes, provider, owner, number } = subscriptionOf(row, event.atMs);
    if (provider !== event.provider || !eventTypes.includes(event.type)) continue;
    const { atMs, rules, ...wire } = event;
    const terminal = terminalTypes.includes(event.type);
    statements.run(
      `INSERT INTO subscription_deliveries (workspace, subscription, owner, event, rules, terminal, status, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ${pending}, ?)`,
      workspace,
      number,
      owner,
      JSON.stringify(wire),
      rules,
      terminal ? 1 : 0,
      atMs,
    );
    if (!terminal) continue;
    statements.run(
      `UPDATE subscriptions SET status = ${retired}, retired_at = ?, updated_at = ? WHERE number = ?`,
      atMs,
      atMs,
      number,
    );
  }
}

function hasSubscriptions(statements: ReadStatements, workspace: number): boolean {
  return statements.memoize(selectSubscription, workspace) !== undefined;
}

export const selectSubscription = `SELECT 1 FROM subscriptions WHERE workspace = ? AND status = ${active} LIMIT 1`;

/** Of a subscription that was cancelled. */
export function withdrawDeliveries(statements: WriteStatements, subscription: number): void {
  statements.run(
    `UPDATE subscription_deliveries SET status = ${withdrawn}, claim_token = NULL, lease_until = NULL
       WHERE subscription = ? AND status IN (1, 2)`,
    subscription,
  );
}

interface PendingEvent {
  readonly number: number;
  readonly event: string;
  readonly rules: string | null;
}

export function claimDeliveries(
  statements: WriteStatements,
  input: Input<'claim_subscription_deliveries'>,
): Result<'claim_subscription_deliveries'> {
  const { workspaceId, owner, limit, atMs, leaseMs, claimToken } = input;
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return [];
  statements.run(
    `DELETE FROM subscription_deliveries WHERE number IN (SELECT number FROM subscription_deliveries
       WHERE workspace = ? AND created_at < ? LIMIT ${deletedRowsMax})`,
    workspace,
    atMs - retainedMs,
  );
  const isVisibleNow = visiblePaths(statements, workspace, input.access);
  const rows = statements.all<PendingEvent>(
    `SELECT number, event, rules FROM subscription_deliveries INDEXED BY subscription_deliveries_open
       WHERE workspace = ? AND owner = ? AND status IN (1, 2) AND (status = ${pending} OR lease_until <= ?)
       ORDER BY number LIMIT ${claimRowsMax}`,
    workspace,
    owner,
    atMs,
  );
  const visible = rows.filter((row) => isVisible(isVisibleNow, input, row)).slice(0, limit);
  return visible.map(({ number }) => {
    statements.run(
      `UPDATE subscription_deliveries SET status = ${claimed}, claimed_at = ?, lease_until = ?, claim_token = ?
         WHERE number = ?`,
      atMs,
      atMs + leaseMs,
      claimToken,
      number,
    );
    return mustFindDelivery(statements, number);
  });
}

/** By the rules at the event's time and the current ones (docs/wire-contract.md#events), and by the current scopes. */
function isVisible(
  isVisibleNow: (path: string) => boolean,
  { access, scopes }: Input<'claim_subscription_deliveries'>,
  row: PendingEvent,
): boolean {
  const { path } = JSON.parse(row.event) as SubscriptionEvent;
  if (scopes !== null && !grantsScope(scopes, 'fs:read', path)) return false;
  if (access === null) return true;
  const then = row.rules === null ? [] : effectiveRules([JSON.parse(row.rules) as string[]], []);
  if (!isAllowed(then, access)) return false;
  return isVisibleNow(path);
}

export function acceptDelivery(
  statements: WriteStatements,
  input: Input<'accept_subscription_delivery'>,
): Result<'accept_subscription_delivery'> {
  const { workspaceId, owner, number, claimToken, atMs } = input;
  const row = statements.get<{ status: number; lease_until: number | null; claim_token: string | null }>(
    'SELECT status, lease_until, claim_token FROM subscription_deliveries WHERE number = ? AND workspace = ? AND owner = ?',
    number,
    workspaceNumber(statements, workspaceId),
    owner,
  );
  if (row === undefined) return { outcome: 'unknown' };
  if (row.status === accepted) return { outcome: 'accepted', row: mustFindDelivery(statements, number) };
  const isLive = row.status === claimed && row.lease_until !== null && row.lease_until > atMs;
  if (!isLive || row.claim_token !== claimToken) return { outcome: 'not_claimed' };
  statements.run(
    `UPDATE subscription_deliveries SET status = ${accepted}, accepted_at = ?, lease_until = NULL, claim_token = NULL
       WHERE number = ?`,
    atMs,
    number,
  );
  return { outcome: 'accepted', row: mustFindDelivery(statements, number) };
}

function mustFindDelivery(statements: ReadStatements, number: number): SubscriptionDeliveryRow {
  const row = statements.get<
    Omit<SubscriptionDeliveryRow, 'event' | 'terminal' | 'status'> & {
      readonly event: string;
      readonly terminal: number;
      readonly status: number;
    }
  >(
    `SELECT delivery.number AS number, subscription, delivery.owner AS owner, subscriber, provider, resource, event, terminal,
       delivery.status AS status, delivery.created_at AS createdAtMs, claimed_at AS claimedAtMs, lease_until AS leaseUntilMs,
       claim_token AS claimToken, accepted_at AS acceptedAtMs FROM subscription_deliveries AS delivery
       JOIN subscriptions ON subscriptions.number = delivery.subscription WHERE delivery.number = ?`,
    number,
  );
  const status = row === undefined ? undefined : statuses[row.status - 1];
  if (row === undefined || status === undefined)
    throw new Error('a delivery is gone within its own transaction');
  return { ...row, event: JSON.parse(row.event) as SubscriptionEvent, terminal: row.terminal === 1, status };
}
