// Inbound status: the sync of each provider and the counters of the queue, of one workspace or all. Reads only;
// core/inbound/sync-status.ts interprets the counts.
import type { IngressStatus, ProviderIngress, ProviderSync, SyncStatus } from '../contract/sync.ts';
import { syncOf, wholeSeconds } from '../core/inbound/sync-status.ts';
import { type CountsStore, providerCounts, unknownCounts } from '../outbound/providers/counts.ts';
import type { Clock } from '../platform/clock.ts';
import { TimeSlices } from '../platform/event-loop.ts';
import type { IngressRow } from '../store/port/store.ts';

export type IngestStatus = ReturnType<typeof createIngestStatus>;

export function createIngestStatus(store: CountsStore, clock: Pick<Clock, 'nowMs'>, queueCapacity: number) {
  return {
    /** `provider` null: every one that files, envelopes or the registry name; an unknown one is healthy. */
    async sync(workspaceId: string, provider: string | null): Promise<SyncStatus> {
      const all = await providerCounts(store, workspaceId);
      const selected = provider === null ? [...all.values()] : [all.get(provider) ?? unknownCounts(provider)];
      const nowMs = clock.nowMs();
      const slices = new TimeSlices();
      const providers: ProviderSync[] = [];
      for (const counts of selected) {
        providers.push(syncOf(counts, nowMs));
        await slices.next();
      }
      return { workspaceId, providers };
    },
    /** `shown`: the providers that are counted; absent: all. */
    async ingress(
      workspaceId: string,
      provider: string | null,
      shown: (provider: string) => boolean = () => true,
    ): Promise<IngressStatus> {
      const rows = (await store.ingest.ingress(workspaceId)).filter((row) => shown(row.provider));
      const selected = provider === null ? rows : rows.filter((row) => row.provider === provider);
      const { pending: depth } = await store.ingest.queue();
      return ingressOf(workspaceId, selected, { depth, capacity: queueCapacity }, clock.nowMs());
    },
    /** Waiting envelopes and outbound items of all workspaces. */
    async queues() {
      const { pending: envelopes } = await store.ingest.queue();
      const counts = await store.writebacks.counts(null);
      const writebacks = counts.reduce((sum, one) => sum + one.pending + one.running, 0);
      return { envelopes, envelopeCapacity: queueCapacity, writebacks };
    },
  };
}

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
