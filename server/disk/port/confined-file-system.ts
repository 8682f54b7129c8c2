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

/** `byHandle` false: as on systems that have no handles to work in, for tests. */
export function confinedFileSystem(root: string, byHandle?: boolean): FileSystem {
  const directories = new DirectoryHandles(root, byHandle);
  const [lookFreshMs, changeFreshMs] = directories.byHandle ? [lookMs, changeMs] : [lookMs, 0];

  const place = (path: string): readonly [directory: string, name: string] => {
    if (!path.startsWith(root) || path[root.length] !== '/') throw outside(root, path);
    const below = path.slice(root.length);
    const slash = below.lastIndexOf('/');
    const name = below.slice(slash + 1);
    if (!isName(name)) throw outside(root, path);
    return [slash === 0 ? '/' : below.slice(0, slash), name];
  };
  const directoryOf = (path: string): string => {
    if (path === root) return '/';
    const [directory, name] = place(path);
    return directory === '/' ? `/${name}` : `${directory}/${name}`;
  };

  /** Where a call cannot be tied to a directory, it counts only if that is in place afterwards; what it made goes again if it can. */
  const opening = (
    path: string,
    maxAgeMs: number,
    open: (at: string) => number,
    undo: typeof removeIfSame,
  ) => {
    const [directory, name] = place(path);
    const at = `${directories.at(directory, maxAgeMs)}/${name}`;
    const handle = open(at);
    if (directories.byHandle) return handle;
    try {
      directories.verify(directory);
      return handle;
    } catch (error) {
      undo(handle, at);
      system.close(handle);
      throw error;
    }
  };
  const changing = (path: string, act: (at: string) => void): void => {
    const [directory, name] = place(path);
    act(`${directories.at(directory, changeFreshMs)}/${name}`);
    if (!directories.byHandle) directories.verify(directory);
  };
  /** What gets a name here is published by it. */
  const changingBoth = (from: string, to: string, act: (from: string, to: string) => void): void => {
    const [fromDirectory, fromName] = place(from);
    const [toDirectory, toName] = place(to);
    const [fromAt, toAt] = directories.atBoth(fromDirectory, toDirectory, changeFreshMs);
    act(`${fromAt}/${fromName}`, `${toAt}/${toName}`);
    directories.verify(toDirectory);
    if (fromDirectory !== toDirectory) directories.verify(fromDirectory);
  };
  const inDirectory = <T>(path: string, act: (at: string) => T): T => {
    const directory = directoryOf(path);
    const found = act(directories.at(directory, lookFreshMs));
    directories.verify(directory);
    return found;
  };

  return {
    ...system,
    list: (directory) => inDirectory(directory, system.list),
    lstat(path) {
      if (path === root) return lookAtRoot(directories, root);
      const [directory, name] = place(path);
      try {
        return system.lstat(`${directories.at(directory, lookFreshMs)}/${name}`);
      } catch (error) {
        // The parent is gone, or a link or a file is in its place: nothing of this folder is there.
        if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
        throw error;
      }
    },
    ...(directories.byHandle ? { glance: system.lstat } : {}),
    openToRead: (path) => opening(path, lookFreshMs, system.openToRead, leaveIt),
    verifyPlace: (path) => directories.verify(place(path)[0]),
    openToExtend: (path) => opening(path, changeFreshMs, system.openToExtend, leaveIt),
    openNew: (path, mode) => opening(path, changeFreshMs, (at) => system.openNew(at, mode), removeIfSame),
    syncDirectory: (directory) => inDirectory(directory, system.syncDirectory),
    rename: (from, to) => changingBoth(from, to, system.rename),
    link: (from, to) => changingBoth(from, to, system.link),
    unlink: (path) => changing(path, system.unlink),
    makeDirectory: (path, mode) => changing(path, (at) => system.makeDirectory(at, mode)),
    removeDirectory: (path) => changing(path, system.removeDirectory),
    closeDirectories: () => directories.close(),
  };
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
