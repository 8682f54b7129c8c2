// Classifies paths that a scan no longer finds: deleted, moved, or not visible. It changes nothing on the disk.

import { joinPath } from '../../core/paths/path.ts';
import type { FolderChange } from '../port/folder.ts';
import { directoryNode } from '../tree/local-tree.ts';
import { exactLook, type ScanContext } from './scan-context.ts';

export interface MissingPaths {
  /** Known paths that a listing did not show. */
  readonly missing: readonly string[];
  /** Inodes that were met under a name that is new for them. */
  readonly arrived: ReadonlySet<bigint>;
}

/** `ignoreChanged`: rules went away with a directory. */
export function classifyMissing(
  context: ScanContext,
  { missing, arrived }: MissingPaths,
): { readonly changes: readonly FolderChange[]; readonly ignoreChanged: boolean } {
  const { ignore, settle, time, tree } = context;
  const look = exactLook(context);
  const changes: FolderChange[] = [];
  let ignoreChanged = false;
  for (const path of missing) {
    let allGone = true;
    for (const leaf of [...tree.leaves(path)]) {
      const node = tree.get(leaf);
      const renamed = node?.kind === 'file' && arrived.has(node.inode);
      if (!renamed && node?.kind !== 'blocked' && !settle.isGoneForGood(leaf, time.monotonicMs())) {
        allGone = false;
        continue;
      }
      // A last check: the file may exist again since the rest was scanned. Then it stays known and is checked anew, even if
      // the check below finds it gone again: a path forgotten without a report is never missed.
      if (look(leaf) !== null) {
        settle.restart(leaf, time.monotonicMs());
        allGone = false;
        continue;
      }
      settle.forget(leaf);
      // A link that hid a directory: what was below is missing now, and has its own time to be so.
      if (!tree.hasChildren(leaf)) tree.delete(leaf);
      else tree.set(leaf, directoryNode);
      changes.push({ path: leaf, entry: null });
    }
    if (allGone && look(path) === null) {
      ignoreChanged = ignore.forget(path) || ignoreChanged;
      tree.delete(path);
    }
  }
  return { changes, ignoreChanged };
}

/** A known file is there, so that nothing can be below it: all known paths below are gone. */
export function dropBelow({ settle, tree }: ScanContext, path: string): readonly FolderChange[] {
  const changes: FolderChange[] = [];
  for (const name of tree.names(path)) {
    const child = joinPath(path, name);
    for (const leaf of tree.leaves(child)) {
      settle.forget(leaf);
      changes.push({ path: leaf, entry: null });
    }
    tree.delete(child);
  }
  return changes;
}

/** A file or a link replaced a directory: all paths below it are gone. */
export function replaceDirectory({ settle, tree }: ScanContext, path: string): readonly FolderChange[] {
  const leaves = [...tree.leaves(path)];
  for (const leaf of leaves) settle.forget(leaf);
  tree.delete(path);
  return leaves.map((leaf) => ({ path: leaf, entry: null }));
}
