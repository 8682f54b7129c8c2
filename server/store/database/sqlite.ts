// Opens connections to the database and sets what they promise: the only file that opens one. SQL about
// workspaces is in tables/, in files named after their subject.
import Database from 'better-sqlite3';
import type { StoreFault } from '../port/errors.ts';
import { ServerFault } from './server-fault.ts';
import { type Connection, SqliteReadStatements, SqliteWriteStatements } from './sqlite-statements.ts';

/** The store's logger; a pino logger fits. Contents, tokens and query texts are never logged. */
export interface StoreLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Counts commands and reads by name. */
export interface StoreObserver {
  /** A group of commands that shared one durable transaction. */
  storeCommitted(commands: number, seconds: number): void;
  storeCommitFailed(): void;
  slowQuery(name: string): void;
}

export const databaseFileName = 'mooring.db';

/** How long a connection waits for a lock that another one holds. Only a second process could hold one that long. */
const busyTimeoutMs = 5_000;
/** Applies to a new database. Overwriting files here and there among 100,000 writes 36 KiB a file with pages of 4 KiB and
 * 58 KiB with 8 KiB; larger pages only help rows of 16 KiB and more. */
const pageBytes = 4_096;
/** Caches of a connection, for pages that are still in the log; those of the database file are mapped. The writer's holds what a
 * large group changes; each MiB of either is resident memory. */
const writerCacheKiB = 8 * 1024;
const readerCacheKiB = 2 * 1024;
/** Reads come straight from the page cache of the system up to this size of the database. */
const mmapBytes = 16 * 1024 * 1024;
/**
 * The log is folded back into the database after this many pages (64 MiB), while nothing else is written: 20 ms each time, a
 * tenth of the time of small writes at half as many pages. It is cut when a long read made it longer than that.
 */
const checkpointPages = 16_384;
const walBytesMax = 80 * 1024 * 1024;

/** The one connection that writes. Creates the database when there is none. */
export function openForWriting(
  file: string,
  options: { readonly pagesMax?: number } = {},
): SqliteWriteStatements {
  const database = new Database(file, { timeout: busyTimeoutMs });
  // https://sqlite.org/pragma.html#pragma_page_size: only before the first table is made.
  database.pragma(`page_size = ${pageBytes}`);
  // https://sqlite.org/wal.html: readers do not block the writer, nor it them.
  database.pragma('journal_mode = WAL');
  // https://sqlite.org/pragma.html#pragma_synchronous: in WAL only FULL syncs the log at each commit, so that an
  // acknowledged change survives a power cut.
  database.pragma('synchronous = FULL');
  // https://sqlite.org/pragma.html#pragma_fullfsync: on macOS fsync alone leaves data in the drive's cache.
  database.pragma('fullfsync = ON');
  // https://sqlite.org/foreignkeys.html: off by default, per connection.
  database.pragma('foreign_keys = ON');
  // https://sqlite.org/pragma.html#pragma_wal_autocheckpoint: the default of 1,000 pages folds back, and syncs the
  // database file, sixteen times as often for the same writes.
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  // https://sqlite.org/pragma.html#pragma_journal_size_limit: a log that grew under a long read shrinks again.
  database.pragma(`journal_size_limit = ${walBytesMax}`);
  tune(database, writerCacheKiB);
  // https://sqlite.org/pragma.html#pragma_max_page_count: beyond it a write fails as on a full disk.
  if (options.pagesMax !== undefined) database.pragma(`max_page_count = ${options.pagesMax}`);
  return new SqliteWriteStatements(database);
}

/** The writing connection of a database that can be rebuilt from the store: a power cut may lose its last transactions, never a part of one. */
export function openRebuildable(file: string): SqliteWriteStatements {
  const database = new Database(file, { timeout: busyTimeoutMs });
  database.pragma(`page_size = ${pageBytes}`);
  database.pragma('journal_mode = WAL');
  // https://sqlite.org/pragma.html#pragma_synchronous: no sync at a commit, one at a checkpoint.
  database.pragma('synchronous = NORMAL');
  database.pragma(`journal_size_limit = ${walBytesMax}`);
  tune(database, readerCacheKiB);
  // It merges what it has written through its whole file, so that its mapping would always be full.
  database.pragma('mmap_size = 0');
  return new SqliteWriteStatements(database);
}

/** A connection that only reads. Each statement, or each explicit transaction, sees one committed state. */
export function openForReading(file: string): SqliteReadStatements {
  const database = new Database(file, { timeout: busyTimeoutMs, readonly: true, fileMustExist: true });
  // https://sqlite.org/pragma.html#pragma_query_only: in addition to the read-only handle.
  database.pragma('query_only = ON');
  tune(database, readerCacheKiB);
  return new SqliteReadStatements(database);
}

function tune(database: Connection, cacheKiB: number): void {
  // https://sqlite.org/pragma.html#pragma_cache_size: negative means KiB.
  database.pragma(`cache_size = -${cacheKiB}`);
  // https://sqlite.org/mmap.html: saves the copy of each page that is read.
  database.pragma(`mmap_size = ${mmapBytes}`);
  // https://sqlite.org/pragma.html#pragma_temp_store: sorting never leaves files behind.
  database.pragma('temp_store = MEMORY');
}

/** Of SQLite's and the system's errors, also of one that another thread has thrown. null: it is neither of the two. */
export function storeFaultOf(error: unknown): StoreFault | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return 'corrupted';
  return /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code) ? 'full' : null;
}

/** Storage faults: the disk or the database fails, whatever the command was. A retry may succeed. */
export function isStorageFault(error: unknown): boolean {
  if (error instanceof ServerFault) return error.isPassing;
  if (!isSqliteError(error)) return false;
  return /^SQLITE_(FULL|IOERR|NOMEM|BUSY|LOCKED|CORRUPT|NOTADB|CANTOPEN|READONLY|PROTOCOL|INTERRUPT)/.test(
    error.code,
  );
}

export function isSqliteError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError;
}
