// Deletes what retention no longer keeps. Runs in the writer as many small commands, each its own transaction with a bounded number
// of rows, so that other writes never wait long.

import type { BlobRows } from '../../contents/blob-rows.ts';
import { numberBefore } from '../../database/counters.ts';
import { historyOfPath } from '../../database/rows.ts';
import type { WriteStatements } from '../../database/statements.ts';
import type {
  Handlers,
  RetentionLimits,
  RetentionPart,
  RetentionPosition,
  RetentionResult,
} from '../../port/commands.ts';
import { removeEndedFork, removeFork } from '../forks/delete-fork.ts';
import type { IngressCounts } from '../inbound/ingress.ts';
import { nextWorkspace, nextWorkspaceBefore } from './removable-contents.ts';

/** Rows per slice. */
const sliceRows = 500;
/**
 * Retention advances by at most this much each time it runs, several times a day: a clock that is years ahead (an empty battery, a
 * mistyped year) would make all history expire at once, and a wrong clock now costs days of it instead.
 */
const advanceMsMax = 24 * 60 * 60 * 1000;

interface Slice {
  readonly statements: WriteStatements;
  readonly blobs: BlobRows;
  readonly ingress: IngressCounts;
  readonly retention: RetentionLimits;
  readonly position: RetentionPosition;
}

const start: RetentionPosition = { workspace: 0, path: '', number: 0 };
const done = (removed = 0): RetentionResult => ({ next: null, removed, freedFiles: [] });

const deps: Readonly<Record<RetentionPart, (slice: Slice) => RetentionResult>> = {
  workspaces: deleteWorkspaces,
  forks: deleteForks,
  history: deleteHistory,
  events: deleteEvents,
  operations: deleteOperations,
  identities: deleteIdentities,
  envelopes: deleteEnvelopes,
  watermarks: deleteWatermarks,
  blobs: deleteBlobs,
};

export function retentionHandlers(
  statements: WriteStatements,
  blobs: BlobRows,
  ingress: IngressCounts,
): Handlers<'apply_retention'> {
  return {
    apply_retention({ part, position, retention }) {
      // Retention counts the queue again.
      ingress.persist();
      return deps[part]({ statements, blobs, ingress, retention, position: position ?? start });
    },
  };
}

/** Records the time that retention uses. */
export function retentionClockHandlers(statements: WriteStatements): Handlers<'note_retention_time'> {
  return {
    note_retention_time({ clockMs }) {
      const noted = statements.get<{ value: string }>("SELECT value FROM meta WHERE key = 'retention_time'");
      const timeMs = noted === undefined ? clockMs : Math.min(clockMs, Number(noted.value) + advanceMsMax);
      statements.run(
        `INSERT INTO meta (key, value) VALUES ('retention_time', ?)
           ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
        String(timeMs),
      );
      return timeMs;
    },
  };
}

/** Deletes a workspace that was deleted long ago, one table after the other, its own row last. */
function deleteWorkspaces(slice: Slice): RetentionResult {
  const { statements, blobs, retention, position } = slice;
  const row = statements.get<{ number: number; workspace_id: string }>(
    'SELECT number, workspace_id FROM workspaces WHERE deleted_at < ? ORDER BY number LIMIT 1',
    retention.workspacesBeforeMs,
  );
  if (row === undefined) return done();
  const fork = statements.get<{ number: number }>(
    'SELECT number FROM forks WHERE workspace = ? ORDER BY number LIMIT 1',
    row.number,
  );
  const removed =
    fork === undefined
      ? removeSome(slice, row.number)
      : removeFork(statements, blobs, fork.number, { nowMs: retention.nowMs, whole: true });
  if (removed > 0) return { next: position, removed, freedFiles: [] };
  statements.run('DELETE FROM tokens WHERE workspace_id = ?', row.workspace_id);
  statements.run('DELETE FROM mirrors WHERE workspace_id = ?', row.workspace_id);
  statements.run('DELETE FROM remotes WHERE workspace_id = ?', row.workspace_id);
  statements.run('DELETE FROM runs WHERE workspace_id = ?', row.workspace_id);
  statements.run('DELETE FROM workspaces WHERE number = ?', row.number);
  return { next: position, removed: 1, freedFiles: [] };
}

/** Contents of forks that were committed, discarded or have expired. */
function deleteForks({ statements, blobs, retention, position }: Slice): RetentionResult {
  const part = removeEndedFork(statements, blobs, { nowMs: retention.nowMs, after: position.number });
  if (part === null) return done();
  // A fork with more rows than a slice deletes is continued.
  return {
    next: part.removed === 0 ? { ...start, number: part.fork } : position,
    removed: part.removed,
    freedFiles: [],
  };
}

function removeSome({ statements, blobs, ingress }: Slice, workspace: number): number {
  const history = statements.all<{ revision: number; hash: Buffer | null }>(
    `SELECT revision, hash FROM history WHERE workspace = ? LIMIT ${sliceRows}`,
    workspace,
  );
  for (const row of history) removeRevision(statements, blobs, workspace, row);
  if (history.length > 0) return history.length;
  for (const [table, key] of [
    ['entries', 'path'],
    ['labels', 'kind, name, value, path'],
    ['access_rules', 'path, is_marker'],
    ['events', 'seq'],
    ['operations', 'number'],
    ['operation_steps', 'operation, step'],
    ['providers', 'name'],
    ['webhook_deliveries', 'number'],
    ['webhooks', 'id'],
    ['subscription_deliveries', 'number'],
    ['subscriptions', 'number'],
    ['identities', 'kind, key'],
    ['watermarks', 'provider, key'],
    ['provider_objects', 'provider, object_id'],
    ['sent_contents', 'path'],
    ['envelopes', 'number'],
    ['ingress', 'provider'],
  ] as const) {
    const { changes } = statements.run(
      `DELETE FROM ${table} WHERE workspace = ? AND (${key}) IN
         (SELECT ${key} FROM ${table} WHERE workspace = ? LIMIT ${sliceRows})`,
      workspace,
      workspace,
    );
    if (changes === 0) continue;
    // What still waited there waits no more.
    if (table === 'envelopes') ingress.recountQueue();
    return changes;
  }
  return 0;
}

/**
 * Deletes the revisions of each path that are older than the limit and not among its newest; the one that was current at the limit
 * stays, so that every later time can be restored. The current one is always the newest. A deleted path is removed completely once
 * its last change is older than the limit.
 */
function deleteHistory({ statements, blobs, retention, position }: Slice): RetentionResult {
  if (position === start) {
    // A state from before this may be incomplete.
    statements.run(
      "UPDATE counters SET last = max(last, ?) WHERE name = 'history_floor'",
      retention.historyBeforeMs,
    );
  }
  let { workspace, path } = position;
  let removed = 0;
  for (let looked = 0; looked < sliceRows; looked += 1) {
    const next = statements.get<{ path: string }>(
      `SELECT path FROM ${historyOfPath} WHERE workspace = ? AND path > ? ORDER BY path LIMIT 1`,
      workspace,
      path,
    );
    if (next === undefined) {
      const following = nextWorkspaceBefore(statements, workspace, retention.historyBeforeMs);
      if (following === null) return done(removed);
      workspace = following;
      path = '';
      continue;
    }
    const here = deleteRevisions(statements, blobs, retention, workspace, next.path);
    removed += here;
    looked += here;
    // A path with more rows than a slice deletes is continued.
    if (here < sliceRows) path = next.path;
  }
  return { next: { workspace, path, number: 0 }, removed, freedFiles: [] };
}

function deleteRevisions(
  statements: WriteStatements,
  blobs: BlobRows,
  retention: RetentionLimits,
  workspace: number,
  path: string,
): number {
  const live = statements.get(
    'SELECT 1 FROM entries WHERE workspace = ? AND path = ? AND files IS NULL',
    workspace,
    path,
  );
  const newest = statements.get<{ at: number }>(
    `SELECT at FROM ${historyOfPath} WHERE workspace = ? AND path = ? ORDER BY revision DESC LIMIT 1`,
    workspace,
    path,
  );
  const goesWhole = live === undefined && newest !== undefined && newest.at < retention.historyBeforeMs;
  const oldestKept = goesWhole
    ? Number.MAX_SAFE_INTEGER
    : (statements.get<{ revision: number }>(
        `SELECT revision FROM ${historyOfPath} WHERE workspace = ? AND path = ? ORDER BY revision DESC LIMIT 1 OFFSET ?`,
        workspace,
        path,
        Math.max(retention.historyRevisionsMin, 1) - 1,
      )?.revision ?? 0);
  const inForce = goesWhole
    ? Number.MAX_SAFE_INTEGER
    : (statements.get<{ revision: number }>(
        `SELECT revision FROM ${historyOfPath} WHERE workspace = ? AND path = ? AND at < ? ORDER BY revision DESC LIMIT 1`,
        workspace,
        path,
        retention.historyBeforeMs,
      )?.revision ?? 0);
  const rows = statements.all<{ revision: number; hash: Buffer | null }>(
    `SELECT revision, hash FROM ${historyOfPath}
       WHERE workspace = ? AND path = ? AND revision < ? AND at < ? ORDER BY revision LIMIT ${sliceRows}`,
    workspace,
    path,
    Math.min(oldestKept, inForce),
    retention.historyBeforeMs,
  );
  for (const row of rows) removeRevision(statements, blobs, workspace, row);
  return rows.length;
}

function removeRevision(
  statements: WriteStatements,
  blobs: BlobRows,
  workspace: number,
  row: { readonly revision: number; readonly hash: Buffer | null },
): void {
  statements.run('DELETE FROM history WHERE workspace = ? AND revision = ?', workspace, row.revision);
  if (row.hash !== null) blobs.release(row.hash);
}

/** The feed retains the newest events of all workspaces together, and all recent ones. */
function deleteEvents({ statements, retention, position }: Slice): RetentionResult {
  const workspace = nextWorkspace(statements, position.workspace);
  if (workspace === null) return done();
  const rows = statements.all<{ seq: number; at: number }>(
    `SELECT seq, at FROM events WHERE workspace = ? AND seq <= ? ORDER BY seq LIMIT ${sliceRows}`,
    workspace,
    numberBefore(statements, 'event', retention.feedRowsMin),
  );
  const firstYoung = rows.findIndex((row) => row.at >= retention.feedBeforeMs);
  const old = firstYoung === -1 ? rows : rows.slice(0, firstYoung);
  const newest = old.at(-1);
  if (newest !== undefined) {
    statements.run('DELETE FROM events WHERE workspace = ? AND seq <= ?', workspace, newest.seq);
    // A cursor at or before this has missed events.
    statements.run("UPDATE counters SET last = max(last, ?) WHERE name = 'event_floor'", newest.seq);
  }
  const next = old.length === sliceRows ? position : { workspace, path: '', number: 0 };
  return { next, removed: old.length, freedFiles: [] };
}

/** Finished operations; unfinished ones stay, whatever their age. */
function deleteOperations({ statements, retention, position }: Slice): RetentionResult {
  const workspace = nextWorkspace(statements, position.workspace);
  if (workspace === null) return done();
  const rows = statements.all<{ number: number; completed_at: number | null }>(
    `SELECT number, completed_at FROM operations WHERE workspace = ? AND number > ? AND number <= ?
       ORDER BY number LIMIT ${sliceRows}`,
    workspace,
    position.number,
    numberBefore(statements, 'operation', retention.feedRowsMin),
  );
  let removed = 0;
  for (const row of rows) {
    if (row.completed_at === null || row.completed_at >= retention.feedBeforeMs) continue;
    statements.run('DELETE FROM operations WHERE workspace = ? AND number = ?', workspace, row.number);
    statements.run(
      'DELETE FROM operation_steps WHERE workspace = ? AND operation = ?',
      workspace,
      row.number,
    );
    removed += 1;
  }
  const lastRow = rows.at(-1);
  const next =
    lastRow === undefined || rows.length < sliceRows
      ? { workspace, path: '', number: 0 }
      : { workspace: position.workspace, path: '', number: lastRow.number };
  return { next, removed, freedFiles: [] };
}

function deleteIdentities(slice: Slice): RetentionResult {
  return deleteSome(
    slice,
    `DELETE FROM identities WHERE (workspace, kind, key) IN
       (SELECT workspace, kind, key FROM identities WHERE expires_at <= ? LIMIT ${sliceRows})`,
    slice.retention.nowMs,
  );
}

/** Settled envelopes, with their delivery ids. Waiting ones and dead letters stay, whatever their age. */
function deleteEnvelopes(slice: Slice): RetentionResult {
  return deleteSome(
    slice,
    `DELETE FROM envelopes WHERE number IN
       (SELECT number FROM envelopes WHERE state = 3 AND settled_at < ? ORDER BY settled_at LIMIT ${sliceRows})`,
    slice.retention.feedBeforeMs,
  );
}

/** Watermarks older than this are deleted: no provider delivers that late. */
function deleteWatermarks(slice: Slice): RetentionResult {
  return deleteSome(
    slice,
    `DELETE FROM watermarks WHERE (workspace, provider, key) IN
       (SELECT workspace, provider, key FROM watermarks WHERE at < ? ORDER BY at LIMIT ${sliceRows})`,
    slice.retention.feedBeforeMs,
  );
}

/** `sql` deletes at most a slice of rows from before a time. */
function deleteSome({ statements, position }: Slice, sql: string, beforeMs: number): RetentionResult {
  const { changes } = statements.run(sql, beforeMs);
  return { next: changes === sliceRows ? position : null, removed: changes, freedFiles: [] };
}

/** Contents that no retained revision names. */
function deleteBlobs({ blobs, position }: Slice): RetentionResult {
  const { removed, files } = blobs.collect(sliceRows);
  return { next: removed === sliceRows ? position : null, removed, freedFiles: files };
}
