// Reads webhook endpoints and their deliveries. Their states change in webhook-endpoints.ts.
import type { ReadStatements } from '../../database/statements.ts';
import type {
  WebhookCounts,
  WebhookDeliveryRow,
  WebhookDeliveryStatus,
  WebhookRow,
} from '../../port/webhooks.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';

const statuses = ['pending', 'running', 'delivered', 'dead_lettered'] as const;
export const codeOf = (status: WebhookDeliveryStatus) => statuses.indexOf(status) + 1;
export const [pending, running, delivered, dead] = statuses.map(codeOf) as [number, number, number, number];

interface Row {
  readonly workspace_id: string;
  readonly id: string;
  readonly url: string;
  readonly globs: string;
  readonly plain_http: number;
  readonly private_addresses: number;
  readonly access: string | null;
  readonly token_ids: string;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly position: number;
  readonly created_at: number;
  readonly last_attempt_at: number | null;
  readonly last_success_at: number | null;
  readonly last_error: string | null;
  readonly failures_in_row: number;
}

export function listWebhooks(statements: ReadStatements): readonly WebhookRow[] {
  return statements
    .all<Row>(
      `SELECT workspace_id, id, url, globs, plain_http, private_addresses, access, token_ids, expires_at, revoked_at, position,
         webhooks.created_at AS created_at, last_attempt_at, last_success_at, last_error, failures_in_row
         FROM webhooks JOIN workspaces ON workspaces.number = webhooks.workspace
         WHERE deleted_at IS NULL ORDER BY workspace, webhooks.created_at, id`,
    )
    .map((row) => ({
      workspaceId: row.workspace_id,
      webhookId: row.id,
      url: row.url,
      globs: JSON.parse(row.globs) as string[],
      plainHttp: row.plain_http === 1,
      privateAddresses: row.private_addresses === 1,
      access: row.access === null ? null : (JSON.parse(row.access) as NonNullable<WebhookRow['access']>),
      tokenIds: JSON.parse(row.token_ids) as string[],
      expiresAtMs: row.expires_at,
      revokedAtMs: row.revoked_at,
      position: row.position,
      createdAtMs: row.created_at,
      lastAttemptAtMs: row.last_attempt_at,
      lastSuccessAtMs: row.last_success_at,
      lastError: row.last_error,
      failuresInRow: row.failures_in_row,
    }));
}

/** SQL: true while the endpoint may be called; its one parameter is the time. */
export const isActiveAt = 'revoked_at IS NULL AND coalesce(expires_at > ?, 1)';

export function isActiveWebhook(
  statements: ReadStatements,
  workspaceId: string,
  webhookId: string,
  atMs: number,
): boolean {
  const found = statements.get(
    `SELECT 1 FROM webhooks WHERE workspace = ? AND id = ? AND ${isActiveAt}`,
    workspaceNumber(statements, workspaceId),
    webhookId,
    atMs,
  );
  return found !== undefined;
}

export interface StoredDelivery {
  readonly number: number;
  readonly webhook: string;
  readonly url: string;
  readonly event: number;
  readonly body: string;
  readonly status: number;
  readonly attempts: number;
  readonly replays: number;
  readonly last_error: string | null;
  readonly failed_at: number | null;
}

export const selectDeliveries = `SELECT delivery.number, delivery.webhook, url, event, body, status, attempts, replays,
    delivery.last_error AS last_error, failed_at
  FROM webhook_deliveries AS delivery
  JOIN webhooks ON webhooks.workspace = delivery.workspace AND webhooks.id = delivery.webhook`;

export function deliveryOf(row: StoredDelivery): WebhookDeliveryRow {
  return {
    number: row.number,
    webhookId: row.webhook,
    url: row.url,
    eventSeq: row.event,
    body: row.body,
    status: statusOf(row.status),
    attempts: row.attempts,
    replays: row.replays,
    lastError: row.last_error,
    failedAtMs: row.failed_at,
  };
}

export function statusOf(code: number): WebhookDeliveryStatus {
  const status = statuses[code - 1];
  if (status === undefined) throw new Error(`${code} is no status of a delivery`);
  return status;
}

export function waitingDeliveries(
  statements: ReadStatements,
  workspaceId: string,
  webhookId: string,
  countMax: number,
): number {
  const row = statements.get<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM (SELECT 1 FROM webhook_deliveries
       WHERE workspace = ? AND webhook = ? AND status IN (1, 2) LIMIT ?)`,
    workspaceNumber(statements, workspaceId),
    webhookId,
    countMax,
  );
  return row?.waiting ?? 0;
}

export function nextDeliveryDueMs(
  statements: ReadStatements,
  workspaceId: string,
  webhookId: string,
): number | null {
  const row = statements.get<{ due: number | null }>(
    `SELECT min(CASE status WHEN 1 THEN coalesce(next_attempt_at, 0) ELSE lease_until END) AS due
       FROM webhook_deliveries WHERE workspace = ? AND webhook = ? AND status IN (1, 2)`,
    workspaceNumber(statements, workspaceId),
    webhookId,
  );
  return row?.due ?? null;
}

export function webhookCounts(statements: ReadStatements): WebhookCounts {
  return statements.consistently(() => {
    const open = statements.get<{ pending: number; running: number; first: number | null }>(
      `SELECT coalesce(sum(status = ${pending}), 0) AS pending, coalesce(sum(status = ${running}), 0) AS running,
         min(number) AS first FROM webhook_deliveries INDEXED BY webhook_deliveries_open WHERE status IN (1, 2)`,
    );
    const over = statements.get<{ dead: number }>(
      `SELECT count(*) AS dead FROM webhook_deliveries INDEXED BY webhook_deliveries_dead
         WHERE failed_at IS NOT NULL AND status = ${dead}`,
    );
    // The stored body contains the time of its event.
    const oldest = statements.get<{ at: string }>(
      "SELECT body ->> '$.timestamp' AS at FROM webhook_deliveries WHERE number = ?",
      open?.first ?? 0,
    );
    return {
      pending: open?.pending ?? 0,
      running: open?.running ?? 0,
      deadLettered: over?.dead ?? 0,
      oldestPendingAtMs: oldest === undefined ? null : Date.parse(oldest.at),
    };
  });
}

export function listDeadDeliveries(
  statements: ReadStatements,
  workspaceId: string,
  page: { readonly before: number | null; readonly limit: number },
): { readonly items: readonly WebhookDeliveryRow[]; readonly more: boolean } {
  const rows = statements.all<StoredDelivery>(
    `${selectDeliveries} WHERE delivery.workspace = ? AND failed_at IS NOT NULL AND delivery.number < ?
       ORDER BY delivery.number DESC LIMIT ?`,
    workspaceNumber(statements, workspaceId),
    page.before ?? Number.MAX_SAFE_INTEGER,
    page.limit + 1,
  );
  return { items: rows.slice(0, page.limit).map(deliveryOf), more: rows.length > page.limit };
}
