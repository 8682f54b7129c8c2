// The root of a mirrored folder: is it there, is it still the same one, what names can its disk hold, and whose is it. All that
// the agent keeps inside is one private directory, `.mooring`. It never looks at the user's files.
import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { privateFolderName } from '../names/ignore.ts';
import { errorCode, type FileSystem } from '../port/file-system.ts';
import type { NameRules, PresentRoot, RootState } from '../port/folder.ts';
import { readWhole } from '../tree/read-file.ts';
import { isOwnerSocket } from './owner-socket.ts';

const markerName = 'marker.json';
const lockName = 'lock.json';
/** How often a lock may change hands while it is being taken. */
const lockAttemptsMax = 20;
const privateFileBytesMax = 64 * 1024;
/** An agent of another user may read there who holds the folder; who could write there could say that nobody does. */
const privateMode = 0o755;

export function inspectRoot(fs: FileSystem, root: string): RootState {
  try {
    const stat = fs.lstat(root);
    if (stat === null) return { kind: 'missing' };
    if (stat.kind !== 'directory') return { kind: 'not_directory' };
    const markerId = textField(readPrivate(fs, root, markerName), 'id');
    return { kind: 'present', device: String(stat.device), inode: String(stat.inode), markerId };
  } catch (error) {
    return { kind: 'unreadable', detail: errorCode(error) };
  }
}

/**
 * Can it be the root that was opened? Its marker decides, as device numbers change when a disk is mounted anew; without one
 * it is the same only where it was.
 */
export function isSameRoot(opened: PresentRoot, now: PresentRoot): boolean {
  if (now.markerId !== null) return opened.markerId === null || opened.markerId === now.markerId;
  return opened.device === now.device && opened.inode === now.inode;
}

export function writeMarker(fs: FileSystem, root: string, markerId: string): void {
  writePrivate(fs, root, markerName, { id: markerId, about: 'Mooring recognises this folder by this file.' });
}

/** Makes the system tell of an event in the private folder, and changes nothing. Throws when there is no marker. */
export function touchMarker(fs: FileSystem, root: string): void {
  const handle = fs.openToExtend(`${root}/${privateFolderName}/${markerName}`);
  try {
    if (fs.fstat(handle).kind === 'file') fs.touch(handle);
  } finally {
    fs.close(handle);
  }
}

/** The folder to mirror, made if it is not there, under its one real name. */
export function makeRoot(
  dir: string,
): { readonly ok: true; readonly root: string } | { readonly ok: false; readonly reason: string } {
  if (!path.isAbsolute(dir)) return { ok: false, reason: `${dir} is not an absolute path` };
  try {
    mkdirSync(dir, { recursive: true });
    const root = realpathSync.native(dir);
    if (path.dirname(root) === root)
      return { ok: false, reason: 'a whole disk cannot be mirrored; choose a folder of it' };
    return { ok: true, root };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' || code === 'ENOTDIR') return { ok: false, reason: `${dir} is not a directory` };
    return { ok: false, reason: `${dir} cannot be used: ${code}` };
  }
}

/** The one real name of a folder, which need not be there yet: links in the part that is there are followed. null: the path
 * is not absolute. */
export function realNameOf(dir: string): string | null {
  if (!path.isAbsolute(dir) || dir.includes('\0')) return null;
  const absolute = path.resolve(dir);
  for (let there = absolute; ; there = path.dirname(there)) {
    try {
      return path.join(realpathSync.native(there), path.relative(there, absolute));
    } catch {
      // Not there, or out of reach: its parent may be.
      if (path.dirname(there) === there) return absolute;
    }
  }
}

/** Who holds a root. `startedAt` tells a process from a later one with the same number, `socket` whether it lives. */
export interface RootOwner {
  readonly pid: number;
  readonly startedAt: string;
  readonly dataDir: string;
  /** On which it listens, in the private folder (disk/owner-socket). null: it has none, as owners of former versions. */
  readonly socket: string | null;
}

/** Who says to hold a root; whether they live is another question. null: nobody. */
export function readOwner(fs: FileSystem, root: string): RootOwner | null {
  try {
    return ownerOf(readPrivate(fs, root, lockName));
  } catch {
    // Out of reach for this agent, so nobody is known.
    return null;
  }
}

function sameOwner(left: RootOwner, right: RootOwner): boolean {
  // In two containers a number and a start may be the same.
  return left.pid === right.pid && left.startedAt === right.startedAt && left.socket === right.socket;
}

/** null: the lock is ours now. Otherwise its living owner. Of agents that start in the same moment one gets it. */
export function lockRoot(
  fs: FileSystem,
  root: string,
  owner: RootOwner,
  isAlive: (other: RootOwner) => boolean,
): RootOwner | null {
  const holder = ownerOf(readPrivate(fs, root, lockName));
  if (holder !== null && !sameOwner(holder, owner) && isAlive(holder)) return holder;
  // Not by the number: in another container somebody may have the same.
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
  throw Object.assign(new Error(`the lock of ${root} changed hands ${lockAttemptsMax} times`), {
    code: 'EBUSY',
  });
}

/** false: something has that name. */
function takeName(fs: FileSystem, root: string, draft: string, name: string): boolean {
  const directory = `${root}/${privateFolderName}`;
  try {
    fs.link(`${directory}/${draft}`, `${directory}/${name}`);
  } catch (error) {
    if (fs.lstat(`${directory}/${name}`) !== null) return false;
    if (errorCode(error) === 'EEXIST') return false;
    // A disk without links: it was looked at a moment ago.
    fs.rename(`${directory}/${draft}`, `${directory}/${name}`);
  }
  fs.syncDirectory(directory);
  return true;
}

/** Takes away the lock that was seen. One that came in its place meanwhile is put back: its owner lives. */
function dropLock(fs: FileSystem, root: string, seen: RootOwner | null): void {
  const lock = `${root}/${privateFolderName}/${lockName}`;
  const away = `${lockName}.${crypto.randomUUID()}`;
  try {
    fs.rename(lock, `${root}/${privateFolderName}/${away}`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const taken = ownerOf(readPrivate(fs, root, away));
  const isTheOne = taken === null ? seen === null : seen !== null && sameOwner(taken, seen);
  if (!isTheOne) takeName(fs, root, away, lockName);
  else if (seen !== null) removeSocket(fs, root, seen);
  removeLeftover(fs, `${root}/${privateFolderName}/${away}`);
}

/** Nobody listens on it any more, or whoever does gives the root up. */
export function removeSocket(fs: FileSystem, root: string, { socket }: Pick<RootOwner, 'socket'>): void {
  if (socket !== null) removeLeftover(fs, `${root}/${privateFolderName}/${socket}`);
}

/** Somebody may have put a directory there: it is no lock, and theirs to remove. */
function removeLeftover(fs: FileSystem, path: string): void {
  try {
    removeIfThere(fs, path);
  } catch (error) {
    if (!['EISDIR', 'EPERM'].includes(errorCode(error))) throw error;
  }
}

/** Removes the lock if it is ours; with `everything`, the whole private directory. */
export function releaseRoot(fs: FileSystem, root: string, owner: RootOwner, everything: boolean): void {
  const directory = `${root}/${privateFolderName}`;
  if (fs.lstat(directory)?.kind !== 'directory') return;
  const holder = ownerOf(readPrivate(fs, root, lockName));
  if (holder === null || sameOwner(holder, owner)) removeLeftover(fs, `${directory}/${lockName}`);
  removeSocket(fs, root, owner);
  if (!everything) return;
  removeIfThere(fs, `${directory}/${markerName}`);
  try {
    fs.removeDirectory(directory);
  } catch (error) {
    // Somebody put a file of theirs into it: it is theirs to remove.
    if (errorCode(error) !== 'ENOTEMPTY') throw error;
  }
}

/** Asks the disk itself: two spellings of one name either meet or do not, and a name is shown as it was given or not. */
export function probeNames(fs: FileSystem, root: string, isWindows: boolean): NameRules {
  const directory = ensurePrivate(fs, root);
  const inCase = probe(fs, directory, 'probe-case', 'PROBE-CASE');
  const inUnicode = probe(fs, directory, 'probe-\u00e9', 'probe-e\u0301');
  return {
    foldsCase: inCase.meet,
    foldsUnicode: inUnicode.meet,
    decomposes: inUnicode.meet && !inUnicode.isShown,
    windows: isWindows,
    pathBytesMax: isWindows ? 32_767 : 4096,
    rootBytes: new TextEncoder().encode(root).length,
  };
}

/** Of a root that is not there to be asked. */
export function decomposedNamesUnseen(isWindows: boolean): NameRules {
  return {
    foldsCase: false,
    foldsUnicode: false,
    decomposes: false,
    windows: isWindows,
    pathBytesMax: 4096,
    rootBytes: 0,
  };
}

/** `meet`: asked for the other name, the disk answers. `isShown`: then its listing has the name as it was made. */
function probe(
  fs: FileSystem,
  directory: string,
  made: string,
  asked: string,
): { readonly meet: boolean; readonly isShown: boolean } {
  removeIfThere(fs, `${directory}/${made}`);
  fs.close(fs.openNew(`${directory}/${made}`, 0o600));
  const meet = fs.lstat(`${directory}/${asked}`) !== null;
  const isShown = !meet || fs.list(directory).names.includes(made);
  removeIfThere(fs, `${directory}/${made}`);
  return { meet, isShown };
}

export function ensurePrivate(fs: FileSystem, root: string): string {
  const directory = `${root}/${privateFolderName}`;
  const stat = fs.lstat(directory);
  if (stat === null) fs.makeDirectory(directory, privateMode);
  else if (stat.kind !== 'directory')
    throw Object.assign(new Error(`${directory} is not a directory`), { code: 'ENOTDIR' });
  return directory;
}

function writePrivate(fs: FileSystem, root: string, name: string, content: object): void {
  const directory = ensurePrivate(fs, root);
  const temp = `${directory}/${name}.new`;
  removeIfThere(fs, temp);
  const handle = fs.openNew(temp, 0o600);
  try {
    fs.write(handle, new TextEncoder().encode(`${JSON.stringify(content)}\n`));
    fs.sync(handle);
  } finally {
    fs.close(handle);
  }
  fs.rename(temp, `${directory}/${name}`);
  fs.syncDirectory(directory);
}

function readPrivate(fs: FileSystem, root: string, name: string): unknown {
  const path = `${root}/${privateFolderName}/${name}`;
  const stat = fs.lstat(path);
  if (stat?.kind !== 'file' || stat.sizeBytes > privateFileBytesMax) return null;
  const outcome = readWhole(fs, path, privateFileBytesMax);
  if (outcome.kind !== 'read') return null;
  try {
    return JSON.parse(new TextDecoder().decode(outcome.bytes));
  } catch {
    // Not ours, or torn by a power cut before there was a rename: as good as absent.
    return null;
  }
}

function textField(value: unknown, field: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const found = (value as Record<string, unknown>)[field];
  return typeof found === 'string' ? found : null;
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

function removeIfThere(fs: FileSystem, path: string): void {
  try {
    fs.unlink(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
