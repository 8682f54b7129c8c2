// Commands of webhook endpoints and the states of their deliveries. Reads are in webhook-deliveries.ts.

import { decideWebhookAttempt } from '../../../core/outbound/decide-webhook-attempt.ts';
import type { WriteStatements } from '../../database/statements.ts';
import type { Handlers, Input, Result } from '../../port/commands.ts';
import { visiblePaths } from '../files/files.ts';
import { isAnyRevoked } from '../workspaces/tokens.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import {
  accessText,
  codeOf,
  dead,
  delivered,
  deliveryOf,
  isActiveAt,
  isActiveWebhook,
  pending,
  readAccess,
  running,
  type StoredDelivery,
  selectDeliveries,
  statusOf,
} from './webhook-deliveries.ts';

/** Dead letters retained per endpoint; the oldest are deleted first. */
const deadLettersMax = 1_000;

export function webhookHandlers(statements: WriteStatements) {
  return {
    insert_webhook: (input) => insert(statements, input),
    remove_webhook: ({ workspaceId, webhookId }) =>
      remove(statements, workspaceNumber(statements, workspaceId), webhookId),
    drop_webhook_deliveries: ({ workspaceId, webhookId }) =>
      statements.run(
        `DELETE FROM webhook_deliveries WHERE workspace = ? AND webhook = ? AND status IN (${pending}, ${running})`,
        workspaceNumber(statements, workspaceId),
        webhookId,
      ).changes,
    add_webhook_deliveries: (input) => add(statements, input),
    lease_webhook_deliveries: (input) => lease(statements, input),
    finish_webhook_delivery: (input) => finish(statements, input),
    release_webhook_deliveries: ({ owner }) =>
      statements.run(
        `UPDATE webhook_deliveries SET status = ${pending}, lease_until = NULL
           WHERE status = ${running} AND lease_owner = ?`,
        owner,
      ).changes,
    replay_webhook_delivery: (input) => replay(statements, input),
  } satisfies Partial<Handlers>;
}

function insert(
  statements: WriteStatements,
  { row, endedMax }: Input<'insert_webhook'>,
): Result<'insert_webhook'> {
  const workspace = workspaceNumber(statements, row.workspaceId);
  if (workspace === null) return 'workspace_unknown';
  if (isAnyRevoked(statements, row.tokenIds)) return 'token_revoked';
  deleteEnded(statements, workspace, row.createdAtMs, endedMax);
  statements.run(
    `INSERT INTO webhooks (workspace, id, url, globs, plain_http, private_addresses, access, token_ids, expires_at,
       position, created_at, failures_in_row) VALUES (@workspace, @webhookId, @url, @globs, @plainHttp, @privateAddresses,
         @access, @tokenIds, @expiresAtMs, @position, @createdAtMs, 0)`,
    {
      ...row,
      workspace,
      globs: JSON.stringify(row.globs),
      plainHttp: row.plainHttp ? 1 : 0,
      privateAddresses: row.privateAddresses ? 1 : 0,
      access: accessText(row.access),
      tokenIds: JSON.stringify(row.tokenIds),
    },
  );
  return 'inserted';
}

/** Tokens may be many and short-lived, so a bounded number of expired and revoked endpoints is retained. */
function deleteEnded(statements: WriteStatements, workspace: number, atMs: number, endedMax: number): void {
  const ended = statements.all<{ id: string }>(
    `SELECT id FROM webhooks WHERE workspace = ? AND NOT (${isActiveAt})
       ORDER BY coalesce(revoked_at, expires_at) DESC LIMIT ${Number.MAX_SAFE_INTEGER} OFFSET ?`,
    workspace,
    atMs,
    endedMax,
  );
  for (const { id } of ended) remove(statements, workspace, id);
}

function remove(statements: WriteStatements, workspace: number | null, webhookId: string): boolean {
  statements.run('DELETE FROM webhook_deliveries WHERE workspace = ? AND webhook = ?', workspace, webhookId);
  const where = 'DELETE FROM webhooks WHERE workspace = ? AND id = ?';
  return statements.run(where, workspace, webhookId).changes === 1;
}

function add(statements: WriteStatements, input: Input<'add_webhook_deliveries'>): boolean {
  const { workspaceId, webhookId, from, to, atMs, deliveries } = input;
  const workspace = workspaceNumber(statements, workspaceId);
  const moved = statements.run(
    `UPDATE webhooks SET position = ? WHERE workspace = ? AND id = ? AND position = ? AND ${isActiveAt}`,
    to,
    workspace,
    webhookId,
    from,
    atMs,
  );
  if (moved.changes === 0) return false;
  for (const { eventSeq, body } of deliveries) {
    statements.run(
      `INSERT INTO webhook_deliveries (workspace, webhook, event, body, status, attempts, replays)
         VALUES (?, ?, ?, ?, ${pending}, 0, 0)`,
      workspace,
      webhookId,
      eventSeq,
      body,
    );
  }
  return true;
}

function lease(
  statements: WriteStatements,
  input: Input<'lease_webhook_deliveries'>,
): Result<'lease_webhook_deliveries'> {
  const { workspaceId, webhookId, owner, atMs, leaseMs, limit } = input;
  const workspace = workspaceNumber(statements, workspaceId);
  const endpoint = statements.get<{ access: string | null }>(
    `SELECT access FROM webhooks WHERE workspace = ? AND id = ? AND ${isActiveAt}`,
    workspace,
    webhookId,
    atMs,
  );
  if (workspace === null || endpoint === undefined) return [];
  const due = statements.all<{ number: number; path: string }>(
    `SELECT number, body ->> '$.data.path' AS path FROM webhook_deliveries WHERE workspace = ? AND webhook = ? AND status IN (1, 2)
       AND CASE status WHEN 1 THEN coalesce(next_attempt_at, 0) ELSE lease_until END <= ? ORDER BY number LIMIT ?`,
    workspace,
    webhookId,
    atMs,
    limit,
  );
  const isVisible = visiblePaths(statements, workspace, readAccess(endpoint.access));
  return due.flatMap(({ number, path }) => {
    // The event was visible when it happened; a delivery may wait for hours, and rules change.
    if (!isVisible(path)) {
      statements.run('DELETE FROM webhook_deliveries WHERE number = ?', number);
      return [];
    }
    statements.run(
      `UPDATE webhook_deliveries SET status = ${running}, attempts = attempts + 1, lease_until = ?, lease_owner = ?
         WHERE number = ?`,
      atMs + leaseMs,
      owner,
      number,
    );
    const row = statements.get<StoredDelivery>(`${selectDeliveries} WHERE delivery.number = ?`, number);
    return row === undefined ? [] : [deliveryOf(row)];
  });
}

function finish(
  statements: WriteStatements,
  input: Input<'finish_webhook_delivery'>,
): Result<'finish_webhook_delivery'> {
  const { number, attempt, outcome, atMs } = input;
  const found = statements.get<{ workspace: number; webhook: string; replays: number }>(
    `SELECT workspace, webhook, replays FROM webhook_deliveries
       WHERE number = ? AND status = ${running} AND attempts = ?`,
    number,
    attempt,
  );
  if (found === undefined) return null;
  const { status, nextAttemptAtMs } = decideWebhookAttempt(attempt, outcome, input);
  const error = outcome.kind === 'delivered' ? null : outcome.message;
  statements.run(
    `UPDATE webhooks SET last_attempt_at = ?, last_success_at = coalesce(?, last_success_at), last_error = ?,
       failures_in_row = CASE WHEN CAST(? AS TEXT) IS NULL THEN 0 ELSE failures_in_row + 1 END WHERE workspace = ? AND id = ?`,
    atMs,
    error === null ? atMs : null,
    error,
    error,
    found.workspace,
    found.webhook,
  );
  if (status === 'delivered' && found.replays === 0) {
    // What arrived is over; the event itself stays in the feed.
    statements.run('DELETE FROM webhook_deliveries WHERE number = ?', number);
    return status;
  }
  statements.run(
    `UPDATE webhook_deliveries SET status = ?, next_attempt_at = ?, lease_until = NULL, last_error = coalesce(?, last_error),
       failed_at = CASE WHEN ? = ${dead} THEN ? ELSE failed_at END WHERE number = ?`,
    codeOf(status),
    nextAttemptAtMs,
    error,
    codeOf(status),
    atMs,
    number,
  );
  if (status === 'dead_lettered') deleteOldest(statements, found.workspace, found.webhook);
  return status;
}

function deleteOldest(statements: WriteStatements, workspace: number, webhook: string): void {
  statements.run(
    `DELETE FROM webhook_deliveries WHERE number IN (SELECT number FROM webhook_deliveries
       WHERE workspace = ? AND webhook = ? AND status IN (${delivered}, ${dead})
       ORDER BY number DESC LIMIT ${Number.MAX_SAFE_INTEGER} OFFSET ${deadLettersMax})`,
    workspace,
    webhook,
  );
}

function replay(
  statements: WriteStatements,
  { workspaceId, number, webhookIds, atMs }: Input<'replay_webhook_delivery'>,
): Result<'replay_webhook_delivery'> {
  const found = statements.get<{ status: number; webhook: string }>(
    'SELECT status, webhook FROM webhook_deliveries WHERE workspace = ? AND number = ? AND failed_at IS NOT NULL',
    workspaceNumber(statements, workspaceId),
    number,
  );
  if (found === undefined || !webhookIds.includes(found.webhook)) return null;
  if (!isActiveWebhook(statements, workspaceId, found.webhook, atMs)) return 'webhook_ended';
  if (found.status === dead) {
    statements.run(
      `UPDATE webhook_deliveries SET status = ${pending}, attempts = 0, replays = replays + 1, next_attempt_at = NULL
         WHERE number = ?`,
      number,
    );
  }
  return statusOf(found.status);
}
