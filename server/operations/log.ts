// The operations of a workspace: what was queued for a provider, how it ended, step by step, and putting a dead one back.
// Only the writeback rooms work on operations; here they are shown and requeued.
import type { Actor } from '../core/entry.ts';
import type { Clock } from '../platform/clock.ts';
import type { OperationRow, OperationStepRow, Store } from '../store/port.ts';

export type { OperationRow, OperationStepRow } from '../store/port.ts';

/** What is sent again: the file as it is now (or that it is gone), or what the operation was made of. */
export type ReplayOf = 'current' | 'original';

export interface OperationStory {
  readonly operation: OperationRow;
  /** Who made the change; null when history no longer keeps it. */
  readonly actor: Actor | null;
  readonly steps: readonly OperationStepRow[];
}

export interface OperationLog {
  get(workspaceId: string, opId: string): Promise<OperationRow | null>;
  /** Newest first. null: the cursor names no operation of this workspace. */
  list(
    workspaceId: string,
    query: { status?: string; action?: string; provider?: string; cursor: string | null; limit: number },
  ): Promise<{ items: readonly OperationRow[]; more: boolean } | null>;
  /** null: unknown. */
  story(workspaceId: string, opId: string): Promise<OperationStory | null>;
  /** Back to pending, if it was dead-lettered. */
  replay(
    workspaceId: string,
    opId: string,
    how: { readonly send: ReplayOf; readonly correlationId: string },
  ): Promise<'queued' | 'invalid_state' | 'unknown'>;
  /** The same, without knowing its workspace: operation ids are the agent's. */
  replayAnywhere(
    opId: string,
    how: { readonly send: ReplayOf; readonly correlationId: string },
  ): Promise<'queued' | 'invalid_state' | 'unknown'>;
}

export function createOperationLog(rooms: {
  readonly store: Pick<Store, 'operations' | 'files' | 'workspaces'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Something may be due for a provider of this workspace. */
  wake(workspaceId: string): void;
}): OperationLog {
  const { clock } = rooms;
  const { operations, files, workspaces } = rooms.store;
  const replay: OperationLog['replay'] = async (workspaceId, opId, how) => {
    const result = await operations.requeue(workspaceId, opId, clock.nowMs(), how);
    if (result === null) return 'unknown';
    if (result.requeued) rooms.wake(workspaceId);
    return result.requeued ? 'queued' : 'invalid_state';
  };
  return {
    get: (workspaceId, opId) => operations.get(workspaceId, opId),
    list: (workspaceId, query) => operations.list(workspaceId, query),
    async story(workspaceId, opId) {
      const operation = await operations.get(workspaceId, opId);
      if (operation === null) return null;
      const steps = await operations.steps(workspaceId, opId);
      const [state] = await files.history(workspaceId, operation.path, 1, operation.revision + 1);
      const actor = state?.revision === operation.revision ? state.actor : null;
      return { operation, actor, steps };
    },
    replay,
    async replayAnywhere(opId, how) {
      for (const { workspaceId } of await workspaces.list({ includeDeleted: false })) {
        const outcome = await replay(workspaceId, opId, how);
        if (outcome !== 'unknown') return outcome;
      }
      return 'unknown';
    },
  };
}
