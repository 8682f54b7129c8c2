// Whether retention has contents to remove: a few reads by index, however large the history is. Most sweeps find nothing, and need not check
// the database before.
import type { ReadStatements } from '../../database/statements.ts';
import type { RetentionLimits } from '../../port/commands.ts';

/** true: a deleted workspace, an ended fork, an old history or an unreferenced content is there. */
export function hasRemovableContents(statements: ReadStatements, retention: RetentionLimits): boolean {
  const exists = (sql: string, ...values: readonly number[]) => statements.get(sql, ...values) !== undefined;
  return (
    exists('SELECT 1 FROM workspaces WHERE deleted_at < ? LIMIT 1', retention.workspacesBeforeMs) ||
    exists('SELECT 1 FROM forks WHERE ended_at IS NOT NULL OR expires_at <= ? LIMIT 1', retention.nowMs) ||
    exists('SELECT 1 FROM blobs WHERE refs = 0 LIMIT 1') ||
    nextWorkspaceBefore(statements, 0, retention.historyBeforeMs) !== null
  );
}

/** The next workspace whose history begins before the time: in a younger one there is nothing to look for, however many files it has. */
export function nextWorkspaceBefore(
  statements: ReadStatements,
  after: number,
  beforeMs: number,
): number | null {
  for (let at = nextWorkspace(statements, after); at !== null; at = nextWorkspace(statements, at)) {
    const first = statements.get<{ at: number }>(
      'SELECT at FROM history WHERE workspace = ? ORDER BY revision LIMIT 1',
      at,
    );
    if (first !== undefined && first.at < beforeMs) return at;
  }
  return null;
}

export function nextWorkspace(statements: ReadStatements, after: number): number | null {
  const row = statements.get<{ number: number }>(
    'SELECT number FROM workspaces WHERE number > ? ORDER BY number LIMIT 1',
    after,
  );
  return row?.number ?? null;
}
