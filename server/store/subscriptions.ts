// Durable subscriptions: a delivery is made in the transaction of the event that it is about, and waits until its owner has
// accepted it. So no event is missed, whoever is away.
import { effectiveRules, isAllowed } from '../core/acl.ts';
import { grantsScope } from '../core/scope.ts';
import { AccessView } from './access.ts';
import type { Handlers, Input, Result } from './commands.ts';
import { entryAt } from './files.ts';
import type { Statements } from './sqlite.ts';
import type { SubscribedEvent, SubscriptionDeliveryRow, SubscriptionRow } from './subscription-port.ts';
import { workspaceNumber } from './workspaces.ts';

type Kinds =
  | 'renew_subscription'
  | 'cancel_subscription'
  | 'claim_subscription_deliveries'
  | 'accept_subscription_delivery';

const active = 1;
const cancelled = 2;
const retired = 3;
const pending = 1;
const claimed = 2;
const accepted = 3;
const withdrawn = 4;
const statuses = ['pending', 'claimed', 'accepted', 'cancelled'] as const;
/** Accepted and cancelled deliveries, and waiting ones that nobody came for, are kept this long. */
const keptMs = 30 * 86_400_000;
const forgottenAtOnce = 200;
/** Rows that one claim looks at: hidden ones are passed over. */
const claimRowsMax = 1_000;

interface Row {
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

function rowOf(row: Row, atMs: number): SubscriptionRow {
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

export function listSubscriptions(
  statements: Statements,
  workspaceId: string,
  owner: string,
  atMs: number,
): readonly SubscriptionRow[] {
  return statements
    .all<Row>(
      `SELECT * FROM subscriptions WHERE workspace = ? AND owner = ? AND status = ${active} AND expires_at > ?
         ORDER BY number`,
      workspaceNumber(statements, workspaceId),
      owner,
      atMs,
    )
    .map((row) => rowOf(row, atMs));
}

// ---- what happens

export interface HappenedEvent extends SubscribedEvent {
  readonly atMs: number;
  /** Access rules in force, as JSON. */
  readonly rules: string | null;
}

/** For each event of a path, inside its transaction. Costs next to nothing where nobody has subscribed. */
export function noteEvent(statements: Statements, workspace: number, event: HappenedEvent): void {
  if (!hasSubscriptions(statements, workspace)) return;
  const found = statements.all<Row>(
    `SELECT * FROM subscriptions INDEXED BY subscriptions_by_resource
       WHERE workspace = ? AND resource = ? AND status = ${active} AND expires_at > ?`,
    workspace,
    event.path,
    event.atMs,
  );
  for (const row of found) {
    const { eventTypes, terminalTypes, provider, owner, number } = rowOf(row, event.atMs);
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

function hasSubscriptions(statements: Statements, workspace: number): boolean {
  return (
    statements.recall(
      `SELECT 1 FROM subscriptions WHERE workspace = ? AND status = ${active} LIMIT 1`,
      workspace,
    ) !== undefined
  );
}

// ---- commands

export function subscriptionHandlers(statements: Statements): Handlers<Kinds> {
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
      statements.run(
        `UPDATE subscription_deliveries SET status = ${withdrawn}, claim_token = NULL, lease_until = NULL
           WHERE subscription = ? AND status IN (1, 2)`,
        number,
      );
      return true;
    },
    claim_subscription_deliveries: (input) => claim(statements, input),
    accept_subscription_delivery: (input) => accept(statements, input),
  };
}

function renew(statements: Statements, input: Input<'renew_subscription'>): Result<'renew_subscription'> {
  const { workspaceId, owner, subscriber, provider, resource, intent, atMs, expiresAtMs } = input;
  const workspace = workspaceNumber(statements, workspaceId);
  const mine = statements
    .all<Row>(
      `SELECT * FROM subscriptions WHERE workspace = ? AND owner = ? AND status = ${active} AND expires_at > ?`,
      workspace,
      owner,
      atMs,
    )
    .map((row) => rowOf(row, atMs));
  const same = mine.find((row) => row.subscriber === subscriber && row.resource === resource);
  if (same !== undefined) {
    if (!waitsForTheSame(same, input)) return { outcome: 'differs' };
    statements.run(
      'UPDATE subscriptions SET expires_at = ?, updated_at = ? WHERE number = ?',
      expiresAtMs,
      atMs,
      same.number,
    );
    return { outcome: 'renewed', row: mustFind(statements, same.number, atMs) };
  }
  if (mine.length >= input.activeMax) return { outcome: 'too_many' };
  const { lastInsertRowid } = statements.run(
    `INSERT INTO subscriptions (workspace, owner, subscriber, provider, resource, event_types, terminal_types, intent,
       status, created_at, updated_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${active}, ?, ?, ?)`,
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
  );
  return { outcome: 'created', row: mustFind(statements, Number(lastInsertRowid), atMs) };
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

function mustFind(statements: Statements, number: number, atMs: number): SubscriptionRow {
  const row = statements.get<Row>('SELECT * FROM subscriptions WHERE number = ?', number);
  if (row === undefined) throw new Error('a subscription is gone within its own transaction');
  return rowOf(row, atMs);
}

interface DeliveryRow {
  readonly number: number;
  readonly subscription: number;
  readonly owner: string;
  readonly event: string;
  readonly rules: string | null;
  readonly terminal: number;
  readonly status: number;
  readonly created_at: number;
  readonly claimed_at: number | null;
  readonly lease_until: number | null;
  readonly claim_token: string | null;
  readonly accepted_at: number | null;
}

function claim(
  statements: Statements,
  input: Input<'claim_subscription_deliveries'>,
): Result<'claim_subscription_deliveries'> {
  const { workspaceId, owner, limit, atMs, leaseMs, claimToken } = input;
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return [];
  statements.run(
    `DELETE FROM subscription_deliveries WHERE number IN (SELECT number FROM subscription_deliveries
       WHERE workspace = ? AND created_at < ? LIMIT ${forgottenAtOnce})`,
    workspace,
    atMs - keptMs,
  );
  const view = new AccessView(statements, workspace, input.access);
  const rows = statements.all<DeliveryRow>(
    `SELECT * FROM subscription_deliveries INDEXED BY subscription_deliveries_open
       WHERE workspace = ? AND owner = ? AND status IN (1, 2) AND (status = ${pending} OR lease_until <= ?)
       ORDER BY number LIMIT ${claimRowsMax}`,
    workspace,
    owner,
    atMs,
  );
  const visible = rows.filter((row) => isVisible(statements, workspace, view, input, row)).slice(0, limit);
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

/** By the rules of then and of now (contract ruling 27), and by the scopes of now. */
function isVisible(
  statements: Statements,
  workspace: number,
  view: AccessView,
  { access, scopes }: Input<'claim_subscription_deliveries'>,
  row: DeliveryRow,
): boolean {
  const { path } = JSON.parse(row.event) as SubscribedEvent;
  if (scopes !== null && !grantsScope(scopes, 'fs:read', path)) return false;
  if (access === null) return true;
  const then = row.rules === null ? [] : effectiveRules([JSON.parse(row.rules) as string[]], []);
  if (!isAllowed(then, access)) return false;
  const entry = entryAt(statements, workspace, path);
  return entry?.type === 'file' ? view.allowsFile(entry) : view.allowsNew(path);
}

function accept(
  statements: Statements,
  input: Input<'accept_subscription_delivery'>,
): Result<'accept_subscription_delivery'> {
  const { workspaceId, owner, number, claimToken, atMs } = input;
  const row = statements.get<DeliveryRow>(
    'SELECT * FROM subscription_deliveries WHERE number = ? AND workspace = ? AND owner = ?',
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

function mustFindDelivery(statements: Statements, number: number): SubscriptionDeliveryRow {
  const row = statements.get<DeliveryRow & Pick<Row, 'subscriber' | 'provider' | 'resource'>>(
    `SELECT delivery.*, subscriber, provider, resource FROM subscription_deliveries AS delivery
       JOIN subscriptions ON subscriptions.number = delivery.subscription WHERE delivery.number = ?`,
    number,
  );
  const status = row === undefined ? undefined : statuses[row.status - 1];
  if (row === undefined || status === undefined)
    throw new Error('a delivery is gone within its own transaction');
  return {
    number,
    subscription: row.subscription,
    owner: row.owner,
    subscriber: row.subscriber,
    provider: row.provider,
    resource: row.resource,
    event: JSON.parse(row.event) as SubscribedEvent,
    terminal: row.terminal === 1,
    status,
    createdAtMs: row.created_at,
    claimedAtMs: row.claimed_at,
    leaseUntilMs: row.lease_until,
    claimToken: row.claim_token,
    acceptedAtMs: row.accepted_at,
  };
}
