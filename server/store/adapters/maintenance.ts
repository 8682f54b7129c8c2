// Maintenance: integrity check, counts, retention, backup. Long work runs in threads of its own; this file coordinates it.
import path from 'node:path';
import { fileSize } from '../contents/blob-files.ts';
import { databaseFileName } from '../database/sqlite.ts';
import { backupStore } from '../maintenance/backup.ts';
import { CorruptStoreError, findMissingFiles } from '../maintenance/corruption.ts';
import { runJob } from '../maintenance/jobs.ts';
import { type RetentionPart, retentionParts } from '../port/commands.ts';
import type { MaintenanceStore } from '../port/store.ts';
import type { HistoryLimit, HistorySize } from '../tables/retention/history-size.ts';
import { senders } from './port-methods.ts';
import { retainParts, retentionBySize, retentionLimits } from './retention.ts';
import type { SqliteDeps } from './store-parts.ts';

/** The parts that remove contents. */
const partsOfContents: readonly RetentionPart[] = ['workspaces', 'forks', 'history', 'blobs'];

export function createMaintenance(deps: SqliteDeps): MaintenanceStore {
  const { read, options } = deps;
  return {
    epoch: () => read('maintenance', 'epoch'),
    async integrityCheck() {
      // Contents that retention deletes meanwhile must not be reported as missing.
      const release = deps.blobs.holdAll();
      try {
        return await checkStore(options.dataDir);
      } finally {
        release();
      }
    },
    backup: (dir) => backupStore(deps, dir),
    ...senders(deps, { retentionTime: 'note_retention_time' }),
    applyRetention: (nowMs) => applyRetention(deps, nowMs),
    counts: () => storeCounts(deps),
  };
}

/** What is wrong with the database, and which contents have no file of their size. With and without an agent on it. */
export async function checkStore(dataDir: string): Promise<readonly string[]> {
  const databaseFile = path.join(dataDir, databaseFileName);
  const { findings, files } = await runJob({ kind: 'check', databaseFile });
  return [...findings, ...findMissingFiles(dataDir, files ?? [])];
}

async function applyRetention(
  deps: SqliteDeps,
  nowMs: number,
): ReturnType<MaintenanceStore['applyRetention']> {
  const { retention, neededSinceMs } = await retentionLimits(deps, nowMs);
  const removesContents =
    deps.blobs.hasOrphans || (await deps.read('maintenance', 'hasRemovableContents', retention));
  if (removesContents) {
    await checkNames(deps);
    deps.blobs.freeOrphans();
  }
  const removed = new Map<RetentionPart, number>();
  const parts = removesContents
    ? retentionParts
    : retentionParts.filter((part) => !partsOfContents.includes(part));
  await retainParts(deps, parts, retention, removed, (hashes) => deps.blobs.freed(hashes));
  const bySize = await retentionBySize(deps, retention, neededSinceMs, (limit) =>
    measured(deps.databaseFile, limit),
  );
  if (bySize !== null) {
    if (!removesContents) await checkNames(deps);
    await retainParts(deps, ['history', 'blobs'], bySize, removed, (hashes) => deps.blobs.freed(hashes));
  }
  deps.blobs.unlinkFreed();
  const count = (part: RetentionPart) => removed.get(part) ?? 0;
  return {
    revisions: count('history'),
    events: count('events'),
    operations: count('operations'),
    blobs: count('blobs'),
  };
}

/** Only an intact database says which contents are unreferenced. CorruptStoreError: this one is not. */
async function checkNames({ databaseFile }: SqliteDeps): Promise<void> {
  const { findings } = await runJob({ kind: 'check-contents', databaseFile });
  if (findings.length > 0)
    throw new CorruptStoreError(`${databaseFile} is corrupted, nothing is removed: ${findings.join('; ')}`);
}

/** Reads the whole history, so it runs in a thread of its own. */
async function measured(databaseFile: string, limit: HistoryLimit): Promise<HistorySize | null> {
  const { history } = await runJob({ kind: 'measure-history', databaseFile, limit });
  return history ?? null;
}

async function storeCounts(deps: SqliteDeps): Promise<Readonly<Record<string, number>>> {
  return {
    ...(await deps.read('maintenance', 'rowCounts')),
    databaseBytes: fileSize(deps.databaseFile) ?? 0,
    walBytes: fileSize(`${deps.databaseFile}-wal`) ?? 0,
    pendingCommands: deps.writer.pendingCommands,
    /** 0 after the writer has ended: no write is possible until the agent restarts. */
    writerAlive: deps.writer.isAlive ? 1 : 0,
  };
}
