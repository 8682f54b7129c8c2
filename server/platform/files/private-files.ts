// Files that only this user may read: the data directory and what the agent keeps in it. On Windows the user's profile protects
// them; modes mean nothing there.
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
import path from 'node:path';

const dirMode = 0o700;
const fileMode = 0o600;

/** Makes the directory with its parents where it is missing, and takes it from everybody else. Throws what the system says. */
export function ensurePrivateDir(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: dirMode });
  if (process.platform !== 'win32') chmodSync(dir, dirMode);
}

/** The text, or null when there is no such file. A file that others could read is taken from them first. */
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

/** Replaces the file as a whole, durably: a crash leaves the old one or the new one. */
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

/** Makes a rename in it durable. Windows cannot open a directory, and needs it not. */
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
