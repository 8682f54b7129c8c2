// Maintenance of a hub's database. Backups are PostgreSQL's (docs/hub.md). Any process may run retention: one at a time does.
import type pg from 'pg';
import { senders } from '../adapters/port-methods.ts';
import { retainParts, retentionBySize, retentionLimits } from '../adapters/retention.ts';
import type { StoreDeps } from '../adapters/store-parts.ts';
import { type RetentionPart, retentionParts } from '../port/commands.ts';
import type { MaintenanceStore } from '../port/store.ts';
import type { HubState } from './hub-state.ts';
import { resultTypes } from './session.ts';

/** Any number that only retention locks. */
const retentionLock = 0x6d6f6f73;
const hourMs = 60 * 60 * 1000;
/** A content that was stored and not named yet. */
const stagedMsMin = 24 * hourMs;
/** For processes that ask whether their last group was committed. */
const commitMarksMs = hourMs;
/** Contents that are removed in one transaction. */
const contentsTogether = 100;

export interface HubMaintenanceDeps {
  readonly deps: StoreDeps;
  readonly pool: pg.Pool;
  readonly pendingCommands: () => number;
  readonly isWriterAlive: () => boolean;
  readonly pendingReads: () => number;
  readonly shared: Pick<HubState, 'isLeader' | 'members' | 'lostTails'>;
}

export function hubMaintenance(parts: HubMaintenanceDeps): MaintenanceStore {
  const { deps, pool } = parts;
  return {
    epoch: () => deps.read('maintenance', 'epoch'),
    integrityCheck: () => missingContents(pool),
    backup: () =>
      Promise.reject(
        new Error('a hub is backed up with pg_dump, and the master key file beside it (docs/hub.md)'),
      ),
    ...senders(deps, { retentionTime: 'note_retention_time' }),
    applyRetention: (nowMs) => retainAlone(parts, nowMs),
    async counts() {
      const { rows } = await pool.query<{ bytes: number }>({
        text: 'SELECT pg_database_size(current_database()) AS bytes',
        types: resultTypes,
      });
      return {
        ...(await deps.read('maintenance', 'rowCounts')),
        databaseBytes: rows[0]?.bytes ?? 0,
        pendingCommands: parts.pendingCommands(),
        pendingReads: parts.pendingReads(),
        connections: pool.totalCount,
        idleConnections: pool.idleCount,
        waitingForConnection: pool.waitingCount,
        members: (await parts.shared.members()).length,
        leads: parts.shared.isLeader ? 1 : 0,
        /** Since the database was made: an alarm is about its rise. */
        lostTails: (await parts.shared.lostTails()).length,
        /** 0 after the writer has ended: no write is possible until the process restarts. */
        writerAlive: parts.isWriterAlive() ? 1 : 0,
      };
    },
  };
}

const nothingRemoved = { revisions: 0, events: 0, operations: 0, blobs: 0 };

async function retainAlone(
  { deps, pool }: HubMaintenanceDeps,
  nowMs: number,
): ReturnType<MaintenanceStore['applyRetention']> {
  // The lock ends with its connection, so that a killed process leaves none.
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const { rows } = await client.query<{ taken: number }>({
      text: 'SELECT pg_try_advisory_lock($1) AS taken',
      values: [retentionLock],
      types: resultTypes,
    });
    if (rows[0]?.taken !== 1) return nothingRemoved;
    try {
      const removed = new Map<RetentionPart, number>();
      const { retention, neededSinceMs } = await retentionLimits(deps, nowMs);
      // The contents are removed below.
      const retain = async (which: readonly RetentionPart[], limits: typeof retention) =>
        await retainParts(deps, which, limits, removed, () => undefined);
      await retain(retentionParts, retention);
      const bySize = await retentionBySize(deps, retention, neededSinceMs, (limit) =>
        deps.read('maintenance', 'measureHistory', limit),
      );
      if (bySize !== null) await retain(['history', 'blobs'], bySize);
      await removeContents(client, nowMs);
      const count = (part: RetentionPart) => removed.get(part) ?? 0;
      return {
        revisions: count('history'),
        events: count('events'),
        operations: count('operations'),
        blobs: count('blobs'),
      };
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [retentionLock]);
    }
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw failure;
  } finally {
    // A connection in an unknown state is closed, and its lock ends.
    client.release(failure);
  }
}

/** Contents that no row names, and old marks of commits. The writers' lock is held, so that none is named meanwhile. */
async function removeContents(client: pg.PoolClient, nowMs: number): Promise<void> {
  for (;;) {
    await client.query('BEGIN');
    await client.query("SELECT last FROM counters WHERE name = 'revision' FOR NO KEY UPDATE");
    const { rowCount } = await client.query(
      `DELETE FROM contents WHERE hash IN (SELECT hash FROM contents WHERE staged_at < $1
         AND NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.hash = contents.hash) LIMIT ${contentsTogether})`,
      [nowMs - stagedMsMin],
    );
    await client.query('DELETE FROM commits WHERE at < $1', [nowMs - commitMarksMs]);
    await client.query('DELETE FROM delete_windows WHERE ends_at < clock_ms()');
    await client.query('COMMIT');
    if ((rowCount ?? 0) < contentsTogether) return;
  }
}

async function missingContents(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ hash: string }>(
    `SELECT encode(hash, 'hex') AS hash FROM blobs
       WHERE bytes IS NULL AND NOT EXISTS (SELECT 1 FROM contents WHERE contents.hash = blobs.hash) LIMIT 1000`,
  );
  return rows.map(({ hash }) => `the content ${hash} is missing: write it again, or restore a backup`);
}
