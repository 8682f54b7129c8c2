// Changes that are in the tree but were not delivered to the mirror: the root was replaced or unreadable during a scan, an
// operation failed after its change, or its target was unknown here. The next scan alone would not report them.
import type { FolderChange } from '../port/folder.ts';
import { folderFile, type LocalTree } from './local-tree.ts';

export interface ScanDelta {
  readonly changes: readonly FolderChange[];
  readonly ignoreChanged: boolean;
}

const nothing: ScanDelta = { changes: [], ignoreChanged: false };

export class UnreportedChanges {
  #kept: ScanDelta = nothing;

  /** All that there is to tell, with what was found now; nothing is kept any more. */
  drainWith(found: ScanDelta): ScanDelta {
    const { changes, ignoreChanged } = this.#kept;
    this.#kept = nothing;
    return {
      changes: [...changes, ...found.changes],
      ignoreChanged: ignoreChanged || found.ignoreChanged,
    };
  }

  keep(found: ScanDelta): void {
    this.#kept = this.drainWith(found);
  }

  /** It was refused: whatever is known at the paths that it was about, if it is not what it said. undefined: it said nothing. */
  recordRefused(tree: LocalTree, expected: string | null | undefined, paths: readonly string[]): void {
    for (const path of paths) {
      const node = tree.get(path);
      if (node?.kind === 'blocked') continue;
      const entry = node?.kind === 'file' ? folderFile(node) : null;
      if ((entry?.hash ?? null) !== expected) this.keep({ changes: [{ path, entry }], ignoreChanged: false });
    }
  }
}
