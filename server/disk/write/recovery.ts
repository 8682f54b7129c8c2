// Finishes changes of a folder that a crash interrupted, from the journal (mirror/actions/journal.ts), and retries failed syncs. Idempotent.
import { joinPath, parentOf } from '../../core/paths/path.ts';
import { errorCode, type FileSystem } from '../port/file-system.ts';
import type { FolderOperation, RecoverIntent } from '../port/folder.ts';
import { canUnlinkHardLink } from './removal.ts';

/** For each intent: whether its conflict copy exists. Throws an error of the disk; then the journal must be kept. */
export function recoverAll(
  fs: FileSystem,
  root: string,
  intents: readonly RecoverIntent[],
): readonly boolean[] {
  const hasCopy = intents.map((intent) => recoverOne(fs, root, intent));
  // Their journal rows end next: a power cut must not restore the removed files.
  for (const directory of new Set(intents.map(({ path }) => parentOf(path) ?? '/')))
    fsyncDirectoryIfPresent(fs, root, directory);
  return hasCopy;
}

function recoverOne(fs: FileSystem, root: string, intent: RecoverIntent): boolean {
  if (intent.kind === 'temp') {
    // A temporary file of Mooring, by its journal row: its bytes are in the workspace.
    const temp = root + joinPath(parentOf(intent.path) ?? '/', intent.tempName);
    if (fs.lstat(temp)?.kind === 'file') fs.unlink(temp);
    return false;
  }
  // The conflict copy got its name, but the first name remained: remove that.
  const [name, copy] = [root + intent.path, root + intent.asidePath];
  if (canUnlinkHardLink(fs, name, copy)) fs.unlink(name);
  return fs.lstat(copy) !== null;
}

/**
 * Changes of a folder that are not durable yet, and temporary files that could not be removed. Both are tried again with each scan:
 * what a power cut may undo must not look like a change of the person.
 */
export class PendingSyncs {
  readonly #fs: FileSystem;
  readonly #root: string;
  /** Directories that could not be synced, and the paths that changed in them. */
  readonly #directories = new Set<string>();
  readonly #paths = new Set<string>();
  /** Temporary files that may remain. */
  readonly #temps = new Set<string>();

  constructor(fs: FileSystem, root: string) {
    this.#fs = fs;
    this.#root = root;
  }

  /** Paths whose base is not updated before they are durable. */
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

  retry(): void {
    this.#syncAgain();
    this.#removeTemps();
  }

  #syncAgain(): void {
    for (const directory of this.#directories) {
      try {
        fsyncDirectoryIfPresent(this.#fs, this.#root, directory);
        this.#directories.delete(directory);
      } catch {
        // Retried with the next scan.
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
        // Retried with the next scan; the journal also names it.
      }
    }
  }
}

/** A directory that no longer exists needs no sync. */
function fsyncDirectoryIfPresent(fs: FileSystem, root: string, directory: string): void {
  try {
    fs.syncDirectory(directory === '/' ? root : root + directory);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
  }
}
