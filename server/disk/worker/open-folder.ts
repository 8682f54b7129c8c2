// State of the open folder: root, tree, ignore rules, pending syncs and unreported changes. A new one per opening. Memory only.

import { IgnoreRules } from '../names/ignore.ts';
import { folds } from '../names/name-rules.ts';
import { composed, withComposedNames } from '../names/unicode-normalization.ts';
import type { FileSystem } from '../port/file-system.ts';
import type { NameRules, OpenFolder, PresentRoot, RootState } from '../port/folder.ts';
import { decomposedNamesUnseen, probeNames } from '../root/name-probe.ts';
import { inspectRoot, isSameRoot } from '../root/root.ts';
import { LocalTree } from '../tree/local-tree.ts';
import { UnreportedChanges } from '../tree/unreported-changes.ts';
import { PendingSyncs } from '../write/recovery.ts';

export class OpenedFolder {
  readonly root: OpenedRoot;
  readonly tree: LocalTree;
  readonly ignore = new IgnoreRules();
  readonly unreportedChanges = new UnreportedChanges();
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

/** The root that was opened, and the one of the last scan: a plan for one root is never applied to another in its place. */
class OpenedRoot {
  readonly path: string;
  readonly #fs: FileSystem;
  /** null: none was there. Of another in its place nothing is looked at. */
  #opened: PresentRoot | null = null;
  #seen = '';

  constructor(fs: FileSystem, path: string) {
    this.#fs = fs;
    this.path = path;
  }

  /** What is there now is the one, if anything is. */
  open(): RootState {
    const state = this.look();
    if (state.kind === 'present') this.#opened = state;
    return state;
  }

  /** What is planned from here on is planned for what is there now. */
  look(): RootState {
    const state = inspectRoot(this.#fs, this.path);
    this.#seen = identityOf(state);
    return state;
  }

  /** Only looked at: is it there, and no other? */
  isOpened(): boolean {
    const root = inspectRoot(this.#fs, this.path);
    return root.kind === 'present' && this.#opened !== null && isSameRoot(this.#opened, root);
  }

  isOther(root: PresentRoot): boolean {
    return this.#opened !== null && !isSameRoot(this.#opened, root);
  }

  /** Only looked at: until the next `look` what is planned means the one that was seen last. */
  isPlanned(): boolean {
    return identityOf(inspectRoot(this.#fs, this.path)) === this.#seen;
  }

  /** Is it another one than at that look? What stands there now. */
  exchangedSince(before: PresentRoot): { readonly after: RootState; readonly exchanged: boolean } {
    const after = this.look();
    return { after, exchanged: this.#seen !== identityOf(before) };
  }
}

function identityOf(state: RootState): string {
  return state.kind === 'present' ? `${state.device} ${state.inode}` : state.kind;
}
