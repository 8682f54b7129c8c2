// Counts per provider of a workspace, in both directions, from which its state is computed (core/inbound/sync-status.ts). Reads
// only.
import { failureCodeOf, type ProviderCounts } from '../../core/inbound/sync-status.ts';
import { TimeSlices, yieldToEventLoop } from '../../platform/event-loop.ts';
import type {
  IngestStore,
  IngressRow,
  ProviderRow,
  ProviderStore,
  WritebackCounts,
  WritebackStore,
} from '../../store/port/store.ts';

/** A part that the store reads at once. */
const providersPerRead = 1_000;

export interface CountsStore {
  readonly ingest: Pick<
    IngestStore,
    'fileProviders' | 'ingress' | 'deadLetterCauses' | 'lastErrors' | 'queue'
  >;
  readonly providers: Pick<ProviderStore, 'list'>;
  readonly writebacks: Pick<WritebackStore, 'counts'>;
}

/** By name, in its order: first segments of files, senders of webhooks, and registered ones. */
export async function providerCounts(
  store: CountsStore,
  workspaceId: string,
): Promise<ReadonlyMap<string, ProviderCounts>> {
  const [ofFiles, ingress, causes, errors, writebacks, registered] = await Promise.all([
    fileProviders(store, workspaceId),
    store.ingest.ingress(workspaceId),
    store.ingest.deadLetterCauses(workspaceId),
    store.ingest.lastErrors(workspaceId),
    store.writebacks.counts(workspaceId),
    store.providers.list(),
  ]);
  const here = registered.filter((row) => row.workspaceId === workspaceId);
  const names = new Set([
    ...ofFiles,
    ...ingress.map((row) => row.provider),
    ...writebacks.map((row) => row.provider),
    ...here.map((row) => row.name),
  ]);
  const counts = new Map<string, ProviderCounts>();
  const slices = new TimeSlices();
  for (const provider of [...names].sort()) {
    const operations = writebacks.find((row) => row.provider === provider);
    const failureCodes: Record<string, number> = { ...operations?.failureCodes };
    for (const { cause, count } of causes.filter((one) => one.provider === provider)) {
      const code = failureCodeOf(cause);
      failureCodes[code] = (failureCodes[code] ?? 0) + count;
    }
    const envelopes = ingress.find((row) => row.provider === provider);
    const row = here.find(({ name }) => name === provider);
    const deadLetterError = errors.get(provider) ?? null;
    counts.set(provider, {
      ...countsOf(provider, envelopes, operations, row),
      failureCodes,
      deadLetterError,
    });
    await slices.next();
  }
  return counts;
}

/** Each file in the root is one, so there may be as many as files. */
async function fileProviders(store: CountsStore, workspaceId: string): Promise<readonly string[]> {
  const all: string[] = [];
  for (;;) {
    const page = await store.ingest.fileProviders(workspaceId, all.at(-1) ?? '', providersPerRead);
    all.push(...page);
    if (page.length < providersPerRead) return all;
    await yieldToEventLoop();
  }
}

/** A provider without any result is healthy (docs/wire-contract.md#operations-and-writeback). */
export function unknownCounts(provider: string): ProviderCounts {
  return countsOf(provider);
}

function countsOf(
  provider: string,
  envelopes?: IngressRow,
  operations?: WritebackCounts,
  row?: ProviderRow,
): ProviderCounts {
  return {
    provider,
    lastEnvelopeId: envelopes?.lastEnvelopeId ?? null,
    lastReceivedAtMs: envelopes?.lastReceivedAtMs ?? null,
    oldestPendingAtMs: envelopes?.oldestPendingAtMs ?? null,
    deadEnvelopes: envelopes?.dead ?? 0,
    deadOperations: operations?.deadLettered ?? 0,
    failureCodes: {},
    deadLetterError: null,
    registered: row !== undefined,
    callError: row?.lastError ?? null,
    refreshError: row?.refresh?.error ?? null,
    paused: row?.paused ?? false,
    refreshing: row?.refresh != null && row.refresh.finishedAtMs === null,
  };
}
