// A desktop from one start to the next: the real loop of a remote over a store of its own, killed at named points or between two steps.

import type { Clock } from '../../../server/platform/clock.ts';
import { createIds } from '../../../server/platform/crypto/ids.ts';
import type { RemoteServer } from '../../../server/remotes/client/remote-server.ts';
import type { DeletionGuard } from '../../../server/remotes/loop/deletion-guard.ts';
import { RemoteLoop } from '../../../server/remotes/loop/remote-loop.ts';
import type { Store } from '../../../server/store/port/store.ts';
import { listRemotes } from '../../../server/store/tables/remotes/remotes.ts';
import { createWorkspaceService } from '../../../server/workspaces/service.ts';
import { inlineCompute } from '../../support/inline-compute.ts';
import type { Scheduler } from '../scheduler.ts';
import { SimStore } from '../store.ts';
import { PartsInMemory } from './parts-in-memory.ts';
import { type Network, type SimHost, SimServer, serverWorkspaceId } from './sim-server.ts';

/** A fault of the engine, planted in a part that it stands on. */
export interface PlantedRemoteFault {
  readonly name: string;
  readonly caughtBySeed: number;
  readonly store?: (store: Store) => Store;
  readonly server?: (server: RemoteServer) => RemoteServer;
  readonly guard?: (clock: Pick<Clock, 'monotonicMs'>) => DeletionGuard;
}

export interface ReplicaParts {
  readonly scheduler: Scheduler;
  readonly host: SimHost;
  readonly name: string;
  readonly isPlain: boolean;
  /** Larger contents are transferred beside the loop. */
  readonly wholeBytesMax: number;
  readonly fault: Omit<PlantedRemoteFault, 'caughtBySeed'> | null;
  readonly violate: (what: string) => void;
}

interface Life {
  alive: boolean;
  loop: RemoteLoop | null;
}

export class Replica {
  readonly workspaceId: string;
  readonly store: SimStore;
  readonly network: Network = { isCut: false, lossOneIn: 0 };
  readonly #parts: ReplicaParts;
  readonly #arrived = new PartsInMemory();
  #life: Life = { alive: false, loop: null };
  /** Dies at that many arrivals at a named point; 0: never. */
  #arrivalsToCrash = 0;

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
    this.workspaceId = `rw_${parts.name}`;
    this.store = new SimStore(parts.scheduler);
    this.store.commit({
      name: 'create_workspace',
      input: { workspaceId: this.workspaceId, name: parts.name, createdAtMs: 0 },
    });
    this.store.commit({
      name: 'insert_remote',
      input: {
        remoteId: `rem_${parts.name}`,
        workspaceId: this.workspaceId,
        url: 'https://server.example',
        remoteWorkspaceId: serverWorkspaceId,
        tokenFile: '/token',
        insecureHttp: false,
        rootPath: '/',
        ignoreRules: '',
        upBytesPerSecond: null,
        downBytesPerSecond: null,
        paused: false,
        haltedCause: null,
        epoch: this.store.epoch(),
        serverEpoch: null,
        established: false,
        cursor: null,
        listedAtMs: null,
        lastSyncAtMs: null,
        createdAtMs: 0,
      },
    });
  }

  get name(): string {
    return this.#parts.name;
  }

  /** null: it is not running. */
  get loop(): RemoteLoop | null {
    return this.#life.alive ? this.#life.loop : null;
  }

  start(): void {
    const { scheduler, host, name, isPlain, wholeBytesMax, fault, violate } = this.#parts;
    const life: Life = { alive: true, loop: null };
    const isAlive = () => life.alive;
    const port = this.store.port(isAlive);
    const store = fault?.store?.(port) ?? port;
    const clock = {
      nowMs: () => Math.floor(scheduler.wallMs),
      monotonicMs: () => scheduler.monotonicMs,
      delay: (delayMs: number, signal?: AbortSignal) => delayOn(scheduler, delayMs, signal, isAlive),
    };
    const ids = createIds((count) => scheduler.random.bytes(count));
    const row = listRemotes(this.store.statements)[0];
    if (row === undefined) throw new Error('the remote is not stored');
    const quiet = () => undefined;
    const say = (level: string) => (fields: object, message: string) => {
      if (!life.alive) return;
      const error = 'err' in fields && fields.err instanceof Error ? `: ${fields.err.stack ?? ''}` : '';
      scheduler.trace.add(`${name} ${level}: ${message}${error}`);
      if (level === 'error') violate(`${name}: ${message}${error}`);
    };
    const logger = {
      ...{ fatal: say('error'), error: say('error'), warn: say('warn'), info: say('info') },
      ...{ debug: quiet, trace: quiet },
      child: () => logger,
    };
    const server = new SimServer({
      ...{ scheduler, host, network: this.network, isAlive, isPlain, wholeBytesMax },
      lane: `${name} calls`,
    });
    const loop = new RemoteLoop(
      {
        store,
        workspaces: createWorkspaceService({ store, clock, randomId: ids.text }),
        compute: inlineCompute,
        clock,
        ids,
        logger,
        offsetMinutes: () => 0,
        atKillPoint: (point) => this.#arrive(point),
        fileBytesMax: 1_000_000,
        wholeBytesMax,
        parts: this.#arrived,
        tokenState: async () => '',
        serverOf: () => fault?.server?.(server) ?? server,
        random: () => scheduler.random.below(1000) / 1000,
      },
      row,
      fault?.guard?.(clock),
    );
    life.loop = loop;
    this.#life = life;
    store.onCommit(() => loop.hint());
    scheduler.trace.add(`${name} starts`);
    loop.start();
  }

  crash(): void {
    if (!this.#life.alive) return;
    this.#life.alive = false;
    this.#parts.scheduler.trace.add(`${this.name} is killed`);
    this.store.crash();
  }

  crashAfter(arrivals: number): void {
    this.#arrivalsToCrash = arrivals;
  }

  end(): void {
    this.#life.alive = false;
    this.store.close();
  }

  #arrive(point: string): void {
    if (this.#arrivalsToCrash === 0) return;
    this.#arrivalsToCrash -= 1;
    if (this.#arrivalsToCrash > 0) return;
    this.#parts.scheduler.trace.add(`${this.name} reaches ${point}`);
    this.crash();
    throw new DiedError('the desktop is dead');
  }
}

class DiedError extends Error {}

function delayOn(
  scheduler: Scheduler,
  delayMs: number,
  signal: AbortSignal | undefined,
  isAlive: () => boolean,
): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      if (isAlive()) resolve();
    };
    const cancel = scheduler.at(delayMs, 'timer', end);
    signal?.addEventListener('abort', end);
  });
}
