// Compares the three trees of a mirror as Merkle trees, each from its own source and not from the memory of the cycles: the stored
// base, a new listing of the folder, and the store's listing of the workspace. It changes nothing, and reports when a side changed
// meanwhile.

import { ancestorsOf, comparePaths, joinPath, nameOf, parentOf } from '../../core/paths/path.ts';
import {
  differingDirectories,
  type MerkleTree,
  merkleTree,
  OwnFilesCollector,
} from '../../core/sync/merkle.ts';
import type { FolderProof } from '../../disk/port/folder.ts';
import { sha256Hex } from '../../platform/crypto/hashes.ts';
import type { ProofRow } from '../../store/port/store.ts';
import type { SyncSession } from '../cycle/session.ts';
import type { SyncContext } from '../state/context.ts';
import { inSlices } from '../state/slices.ts';

const pageRows = 500;
/** Directories whose files are compared one by one. */
const directoriesMax = 200;
/** Sorts behind every name that can stand below a directory. */
const lastName = '\u{10ffff}';

/** What a file's content is by each of the three; null: it has none there. */
export interface Difference {
  readonly path: string;
  readonly base: string | null;
  readonly folder: string | null;
  readonly workspace: string | null;
}

export type Proved = Omit<ProofRow, 'atMs'>;

export type ComparisonResult =
  | { readonly kind: 'equal'; readonly proved: Proved }
  | { readonly kind: 'differs'; readonly directories: readonly string[] }
  /** A file moved or could not be read: nothing follows. */
  | { readonly kind: 'moved' };

export type Unreadable = FolderProof['unreadable'];

export interface ComparisonOptions {
  readonly rehash: boolean;
  /** How long to rest after so much work, in milliseconds. */
  readonly restMs: (workMs: number) => number;
  readonly signal: AbortSignal;
  /** Called with what the disk does not show though it is not listed as such. */
  readonly unreadable: (paths: Unreadable) => void;
  /** Called after work was done, in any thread. */
  readonly worked: (ms: number) => void;
}

type Hashed = { readonly path: string; readonly hash: string; readonly sizeBytes: number };
type Pages = (afterPath: string) => Promise<readonly Hashed[]>;

export class TreeComparison {
  readonly #session: SyncSession;
  readonly #context: SyncContext;
  readonly #options: ComparisonOptions;
  readonly #moves: number;
  readonly #listed: ReadonlySet<string>;
  /** The listed ones, and what is ignored. */
  readonly #leftOut: Set<string>;

  private constructor(
    session: SyncSession,
    options: ComparisonOptions,
    moves: number,
    listed: ReadonlySet<string>,
  ) {
    this.#session = session;
    this.#context = session.context;
    this.#options = options;
    this.#moves = moves;
    this.#listed = listed;
    this.#leftOut = new Set(listed);
  }

  static async begin(session: SyncSession, options: ComparisonOptions): Promise<TreeComparison> {
    const { moves } = session;
    return new TreeComparison(session, options, moves, await excludedPaths(session));
  }

  async look(): Promise<ComparisonResult> {
    const folder = await this.#folder(null);
    if (folder === null) return { kind: 'moved' };
    const first = merkleTree(folder.ownFiles, sha256Hex);
    // One that is equal to the first needs no memory of its own.
    const trees = [first];
    for (const pages of [this.#base, this.#workspace]) {
      const tree = await this.#tree(pages);
      if (tree === null) return { kind: 'moved' };
      if (tree.root !== first.root) trees.push(tree);
    }
    const directories = differingDirectories(trees, directoriesMax);
    if (directories.length > 0) return { kind: 'differs', directories };
    const { hashedFiles, hashedBytes } = folder;
    const { root, files, bytes } = first;
    const leftOut = this.#leftOut.size;
    return { kind: 'equal', proved: { root, files, bytes, leftOut, hashedFiles, hashedBytes } };
  }

  /** The files directly in these that are not the same by all three, in order; null: a file moved. */
  async compare(directories: readonly string[]): Promise<readonly Difference[] | null> {
    const folder = await this.#folder(directories);
    if (folder === null) return null;
    const found = new Map<string, Difference>();
    const note = (path: string, side: 'base' | 'folder' | 'workspace', hash: string) => {
      const known = found.get(path) ?? { path, base: null, folder: null, workspace: null };
      found.set(path, { ...known, [side]: hash });
    };
    for (const { path, hash } of folder.files) note(path, 'folder', hash);
    for (const directory of directories) {
      for (const [side, pages] of [
        ['base', this.#base],
        ['workspace', this.#workspace],
      ] as const) {
        for (const { path, hash } of await this.#filesIn(directory, pages)) note(path, side, hash);
        if (this.#hasMoved()) return null;
      }
    }
    return [...found.values()]
      .filter(({ base, folder: here, workspace }) => base !== here || base !== workspace)
      .sort((left, right) => comparePaths(left.path, right.path));
  }

  async #folder(directories: readonly string[] | null): Promise<FolderProof | null> {
    const request = { leftOut: [...this.#listed], rehash: this.#options.rehash, directories };
    let slice = await this.#context.folder.prove(request);
    while (slice.proof === null) {
      await this.#rest(slice.tookMs);
      if (this.#hasMoved()) return null;
      slice = await this.#context.folder.prove(null);
    }
    await this.#rest(slice.tookMs);
    const { isMoving, unreadable } = slice.proof;
    this.#options.unreadable(unreadable);
    return isMoving || unreadable.length > 0 || this.#hasMoved() ? null : slice.proof;
  }

  async #tree(pages: Pages): Promise<MerkleTree | null> {
    const own = new OwnFilesCollector(sha256Hex);
    for (let after = ''; ; ) {
      const beganMs = this.#context.clock.monotonicMs();
      const page = await pages(after);
      await this.#session.folderState.decide(page.map(({ path }) => path));
      for (const { path, hash, sizeBytes } of page) {
        if (!this.#isLeftOut(path)) own.add(path, hash, sizeBytes);
      }
      await this.#rest(this.#context.clock.monotonicMs() - beganMs);
      if (this.#hasMoved()) return null;
      const last = page.at(-1);
      if (last === undefined) return merkleTree(own.finish(), sha256Hex);
      after = last.path;
    }
  }

  /** Without what is in the directories below, which are jumped over. */
  async #filesIn(directory: string, pages: Pages): Promise<readonly Hashed[]> {
    const files: Hashed[] = [];
    const prefix = joinPath(directory, '');
    for (let after = prefix; ; ) {
      const page = (await pages(after)).filter(({ path }) => path.startsWith(prefix));
      const last = page.at(-1);
      if (last === undefined || this.#hasMoved()) return files;
      for (const file of page) {
        if (parentOf(file.path) === directory && !this.#isLeftOut(file.path)) files.push(file);
      }
      const below = last.path.slice(prefix.length).split('/');
      after = below.length > 1 ? `${prefix}${below[0]}/${lastName}` : last.path;
    }
  }

  readonly #base: Pages = (after) =>
    this.#context.store.mirrors.listBase(this.#context.mirrorId, after, pageRows);

  readonly #workspace: Pages = (after) =>
    this.#context.workspaces.listFiles(this.#context.workspaceId, '/', after === '' ? null : after, pageRows);

  #isLeftOut(path: string): boolean {
    if (this.#session.folderState.ignores(path)) {
      this.#leftOut.add(path);
      return true;
    }
    if (this.#listed.size === 0) return false;
    return this.#listed.has(path) || ancestorsOf(path).some((ancestor) => this.#listed.has(ancestor));
  }

  #hasMoved(): boolean {
    return this.#options.signal.aborted || this.#session.moves !== this.#moves;
  }

  async #rest(workMs: number): Promise<void> {
    this.#options.worked(workMs);
    await this.#context.clock.delay(this.#options.restMs(workMs), this.#options.signal);
  }
}

/** For people and the log: the content hash on each side and in the base. */
export function describeDifference({ path, base, folder, workspace }: Difference): string {
  const name = nameOf(path);
  const text = (hash: string | null) => (hash === null ? 'missing' : hash.slice(0, 12));
  return `${name}: folder ${text(folder)}, workspace ${text(workspace)}, base ${text(base)}`;
}

/** Paths that differ for a listed reason: conflicts, problems, and files that a side cannot or must not have. */
async function excludedPaths(session: SyncSession): Promise<ReadonlySet<string>> {
  const { trees, folderState, unsyncable, context } = session;
  const paths = new Set<string>();
  for (const { path, copyPath } of session.conflicts) paths.add(path).add(copyPath);
  for (const { path, failure } of session.problems.list()) {
    paths.add(path);
    if (failure.holds !== undefined) paths.add(failure.holds);
  }
  for (const path of folderState.undurable) paths.add(path);
  await unsyncable.prepare(context.clock);
  await inSlices(trees.differingPaths(), context.clock, (path) => {
    const file = trees.workspaceAt(path);
    const isHeld = file !== null && (folderState.ignores(path) || unsyncable.reason(path, file) !== null);
    if (trees.isBlocked(path) || isHeld || session.isLocalOnly(path)) paths.add(path);
  });
  return paths;
}
