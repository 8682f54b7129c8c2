// Rows of tokens. Never the token itself: only its id and its scopes.

import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers } from '../../port/commands.ts';
import type { TokenRow } from '../../port/store.ts';

/** Expired tokens are still listed for a while and then deleted, a few rows with each new token. */
const expiredRetainedMs = 30 * 86_400_000;
const expiredRowsMax = 20;

type Row = Omit<TokenRow, 'scopes'> & { readonly scopes: string };

const select = `SELECT token_id AS tokenId, workspace_id AS workspaceId, agent, scopes, created_at AS createdAtMs,
  expires_at AS expiresAtMs, revoked_at AS revokedAtMs, deletes_per_minute AS deletesPerMinute,
  last_used_at AS lastUsedAtMs, fork_id AS forkId, user_id AS userId FROM tokens`;

export function getToken(statements: ReadStatements, tokenId: string): TokenRow | null {
  const row = statements.get<Row>(`${select} WHERE token_id = ?`, tokenId);
  return row === undefined ? null : tokenOf(row);
}

/** Newest first. */
export function listTokens(statements: ReadStatements, workspaceId: string): readonly TokenRow[] {
  return statements
    .all<Row>(`${select} WHERE workspace_id = ? ORDER BY created_at DESC, token_id`, workspaceId)
    .map(tokenOf);
}

export function revokedTokenIds(statements: ReadStatements, nowMs: number): readonly string[] {
  return statements
    .all<{ token_id: string }>(
      'SELECT token_id FROM tokens WHERE revoked_at IS NOT NULL AND expires_at > ?',
      nowMs,
    )
    .map((row) => row.token_id);
}

/** `onRevoked`: ends the registrations of the token, in the same transaction. */
export function tokenHandlers(
  statements: WriteStatements,
  onRevoked: (tokenId: string, atMs: number) => void,
): Handlers<'insert_token' | 'revoke_token' | 'note_token_use'> {
  return {
    insert_token(row) {
      statements.run(
        `DELETE FROM tokens WHERE token_id IN (SELECT token_id FROM tokens WHERE expires_at < ? LIMIT ${expiredRowsMax})`,
        row.createdAtMs - expiredRetainedMs,
      );
      statements.run(
        `INSERT INTO tokens (token_id, workspace_id, agent, scopes, created_at, expires_at, revoked_at, deletes_per_minute, last_used_at, fork_id, user_id)
           VALUES (@tokenId, @workspaceId, @agent, @scopes, @createdAtMs, @expiresAtMs, @revokedAtMs, @deletesPerMinute, @lastUsedAtMs, @forkId, @userId)`,
        { ...row, scopes: JSON.stringify(row.scopes) },
      );
      return null;
    },
    revoke_token({ workspaceId, tokenId, atMs }) {
      const { changes } = statements.run(
        'UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE workspace_id = ? AND token_id = ?',
        atMs,
        workspaceId,
        tokenId,
      );
      if (changes === 1) onRevoked(tokenId, atMs);
      return changes === 1;
    },
    note_token_use({ tokenId, atMs }) {
      statements.run(
        'UPDATE tokens SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE token_id = ?',
        atMs,
        tokenId,
      );
      return null;
    },
  };
}

function tokenOf(row: Row): TokenRow {
  return { ...row, scopes: JSON.parse(row.scopes) as string[] };
}

/** A token may be revoked, or a role changed, between the verification and the command of a request. `ids`: of tokens and roles. */
export function isAnyRevoked(statements: ReadStatements, ids: readonly string[]): boolean {
  return ids.some((id) => {
    if (id.startsWith('rol_'))
      return statements.get('SELECT 1 FROM user_roles WHERE role_id = ?', id) === undefined;
    if (id.startsWith('usr_'))
      return (
        statements.get('SELECT 1 FROM users WHERE user_id = ? AND disabled_at IS NULL', id) === undefined
      );
    const revoked = 'SELECT 1 FROM tokens WHERE token_id = ? AND revoked_at IS NOT NULL';
    return statements.get(revoked, id) !== undefined;
  });
}
