// Computes how far back the history may reach so that its unreferenced content stays within a size: the oldest is deleted first, by
// the time of its replacement or deletion. Reads everything, so it runs in a thread of its own; it deletes nothing.
import type { SqliteReadStatements } from '../database/sqlite-statements.ts';

/** Always retained: the most recent changes are the most likely to be restored. */
const retainedMsMin = 24 * 60 * 60 * 1000;

export interface HistorySize {
  /** Of unreferenced contents. */
  readonly bytes: number;
  /** Revisions replaced before this time have to be deleted; null: the limit is met. */
  readonly beforeMs: number | null;
  /** Part of the excess is younger than a day, or needed: it is deleted later. */
  readonly isOverLimit: boolean;
}

/** `neededSinceMs`: revisions that were current then or later stay. */
export function measureHistory(
  statements: SqliteReadStatements,
  limit: { readonly bytesMax: number; readonly nowMs: number; readonly neededSinceMs: number },
): HistorySize {
  // A content counts once, from when the last of its versions was over. Versions of one path follow each other; the newest of a
  // path is not over.
  const past = statements.iterate<{ over: number; size: number }>(
    `WITH versions AS (
       SELECT hash, size, lead(at) OVER (PARTITION BY workspace, path ORDER BY revision) AS over FROM history
     )
     SELECT max(over) AS over, size FROM versions
       WHERE hash IS NOT NULL AND over IS NOT NULL AND hash NOT IN (SELECT hash FROM entries WHERE hash IS NOT NULL)
       GROUP BY hash ORDER BY over DESC`,
  );
  let bytes = 0;
  let beforeMs: number | null = null;
  for (const { over, size } of past) {
    bytes += size;
    if (bytes > limit.bytesMax) beforeMs ??= over + 1;
  }
  if (beforeMs === null) return { bytes, beforeMs, isOverLimit: false };
  const most = Math.min(limit.nowMs - retainedMsMin, limit.neededSinceMs, neededSinceMs(statements));
  return { bytes, beforeMs: Math.min(beforeMs, most), isOverLimit: most < beforeMs };
}

/** Pending operations, versions of open conflicts, and what is being sent to a remote, are still needed. */
function neededSinceMs(statements: SqliteReadStatements): number {
  const oldest = (sql: string) => statements.get<{ at: number | null }>(sql)?.at ?? Number.POSITIVE_INFINITY;
  return Math.min(
    oldest('SELECT min(created_at) AS at FROM operations WHERE status IN (1, 2)'),
    oldest('SELECT min(at) AS at FROM mirror_conflicts'),
    oldest('SELECT min(at) AS at FROM remote_conflicts'),
    oldest('SELECT min(at) AS at FROM remote_sent'),
  );
}
