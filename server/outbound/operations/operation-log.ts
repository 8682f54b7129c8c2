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
import { type Preview, previewOperation } from './preview.ts';

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

interface OperationLogDeps {
  readonly compute: Compute;
  readonly store: { readonly operations: OperationStore; readonly files: ContentReader };
  readonly registry: ProviderRegistry;
  readonly dispatcher: Pick<Dispatcher, 'status'>;
}

export class OperationLog {
  readonly #deps: OperationLogDeps;

  constructor(deps: OperationLogDeps) {
    this.#deps = deps;
  }

  async get(workspaceId: string, opId: string, { by }: CallerOptions): Promise<OperationRow | null> {
    const row = await findPermitted(this.#deps.store, workspaceId, opId, by);
    return row === null ? null : this.#withNextAttempt(row);
  }

  /** Newest first, of every path: the caller filters by access. Any operation id is a position; null: the cursor is not an operation id. */
  async list(
    workspaceId: string,
    query: { status?: string; action?: string; provider?: string; cursor: string | null; limit: number },
  ): Promise<{ items: readonly OperationRow[]; more: boolean } | null> {
    const page = await this.#deps.store.operations.list(workspaceId, query);
    return page === null ? null : { ...page, items: page.items.map((row) => this.#withNextAttempt(row)) };
  }

  /** null: unknown. */
  async detail(workspaceId: string, opId: string, caller: CallerOptions): Promise<OperationDetail | null> {
    const { operations, files } = this.#deps.store;
    const operation = await this.get(workspaceId, opId, caller);
    if (operation === null) return null;
    const steps = await operations.steps(workspaceId, opId);
    const [state] = await files.history(workspaceId, operation.path, 1, operation.revision + 1);
    const actor = state?.revision === operation.revision ? state.actor : null;
    return { operation, actor, steps };
  }

  /** Pending and running, oldest first, after `afterOpId`; of every path: the caller filters by access. */
  pending(workspaceId: string, limit: number, afterOpId?: string | null): Promise<readonly OperationRow[]> {
    return this.#deps.store.operations.pending(workspaceId, limit, afterOpId);
  }

  /** `send`: as a replay would send it; null: as the operation is. null: unknown. */
  preview(workspaceId: string, opId: string, send: 'current' | 'original' | null): Promise<Preview | null> {
    const { store, registry, compute } = this.#deps;
    return previewOperation(
      { operations: store.operations, files: store.files, registry, compute },
      workspaceId,
      opId,
      send,
    );
  }

  /** An operation whose own backoff is over waits for its provider's: the time shown is that of the next attempt. */
  #withNextAttempt(row: OperationRow): OperationRow {
    const { workspaceId, provider, status, nextAttemptAtMs } = row;
    if (status !== 'pending') return row;
    const callableAtMs = this.#deps.dispatcher.status(workspaceId, provider)?.retryAtMs ?? null;
    return callableAtMs === null
      ? row
      : { ...row, nextAttemptAtMs: Math.max(nextAttemptAtMs ?? 0, callableAtMs) };
  }
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
