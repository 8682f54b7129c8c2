// Computes how far back the history may reach so that its unreferenced content stays within a size: the oldest is deleted first, by
// the time of its replacement or deletion. Reads everything, so it runs where no request waits for it; it deletes nothing.
import type { ReadStatements } from '../../database/statements.ts';

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

export interface HistoryLimit {
  readonly bytesMax: number;
  readonly nowMs: number;
  /** Revisions that were current then or later stay. */
  readonly neededSinceMs: number;
}

export function measureHistory(statements: ReadStatements, limit: HistoryLimit): HistorySize {
  // A content counts once, from when the last of its versions was over. Versions of one path follow each other; the newest of a
  // path is not over. They are summed up from the youngest: what is beyond the limit has to go.
  const past = statements.get<{ bytes: number; ended: number | null }>(
    `WITH versions AS (
       SELECT hash, size, lead(at) OVER (PARTITION BY workspace, path ORDER BY revision) AS ended FROM history
     ), contents_over AS (
       SELECT max(ended) AS ended, max(size) AS size FROM versions
         WHERE hash IS NOT NULL AND ended IS NOT NULL AND hash NOT IN (SELECT hash FROM entries WHERE hash IS NOT NULL)
         GROUP BY hash
     ), summed AS (
       SELECT ended, size, sum(size) OVER (ORDER BY ended DESC ROWS UNBOUNDED PRECEDING) AS total FROM contents_over
     )
     SELECT coalesce(sum(size), 0) AS bytes, max(CASE WHEN total > ? THEN ended END) AS ended FROM summed`,
    limit.bytesMax,
  );
  const { bytes, ended } = past ?? { bytes: 0, ended: null };
  if (ended === null) return { bytes, beforeMs: null, isOverLimit: false };
  const beforeMs = ended + 1;
  const most = Math.min(limit.nowMs - retainedMsMin, limit.neededSinceMs, neededSinceMs(statements));
  return { bytes, beforeMs: Math.min(beforeMs, most), isOverLimit: most < beforeMs };
}

/** Pending operations, versions of open conflicts, and what is being sent to a remote, are still needed. */
function neededSinceMs(statements: ReadStatements): number {
  const oldest = (sql: string) => statements.get<{ at: number | null }>(sql)?.at ?? Number.POSITIVE_INFINITY;
  return Math.min(
    oldest('SELECT min(created_at) AS at FROM operations WHERE status IN (1, 2)'),
    oldest('SELECT min(at) AS at FROM mirror_conflicts'),
    oldest('SELECT min(at) AS at FROM remote_conflicts'),
    oldest('SELECT min(at) AS at FROM remote_sent'),
  );
}
