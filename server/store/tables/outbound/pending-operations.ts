// Reads the writeback queue: pending and due operations, unsent paths, and counts.

import { historyActionCode } from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { WritebackCounts } from '../../port/store.ts';
import { hasOpenOperation } from '../files/provenance.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';

/** Named index, because the planner would walk through every operation of the workspace for the sake of the order. */
export const selectWaitingOperation = `SELECT number FROM operations INDEXED BY operations_open_by_path
  WHERE workspace = ? AND path = ? AND status IN (1, 2) AND status = 1
  AND superseded_by IS NULL
  AND EXISTS (SELECT 1 FROM providers WHERE providers.workspace = operations.workspace AND name = provider)
  ORDER BY number DESC LIMIT 1`;

/** The newest pending operation of the path for a registered provider that is not superseded. */
export function waitingOperationAt(
  statements: ReadStatements,
  workspace: number,
  path: string,
): number | null {
  if (!hasOpenOperation(statements, workspace, path)) return null;
  const row = statements.get<{ number: number }>(selectWaitingOperation, workspace, path);
  return row?.number ?? null;
}

/**
 * In order per path: not while another one of its path runs, nor before an older one is finished. Indexes are named here and below,
 * because the planner would rather scan every operation of the workspace.
 */
export const unblocked = `status IN (1, 2) AND status = 1 AND superseded_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM operations AS other INDEXED BY operations_open_by_path
    WHERE other.workspace = item.workspace AND other.path = item.path AND other.status IN (1, 2)
      AND other.superseded_by IS NULL AND other.number <> item.number
      AND (other.status = 2 OR other.number < item.number))`;

export function nextDueMs(statements: ReadStatements, workspaceId: string, provider: string): number | null {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return null;
  const row = statements.get<{ due: number | null }>(
    `SELECT min(coalesce(next_attempt_at, 0)) AS due FROM operations AS item INDEXED BY operations_open
       WHERE workspace = ? AND provider = ? AND ${unblocked}`,
    workspace,
    provider,
  );
  return row?.due ?? null;
}

/** Paths whose newest local state has not reached its provider: pending, running, or dead-lettered and still current. */
export function unsentPaths(statements: ReadStatements, workspaceId: string): readonly string[] {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return [];
  return statements
    .all<{ path: string }>(
      `SELECT DISTINCT path FROM operations INDEXED BY operations_open WHERE workspace = ? AND status IN (1, 2)
       UNION SELECT operations.path FROM operations INDEXED BY operations_dead
         LEFT JOIN entries ON entries.workspace = operations.workspace AND entries.path = operations.path
         WHERE operations.workspace = ? AND status = 5
           AND (action = 2 AND hash IS NULL OR entries.revision = operations.revision)`,
      workspace,
      workspace,
    )
    .map((row) => row.path);
}

/**
 * The content that a provider accepted is in `sent_contents`, written by the operation that sent it. A file is a draft while its
 * provider has not named it: no id, and no inbound event since.
 */
export function deliveredDrafts(
  statements: ReadStatements,
  workspaceId: string,
  paths: readonly string[],
): readonly { readonly path: string; readonly created: boolean }[] {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return [];
  return statements
    .all<{ path: string; before: number | null }>(
      `SELECT entries.path AS path,
         (SELECT action FROM history INDEXED BY history_by_path
            WHERE history.workspace = entries.workspace AND history.path = entries.path
              AND history.revision < entries.revision ORDER BY history.revision DESC LIMIT 1) AS before
         FROM json_each(?) AS wanted
         JOIN entries ON entries.workspace = ? AND entries.path = wanted.value AND entries.files IS NULL
         JOIN sent_contents ON sent_contents.workspace = entries.workspace AND sent_contents.path = entries.path
           AND sent_contents.hash = entries.hash
         WHERE entries.provider_object_id IS NULL`,
      JSON.stringify(paths),
      workspace,
    )
    .map(({ path, before }) => ({
      path,
      created: before === null || before === historyActionCode('delete'),
    }));
}

export function writebackCounts(
  statements: ReadStatements,
  workspaceId: string | null,
): readonly WritebackCounts[] {
  const workspace = workspaceId === null ? null : workspaceNumber(statements, workspaceId);
  if (workspaceId !== null && workspace === null) return [];
  // A condition "any workspace, or this one" would look at those of all workspaces.
  const [within, values] = workspace === null ? ['', []] : ['workspace = ? AND', [workspace]];
  return statements.consistently(() => {
    const open = statements.all<{
      provider: string;
      pending: number;
      running: number;
      oldest: number | null;
    }>(
      `SELECT provider, count(*) FILTER (WHERE status = 1) AS pending, count(*) FILTER (WHERE status = 2) AS running, min(created_at) AS oldest FROM operations
         INDEXED BY operations_open WHERE ${within} status IN (1, 2) AND superseded_by IS NULL GROUP BY provider`,
      ...values,
    );
    const dead = statements.all<{ provider: string; code: string | null; count: number }>(
      `SELECT provider, failure_code AS code, count(*) AS count FROM operations
         INDEXED BY operations_dead WHERE ${within} status = 5 GROUP BY provider, failure_code`,
      ...values,
    );
    const names = new Set([...open, ...dead].map((row) => row.provider));
    return [...names].sort().map((provider) => {
      const waiting = open.find((row) => row.provider === provider);
      const causes = dead.filter((row) => row.provider === provider);
      return {
        provider,
        pending: waiting?.pending ?? 0,
        running: waiting?.running ?? 0,
        deadLettered: causes.reduce((sum, { count }) => sum + count, 0),
        oldestPendingAtMs: waiting?.oldest ?? null,
        failureCodes: Object.fromEntries(causes.map(({ code, count }) => [code ?? 'unknown', count])),
      };
    });
  });
}
