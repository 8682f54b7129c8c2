// Figures of what comes in, in Prometheus' words. The totals come from the store, where they are counted with what they count,
// so they go on over restarts. A part of metrics.ts in a file of its own.
import { Counter, Gauge, type Registry } from 'prom-client';

const countedWords = [
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

export interface IngestFigures {
  readonly nowMs: number;
  /** Envelopes that may wait. */
  readonly capacity: number;
  readonly queue: { readonly pending: number; readonly bytes: number };
  readonly ingress: readonly (Readonly<Record<(typeof countedWords)[number], number>> & {
    readonly oldestPendingAtMs: number | null;
  })[];
  /** Dead letters now. */
  readonly causes: readonly { readonly cause: string; readonly count: number }[];
}

export function createIngestFigures(registry: Registry): (figures: IngestFigures) => void {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const depth = gauge('mooring_ingest_queue_depth', 'Envelopes that wait to be applied.');
  const capacity = gauge('mooring_ingest_queue_capacity', 'Envelopes that may wait.');
  const bytes = gauge('mooring_ingest_queue_bytes', 'Bytes of the envelopes that wait.');
  const oldest = gauge(
    'mooring_ingest_oldest_pending_seconds',
    'Age of the oldest envelope that waits; 0 when none does.',
  );
  const totals = new Counter({
    name: 'mooring_ingest_envelopes_total',
    help: 'What came of envelopes, since the data directory was made.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const dead = new Gauge({
    name: 'mooring_ingest_dead_letters',
    help: 'Dead letters that nobody has dealt with, by cause.',
    labelNames: ['cause'] as const,
    registers,
  });
  return (figures) => {
    depth.set(figures.queue.pending);
    bytes.set(figures.queue.bytes);
    capacity.set(figures.capacity);
    const since = figures.ingress.map((row) => row.oldestPendingAtMs ?? figures.nowMs);
    oldest.set((figures.nowMs - Math.min(figures.nowMs, ...since)) / 1000);
    totals.reset();
    for (const outcome of countedWords) {
      totals.inc(
        { outcome },
        figures.ingress.reduce((sum, row) => sum + row[outcome], 0),
      );
    }
    dead.reset();
    for (const { cause, count } of figures.causes) dead.inc({ cause }, count);
  };
}
