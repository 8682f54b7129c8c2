// What is known of each provider of a workspace, in both directions: the figures that its state is computed from
// (core/sync-status). Reads only.
import { failureCodeOf, type ProviderFigures } from '../../core/inbound/sync-status.ts';
import type { ProviderRow, Store } from '../../store/port/store.ts';

export interface FiguresStore {
  readonly ingest: Pick<
    Store['ingest'],
    'fileProviders' | 'ingress' | 'deadLetterCauses' | 'lastErrors' | 'queue'
  >;
  readonly providers: Pick<Store['providers'], 'list'>;
  readonly writebacks: Pick<Store['writebacks'], 'figures'>;
}

/** By name, in its order: first segments of files, senders of webhooks, and registered ones. */
export async function providerFigures(
  store: FiguresStore,
  workspaceId: string,
): Promise<ReadonlyMap<string, ProviderFigures>> {
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
      const failureCodes: Record<string, number> = { ...went?.failureCodes };
      for (const { cause, count } of causes.filter((one) => one.provider === provider)) {
        const code = failureCodeOf(cause);
        failureCodes[code] = (failureCodes[code] ?? 0) + count;
      }
      const figures: ProviderFigures = {
        provider,
        lastEnvelopeId: came?.lastEnvelopeId ?? null,
        lastReceivedAtMs: came?.lastReceivedAtMs ?? null,
        oldestPendingAtMs: came?.oldestPendingAtMs ?? null,
        deadEnvelopes: came?.dead ?? 0,
        deadOperations: went?.deadLettered ?? 0,
        failureCodes,
        letterError: errors.get(provider) ?? null,
        ...registryFigures(here.find((row) => row.name === provider)),
      };
      return [provider, figures];
    }),
  );
}

type RegistryFigures = Pick<
  ProviderFigures,
  'registered' | 'callError' | 'refreshError' | 'paused' | 'refreshing'
>;

function registryFigures(row: ProviderRow | undefined): RegistryFigures {
  return {
    registered: row !== undefined,
    callError: row?.lastError ?? null,
    refreshError: row?.refresh?.error ?? null,
    paused: row?.paused ?? false,
    refreshing: row?.refresh != null && row.refresh.finishedAtMs === null,
  };
}

/** A provider of which nothing is known is healthy (contract 2). */
export function unknownFigures(provider: string): ProviderFigures {
  return {
    provider,
    lastEnvelopeId: null,
    lastReceivedAtMs: null,
    oldestPendingAtMs: null,
    deadEnvelopes: 0,
    deadOperations: 0,
    failureCodes: {},
    letterError: null,
    ...registryFigures(undefined),
  };
}
