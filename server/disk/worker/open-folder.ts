// What the disk's side knows of the folder that is open: its root, what was seen there, and what is not finished or not told yet.
// Another one with each opening. Memory only.

import { IgnoreRules } from '../names/ignore.ts';
import { folds } from '../names/name-rules.ts';
import { composed, withComposedNames } from '../names/unicode-normalization.ts';
import type { FileSystem } from '../port/file-system.ts';
import type { NameRules, OpenFolder, RootState } from '../port/folder.ts';
import { decomposedNamesUnseen, probeNames } from '../root/root.ts';
import { LocalTree } from '../tree/local-tree.ts';
import { UnreportedChanges } from '../tree/unreported-changes.ts';
import { PendingSyncs } from '../write/pending-syncs.ts';
import { OpenedRoot } from './open-root.ts';

export class OpenedFolder {
  readonly root: OpenedRoot;
  readonly tree: LocalTree;
  readonly ignore = new IgnoreRules();
  readonly untold = new UnreportedChanges();
  /** What is open in the journal is made durable by its replay. */
  readonly unfinished: PendingSyncs;
  readonly fileBytesMax: number;
  /** The disk, with names as a workspace has them. */
  #fs: FileSystem;
  #folds = false;
  #decomposes = false;

  constructor(fs: FileSystem, { root, known, fileBytesMax }: OpenFolder) {
    this.#fs = fs;
    this.root = new OpenedRoot(fs, root);
    this.tree = LocalTree.from(known);
    this.unfinished = new PendingSyncs(fs, root);
    this.fileBytesMax = fileBytesMax;
  }

  get fs(): FileSystem {
    return this.#fs;
  }

  /** The path of what the system tells of under its own form of the name. */
  toldAs(path: string): string {
    return this.#decomposes ? composed(path) : path;
  }

  /** Two spellings of a name are one on its disk. */
  get folds(): boolean {
    return this.#folds;
  }

  /** Looks at the root, and asks its disk what names it can hold. */
  open(isWindows: boolean): { readonly root: RootState; readonly names: NameRules } {
    const root = this.root.open();
    const names =
      root.kind === 'present'
        ? probeNames(this.#fs, this.root.path, isWindows)
        : decomposedNamesUnseen(isWindows);
    this.#folds = folds(names);
    if (names.decomposes && !this.#decomposes) this.#fs = withComposedNames(this.#fs);
    this.#decomposes ||= names.decomposes;
    return { root, names };
  }
}
