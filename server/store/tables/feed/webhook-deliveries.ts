// Reads webhook endpoints and their deliveries. Their states change in webhook-endpoints.ts.
import type { AccessSubject } from '../../../core/entry.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type {
  WebhookCounts,
  WebhookDeliveryRow,
  WebhookDeliveryStatus,
  WebhookRow,
} from '../../port/feed.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';

const statuses = ['pending', 'running', 'delivered', 'dead_lettered'] as const;
export const codeOf = (status: WebhookDeliveryStatus) => statuses.indexOf(status) + 1;
export const [pending, running, delivered, dead] = statuses.map(codeOf) as [number, number, number, number];

type StoredWebhook = Omit<WebhookRow, 'globs' | 'plainHttp' | 'privateAddresses' | 'access' | 'tokenIds'> & {
  readonly globs: string;
  readonly plainHttp: number;
  readonly privateAddresses: number;
  readonly access: string | null;
  readonly tokenIds: string;
};

export function listWebhooks(statements: ReadStatements): readonly WebhookRow[] {
  return statements
    .all<StoredWebhook>(
      `SELECT workspace_id AS workspaceId, id AS webhookId, url, globs, plain_http AS plainHttp,
         private_addresses AS privateAddresses, access, token_ids AS tokenIds, expires_at AS expiresAtMs,
         revoked_at AS revokedAtMs, position, webhooks.created_at AS createdAtMs, last_attempt_at AS lastAttemptAtMs,
         last_success_at AS lastSuccessAtMs, last_error AS lastError, failures_in_row AS failuresInRow
         FROM webhooks JOIN workspaces ON workspaces.number = webhooks.workspace
         WHERE deleted_at IS NULL ORDER BY workspace, webhooks.created_at, id`,
    )
    .map((row) => ({
      ...row,
      globs: JSON.parse(row.globs) as string[],
      plainHttp: row.plainHttp === 1,
      privateAddresses: row.privateAddresses === 1,
      access: readAccess(row.access),
      tokenIds: JSON.parse(row.tokenIds) as string[],
    }));
}

/** Rows store the parents under the word `under` (docs/glossary.md#frozen-words). */
export function accessText(access: AccessSubject | null): string | null {
  if (access === null) return null;
  const { parents: under, ...subject } = access;
  return JSON.stringify({ ...subject, under });
}

export function readAccess(text: string | null): AccessSubject | null {
  if (text === null) return null;
  const { under, ...subject } = JSON.parse(text) as AccessSubject & { under?: readonly AccessSubject[] };
  return under === undefined ? subject : { ...subject, parents: under };
}

/** SQL: true while the endpoint may be called; its one parameter is the time. */
export const isActiveAt = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';

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

export type StoredDelivery = Omit<WebhookDeliveryRow, 'status'> & { readonly status: number };

export const selectDeliveries = `SELECT delivery.number AS number, delivery.webhook AS webhookId, url, event AS eventSeq, body,
    status, attempts, replays, delivery.last_error AS lastError, failed_at AS failedAtMs
  FROM webhook_deliveries AS delivery
  JOIN webhooks ON webhooks.workspace = delivery.workspace AND webhooks.id = delivery.webhook`;

export function deliveryOf(row: StoredDelivery): WebhookDeliveryRow {
  return { ...row, status: statusOf(row.status) };
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
       WHERE workspace = ? AND webhook = ? AND status IN (1, 2) LIMIT ?) AS open`,
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
      `SELECT count(*) FILTER (WHERE status = ${pending}) AS pending, count(*) FILTER (WHERE status = ${running}) AS running,
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
