// The shared context of one scan.
import { joinPath } from '../../core/paths/path.ts';
import { ExactNames } from '../names/exact-names.ts';
import { type IgnoreRules, ignoreFileBytesMax, ignoreFileName } from '../names/ignore.ts';
import { type DiskTime, errorCode, type FileStat, type FileSystem } from '../port/file-system.ts';
import type { LocalTree } from '../tree/local-tree.ts';
import { readWhole } from '../tree/read-file.ts';
import type { NameHint, StabilityTracker } from './write-stability.ts';

export type Hints = ReadonlyMap<string, ReadonlyMap<string, NameHint>>;

export interface ScanContext {
  readonly fs: FileSystem;
  readonly time: DiskTime;
  readonly root: string;
  /** The root's disk, of which the mirror is. */
  readonly device: bigint;
  readonly tree: LocalTree;
  readonly ignore: IgnoreRules;
  readonly settle: StabilityTracker;
  readonly fileBytesMax: number;
  /** Directories that were new a moment ago: no hint reports what was added to them before their watch was set. */
  readonly youngDirectories: readonly string[];
  /** Names that appeared or disappeared since the last scan: a known directory there may be another one. */
  readonly replaced: ReadonlySet<string>;
  /** Called before a directory is listed that is new, or may be another one. */
  readonly onNewDirectory: (directory: string) => void;
  /** Two spellings of a name are one on this disk. */
  readonly folds: boolean;
}

/** Reads the entry with exactly this name, also on a disk that folds names. A name that cannot be listed counts as exact. */
export function exactLook({ fs, root, folds }: ScanContext): (path: string) => FileStat | null {
  if (!folds) return (path) => fs.lstat(root + path);
  const spelling = new ExactNames(fs, root);
  return (path) => {
    const stat = fs.lstat(root + path);
    return stat === null || isBelieved(spelling, path) ? stat : null;
  };
}

function isBelieved(spelling: ExactNames, path: string): boolean {
  try {
    return spelling.hasExactName(path);
  } catch (error) {
    if (errorCode(error) === 'EUNKNOWN') throw error;
    return true;
  }
}

/** The text of a directory's rules. `unreadable`: they cannot be read right now. */
export function readRules(
  { fs, root }: ScanContext,
  directory: string,
): { readonly text: string } | 'oversize' | 'unreadable' {
  const path = root + joinPath(directory, ignoreFileName);
  const stat = fs.lstat(path);
  if (stat?.kind !== 'file') return 'unreadable';
  if (stat.sizeBytes > ignoreFileBytesMax) return 'oversize';
  const outcome = readWhole(fs, path, ignoreFileBytesMax);
  return outcome.kind === 'read' ? { text: new TextDecoder().decode(outcome.bytes) } : 'unreadable';
}
