// Which file or directory of a folder has a name, on a disk that folds names: `A` and `a` are one name there. It follows the folder path by path,
// because listing all of it takes most of a second for 165,000 files. Paths are in rows (core/paths/path-rows.ts). No I/O.
import { parentOf } from '../../core/paths/path.ts';
import { PathRows } from '../../core/paths/path-rows.ts';
import { grown, noRow } from '../../core/paths/row-slots.ts';

const growth = 1.5;

export interface NameOwnersDeps {
  /** The same for all spellings of a path that are one name on the disk. */
  readonly keyOf: (path: string) => string;
  /** A file is there, or a directory with a file in it. */
  readonly isHere: (path: string) => boolean;
}

export class NameOwners {
  readonly #keyOf: NameOwnersDeps['keyOf'];
  readonly #isHere: NameOwnersDeps['isHere'];
  readonly #keys = new PathRows();
  readonly #spellings = new PathRows();
  /** Row of a key -> row of the spelling that has the name. */
  #spellingOf = new Int32Array(64);
  /** Key -> further spellings, while a scan has reported the new one and not yet that the old one is gone. */
  readonly #further = new Map<string, Set<string>>();

  constructor({ keyOf, isHere }: NameOwnersDeps) {
    this.#keyOf = keyOf;
    this.#isHere = isHere;
  }

  /** null: nothing has the name. */
  owner(key: string): string | null {
    const row = this.#keys.find(key);
    return row === noRow ? null : this.#spellings.pathOf(this.#spellingOf[row] as number);
  }

  /** A file is there. */
  add(path: string): void {
    this.#enter(path);
    // Those above a directory that is known are known.
    for (let at = parentOf(path); at !== null && at !== '/'; at = parentOf(at)) if (!this.#enter(at)) return;
  }

  /** The file is gone. */
  remove(path: string): void {
    for (let at: string | null = path; at !== null && at !== '/'; at = parentOf(at)) {
      if (this.#isHere(at)) return;
      this.#leave(at);
    }
  }

  /** false: it was known. */
  #enter(path: string): boolean {
    const key = this.#keyOf(path);
    const owner = this.owner(key);
    if (owner === path) return false;
    if (owner === null) {
      this.#set(key, path);
      return true;
    }
    const further = this.#further.get(key) ?? new Set();
    this.#further.set(key, further);
    const isNew = !further.has(path);
    further.add(path);
    return isNew;
  }

  #leave(path: string): void {
    const key = this.#keyOf(path);
    if (this.owner(key) !== path) {
      this.#leaveFurther(key, path);
      return;
    }
    this.#spellings.remove(this.#spellings.find(path));
    this.#keys.remove(this.#keys.find(key));
    const [next] = this.#further.get(key) ?? [];
    if (next === undefined) return;
    this.#set(key, next);
    this.#leaveFurther(key, next);
  }

  #leaveFurther(key: string, path: string): void {
    const further = this.#further.get(key);
    further?.delete(path);
    if (further?.size === 0) this.#further.delete(key);
  }

  #set(key: string, path: string): void {
    const row = this.#keys.add(key);
    if (row >= this.#spellingOf.length)
      this.#spellingOf = grown(this.#spellingOf, new Int32Array(Math.ceil((row + 1) * growth)));
    this.#spellingOf[row] = this.#spellings.add(path);
  }
}
