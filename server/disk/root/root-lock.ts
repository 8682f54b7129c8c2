// The root lock: one agent per mirrored folder. `lock.json` names the owner; whether it is alive is up to the caller (owner-socket.ts
// asks). Two agents that start at the same time cannot both get it (docs/sync-rules.md#19).
import { privateFolderName } from '../names/ignore.ts';
import { errorCode, type FileSystem } from '../port/file-system.ts';
import { isOwnerSocket } from './owner-socket.ts';
import { mirrorFileNames, readPrivate, removeIfThere, writePrivate } from './root.ts';

const lockName = 'lock.json';
/** Times that the lock may change its owner while it is taken. */
const lockAttemptsMax = 20;

/** `startedAt` distinguishes processes with the same id; `socket` shows whether the owner is alive. */
export interface RootOwner {
  readonly pid: number;
  readonly startedAt: string;
  readonly dataDir: string;
  /** Name of the socket in the private folder on which it listens (owner-socket.ts). null: none, as owners of former versions. */
  readonly socket: string | null;
}

/** The owner that the lock names, alive or not. null: none. */
export function readOwner(fs: FileSystem, root: string): RootOwner | null {
  try {
    return ownerOf(readPrivate(fs, root, lockName));
  } catch {
    // Not accessible for this agent: treated as not owned.
    return null;
  }
}

function sameOwner(left: RootOwner, right: RootOwner): boolean {
  // In two containers id and start time may be the same.
  return left.pid === right.pid && left.startedAt === right.startedAt && left.socket === right.socket;
}

/** null: `owner` has the lock now. Otherwise its living owner. Of agents that start at the same time one gets it. */
export function lockRoot(
  fs: FileSystem,
  root: string,
  owner: RootOwner,
  isAlive: (other: RootOwner) => boolean,
): RootOwner | null {
  const holder = ownerOf(readPrivate(fs, root, lockName));
  if (holder !== null && !sameOwner(holder, owner) && isAlive(holder)) return holder;
  // Not named by the process id: a process in another container may have the same.
  const draft = `${lockName}.${crypto.randomUUID()}`;
  writePrivate(fs, root, draft, owner);
  try {
    for (let attempt = 0; attempt < lockAttemptsMax; attempt += 1) {
      if (takeName(fs, root, draft, lockName)) return null;
      const other = ownerOf(readPrivate(fs, root, lockName));
      if (other !== null && sameOwner(other, owner)) return null;
      if (other !== null && isAlive(other)) return other;
      dropLock(fs, root, other);
    }
  } finally {
    removeIfThere(fs, `${root}/${privateFolderName}/${draft}`);
  }
  throw Object.assign(new Error(`the lock of ${root} changed its owner ${lockAttemptsMax} times`), {
    code: 'EBUSY',
  });
}

/** false: the name is taken. */
function takeName(fs: FileSystem, root: string, draft: string, name: string): boolean {
  const directory = `${root}/${privateFolderName}`;
  try {
    fs.link(`${directory}/${draft}`, `${directory}/${name}`);
  } catch (error) {
    if (fs.lstat(`${directory}/${name}`) !== null) return false;
    if (errorCode(error) === 'EEXIST') return false;
    // A disk without links; the name was free just before.
    fs.rename(`${directory}/${draft}`, `${directory}/${name}`);
  }
  fs.syncDirectory(directory);
  return true;
}

/** Removes the lock that was read. A lock that replaced it meanwhile is put back: its owner is alive. */
function dropLock(fs: FileSystem, root: string, seen: RootOwner | null): void {
  const lock = `${root}/${privateFolderName}/${lockName}`;
  const removedName = `${lockName}.${crypto.randomUUID()}`;
  try {
    fs.rename(lock, `${root}/${privateFolderName}/${removedName}`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const removed = ownerOf(readPrivate(fs, root, removedName));
  const isSameLock = removed === null ? seen === null : seen !== null && sameOwner(removed, seen);
  if (!isSameLock) takeName(fs, root, removedName, lockName);
  else if (seen !== null) removeSocket(fs, root, seen);
  removeLeftover(fs, `${root}/${privateFolderName}/${removedName}`);
}

/** For a socket without a listener, or whose owner releases the root. */
export function removeSocket(fs: FileSystem, root: string, { socket }: Pick<RootOwner, 'socket'>): void {
  if (socket !== null) removeLeftover(fs, `${root}/${privateFolderName}/${socket}`);
}

/** A directory in its place is not a lock, and stays. */
function removeLeftover(fs: FileSystem, path: string): void {
  try {
    removeIfThere(fs, path);
  } catch (error) {
    if (!['EISDIR', 'EPERM'].includes(errorCode(error))) throw error;
  }
}

/** Removes the lock if `owner` has it; with `everything` also the private directory. */
export function releaseRoot(fs: FileSystem, root: string, owner: RootOwner, everything: boolean): void {
  const directory = `${root}/${privateFolderName}`;
  if (fs.lstat(directory)?.kind !== 'directory') return;
  const holder = ownerOf(readPrivate(fs, root, lockName));
  if (holder === null || sameOwner(holder, owner)) removeLeftover(fs, `${directory}/${lockName}`);
  removeSocket(fs, root, owner);
  if (!everything) return;
  for (const name of mirrorFileNames) removeIfThere(fs, `${directory}/${name}`);
  try {
    fs.removeDirectory(directory);
  } catch (error) {
    // It contains files of the user, which stay.
    if (errorCode(error) !== 'ENOTEMPTY') throw error;
  }
}

function ownerOf(value: unknown): RootOwner | null {
  if (typeof value !== 'object' || value === null) return null;
  const { pid, startedAt, dataDir, socket } = value as Partial<Record<keyof RootOwner, unknown>>;
  if (typeof pid !== 'number' || typeof startedAt !== 'string' || typeof dataDir !== 'string') return null;
  return {
    pid,
    startedAt,
    dataDir,
    socket: typeof socket === 'string' && isOwnerSocket(socket) ? socket : null,
  };
}
