// What is done in a folder but could not be finished: names that its disk refuses to make durable, and temporary files that could
// not be removed. It is tried again with each scan; what a power cut may take back must not look like the person's doing then.
import { joinPath, parentOf } from '../../core/paths/path.ts';
import { errorCode, type FileSystem } from '../port/file-system.ts';
import type { FolderOperation } from '../port/folder.ts';

export class PendingSyncs {
  readonly #fs: FileSystem;
  readonly #root: string;
  /** Directories that could not be made durable, and what was done in them: nobody may rely on it before they are. */
  readonly #directories = new Set<string>();
  readonly #paths = new Set<string>();
  /** Temporary files that may be left. */
  readonly #temps = new Set<string>();

  constructor(fs: FileSystem, root: string) {
    this.#fs = fs;
    this.#root = root;
  }

  /** Paths that are not agreed on before they are durable. */
  get paths(): ReadonlySet<string> {
    return this.#paths;
  }

  addDirectory(directory: string): void {
    this.#directories.add(directory);
  }

  addOperation(operation: FolderOperation): void {
    this.#paths.add(operation.path);
    if (operation.kind !== 'remove' && operation.asidePath !== null) this.#paths.add(operation.asidePath);
  }

  addTemp(path: string, tempName: string): void {
    this.#temps.add(joinPath(parentOf(path) ?? '/', tempName));
  }

  tryAgain(): void {
    this.#syncAgain();
    this.#removeTemps();
  }

  #syncAgain(): void {
    for (const directory of this.#directories) {
      try {
        fsyncDirectoryIfPresent(this.#fs, this.#root, directory);
        this.#directories.delete(directory);
      } catch {
        // Once more with the next scan.
      }
    }
    if (this.#directories.size === 0) this.#paths.clear();
  }

  #removeTemps(): void {
    for (const path of this.#temps) {
      try {
        if (this.#fs.lstat(this.#root + path)?.kind === 'file') this.#fs.unlink(this.#root + path);
        this.#temps.delete(path);
      } catch {
        // Once more with the next scan; the journal names it, too.
      }
    }
  }
}

/** Makes a directory's names durable; one that is gone has none. */
export function fsyncDirectoryIfPresent(fs: FileSystem, root: string, directory: string): void {
  try {
    fs.syncDirectory(directory === '/' ? root : root + directory);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
  }
}
