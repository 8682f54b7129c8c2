// Rows of users and of their roles in workspaces. Every change raises the version, by which processes know that theirs is old.
import { isRole, type Role } from '../../../core/access/roles.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers } from '../../port/commands.ts';
import type { RoleRow, SetRoleInput, UserRow, UsersSnapshot } from '../../port/store.ts';

const selectUser = `SELECT user_id AS userId, name, email, is_owner AS isOwner, created_at AS createdAtMs,
  disabled_at AS disabledAtMs, signed_in_at AS signedInAtMs, issuer FROM users`;
const selectRole =
  'SELECT role_id AS roleId, user_id AS userId, workspace_id AS workspaceId, role FROM user_roles';

export function usersVersion(statements: ReadStatements): number {
  return statements.get<{ version: number }>('SELECT version FROM users_version')?.version ?? 0;
}

/** Users by name, roles by workspace. The version is read first, so that a change in between is read again. */
export function readUsers(statements: ReadStatements): UsersSnapshot {
  const version = usersVersion(statements);
  const users = statements.all<Omit<UserRow, 'isOwner'> & { readonly isOwner: number }>(
    `${selectUser} ORDER BY name_key`,
  );
  const rows = statements.all<Omit<RoleRow, 'role'> & { readonly role: string }>(
    `${selectRole} ORDER BY workspace_id, user_id`,
  );
  return {
    version,
    users: users.map((row) => ({ ...row, isOwner: row.isOwner === 1 })),
    roles: rows.flatMap(({ role, ...row }) => (isRole(role) ? [{ ...row, role }] : [])),
  };
}

/** Ends what a token, a role or an owner has registered, in the same transaction. */
type EndRegistrations = (id: string, atMs: number) => void;

export function userHandlers(
  statements: WriteStatements,
  endRegistrations: EndRegistrations,
): Handlers<'insert_user' | 'set_user_disabled' | 'set_user_role' | 'remove_user_role'> {
  return {
    insert_user({ row, usersMax }) {
      const [nameKey, emailKey] = [row.name.toLowerCase(), row.email?.toLowerCase() ?? null];
      if (statements.get('SELECT 1 FROM users WHERE name_key = ?', nameKey) !== undefined)
        return 'name_taken';
      if (
        emailKey !== null &&
        statements.get('SELECT 1 FROM users WHERE email_key = ?', emailKey) !== undefined
      )
        return 'email_taken';
      const counted = statements.get<{ users: number }>('SELECT count(*) AS users FROM users');
      if ((counted?.users ?? 0) >= usersMax) return 'too_many';
      statements.run(
        `INSERT INTO users (user_id, name, name_key, email, email_key, is_owner, created_at)
           VALUES (@userId, @name, @nameKey, @email, @emailKey, @isOwner, @createdAtMs)`,
        {
          userId: row.userId,
          name: row.name,
          nameKey,
          email: row.email,
          emailKey,
          isOwner: row.isOwner ? 1 : 0,
          createdAtMs: row.createdAtMs,
        },
      );
      raiseVersion(statements);
      return 'inserted';
    },
    set_user_disabled({ userId, disabledAtMs, atMs }) {
      const { changes } = statements.run(
        'UPDATE users SET disabled_at = ? WHERE user_id = ?',
        disabledAtMs,
        userId,
      );
      if (changes === 0) return null;
      raiseVersion(statements);
      if (disabledAtMs === null) return [];
      statements.run('DELETE FROM invites WHERE user_id = ?', userId);
      for (const { roleId } of statements.all<RoleRow>(`${selectRole} WHERE user_id = ?`, userId))
        endRegistrations(roleId, atMs);
      endRegistrations(userId, atMs);
      return revokeTokensOf(statements, userId, null, atMs, endRegistrations);
    },
    set_user_role: (input) => setRole(statements, input, endRegistrations),
    remove_user_role({ userId, workspaceId, byUserId, atMs }) {
      const before = roleOf(statements, userId, workspaceId);
      if (before === null) return null;
      if (byUserId !== null && isLastOwner(statements, before)) return 'last_owner';
      statements.run('DELETE FROM user_roles WHERE role_id = ?', before.roleId);
      raiseVersion(statements);
      endRegistrations(before.roleId, atMs);
      return revokeTokensOf(statements, userId, workspaceId, atMs, endRegistrations);
    },
  };
}

function setRole(
  statements: WriteStatements,
  { roleId, userId, workspaceId, role, atMs, byUserId, rolesMax }: SetRoleInput,
  endRegistrations: EndRegistrations,
) {
  if (statements.get('SELECT 1 FROM users WHERE user_id = ?', userId) === undefined) return 'unknown_user';
  const before = roleOf(statements, userId, workspaceId);
  if (before?.role === role) return 'unchanged';
  if (before !== null && byUserId !== null && isLastOwner(statements, before)) return 'last_owner';
  if (before === null) {
    const counted = statements.get<{ roles: number }>('SELECT count(*) AS roles FROM user_roles');
    if ((counted?.roles ?? 0) >= rolesMax) return 'too_many';
    // The holder of a link that an owner of another workspace made must not come into this one with it.
    statements.run('DELETE FROM invites WHERE user_id = ? AND created_by IS NOT NULL', userId);
  } else {
    statements.run('DELETE FROM user_roles WHERE role_id = ?', before.roleId);
    endRegistrations(before.roleId, atMs);
  }
  statements.run(
    'INSERT INTO user_roles (role_id, user_id, workspace_id, role, created_at) VALUES (?, ?, ?, ?, ?)',
    roleId,
    userId,
    workspaceId,
    role,
    atMs,
  );
  raiseVersion(statements);
  return 'set';
}

function roleOf(
  statements: ReadStatements,
  userId: string,
  workspaceId: string,
): { readonly roleId: string; readonly workspaceId: string; readonly role: Role } | null {
  const row = statements.get<RoleRow>(
    `${selectRole} WHERE user_id = ? AND workspace_id = ?`,
    userId,
    workspaceId,
  );
  return row ?? null;
}

function isLastOwner(
  statements: ReadStatements,
  { workspaceId, role }: Pick<RoleRow, 'workspaceId' | 'role'>,
): boolean {
  if (role !== 'owner') return false;
  const counted = statements.get<{ owners: number }>(
    `SELECT count(*) AS owners FROM user_roles WHERE workspace_id = ? AND role = 'owner'`,
    workspaceId,
  );
  return (counted?.owners ?? 0) <= 1;
}

/** Personal tokens of the user, in one workspace or (null) in all. Returns their ids. */
function revokeTokensOf(
  statements: WriteStatements,
  userId: string,
  workspaceId: string | null,
  atMs: number,
  endRegistrations: EndRegistrations,
): readonly string[] {
  const [where, ...values] =
    workspaceId === null
      ? (['user_id = ?', userId] as const)
      : (['user_id = ? AND workspace_id = ?', userId, workspaceId] as const);
  const tokens = statements.all<{ tokenId: string }>(
    `SELECT token_id AS tokenId FROM tokens WHERE ${where} AND revoked_at IS NULL`,
    ...values,
  );
  for (const { tokenId } of tokens) {
    statements.run('UPDATE tokens SET revoked_at = ? WHERE token_id = ?', atMs, tokenId);
    endRegistrations(tokenId, atMs);
  }
  return tokens.map(({ tokenId }) => tokenId);
}

export function raiseVersion(statements: WriteStatements): void {
  statements.run('UPDATE users_version SET version = version + 1 WHERE id = 1');
}
