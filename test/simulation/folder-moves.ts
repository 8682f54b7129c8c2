// When the person at the folder does something: after a thought, step by step, and in the middle of the mirror's own work.
import { FolderPerson, type Steps } from './people.ts';
import { rootPath, type Scene } from './scene.ts';

export class FolderMoves {
  readonly #scene: Scene;
  readonly #person: FolderPerson;
  #left: number;
  #doing: Steps | null = null;

  constructor(scene: Scene) {
    const { disk, random, contents, ledger, paths, options } = scene;
    this.#scene = scene;
    this.#left = options.folderActs;
    const know = (content: string) => ledger.know(content);
    this.#person = new FolderPerson(disk, rootPath, random, contents, know, paths, options.truncates);
  }

  get isDone(): boolean {
    return this.#left === 0 && this.#doing === null;
  }

  /** In the middle of something that takes several system calls. */
  get isDoing(): boolean {
    return this.#doing !== null;
  }

  /** Goes on until everything that was planned is done. */
  think(): void {
    if (this.#left === 0) return;
    const { scheduler, random, options } = this.#scene;
    scheduler.at(random.pick(options.thinkMs), 'the person thinks', () => {
      if (this.#doing === null && !this.#scene.isFolderAway && this.#left > 0) this.#act(null);
      if (this.#doing === null) this.think();
      else this.#goOn();
    });
  }

  /** A whole act of which nobody sees a part. */
  actAtOnce(): void {
    this.#act(null);
    while (this.#doing !== null) this.#step(this.#doing);
  }

  /** In the middle of the mirror's own work, and often just where it works. */
  comeBetween(path: string): void {
    const { scheduler, isFolderAway, isOver } = this.#scene;
    if (isFolderAway || isOver) return;
    if (this.#doing === null) {
      const wire = path.slice(rootPath.length);
      const near = wire === '' || wire.includes('/.mooring') ? null : wire;
      if (this.#left > 0) this.#act(scheduler.chance(2) ? near : null);
      return;
    }
    this.#scene.say('the person comes between');
    this.#step(this.#doing);
  }

  #goOn(): void {
    const { scheduler, random } = this.#scene;
    scheduler.at(random.pick([0, 0, 1, 30, 300]), 'the person goes on', () => {
      if (this.#doing !== null && !this.#scene.isFolderAway) this.#step(this.#doing);
      if (this.#doing === null) this.think();
      else this.#goOn();
    });
  }

  #act(near: string | null): void {
    this.#left = Math.max(0, this.#left - 1);
    const { what, steps } = this.#person.act(this.#scene.folder(), near);
    this.#scene.say(`the person ${what}`);
    this.#doing = steps;
  }

  #step(steps: Steps): void {
    const { disk, ledger } = this.#scene;
    const seen = this.#scene.folder();
    try {
      if (steps.next().done === true) this.#doing = null;
    } catch (error) {
      // As a program that finds its file gone.
      if (!(error instanceof Error) || !('code' in error)) throw error;
      this.#doing = null;
    }
    disk.syncNames();
    ledger.byPerson(seen, this.#scene.folder(), this.#scene.workspace(), 'folder');
  }
}
