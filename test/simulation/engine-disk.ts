// The simulated disk as one life of the agent sees it: the port of system calls, each of which may be the last one before a
// crash, may be refused, takes time, and may come just after a person's own. What the mirror does to the folder is shown to the
// judge.
import type { FileStat, FileSystem } from '../../server/disk/port/file-system.ts';
import { diskFault, type Inode, type SimDisk } from './disk.ts';
import { type Ledger, type View, viewOf } from './ledger.ts';

export interface Surroundings {
  readonly disk: SimDisk;
  readonly ledger: Ledger;
  readonly root: Inode;
  /** A directory beside the root that links of the folder lead to. */
  readonly outside: Inode;
  /** Before each call. Throws when the agent dies here or the disk refuses. `quick`: nobody can come in between. */
  readonly before: (call: string, path: string, quick: boolean) => void;
  /** Runs the act when it is the disk's turn; never when the agent is dead by then. */
  readonly later: (act: () => void) => void;
}

interface Handle {
  readonly inode: Inode;
  readonly path: string;
  written: number;
}

export function engineDisk({ disk, ledger, root, outside, before, later }: Surroundings): FileSystem {
  const handles = new Map<number, Handle>();
  let lastHandle = 0;
  const opened = (inode: Inode, path: string) => {
    lastHandle += 1;
    handles.set(lastHandle, { inode, path, written: 0 });
    return lastHandle;
  };
  const handleOf = (handle: number): Handle => {
    const found = handles.get(handle);
    if (found === undefined) throw diskFault('EBADF', String(handle));
    return found;
  };
  const judged = (call: string, act: () => void) => {
    const seen: View = viewOf(root);
    const seenOutside = [...viewOf(outside)].join();
    act();
    ledger.byMirror(seen, viewOf(root), call);
    if ([...viewOf(outside)].join() !== seenOutside) ledger.violate('A7', `${call} went out of the folder`);
  };
  return {
    list(directory) {
      before('list', directory, false);
      return { names: disk.list(directory), unreadableNames: [] };
    },
    lstat(path) {
      before('lstat', path, false);
      return statAt(disk, path);
    },
    openToRead(path) {
      before('open', path, false);
      const inode = disk.inodeAt(path);
      if (inode === null) throw diskFault('ENOENT', path);
      if (inode.kind === 'symlink') throw diskFault('ELOOP', path);
      return opened(inode, path);
    },
    verifyPlace() {
      // As below.
    },
    openNew(path, mode) {
      before('create', path, false);
      ledger.made(path);
      return opened(disk.create(path, mode & 0o755), path);
    },
    openToExtend(path) {
      before('open', path, false);
      const inode = disk.inodeAt(path);
      if (inode === null) throw diskFault('ENOENT', path);
      if (inode.kind === 'symlink') throw diskFault('ELOOP', path);
      return opened(inode, path);
    },
    fstat(handle) {
      const { inode, path } = handleOf(handle);
      before('fstat', path, false);
      return disk.stat(inode);
    },
    read(handle, into, position) {
      const { inode, path } = handleOf(handle);
      before('read', path, false);
      // At most half of a longer file at once: what is read may change in the middle.
      const most = Math.min(into.length, Math.max(4, Math.ceil(inode.data.length / 2)));
      return inode.data.copy(into, 0, position, position + most);
    },
    write(handle, bytes) {
      const opening = handleOf(handle);
      const { inode, path } = opening;
      // Byte by half: a crash in between leaves a torn file behind.
      for (const part of [bytes.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)]) {
        before('write', path, false);
        judged(`write ${path}`, () => disk.write(path, inode, Buffer.concat([inode.data, part])));
        opening.written += part.length;
      }
    },
    setMode(handle, mode) {
      const { inode, path } = handleOf(handle);
      before('chmod', path, false);
      disk.setMode(inode, mode);
    },
    touch() {
      throw new Error('the simulated watcher needs no touch');
    },
    sync(handle) {
      const { inode, path } = handleOf(handle);
      before('fsync', path, false);
      disk.syncFile(inode);
    },
    syncAll: (open) =>
      new Promise((resolve) => {
        later(() => {
          const codes = open.map((handle) => {
            const { inode, path } = handleOf(handle);
            try {
              before('fsync', path, false);
            } catch (error) {
              return error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
            }
            disk.syncFile(inode);
            return null;
          });
          later(() => resolve(codes));
        });
      }),
    close(handle) {
      handles.delete(handle);
    },
    syncDirectory(path) {
      before('fsync of directory', path, false);
      disk.syncDirectory(path);
    },
    rename(from, to) {
      before('rename', to, true);
      judged(`rename ${from} ${to}`, () => disk.rename(from, to));
    },
    link(from, to) {
      before('link', to, false);
      judged(`link ${from} ${to}`, () => disk.link(from, to));
    },
    copyNew: notSimulated,
    readLink: notSimulated,
    makeLink: notSimulated,
    unlink(path) {
      before('unlink', path, true);
      judged(`unlink ${path}`, () => disk.unlink(path));
    },
    makeDirectory(path) {
      before('mkdir', path, false);
      disk.makeDirectory(path);
    },
    removeDirectory(path) {
      before('rmdir', path, false);
      disk.removeDirectory(path);
    },
    closeDirectories() {
      // A path of it is found in one call, in which nobody comes between.
    },
  };
}

function statAt(disk: SimDisk, path: string): FileStat | null {
  // As lstat: a parent that is a file or missing means that nothing is there.
  try {
    const inode = disk.inodeAt(path);
    return inode === null ? null : disk.stat(inode);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Only the copies of a run need it, and those are made by a thread of their own. */
function notSimulated(): never {
  throw new Error('the simulated disk has no such call');
}
