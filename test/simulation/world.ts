// One simulated run: the real mirror engine between a simulated folder and the real store in memory, people on both sides,
// crashes and power cuts at any system call, restarts; then rest, and judgement. Everything follows from the seed.
import { tempPrefix } from '../../server/disk/names/ignore.ts';
import { listConflicts } from '../../server/store/tables/mirrors/mirrors.ts';
import { AgentLives, type PlantedFault } from './agent-lives.ts';
import type { Inode } from './disk.ts';
import { EarlyWaits } from './early-waits.ts';
import type { Kernel } from './folder.ts';
import { FolderMoves } from './folder-moves.ts';
import { answerHalts } from './halt-answers.ts';
import { heldBack } from './listed-problems.ts';
import { planClockJump, Unplugging } from './machine-tricks.ts';
import { comeToRest, removeLinks } from './rest.ts';
import { mirrorId, rootPath, Scene, workspaceId } from './scene.ts';
import { WorkspaceMoves } from './workspace-moves.ts';

const stepsMax = 60_000;

export interface RunResult {
  readonly digest: string;
  readonly violations: readonly string[];
  /** The last lines of what happened. */
  readonly tail: readonly string[];
}

export interface RunMore {
  /** Whether the mirror proves by itself, while everything moves, that its sides are equal. */
  readonly provesByItself?: boolean;
  readonly kernel?: Kernel;
  /** The folder shows a fork instead of the workspace. */
  readonly isForked?: boolean;
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
  const { scheduler, ledger } = world.scene;
  return { digest: scheduler.trace.digest, violations: ledger.violations, tail: scheduler.trace.tail(4000) };
}

class World {
  readonly scene: Scene;
  readonly #agent: AgentLives;
  readonly #folderMoves: FolderMoves;
  readonly #workspaceMoves: WorkspaceMoves;
  readonly #unplugging: Unplugging;
  /** Only where a wait makes no full scan. */
  readonly #earlyWaits: EarlyWaits | null;
  #steps = 0;

  constructor(
    seed: number,
    fault: PlantedFault | null,
    { provesByItself = false, kernel, isForked = false }: RunMore,
  ) {
    const scene = new Scene(seed, isForked);
    this.scene = scene;
    this.#folderMoves = new FolderMoves(scene);
    const comeBetween = (path: string) => this.#folderMoves.comeBetween(path);
    const beforeWatch = () => this.#beforeWatch();
    this.#agent = new AgentLives({ scene, fault, provesByItself, kernel, comeBetween, beforeWatch });
    this.#earlyWaits = kernel === undefined ? null : new EarlyWaits(scene, this.#agent);
    this.#workspaceMoves = new WorkspaceMoves(scene, this.#agent);
    this.#unplugging = new Unplugging(scene, () => this.#folderMoves.isDoing);
  }

  async run(): Promise<void> {
    this.#prepare();
    this.#agent.begin();
    this.#folderMoves.think();
    this.#workspaceMoves.think();
    answerHalts(this.scene, this.#agent);
    this.#earlyWaits?.plan();
    if (this.scene.options.rootGoesAway) this.#unplugging.plan();
    if (this.scene.options.clockJumps) planClockJump(this.scene);
    while (this.#isBusy() && this.#mayStep()) await this.#step();
    this.#endAll();
    const rest = comeToRest(this.scene, this.#agent);
    while (!rest.isOver() && this.#mayStep()) await this.#step();
    await this.#judge();
  }

  close(): void {
    this.#agent.stop();
    this.scene.store.close();
  }

  #beforeWatch(): void {
    if (this.#earlyWaits === null || this.scene.isOver) return;
    if (!this.#folderMoves.isDone && !this.#folderMoves.isDoing) this.#folderMoves.actAtOnce();
    this.#earlyWaits.ask();
  }

  /** Both sides may hold something before they first meet. */
  #prepare(): void {
    const { random } = this.scene;
    this.scene.establish();
    for (let count = random.below(8); count > 0; count -= 1) this.#folderMoves.actAtOnce();
    for (let count = random.below(8); count > 0; count -= 1) this.#workspaceMoves.act();
  }

  #isBusy(): boolean {
    return (
      !this.#folderMoves.isDone ||
      !this.#workspaceMoves.isDone ||
      this.#agent.now === null ||
      this.#unplugging.isPlanned
    );
  }

  /** One count for the whole run: what never comes to rest must still end. */
  #mayStep(): boolean {
    if (this.#steps < stepsMax) return true;
    this.scene.ledger.violate('A5', 'it never comes to rest');
    return false;
  }

  #step(): Promise<void> {
    this.#steps += 1;
    return this.scene.scheduler.step();
  }

  /** Nothing happens by itself any more. */
  #endAll(): void {
    this.#agent.endCrashes();
    this.scene.isOver = true;
    this.#unplugging.bringBack();
    removeLinks(this.scene);
    this.scene.say('from here on nobody does anything');
  }

  async #judge(): Promise<void> {
    const { ledger, store, options, root } = this.scene;
    const conflictCopies = new Set(listConflicts(store.statements, mirrorId).map(({ copyPath }) => copyPath));
    const aside = { conflictCopies, heldBack: await heldBack(this.scene, this.#agent) };
    ledger.judge(this.scene.folder(), workspaceId, aside);
    this.scene.say(JSON.stringify(await this.#agent.now?.loop.view()));
    await this.#judgeProof();
    if (!options.refusedOneIn) this.#judgeLeftovers(root, rootPath);
  }

  /** What the ledger found equal, or different for a listed reason, the engine must be able to prove. */
  async #judgeProof(): Promise<void> {
    const { ledger } = this.scene;
    if (ledger.violations.length > 0) return;
    let outcome: string | null = null;
    this.#agent.now?.loop.prove(new AbortController().signal).then(
      ({ kind }) => {
        outcome = kind;
      },
      (error: unknown) => {
        outcome = String(error);
      },
    );
    while (outcome === null && this.#mayStep()) await this.#step();
    if (outcome !== 'equal') ledger.violate('A4', `the proof says ${outcome}`);
  }

  #judgeLeftovers(directory: Inode, path: string): void {
    for (const [name, inode] of directory.entries) {
      if (name.startsWith(tempPrefix)) this.scene.ledger.leftBehind(`${path}/${name}`);
      if (inode.kind === 'directory') this.#judgeLeftovers(inode, `${path}/${name}`);
    }
  }
}
