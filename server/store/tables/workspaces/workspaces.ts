// Rows of workspaces. Their contents are in files/, feed/ and outbound/.
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers } from '../../port/commands.ts';
import type { WorkspaceRow } from '../../port/store.ts';

interface Row {
  readonly workspace_id: string;
  readonly name: string;
  readonly created_at: number;
  readonly deleted_at: number | null;
  readonly files: number | null;
}

const select = `SELECT workspace_id, name, created_at, deleted_at, entries.files AS files FROM workspaces
  LEFT JOIN entries ON entries.workspace = workspaces.number AND entries.path = '/'`;

export function getWorkspace(statements: ReadStatements, workspaceId: string): WorkspaceRow | null {
  const row = statements.get<Row>(`${select} WHERE workspace_id = ?`, workspaceId);
  return row === undefined ? null : workspaceOf(row);
}

/** Oldest first. */
export function listWorkspaces(
  statements: ReadStatements,
  options: { includeDeleted: boolean },
): readonly WorkspaceRow[] {
  const where = options.includeDeleted ? '' : 'WHERE deleted_at IS NULL';
  return statements.all<Row>(`${select} ${where} ORDER BY number`).map(workspaceOf);
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
  const row = statements.memoize<{ number: number }>(
    'SELECT number FROM workspaces WHERE workspace_id = ? AND deleted_at IS NULL',
    workspaceId,
  );
  return row?.number ?? null;
}

export function workspaceHandlers(
  statements: WriteStatements,
): Handlers<'create_workspace' | 'rename_workspace' | 'set_workspace_deleted'> {
  return {
    create_workspace({ workspaceId, name, createdAtMs }) {
      const { changes, lastInsertRowid } = statements.run(
        'INSERT INTO workspaces (workspace_id, name, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        workspaceId,
        name,
        createdAtMs,
      );
      if (changes === 0) return false;
      statements.run(
        "INSERT INTO entries (workspace, path, files, updated_at) VALUES (?, '/', 0, ?)",
        lastInsertRowid,
        createdAtMs,
      );
      return true;
    },
    rename_workspace({ workspaceId, name }) {
      return (
        statements.run('UPDATE workspaces SET name = ? WHERE workspace_id = ?', name, workspaceId).changes ===
        1
      );
    },
    set_workspace_deleted({ workspaceId, deletedAtMs }) {
      return (
        statements.run(
          'UPDATE workspaces SET deleted_at = ? WHERE workspace_id = ?',
          deletedAtMs,
          workspaceId,
        ).changes === 1
      );
    },
  };
}

function workspaceOf(row: Row): WorkspaceRow {
  return {
    workspaceId: row.workspace_id,
    name: row.name,
    createdAtMs: row.created_at,
    deletedAtMs: row.deleted_at,
    files: row.files ?? 0,
  };
}
