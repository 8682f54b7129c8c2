// Finishes an operation: its result, its draft, the provider's content, and the operations that it superseded. What an outcome
// means is decided in core/outbound.
import type { OperationStatus } from '../../../contract/words.ts';
import { type Authority, accessOf, reaches } from '../../../core/access/authority.ts';
import type { ProviderReceipt } from '../../../core/outbound/decide-attempt.ts';
import { draftTarget } from '../../../core/outbound/draft-names.ts';
import { statusCode } from '../../database/rows.ts';
import type { WriteStatements } from '../../database/statements.ts';
import type { Input, Result } from '../../port/commands.ts';
import type { DraftOutcome, OperationRow } from '../../port/store.ts';
import type { EventDeps } from '../feed/append-system-events.ts';
import { rememberSent } from '../files/provenance.ts';
import type { FoundOperation } from './find-operation.ts';

export interface OperationDeps extends EventDeps {
  /** A change of files inside the open transaction. */
  readonly change: (command: Input<'change_files'>) => Result<'change_files'>;
}

/** Who ended it, and when. */
interface Settling {
  readonly atMs: number;
  readonly correlationId: string;
  /** null: its provider or the owner. */
  readonly authority: Authority | null;
}

/** Writes the result, moves the draft, and finishes superseded operations. */
export function finishOperation(
  deps: OperationDeps,
  found: FoundOperation,
  status: 'succeeded' | 'dead_lettered',
  delivery: ProviderReceipt | null,
  how: Settling,
): void {
  const { statements } = deps;
  const { workspace, number } = found;
  const result =
    delivery === null || delivery.externalId === null
      ? (delivery?.providerResult ?? null)
      : { ...delivery.providerResult, externalId: delivery.externalId };
  if (status === 'succeeded') {
    rememberSent(statements, workspace, {
      path: found.row.path,
      revision: found.row.revision,
      atMs: how.atMs,
    });
  }
  const draft = delivery === null ? null : moveDraft(deps, found.row, delivery, how);
  statements.run(
    'UPDATE operations SET provider_result = ?, draft = ?, completed_at = ? WHERE workspace = ? AND number = ?',
    result === null ? null : JSON.stringify(result),
    draft === null ? null : JSON.stringify(draft),
    how.atMs,
    workspace,
    number,
  );
  // Operations that a dead-lettered one superseded were not sent; a replay sends them.
  finishSuperseded(
    statements,
    workspace,
    number,
    status === 'succeeded' ? 'succeeded' : 'canceled',
    how.atMs,
  );
}

/** null: neither a name nor a path was given. */
function moveDraft(
  deps: OperationDeps,
  row: OperationRow,
  delivery: ProviderReceipt,
  { atMs, correlationId, authority }: Settling,
): DraftOutcome | null {
  if (delivery.externalId === null && delivery.canonicalPath === null) return null;
  const to = draftTarget(row.path, delivery);
  if (row.action !== 'file_upsert' || to === null || to === row.path) return { action: 'none' };
  if (!reaches(authority, row.path) || !reaches(authority, to)) return { action: 'none' };
  const [result] = deps.change({
    kind: 'change_files',
    workspaceId: row.workspaceId,
    changes: [
      {
        kind: 'place_draft',
        from: row.path,
        to,
        externalId: delivery.externalId,
        sentRevision: row.revision,
      },
    ],
    atomic: false,
    actor: { kind: 'system', name: 'system', tokenId: null },
    origin: 'system',
    access: accessOf(authority),
    correlationId,
    makesOperations: false,
    atMs,
  });
  if (result?.ok !== true) return { action: 'none' };
  return result.path === to
    ? { action: 'renamed', from: row.path, to }
    : { action: 'removed', from: row.path };
}

export function finishSuperseded(
  statements: WriteStatements,
  workspace: number,
  number: number,
  status: Extract<OperationStatus, 'succeeded' | 'canceled'>,
  atMs: number,
): void {
  statements.run(
    `WITH RECURSIVE taken (number) AS (
         SELECT number FROM operations WHERE workspace = ? AND superseded_by = ?
         UNION SELECT older.number FROM taken CROSS JOIN operations AS older INDEXED BY operations_superseded
           WHERE older.workspace = ? AND older.superseded_by = taken.number)
       UPDATE operations SET status = ?, updated_at = ?, completed_at = ?
         WHERE workspace = ? AND status = 1 AND number IN (SELECT number FROM taken)`,
    workspace,
    number,
    workspace,
    statusCode(status),
    atMs,
    atMs,
    workspace,
  );
}
