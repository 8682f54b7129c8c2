// Finishes what a crash left half done in a folder, as the journal tells (see mirror/journal). Doing it twice does no harm.
import { joinPath, parentOf } from '../../core/paths/path.ts';
import { errorCode, type FileSystem } from '../port/file-system.ts';
import type { FolderOperation, RecoverIntent } from '../port/folder.ts';
import { canUnlinkHardLink } from './removal.ts';

/** For each: did something step aside? Throws what the disk refuses; then nothing may be forgotten. */
export function recoverAll(
  fs: FileSystem,
  root: string,
  intents: readonly RecoverIntent[],
): readonly boolean[] {
  const stepped = intents.map((intent) => recoverOne(fs, root, intent));
  // The journal forgets them next: what was removed here must not come back with a power cut.
  for (const directory of new Set(intents.map(({ path }) => parentOf(path) ?? '/')))
    fsyncDirectoryIfPresent(fs, root, directory);
  return stepped;
}

function recoverOne(fs: FileSystem, root: string, intent: RecoverIntent): boolean {
  if (intent.kind === 'temp') {
    // Ours by its journal row, and complete elsewhere: its bytes came from the workspace.
    const temp = root + joinPath(parentOf(intent.path) ?? '/', intent.tempName);
    if (fs.lstat(temp)?.kind === 'file') fs.unlink(temp);
    return false;
  }
  // A version that was to step aside got its second name but kept the first: finish, so that it has one.
  const [name, aside] = [root + intent.path, root + intent.asidePath];
  if (canUnlinkHardLink(fs, name, aside)) fs.unlink(name);
  return fs.lstat(aside) !== null;
}

/**
 * Changes of a folder that are not durable yet, and temporary files that could not be removed. Both are tried again with each scan:
 * what a power cut may undo must not look like a change of the person.
 */
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
