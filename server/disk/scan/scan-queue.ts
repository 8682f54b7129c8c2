// The directories that a scan still has to list, each once unless it changed since. Memory only.
import { parentOf } from '../../core/paths/path.ts';

export interface ToList {
  readonly directory: string;
  /** With all that is below. */
  readonly deep: boolean;
}

export class ScanQueue {
  readonly #waiting: ToList[];
  readonly #done = new Map<string, 'shallow' | 'deep'>();

  constructor(scope: 'full' | readonly string[]) {
    this.#waiting =
      scope === 'full'
        ? [{ directory: '/', deep: true }]
        : scope.map((directory) => ({ directory, deep: false }));
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(directory: string, deep: boolean): void {
    this.#waiting.push({ directory, deep });
  }

  /** Even if it was listed in this very scan: then something changed since. */
  addAgain(directory: string): void {
    this.#done.delete(directory);
    this.add(directory, false);
  }

  addParentAgain(directory: string): void {
    const parent = parentOf(directory);
    if (parent !== null) this.addAgain(parent);
  }

  /** It was not listed after all. */
  undo(directory: string): void {
    this.#done.delete(directory);
  }

  /** The next that was not listed yet; undefined: none is left. */
  next(): ToList | undefined {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const done = this.#done.get(next.directory);
      // What was only glanced at, for a file that was renamed out of it, is still to be looked through.
      if (done === 'deep' || (done === 'shallow' && !next.deep)) continue;
      this.#done.set(next.directory, next.deep ? 'deep' : 'shallow');
      return next;
    }
    return undefined;
  }
}
