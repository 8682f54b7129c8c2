// How what comes in is doing: the sync of each provider and the counters of the queue, of one workspace or all. Reads only;
// what the figures mean is decided in core/sync-status.
import type { IngressStatus, ProviderIngress, SyncStatus } from '../contract/sync.ts';
import { failureCodeOf, type ProviderSyncFigures, syncOf, wholeSeconds } from '../core/sync-status.ts';
import type { Clock } from '../platform/clock.ts';
import type { IngressRow, ProviderRow, Store } from '../store/port.ts';

export interface IngestStatus {
  /** `provider` null: every one that files, envelopes or the registry name; one that nobody knows is healthy. */
  sync(workspaceId: string, provider: string | null): Promise<SyncStatus>;
  ingress(workspaceId: string, provider: string | null): Promise<IngressStatus>;
  /** Waiting envelopes and outbound items of all workspaces. */
  queues(): Promise<{ envelopes: number; envelopeCapacity: number; writebacks: number }>;
}

type StatusStore = Pick<Store, 'ingest' | 'providers' | 'writebacks'>;

export function createIngestStatus(parts: {
  readonly store: StatusStore;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly queueCapacity: number;
}): IngestStatus {
  const { store, clock, queueCapacity } = parts;
  return {
    async sync(workspaceId, provider) {
      const all = await figuresOf(store, workspaceId);
      const known = provider === null ? [...all.values()] : [all.get(provider) ?? unknownProvider(provider)];
      const nowMs = clock.nowMs();
      return { workspaceId, providers: known.map((figures) => syncOf(figures, nowMs)) };
    },
    async ingress(workspaceId, provider) {
      const rows = await store.ingest.ingress(workspaceId);
      const wanted = provider === null ? rows : rows.filter((row) => row.provider === provider);
      const { pending } = await store.ingest.queue();
      return ingressOf(workspaceId, wanted, { depth: pending, capacity: queueCapacity }, clock.nowMs());
    },
    async queues() {
      const { pending } = await store.ingest.queue();
      const figures = await store.writebacks.figures(null);
      const writebacks = figures.reduce((sum, one) => sum + one.pending + one.running, 0);
      return { envelopes: pending, envelopeCapacity: queueCapacity, writebacks };
    },
  };
}

// ---- sync

async function figuresOf(
  store: StatusStore,
  workspaceId: string,
): Promise<ReadonlyMap<string, ProviderSyncFigures>> {
  const [ofFiles, ingress, causes, errors, writebacks, registered] = await Promise.all([
    store.ingest.fileProviders(workspaceId),
    store.ingest.ingress(workspaceId),
    store.ingest.deadLetterCauses(workspaceId),
    store.ingest.lastErrors(workspaceId),
    store.writebacks.figures(workspaceId),
    store.providers.list(),
  ]);
  const here = registered.filter((row) => row.workspaceId === workspaceId);
  const names = new Set([
    ...ofFiles,
    ...ingress.map((row) => row.provider),
    ...writebacks.map((row) => row.provider),
    ...here.map((row) => row.name),
  ]);
  return new Map(
    [...names].sort().map((provider) => {
      const came = ingress.find((row) => row.provider === provider);
      const went = writebacks.find((row) => row.provider === provider);
      const entry = here.find((row) => row.name === provider);
      const failureCodes: Record<string, number> = { ...went?.failureCodes };
      for (const { cause, count } of causes.filter((one) => one.provider === provider)) {
        const code = failureCodeOf(cause);
        failureCodes[code] = (failureCodes[code] ?? 0) + count;
      }
      const figures: ProviderSyncFigures = {
        provider,
        lastEnvelopeId: came?.lastEnvelopeId ?? null,
        lastReceivedAtMs: came?.lastReceivedAtMs ?? null,
        oldestPendingAtMs: came?.oldestPendingAtMs ?? null,
        deadEnvelopes: came?.dead ?? 0,
        deadOperations: went?.deadLettered ?? 0,
        failureCodes,
        lastError: errors.get(provider) ?? entryError(entry),
        paused: entry?.paused ?? false,
        refreshing: entry?.refresh != null && entry.refresh.finishedAtMs === null,
      };
      return [provider, figures];
    }),
  );
}

/** Of the registry: a failure counts until the next success, or the next refresh that ends well. */
function entryError(entry: ProviderRow | undefined): string | null {
  if (entry === undefined) return null;
  if (entry.refresh !== null && entry.refresh.error !== null) return entry.refresh.error;
  return (entry.lastFailureAtMs ?? 0) > (entry.lastSuccessAtMs ?? 0) ? entry.lastError : null;
}

function unknownProvider(provider: string): ProviderSyncFigures {
  return {
    provider,
    lastEnvelopeId: null,
    lastReceivedAtMs: null,
    oldestPendingAtMs: null,
    deadEnvelopes: 0,
    deadOperations: 0,
    failureCodes: {},
    lastError: null,
    paused: false,
    refreshing: false,
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
