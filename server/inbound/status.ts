// Inbound status: the sync of each provider and the counters of the queue, of one workspace or all. Reads only;
// core/inbound/sync-status.ts interprets the counts.
import type { IngressStatus, ProviderIngress, SyncStatus } from '../contract/sync.ts';
import { syncOf, wholeSeconds } from '../core/inbound/sync-status.ts';
import { type CountsStore, providerCounts, unknownCounts } from '../outbound/providers/counts.ts';
import type { Clock } from '../platform/clock.ts';
import type { IngressRow } from '../store/port/store.ts';

export interface IngestStatus {
  /** `provider` null: every one that files, envelopes or the registry name; an unknown one is healthy. */
  sync(workspaceId: string, provider: string | null): Promise<SyncStatus>;
  /** `shown`: the providers that are counted; absent: all. */
  ingress(
    workspaceId: string,
    provider: string | null,
    shown?: (provider: string) => boolean,
  ): Promise<IngressStatus>;
  /** Waiting envelopes and outbound items of all workspaces. */
  queues(): Promise<{ envelopes: number; envelopeCapacity: number; writebacks: number }>;
}

export function createIngestStatus(parts: {
  readonly store: CountsStore;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly queueCapacity: number;
}): IngestStatus {
  const { store, clock, queueCapacity } = parts;
  return {
    async sync(workspaceId, provider) {
      const all = await providerCounts(store, workspaceId);
      const known = provider === null ? [...all.values()] : [all.get(provider) ?? unknownCounts(provider)];
      const nowMs = clock.nowMs();
      return { workspaceId, providers: known.map((counts) => syncOf(counts, nowMs)) };
    },
    async ingress(workspaceId, provider, shown = () => true) {
      const rows = (await store.ingest.ingress(workspaceId)).filter((row) => shown(row.provider));
      const wanted = provider === null ? rows : rows.filter((row) => row.provider === provider);
      const { pending } = await store.ingest.queue();
      return ingressOf(workspaceId, wanted, { depth: pending, capacity: queueCapacity }, clock.nowMs());
    },
    async queues() {
      const { pending } = await store.ingest.queue();
      const counts = await store.writebacks.counts(null);
      const writebacks = counts.reduce((sum, one) => sum + one.pending + one.running, 0);
      return { envelopes: pending, envelopeCapacity: queueCapacity, writebacks };
    },
  };
}

// ---- ingress

function ingressOf(
  workspaceId: string,
  rows: readonly IngressRow[],
  queue: { readonly depth: number; readonly capacity: number },
  nowMs: number,
): IngressStatus {
  const ofAll = ingressCounters(rows, nowMs);
  const dead = rows.filter((row) => row.dead > 0);
  return {
    workspaceId,
    queueDepth: queue.depth,
    queueCapacity: queue.capacity,
    queueUtilization: Math.min(1, queue.depth / queue.capacity),
    ...ofAll,
    deadLetterTotal: dead.reduce((sum, row) => sum + row.dead, 0),
    deadLetterByProvider: Object.fromEntries(dead.map((row) => [row.provider, row.dead])),
    ingressByProvider: Object.fromEntries(rows.map((row) => [row.provider, ingressCounters([row], nowMs)])),
  };
}

function ingressCounters(rows: readonly IngressRow[], nowMs: number): ProviderIngress {
  const sum = (read: (row: IngressRow) => number) => rows.reduce((total, row) => total + read(row), 0);
  const accepted = sum((row) => row.accepted);
  const deduped = sum((row) => row.deduped);
  const coalesced = sum((row) => row.coalesced);
  const oldest = rows.flatMap((row) => row.oldestPendingAtMs ?? []);
  return {
    acceptedTotal: accepted,
    droppedTotal: sum((row) => row.dropped),
    dedupedTotal: deduped,
    coalescedTotal: coalesced,
    pendingTotal: sum((row) => row.pending),
    oldestPendingAgeSeconds: oldest.length === 0 ? 0 : wholeSeconds(Math.min(...oldest), nowMs),
    suppressedTotal: sum((row) => row.suppressed),
    staleTotal: sum((row) => row.stale),
    dedupeRate: share(deduped, accepted + deduped),
    coalesceRate: share(coalesced, accepted),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
