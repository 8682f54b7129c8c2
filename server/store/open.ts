// Opens the store: lock, migrations, orphans, the writer's thread, the reading connection, and the port over them. Nothing but this
// file puts the parts together.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { createMaintenance } from './adapters/maintenance.ts';
import { readNamed } from './adapters/reads.ts';
import { openSnapshot } from './adapters/snapshot.ts';
import type { SqliteDeps, StoreDeps, StoreOptions } from './adapters/store-parts.ts';
import { storePort } from './adapters/store-port.ts';
import { BlobFiles, fileSize } from './contents/blob-files.ts';
import { lockDataDir } from './database/data-dir-lock.ts';
import { MmapRelease } from './database/mmap-release.ts';
import { prepareSchema } from './database/new-database.ts';
import {
  databaseFileName,
  isStorageFault,
  openForReading,
  openForWriting,
  storeFaultOf,
} from './database/sqlite.ts';
import type { SqliteReadStatements } from './database/sqlite-statements.ts';
import { assertDatabaseIsThere, withCorruptionCheck } from './maintenance/corruption.ts';
import { CorruptionSuspicion } from './maintenance/corruption-suspicion.ts';
import { StoreUnavailableError } from './port/errors.ts';
import type { Commit, Store } from './port/store.ts';
import { isContentNamed } from './tables/files/files.ts';
import { SharedChangeCounters } from './writer/change-counters.ts';
import { Writer } from './writer/writer.ts';
import { writerThread } from './writer/writer-settings.ts';

/** A read that holds up the main thread longer than this, or a commit, is named in the log. */
const slowMs = 100;

/** Throws DataDirInUseError, FutureDatabaseError, or what the disk says. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dataDir, logger, settings } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const release = lockDataDir(dataDir);
  let beforeRelease = (): void => undefined;
  const unlock = () => {
    try {
      beforeRelease();
    } finally {
      release();
    }
  };
  try {
    beforeRelease = options.onLocked?.() ?? beforeRelease;
    const databaseFile = path.join(dataDir, databaseFileName);
    assertDatabaseIsThere(dataDir);
    withCorruptionCheck(databaseFile, () => prepareDatabase(databaseFile));
    const statements = openForReading(databaseFile);
    const blobs = new BlobFiles(
      dataDir,
      () => options.clock.nowMs(),
      (hash) => isContentNamed(statements, hash),
    );
    withCorruptionCheck(databaseFile, () => blobs.findOrphans());
    const listeners = new Set<(commit: Commit) => void>();
    const changes = new SharedChangeCounters();
    const thread = writerThread({
      dataDir,
      externalWriteback: settings.externalWriteback,
      changes: changes.memory,
      slowMs,
      ...(settings.databasePagesMax === undefined ? {} : { databasePagesMax: settings.databasePagesMax }),
    });
    const writer = await Writer.start(
      thread,
      logger,
      (commit) => {
        for (const listener of listeners) listener(commit);
      },
      options.observer,
    );
    const suspicion = new CorruptionSuspicion(databaseFile, () => options.clock.nowMs());
    const deps: SqliteDeps = {
      options,
      databaseFile,
      blobs,
      writer,
      changes,
      read: readThrough(statements, suspicion, options),
      shared: null,
      openReader: () => ({ access: { engine: 'sqlite', dataDir }, transfer: [] }),
      openSnapshot: async () => openSnapshot(databaseFile, blobs),
      send: (name, input) =>
        writer.send(name, input).catch(async (error: unknown) => {
          throw await suspicion.confirm(error);
        }),
    };
    return storePort(deps, createMaintenance(deps), listeners, async () => {
      if (!statements.isOpen) return;
      await writer.close();
      statements.close();
      foldLog(databaseFile, logger);
      unlock();
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

function prepareDatabase(databaseFile: string): void {
  // Only its owner reads it; SQLite gives the files that it makes beside a database the same mode.
  closeSync(openSync(databaseFile, 'a', 0o600));
  const database = openForWriting(databaseFile);
  try {
    prepareSchema(database);
  } finally {
    database.close();
  }
}

/**
 * Folds the log into the database file: the connection that is closed last only reads, so SQLite leaves the log beside the
 * database, where it would apply to a file that replaces the database.
 */
function foldLog(databaseFile: string, logger: StoreOptions['logger']): void {
  // Taken away while it was open: a new one in its place would look like a first start.
  if ((fileSize(databaseFile) ?? 0) === 0) return;
  try {
    // https://sqlite.org/wal.html: the last connection that can write folds the log in, and removes it.
    openForWriting(databaseFile).close();
  } catch (error) {
    // Everything is durable in the log, and the next start reads it.
    logger.warn({ err: error }, 'the log of the database stays beside it');
  }
}

function readThrough(
  statements: SqliteReadStatements,
  suspicion: CorruptionSuspicion,
  { logger, observer }: Pick<StoreOptions, 'logger' | 'observer'>,
): StoreDeps['read'] {
  const mapped = new MmapRelease(statements);
  return async (subject, name, ...input) => {
    const look = readNamed(subject, String(name));
    const startedAt = performance.now();
    try {
      return (await look(statements, ...(input as readonly unknown[] as never[]))) as never;
    } catch (error) {
      if (!statements.isOpen || isStorageFault(error)) {
        throw new StoreUnavailableError('the store cannot be read', {
          cause: error,
          fault: storeFaultOf(error),
        });
      }
      throw await suspicion.confirm(error);
    } finally {
      mapped.touched();
      const tookMs = Math.round(performance.now() - startedAt);
      if (tookMs > slowMs) {
        const readName = `${subject}.${String(name)}`;
        logger.info({ name: readName, tookMs }, 'slow read');
        observer?.slowQuery(readName);
      }
    }
  };
}
