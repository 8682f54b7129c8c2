// Checks immediately before a change of the folder: whether the target is what was planned, and whether its parents are real
// directories (docs/sync-rules.md#7, docs/sync-rules.md#8, docs/sync-rules.md#16). It also collects the directories to sync. One per
// batch, as its results are valid only briefly. It creates directories and changes nothing else.
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
  /** Directories that were checked to be real ones, up to the root. */
  readonly #real = new Set<string>(['/']);
  /** Those with exactly this name: where names fold, another spelling finds the directory too. */
  readonly #exactDirectories = new Set<string>(['/']);
  readonly #toSync = new Set<string>();
  /** null: the disk does not fold names. */
  readonly #exactNames: ExactNames | null;
  /** The root's device, read on demand. null: the root is missing. */
  #device: bigint | null | undefined;

  constructor(fs: FileSystem, tree: LocalTree, root: string, folds = false) {
    this.fs = fs;
    this.tree = tree;
    this.#root = root;
    this.#exactNames = folds ? new ExactNames(fs, root) : null;
  }

  absolute(path: string): string {
    return path === '/' ? this.#root : this.#root + path;
  }

  /** Checks the target right before the change. null: it is as planned. */
  verify(path: string, expected: FolderFile | null): Refused | null {
    const stat = this.fs.lstat(this.absolute(path));
    if (stat?.kind === 'directory') return refusal('directory', 'EISDIR', 'A directory occupies the path.');
    if (expected === null) return stat === null ? null : (this.#otherSpelling(path) ?? targetChanged());
    if (stat?.kind !== 'file') return targetChanged();
    const node = fileNode(expected);
    if (!sameIdentity(node, stat)) return targetChanged();
    if (expected.trusted) return null;
    // Size and times are not sufficient for a recent file: read it.
    const outcome = hashFile(this.fs, this.absolute(path), stat);
    if (outcome.kind !== 'hashed' || outcome.hash !== expected.hash) return targetChanged();
    // The file may have changed during the read.
    const after = this.fs.lstat(this.absolute(path));
    return after?.kind === 'file' && sameIdentity(node, after) ? null : targetChanged();
  }

  /** Creates the directory and its parents. null: they exist. */
  ensureDirectories(directory: string): Refused | null {
    const { fs, tree } = this;
    for (const at of [...ancestorsOf(directory), directory]) {
      if (this.#exactDirectories.has(at) || (this.#exactNames === null && this.#real.has(at))) continue;
      const stat = fs.lstat(this.absolute(at));
      if (stat === null) {
        fs.makeDirectory(this.absolute(at));
        this.#exactNames?.made(at);
        this.#toSync.add(parentOf(at) ?? '/');
        if (tree.get(at) === undefined) tree.set(at, { kind: 'directory' });
      } else if (stat.kind !== 'directory') {
        return refusal('link', 'ENOTDIR', `${at} is a ${stat.kind}, not a directory.`);
      } else if (!this.#isOnItsDisk(stat)) {
        return otherDisk(at);
      } else {
        const other = this.#otherSpelling(at);
        if (other !== null) return other;
      }
      this.#real.add(at);
      this.#exactDirectories.add(at);
    }
    return null;
  }

  /** null: the directory and its parents are real directories. Results are reused within a batch. */
  checkDirectory(directory: string): Refused | null {
    for (const at of [...ancestorsOf(directory), directory]) {
      if (this.#real.has(at)) continue;
      const stat = this.fs.lstat(this.absolute(at));
      if (stat?.kind !== 'directory') return refusal('link', 'ENOTDIR', 'A parent is no longer a directory.');
      if (!this.#isOnItsDisk(stat)) return otherDisk(at);
      this.#real.add(at);
    }
    return null;
  }

  #isOnItsDisk({ device }: FileStat): boolean {
    if (this.#device === undefined) this.#device = this.fs.lstat(this.#root)?.device ?? null;
    return device === this.#device;
  }

  /** null: the entry has exactly this name. */
  #otherSpelling(path: string): Refused | null {
    if (this.#exactNames === null || this.#exactNames.hasExactName(path)) return null;
    return refusal(
      'spelling',
      'EEXIST',
      `This disk treats ${path} as the name of an entry with another spelling.`,
    );
  }

  /** It is checked again. */
  forget(directory: string): void {
    this.#real.delete(directory);
    this.#exactDirectories.delete(directory);
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

  /** Syncs all directories with changed names. Returns those that failed. */
  syncDirectories(): ReadonlyMap<string, Refused> {
    const failed = new Map<string, Refused>();
    for (const directory of this.#toSync) {
      try {
        this.fs.syncDirectory(this.absolute(directory));
      } catch (error) {
        // Removed meanwhile: there is nothing to sync.
        if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') continue;
        failed.set(
          directory,
          refusal('failed', errorCode(error), 'The directory could not be synced to disk.'),
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
    `Another disk is mounted at ${directory}. A mirror syncs one disk only.`,
  );
}
