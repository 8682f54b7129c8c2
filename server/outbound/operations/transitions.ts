// The state machine of operations: replay, cancel, retry now and acknowledge, one function per transition. The store checks the
// status again in its transaction. What an attempt leads to is decided in core/outbound; nothing here calls a provider.
import type { OperationAction, OperationStatus } from '../../contract/words.ts';
import type { Authority, DeleteLedger, DeleteLimit } from '../../core/access/authority.ts';
import type { Clock } from '../../platform/clock.ts';
import { parseId } from '../../platform/crypto/ids.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import type { Sends } from '../../store/port/commands.ts';
import { permittedRows } from '../../store/port/permits.ts';
import type {
  ContentReader,
  DraftOutcome,
  OperationRow,
  OperationStore,
  WorkspaceStore,
} from '../../store/port/store.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import type { Dispatcher } from './dispatcher.ts';
import { DeleteQuotaError } from './draft-sweep.ts';
import { findPermitted } from './operation-log.ts';

/** Transition -> the statuses in which it is allowed. */
const allowedStatuses = {
  /** -> pending, with its attempts at 0. */
  replay: ['dead_lettered'],
  /** -> canceled: it is never sent. */
  cancel: ['pending'],
  /** -> pending, due at once. */
  retryNow: ['pending'],
  /** -> succeeded or dead_lettered. */
  acknowledge: ['pending', 'running'],
} as const satisfies Record<string, readonly OperationStatus[]>;

function isAllowed(transition: keyof typeof allowedStatuses, { status }: OperationRow): boolean {
  return (allowedStatuses[transition] as readonly OperationStatus[]).includes(status);
}

export interface Acknowledgement {
  readonly success: boolean;
  readonly error: string | null;
  /** The provider's name for a draft: the file is renamed to it. */
  readonly externalId: string | null;
  /** The new path of the file; takes precedence over `externalId` while it is of the same provider. */
  readonly canonicalPath: string | null;
  readonly providerResult: Readonly<Record<string, unknown>> | null;
  readonly correlationId: string;
  /** Operations of files that the caller may not change are unknown to it. */
  readonly by: Authority | null;
}

/** Content that a replay sends: the current file (or its deletion), or the revision of the operation. */
export type ReplayContent = 'current' | 'original';

export interface TransitionOptions {
  readonly correlationId: string;
  /** Operations of files that the caller may not change are unknown to it. */
  readonly by: Authority | null;
}

export interface ReplayOptions extends TransitionOptions {
  readonly send: ReplayContent;
}

export interface OperationSelection {
  readonly by: Authority | null;
  /** Named operations in another status are skipped, with a message. */
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

/** Operations of one bulk request. */
const bulkMax = 1_000;

export interface TransitionDeps {
  readonly store: {
    readonly operations: OperationStore;
    readonly files: ContentReader;
    readonly workspaces: Pick<WorkspaceStore, 'list'>;
  };
  /** `WorkspaceService`: an acknowledgement may rename a draft. */
  readonly workspaces: { acknowledgeOperation: Sends<'acknowledge_operation'> };
  readonly deletes: DeleteLedger;
  readonly registry: ProviderRegistry;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Pick<Logger, 'debug'>;
  readonly dispatcher: Pick<Dispatcher, 'wake' | 'hurry'>;
}

export class OperationTransitions {
  readonly #deps: TransitionDeps;

  constructor(deps: TransitionDeps) {
    this.#deps = deps;
  }

  async replay(
    workspaceId: string,
    opId: string,
    { by, ...options }: ReplayOptions,
  ): Promise<'queued' | 'invalid_state' | 'unknown'> {
    const { store, clock, dispatcher } = this.#deps;
    const row = await findPermitted(store, workspaceId, opId, by);
    if (row === null) return 'unknown';
    if (!isAllowed('replay', row)) return 'invalid_state';
    const result = await store.operations.requeue({ workspaceId, opId, atMs: clock.nowMs(), ...options });
    if (result === null) return 'unknown';
    if (result.requeued) dispatcher.wake(workspaceId);
    return result.requeued ? 'queued' : 'invalid_state';
  }

  /** The same in any workspace: operation ids are unique in the agent. */
  async replayAnywhere(opId: string, options: ReplayOptions): ReturnType<OperationTransitions['replay']> {
    for (const { workspaceId } of await this.#deps.store.workspaces.list({ includeDeleted: false })) {
      const outcome = await this.replay(workspaceId, opId, options);
      if (outcome !== 'unknown') return outcome;
    }
    return 'unknown';
  }

  async cancel(
    workspaceId: string,
    opId: string,
    { correlationId, by }: TransitionOptions,
  ): Promise<'canceled' | 'invalid_state' | 'unknown'> {
    const { store, clock, dispatcher } = this.#deps;
    const row = await findPermitted(store, workspaceId, opId, by);
    if (row === null) return 'unknown';
    if (!isAllowed('cancel', row)) return 'invalid_state';
    const result = await store.operations.cancel({ workspaceId, opId, correlationId, atMs: clock.nowMs() });
    if (result === null) return 'unknown';
    dispatcher.wake(workspaceId);
    return result.canceled ? 'canceled' : 'invalid_state';
  }

  /** Attempts a pending operation at once, in spite of its backoff and its provider's. `refused`: the reason. */
  async retryNow(
    workspaceId: string,
    opId: string,
    { correlationId, by }: TransitionOptions,
  ): Promise<'due' | 'unknown' | { readonly refused: string }> {
    const { store, registry, clock, dispatcher } = this.#deps;
    const row = await findPermitted(store, workspaceId, opId, by);
    if (row === null) return 'unknown';
    if (!isAllowed('retryNow', row)) return { refused: `it is ${row.status}` };
    if (row.supersededBy !== null)
      return { refused: `it is superseded: ${row.supersededBy} sends its change` };
    const provider = await registry.get(workspaceId, row.provider);
    if (provider?.kind !== 'http')
      return { refused: `Mooring does not send to ${row.provider}: an external consumer does` };
    if (provider.paused) return { refused: `sending to ${row.provider} is paused` };
    const result = await store.operations.retryNow({ workspaceId, opId, correlationId, atMs: clock.nowMs() });
    if (result === null) return 'unknown';
    if (!result.hastened) return { refused: `it is ${result.row.status}` };
    dispatcher.hurry(workspaceId, provider.name);
    return 'due';
  }

  /** Repeating it changes nothing and returns the same. null: unknown. `draft` is null when no rename was requested. Throws a
   * DeleteQuotaError where the draft would leave its path and the quota is used up: then nothing is acknowledged. */
  async acknowledge(
    workspaceId: string,
    opId: string,
    { success, error, externalId, canonicalPath, by, ...rest }: Acknowledgement,
  ): Promise<{ readonly operation: OperationRow; readonly draft: DraftOutcome | null } | null> {
    const { store, workspaces, deletes, clock, logger, dispatcher } = this.#deps;
    const row = await findPermitted(store, workspaceId, opId, by);
    if (row === null) return null;
    if (!isAllowed('acknowledge', row)) return { operation: row, draft: row.draft };
    const mayRename = success && (externalId !== null || canonicalPath !== null);
    const limits = mayRename ? (by?.deleteLimits ?? []) : [];
    const operation = await withinDeleteQuota(deletes, row, limits, () =>
      workspaces.acknowledgeOperation({
        workspaceId,
        opId,
        ...rest,
        externalId,
        canonicalPath,
        success,
        error: success ? error : error || 'the external consumer gave no reason',
        authority: by,
        atMs: clock.nowMs(),
      }),
    );
    if (operation === null) return null;
    const { provider, status: outcome, correlationId } = operation;
    logger.debug(
      { workspaceId, opId, provider, outcome, correlationId, acknowledgedWith: rest.correlationId },
      'operation acknowledged',
    );
    // The next operation of the same path may be due.
    dispatcher.wake(workspaceId);
    return { operation, draft: operation.draft };
  }

  /** Applies `act` to each selected operation, oldest first; a refusal does not stop the others. `act` returns why it is refused, or
   * null. Without it nothing changes. */
  async each(
    workspaceId: string,
    selection: OperationSelection,
    act: ((opId: string) => Promise<string | null>) | null,
  ): Promise<BulkOutcome> {
    const { selected, unknown, more } = await select(this.#deps, workspaceId, selection);
    const results = await Promise.all(
      selected.map(async ({ row, message }) => {
        const { opId, path } = row;
        if (message !== null || act === null) return { opId, path, done: false, message };
        const refused = await act(opId);
        return { opId, path, done: refused === null, message: refused };
      }),
    );
    const matched = selected.filter(({ message }) => message === null).length;
    const done = results.filter((result) => result.done).length;
    return { matched, done, more, results: [...results, ...unknown] };
  }
}

/** A draft that is renamed leaves its path, which counts as one deletion. */
async function withinDeleteQuota(
  deletes: DeleteLedger,
  before: OperationRow,
  limits: readonly DeleteLimit[],
  acknowledge: () => Promise<OperationRow | null>,
): Promise<OperationRow | null> {
  if (!(await deletes.take(limits, 1))) {
    throw new DeleteQuotaError(
      `Nothing was acknowledged: the draft of ${before.opId} would leave its path, and the delete quota of this token is used up for this minute. Wait a minute and acknowledge again.`,
    );
  }
  let isRenamed = false;
  try {
    const after = await acknowledge();
    isRenamed = before.draft === null && after?.draft != null && after.draft.action !== 'none';
    return after;
  } finally {
    if (!isRenamed) await deletes.giveBack(limits, 1);
  }
}

/** Oldest first; `message`: why a named operation does not match. */
async function select(
  { store }: TransitionDeps,
  workspaceId: string,
  { status, action, provider, opIds, by }: OperationSelection,
) {
  if (opIds === null) {
    const { items, more } = await store.operations.oldest(workspaceId, {
      status,
      ...(action === null ? {} : { action }),
      ...(provider === null ? {} : { provider }),
      limit: bulkMax,
    });
    const permitted = await permittedRows(store.files, workspaceId, items, by);
    return { selected: permitted.map((row) => ({ row, message: null })), unknown: [], more };
  }
  const named = [...new Set(opIds)];
  const rows = await Promise.all(named.map((opId) => findPermitted(store, workspaceId, opId, by)));
  const selected = rows
    .filter((row) => row !== null)
    .map((row) => ({ row, message: mismatch(row, { status, action, provider }) }))
    .toSorted((a, b) => (parseId(a.row.opId, 'op_') ?? 0) - (parseId(b.row.opId, 'op_') ?? 0));
  const unknown = named
    .filter((_, index) => rows[index] === null)
    .map((opId) => ({ opId, path: null, done: false, message: 'unknown operation' }));
  return { selected, unknown, more: false };
}

function mismatch(
  row: OperationRow,
  { status, action, provider }: Pick<OperationSelection, 'status' | 'action' | 'provider'>,
): string | null {
  if (row.status !== status) return `it is ${row.status}`;
  if (provider !== null && row.provider !== provider) return `its provider is ${row.provider}`;
  return action === null || row.action === action ? null : `its action is ${row.action}`;
}
