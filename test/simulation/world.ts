// One simulated run: the real mirror engine between a simulated folder and the real store in memory, people on both sides,
// crashes and power cuts at any system call, restarts; then rest, and judgement. Everything follows from the seed.
import { ancestorsOf } from '../../server/core/path.ts';
import type { FileSystem } from '../../server/disk/file-system.ts';
import type { Folder } from '../../server/disk/folder.ts';
import { tempPrefix } from '../../server/disk/ignore.ts';
import { inspectRoot, writeMarker } from '../../server/disk/root.ts';
import { fileBytesMaxDefault } from '../../server/mirror/context.ts';
import { MirrorLoop } from '../../server/mirror/loop.ts';
import type { Clock } from '../../server/platform/clock.ts';
import { createIds } from '../../server/platform/ids.ts';
import type { Logger } from '../../server/platform/logger.ts';
import { listConflicts, listMirrors } from '../../server/store/mirrors.ts';
import type { Store } from '../../server/store/port.ts';
import { createWorkspaceService, type WorkspaceService } from '../../server/workspaces/service.ts';
import { type SeededRandom, seededRandom } from '../support/trees.ts';
import { diskFault, foldOf, type Inode, SimDisk } from './disk.ts';
import { engineDisk } from './engine-disk.ts';
import { simFolder } from './folder.ts';
import { Ledger, viewOf } from './ledger.ts';
import { drawOptions, type RunOptions } from './options.ts';
import { Contents, FolderPerson, type PathParts, pathPartsOn, type Steps, workspaceAct } from './people.ts';
import { Scheduler } from './scheduler.ts';
import { SimStore } from './store.ts';

const rootPath = '/r';
const awayPath = '/r-away';
const workspaceId = 'rw_simulate';
const mirrorId = 'mir_simulated';
const markerId = 'simulated';
const stepsMax = 60_000;
const haltAnswerMs = 7000;
/** Longer than the longest pause between two full scans of a small folder, and than most retries. */
const restMs = 200_000;
const restMsMax = 3_600_000;

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

export interface RunResult {
  readonly digest: string;
  readonly violations: readonly string[];
  /** The last lines of what happened. */
  readonly tail: readonly string[];
}

export interface RunMore {
  /** Whether the mirror proves by itself, while everything moves, that its sides are equal. */
  readonly provesByItself?: boolean;
}

export async function simulate(
  seed: number,
  fault: PlantedFault | null = null,
  more: RunMore = {},
): Promise<RunResult> {
  const world = new World(seed, fault, more);
  try {
    await world.run();
  } finally {
    world.close();
  }
  const { scheduler, ledger } = world;
  return { digest: scheduler.trace.digest, violations: ledger.violations, tail: scheduler.trace.tail(4000) };
}

/** Between a start of the agent and its end. */
interface Life {
  alive: boolean;
  readonly loop: MirrorLoop;
}

class AgentDied extends Error {
  readonly code = 'EDIED';
}

class World {
  readonly scheduler: Scheduler;
  readonly ledger: Ledger;
  readonly #random: SeededRandom;
  readonly #options: RunOptions;
  readonly #fault: PlantedFault | null;
  readonly #more: RunMore;
  readonly #disk: SimDisk;
  readonly #store: SimStore;
  readonly #root: Inode;
  readonly #outside: Inode;
  readonly #person: FolderPerson;
  readonly #contents: Contents;
  readonly #paths: PathParts;
  #life: Life | null = null;
  #doing: Steps | null = null;
  #folderActsLeft: number;
  #workspaceActsLeft: number;
  #crashesLeft: number;
  #callsToCrash: number;
  #isAway = false;
  #isOver = false;
  /** The folder is still to go away: taken from a mirror that is being judged, it could prove nothing. */
  #isTrickPlanned = false;

  constructor(seed: number, fault: PlantedFault | null, more: RunMore) {
    this.#random = seededRandom(seed);
    this.#fault = fault;
    this.#more = more;
    this.scheduler = new Scheduler(this.#random);
    const options = drawOptions(this.#random, seed);
    this.#options = options;
    this.#folderActsLeft = options.folderActs;
    this.#workspaceActsLeft = options.workspaceActs;
    this.#crashesLeft = options.crashes;
    this.#callsToCrash = this.#drawCrash();
    const { grainMs, reusesInodes, names } = options;
    this.#disk = new SimDisk({ nowMs: () => this.scheduler.wallMs, grainMs, reusesInodes, names });
    this.#paths = pathPartsOn(names);
    this.#store = new SimStore(this.scheduler);
    this.ledger = new Ledger(this.#store, names !== 'bytes');
    const know = (content: string) => this.ledger.know(content);
    this.#contents = new Contents(this.#random, know);
    this.#disk.makeDirectory(rootPath);
    this.#disk.makeDirectory('/outside');
    this.#root = this.#disk.inodeAt(rootPath) as Inode;
    this.#outside = this.#disk.inodeAt('/outside') as Inode;
    this.#disk.create('/outside/file');
    this.#person = new FolderPerson(this.#disk, rootPath, this.#random, this.#contents, know, this.#paths);
  }

  async run(): Promise<void> {
    this.#prepare();
    this.#begin();
    this.#thinkInFolder();
    this.#thinkInWorkspace();
    this.#answerHalts();
    if (this.#options.rootGoesAway) this.#planRootTrick();
    if (this.#options.clockJumps) this.#planClockJump();
    let steps = 0;
    while (this.#isBusy() && this.#ran(steps)) {
      await this.scheduler.step();
      steps += 1;
    }
    this.#tidy();
    const rest = this.#rest();
    while (!rest.isOver() && this.#ran(steps)) {
      await this.scheduler.step();
      steps += 1;
    }
    this.#isOver = true;
    const conflictCopies = new Set(
      listConflicts(this.#store.statements, mirrorId).map(({ copyPath }) => copyPath),
    );
    this.ledger.judge(viewOf(this.#root), workspaceId, { conflictCopies, heldBack: this.#heldBack() });
    this.scheduler.trace.add(JSON.stringify(this.#life?.loop.view()));
    await this.#judgeProof(steps);
    if (!this.#options.refusedOneIn) this.#judgeLeftovers(this.#root, rootPath);
  }

  /** What the ledger found equal, or different for a listed reason, the engine must be able to prove. */
  async #judgeProof(stepsBefore: number): Promise<void> {
    if (this.ledger.violations.length > 0) return;
    let outcome: string | null = null;
    this.#life?.loop.prove(new AbortController().signal).then(
      ({ kind }) => {
        outcome = kind;
      },
      (error: unknown) => {
        outcome = String(error);
      },
    );
    for (let steps = stepsBefore; outcome === null && this.#ran(steps); steps += 1)
      await this.scheduler.step();
    if (outcome !== 'equal') this.ledger.violate('A4', `the proof says ${outcome}`);
  }

  close(): void {
    if (this.#life !== null) this.#life.alive = false;
    this.#store.close();
  }

  // ---- the agent

  #prepare(): void {
    const fs = this.#plainDisk();
    this.#store.commit({
      name: 'create_workspace',
      input: { workspaceId, name: 'simulated', createdAtMs: 0 },
    });
    writeMarker(fs, rootPath, markerId);
    this.#disk.syncAll();
    const state = inspectRoot(fs, rootPath);
    if (state.kind !== 'present') throw new Error('the root is not there');
    const epoch = this.#store.epoch();
    const row = {
      mirrorId,
      workspaceId,
      dir: rootPath,
      mode: 'two-way' as const,
      rootPath: '/',
      markerId,
      rootDevice: state.device,
      rootInode: state.inode,
      paused: false,
      deletesPerMinuteMax: null,
      haltedCause: null,
      epoch,
      established: false,
      lastSyncAtMs: null,
      createdAtMs: 0,
    };
    this.#store.commit({ name: 'insert_mirror', input: { row } });
    // Both sides may hold something before they first meet.
    for (let count = this.#random.below(8); count > 0; count -= 1) this.#actInFolder(null, true);
    for (let count = this.#random.below(8); count > 0; count -= 1) this.#actInWorkspace();
  }

  #begin(): void {
    const life: { alive: boolean } = { alive: true };
    const isAlive = () => life.alive;
    const fault = this.#fault;
    const port = this.#store.port(isAlive);
    const store = fault?.store?.(port) ?? port;
    const clock = this.#clockOf(isAlive);
    const ids = createIds((count) => this.#random.bytes(count));
    const service = createWorkspaceService({ store, clock, randomId: ids.text });
    const row = listMirrors(this.#store.statements)[0];
    if (row === undefined) throw new Error('the mirror is not stored');
    const loop = new MirrorLoop(
      {
        store,
        clock,
        ids,
        workspaces: fault?.workspaces?.(service) ?? service,
        logger: this.#logger(isAlive),
        offsetMinutes: () => 0,
        atKillPoint: () => this.#countCall('kill point'),
        fileBytesMax: fileBytesMaxDefault,
        ...(this.#options.inPieces ? { transfer: { wholeBytesMax: 4, pieceBytes: 5 } } : {}),
        lockRoot: () => null,
        provesByItself: this.#more.provesByItself ?? false,
        // All that it does by itself, within the time that is simulated.
        proofPace: { firstRehashMs: 0, standsMs: 0 },
        openFolder: (listener) => {
          const real = engineDisk({
            disk: this.#disk,
            ledger: this.ledger,
            root: this.#root,
            outside: this.#outside,
            before: (call, path, quick) => this.#beforeCall(isAlive, call, path, quick),
            later: (act) => this.scheduler.post('disk', 'syncs', () => isAlive() && act()),
          });
          const fs = fault?.fileSystem?.(real) ?? real;
          const folder = simFolder(
            {
              scheduler: this.scheduler,
              fs,
              root: rootPath,
              isAlive,
              aheadMs: fault?.diskAheadMs ?? 0,
              lostOneIn: this.#options.hintsLostOneIn,
              onEvents: (tell) => {
                this.#disk.onEvent = tell;
              },
            },
            listener,
          );
          return fault?.folder?.(folder, this.#plainDisk(), rootPath) ?? folder;
        },
      },
      row,
    );
    store.onCommit(() => loop.hintRemote());
    this.scheduler.trace.add('the agent starts');
    this.#life = Object.assign(life, { loop });
    loop.start();
  }

  #beforeCall(isAlive: () => boolean, call: string, path: string, quick: boolean): void {
    if (!isAlive()) throw new AgentDied();
    const { callMs, personBetweenOneIn, refusedOneIn } = this.#options;
    this.scheduler.pass(callMs);
    this.#countCall(`${call} ${path}`);
    // Nothing on Linux compares and replaces in one call: the last look and the act are taken as one.
    if (!quick && this.scheduler.chance(personBetweenOneIn)) this.#personComesBetween(path);
    if (
      !this.#isOver &&
      refusedOneIn > 0 &&
      !path.includes('/.mooring/') &&
      this.scheduler.chance(refusedOneIn)
    ) {
      const code = this.#random.pick(['EIO', 'EACCES', 'ENOSPC', 'EMFILE']);
      this.scheduler.trace.add(`${call} ${path}: ${code}`);
      if (call === 'unlink') this.ledger.keptName(path, viewOf(this.#root));
      throw diskFault(code, path);
    }
    this.scheduler.trace.add(`${call} ${path}`);
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
    const powerCut = this.scheduler.chance(2);
    this.scheduler.trace.add(`${powerCut ? 'the power is cut' : 'the agent is killed'} at ${what}`);
    this.#crashesLeft -= 1;
    this.#callsToCrash = this.#drawCrash();
    if (this.#life !== null) this.#life.alive = false;
    this.#life = null;
    this.#store.crash();
    if (powerCut) this.#disk.powerCut(this.#random);
    this.#disk.onEvent = () => undefined;
    this.scheduler.at(this.#random.pick([10, 500, 20_000]), 'the agent is started again', () =>
      this.#begin(),
    );
  }

  #drawCrash(): number {
    return 1 + this.#random.below(this.#random.pick([30, 200, 1000]));
  }

  // ---- the people

  #thinkInFolder(): void {
    if (this.#folderActsLeft === 0) return;
    this.scheduler.at(this.#random.pick(this.#options.thinkMs), 'the person thinks', () => {
      if (this.#doing === null && !this.#isAway && this.#folderActsLeft > 0) this.#actInFolder(null, false);
      if (this.#doing === null) this.#thinkInFolder();
      else this.#goOnInFolder();
    });
  }

  #goOnInFolder(): void {
    this.scheduler.at(this.#random.pick([0, 0, 1, 30, 300]), 'the person goes on', () => {
      if (this.#doing !== null && !this.#isAway) this.#personStep(this.#doing);
      if (this.#doing === null) this.#thinkInFolder();
      else this.#goOnInFolder();
    });
  }

  #actInFolder(near: string | null, atOnce: boolean): void {
    this.#folderActsLeft = Math.max(0, this.#folderActsLeft - 1);
    const { what, steps } = this.#person.act(viewOf(this.#root), near);
    this.scheduler.trace.add(`the person ${what}`);
    this.#doing = steps;
    while (atOnce && this.#doing !== null) this.#personStep(steps);
  }

  #personStep(steps: Steps): void {
    const seen = viewOf(this.#root);
    try {
      if (steps.next().done === true) this.#doing = null;
    } catch (error) {
      // As a program that finds its file gone.
      if (!(error instanceof Error) || !('code' in error)) throw error;
      this.#doing = null;
    }
    this.#disk.syncNames();
    this.ledger.byPerson(seen, viewOf(this.#root), this.ledger.workspace(workspaceId), 'folder');
  }

  /** In the middle of the mirror's own work, and often just where it works. */
  #personComesBetween(path: string): void {
    if (this.#isAway || this.#isOver) return;
    if (this.#doing === null) {
      const wire = path.slice(rootPath.length);
      const near = wire === '' || wire.includes('/.mooring') ? null : wire;
      if (this.#folderActsLeft > 0) this.#actInFolder(this.scheduler.chance(2) ? near : null, false);
      return;
    }
    this.scheduler.trace.add('the person comes between');
    this.#personStep(this.#doing);
  }

  #thinkInWorkspace(): void {
    if (this.#workspaceActsLeft === 0) return;
    this.scheduler.at(this.#random.pick(this.#options.thinkMs), 'an agent thinks', () => {
      if (this.#life !== null) this.#actInWorkspace();
      this.#thinkInWorkspace();
    });
  }

  #actInWorkspace(): void {
    this.#workspaceActsLeft = Math.max(0, this.#workspaceActsLeft - 1);
    const seen = this.ledger.workspace(workspaceId);
    const { what, changes } = workspaceAct(seen, this.#random, this.#contents, this.#paths);
    this.scheduler.trace.add(`an agent ${what}`);
    if (changes.length === 0) return;
    this.#store.commit({
      name: 'change_files',
      input: {
        kind: 'change_files',
        workspaceId,
        changes,
        atomic: true,
        actor: { kind: 'system', name: 'an agent', tokenId: null },
        origin: 'agent_write',
        access: null,
        correlationId: 'simulated',
        makesOperations: true,
        atMs: Math.floor(this.scheduler.wallMs),
      },
    });
    this.ledger.byPerson(seen, this.ledger.workspace(workspaceId), viewOf(this.#root), 'workspace');
  }

  /** A person looks at a halted mirror now and then, and has what is missing brought back. */
  #answerHalts(): void {
    this.scheduler.at(haltAnswerMs, 'a person looks at the mirror', () => {
      const life = this.#life;
      const cause = life?.loop.row.haltedCause;
      if (life !== null && cause != null && life.loop.state === 'halted' && !this.#isAway) {
        this.scheduler.trace.add(`a person resumes what halted: ${cause}`);
        this.ledger.restored();
        life.loop.resume().catch((error: unknown) => {
          // Where the agent dies of it, there is nobody left to say so: the next life is asked again.
          if (life.alive) this.ledger.violate('A5', `resume failed: ${String(error)}`);
        });
      }
      this.#answerHalts();
    });
  }

  /** The disk of the folder is unplugged for a while, and something else may stand in its place. */
  #planRootTrick(): void {
    this.#isTrickPlanned = true;
    this.scheduler.at(this.#random.below(60_000), 'the folder goes away', () => {
      if (this.#doing !== null) {
        this.#planRootTrick();
        return;
      }
      this.#isTrickPlanned = false;
      this.#isAway = true;
      this.#disk.rename(rootPath, awayPath);
      const instead = this.#random.below(3);
      if (instead === 1) this.#disk.makeDirectory(rootPath);
      if (instead === 2) this.#disk.create(rootPath);
      // A power cut does not plug it in again.
      this.#disk.syncNames();
      this.scheduler.at(this.#random.pick([5, 3000, 40_000]), 'the folder comes back', () =>
        this.#bringBack(),
      );
    });
  }

  #bringBack(): void {
    if (!this.#isAway) return;
    const instead = this.#disk.inodeAt(rootPath);
    if (instead !== null) this.#removeAll(rootPath, instead);
    this.#disk.rename(awayPath, rootPath);
    this.#disk.syncNames();
    this.#isAway = false;
  }

  #removeAll(path: string, inode: Inode): void {
    if (inode.kind !== 'directory') {
      this.#disk.unlink(path);
      return;
    }
    for (const [name, child] of [...inode.entries]) this.#removeAll(`${path}/${name}`, child);
    this.#disk.removeDirectory(path);
  }

  #planClockJump(): void {
    this.scheduler.at(this.#random.below(90_000), 'the clock is set', () => {
      this.scheduler.jumpWall(this.#random.pick([-3_600_017, 3_600_017, -1501]));
    });
  }

  // ---- the end

  #isBusy(): boolean {
    return (
      this.#folderActsLeft > 0 ||
      this.#workspaceActsLeft > 0 ||
      this.#doing !== null ||
      this.#life === null ||
      this.#isTrickPlanned
    );
  }

  #ran(steps: number): boolean {
    if (steps < stepsMax) return true;
    this.ledger.violate('A5', 'it never comes to rest');
    return false;
  }

  /** Nothing happens by itself any more, and what a mirror cannot hold is taken away. */
  #tidy(): void {
    this.#crashesLeft = 0;
    this.#isOver = true;
    this.#bringBack();
    const seen = viewOf(this.#root);
    this.#removeLinks(rootPath, this.#root);
    this.#disk.syncNames();
    this.ledger.byPerson(seen, viewOf(this.#root), this.ledger.workspace(workspaceId), 'folder');
    this.scheduler.trace.add('from here on nobody does anything');
  }

  #removeLinks(path: string, directory: Inode): void {
    for (const [name, inode] of [...directory.entries]) {
      if (inode.kind === 'symlink') this.#disk.unlink(`${path}/${name}`);
      if (inode.kind === 'directory') this.#removeLinks(`${path}/${name}`, inode);
    }
  }

  /** In half of the runs somebody asks for rest; in the others it must come by itself. */
  #rest(): { isOver: () => boolean } {
    const beganMs = this.scheduler.monotonicMs;
    const asks = this.#options.hintsLostOneIn === 0 || this.scheduler.chance(2);
    let settled = false;
    const ask = () => {
      const loop = this.#life?.loop;
      loop?.settle(new AbortController().signal).then(
        (answer) => {
          settled = answer && !this.#hasProblems();
          if (!settled) this.scheduler.at(1000, 'asks again', ask);
        },
        (error: unknown) => this.ledger.violate('A5', `settle failed: ${String(error)}`),
      );
    };
    if (asks) ask();
    return {
      isOver: () => {
        const restedMs = this.scheduler.monotonicMs - beganMs;
        if (restedMs > restMsMax) {
          this.ledger.violate('A5', 'it is not at rest after an hour');
          return true;
        }
        return asks
          ? settled
          : restedMs > restMs && !this.#hasProblems() && this.#life?.loop.state === 'idle';
      },
    };
  }

  #hasProblems(): boolean {
    const problems = [...(this.#life?.loop.session?.problems.list() ?? [])];
    if (problems.length === 0) return false;
    const files = this.ledger.workspace(workspaceId);
    return problems.some(({ path, failure }) => {
      if (failure.kind !== 'collision' || !this.#isTaken(path)) return true;
      // What stands above or below it in the workspace is planned together with it, when its time has come.
      return (
        ancestorsOf(path).some((at) => files.has(at)) ||
        [...files.keys()].some((at) => at.startsWith(`${path}/`))
      );
    });
  }

  /** Listed as having no name of their own on this disk, and rightly so. */
  #heldBack(): ReadonlySet<string> {
    const listed = this.#life?.loop.view().problemList ?? [];
    return new Set(
      listed.filter(({ kind, path }) => kind === 'collision' && this.#isTaken(path)).map(({ path }) => path),
    );
  }

  /** Does something in the folder have this name, or that of a directory above, in another spelling? */
  #isTaken(path: string): boolean {
    let directory: Inode | undefined = this.#root;
    for (const name of path.slice(1).split('/')) {
      const names: readonly string[] = [...(directory?.entries.keys() ?? [])];
      if (names.some((other) => other !== name && foldOf(other) === foldOf(name))) return true;
      directory = directory?.entries.get(name);
    }
    return false;
  }

  #judgeLeftovers(directory: Inode, path: string): void {
    for (const [name, inode] of directory.entries) {
      if (name.startsWith(tempPrefix)) this.ledger.leftBehind(`${path}/${name}`);
      if (inode.kind === 'directory') this.#judgeLeftovers(inode, `${path}/${name}`);
    }
  }

  // ---- the outside

  #plainDisk(): FileSystem {
    return engineDisk({
      disk: this.#disk,
      ledger: this.ledger,
      root: this.#root,
      outside: this.#outside,
      before: () => undefined,
      later: (act) => act(),
    });
  }

  #clockOf(isAlive: () => boolean): Clock {
    return {
      nowMs: () => Math.floor(this.scheduler.wallMs),
      monotonicMs: () => this.scheduler.monotonicMs,
      delay: (delayMs, signal) => {
        if (signal?.aborted === true) return Promise.resolve();
        return new Promise((resolve) => {
          const end = () => {
            cancel();
            signal?.removeEventListener('abort', end);
            if (isAlive()) resolve();
          };
          const cancel = this.scheduler.at(delayMs, 'timer', end);
          signal?.addEventListener('abort', end);
        });
      },
    };
  }

  #logger(isAlive: () => boolean): Logger {
    const say = (level: string) => (fields: object, message: string) => {
      if (!isAlive()) return;
      const error = 'err' in fields && fields.err instanceof Error ? `: ${fields.err.message}` : '';
      this.scheduler.trace.add(`${level}: ${message}${error}`);
      const expected = this.#options.refusedOneIn > 0 || this.#options.rootGoesAway;
      const isAlarm = message.includes('nothing listed explains it');
      if (level === 'error' && (!expected || isAlarm || error.includes('come to rest')))
        this.ledger.violate('A5', `${message}${error}`);
    };
    const quiet = () => undefined;
    const logger: Logger = {
      fatal: say('fatal'),
      error: say('error'),
      warn: say('warn'),
      info: say('info'),
      debug: quiet,
      trace: quiet,
      child: () => logger,
    };
    return logger;
  }
}
