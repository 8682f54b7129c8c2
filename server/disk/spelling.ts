// Whether a disk that folds names shows a path as it is written. There `Docs` answers when it is asked for `docs`, so that a look at
// one name proves nothing; only a listing does (sync-engine rule 15). Holds for a moment: one for each scan's end and each batch.
import { ancestorsOf, nameOf, parentOf } from '../core/path.ts';
import { errorCode, type FileSystem } from './file-system.ts';

export class Spelling {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #form: (name: string) => string;
  /** Names by directory; null: it could not be listed. */
  readonly #names = new Map<string, Set<string> | null>();

  /** `form`: names of which this is the same are spelled alike. */
  constructor(fs: FileSystem, root: string, form: (name: string) => string = (name) => name) {
    this.#fs = fs;
    this.#root = root;
    this.#form = form;
  }

  /** Of a path at which something answers. What cannot be listed is believed. */
  isAsWritten(path: string): boolean {
    return [...ancestorsOf(path), path].every((at) => at === '/' || this.#isShown(at));
  }

  /** It was made just now. */
  made(path: string): void {
    this.#names.get(parentOf(path) ?? '/')?.add(this.#form(nameOf(path)));
  }

  #isShown(path: string): boolean {
    const names = this.#namesIn(parentOf(path) ?? '/');
    return names === null || names.has(this.#form(nameOf(path)));
  }

  #namesIn(directory: string): Set<string> | null {
    const known = this.#names.get(directory);
    if (known !== undefined) return known;
    const names = this.#list(directory);
    this.#names.set(directory, names);
    return names;
  }

  #list(directory: string): Set<string> | null {
    try {
      const { names } = this.#fs.list(directory === '/' ? this.#root : this.#root + directory);
      return new Set(names.map(this.#form));
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EUNKNOWN') throw error;
      return code === 'ENOENT' || code === 'ENOTDIR' ? new Set() : null;
    }
  }
}
