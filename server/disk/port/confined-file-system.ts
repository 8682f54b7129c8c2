// The real disk below one root, behind the port of file-system.ts: the only access to a user's folder (test/architecture.test.ts).
// It splits each path: the directory is opened without following links (directory-handles.ts), the call uses the last name in it,
// and its result counts only if the directory is still at its path. A program that replaces a directory with a link cannot
// redirect a call (docs/sync-rules.md#26).
import { DirectoryHandles, isName } from './directory-handles.ts';
import { errorCode, type FileStat, type FileSystem } from './file-system.ts';
import { nodeFileSystem as system } from './node-file-system.ts';

/** For how long a directory counts as found; where it is moved meanwhile, a look is a look at where it was a moment ago. */
const lookMs = 20;
/** The same before a change. Where calls cannot be tied to a directory it is looked for before each. */
const changeMs = 2;
const copyChunkBytes = 1024 * 1024;
/** Until it has its own permissions. */
const newFileMode = 0o600;

/** `byHandle` false: as on systems that have no handles to work in, for tests. */
export function confinedFileSystem(root: string, byHandle?: boolean): FileSystem {
  const calls = new ConfinedCalls(root, byHandle);
  return {
    ...system,
    list: (directory) => calls.inDirectory(directory, system.list),
    lstat: (path) => calls.lstat(path),
    ...(calls.byHandle ? { glance: system.lstat } : {}),
    openToRead: (path) => calls.look(path, system.openToRead),
    verifyPlace: (path) => calls.verifyPlace(path),
    openToExtend: (path) => calls.open(path, system.openToExtend, leaveIt),
    openNew: (path, mode) => calls.open(path, (at) => system.openNew(at, mode), removeIfSame),
    syncDirectory: (directory) => calls.inDirectory(directory, system.syncDirectory),
    rename: (from, to) => calls.changeBoth(from, to, system.rename),
    link: (from, to) => calls.changeBoth(from, to, system.link),
    unlink: (path) => calls.change(path, system.unlink),
    copyNew: (handle, to, shared) => calls.copyNew(handle, to, shared),
    readLink: (path) => calls.readLink(path),
    makeLink: (path, target) => calls.makeLink(path, target),
    makeDirectory: (path, mode) => calls.change(path, (at) => system.makeDirectory(at, mode)),
    removeDirectory: (path) => calls.change(path, system.removeDirectory),
    closeDirectories: () => calls.close(),
  };
}

/** Calls on names in the directories below one root. */
class ConfinedCalls {
  readonly #root: string;
  readonly #directories: DirectoryHandles;
  readonly #changeFreshMs: number;

  constructor(root: string, byHandle?: boolean) {
    this.#root = root;
    this.#directories = new DirectoryHandles(root, byHandle);
    this.#changeFreshMs = this.byHandle ? changeMs : 0;
  }

  get byHandle(): boolean {
    return this.#directories.byHandle;
  }

  lstat(path: string): FileStat | null {
    if (path === this.#root) return lookAtRoot(this.#directories, this.#root);
    const { directory, name } = this.#place(path);
    try {
      return system.lstat(`${this.#directories.at(directory, lookMs)}/${name}`);
    } catch (error) {
      // The parent is gone, or a link or a file is in its place: nothing of this folder is there.
      if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
      throw error;
    }
  }

  verifyPlace(path: string): void {
    this.#directories.verify(this.#place(path).directory);
  }

  look(path: string, open: (at: string) => number): number {
    return this.#open(path, lookMs, open, leaveIt);
  }

  open(path: string, open: (at: string) => number, undo: typeof removeIfSame): number {
    return this.#open(path, this.#changeFreshMs, open, undo);
  }

  readLink(path: string): string {
    const { directory, name } = this.#place(path);
    const target = system.readLink(`${this.#directories.at(directory, lookMs)}/${name}`);
    this.#directories.verify(directory);
    return target;
  }

  makeLink(path: string, target: string): void {
    const { directory, name } = this.#place(path);
    const at = `${this.#directories.at(directory, this.#changeFreshMs)}/${name}`;
    system.makeLink(at, target);
    if (this.byHandle) return;
    try {
      this.#directories.verify(directory);
    } catch (error) {
      if (system.lstat(at)?.kind === 'symlink' && system.readLink(at) === target) system.unlink(at);
      throw error;
    }
  }

  copyNew(handle: number, to: string, shared: boolean): void {
    if (this.byHandle) {
      this.change(to, (at) => system.copyNew(handle, at, shared));
      return;
    }
    // No path leads to an open file here.
    if (shared) throw Object.assign(new Error('a copy shares nothing here'), { code: 'ENOTSUP' });
    const made = this.open(to, (at) => system.openNew(at, newFileMode), removeIfSame);
    try {
      const chunk = new Uint8Array(copyChunkBytes);
      for (let position = 0, count = 1; count > 0; position += count) {
        count = system.read(handle, chunk, position);
        system.write(made, chunk.subarray(0, count));
      }
      system.setMode(made, system.fstat(handle).mode);
    } finally {
      system.close(made);
    }
  }

  change(path: string, act: (at: string) => void): void {
    const { directory, name } = this.#place(path);
    act(`${this.#directories.at(directory, this.#changeFreshMs)}/${name}`);
    if (!this.byHandle) this.#directories.verify(directory);
  }

  /** What gets a name here is published by it. */
  changeBoth(fromPath: string, toPath: string, act: (from: string, to: string) => void): void {
    const [from, to] = [this.#place(fromPath), this.#place(toPath)];
    const [fromAt, toAt] = this.#directories.atBoth(from.directory, to.directory, this.#changeFreshMs);
    act(`${fromAt}/${from.name}`, `${toAt}/${to.name}`);
    this.#directories.verify(to.directory);
    if (from.directory !== to.directory) this.#directories.verify(from.directory);
  }

  inDirectory<T>(path: string, act: (at: string) => T): T {
    const directory = this.#directoryOf(path);
    const result = act(this.#directories.at(directory, lookMs));
    this.#directories.verify(directory);
    return result;
  }

  close(): void {
    this.#directories.close();
  }

  /** Where a call cannot be tied to a directory, it counts only if that is in place afterwards; what it made goes again if it can. */
  #open(path: string, freshMs: number, open: (at: string) => number, undo: typeof removeIfSame): number {
    const { directory, name } = this.#place(path);
    const at = `${this.#directories.at(directory, freshMs)}/${name}`;
    const handle = open(at);
    if (this.byHandle) return handle;
    try {
      this.#directories.verify(directory);
      return handle;
    } catch (error) {
      undo(handle, at);
      system.close(handle);
      throw error;
    }
  }

  #place(path: string): { readonly directory: string; readonly name: string } {
    if (!path.startsWith(this.#root) || path[this.#root.length] !== '/') throw outside(this.#root, path);
    const below = path.slice(this.#root.length);
    const slash = below.lastIndexOf('/');
    const name = below.slice(slash + 1);
    if (!isName(name)) throw outside(this.#root, path);
    return { directory: slash === 0 ? '/' : below.slice(0, slash), name };
  }

  #directoryOf(path: string): string {
    if (path === this.#root) return '/';
    const { directory, name } = this.#place(path);
    return directory === '/' ? `/${name}` : `${directory}/${name}`;
  }
}

/** Runs the act on a folder and leaves nothing open. */
export function onFolder<T>(root: string, act: (fs: FileSystem) => T): T {
  const fs = confinedFileSystem(root);
  try {
    return act(fs);
  } finally {
    fs.closeDirectories();
  }
}

/** What the calls that follow work in; something else at the root's path is looked at from outside. */
function lookAtRoot(directories: DirectoryHandles, root: string): FileStat | null {
  try {
    const { device, inode } = directories.rootIdentity();
    const stat = system.lstat(root);
    return stat === null ? null : { ...stat, device, inode, kind: 'directory' };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (['ENOTDIR', 'ESTALE'].includes(errorCode(error))) return system.lstat(root);
    throw error;
  }
}

function leaveIt(): void {
  // It was opened and not made.
}

function removeIfSame(handle: number, at: string): void {
  const made = system.fstat(handle);
  const there = system.lstat(at);
  if (there?.inode === made.inode && there.device === made.device) system.unlink(at);
}

function outside(root: string, path: string): Error {
  return Object.assign(new Error(`${path} is no path below ${root}`), { code: 'EINVAL' });
}
