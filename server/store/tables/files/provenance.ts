// Records which content each provider has and where its objects are, so that echoes can be recognized. Runs in the writer, inside
// its transaction; whether an event is an echo is decided in core/inbound.

import type { SentRecord } from '../../../core/inbound/decide-envelope.ts';
import type { EchoClaim } from '../../../core/inbound/read-payload.ts';
import { hexOf, operationNumber, originCode } from '../../database/rows.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';

/** Callers may repeat a correlation id: it identifies one write only this long. */
const claimWindowMs = 2 * 60_000;
/** Operations searched for a claimed correlation id, newest first. */
const claimOperationsMax = 1_000;
/** Contents being sent to a provider that one path is compared with. */
const openContentsMax = 100;

/** An inbound change since a revision counts as later than that revision reaching the provider. */
const nothingLater = (
  revision: string,
) => `NOT EXISTS (SELECT 1 FROM history AS later INDEXED BY history_by_path
  WHERE later.workspace = history.workspace AND later.path = history.path AND later.revision > ${revision}
    AND later.origin = ${originCode('provider_sync')})`;

/**
 * The provider has accepted the operation's content. Call it where an operation succeeds. When an inbound event changed the path
 * meanwhile it is unknown which of the two the provider has, so its next event is no echo.
 */
export function rememberSent(
  statements: WriteStatements,
  workspace: number,
  operation: { readonly path: string; readonly revision: number; readonly atMs: number },
): void {
  statements.run(
    `INSERT OR REPLACE INTO sent_contents (workspace, path, hash, at)
       SELECT workspace, path, hash, ? FROM history WHERE workspace = ? AND path = ? AND revision = ?
         AND ${nothingLater('history.revision')}`,
    operation.atMs,
    workspace,
    operation.path,
    operation.revision,
  );
}

/** The provider has written content of its own. */
export function deleteSent(statements: WriteStatements, workspace: number, path: string): void {
  statements.run('DELETE FROM sent_contents WHERE workspace = ? AND path = ?', workspace, path);
}

/** A file moved: its sent content and its provider id move with it. */
export function moveProvenance(
  statements: WriteStatements,
  workspace: number,
  from: string,
  to: string,
): void {
  statements.run('DELETE FROM provider_objects WHERE workspace = ? AND path = ?', workspace, to);
  statements.run(
    'UPDATE provider_objects SET path = ? WHERE workspace = ? AND path = ?',
    to,
    workspace,
    from,
  );
  statements.run(
    `DELETE FROM sent_contents WHERE workspace = ? AND path = ? AND EXISTS
       (SELECT 1 FROM sent_contents AS moved WHERE moved.workspace = ? AND moved.path = ?)`,
    workspace,
    to,
    workspace,
    from,
  );
  statements.run('UPDATE sent_contents SET path = ? WHERE workspace = ? AND path = ?', to, workspace, from);
}

/** A file was deleted; its sent content (`sent_contents`) stays. */
export function deleteObjectAt(statements: WriteStatements, workspace: number, path: string): void {
  statements.run('DELETE FROM provider_objects WHERE workspace = ? AND path = ?', workspace, path);
}

export function setObject(
  statements: WriteStatements,
  workspace: number,
  provider: string,
  objectId: string,
  path: string,
): void {
  deleteObjectAt(statements, workspace, path);
  statements.run(
    'INSERT OR REPLACE INTO provider_objects (workspace, provider, object_id, path) VALUES (?, ?, ?, ?)',
    workspace,
    provider,
    objectId,
    path,
  );
}

export function objectPath(
  statements: ReadStatements,
  workspace: number,
  provider: string,
  objectId: string,
): string | null {
  const known = statements.get<{ path: string }>(
    'SELECT path FROM provider_objects WHERE workspace = ? AND provider = ? AND object_id = ?',
    workspace,
    provider,
    objectId,
  );
  if (known !== undefined) return known.path;
  // A file of ours that its provider named when it accepted it.
  const named = statements.get<{ path: string }>(
    `SELECT path FROM entries INDEXED BY entries_by_object
       WHERE workspace = ? AND provider_object_id = ? AND top = ? LIMIT 1`,
    workspace,
    objectId,
    provider,
  );
  return named?.path ?? null;
}

/** The content that the provider accepted last, and those being sent to it. */
export function sentTo(statements: ReadStatements, workspace: number, path: string): readonly SentRecord[] {
  const last = statements.get<{ hash: Buffer | null }>(
    'SELECT hash FROM sent_contents WHERE workspace = ? AND path = ?',
    workspace,
    path,
  );
  const open = hasOpenOperation(statements, workspace, path) ? openContents(statements, workspace, path) : [];
  return [...(last === undefined ? [] : [last]), ...open].map(({ hash }) => ({
    hash: hash === null ? null : hexOf(hash),
  }));
}

/** Named index, because the planner would walk through every operation of the workspace. */
export const selectOpenOperation = `SELECT 1 FROM operations INDEXED BY operations_open_by_path
  WHERE workspace = ? AND path = ? AND status IN (1, 2) LIMIT 1`;

/** Most paths have none, and this runs for each write and inbound event: without ORDER BY it takes a tenth of the time. */
export function hasOpenOperation(statements: ReadStatements, workspace: number, path: string): boolean {
  return statements.get(selectOpenOperation, workspace, path) !== undefined;
}

function openContents(
  statements: ReadStatements,
  workspace: number,
  path: string,
): readonly { readonly hash: Buffer | null }[] {
  return statements.all<{ hash: Buffer | null }>(
    `SELECT history.hash AS hash FROM operations INDEXED BY operations_open_by_path
       JOIN history ON history.workspace = operations.workspace AND history.path = operations.path
         AND history.revision = operations.revision
       WHERE operations.workspace = ? AND operations.path = ? AND operations.status IN (1, 2)
         AND ${nothingLater('operations.revision')}
       ORDER BY operations.number DESC LIMIT ${openContentsMax}`,
    workspace,
    path,
  );
}

/** Does the claim name one of our writes? An operation id is valid at any time, a correlation id for two minutes. */
export function isEcho(
  statements: ReadStatements,
  workspace: number,
  claim: EchoClaim,
  correlationId: string,
  atMs: number,
): boolean {
  const number = claim.opId === null ? null : operationNumber(claim.opId);
  if (number !== null) {
    const known = statements.get(
      'SELECT 1 FROM operations WHERE workspace = ? AND number = ?',
      workspace,
      number,
    );
    if (known !== undefined) return true;
  }
  const recent = statements.get(
    `SELECT 1 FROM (SELECT correlation_id, created_at FROM operations WHERE workspace = ?
       ORDER BY number DESC LIMIT ${claimOperationsMax}) AS recent
       WHERE created_at >= ? AND correlation_id = ? LIMIT 1`,
    workspace,
    atMs - claimWindowMs,
    claim.correlationId ?? correlationId,
  );
  return recent !== undefined;
}
