// When an agent at the workspace does something: after a thought, and only while there is somebody to answer it.
import { workspaceAct } from './people.ts';
import { type Scene, workspaceId } from './scene.ts';

export class WorkspaceMoves {
  readonly #scene: Scene;
  readonly #isAnswered: () => boolean;
  #left: number;

  constructor(scene: Scene, isAnswered: () => boolean) {
    this.#scene = scene;
    this.#isAnswered = isAnswered;
    this.#left = scene.options.workspaceActs;
  }

  get isDone(): boolean {
    return this.#left === 0;
  }

  /** Goes on until everything that was planned is done. */
  think(): void {
    if (this.#left === 0) return;
    const { scheduler, random, options } = this.#scene;
    scheduler.at(random.pick(options.thinkMs), 'an agent thinks', () => {
      if (this.#isAnswered()) this.act();
      this.think();
    });
  }

  act(): void {
    this.#left = Math.max(0, this.#left - 1);
    const { scheduler, random, contents, paths, store, ledger } = this.#scene;
    const seen = this.#scene.workspace();
    const { what, changes } = workspaceAct(seen, random, contents, paths);
    this.#scene.say(`an agent ${what}`);
    if (changes.length === 0) return;
    store.commit({
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
        atMs: Math.floor(scheduler.wallMs),
      },
    });
    ledger.byPerson(seen, this.#scene.workspace(), this.#scene.folder(), 'workspace');
  }
}
