// Invites, and identities of OpenID providers: the two ways in which a user signs in for the first time. An invite is known by the hash of
// its secret, and its row is deleted by the command that uses it, so that of two processes one succeeds.
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers } from '../../port/commands.ts';
import { raiseVersion } from './users.ts';

/** The user of an invite that is valid now, without using it. */
export function userOfInvite(statements: ReadStatements, secretHash: string, atMs: number): string | null {
  const row = statements.get<{ userId: string }>(
    `SELECT invites.user_id AS userId FROM invites JOIN users ON users.user_id = invites.user_id
       WHERE secret_hash = ? AND expires_at > ? AND users.disabled_at IS NULL`,
    secretHash,
    atMs,
  );
  return row?.userId ?? null;
}

export function inviteHandlers(
  statements: WriteStatements,
): Handlers<'insert_invite' | 'use_invite' | 'link_identity'> {
  return {
    insert_invite({ secretHash, userId, createdBy, atMs, expiresAtMs }) {
      const user = statements.get('SELECT 1 FROM users WHERE user_id = ? AND disabled_at IS NULL', userId);
      if (user === undefined) return false;
      // A user has one open link.
      statements.run('DELETE FROM invites WHERE user_id = ? OR expires_at <= ?', userId, atMs);
      statements.run(
        'INSERT INTO invites (secret_hash, user_id, created_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
        secretHash,
        userId,
        createdBy,
        atMs,
        expiresAtMs,
      );
      return true;
    },
    use_invite({ secretHash, atMs }) {
      const userId = userOfInvite(statements, secretHash, atMs);
      if (userId === null) return null;
      statements.run('DELETE FROM invites WHERE secret_hash = ?', secretHash);
      noteSignIn(statements, userId, atMs);
      return userId;
    },
    link_identity({ issuer, subject, verifiedEmail, atMs }) {
      const known = findUser(statements, 'issuer = ? AND subject = ?', issuer, subject);
      const user =
        known ??
        (verifiedEmail === null
          ? undefined
          : findUser(statements, 'email_key = ?', verifiedEmail.toLowerCase()));
      if (user === undefined) return { outcome: 'stranger' };
      if (user.disabledAt !== null) return { outcome: 'disabled' };
      if (known === undefined) {
        if (user.issuer !== null) return { outcome: 'other_identity' };
        statements.run(
          'UPDATE users SET issuer = ?, subject = ? WHERE user_id = ?',
          issuer,
          subject,
          user.userId,
        );
        raiseVersion(statements);
      }
      // A link that is still open ends: the user no longer needs it, and its maker could enter with it.
      statements.run('DELETE FROM invites WHERE user_id = ?', user.userId);
      noteSignIn(statements, user.userId, atMs);
      return { outcome: 'user', userId: user.userId };
    },
  };
}

interface Found {
  readonly userId: string;
  readonly issuer: string | null;
  readonly disabledAt: number | null;
}

function findUser(
  statements: ReadStatements,
  where: string,
  ...values: readonly string[]
): Found | undefined {
  return statements.get<Found>(
    `SELECT user_id AS userId, issuer, disabled_at AS disabledAt FROM users WHERE ${where}`,
    ...values,
  );
}

/** The first one. */
function noteSignIn(statements: WriteStatements, userId: string, atMs: number): void {
  const { changes } = statements.run(
    'UPDATE users SET signed_in_at = ? WHERE user_id = ? AND signed_in_at IS NULL',
    atMs,
    userId,
  );
  if (changes === 1) raiseVersion(statements);
}
