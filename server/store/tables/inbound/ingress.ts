// Counters of inbound events by workspace and provider, and of the queue as a whole. They change in the transaction of the counted
// rows, so they survive every crash and are correct at every commit. The counts of one transaction are collected and written once,
// before its COMMIT: two statements for a thousand webhooks of a provider, not two for each.

import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { IngressRow } from '../../port/store.ts';

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

interface Collected {
  readonly workspace: number;
  readonly provider: string;
  readonly delta: Partial<Record<Counted, number>>;
  last: { readonly envelopeId: string; readonly receivedAtMs: number } | null;
}

export interface QueueCounts {
  /** Envelopes that wait, and the bytes of their bodies. */
  readonly pending: number;
  readonly bytes: number;
}

/** What the open transaction has counted and not written yet. Only the writer uses this. */
export class IngressCounts {
  readonly #statements: WriteStatements;
  readonly #collected = new Map<string, Collected>();
  #pending = 0;
  #bytes = 0;
  /** The stored counts of the queue; null while unknown. Only this class writes them. */
  #stored: QueueCounts | null = null;
  #latest: Collected | null = null;
  #lastNumber: number | null = null;
  /** Since it was last written. */
  #tookNumbers = false;

  constructor(statements: WriteStatements) {
    this.#statements = statements;
  }

  count(
    workspace: number,
    provider: string,
    delta: IngressDelta,
    last: { readonly envelopeId: string; readonly receivedAtMs: number } | null = null,
  ): void {
    const collected = this.#of(workspace, provider);
    for (const name in delta) {
      const counter = name as Counted;
      collected.delta[counter] = (collected.delta[counter] ?? 0) + (delta[counter] ?? 0);
    }
    collected.last = last ?? collected.last;
  }

  /** An accepted envelope: as `count`, for thousands per second. */
  countAccepted(workspace: number, provider: string, envelopeId: string, receivedAtMs: number): void {
    const collected = this.#of(workspace, provider);
    const { delta } = collected;
    delta.accepted = (delta.accepted ?? 0) + 1;
    delta.pending = (delta.pending ?? 0) + 1;
    collected.last = { envelopeId, receivedAtMs };
  }

  #of(workspace: number, provider: string): Collected {
    // Most envelopes of a group are of one provider.
    const latest = this.#latest;
    if (latest !== null && latest.workspace === workspace && latest.provider === provider) return latest;
    const key = `${workspace}/${provider}`;
    let collected = this.#collected.get(key);
    if (collected === undefined) {
      collected = { workspace, provider, delta: {}, last: null };
      this.#collected.set(key, collected);
    }
    this.#latest = collected;
    return collected;
  }

  /** The highest number that an envelope ever had; none is reused. */
  lastNumber(): number {
    this.#lastNumber ??=
      this.#statements.get<{ last_number: number }>('SELECT last_number FROM envelope_queue WHERE id = 1')
        ?.last_number ?? 0;
    return this.#lastNumber;
  }

  /** The same, if it is known without a read. */
  get knownNumber(): number | null {
    return this.#lastNumber;
  }

  tookNumber(number: number): void {
    this.#lastNumber = number;
    this.#tookNumbers = true;
  }

  moveQueue(pending: number, bytes: number): void {
    this.#pending += pending;
    this.#bytes += bytes;
  }

  /** The queue as the open transaction has left it so far. */
  queue(): QueueCounts {
    this.#stored ??= queueCounts(this.#statements);
    return { pending: this.#stored.pending + this.#pending, bytes: this.#stored.bytes + this.#bytes };
  }

  /** Inside the transaction: before COMMIT, before a savepoint, and before others look at these tables. */
  persist(): void {
    for (const { workspace, provider, delta, last } of this.#collected.values()) {
      const values = [
        ...counted.map((name) => delta[name] ?? 0),
        last?.envelopeId ?? null,
        last?.receivedAtMs ?? null,
        workspace,
        provider,
      ];
      if (this.#statements.run(update, ...values).changes === 1) continue;
      this.#statements.run(insert, workspace, provider);
      this.#statements.run(update, ...values);
    }
    if (this.#pending !== 0 || this.#bytes !== 0 || this.#tookNumbers) {
      this.#statements.run(
        'UPDATE envelope_queue SET pending = pending + ?, bytes = bytes + ?, last_number = ? WHERE id = 1',
        this.#pending,
        this.#bytes,
        this.lastNumber(),
      );
      if (this.#stored !== null) this.#stored = this.queue();
    }
    this.#forget();
  }

  /** After a rollback, also of more than was counted since `persist`. */
  discard(): void {
    this.#forget();
    this.#stored = null;
    this.#lastNumber = null;
  }

  /** After envelopes were deleted without a state change. Inside the transaction, with nothing left to persist. */
  recountQueue(): void {
    this.#statements.run(
      `UPDATE envelope_queue SET (pending, bytes) =
         (SELECT count(*), coalesce(sum(size), 0) FROM envelopes INDEXED BY envelopes_pending WHERE state = 1)`,
    );
    this.#stored = null;
  }

  #forget(): void {
    this.#collected.clear();
    this.#latest = null;
    this.#pending = 0;
    this.#bytes = 0;
    this.#tookNumbers = false;
  }
}

export function queueCounts(statements: ReadStatements): QueueCounts {
  const row = statements.get<QueueCounts>('SELECT pending, bytes FROM envelope_queue WHERE id = 1');
  if (row === undefined) throw new Error('the envelope queue has no counts');
  return row;
}

/** `workspaceId` null: of every live workspace. Ordered by workspace and provider. */
export function listIngress(statements: ReadStatements, workspaceId: string | null): readonly IngressRow[] {
  return statements.all<IngressRow>(
    `SELECT workspace_id AS workspaceId, provider, accepted, dropped, deduped, coalesced, applied, ignored, suppressed, stale,
       acknowledged, pending, dead, retried, dead_lettered AS deadLettered, replayed, last_envelope AS lastEnvelopeId,
       last_received_at AS lastReceivedAtMs,
       (SELECT accepted_at FROM envelopes WHERE envelopes.workspace = ingress.workspace
          AND envelopes.provider = ingress.provider AND state = 1 ORDER BY number LIMIT 1) AS oldestPendingAtMs
       FROM ingress JOIN workspaces ON workspaces.number = ingress.workspace AND deleted_at IS NULL
       WHERE CAST(? AS TEXT) IS NULL OR workspace_id = ? ORDER BY workspace_id, provider`,
    workspaceId,
    workspaceId,
  );
}
