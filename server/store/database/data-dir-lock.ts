// Locks a data directory, or the target of a backup, for one process. SQLite takes the lock of the operating system, which frees it
// when the process ends, also by kill -9; the file that remains has no meaning.
import path from 'node:path';
import Database from 'better-sqlite3';

const lockFileName = 'store.lock';

/** Thrown when another process, or another store of this one, has the data directory open. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
}

/** Returns the release function. */
export function lockDataDir(dataDir: string): () => void {
  const release = lockFile(path.join(dataDir, lockFileName));
  if (release === null) throw new DataDirInUseError(`data directory ${dataDir} is in use by another agent`);
  return release;
}

/**
 * Creates the file when it is missing, and locks it until the release or the end of the process. null: another process, or another
 * part of this one, holds the lock. Throws what SQLite says of a file that it cannot open or lock.
 */
export function lockFile(file: string): (() => void) | null {
  const database = new Database(file, { timeout: 0 });
  try {
    // No journal file: https://sqlite.org/pragma.html#pragma_journal_mode
    database.pragma('journal_mode = MEMORY');
    // Locked until COMMIT or the end of the process: https://sqlite.org/lockingv3.html
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
  return () => database.close();
}
