// The writer's thread of SQLite: the one connection that writes. Disk syncs run here, so that they never delay a request on the main
// thread.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { blobFile } from '../contents/blob-files.ts';
import { MmapRelease } from '../database/mmap-release.ts';
import { databaseFileName, isStorageFault, openForWriting } from '../database/sqlite.ts';
import type { SqliteWriteStatements } from '../database/sqlite-statements.ts';
import { SharedChangeCounters } from './change-counters.ts';
import { createCommandHandlers } from './command-handlers.ts';
import { serveCommands } from './serve-commands.ts';
import type { WriterSettings } from './writer-settings.ts';

/**
 * After this pause a log of at least so many changes (some 4 MiB) is folded back into the database: reads are then mapped from the
 * file, and the fold does not interrupt the next burst of writes. Occasional writes pay no second sync for it.
 */
const foldPauseMs = 250;
const foldChangesMin = 500;

function serve(): void {
  if (parentPort === null) throw new Error('the writer runs only as a worker thread');
  const { dataDir, databasePagesMax, externalWriteback, changes, slowMs } = workerData as WriterSettings;
  const statements = openForWriting(
    path.join(dataDir, databaseFileName),
    databasePagesMax === undefined ? {} : { pagesMax: databasePagesMax },
  );
  const deps = createCommandHandlers(
    statements,
    externalWriteback,
    (hash) => existsSync(blobFile(dataDir, hash)),
    new SharedChangeCounters(changes),
  );
  const mapped = new MmapRelease(statements);
  let changesInLog = 0;
  let isIdle = () => true;
  const fold = setTimeout(() => {
    if (changesInLog < foldChangesMin || !isIdle()) return;
    changesInLog = 0;
    foldLog(statements);
  }, foldPauseMs);
  serveCommands(parentPort, deps, {
    slowMs,
    committed(count, nothingWaits) {
      changesInLog += count;
      isIdle = nothingWaits;
      fold.refresh();
      mapped.touched();
    },
    close() {
      clearTimeout(fold);
      statements.close();
    },
  });
}

function foldLog(statements: SqliteWriteStatements): void {
  try {
    // https://sqlite.org/pragma.html#pragma_wal_checkpoint: as much as can be done without waiting for readers.
    statements.pragma('wal_checkpoint(PASSIVE)');
  } catch (error) {
    // Everything is durable in the log; the next write reports the disk's error.
    if (!isStorageFault(error)) throw error;
  }
}

serve();
