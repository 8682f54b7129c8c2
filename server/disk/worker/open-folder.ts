// State of the open folder: root, tree, ignore rules, pending syncs and unreported changes. A new one per opening. Memory only.

import { IgnoreRules } from '../names/ignore.ts';
import { folds } from '../names/name-rules.ts';
import { composed, withComposedNames } from '../names/unicode-normalization.ts';
import type { FileSystem } from '../port/file-system.ts';
import type { FolderChanges, NameRules, OpenFolder, PresentRoot, RootState } from '../port/folder.ts';
import { decomposedNamesUnseen, probeNames } from '../root/name-probe.ts';
import { inspectRoot, isSameRoot } from '../root/root.ts';
import { ChangeList } from '../tree/change-list.ts';
import { folderFile, LocalTree } from '../tree/local-tree.ts';
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

  /** The path for a name that the system reports in its own Unicode form. */
  toldAs(path: string): string {
    return this.#decomposes ? composed(path) : path;
  }

  /** Two spellings of a name are one on its disk. */
  get folds(): boolean {
    return this.#folds;
  }

  /** Inspects the root, and which names its disk can hold. */
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
  /** null: none was there. Another root in its place is not read. */
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

  /** Is the opened root there? Changes no state. */
  isOpened(): boolean {
    const root = inspectRoot(this.#fs, this.path);
    return root.kind === 'present' && this.#opened !== null && isSameRoot(this.#opened, root);
  }

  isOther(root: PresentRoot): boolean {
    return this.#opened !== null && !isSameRoot(this.#opened, root);
  }

  /** Is the root the one last seen? Plans refer to that one until the next `look`. Changes no state. */
  isPlanned(): boolean {
    return identityOf(inspectRoot(this.#fs, this.path)) === this.#seen;
  }

  /** Was the root exchanged since that look? `after`: the root now. */
  exchangedSince(before: PresentRoot): { readonly after: RootState; readonly exchanged: boolean } {
    const after = this.look();
    return { after, exchanged: this.#seen !== identityOf(before) };
  }
}

function identityOf(state: RootState): string {
  return state.kind === 'present' ? `${state.device} ${state.inode}` : state.kind;
}

interface ScanDelta {
  readonly changes: FolderChanges;
  readonly ignoreChanged: boolean;
}

/**
 * Changes that are in the tree but were not delivered to the mirror: the root was replaced or unreadable during a scan, an
 * operation failed after its change, or its target was unknown here. The next scan alone would not report them.
 */
class UnreportedChanges {
  #changes = new ChangeList();
  #ignoreChanged = false;

  /** All that there is to tell, with what was found now; nothing is kept any more. */
  drainWith(found: ScanDelta): ScanDelta {
    if (this.#changes.length === 0 && !this.#ignoreChanged) return found;
    this.keep(found);
    const all = { changes: this.#changes, ignoreChanged: this.#ignoreChanged };
    this.#changes = new ChangeList();
    this.#ignoreChanged = false;
    return all;
  }

  keep({ changes, ignoreChanged }: ScanDelta): void {
    this.#changes.addAll(changes);
    this.#ignoreChanged ||= ignoreChanged;
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
