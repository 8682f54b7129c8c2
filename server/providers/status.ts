// How providers are: what is registered, with what waits for each and how its last calls went.
import type { CircuitState } from '../core/circuit.ts';
import type { ProviderRow, WritebackFigures, WritebackStore } from '../store/port.ts';
import type { ProviderRegistry } from './registry.ts';

export interface ProviderStatus {
  readonly row: ProviderRow;
  readonly hasSecret: boolean;
  readonly state: 'healthy' | 'error' | 'paused';
  readonly circuit: CircuitState;
  /** When it is called again, while it is left alone. */
  readonly retryAtMs: number | null;
  readonly figures: WritebackFigures;
}

export interface ProviderStatuses {
  list(workspaceId: string): Promise<readonly ProviderStatus[]>;
  /** null: unknown. */
  get(workspaceId: string, name: string): Promise<ProviderStatus | null>;
}

export function createProviderStatuses(rooms: {
  readonly registry: ProviderRegistry;
  readonly writebacks: Pick<WritebackStore, 'figures'>;
  /** null: nobody here calls this provider. */
  readonly lane: (
    workspaceId: string,
    name: string,
  ) => { readonly circuit: CircuitState; readonly retryAtMs: number | null } | null;
}): ProviderStatuses {
  const { registry, writebacks, lane } = rooms;
  const list = async (workspaceId: string): Promise<readonly ProviderStatus[]> => {
    const [rows, figures] = await Promise.all([registry.list(workspaceId), writebacks.figures(workspaceId)]);
    return rows.map((row) => {
      const { circuit, retryAtMs } = lane(workspaceId, row.name) ?? { circuit: 'closed', retryAtMs: null };
      return {
        row,
        hasSecret: registry.hasSecret(workspaceId, row.name),
        state: stateOf(row),
        circuit,
        retryAtMs,
        figures: figures.find(({ provider }) => provider === row.name) ?? noFigures(row.name),
      };
    });
  };
  return {
    list,
    get: async (workspaceId, name) =>
      (await list(workspaceId)).find(({ row }) => row.name === name.toLowerCase()) ?? null,
  };
}

function stateOf(row: ProviderRow): ProviderStatus['state'] {
  if (row.paused) return 'paused';
  const isFailing = row.lastError !== null || row.refresh?.error != null;
  return isFailing ? 'error' : 'healthy';
}

function noFigures(provider: string): WritebackFigures {
  return { provider, pending: 0, running: 0, deadLettered: 0, oldestPendingAtMs: null, failureCodes: {} };
}
