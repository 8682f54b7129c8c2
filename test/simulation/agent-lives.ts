// The agent from one start to the next: the real mirror engine on the simulated parts, the system call at which it is killed or
// the power is cut, and its start after that. What a dead agent was still about to do never happens.
import type { FileSystem } from '../../server/disk/port/file-system.ts';
import type { Folder, FolderListener } from '../../server/disk/port/folder.ts';
import { SyncLoop } from '../../server/mirror/loop/loop.ts';
import { fileBytesMaxDefault } from '../../server/mirror/state/context.ts';
import { createProcessorShares } from '../../server/mirror/state/processor-shares.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import type { Store } from '../../server/store/port/store.ts';
import { listMirrors } from '../../server/store/tables/mirrors/mirrors.ts';
import { createForks, type ForkService } from '../../server/workspaces/forks.ts';
import { createWorkspaceService, type WorkspaceService } from '../../server/workspaces/service.ts';
import { inlineCompute } from '../support/inline-compute.ts';
import { clockOf, loggerOf } from './agent-senses.ts';
import { diskFault } from './disk.ts';
import { engineDisk } from './engine-disk.ts';
import { type Kernel, simFolder } from './folder.ts';
import { rootPath, type Scene } from './scene.ts';

/** A fault of the engine, planted from outside: something in the place of a part that it stands on. */
export interface PlantedFault {
  readonly name: string;
  /** The first that caught it when it was planted; any change of the engine or of the simulation may make it another. */
  readonly caughtBySeed: number;
  readonly fileSystem?: (fs: FileSystem) => FileSystem;
  readonly folder?: (folder: Folder, disk: FileSystem, rootPath: string) => Folder;
  readonly store?: (store: Store) => Store;
  readonly workspaces?: (service: WorkspaceService) => WorkspaceService;
  /** The clock of the disk's room is ahead by this much. */
  readonly diskAheadMs?: number;
}

export interface AgentParts {
  readonly scene: Scene;
  readonly fault: PlantedFault | null;
  /** Whether the mirror proves by itself, while everything moves, that its sides are equal. */
  readonly provesByItself: boolean;
  readonly kernel?: Kernel | undefined;
  /** Called before a system call of the engine at this path, where somebody else may do something first. */
  readonly comeBetween: (path: string) => void;
  /** Called just before the watches of the folder are set. */
  readonly beforeWatch: () => void;
}

/** Between a start of the agent and its end. */
export interface Life {
  alive: boolean;
  readonly loop: SyncLoop;
  readonly forks: ForkService;
}

class AgentDied extends Error {
  readonly code = 'EDIED';
}

export class AgentLives {
  readonly #parts: AgentParts;
  readonly #scene: Scene;
  #life: Life | null = null;
  #crashesLeft: number;
  #callsToCrash: number;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#scene = parts.scene;
    this.#crashesLeft = this.#scene.options.crashes;
    this.#callsToCrash = this.#drawCrash();
  }

  /** Null between a crash and the next start. */
  get now(): Life | null {
    return this.#life;
  }

  begin(): void {
    const { scene } = this.#parts;
    const life: { alive: boolean } = { alive: true };
    const parts = this.#createLoop(() => life.alive);
    scene.say('the agent starts');
    this.#life = Object.assign(life, parts);
    parts.loop.start();
  }

  /** It crashes no more. */
  endCrashes(): void {
    this.#crashesLeft = 0;
  }

  stop(): void {
    if (this.#life !== null) this.#life.alive = false;
  }

  #createLoop(isAlive: () => boolean): Pick<Life, 'loop' | 'forks'> {
    const { scene, fault, provesByItself } = this.#parts;
    const port = scene.store.port(isAlive);
    const store = fault?.store?.(port) ?? port;
    const clock = clockOf(scene, isAlive);
    const ids = createIds((count) => scene.random.bytes(count));
    const service = createWorkspaceService({ store, clock, randomId: ids.text });
    const forks = createForks({ store, clock, uuid: () => ids.text(20) });
    const row = listMirrors(scene.store.statements)[0];
    if (row === undefined) throw new Error('the mirror is not stored');
    const loop = new SyncLoop(
      {
        compute: inlineCompute,
        store,
        clock,
        ids,
        workspaces: fault?.workspaces?.(service) ?? service,
        forks,
        logger: loggerOf(scene, isAlive),
        userName: 'Folder',
        offsetMinutes: () => 0,
        atKillPoint: () => this.#countCall('kill point'),
        fileBytesMax: fileBytesMaxDefault,
        ...(scene.options.inPieces
          ? {
              transfer: { wholeBytesMax: 4, chunkBytes: 5 },
              planned: { partPathsMax: 2, gatheredPathsMax: 5 },
            }
          : {}),
        lockRoot: async () => null,
        provesByItself,
        processorShares: createProcessorShares(),
        // All that it does by itself, within the time that is simulated.
        proofPace: { firstRehashMs: 0, standsMs: 0 },
        openFolder: (listener) => this.#openFolder(isAlive, listener),
      },
      row,
    );
    if (row.forkId === null) store.onCommit(() => loop.hintRemote());
    else forks.changes.onChange(() => loop.hintRemote());
    return { loop, forks };
  }

  #openFolder(isAlive: () => boolean, listener: FolderListener): Folder {
    const { scene, fault } = this.#parts;
    const { scheduler, disk, ledger, root, outside, options } = scene;
    const real = engineDisk({
      disk,
      ledger,
      root,
      outside,
      before: (call, path, quick) => this.#beforeCall(isAlive, call, path, quick),
      later: (act) => scheduler.post('disk', 'syncs', () => isAlive() && act()),
    });
    const folder = simFolder(
      {
        scheduler,
        fs: fault?.fileSystem?.(real) ?? real,
        root: rootPath,
        isAlive,
        aheadMs: fault?.diskAheadMs ?? 0,
        lostOneIn: options.hintsLostOneIn,
        kernel: this.#parts.kernel,
        beforeWatch: this.#parts.beforeWatch,
        onEvents: (tell) => {
          disk.onEvent = tell;
        },
      },
      listener,
    );
    return fault?.folder?.(folder, scene.undisturbedDisk(), rootPath) ?? folder;
  }

  #beforeCall(isAlive: () => boolean, call: string, path: string, quick: boolean): void {
    if (!isAlive()) throw new AgentDied();
    const { scheduler, options } = this.#scene;
    scheduler.pass(options.callMs);
    this.#countCall(`${call} ${path}`);
    // Nothing on Linux compares and replaces in one call: the last look and the act are taken as one.
    if (!quick && scheduler.chance(options.personBetweenOneIn)) this.#parts.comeBetween(path);
    this.#refuseNowAndThen(call, path);
    this.#scene.say(`${call} ${path}`);
  }

  #refuseNowAndThen(call: string, path: string): void {
    const { scheduler, random, options, ledger, isOver } = this.#scene;
    if (isOver || options.refusedOneIn === 0 || path.includes('/.mooring/')) return;
    if (!scheduler.chance(options.refusedOneIn)) return;
    const code = random.pick(['EIO', 'EACCES', 'ENOSPC', 'EMFILE']);
    this.#scene.say(`${call} ${path}: ${code}`);
    if (call === 'unlink' || call === 'lstat') ledger.refused(path, this.#scene.folder());
    throw diskFault(code, path);
  }

  /** Throws when this is where the agent dies. */
  #countCall(what: string): void {
    if (this.#life?.alive === false) throw new AgentDied();
    if (this.#crashesLeft === 0) return;
    this.#callsToCrash -= 1;
    if (this.#callsToCrash > 0) return;
    this.#crash(what);
    throw new AgentDied();
  }

  #crash(what: string): void {
    const { scheduler, random, store, disk } = this.#scene;
    const powerCut = scheduler.chance(2);
    this.#scene.say(`${powerCut ? 'the power is cut' : 'the agent is killed'} at ${what}`);
    this.#crashesLeft -= 1;
    this.#callsToCrash = this.#drawCrash();
    this.stop();
    this.#life = null;
    store.crash();
    if (powerCut) disk.powerCut(random);
    disk.onEvent = () => undefined;
    scheduler.at(random.pick([10, 500, 20_000]), 'the agent is started again', () => this.begin());
  }

  #drawCrash(): number {
    const { below, pick } = this.#scene.random;
    return 1 + below(pick([30, 200, 1000]));
  }
}
