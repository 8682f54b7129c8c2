// Opens the directories of one root, each by its name in the one above and never through a link. On Linux names are resolved
// through the open directory (`/proc/self/fd/N/name`, as openat(2) does), so a call works in the checked directory. Where that is
// not available (macOS, Windows, no /proc) directories are compared by device and inode before and after each call. It reads no
// file.
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, statSync } from 'node:fs';
import { ancestorsOf, depthOf, nameOf, parentOf } from '../../core/paths/path.ts';
import { errorCode } from './file-system.ts';

/** How many directories stay open between two calls; a path that is deeper than this has all of its own open. */
const openDirectoriesMax = 64;

/** open(2); Node has no name for it. Such a handle takes no permission to read the directory, and nothing can be read from it. */
const pathOnly = 0o10000000;

interface OpenDirectory {
  /** null: known by its identity only. */
  readonly handle: number | null;
  /** Under which the system finds its names. */
  readonly prefix: string;
  readonly device: bigint;
  readonly inode: bigint;
  /** null: the root. */
  readonly parent: OpenDirectory | null;
  /** Under which it is found from its parent. */
  readonly found: string;
  verifiedMs: number;
}

export interface DirectoryIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** A handle to a named file; stays valid when the name is moved or removed. */
export interface HeldName {
  /** Leads to it and nowhere else. */
  readonly path: string;
  readonly isSocket: boolean;
  close(): void;
}

/** Directories are paths of the wire, below the root. */
export class DirectoryHandles {
  readonly #root: string;
  readonly #byHandle: boolean;
  /** Each was used later than all that are above it, so that the first is never needed by another. */
  readonly #open = new Map<string, OpenDirectory>();
  /** Of the root, from its first use until all is closed: another in its place is not entered. */
  #pinned: DirectoryIdentity | null = null;
  #lastUsed: string | null = null;
  #neededTogether = 0;

  constructor(root: string, byHandle: boolean = canUseHandles()) {
    this.#root = root;
    this.#byHandle = byHandle;
  }

  /** Calls work in the very directory that was opened, and cannot be led elsewhere. */
  get byHandle(): boolean {
    return this.#byHandle;
  }

  /**
   * What to put before `/name`. It and its parents were at their paths within the last `freshMs`. Fails with ENOENT, with
   * ENOTDIR when a parent is a link or a file, with ESTALE when the root is another one than before.
   */
  at(directory: string, freshMs: number): string {
    const known = this.#nearest(directory);
    const isKnown =
      known !== undefined && (performance.now() - known.verifiedMs < freshMs || this.#isInPlace(known));
    // A directory of the path was exchanged: the path is opened again.
    if (!isKnown) this.#closeAll();
    const opened = this.#walk(directory);
    this.#use(directory);
    return opened.prefix;
  }

  /** `at` of both. */
  atBoth(left: string, right: string, freshMs: number): readonly [left: string, right: string] {
    this.#neededTogether = depthOf(left) + depthOf(right) + 2;
    try {
      this.at(left, freshMs);
      const rightPrefix = this.at(right, freshMs);
      // What was found of the first may have been closed for the second.
      return [this.at(left, Number.POSITIVE_INFINITY), rightPrefix];
    } finally {
      this.#neededTogether = 0;
    }
  }

  /** Fails with ESTALE unless the directory that `at` found, and all above it, are at their paths still. */
  verify(directory: string): void {
    const known = this.#open.get(directory);
    if (known === undefined || !this.#isInPlace(known)) throw stale(this.#root, directory);
  }

  /** For systems that have handles: what is at a name now; a link itself, not what it leads to. */
  hold(directory: string, name: string): HeldName {
    const handle = openSync(`${this.at(directory, 0)}/${name}`, pathOnly | constants.O_NOFOLLOW);
    return {
      path: `${handlesPath}/${handle}`,
      isSocket: fstatSync(handle).isSocket(),
      close: () => closeSync(handle),
    };
  }

  /** Of the opened root. Fails like `at`. */
  rootIdentity(): DirectoryIdentity {
    this.at('/', 0);
    return this.#open.get('/') as OpenDirectory;
  }

  /** Nothing stays open; the next use may be of another root. */
  close(): void {
    this.#closeAll();
    this.#pinned = null;
  }

  /** Itself, or the lowest above it that is open. */
  #nearest(directory: string): OpenDirectory | undefined {
    for (let at: string | null = directory; at !== null; at = parentOf(at)) {
      const opened = this.#open.get(at);
      if (opened !== undefined) return opened;
    }
    return undefined;
  }

  #walk(directory: string): OpenDirectory {
    const ready = this.#open.get(directory);
    if (ready !== undefined) return ready;
    const parent = parentOf(directory);
    const above = parent === null ? null : this.#walk(parent);
    const opened = this.#enter(above, directory);
    if (above === null) this.#pin(opened);
    this.#open.set(directory, opened);
    return opened;
  }

  #enter(parent: OpenDirectory | null, directory: string): OpenDirectory {
    const name = nameOf(directory);
    if (parent !== null && !isName(name)) throw notDirectory(directory);
    const found = parent === null ? this.#root : `${parent.prefix}/${name}`;
    const verifiedMs = parent?.verifiedMs ?? performance.now();
    if (!this.#byHandle) {
      const stats = lstatSync(found, { bigint: true });
      if (!stats.isDirectory()) throw notDirectory(found);
      return { handle: null, prefix: found, device: stats.dev, inode: stats.ino, parent, found, verifiedMs };
    }
    const handle = openDirectory(found);
    const stats = fstatSync(handle, { bigint: true });
    const prefix = `${handlesPath}/${handle}`;
    return { handle, prefix, device: stats.dev, inode: stats.ino, parent, found, verifiedMs };
  }

  #pin(root: OpenDirectory): void {
    this.#pinned ??= { device: root.device, inode: root.inode };
    if (this.#pinned.device === root.device && this.#pinned.inode === root.inode) return;
    if (root.handle !== null) closeSync(root.handle);
    throw stale(this.#root, '/');
  }

  #isInPlace(directory: OpenDirectory): boolean {
    const nowMs = performance.now();
    const chain: OpenDirectory[] = [];
    for (let at: OpenDirectory | null = directory; at !== null; at = at.parent) {
      if (!isAt(at)) return false;
      chain.push(at);
    }
    for (const at of chain) at.verifiedMs = nowMs;
    return true;
  }

  #use(directory: string): void {
    if (directory === this.#lastUsed) return;
    this.#lastUsed = directory;
    const path = directory === '/' ? ['/'] : [...ancestorsOf(directory), directory];
    for (const at of path.toReversed()) {
      const opened = this.#open.get(at);
      if (opened === undefined) continue;
      this.#open.delete(at);
      this.#open.set(at, opened);
    }
    const kept = Math.max(openDirectoriesMax, path.length, this.#neededTogether);
    for (const [oldest, opened] of this.#open) {
      if (this.#open.size <= kept) return;
      this.#open.delete(oldest);
      closeDirectory(opened);
    }
  }

  #closeAll(): void {
    for (const opened of this.#open.values()) closeDirectory(opened);
    this.#open.clear();
    this.#lastUsed = null;
  }
}

/** A name in a directory, and no way to another one. */
export function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[\0/]/.test(name);
}

function isAt({ found, device, inode }: OpenDirectory): boolean {
  try {
    const stats = lstatSync(found, { bigint: true, throwIfNoEntry: false });
    return stats?.isDirectory() === true && stats.dev === device && stats.ino === inode;
  } catch (error) {
    // A directory of the path was exchanged meanwhile.
    if (['ENOTDIR', 'ELOOP', 'EACCES'].includes(errorCode(error))) return false;
    throw error;
  }
}

function openDirectory(found: string): number {
  try {
    return openSync(found, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (errorCode(error) === 'ELOOP') throw notDirectory(found);
    throw error;
  }
}

function closeDirectory({ handle }: OpenDirectory): void {
  if (handle !== null) closeSync(handle);
}

/** This process's own handles. Its number is found faster than `self`, and is its own only in a /proc of its namespace. */
const handlesPath = `/proc/${process.pid}/fd`;
let handlesWork: boolean | null = null;

/** Asked of the system once: is there a /proc that shows this process its own handles? */
export function canUseHandles(): boolean {
  handlesWork ??= process.platform === 'linux' && areHandlesShown();
  return handlesWork;
}

function areHandlesShown(): boolean {
  try {
    if (readlinkSync('/proc/self') !== String(process.pid)) return false;
    const handle = openSync('/', pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      const [held, shown] = [fstatSync(handle), statSync(`${handlesPath}/${handle}/.`)];
      return held.dev === shown.dev && held.ino === shown.ino;
    } finally {
      closeSync(handle);
    }
  } catch {
    // No /proc, or one of other processes.
    return false;
  }
}

function notDirectory(found: string): Error {
  return Object.assign(new Error(`${found} is not a directory`), { code: 'ENOTDIR' });
}

function stale(root: string, directory: string): Error {
  const text = `${directory} in ${root} is not the directory any more in which the work began`;
  return Object.assign(new Error(text), { code: 'ESTALE' });
}
