// Finds files of the workspace that cannot be synced to this folder: too large, a name that the disk does not support, or one that
// is taken on a disk that folds names (docs/sync-rules.md#15, docs/sync-rules.md#20). They stay intact in the workspace. No I/O.
import { ancestorsOf, comparePaths, joinPath, nameOf, parentOf } from '../../core/paths/path.ts';
import {
  foldKey,
  folds,
  type NameSuggestion,
  numberedName,
  suggestedName,
  unsupportedNameReason,
} from '../../disk/names/name-rules.ts';
import type { NameRules } from '../../disk/port/folder.ts';
import type { MirrorTrees, WorkspaceFile } from './trees.ts';

export interface UnsyncableFile {
  readonly kind: 'name' | 'too_large' | 'collision';
  readonly cause: string;
  /** A name to use instead; null: renaming one name is not enough. */
  readonly proposal: NameSuggestion | null;
}

export class UnsyncableRules {
  readonly #names: NameRules;
  readonly #trees: MirrorTrees;
  readonly #fileBytesMax: number;
  readonly #isRefused: (path: string) => boolean;
  /** Fold key -> the file or directory that has it in this folder; built on demand. */
  #owners: Map<string, string> | null = null;

  /** `isRefused`: the disk reported that the name is another spelling of an entry that scans do not list. */
  constructor(
    names: NameRules,
    trees: MirrorTrees,
    fileBytesMax: number,
    isRefused: (path: string) => boolean,
  ) {
    this.#names = names;
    this.#isRefused = isRefused;
    this.#trees = trees;
    this.#fileBytesMax = fileBytesMax;
  }

  /** Paths were added or removed on either side. */
  forget(): void {
    this.#owners = null;
  }

  /** null: it can be synced. */
  reason(path: string, file: WorkspaceFile): UnsyncableFile | null {
    const reason = this.#ofItself(path, file);
    if (reason !== null || !folds(this.#names)) return reason;
    // Nothing is to be downloaded: changes of the folder are still uploaded.
    if (this.#trees.baseAt(path)?.hash === file.hash) return null;
    this.#owners ??= this.#index();
    const other = this.#otherSpelling(path, this.#owners);
    if (other === null) return null;
    return {
      kind: 'collision',
      cause: `This disk treats ${other.mine} and ${other.owner} as the same name.`,
      proposal: this.#freeName(other.mine),
    };
  }

  #ofItself(path: string, file: WorkspaceFile): UnsyncableFile | null {
    if (file.sizeBytes > this.#fileBytesMax) {
      const cause = `File size ${file.sizeBytes} bytes exceeds the limit of ${this.#fileBytesMax} bytes.`;
      return { kind: 'too_large', cause, proposal: null };
    }
    const reason = unsupportedNameReason(this.#names, path);
    return reason === null
      ? null
      : { kind: 'name', cause: reason, proposal: suggestedName(this.#names, path) };
  }

  /** The entry that has the name of the file, or of a directory above it, in another spelling. */
  #otherSpelling(
    path: string,
    owners: ReadonlyMap<string, string>,
  ): { readonly mine: string; readonly owner: string } | null {
    for (const mine of [...ancestorsOf(path), path]) {
      const owner = owners.get(foldKey(this.#names, mine));
      if (owner !== undefined && owner !== mine) return { mine, owner };
    }
    return null;
  }

  #freeName(path: string): NameSuggestion {
    const from = nameOf(path);
    for (let number = 2; ; number += 1) {
      const to = numberedName(from, number);
      const key = foldKey(this.#names, joinPath(parentOf(path) ?? '/', to));
      if (this.#owners?.has(key) !== true) return { from, to };
    }
  }

  #index(): Map<string, string> {
    const owners = new Map<string, string>();
    const directories = new Set<string>();
    const enter = (path: string) => {
      const key = foldKey(this.#names, path);
      if (!owners.has(key)) owners.set(key, path);
    };
    const own = (path: string) => {
      for (let at = parentOf(path); at !== null && !directories.has(at); at = parentOf(at)) {
        directories.add(at);
        enter(at);
      }
      enter(path);
    };
    const trees = this.#trees;
    const changed = [...trees.candidates()].sort(comparePaths);
    // A bare directory may be gone, which scans do not report; where it still exists, the write is refused.
    const isHere = (path: string) => (trees.localAt(path)?.kind ?? 'directory') !== 'directory';
    // Files in the folder keep their names; of the others the first by name gets it.
    for (const path of trees.basePaths()) if (isHere(path)) own(path);
    for (const path of changed) if (isHere(path)) own(path);
    for (const path of changed) {
      const file = isHere(path) ? null : trees.workspaceAt(path);
      if (file === null || this.#ofItself(path, file) !== null || this.#isRefused(path)) continue;
      if (this.#otherSpelling(path, owners) === null) own(path);
    }
    return owners;
  }
}
