// Backs up the store while it is in use, and restores a backup. The database is copied first, then the contents that the copy
// names, then everything is verified; the manifest is last and makes it a backup.
import { constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { copyFile, link, mkdir, open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SqliteDeps } from '../adapters/store-parts.ts';
import { blobFile, blobFolder, syncFolder, writeDurably } from '../contents/blob-files.ts';
import { hashOfFile } from '../contents/blob-reads.ts';
import { type Numbers, readCounters, skipNumbers } from '../database/counters.ts';
import { lockDataDir } from '../database/data-dir-lock.ts';
import { beginEpoch, listBlobFiles, readEpoch } from '../database/meta.ts';
import { assertKnownSchema, migrate } from '../database/migrate.ts';
import { databaseFileName, openForReading, openForWriting } from '../database/sqlite.ts';
import { BackupError, claimTarget, manifestName } from './backup-target.ts';
import { findMissingFiles, isCorruption, type NamedFile } from './corruption.ts';
import { runJob } from './jobs.ts';

/** What SQLite keeps beside a database (https://sqlite.org/walformat.html). */
const logFiles = ['-wal', '-shm'] as const;
const manifestFormat = 1;

interface Manifest {
  readonly format: typeof manifestFormat;
  readonly createdAt: string;
  readonly epoch: string;
  readonly blobFiles: number;
  readonly bytes: number;
}

/** `dir` must be new or empty. Concurrent writes are not in the copy. Throws BackupError. */
export async function backupStore(
  deps: SqliteDeps,
  dir: string,
): Promise<{ blobFiles: number; bytes: number }> {
  const target = await claimTarget(dir);
  const release = deps.blobs.holdAll();
  try {
    return await writeBackup(deps, dir);
  } catch (error) {
    // It was empty before: an incomplete backup would block the next one, and fill the disk.
    await target.discard();
    throw error;
  } finally {
    release();
    target.release();
  }
}

async function writeBackup(
  { databaseFile, options }: SqliteDeps,
  dir: string,
): Promise<{ blobFiles: number; bytes: number }> {
  const database = path.join(dir, databaseFileName);
  const { findings } = await runJob({ kind: 'copy', databaseFile, target: database });
  if (findings.length > 0) throw new BackupError(`the database cannot be copied: ${findings.join('; ')}`);
  await syncFile(database);
  const { epoch, files } = await verifyDatabase(database);
  for (const file of files) await copyContent(options.dataDir, dir, file);
  // Each was read back when it was copied; whatever else writes into this directory may have removed one since.
  const missing = findMissingFiles(dir, files);
  if (missing.length > 0) throw new BackupError(`the backup is not whole: ${missing.join('; ')}`);
  const blobBytes = files.reduce((sum, { size }) => sum + size, 0);
  const bytes = blobBytes + (await stat(database)).size;
  await writeManifest(dir, {
    format: manifestFormat,
    createdAt: new Date(options.clock.nowMs()).toISOString(),
    epoch,
    blobFiles: files.length,
    bytes,
  });
  return { blobFiles: files.length, bytes };
}

/** Copies a content and reads it back. BackupError: the stored content is missing or corrupt; the message names its files. */
async function copyContent(dataDir: string, dir: string, { hash }: NamedFile): Promise<void> {
  const from = blobFile(dataDir, hash);
  if (existsSync(from)) await copyDurably(from, blobFile(dir, hash));
  if ((await hashOfFile(blobFile(dir, hash))) === hash) return;
  const what = existsSync(from) ? 'corrupted' : 'missing';
  throw new BackupError(
    `the content ${hash} of ${namesOf(path.join(dir, databaseFileName), hash)} is ${what} in ${dataDir}`,
  );
}

/** `/docs/a.bin at rev_12 in Notes`: the last write of a content, for the error message. */
function namesOf(databaseFile: string, hash: string): string {
  const database = openForReading(databaseFile);
  try {
    const row = database.get<{ path: string; revision: number; name: string }>(
      `SELECT path, revision, workspaces.name AS name FROM history JOIN workspaces ON number = abs(workspace)
         WHERE hash = unhex(?) ORDER BY revision DESC LIMIT 1`,
      hash,
    );
    return row === undefined ? 'no file' : `${row.path} at rev_${row.revision} in ${row.name}`;
  } finally {
    database.close();
  }
}

/**
 * Replaces a data directory's store with a backup, under a new epoch and with numbers that were never assigned. Verified before
 * anything is replaced; the previous store becomes a backup in `replaced` (null: there was none). Throws BackupError and
 * DataDirInUseError.
 */
export async function restoreBackup(
  backupDir: string,
  dataDir: string,
): Promise<{ readonly epoch: string; readonly replaced: string | null }> {
  if (!existsSync(path.join(backupDir, manifestName))) {
    throw new BackupError(`${backupDir} holds no finished backup`);
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockDataDir(dataDir);
  const restored = path.join(dataDir, `restoring-${crypto.randomUUID()}.db`);
  try {
    const { files } = await verifyDatabase(path.join(backupDir, databaseFileName));
    await verifyContents(backupDir, files);
    await copyDurably(path.join(backupDir, databaseFileName), restored);
    const epoch = beginNewEpoch(restored);
    await syncFile(restored);
    const replaced = await retainReplaced(dataDir);
    skipNumbersIn(restored, replaced === null ? null : numbersOf(path.join(replaced, databaseFileName)));
    await syncFile(restored);
    for (const { hash } of files) {
      const target = blobFile(dataDir, hash);
      // What is there may be why a backup is being restored.
      if ((await hashOfFile(target)) === hash) continue;
      rmSync(target, { force: true });
      await copyDurably(blobFile(backupDir, hash), target);
    }
    // From the old store to the new one in a single step.
    await rename(restored, path.join(dataDir, databaseFileName));
    await syncFolder(dataDir);
    return { epoch, replaced };
  } finally {
    for (const end of ['', ...logFiles]) rmSync(`${restored}${end}`, { force: true });
    unlock();
  }
}

// ---- verifying

interface DatabaseDescription {
  readonly epoch: string;
  readonly files: readonly NamedFile[];
}

function describeDatabase(file: string): DatabaseDescription {
  const database = openForReading(file);
  try {
    assertKnownSchema(database);
    return { epoch: readEpoch(database), files: listBlobFiles(database) };
  } finally {
    database.close();
  }
}

async function verifyDatabase(file: string): Promise<DatabaseDescription> {
  if (!existsSync(file)) throw new BackupError(`the backup has no ${databaseFileName}`);
  const description = describeBackup(file);
  const { findings } = await runJob({ kind: 'check', databaseFile: file });
  if (findings.length > 0)
    throw new BackupError(`the backup's database is corrupted: ${findings.join('; ')}`);
  return description;
}

function describeBackup(file: string): DatabaseDescription {
  try {
    return describeDatabase(file);
  } catch (error) {
    if (!isCorruption(error)) throw error;
    throw new BackupError(`the backup's database is corrupted: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function verifyContents(dir: string, files: DatabaseDescription['files']): Promise<void> {
  for (const { hash } of files) {
    const file = blobFile(dir, hash);
    const found = await hashOfFile(file);
    if (found === null) throw new BackupError(`the backup lacks the content ${hash}`);
    if (found !== hash) throw new BackupError(`the backup's content ${hash} is corrupted`);
  }
}

// ---- replacing

function beginNewEpoch(file: string): string {
  const database = openForWriting(file);
  try {
    migrate(database);
    const epoch = beginEpoch(database);
    database.pragma('wal_checkpoint(TRUNCATE)');
    return epoch;
  } finally {
    database.close();
  }
}

function skipNumbersIn(file: string, seen: Numbers | null): void {
  const database = openForWriting(file);
  try {
    database.transaction(() => skipNumbers(database, seen, Math.random()));
    database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

/** null: it cannot be read, which may be why a backup is being restored. */
function numbersOf(file: string): Numbers | null {
  try {
    const database = openForReading(file);
    try {
      return readCounters(database);
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/** Retains the store that is about to be replaced: its database folded into one file, its contents as hard links. */
async function retainReplaced(dataDir: string): Promise<string | null> {
  const current = path.join(dataDir, databaseFileName);
  if (!logFiles.some((end) => existsSync(current + end)) && !existsSync(current)) return null;
  const kept = path.join(dataDir, `replaced-${crypto.randomUUID()}`);
  mkdirSync(kept, { mode: 0o700 });
  const folded = existsSync(current) && foldLog(current);
  if (existsSync(current)) await linkOrCopy(current, path.join(kept, databaseFileName));
  // A log that could not be folded, or whose database is missing, must not remain beside the new database: SQLite would apply it.
  for (const end of folded ? [] : logFiles) {
    if (existsSync(current + end)) renameSync(current + end, path.join(kept, databaseFileName + end));
  }
  let bytes = 0;
  let blobFiles = 0;
  // A store that was restored and never opened may have none.
  const contents = existsSync(blobFolder(dataDir)) ? blobFolder(dataDir) : null;
  for (const name of contents === null ? [] : readdirSync(contents, { recursive: true, encoding: 'utf8' })) {
    const hash = path.basename(name);
    if (!/^[0-9a-f]{64}$/.test(hash)) continue;
    mkdirSync(path.dirname(blobFile(kept, hash)), { recursive: true, mode: 0o700 });
    await linkOrCopy(blobFile(dataDir, hash), blobFile(kept, hash));
    bytes += (await stat(blobFile(kept, hash))).size;
    blobFiles += 1;
  }
  if (folded) {
    const { epoch } = describeDatabase(path.join(kept, databaseFileName));
    const createdAt = (await stat(current)).mtime.toISOString();
    await writeManifest(kept, { format: manifestFormat, createdAt, epoch, blobFiles, bytes });
  }
  await syncFolder(kept);
  return kept;
}

/** false: the database cannot even be opened, which may be why a backup is being restored. */
function foldLog(file: string): boolean {
  try {
    const database = openForWriting(file);
    try {
      assertKnownSchema(database);
      database.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      database.close();
    }
    return !existsSync(`${file}-wal`);
  } catch {
    return false;
  }
}

// ---- files

async function copyDurably(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  // Shares the blocks where the file system can (https://nodejs.org/api/fs.html#file-copy-constants).
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await syncFile(to);
  await syncFolder(path.dirname(to));
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What is linked here never changes in place, so a second name is as good as a copy. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyDurably(from, to));
}

async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  await writeDurably(path.join(dir, manifestName), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  await syncFolder(dir);
}
