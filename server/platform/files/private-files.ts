// Reads and writes files that only this user may read. On Windows the user's profile protects them; modes have no effect there.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

const dirMode = 0o700;
const fileMode = 0o600;

/** Creates the directory and its parents if missing, and removes the access of other users. Throws the error of the system. */
export function ensurePrivateDir(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: dirMode });
  if (process.platform !== 'win32') chmodSync(dir, dirMode);
}

/** The text, or null when the file does not exist. Removes the access of other users. */
export function readPrivateFile(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8');
    if (process.platform !== 'win32') chmodSync(file, fileMode);
    return text;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Replaces the file atomically and durably: after a crash the old or the new file exists. */
export function writePrivateFile(file: string, text: string): void {
  const temp = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const handle = openSync(temp, 'wx', fileMode);
  try {
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temp, file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
  syncDirectory(path.dirname(file));
}

/** The same for a running agent: the thread does not wait for the disk. Calls for one file must follow one another. */
export async function replacePrivateFile(file: string, text: string): Promise<void> {
  const temp = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temp, 'wx', fileMode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temp, file);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
  if (process.platform === 'win32') return;
  const directory = await open(path.dirname(file), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Makes a rename in the directory durable. Windows cannot open a directory and does not require it. */
function syncDirectory(dir: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
