// The system calls of Node. It never follows a link in the last name of a path; confined-file-system.ts, its only caller, handles
// the other names.
import {
  type BigIntStats,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsync,
  fsyncSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { errorCode, type FileStat, type FileSystem } from './file-system.ts';

// Windows has neither flag; there only lstat detects a link.
const noFollow = constants.O_NOFOLLOW ?? 0;
const noWait = constants.O_NONBLOCK ?? 0;

export const nodeFileSystem: FileSystem = {
  list(directory) {
    const names = readdirSync(directory);
    // U+FFFD replaces bytes that are not UTF-8, unless a file name really contains it.
    if (!names.some((name) => name.includes('\uFFFD'))) return { names, unreadableNames: [] };
    const readable: string[] = [];
    const unreadable: string[] = [];
    for (const bytes of readdirSync(directory, { encoding: 'buffer' })) {
      const name = bytes.toString('utf8');
      (Buffer.from(name, 'utf8').equals(bytes) ? readable : unreadable).push(name);
    }
    return { names: readable, unreadableNames: unreadable };
  },
  lstat(path) {
    try {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      return stats === undefined ? null : fileStat(stats);
    } catch (error) {
      // A parent that is a file: nothing is there either.
      if (errorCode(error) === 'ENOTDIR') return null;
      throw error;
    }
  },
  openToRead: (path) => openSync(path, constants.O_RDONLY | noFollow | noWait),
  verifyPlace() {
    // It knows no directories.
  },
  openNew: (path, mode) =>
    openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow, mode),
  openToExtend: (path) => openSync(path, constants.O_RDWR | constants.O_APPEND | noFollow | noWait),
  fstat: (handle) => fileStat(fstatSync(handle, { bigint: true })),
  read: (handle, into, position) => readSync(handle, into, 0, into.length, position),
  write(handle, bytes) {
    for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
  },
  setMode: (handle, mode) => fchmodSync(handle, mode),
  touch(handle) {
    const now = new Date();
    futimesSync(handle, now, now);
  },
  sync: (handle) => fsyncSync(handle),
  // Side by side they share the journal's commits: one after the other costs several times as much on a busy disk.
  syncAll: (handles) =>
    Promise.all(
      handles.map(
        (handle) =>
          new Promise<string | null>((resolve) => {
            fsync(handle, (error) => resolve(error === null ? null : errorCode(error)));
          }),
      ),
    ),
  close: (handle) => closeSync(handle),
  syncDirectory(path) {
    const handle = openSync(path, constants.O_RDONLY);
    try {
      fsyncSync(handle);
    } catch (error) {
      // Some systems cannot sync a directory (Windows, some network disks); there a rename is as durable as it gets.
      if (!['EINVAL', 'EPERM', 'ENOTSUP', 'EISDIR', 'EBADF'].includes(errorCode(error))) throw error;
    } finally {
      closeSync(handle);
    }
  },
  rename: (from, to) => renameSync(from, to),
  link: (from, to) => linkSync(from, to),
  unlink: (path) => unlinkSync(path),
  copyNew,
  readLink: (path) => readlinkSync(path),
  makeLink: (path, target) => symlinkSync(target, path),
  makeDirectory: (path, mode) => mkdirSync(path, mode),
  removeDirectory: (path) => rmdirSync(path),
  closeDirectories() {
    // It keeps no directory open.
  },
};

/** The system opens the path that leads to the open file, so a link cannot take its place. Linux only. */
function copyNew(handle: number, to: string, shared: boolean): void {
  const clone = shared ? constants.COPYFILE_FICLONE_FORCE : constants.COPYFILE_FICLONE;
  copyFileSync(`/proc/self/fd/${handle}`, to, constants.COPYFILE_EXCL | clone);
}

function fileStat(stats: BigIntStats): FileStat {
  return {
    kind: stats.isFile()
      ? 'file'
      : stats.isDirectory()
        ? 'directory'
        : stats.isSymbolicLink()
          ? 'symlink'
          : 'other',
    sizeBytes: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
    inode: stats.ino,
    device: stats.dev,
    links: Number(stats.nlink),
    mode: Number(stats.mode) & 0o7777,
  };
}
