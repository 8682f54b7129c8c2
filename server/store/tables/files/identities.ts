// Writes of content identities, so that a repeated write is recognized. Retention deletes expired rows (retention/retention.ts).

import type { ContentIdentity } from '../../../contract/files.ts';
import type { Applied } from '../../../core/change/change.ts';
import type { AcceptedChange, EarlierWrite } from '../../../core/change/decision.ts';
import { bytesOf } from '../../database/rows.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';

/** null: the identity is new, over, or there is none. */
export function identifiedWrite(
  statements: ReadStatements,
  workspace: number,
  identity: ContentIdentity | undefined,
  atMs: number,
): Pick<EarlierWrite, 'result' | 'hash'> | null {
  if (identity === undefined) return null;
  const row = statements.get<{ result: string; hash: string | null }>(
    `SELECT result, lower(hex(hash)) AS hash FROM identities
       WHERE workspace = ? AND kind = ? AND key = ? AND expires_at > ?`,
    workspace,
    identity.kind,
    identity.key,
    atMs,
  );
  if (row === undefined) return null;
  return { result: JSON.parse(row.result) as Applied, hash: row.hash === '' ? null : row.hash };
}

export function saveIdentity(
  statements: WriteStatements,
  workspace: number,
  accepted: AcceptedChange,
  result: Applied,
): void {
  if (accepted.identity === null) return;
  const { identity, hash, expiresAtMs } = accepted.identity;
  statements.run(
    'INSERT OR REPLACE INTO identities (workspace, kind, key, result, hash, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
    workspace,
    identity.kind,
    identity.key,
    JSON.stringify(result),
    bytesOf(hash),
    expiresAtMs,
  );
}
