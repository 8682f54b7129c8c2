// Somebody waits in the middle of a run until the mirror is synced, most of all between its first scan and its watches. What differs
// when the call is made, and is changed by nobody since, must be equal when the answer is yes.
import type { AgentLives } from './agent-lives.ts';
import type { Scene } from './scene.ts';

const waitsMax = 40;
const pausesMs = [0, 1, 5, 40, 300, 3000];

export class EarlyWaits {
  readonly #scene: Scene;
  readonly #agent: AgentLives;
  #left = waitsMax;

  constructor(scene: Scene, agent: AgentLives) {
    this.#scene = scene;
    this.#agent = agent;
  }

  /** Until people have done all that they do. */
  plan(): void {
    const { scheduler, random } = this.#scene;
    if (this.#left === 0 || this.#scene.isOver) return;
    scheduler.at(random.pick(pausesMs), 'somebody thinks of waiting', () => {
      this.ask();
      this.plan();
    });
  }

  ask(): void {
    const loop = this.#agent.now?.loop;
    if (loop === undefined || this.#left === 0) return;
    this.#left -= 1;
    const { ledger } = this.#scene;
    const before = this.#differences();
    loop.waitUntilSynced(new AbortController().signal).then(
      async (isSynced) => {
        if (isSynced && this.#agent.now?.loop === loop) await this.#judge(before);
      },
      (error: unknown) => ledger.violate('A5', `a wait failed: ${String(error)}`),
    );
  }

  /** Paths whose content differs -> how often people have changed it. */
  #differences(): ReadonlyMap<string, number> {
    const { ledger } = this.#scene;
    const [folder, workspace] = [this.#scene.folder(), this.#scene.workspace()];
    const paths = [...new Set([...folder.keys(), ...workspace.keys()])];
    return new Map(
      paths
        .filter((path) => folder.get(path) !== workspace.get(path))
        .map((path) => [path, ledger.changesAt(path)]),
    );
  }

  async #judge(before: ReadonlyMap<string, number>): Promise<void> {
    const { ledger, options } = this.#scene;
    // What the disk refuses is listed, and synced later.
    if (options.refusedOneIn !== 0) return;
    const listed = ((await this.#agent.now?.loop.view())?.problemList ?? []).map((problem) => problem.path);
    const isListed = (path: string) =>
      listed.some((at) => path === at || path.startsWith(`${at}/`) || at.startsWith(`${path}/`));
    for (const [path, changes] of this.#differences())
      if (before.get(path) === changes && !isListed(path))
        ledger.violate('A4', `${path} is called synced and differs`);
  }
}
