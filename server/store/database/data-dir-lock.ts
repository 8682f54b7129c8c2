// One owner of a data directory, or of another directory that is written to. The lock is one of the operating system's (through
// SQLite's own locking), so it is free again the moment its process ends, however it ends; a file left behind means nothing.
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
  if (release === null)
    throw new DataDirInUseError(`the data directory ${dataDir} is in use by another agent`);
  return release;
}

/**
 * Creates the file when it is missing, and locks it until the release or the end of the process. null: another process, or another
 * part of this one, holds the lock. Throws what SQLite says of a file that it cannot open or lock.
 */
export function lockFile(file: string): (() => void) | null {
  const database = new Database(file, { timeout: 0 });
  try {
    // https://sqlite.org/pragma.html#pragma_journal_mode: no second file beside it.
    database.pragma('journal_mode = MEMORY');
    // https://sqlite.org/lockingv3.html: held until COMMIT or the end of the process.
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
  return () => database.close();
}
