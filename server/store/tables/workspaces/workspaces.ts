// Rows of workspaces. Their contents are in files/, feed/ and outbound/.
import { storedTime } from '../../database/rows.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers } from '../../port/commands.ts';
import { ImpossibleRowError } from '../../port/errors.ts';
import type { WorkspaceRow } from '../../port/store.ts';

const select = `SELECT workspace_id AS workspaceId, name, created_at AS createdAtMs, deleted_at AS deletedAtMs,
  coalesce(entries.files, 0) AS files FROM workspaces
  LEFT JOIN entries ON entries.workspace = workspaces.number AND entries.path = '/'`;

export function getWorkspace(statements: ReadStatements, workspaceId: string): WorkspaceRow | null {
  const row = statements.get<WorkspaceRow>(`${select} WHERE workspace_id = ?`, workspaceId);
  return row === undefined ? null : checked(row);
}

/** Oldest first. */
export function listWorkspaces(
  statements: ReadStatements,
  options: { includeDeleted: boolean },
): readonly WorkspaceRow[] {
  const where = options.includeDeleted ? '' : 'WHERE deleted_at IS NULL';
  return statements.all<WorkspaceRow>(`${select} ${where} ORDER BY number`).map(checked);
}

/** Corrupted pages can appear as rows without values that the table requires (maintenance/corruption-suspicion.ts). */
function checked(row: WorkspaceRow): WorkspaceRow {
  const { workspaceId, name, createdAtMs } = row;
  if (typeof workspaceId !== 'string' || typeof name !== 'string' || !Number.isSafeInteger(createdAtMs))
    throw new ImpossibleRowError('a workspace has no id, name or time');
  storedTime(createdAtMs);
  return row;
}

/** The number that identifies a workspace in the large tables; a deleted one keeps its number. */
export function workspaceNumber(statements: ReadStatements, workspaceId: string): number | null {
  const row = statements.get<{ number: number }>(
    'SELECT number FROM workspaces WHERE workspace_id = ?',
    workspaceId,
  );
  return row?.number ?? null;
}

/** The workspace's number; null when it is unknown or deleted. Memoized until a command changes workspaces. */
export function findActiveWorkspace(statements: ReadStatements, workspaceId: string): number | null {
  const row = statements.memoize<{ number: number }>(selectActiveWorkspace, workspaceId);
  return row?.number ?? null;
}

export const selectActiveWorkspace =
  'SELECT number FROM workspaces WHERE workspace_id = ? AND deleted_at IS NULL';

export function workspaceHandlers(
  statements: WriteStatements,
): Handlers<'create_workspace' | 'rename_workspace' | 'set_workspace_deleted'> {
  return {
    create_workspace({ workspaceId, name, createdAtMs }) {
      const created = statements.get<{ number: number }>(
        'INSERT INTO workspaces (workspace_id, name, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING number',
        workspaceId,
        name,
        createdAtMs,
      );
      if (created === undefined) return false;
      statements.run(
        "INSERT INTO entries (workspace, path, files, updated_at) VALUES (?, '/', 0, ?)",
        created.number,
        createdAtMs,
      );
      return true;
    },
    rename_workspace({ workspaceId, name }) {
      const { changes } = statements.run(
        'UPDATE workspaces SET name = ? WHERE workspace_id = ?',
        name,
        workspaceId,
      );
      return changes === 1;
    },
    set_workspace_deleted({ workspaceId, deletedAtMs }) {
      const { changes } = statements.run(
        'UPDATE workspaces SET deleted_at = ? WHERE workspace_id = ?',
        deletedAtMs,
        workspaceId,
      );
      return changes === 1;
    },
  };
}
