// Outbound items: operations that wait for somebody to carry them to their provider. A consumer lists them here and
// acknowledges each; a person looks at one, sends it now, or has it not sent. It never touches content itself.
import type { Compute } from '../../compute/port.ts';
import type { Authority, DeleteLedger, DeleteLimit } from '../../core/access/authority.ts';
import type { ChangeFiles, ChangeResult } from '../../core/change/change.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import { permittedRows } from '../../store/port/permits.ts';
import type {
  DraftOutcome,
  OperationRow,
  OperationStore,
  Store,
  WritebackCounts,
} from '../../store/port/store.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import { DeleteQuotaError, type SweepRequest, type SweepResult, sweepDrafts } from './draft-sweep.ts';
import { type Preview, previewOperation } from './preview.ts';

export { BadPatternError, DeleteQuotaError } from './draft-sweep.ts';
export type { Preview } from './preview.ts';

export interface Acknowledgement {
  readonly success: boolean;
  readonly error: string | null;
  /** The provider's name for what was a draft: the file is renamed after it. */
  readonly externalId: string | null;
  /** Where the file belongs now; wins over `externalId` while it stays with the same provider. */
  readonly canonicalPath: string | null;
  readonly providerResult: Readonly<Record<string, unknown>> | null;
  readonly correlationId: string;
  /** Who acknowledges: the operations of files that they may not change are unknown to them. */
  readonly by: Authority | null;
}

export interface WritebackQueue {
  /** Oldest first, pending and running, after one of them; of every path: whoever shows them leaves out what is closed. */
  pending(workspaceId: string, limit: number, afterOpId?: string | null): Promise<readonly OperationRow[]>;
  /** Repeating one changes nothing and answers the same. null: no such item. `draft` is null when no rename was asked for. Throws a
   * DeleteQuotaError where the draft would leave its path and the quota is used up: nothing was acknowledged. */
  acknowledge(
    workspaceId: string,
    opId: string,
    acknowledgement: Acknowledgement,
  ): Promise<{ readonly operation: OperationRow; readonly draft: DraftOutcome | null } | null>;
  /** pending -> canceled: it is not sent. `invalid_state`: it is not pending. */
  cancel(
    workspaceId: string,
    opId: string,
    how: { readonly correlationId: string; readonly by: Authority | null },
  ): Promise<'canceled' | 'invalid_state' | 'unknown'>;
  /** A pending item is tried at once, whatever pause it or its provider was in. `refused` says why not, in words. */
  sendNow(
    workspaceId: string,
    opId: string,
    how: { readonly correlationId: string; readonly by: Authority | null },
  ): Promise<'due' | 'unknown' | { readonly refused: string }>;
  preview(workspaceId: string, opId: string, send: 'current' | 'original' | null): Promise<Preview | null>;
  /** Throws BadPatternError, DeleteQuotaError. */
  sweepDrafts(workspaceId: string, request: SweepRequest): Promise<SweepResult>;
  /** By provider, of one workspace or (null) of all together. */
  figures(workspaceId: string | null): Promise<readonly WritebackCounts[]>;
}

export function createWritebackQueue(rooms: {
  readonly compute: Compute;
  readonly store: Pick<Store, 'operations' | 'files' | 'writebacks'>;
  /** The one door for content: `WorkspaceService`. */
  readonly workspaces: {
    change(command: Omit<ChangeFiles, 'kind'>): Promise<readonly ChangeResult[]>;
    acknowledgeOperation: OperationStore['acknowledge'];
  };
  readonly deletes: DeleteLedger;
  readonly registry: ProviderRegistry;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Pick<Logger, 'debug'>;
  /** Something may be due for a provider of this workspace. */
  wake(workspaceId: string): void;
  /** The same of one provider, and at once. */
  hurry(workspaceId: string, provider: string): void;
}): WritebackQueue {
  const { store, workspaces, registry, clock } = rooms;
  const { operations, files, writebacks } = store;

  /** null: unknown, or of a file that they may not change, which is the same to them. */
  async function operationFor(workspaceId: string, opId: string, by: Authority | null) {
    const row = await operations.get(workspaceId, opId);
    if (row === null) return null;
    return (await permittedRows(files, workspaceId, [row], by))[0] ?? null;
  }

  /** A draft that gets its name leaves its path, which is a deletion there. */
  async function acknowledgeWithin(
    workspaceId: string,
    opId: string,
    limits: readonly DeleteLimit[],
    acknowledge: () => Promise<OperationRow | null>,
  ): Promise<OperationRow | null> {
    if (!rooms.deletes.take(limits, 1)) {
      throw new DeleteQuotaError(
        `the delete quota of this token is used up for this minute, and the draft of ${opId} would leave its path: nothing was acknowledged`,
      );
    }
    const before = (await operations.get(workspaceId, opId))?.draft ?? null;
    let moved = false;
    try {
      const after = await acknowledge();
      moved = before === null && after?.draft != null && after.draft.action !== 'none';
      return after;
    } finally {
      if (!moved) rooms.deletes.giveBack(limits, 1);
    }
  }

  return {
    pending: (workspaceId, limit, afterOpId) => operations.pending(workspaceId, limit, afterOpId),
    async acknowledge(workspaceId, opId, acknowledgement) {
      const { success, error, externalId, canonicalPath, by, ...rest } = acknowledgement;
      if ((await operationFor(workspaceId, opId, by)) === null) return null;
      const words = success ? error : error || 'its consumer gave no reason';
      const named = { externalId, canonicalPath };
      const result = { ...rest, ...named, success, error: words, authority: by, atMs: clock.nowMs() };
      const places = success && (externalId !== null || canonicalPath !== null);
      const limits = places ? (by?.deleteLimits ?? []) : [];
      const operation = await acknowledgeWithin(workspaceId, opId, limits, () =>
        workspaces.acknowledgeOperation(workspaceId, opId, result),
      );
      if (operation === null) return null;
      rooms.logger.debug(
        {
          workspaceId,
          opId,
          provider: operation.provider,
          outcome: operation.status,
          correlationId: operation.correlationId,
          acknowledgedWith: acknowledgement.correlationId,
        },
        'an item was acknowledged',
      );
      // What was behind it may go now.
      rooms.wake(workspaceId);
      return { operation, draft: operation.draft };
    },
    async cancel(workspaceId, opId, { correlationId, by }) {
      if ((await operationFor(workspaceId, opId, by)) === null) return 'unknown';
      const result = await operations.cancel(workspaceId, opId, { correlationId, atMs: clock.nowMs() });
      if (result === null) return 'unknown';
      rooms.wake(workspaceId);
      return result.canceled ? 'canceled' : 'invalid_state';
    },
    async sendNow(workspaceId, opId, { correlationId, by }) {
      const row = await operationFor(workspaceId, opId, by);
      if (row === null) return 'unknown';
      const provider = await registry.get(workspaceId, row.provider);
      if (row.status !== 'pending') return { refused: `it is ${row.status}` };
      if (row.supersededBy !== null) return { refused: `${row.supersededBy} sends this change, too` };
      if (provider?.kind !== 'http') {
        return { refused: `nothing is sent to ${row.provider} from here: a consumer takes its items` };
      }
      if (provider.paused) return { refused: `sending to ${row.provider} is paused` };
      const result = await operations.hasten(workspaceId, opId, { correlationId, atMs: clock.nowMs() });
      if (result === null) return 'unknown';
      if (!result.hastened) return { refused: `it is ${result.row.status}` };
      rooms.hurry(workspaceId, provider.name);
      return 'due';
    },
    preview: (workspaceId, opId, send) =>
      previewOperation({ operations, files, registry, compute: rooms.compute }, workspaceId, opId, send),
    sweepDrafts: (workspaceId, request) =>
      sweepDrafts(
        {
          files,
          writebacks,
          deletes: rooms.deletes,
          change: (command) => workspaces.change(command),
        },
        workspaceId,
        request,
      ),
    figures: (workspaceId) => writebacks.figures(workspaceId),
  };
}
