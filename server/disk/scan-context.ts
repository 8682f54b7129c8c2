// What a scan stands on, and what its parts share of it.
import { joinPath } from '../core/path.ts';
import type { DiskTime, FileSystem } from './file-system.ts';
import { type IgnoreRules, ignoreFileBytesMax, ignoreFileName } from './ignore.ts';
import type { LocalTree } from './local-tree.ts';
import { readWhole } from './read-file.ts';
import type { NameHint, SettleTable } from './settle.ts';

export type Hints = ReadonlyMap<string, ReadonlyMap<string, NameHint>>;

export interface ScanContext {
  readonly fs: FileSystem;
  readonly time: DiskTime;
  readonly root: string;
  readonly tree: LocalTree;
  readonly ignore: IgnoreRules;
  readonly settle: SettleTable;
  readonly fileBytesMax: number;
  /** Directories that were new a moment ago: what came into them before their watch was set, no hint tells of. */
  readonly youngDirectories: readonly string[];
}

/** The rules that stand in a directory; undefined: they cannot be read right now. */
export function readRules({ fs, root }: ScanContext, directory: string): string | undefined {
  const path = root + joinPath(directory, ignoreFileName);
  const stat = fs.lstat(path);
  if (stat?.kind !== 'file' || stat.sizeBytes > ignoreFileBytesMax) return undefined;
  const outcome = readWhole(fs, path, null);
  return outcome.kind === 'read' ? new TextDecoder().decode(outcome.bytes) : undefined;
}
