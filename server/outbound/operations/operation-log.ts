// Reads of operations: one, lists, its steps, the pending ones, and a preview of what is sent. Changes: transitions.ts.
import type { Compute } from '../../compute/port.ts';
import type { Authority } from '../../core/access/authority.ts';
import type { Actor } from '../../core/entry.ts';
import { permittedRows } from '../../store/port/permits.ts';
import type {
  ContentReader,
  OperationRow,
  OperationStepRow,
  OperationStore,
} from '../../store/port/store.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import type { Dispatcher } from './dispatcher.ts';
import { previewOperation } from './preview.ts';

export type { OperationRow, OperationStepRow } from '../../store/port/store.ts';
export type { Preview } from './preview.ts';

export interface OperationDetail {
  readonly operation: OperationRow;
  /** Who made the change; null when history no longer contains it. */
  readonly actor: Actor | null;
  readonly steps: readonly OperationStepRow[];
}

/** Operations of files that the caller may not read are unknown to it. */
interface CallerOptions {
  readonly by: Authority | null;
}

export type OperationLog = ReturnType<typeof createOperationLog>;

export function createOperationLog(deps: {
  readonly compute: Compute;
  readonly store: { readonly operations: OperationStore; readonly files: ContentReader };
  readonly registry: ProviderRegistry;
  readonly dispatcher: Pick<Dispatcher, 'status'>;
}) {
  const { compute, registry, dispatcher } = deps;
  const { operations, files } = deps.store;

  /** An operation whose own backoff is over waits for its provider's: the time shown is that of the next attempt. */
  const withNextAttempt = (row: OperationRow): OperationRow => {
    const { workspaceId, provider, status, nextAttemptAtMs } = row;
    const callableAtMs = dispatcher.status(workspaceId, provider)?.retryAtMs ?? null;
    if (status !== 'pending' || callableAtMs === null) return row;
    return { ...row, nextAttemptAtMs: Math.max(nextAttemptAtMs ?? 0, callableAtMs) };
  };
  const get = async (workspaceId: string, opId: string, { by }: CallerOptions) => {
    const row = await findPermitted(deps.store, workspaceId, opId, by);
    return row === null ? null : withNextAttempt(row);
  };
  return {
    get,
    /** Newest first, of every path: the caller filters by access. Any operation id is a position; null: the cursor is not an operation id. */
    async list(workspaceId: string, query: Parameters<OperationStore['list']>[1]) {
      const page = await operations.list(workspaceId, query);
      return page === null ? null : { ...page, items: page.items.map(withNextAttempt) };
    },
    /** Of registered providers, and those that have not succeeded. As `list`. */
    async listRegistered(workspaceId: string, query: Parameters<OperationStore['listRegistered']>[1]) {
      const page = await operations.listRegistered(workspaceId, query);
      return page === null ? null : { ...page, items: page.items.map(withNextAttempt) };
    },
    /** Those that `listRegistered` omits, up to a limit. */
    countPlainSaves: (workspaceId: string) => operations.countPlainSaves(workspaceId),
    /** null: unknown. */
    async detail(workspaceId: string, opId: string, caller: CallerOptions): Promise<OperationDetail | null> {
      const operation = await get(workspaceId, opId, caller);
      if (operation === null) return null;
      const steps = await operations.steps(workspaceId, opId);
      const [state] = await files.history(workspaceId, operation.path, 1, operation.revision + 1);
      const actor = state?.revision === operation.revision ? state.actor : null;
      return { operation, actor, steps };
    },
    /** Pending and running, oldest first, after `afterOpId`; of every path: the caller filters by access. */
    pending: (workspaceId: string, limit: number, afterOpId?: string | null) =>
      operations.pending(workspaceId, limit, afterOpId),
    /** `send`: as a replay would send it; null: as the operation is. null: unknown. */
    preview: (workspaceId: string, opId: string, send: 'current' | 'original' | null) =>
      previewOperation({ operations, files, registry, compute }, workspaceId, opId, send),
  };
}

/** null: unknown, or of a file that the caller may not access, which is the same to it. */
export async function findPermitted(
  { operations, files }: { readonly operations: OperationStore; readonly files: ContentReader },
  workspaceId: string,
  opId: string,
  by: Authority | null,
): Promise<OperationRow | null> {
  const row = await operations.get(workspaceId, opId);
  return row === null ? null : ((await permittedRows(files, workspaceId, [row], by))[0] ?? null);
}
