// The operations of a workspace: what was queued for a provider, how it ended, step by step, and putting a dead one back.
// Only the writeback rooms work on operations; here they are shown, requeued, and picked out for what is done to many.
import type { OperationAction, OperationStatus } from '../../contract/words.ts';
import type { Authority } from '../../core/access/authority.ts';
import type { Actor } from '../../core/entry.ts';
import type { Clock } from '../../platform/clock.ts';
import { permittedRows } from '../../store/port/permits.ts';
import type { OperationRow, OperationStepRow, Store } from '../../store/port/store.ts';

export type { OperationRow, OperationStepRow } from '../../store/port/store.ts';

/** What is sent again: the file as it is now (or that it is gone), or what the operation was made of. */
export type ReplayOf = 'current' | 'original';

export interface OperationDetail {
  readonly operation: OperationRow;
  /** Who made the change; null when history no longer keeps it. */
  readonly actor: Actor | null;
  readonly steps: readonly OperationStepRow[];
}

/** Operations that one request does something to. */
const bulkMax = 1_000;

export interface Selection {
  /** Those of another one are passed over, with a word. */
  readonly status: OperationStatus;
  readonly action: OperationAction | null;
  readonly provider: string | null;
  /** null: any. At most 1,000. */
  readonly opIds: readonly string[] | null;
}

export interface BulkOutcome {
  readonly matched: number;
  readonly done: number;
  readonly more: boolean;
  /** Oldest first. */
  readonly results: readonly {
    readonly opId: string;
    readonly path: string | null;
    readonly done: boolean;
    /** Why not. */
    readonly message: string | null;
  }[];
}

/** Who asks: operations of files that are closed to them are unknown to them. */
interface Asked {
  readonly by: Authority | null;
}

interface ReplayHow extends Asked {
  readonly send: ReplayOf;
  readonly correlationId: string;
}

export interface OperationLog {
  get(workspaceId: string, opId: string, asked: Asked): Promise<OperationRow | null>;
  /** Newest first, of every path: whoever shows them leaves out what is closed. null: the cursor is no operation id; any id is a position. */
  list(
    workspaceId: string,
    query: { status?: string; action?: string; provider?: string; cursor: string | null; limit: number },
  ): Promise<{ items: readonly OperationRow[]; more: boolean } | null>;
  /** null: unknown. */
  story(workspaceId: string, opId: string, asked: Asked): Promise<OperationDetail | null>;
  /** Back to pending, if it was dead-lettered. */
  replay(workspaceId: string, opId: string, how: ReplayHow): Promise<'queued' | 'invalid_state' | 'unknown'>;
  /**
   * Has something done to each of those that match, in the order in which they were made; one that is refused stops no other.
   * `act` answers why it could not, or null. Without it nothing is done.
   */
  each(
    workspaceId: string,
    selection: Selection & Asked,
    act: ((opId: string) => Promise<string | null>) | null,
  ): Promise<BulkOutcome>;
  /** The same, without knowing its workspace: operation ids are the agent's. */
  replayAnywhere(opId: string, how: ReplayHow): Promise<'queued' | 'invalid_state' | 'unknown'>;
}

export function createOperationLog(rooms: {
  readonly store: Pick<Store, 'operations' | 'files' | 'workspaces'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Until when the provider itself is left alone; null: it may be called now. */
  callableAtMs(workspaceId: string, provider: string): number | null;
  /** Something may be due for a provider of this workspace. */
  wake(workspaceId: string): void;
}): OperationLog {
  const { clock } = rooms;
  const { operations, files, workspaces } = rooms.store;

  const permitted = (workspaceId: string, rows: readonly OperationRow[], by: Authority | null) =>
    permittedRows(files, workspaceId, rows, by);

  async function find(workspaceId: string, opId: string, { by }: Asked): Promise<OperationRow | null> {
    const row = await operations.get(workspaceId, opId);
    return row === null ? null : ((await permitted(workspaceId, [row], by))[0] ?? null);
  }

  /** Oldest first; `message` says why one that was named does not match. */
  async function pick(workspaceId: string, { status, action, provider, opIds, by }: Selection & Asked) {
    if (opIds === null) {
      const { items, more } = await operations.oldest(workspaceId, {
        status,
        ...(action === null ? {} : { action }),
        ...(provider === null ? {} : { provider }),
        limit: bulkMax,
      });
      const allowed = await permitted(workspaceId, items, by);
      return { picked: allowed.map((row) => ({ row, message: null })), unknown: [], more };
    }
    const named = [...new Set(opIds)];
    const rows = await Promise.all(named.map((opId) => find(workspaceId, opId, { by })));
    const picked = rows
      .filter((row) => row !== null)
      .map((row) => ({ row, message: mismatch(row, { status, action, provider }) }))
      .toSorted((a, b) => numberOf(a.row.opId) - numberOf(b.row.opId));
    const unknown = named
      .filter((_, index) => rows[index] === null)
      .map((opId) => ({ opId, path: null, done: false, message: 'there is no such operation' }));
    return { picked, unknown, more: false };
  }
  const replay: OperationLog['replay'] = async (workspaceId, opId, how) => {
    const { by, ...sending } = how;
    if ((await find(workspaceId, opId, { by })) === null) return 'unknown';
    const result = await operations.requeue(workspaceId, opId, clock.nowMs(), sending);
    if (result === null) return 'unknown';
    if (result.requeued) rooms.wake(workspaceId);
    return result.requeued ? 'queued' : 'invalid_state';
  };
  /** An item whose own pause is over waits for its provider's: what is shown is when it really goes. */
  const asItGoes = (row: OperationRow): OperationRow => {
    const callableAtMs = row.status === 'pending' ? rooms.callableAtMs(row.workspaceId, row.provider) : null;
    if (callableAtMs === null) return row;
    return { ...row, nextAttemptAtMs: Math.max(row.nextAttemptAtMs ?? 0, callableAtMs) };
  };
  const get: OperationLog['get'] = async (workspaceId, opId, asked) => {
    const row = await find(workspaceId, opId, asked);
    return row === null ? null : asItGoes(row);
  };
  return {
    get,
    async list(workspaceId, query) {
      const page = await operations.list(workspaceId, query);
      return page === null ? null : { ...page, items: page.items.map(asItGoes) };
    },
    async story(workspaceId, opId, asked) {
      const operation = await get(workspaceId, opId, asked);
      if (operation === null) return null;
      const steps = await operations.steps(workspaceId, opId);
      const [state] = await files.history(workspaceId, operation.path, 1, operation.revision + 1);
      const actor = state?.revision === operation.revision ? state.actor : null;
      return { operation, actor, steps };
    },
    replay,
    async each(workspaceId, selection, act) {
      const { picked, unknown, more } = await pick(workspaceId, selection);
      const results = await Promise.all(
        picked.map(async ({ row, message }) => {
          const { opId, path } = row;
          if (message !== null || act === null) return { opId, path, done: false, message };
          const refused = await act(opId);
          return { opId, path, done: refused === null, message: refused };
        }),
      );
      const matched = picked.filter(({ message }) => message === null).length;
      const done = results.filter((one) => one.done).length;
      return { matched, done, more, results: [...results, ...unknown] };
    },
    async replayAnywhere(opId, how) {
      for (const { workspaceId } of await workspaces.list({ includeDeleted: false })) {
        const outcome = await replay(workspaceId, opId, how);
        if (outcome !== 'unknown') return outcome;
      }
      return 'unknown';
    },
  };
}

function mismatch(row: OperationRow, wanted: Omit<Selection, 'opIds'>): string | null {
  if (row.status !== wanted.status) return `it is ${row.status}`;
  if (wanted.provider !== null && row.provider !== wanted.provider) return `its provider is ${row.provider}`;
  return wanted.action === null || row.action === wanted.action ? null : `it is a ${row.action}`;
}

function numberOf(opId: string): number {
  return Number(opId.slice('op_'.length));
}
