// Sends operations to the `http` providers, one delivery lane each (delivery/lane.ts). It implements the task source: lease, load,
// send, finish.

import { DeliveryLane } from '../../delivery/lane.ts';
import type {
  AttemptCounts,
  DeliveryTarget,
  LaneDeps,
  LaneResult,
  LaneStatus,
  TaskSource,
} from '../../delivery/lane-port.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Sends } from '../../store/port/commands.ts';
import type { CommitFeed, ContentReader, OperationRow, WritebackStore } from '../../store/port/store.ts';
import type { Provider } from '../providers/provider.ts';
import type { ProviderRegistry, ProviderRow } from '../providers/registry.ts';
import { loadOperation } from './load-operation.ts';

const mebibyte = 1024 * 1024;
export const largeOperationBytes = 8 * mebibyte;
/** An unresponsive provider delays others no longer than this; less than the margin of a lease. */
const waitMsMax = 30_000;

/** Points at which a test may kill the process. */
export const writebackKillPoints = [
  'writeback.made',
  'writeback.leased',
  'writeback.answered',
  'writeback.settled',
] as const;
export type WritebackKillPoint = (typeof writebackKillPoints)[number];

export interface DispatcherDeps extends LaneDeps {
  readonly store: CommitFeed & { readonly writebacks: WritebackStore; readonly files: ContentReader };
  /** `WorkspaceService.finishAttempt`: the result of an attempt may rename a draft. */
  readonly finish: Sends<'finish_writeback'>;
  readonly registry: ProviderRegistry;
  /** Maximum of failed attempts per operation. */
  readonly attempts: number;
  readonly counts: AttemptCounts;
  /** Of the leases; the same after a restart. */
  readonly leaseOwner: string;
  readonly atKillPoint: (point: WritebackKillPoint) => void;
}

export class Dispatcher {
  readonly #deps: TaskSourceDeps;
  readonly #lanes = new Map<string, WorkspaceLane>();
  readonly #stops: (() => void)[] = [];
  #stopped = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = { ...deps, largeOperations: createLargeOperations(deps.clock) };
  }

  /** Releases the operations that its former self had leased, then starts. */
  async start(): Promise<void> {
    const { store, registry, clock, logger, leaseOwner, atKillPoint } = this.#deps;
    const released = await store.writebacks.release({ owner: leaseOwner, atMs: clock.nowMs() });
    if (released > 0) logger.info({ released }, 'interrupted operations are pending again');
    this.#stops.push(
      registry.onChange((row) => {
        this.#providerChanged(row).catch((error: unknown) =>
          logger.error({ err: error, ...row }, 'provider change did not reach its lane'),
        );
      }),
      store.onCommit(({ workspaces }) => {
        if (this.#lanes.size === 0) return;
        atKillPoint('writeback.made');
        for (const workspaceId of workspaces.keys()) this.wake(workspaceId);
      }),
    );
    for (const row of await registry.all()) this.#openLane(row);
  }

  /** An operation of this workspace may be due. */
  wake(workspaceId: string): void {
    for (const lane of this.#lanes.values()) if (lane.workspaceId === workspaceId) lane.lane.wake();
  }

  /** Skips the backoff of a provider. */
  hurry(workspaceId: string, name: string): void {
    this.#lanes.get(keyOf({ workspaceId, name }))?.lane.hurry();
  }

  /** null: no lane; an external consumer sends its operations, or none does. */
  status(workspaceId: string, name: string): LaneStatus | null {
    return this.#lanes.get(keyOf({ workspaceId, name }))?.lane.status() ?? null;
  }

  /** Aborts running calls; their operations are pending again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const stop of this.#stops) stop();
    await Promise.all([...this.#lanes.values()].map(({ lane }) => lane.stop()));
    this.#lanes.clear();
  }

  #openLane(row: ProviderRow): void {
    if (this.#stopped || row.kind !== 'http' || this.#lanes.has(keyOf(row))) return;
    const { workspaceId, name } = row;
    const lane = new DeliveryLane(this.#deps, taskSourceOf(this.#deps, workspaceId, name));
    this.#lanes.set(keyOf(row), { workspaceId, lane });
  }

  async #providerChanged(provider: ProviderKey): Promise<void> {
    const row = await this.#deps.registry.get(provider.workspaceId, provider.name);
    const lane = this.#lanes.get(keyOf(provider))?.lane;
    if (row === null) {
      this.#lanes.delete(keyOf(provider));
      await lane?.stop();
    } else if (lane === undefined) this.#openLane(row);
    else lane.settingsChanged();
  }
}

interface WorkspaceLane {
  readonly workspaceId: string;
  readonly lane: DeliveryLane<OperationRow>;
}

type ProviderKey = Pick<ProviderRow, 'workspaceId' | 'name'>;

function keyOf({ workspaceId, name }: ProviderKey): string {
  return JSON.stringify([workspaceId, name]);
}

interface TaskSourceDeps extends DispatcherDeps {
  readonly largeOperations: LargeOperations;
}

function taskSourceOf(deps: TaskSourceDeps, workspaceId: string, name: string): TaskSource<OperationRow> {
  const { store, registry, clock } = deps;
  return {
    keyOf: (item) => item.opId,
    async target() {
      const row = await registry.get(workspaceId, name);
      const provider = row === null || row.paused ? null : registry.callable(row);
      return row === null || provider === null ? null : targetOf(deps, provider, row.timeoutMs);
    },
    async lease(options) {
      const items = await store.writebacks.lease({
        workspaceId,
        provider: name,
        owner: deps.leaseOwner,
        ...options,
      });
      if (items.length > 0) deps.atKillPoint('writeback.leased');
      return items;
    },
    nextDueMs: () => store.writebacks.nextDueMs(workspaceId, name),
    finish: (item, end) => settle(deps, item, end),
    retryNow: () => store.writebacks.retryNow({ workspaceId, provider: name, atMs: clock.nowMs() }),
    about: (item) => logFieldsOf({ workspaceId, provider: name }, item),
  };
}

function targetOf(deps: TaskSourceDeps, provider: Provider, timeoutMs: number): DeliveryTarget<OperationRow> {
  return {
    timeoutMs,
    async deliver(row, signal) {
      let leave = (): void => undefined;
      try {
        const loaded = await loadOperation(deps.store.files, row, async (bytes) => {
          leave = await deps.largeOperations.enter(bytes, signal);
        });
        if (!loaded.ok) {
          const refused = { kind: 'refused', code: 'not_found', httpStatus: null } as const;
          const outcome = { ...refused, message: loaded.message };
          return { end: { outcome, retryAfterMs: null }, called: false };
        }
        const end = await provider.deliver(loaded.item, signal);
        if (!signal.aborted || end.outcome.kind !== 'unavailable') deps.atKillPoint('writeback.answered');
        return { end, called: true };
      } finally {
        leave();
      }
    },
  };
}

async function settle(deps: DispatcherDeps, row: OperationRow, end: LaneResult): Promise<void> {
  const { finish, counts: attemptCounts, atKillPoint, attempts, logger } = deps;
  const { outcome, counts, random, atMs, tookSeconds } = end;
  attemptCounts.attemptEnded(outcome.kind, tookSeconds);
  const settled = await finish({
    workspaceId: row.workspaceId,
    opId: row.opId,
    attempt: row.attemptCount,
    outcome,
    failuresMax: attempts,
    counts,
    random,
    atMs,
  });
  atKillPoint('writeback.settled');
  const now = settled ?? row;
  if (settled?.status === 'pending') attemptCounts.retried();
  if (settled?.status === 'dead_lettered') attemptCounts.deadLettered(settled.failureCode ?? 'unknown');
  const lane = { workspaceId: row.workspaceId, provider: row.provider };
  const fields = {
    ...logFieldsOf(lane, now),
    outcome: outcome.kind,
    attempt: now.attemptCount,
    reason: now.lastError,
  };
  if (now.status === 'dead_lettered') logger.warn(fields, 'operation dead-lettered');
  else logger.debug(fields, 'attempt finished');
}

function logFieldsOf(
  lane: { readonly workspaceId: string; readonly provider: string },
  row?: OperationRow,
): Readonly<Record<string, unknown>> {
  return row === undefined ? lane : { ...lane, opId: row.opId, correlationId: row.correlationId };
}

/**
 * Sends large operations one at a time, whatever their provider: an operation in memory is bytes and text, several times its size,
 * and many lanes with four calls each would exceed the memory. Small operations never wait.
 */
export interface LargeOperations {
  /** Resolves when an operation of `bytes` may be read; the result is called when it is finished. Never rejects. */
  enter(bytes: number, signal: AbortSignal): Promise<() => void>;
}

export function createLargeOperations(clock: Pick<Clock, 'delay'>): LargeOperations {
  let last: Promise<void> = Promise.resolve();
  return {
    async enter(bytes, signal) {
      if (bytes < largeOperationBytes) return () => undefined;
      const before = last;
      const own = Promise.withResolvers<void>();
      last = before.then(() => own.promise);
      const over = new AbortController();
      await Promise.race([before, clock.delay(waitMsMax, AbortSignal.any([signal, over.signal]))]);
      over.abort();
      return own.resolve;
    },
  };
}
