// Status of providers: settings, pending operations and results of the last calls; also senders that only send webhooks.

import { type ProviderCounts, type StateAndCause, stateOf } from '../../core/inbound/sync-status.ts';
import type { CircuitState } from '../../core/outbound/circuit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ProviderRow, WritebackCounts } from '../../store/port/store.ts';
import { type CountsStore, providerCounts, unknownCounts } from './counts.ts';
import type { ProviderRegistry } from './registry.ts';

export interface ProviderStatus extends StateAndCause {
  readonly row: ProviderRow;
  readonly hasSecret: boolean;
  readonly circuit: CircuitState;
  /** When it is called again, while it is left alone. */
  readonly retryAtMs: number | null;
  readonly counts: WritebackCounts;
}

/** Sends webhooks and is not registered. */
export interface SenderStatus extends StateAndCause {
  readonly provider: string;
  readonly lastReceivedAtMs: number;
}

export interface ProviderStatuses {
  list(workspaceId: string): Promise<readonly ProviderStatus[]>;
  senders(workspaceId: string): Promise<readonly SenderStatus[]>;
  /** null: unknown. */
  get(workspaceId: string, name: string): Promise<ProviderStatus | null>;
}

export function createProviderStatuses(parts: {
  readonly registry: ProviderRegistry;
  readonly store: CountsStore;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** null: this agent does not call this provider. */
  readonly lane: (
    workspaceId: string,
    name: string,
  ) => { readonly circuit: CircuitState; readonly retryAtMs: number | null } | null;
}): ProviderStatuses {
  const { registry, store, clock, lane } = parts;
  const list = async (workspaceId: string): Promise<readonly ProviderStatus[]> => {
    const [rows, all, writebacks] = await Promise.all([
      registry.list(workspaceId),
      providerCounts(store, workspaceId),
      store.writebacks.counts(workspaceId),
    ]);
    return rows.map((row) => {
      const { circuit, retryAtMs } = lane(workspaceId, row.name) ?? { circuit: 'closed', retryAtMs: null };
      return {
        row,
        hasSecret: registry.hasSecret(workspaceId, row.name),
        ...stateOf(all.get(row.name) ?? unknownCounts(row.name), clock.nowMs()),
        circuit,
        retryAtMs,
        counts: writebacks.find(({ provider }) => provider === row.name) ?? noCounts(row.name),
      };
    });
  };
  return {
    list,
    senders: async (workspaceId) =>
      [...(await providerCounts(store, workspaceId)).values()].flatMap((counts) =>
        senderOf(counts, clock.nowMs()),
      ),
    get: async (workspaceId, name) =>
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
