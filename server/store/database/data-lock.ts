// One owner of a data directory. The lock is one of the operating system's (through SQLite's own locking), so it is free
// again the moment its process ends, however it ends; a file left behind means nothing.
import path from 'node:path';
import Database from 'better-sqlite3';

const lockFileName = 'store.lock';

/** Thrown when another process, or another store of this one, has the data directory open. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
}

/** Returns the release function. */
export function lockDataDir(dataDir: string): () => void {
  const database = new Database(path.join(dataDir, lockFileName), { timeout: 0 });
  try {
    // https://sqlite.org/lockingv3.html: held until COMMIT or the end of the process.
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new DataDirInUseError(`the data directory ${dataDir} is in use by another agent`);
    }
    throw error;
  }
  return () => database.close();
}
