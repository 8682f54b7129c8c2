// The target directory of a backup: one backup at a time, in any process. A marker file says that the files beside it are an
// unfinished backup; a lock of the operating system on it says whether that backup still runs. Only files of backups are removed,
// by their names.
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { blobFolder } from '../contents/blob-files.ts';
import { lockFile } from '../database/data-dir-lock.ts';
import { databaseFileName, isStorageFault } from '../database/sqlite.ts';

const markerName = 'mooring-backup.lock';
export const manifestName = 'backup.json';
/** What SQLite keeps beside a database (https://sqlite.org/fileformat2.html#temporary_disk_files). */
const databaseFiles = ['', '-wal', '-shm', '-journal'].map((end) => databaseFileName + end);

/** Thrown when a directory cannot be the target of a backup, or contains no complete one. Nothing was replaced. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

export interface BackupTarget {
  /** Removes what this backup has written. */
  discard(): Promise<void>;
  /** Lets another backup have the directory. */
  release(): void;
}

/** Claims the directory: new, empty, or with the files of a killed backup. Throws BackupError and system errors. */
export async function claimTarget(dir: string): Promise<BackupTarget> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const aclFile = path.join(dir, markerName);
  // Before anything is created in it: a directory with other files gets no marker.
  const present = readdirSync(dir);
  if (!present.includes(markerName)) assertEmpty(dir, present);
  const { isStale, unlock } = lockMarkerFile(dir, aclFile);
  const release = () => {
    // Deleted before the lock is released: an unlocked marker means a killed backup. Windows deletes no open file.
    if (process.platform !== 'win32') rmSync(aclFile, { force: true });
    unlock();
    if (process.platform === 'win32') rmSync(aclFile, { force: true });
  };
  try {
    // A finished backup is never removed, also where its process died before its marker was gone.
    if (isStale && !readdirSync(dir).includes(manifestName)) await removeOwn(dir);
    assertEmpty(dir, readdirSync(dir));
  } catch (error) {
    release();
    throw error;
  }
  return { discard: () => removeOwn(dir), release };
}

/** `isStale`: it existed, and no process holds its lock. */
function lockMarkerFile(
  dir: string,
  aclFile: string,
): { readonly isStale: boolean; readonly unlock: () => void } {
  const isNew = createNew(aclFile);
  const before = inodeOf(aclFile);
  const unlock = lockOrRefuse(dir, aclFile);
  if (unlock === null || before === null || inodeOf(aclFile) !== before) {
    // Another backup holds it, or ended and deleted its marker between these lines.
    unlock?.();
    throw new BackupError(
      `another backup into ${dir} is in progress: wait until it has ended, or name another directory`,
    );
  }
  return { isStale: !isNew, unlock };
}

function lockOrRefuse(dir: string, aclFile: string): (() => void) | null {
  try {
    return lockFile(aclFile);
  } catch (error) {
    if (!isStorageFault(error)) throw error;
    throw new BackupError(
      `${dir} cannot be locked (${(error as Error).message}): name a directory of a disk with room that supports file locks`,
      { cause: error },
    );
  }
}

function assertEmpty(dir: string, names: readonly string[]): void {
  if (names.some((name) => name !== markerName)) {
    throw new BackupError(`${dir} is not empty: name a new or empty directory`);
  }
}

function createNew(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function inodeOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

async function removeOwn(dir: string): Promise<void> {
  // The manifest first: without it nothing here is a backup.
  for (const name of [manifestName, ...databaseFiles]) await rm(path.join(dir, name), { force: true });
  const folder = blobFolder(dir);
  for (const group of await namesIn(folder)) {
    if (!/^[0-9a-f]{2}$/.test(group)) continue;
    const groupFolder = path.join(folder, group);
    for (const name of await namesIn(groupFolder)) {
      if (/^[0-9a-f]{64}$/.test(name)) await rm(path.join(groupFolder, name), { force: true });
    }
    await removeIfEmpty(groupFolder);
  }
  await removeIfEmpty(folder);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(error.code ?? '')) throw error;
  });
}
