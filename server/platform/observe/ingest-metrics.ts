// Prometheus metrics of inbound events. The totals come from the store, which counts them in the same transaction, so they continue
// after a restart.
import { Counter, Gauge, type Registry } from 'prom-client';

const outcomes = [
  'accepted',
  'dropped',
  'deduped',
  'coalesced',
  'applied',
  'ignored',
  'suppressed',
  'stale',
  'acknowledged',
  'retried',
  'deadLettered',
  'replayed',
] as const;

export interface IngestCounts {
  readonly nowMs: number;
  /** Maximum number of pending envelopes. */
  readonly capacity: number;
  readonly queue: { readonly pending: number; readonly bytes: number };
  readonly ingress: readonly (Readonly<Record<(typeof outcomes)[number], number>> & {
    readonly oldestPendingAtMs: number | null;
  })[];
  /** Current dead letters. */
  readonly causes: readonly { readonly cause: string; readonly count: number }[];
}

export function createIngestGauges(registry: Registry): (counts: IngestCounts) => void {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const depth = gauge('mooring_ingest_queue_depth', 'Pending envelopes.');
  const capacity = gauge('mooring_ingest_queue_capacity', 'Maximum number of pending envelopes.');
  const bytes = gauge('mooring_ingest_queue_bytes', 'Bytes of the pending envelopes.');
  const oldest = gauge(
    'mooring_ingest_oldest_pending_seconds',
    'Age of the oldest pending envelope; 0 when there is none.',
  );
  const totals = new Counter({
    name: 'mooring_ingest_envelopes_total',
    help: 'Envelopes by outcome, since the data directory was created.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const dead = new Gauge({
    name: 'mooring_ingest_dead_letters',
    help: 'Open dead letters by cause.',
    labelNames: ['cause'] as const,
    registers,
  });
  return (counts) => {
    depth.set(counts.queue.pending);
    bytes.set(counts.queue.bytes);
    capacity.set(counts.capacity);
    const since = counts.ingress.map((row) => row.oldestPendingAtMs ?? counts.nowMs);
    oldest.set((counts.nowMs - Math.min(counts.nowMs, ...since)) / 1000);
    totals.reset();
    for (const outcome of outcomes) {
      totals.inc(
        { outcome },
        counts.ingress.reduce((sum, row) => sum + row[outcome], 0),
      );
    }
    dead.reset();
    for (const { cause, count } of counts.causes) dead.inc({ cause }, count);
  };
}
