// Which files of the workspace stay out of this folder, and why: too large, a name that its disk cannot hold, or one that is
// taken on a disk that folds names (sync-engine rules 15, 20). They stay intact in the workspace. Pure but for what it remembers.
import { foldKey, folds, type NameRules, whyNotHeld } from '../disk/names.ts';
import { fileBytesMax } from './context.ts';
import type { MirrorTrees, WorkspaceFile } from './trees.ts';

export interface Held {
  readonly kind: 'name' | 'too_large' | 'collision';
  readonly cause: string;
}

export class HoldRules {
  readonly #names: NameRules;
  readonly #trees: MirrorTrees;
  /** Fold key -> the path that has it in this folder; made when it is asked for. */
  #byFoldKey: Map<string, string> | null = null;

  constructor(names: NameRules, trees: MirrorTrees) {
    this.#names = names;
    this.#trees = trees;
  }

  /** Paths came or went on either side. */
  forget(): void {
    this.#byFoldKey = null;
  }

  /** null: the folder can hold it. */
  why(path: string, file: WorkspaceFile): Held | null {
    if (file.sizeBytes > fileBytesMax) {
      const cause = `It has ${file.sizeBytes} bytes; files up to ${fileBytesMax} bytes are synced.`;
      return { kind: 'too_large', cause };
    }
    const reason = whyNotHeld(this.#names, path);
    if (reason !== null) return { kind: 'name', cause: reason };
    const other = folds(this.#names) ? this.#foldedOther(path) : null;
    return other === null
      ? null
      : { kind: 'collision', cause: `On this disk its name is the same as that of ${other}.` };
  }

  #foldedOther(path: string): string | null {
    this.#byFoldKey ??= this.#index();
    const first = this.#byFoldKey.get(foldKey(this.#names, path));
    return first === undefined || first === path ? null : first;
  }

  #index(): Map<string, string> {
    const index = new Map<string, string>();
    // Whoever is in the folder keeps the name; of the others the first by name gets it.
    for (const path of [...this.#trees.basePaths(), ...[...this.#trees.candidates()].sort()]) {
      const key = foldKey(this.#names, path);
      if (!index.has(key)) index.set(key, path);
    }
    return index;
  }
}
