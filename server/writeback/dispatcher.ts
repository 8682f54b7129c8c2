// Carries items to the providers that this agent calls itself: one lane for each, with its circuit. A lane leases what is
// due, sends it, and has its end written down; whatever happens in between, the item is sent again under the same key.
import {
  afterFailure,
  type Circuit,
  type CircuitState,
  circuitState,
  closedCircuit,
  isSuspect,
} from '../core/circuit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { DeliveryEnd, Provider } from '../providers/provider.ts';
import type { ProviderRegistry, ProviderRow } from '../providers/registry.ts';
import type { OperationRow, Store, WritebackStore } from '../store/port.ts';
import { loadItem } from './item.ts';

/** Points at which a test may end the process, to show that any of them leads to the same end. */
export const writebackKillPoints = [
  'writeback.made',
  'writeback.leased',
  'writeback.answered',
  'writeback.settled',
] as const;
export type WritebackKillPoint = (typeof writebackKillPoints)[number];

export interface AttemptFigures {
  attemptEnded(outcome: string, seconds: number): void;
  deadLettered(code: string): void;
}

export interface DispatcherParts {
  readonly store: Pick<Store, 'writebacks' | 'files' | 'onCommit'>;
  /** `WorkspaceService.finishAttempt`: the end of an attempt may move a draft. */
  readonly finish: WritebackStore['finish'];
  readonly registry: ProviderRegistry;
  readonly clock: Clock;
  readonly logger: Logger;
  /** In [0, 1). */
  readonly random: () => number;
  /** Failed attempts that an item may have. */
  readonly attempts: number;
  readonly figures: AttemptFigures;
  readonly atKillPoint: (point: WritebackKillPoint) => void;
}

type AttemptEnd = Parameters<WritebackStore['finish']>[2];

export interface LaneStatus {
  readonly circuit: CircuitState;
  readonly retryAtMs: number | null;
}

export interface Dispatcher {
  /** Takes back what was running when the agent last ended, then begins. */
  start(): Promise<void>;
  /** Something waits, or may wait, for a provider of this workspace. */
  wake(workspaceId: string): void;
  /** Somebody wants to know now whether a provider takes something: a pause that it is in is over. */
  hurry(workspaceId: string, provider: string): void;
  /** null: there is no lane; a consumer carries its items, or nobody. */
  status(workspaceId: string, provider: string): LaneStatus | null;
  /** Ends calls that run; their items are pending again. */
  stop(): Promise<void>;
}

/** Items of one provider that are under way at once, each of another path. */
const concurrency = 4;
/** Beyond the longest timeout of a provider; also covers the reading of a large content. */
const leaseMarginMs = 60_000;
/** After a fault of the store, and the longest sleep without looking whether something is due. */
const faultPauseMs = 1_000;
const longestSleepMs = 60_000;

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { store, registry, clock, logger } = parts;
  const lanes = new Map<string, Lane>();
  const stops: (() => void)[] = [];
  let stopped = false;

  const keyOf = (row: { readonly workspaceId: string; readonly name: string }) =>
    JSON.stringify([row.workspaceId, row.name]);
  function openLane(row: ProviderRow): void {
    if (stopped || row.kind !== 'http' || lanes.has(keyOf(row))) return;
    lanes.set(keyOf(row), new Lane(parts, row.workspaceId, row.name));
  }
  async function providerChanged(changed: { workspaceId: string; name: string }): Promise<void> {
    const row = await registry.get(changed.workspaceId, changed.name);
    const lane = lanes.get(keyOf(changed));
    if (row === null) {
      lanes.delete(keyOf(changed));
      await lane?.stop();
    } else if (lane === undefined) openLane(row);
    else lane.settingsChanged();
  }
  const wake = (workspaceId: string) => {
    for (const lane of lanes.values()) if (lane.workspaceId === workspaceId) lane.wake();
  };
  return {
    async start() {
      const released = await store.writebacks.releaseAll(clock.nowMs());
      if (released > 0) logger.info({ released }, 'items that were under way are sent again');
      stops.push(
        registry.onChange((row) => {
          providerChanged(row).catch((error: unknown) =>
            logger.error({ err: error, ...row }, 'a change of a provider did not reach its lane'),
          );
        }),
        store.onCommit(({ workspaceIds }) => {
          if (lanes.size === 0) return;
          parts.atKillPoint('writeback.made');
          workspaceIds.forEach(wake);
        }),
      );
      for (const row of await registry.all()) openLane(row);
    },
    wake,
    hurry(workspaceId, provider) {
      lanes.get(keyOf({ workspaceId, name: provider }))?.hurry();
    },
    status(workspaceId, provider) {
      return lanes.get(keyOf({ workspaceId, name: provider }))?.status() ?? null;
    },
    async stop() {
      stopped = true;
      for (const stop of stops) stop();
      await Promise.all([...lanes.values()].map((lane) => lane.stop()));
      lanes.clear();
    },
  };
}

class Lane {
  readonly workspaceId: string;
  readonly #name: string;
  readonly #parts: DispatcherParts;
  readonly #stopping = new AbortController();
  /** Calls, and the ends of calls on their way into the store. */
  readonly #underWay = new Set<Promise<void>>();
  readonly #settling = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  #circuit: Circuit = closedCircuit;
  #woken = false;
  #wakeUp: (() => void) | null = null;

  constructor(parts: DispatcherParts, workspaceId: string, name: string) {
    this.#parts = parts;
    this.workspaceId = workspaceId;
    this.#name = name;
    this.#running = this.#run();
  }

  wake(): void {
    this.#woken = true;
    this.#wakeUp?.();
  }

  /** Whoever mends the settings wants to see at once whether it helped. */
  settingsChanged(): void {
    this.#circuit = closedCircuit;
    this.wake();
  }

  /** Of many failures the circuit still remembers: one call finds out. */
  hurry(): void {
    this.#circuit = { ...this.#circuit, pausedUntilMs: null };
    this.wake();
  }

  status(): LaneStatus {
    const circuit = circuitState(this.#circuit, this.#parts.clock.nowMs());
    return { circuit, retryAtMs: circuit === 'open' ? this.#circuit.pausedUntilMs : null };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#woken = false;
      let sleepMs: number;
      try {
        sleepMs = await this.#step();
      } catch (error) {
        this.#parts.logger.error({ err: error, ...this.#about() }, 'outbound items have to wait');
        sleepMs = faultPauseMs;
      }
      await this.#sleep(sleepMs);
    }
    await Promise.all(this.#underWay);
    await Promise.all(this.#settling);
  }

  /** Begins what can be begun; how long there is nothing to do afterwards. */
  async #step(): Promise<number> {
    const { store, registry, clock } = this.#parts;
    const row = await registry.get(this.workspaceId, this.#name);
    const provider = row === null || row.paused ? null : registry.callable(row);
    if (row === null || provider === null) return longestSleepMs;
    const nowMs = clock.nowMs();
    const state = circuitState(this.#circuit, nowMs);
    if (state === 'open') return (this.#circuit.pausedUntilMs ?? nowMs) - nowMs;
    const limit = (state === 'half_open' ? 1 : concurrency) - this.#underWay.size;
    if (limit <= 0) return longestSleepMs;
    const leaseMs = row.timeoutMs + leaseMarginMs;
    const items = await store.writebacks.lease(this.workspaceId, this.#name, { atMs: nowMs, leaseMs, limit });
    if (items.length > 0) this.#parts.atKillPoint('writeback.leased');
    for (const item of items) this.#begin(provider, item);
    // Others may be due right now; whatever ends wakes the lane anyway.
    if (items.length > 0) return state === 'half_open' ? longestSleepMs : 0;
    const dueMs = await store.writebacks.nextDueMs(this.workspaceId, this.#name);
    return dueMs === null ? longestSleepMs : Math.max(dueMs - clock.nowMs(), 0);
  }

  #begin(provider: Provider, item: OperationRow): void {
    const { logger } = this.#parts;
    const call = this.#call(provider, item)
      // The next item is leased in the same commit that settles this one: it does not wait for it.
      .then((end) => {
        if (end !== null) this.#settleBeside(item, end);
      })
      .catch((error: unknown) => {
        // The lease ends by itself, and the item is sent again under the same key.
        logger.error({ err: error, ...this.#about(item) }, 'an item could not be sent');
      })
      .finally(() => {
        this.#underWay.delete(call);
        this.wake();
      });
    this.#underWay.add(call);
  }

  /** null: it was broken off, and is running until the next start takes it back, or was canceled with its provider. */
  async #call(provider: Provider, row: OperationRow): Promise<AttemptEnd | null> {
    const { store, clock, random, figures, atKillPoint, attempts } = this.#parts;
    const startedAtMs = clock.monotonicMs();
    const loaded = await loadItem(store.files, row);
    const { outcome, retryAfterMs }: DeliveryEnd = loaded.ok
      ? await provider.deliver(loaded.item, this.#stopping.signal)
      : {
          outcome: { kind: 'refused', code: 'not_found', message: loaded.message, httpStatus: null },
          retryAfterMs: null,
        };
    if (this.#stopping.signal.aborted && outcome.kind === 'unavailable') return null;
    if (loaded.ok) atKillPoint('writeback.answered');
    const counts = isSuspect(this.#circuit, row.opId);
    const atMs = clock.nowMs();
    if (outcome.kind === 'failed' || outcome.kind === 'unavailable') {
      const failure = { item: row.opId, atMs, random: random(), retryAfterMs };
      this.#circuit = afterFailure(this.#circuit, failure);
    } else if (loaded.ok) this.#circuit = closedCircuit;
    figures.attemptEnded(outcome.kind, (clock.monotonicMs() - startedAtMs) / 1000);
    return { attempt: row.attemptCount, outcome, failuresMax: attempts, counts, random: random(), atMs };
  }

  #settleBeside(row: OperationRow, end: AttemptEnd): void {
    const settling = this.#settle(row, end)
      .catch((error: unknown) => {
        this.#parts.logger.error({ err: error, ...this.#about(row) }, 'the end of an attempt was not stored');
      })
      .finally(() => {
        this.#settling.delete(settling);
        this.wake();
      });
    this.#settling.add(settling);
  }

  async #settle(row: OperationRow, end: AttemptEnd): Promise<void> {
    const { finish, figures, atKillPoint } = this.#parts;
    const settled = await finish(row.workspaceId, row.opId, end);
    atKillPoint('writeback.settled');
    if (settled?.status === 'dead_lettered') figures.deadLettered(settled.failureCode ?? 'unknown');
    this.#tell(settled ?? row, end.outcome.kind);
  }

  #tell(row: OperationRow, outcome: string): void {
    const { logger } = this.#parts;
    const fields = { ...this.#about(row), outcome, attempt: row.attemptCount, reason: row.lastError };
    if (row.status === 'dead_lettered') logger.warn(fields, 'an item could not be carried to its provider');
    else logger.debug(fields, 'an attempt to carry an item ended');
  }

  #about(row?: OperationRow): Readonly<Record<string, unknown>> {
    const lane = { workspaceId: this.workspaceId, provider: this.#name };
    return row === undefined ? lane : { ...lane, opId: row.opId, correlationId: row.correlationId };
  }

  /** Ends when the time is over or somebody wakes the lane; at once when that happened meanwhile. */
  async #sleep(sleepMs: number): Promise<void> {
    if (this.#woken || sleepMs <= 0 || this.#stopping.signal.aborted) return;
    const over = new AbortController();
    this.#wakeUp = () => over.abort();
    await this.#parts.clock.delay(Math.min(sleepMs, longestSleepMs), over.signal);
    over.abort();
    this.#wakeUp = null;
  }
}
