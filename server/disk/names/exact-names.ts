// Checks whether a path has exactly this name on a disk that folds names. There `Docs` is found as `docs`, so only a listing is
// reliable (docs/sync-rules.md#15). Results are valid briefly: one instance per scan and per batch.
import { ancestorsOf, nameOf, parentOf } from '../../core/paths/path.ts';
import { errorCode, type FileSystem } from '../port/file-system.ts';

export class ExactNames {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #names = new Map<string, Set<string>>();

  constructor(fs: FileSystem, root: string) {
    this.#fs = fs;
    this.#root = root;
  }

  /** For a path that exists in some spelling. Throws the disk's error when a directory cannot be listed: the answer is unknown. */
  hasExactName(path: string): boolean {
    return [...ancestorsOf(path), path].every((at) => at === '/' || this.#isShown(at));
  }

  /** It was made just now. */
  made(path: string): void {
    this.#names.get(parentOf(path) ?? '/')?.add(nameOf(path));
  }

  #isShown(path: string): boolean {
    return this.#namesIn(parentOf(path) ?? '/').has(nameOf(path));
  }

  #namesIn(directory: string): Set<string> {
    const known = this.#names.get(directory);
    if (known !== undefined) return known;
    const names = this.#list(directory);
    this.#names.set(directory, names);
    return names;
  }

  #list(directory: string): Set<string> {
    try {
      const { names } = this.#fs.list(directory === '/' ? this.#root : this.#root + directory);
      return new Set(names);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return new Set();
      throw error;
    }
  }
}
