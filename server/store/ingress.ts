// Counters of what came in, by workspace and provider. They change in the transaction of what they count, so they survive
// every crash and add up at every commit.
import type { IngressRow } from './port.ts';
import type { Statements } from './sqlite.ts';

const counted = [
  'accepted',
  'dropped',
  'deduped',
  'coalesced',
  'applied',
  'ignored',
  'suppressed',
  'stale',
  'acknowledged',
  'pending',
  'dead',
  'retried',
  'dead_lettered',
  'replayed',
] as const;
type Counted = (typeof counted)[number];
/** What to add; may be negative for `pending` and `dead`. */
export type IngressDelta = Readonly<Partial<Record<Counted, number>>>;

const columns = counted.join(', ');
const zeros = counted.map(() => '0').join(', ');
const insert = `INSERT INTO ingress (workspace, provider, ${columns}) VALUES (?, ?, ${zeros}) ON CONFLICT DO NOTHING`;
const update = `UPDATE ingress SET ${counted.map((name) => `${name} = ${name} + ?`).join(', ')},
  last_envelope = coalesce(?, last_envelope), last_received_at = coalesce(?, last_received_at)
  WHERE workspace = ? AND provider = ?`;

export function countIngress(
  statements: Statements,
  workspace: number,
  provider: string,
  delta: IngressDelta,
  last: { readonly envelopeId: string; readonly receivedAtMs: number } | null = null,
): void {
  const values = [
    ...counted.map((name) => delta[name] ?? 0),
    last?.envelopeId ?? null,
    last?.receivedAtMs ?? null,
    workspace,
    provider,
  ];
  if (statements.run(update, ...values).changes === 1) return;
  statements.run(insert, workspace, provider);
  statements.run(update, ...values);
}

interface Row extends Record<Counted, number> {
  readonly workspace_id: string;
  readonly provider: string;
  readonly last_envelope: string | null;
  readonly last_received_at: number | null;
  readonly oldest_pending_at: number | null;
}

/** `workspaceId` null: of every live workspace. Ordered by workspace and provider. */
export function listIngress(statements: Statements, workspaceId: string | null): readonly IngressRow[] {
  return statements
    .all<Row>(
      `SELECT workspace_id, ingress.*,
         (SELECT accepted_at FROM envelopes WHERE envelopes.workspace = ingress.workspace
            AND envelopes.provider = ingress.provider AND state = 1 ORDER BY number LIMIT 1) AS oldest_pending_at
         FROM ingress JOIN workspaces ON workspaces.number = ingress.workspace AND deleted_at IS NULL
         WHERE ? IS NULL OR workspace_id = ? ORDER BY workspace_id, provider`,
      workspaceId,
      workspaceId,
    )
    .map((row) => ({
      workspaceId: row.workspace_id,
      provider: row.provider,
      accepted: row.accepted,
      dropped: row.dropped,
      deduped: row.deduped,
      coalesced: row.coalesced,
      applied: row.applied,
      ignored: row.ignored,
      suppressed: row.suppressed,
      stale: row.stale,
      acknowledged: row.acknowledged,
      pending: row.pending,
      dead: row.dead,
      retried: row.retried,
      deadLettered: row.dead_lettered,
      replayed: row.replayed,
      lastEnvelopeId: row.last_envelope,
      lastReceivedAtMs: row.last_received_at,
      oldestPendingAtMs: row.oldest_pending_at,
    }));
}
