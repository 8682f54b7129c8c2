// The ground that changes of a folder stand on: is what stands at a path what was planned, are its parents real directories, and
// which directories are to be made durable afterwards (sync-engine rules 7, 8, 16). One for each batch, as what it has looked at
// holds only for a moment. It makes directories and changes nothing else.
import { ancestorsOf, parentOf } from '../../core/paths/path.ts';
import { ExactNames } from '../names/exact-names.ts';
import { errorCode, type FileStat, type FileSystem } from '../port/file-system.ts';
import type { FolderFile } from '../port/folder.ts';
import { fileNode, type LocalTree, sameIdentity } from '../tree/local-tree.ts';
import { hashFile } from '../tree/read-file.ts';
import { type Refused, refusal, targetChanged } from './refusals.ts';

export class WritePreconditions {
  readonly fs: FileSystem;
  readonly tree: LocalTree;
  readonly #root: string;
  /** Directories that are known to be real ones down to the root. */
  readonly #real = new Set<string>(['/']);
  /** Those of them that are spelled so, too: where names fold, a directory of another spelling answers as well. */
  readonly #asWritten = new Set<string>(['/']);
  readonly #toSync = new Set<string>();
  /** null: the disk does not fold names. */
  readonly #spelling: ExactNames | null;
  /** The root's disk; looked at when it is asked for. null: the root is not there. */
  #device: bigint | null | undefined;

  constructor(fs: FileSystem, tree: LocalTree, root: string, folds = false) {
    this.fs = fs;
    this.tree = tree;
    this.#root = root;
    this.#spelling = folds ? new ExactNames(fs, root) : null;
  }

  absolute(path: string): string {
    return path === '/' ? this.#root : this.#root + path;
  }

  /** The last look before an act. null: what stands there is what was planned. */
  verify(path: string, expected: FolderFile | null): Refused | null {
    const stat = this.fs.lstat(this.absolute(path));
    if (stat?.kind === 'directory') return refusal('directory', 'EISDIR', 'A directory is in the way.');
    if (expected === null) return stat === null ? null : (this.#otherSpelling(path) ?? targetChanged());
    if (stat?.kind !== 'file') return targetChanged();
    const node = fileNode(expected);
    if (!sameIdentity(node, stat)) return targetChanged();
    if (expected.trusted) return null;
    // Size and times prove nothing yet: read it.
    const outcome = hashFile(this.fs, this.absolute(path), stat);
    if (outcome.kind !== 'hashed' || outcome.hash !== expected.hash) return targetChanged();
    // Reading took its time: what was read must still be what stands there.
    const after = this.fs.lstat(this.absolute(path));
    return after?.kind === 'file' && sameIdentity(node, after) ? null : targetChanged();
  }

  /** Makes the directory and all above it. null: they are there. */
  ensureDirectories(directory: string): Refused | null {
    const { fs, tree } = this;
    for (const at of [...ancestorsOf(directory), directory]) {
      if (this.#asWritten.has(at) || (this.#spelling === null && this.#real.has(at))) continue;
      const stat = fs.lstat(this.absolute(at));
      if (stat === null) {
        fs.makeDirectory(this.absolute(at));
        this.#spelling?.made(at);
        this.#toSync.add(parentOf(at) ?? '/');
        if (tree.get(at) === undefined) tree.set(at, { kind: 'directory' });
      } else if (stat.kind !== 'directory') {
        return refusal('link', 'ENOTDIR', `${at} is in the way: it is a ${stat.kind}, not a directory.`);
      } else if (!this.#isOnItsDisk(stat)) {
        return otherDisk(at);
      } else {
        const other = this.#otherSpelling(at);
        if (other !== null) return other;
      }
      this.#real.add(at);
      this.#asWritten.add(at);
    }
    return null;
  }

  /** null: the directory and all above it are real ones. What was looked at before in this batch is believed. */
  checkDirectory(directory: string): Refused | null {
    for (const at of [...ancestorsOf(directory), directory]) {
      if (this.#real.has(at)) continue;
      const stat = this.fs.lstat(this.absolute(at));
      if (stat?.kind !== 'directory') return refusal('link', 'ENOTDIR', 'A parent is no directory any more.');
      if (!this.#isOnItsDisk(stat)) return otherDisk(at);
      this.#real.add(at);
    }
    return null;
  }

  #isOnItsDisk({ device }: FileStat): boolean {
    if (this.#device === undefined) this.#device = this.fs.lstat(this.#root)?.device ?? null;
    return device === this.#device;
  }

  /** null: what answers to the path has this very name. */
  #otherSpelling(path: string): Refused | null {
    if (this.#spelling === null || this.#spelling.hasExactName(path)) return null;
    return refusal(
      'spelling',
      'EEXIST',
      `On this disk ${path} is a name of something that is spelled otherwise.`,
    );
  }

  /** The next look at it is a new one. */
  forget(directory: string): void {
    this.#real.delete(directory);
    this.#asWritten.delete(directory);
  }

  /** A name in this directory was changed. */
  touched(directory: string): void {
    this.#toSync.add(directory);
  }

  removed(directory: string): void {
    this.#toSync.delete(directory);
    this.forget(directory);
    this.#toSync.add(parentOf(directory) ?? '/');
  }

  /** Makes all names that were changed durable. Returns the directories that refused. */
  syncDirectories(): ReadonlyMap<string, Refused> {
    const failed = new Map<string, Refused>();
    for (const directory of this.#toSync) {
      try {
        this.fs.syncDirectory(this.absolute(directory));
      } catch (error) {
        // Removed meanwhile by somebody else: there is nothing left to make durable.
        if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') continue;
        failed.set(
          directory,
          refusal('failed', errorCode(error), 'The directory could not be made durable.'),
        );
      }
    }
    return failed;
  }
}

function otherDisk(directory: string): Refused {
  return refusal(
    'other_disk',
    'EXDEV',
    `Another disk is mounted at ${directory}; a mirror stays on its own.`,
  );
}
