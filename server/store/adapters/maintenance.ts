// Upkeep: checks, figures, retention, backup. Long work runs elsewhere; this file only sees it through.
import path from 'node:path';
import { fileSize } from '../contents/blob-files.ts';
import { readCounter } from '../database/counters.ts';
import { readEpoch } from '../database/meta.ts';
import { databaseFileName } from '../database/sqlite.ts';
import type { ReadStatements } from '../database/statements.ts';
import { backupStore } from '../maintenance/backup.ts';
import { CorruptStoreError, findMissingFiles } from '../maintenance/corruption.ts';
import { runJob } from '../maintenance/jobs.ts';
import { type Retention, type SweepPart, type SweepPosition, sweepParts } from '../port/commands.ts';
import type { MaintenanceStore } from '../port/store.ts';
import { forksNeedSinceMs } from '../tables/forks/rows.ts';
import type { StoreParts } from '../writer/store-parts.ts';
import { senders } from './senders.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Contract ruling 27. */
const feedDays = 30;
const feedRowsMinDefault = 1_000_000;
/** A deleted workspace can be restored for this long. */
const deletedWorkspaceDays = 30;

export function createMaintenance(parts: StoreParts): MaintenanceStore {
  const { read, options } = parts;
  return {
    epoch: () => read('maintenance.epoch', readEpoch),
    lastRevision: () => read('maintenance.lastRevision', (statements) => readCounter(statements, 'revision')),
    async integrityCheck() {
      // What is let go of meanwhile must not look missing.
      const release = parts.blobs.holdAll();
      try {
        return await checkStore(options.dataDir);
      } finally {
        release();
      }
    },
    backup: (dir) => backupStore(parts, dir),
    ...senders(parts, { retentionTime: 'note_retention_time' }),
    sweep: (nowMs) => sweep(parts, nowMs),
    figures: () => read('maintenance.figures', (statements) => figures(parts, statements)),
  };
}

/** What is wrong with the database, and which contents have no file of their size. With and without an agent on it. */
export async function checkStore(dataDir: string): Promise<readonly string[]> {
  const databaseFile = path.join(dataDir, databaseFileName);
  const { findings, files } = await runJob({ kind: 'check', databaseFile });
  return [...findings, ...findMissingFiles(dataDir, files ?? [])];
}

async function sweep(parts: StoreParts, nowMs: number): ReturnType<MaintenanceStore['sweep']> {
  const { settings } = parts.options;
  // Which contents nobody names is only known of tables that are whole.
  const { findings } = await runJob({ kind: 'check-contents', databaseFile: parts.databaseFile });
  if (findings.length > 0) {
    throw new CorruptStoreError(
      `${parts.databaseFile} is damaged, nothing is removed: ${findings.join('; ')}`,
    );
  }
  parts.blobs.freeOrphans();
  // What an open fork shows below its own changes is read from the history.
  const neededSinceMs = await parts.read('forks.neededSinceMs', (statements) =>
    forksNeedSinceMs(statements, nowMs),
  );
  const retention: Retention = {
    nowMs,
    historyBeforeMs: Math.min(nowMs - settings.historyDays * dayMs, neededSinceMs),
    historyRevisionsMin: settings.historyRevisionsMin,
    feedBeforeMs: nowMs - feedDays * dayMs,
    feedRowsMin: settings.feedRowsMin ?? feedRowsMinDefault,
    workspacesBeforeMs: nowMs - deletedWorkspaceDays * dayMs,
  };
  const removed = new Map<SweepPart, number>();
  await sweepAll(parts, sweepParts, retention, removed);
  const bySize = await retentionBySize(parts, retention, neededSinceMs);
  if (bySize !== null) await sweepAll(parts, ['history', 'blobs'], bySize, removed);
  parts.blobs.unlinkFreed();
  const count = (part: SweepPart) => removed.get(part) ?? 0;
  return {
    revisions: count('history'),
    events: count('events'),
    operations: count('operations'),
    blobs: count('blobs'),
  };
}

/** What is left after age had its turn is too much: then the oldest of it goes, however few versions of a path are left. */
async function retentionBySize(
  { databaseFile, options }: StoreParts,
  retention: Retention,
  neededSinceMs: number,
): Promise<Retention | null> {
  const { historyBytesMax } = options.settings;
  if (historyBytesMax === undefined) return null;
  const { nowMs } = retention;
  const limit = { bytesMax: historyBytesMax, nowMs, neededSinceMs };
  const { history } = await runJob({ kind: 'measure-history', databaseFile, limit });
  if (history === undefined || history.beforeMs === null) return null;
  const { bytes, beforeMs, isHeldBack } = history;
  if (isHeldBack) options.logger.warn({ bytes, historyBytesMax }, 'the history is larger than its limit');
  // Versions older than the limit by age are there as the last ones of their path: those go as well.
  return { ...retention, historyBeforeMs: beforeMs, historyRevisionsMin: 1 };
}

async function sweepAll(
  parts: StoreParts,
  which: readonly SweepPart[],
  retention: Retention,
  removed: Map<SweepPart, number>,
): Promise<void> {
  for (const part of which) {
    let position: SweepPosition | null = null;
    do {
      const slice: Awaited<ReturnType<typeof parts.send<'sweep'>>> = await parts.send('sweep', {
        part,
        position,
        retention,
      });
      removed.set(part, (removed.get(part) ?? 0) + slice.removed);
      parts.blobs.freed(slice.freedFiles);
      position = slice.next;
    } while (position !== null);
  }
}

function figures(parts: StoreParts, statements: ReadStatements): Readonly<Record<string, number>> {
  const count = (sql: string) => statements.get<{ value: number | null }>(sql)?.value ?? 0;
  return statements.consistently(() => ({
    workspaces: count('SELECT count(*) AS value FROM workspaces WHERE deleted_at IS NULL'),
    files: count(
      `SELECT sum(files) AS value FROM entries JOIN workspaces ON number = workspace AND deleted_at IS NULL WHERE path = '/'`,
    ),
    lastRevision: readCounter(statements, 'revision'),
    lastEvent: readCounter(statements, 'event'),
    lastOperation: readCounter(statements, 'operation'),
    unsettledOperations: count('SELECT count(*) AS value FROM operations WHERE status <> 3'),
    databaseBytes: fileSize(parts.databaseFile) ?? 0,
    walBytes: fileSize(`${parts.databaseFile}-wal`) ?? 0,
    pendingCommands: parts.writer.pendingCommands,
    /** 0 once the writer has died: nothing can be written until the agent is started again. */
    writerAlive: parts.writer.isAlive ? 1 : 0,
  }));
}
