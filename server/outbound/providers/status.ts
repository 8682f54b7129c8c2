// Status of providers: settings, pending operations and results of the last calls; also senders that only send webhooks.

import { type ProviderCounts, type StateAndCause, stateOf } from '../../core/inbound/sync-status.ts';
import type { LaneStatus } from '../../delivery/lane-port.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ProviderRow, WritebackCounts } from '../../store/port/store.ts';
import { type CountsStore, providerCounts, unknownCounts } from './counts.ts';
import type { ProviderRegistry } from './registry.ts';

export interface ProviderStatus extends StateAndCause, LaneStatus {
  readonly row: ProviderRow;
  readonly hasSecret: boolean;
  readonly counts: WritebackCounts;
}

/** Sends webhooks and is not registered. */
export interface SenderStatus extends StateAndCause {
  readonly provider: string;
  readonly lastReceivedAtMs: number;
}

export type ProviderStatuses = ReturnType<typeof createProviderStatuses>;

/** `lane`: null where this agent does not call the provider. */
export function createProviderStatuses({
  registry,
  store,
  clock,
  lane,
}: {
  readonly registry: ProviderRegistry;
  readonly store: CountsStore;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly lane: (workspaceId: string, name: string) => LaneStatus | null;
}) {
  const list = async (workspaceId: string): Promise<readonly ProviderStatus[]> => {
    const [rows, all, writebacks] = await Promise.all([
      registry.list(workspaceId),
      providerCounts(store, workspaceId),
      store.writebacks.counts(workspaceId),
    ]);
    return rows.map((row) => ({
      row,
      hasSecret: registry.hasSecret(workspaceId, row.name),
      ...stateOf(all.get(row.name) ?? unknownCounts(row.name), clock.nowMs()),
      ...(lane(workspaceId, row.name) ?? { circuit: 'closed', retryAtMs: null }),
      counts: writebacks.find(({ provider }) => provider === row.name) ?? noCounts(row.name),
    }));
  };
  return {
    list,
    async senders(workspaceId: string): Promise<readonly SenderStatus[]> {
      const all = await providerCounts(store, workspaceId);
      return [...all.values()].flatMap((counts) => senderOf(counts, clock.nowMs()));
    },
    /** null: unknown. */
    get: async (workspaceId: string, name: string): Promise<ProviderStatus | null> =>
      (await list(workspaceId)).find(({ row }) => row.name === name.toLowerCase()) ?? null,
  };
}

function senderOf(counts: ProviderCounts, nowMs: number): readonly SenderStatus[] {
  const { provider, registered, lastReceivedAtMs } = counts;
  if (registered || lastReceivedAtMs === null) return [];
  return [{ provider, ...stateOf(counts, nowMs), lastReceivedAtMs }];
}

function noCounts(provider: string): WritebackCounts {
  return { provider, pending: 0, running: 0, deadLettered: 0, oldestPendingAtMs: null, failureCodes: {} };
}
