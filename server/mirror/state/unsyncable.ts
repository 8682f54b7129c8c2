// Finds files of the workspace that cannot be synced to this folder: too large, a name that the disk does not support, or one that
// is taken on a disk that folds names (docs/sync-rules.md#15, docs/sync-rules.md#20). They stay intact in the workspace. No I/O.
import { ancestorsOf, comparePaths, joinPath, nameOf, parentOf } from '../../core/paths/path.ts';
import { allSteps, sortInSteps } from '../../core/paths/steps.ts';
import {
  foldKey,
  folds,
  type NameSuggestion,
  numberedName,
  suggestedName,
  unsupportedNameReason,
} from '../../disk/names/name-rules.ts';
import type { NameRules } from '../../disk/port/folder.ts';
import type { Clock } from '../../platform/clock.ts';
import { stepsInSlices } from '../../platform/event-loop.ts';
import { NameOwners } from './name-owners.ts';
import type { MirrorTrees, WorkspaceFile } from './trees.ts';

export interface UnsyncableFile {
  readonly kind: 'name' | 'too_large' | 'collision';
  readonly cause: string;
  /** A name to use instead; null: renaming one name is not enough. */
  readonly proposal: NameSuggestion | null;
}

const none: ReadonlyMap<string, string> = new Map();

export class UnsyncableRules {
  readonly #names: NameRules;
  readonly #trees: MirrorTrees;
  readonly #fileBytesMax: number;
  readonly #isRefused: (path: string) => boolean;
  /** Whose the names in the folder are; null: not asked for yet, as on a disk that does not fold names. */
  #here: NameOwners | null = null;
  /** The same while the folder is listed for it. */
  #listed: NameOwners | null = null;
  #listing: Promise<void> | null = null;
  /** Fold key -> the file or directory of the workspace that is to have it in the folder, where nothing has it yet. */
  #coming: ReadonlyMap<string, string> | null = null;
  #isStale = true;
  #decisions = 0;

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
    if (!folds(names)) return;
    trees.onPresence = (path, isThere) => {
      for (const owners of [this.#here, this.#listed]) isThere ? owners?.add(path) : owners?.remove(path);
    };
  }

  /** Paths were added or removed on either side. */
  forget(): void {
    this.#isStale = true;
  }

  /** Decides which files get which names now. Before a plan, and before many paths are asked about. */
  async prepare(clock: Pick<Clock, 'monotonicMs'>): Promise<void> {
    if (!folds(this.#names) || !this.#isStale) return;
    this.#isStale = false;
    if (this.#here === null) {
      this.#listing ??= stepsInSlices(this.#findHere(), clock);
      await this.#listing;
    }
    await stepsInSlices(this.#findComing(), clock);
  }

  /** null: it can be synced. By the names that were decided last. */
  reason(path: string, file: WorkspaceFile): UnsyncableFile | null {
    const reason = this.#ofItself(path, file);
    if (reason !== null || !folds(this.#names)) return reason;
    // Nothing is to be downloaded: changes of the folder are still uploaded.
    if (this.#trees.baseAt(path)?.hash === file.hash) return null;
    if (this.#here === null) allSteps(this.#findHere());
    if (this.#coming === null) allSteps(this.#findComing());
    const other = this.#otherSpelling(path, this.#coming ?? none);
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
    coming: ReadonlyMap<string, string>,
  ): { readonly mine: string; readonly owner: string } | null {
    for (const mine of [...ancestorsOf(path), path]) {
      const owner = this.#owner(foldKey(this.#names, mine), coming);
      if (owner !== null && owner !== mine) return { mine, owner };
    }
    return null;
  }

  #owner(key: string, coming: ReadonlyMap<string, string> | null): string | null {
    return this.#here?.owner(key) ?? coming?.get(key) ?? null;
  }

  #freeName(path: string): NameSuggestion {
    const from = nameOf(path);
    for (let number = 2; ; number += 1) {
      const to = numberedName(from, number);
      const key = foldKey(this.#names, joinPath(parentOf(path) ?? '/', to));
      if (this.#owner(key, this.#coming) === null) return { from, to };
    }
  }

  /** Files in the folder keep their names. */
  *#findHere(): Generator<void, void> {
    const trees = this.#trees;
    const here = new NameOwners({
      keyOf: (path) => foldKey(this.#names, path),
      isHere: (path) => trees.localHolds(path) || this.#isThere(path),
    });
    // What comes and goes meanwhile is noted, too.
    this.#listed = here;
    for (const path of this.#known()) {
      yield;
      if (this.#isThere(path)) here.add(path);
    }
    this.#here ??= here;
    this.#listed = null;
  }

  *#known(): IterableIterator<string> {
    yield* this.#trees.basePaths();
    yield* this.#trees.differingPaths();
  }

  /** Of the others the first by name gets it. */
  *#findComing(): Generator<void, void> {
    const trees = this.#trees;
    this.#decisions += 1;
    const decision = this.#decisions;
    const paths: string[] = [];
    for (const path of trees.differingPaths()) {
      yield;
      if (trees.isInWorkspace(path) && !this.#isThere(path)) paths.push(path);
    }
    const coming = new Map<string, string>();
    const enter = (path: string) => {
      const key = foldKey(this.#names, path);
      if (this.#owner(key, coming) === null) coming.set(key, path);
    };
    for (const path of yield* sortInSteps(paths, comparePaths)) {
      yield;
      const file = trees.workspaceAt(path);
      if (file === null || this.#ofItself(path, file) !== null || this.#isRefused(path)) continue;
      if (this.#otherSpelling(path, coming) !== null) continue;
      for (const ancestor of ancestorsOf(path)) if (ancestor !== '/') enter(ancestor);
      enter(path);
    }
    // A later one knows more.
    if (this.#decisions === decision) this.#coming = coming;
  }

  /** A bare directory may be gone, which scans do not report; where it still exists, the write is refused. */
  #isThere(path: string): boolean {
    return (this.#trees.localAt(path)?.kind ?? 'directory') !== 'directory';
  }
}
