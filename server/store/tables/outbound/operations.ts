// Reads operations: one for each accepted change that a provider may need, until it is finished.
import type { ContentIdentity } from '../../../contract/files.ts';
import {
  type OperationAction,
  type OperationStatus,
  operationActions,
  operationStatuses,
} from '../../../contract/words.ts';
import { failureCodes } from '../../../core/outbound/decide-attempt.ts';
import { actionCode, operationNumber, statusCode, wordOf } from '../../database/rows.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { DraftOutcome, OperationRow } from '../../port/store.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';

interface Row {
  readonly workspace_id: string;
  readonly number: number;
  readonly path: string;
  readonly revision: number;
  readonly action: number;
  readonly provider: string;
  readonly status: number;
  readonly attempts: number;
  readonly next_attempt_at: number | null;
  readonly last_error: string | null;
  readonly provider_result: string | null;
  readonly identity: string | null;
  readonly correlation_id: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly completed_at: number | null;
  readonly superseded_by: number | null;
  readonly failures: number;
  readonly renewals: number;
  readonly failure_code: string | null;
  readonly draft: string | null;
}

const select = `SELECT workspace_id, operations.number AS number, path, revision, action, provider, status, attempts,
  next_attempt_at, last_error, provider_result, identity, correlation_id, operations.created_at AS created_at, updated_at,
  completed_at, superseded_by, failures, renewals, failure_code, draft FROM operations JOIN workspaces ON workspaces.number = operations.workspace`;

export function getOperation(
  statements: ReadStatements,
  workspaceId: string,
  opId: string,
): OperationRow | null {
  const number = operationNumber(opId);
  const workspace = workspaceNumber(statements, workspaceId);
  if (number === null || workspace === null) return null;
  const row = statements.get<Row>(
    `${select} WHERE workspace = ? AND operations.number = ?`,
    workspace,
    number,
  );
  return row === undefined ? null : operationOf(row);
}

export function listOperations(
  statements: ReadStatements,
  workspaceId: string,
  query: { status?: string; action?: string; provider?: string; cursor: string | null; limit: number },
): { items: readonly OperationRow[]; more: boolean } | null {
  const workspace = workspaceNumber(statements, workspaceId);
  const before = query.cursor === null ? Number.MAX_SAFE_INTEGER : operationNumber(query.cursor);
  if (before === null) return null;
  const status = operationStatuses.find((word) => word === query.status);
  const action = operationActions.find((word) => word === query.action);
  const unknownWord =
    (query.status !== undefined && status === undefined) ||
    (query.action !== undefined && action === undefined);
  if (workspace === null || unknownWord) return { items: [], more: false };

  const conditions = ['workspace = ?', 'operations.number < ?'];
  const values: unknown[] = [workspace, before];
  if (status !== undefined) {
    // The number is in the text, not among the values, so that SQLite can use the partial index of unfinished ones.
    conditions.push(`status = ${statusCode(status)}`);
    if (status !== 'succeeded') conditions.push('status <> 3');
  }
  if (action !== undefined) {
    conditions.push('action = ?');
    values.push(actionCode(action));
  }
  if (query.provider !== undefined) {
    conditions.push('provider = ?');
    values.push(query.provider.toLowerCase());
  }
  const rows = statements.all<Row>(
    `${select} WHERE ${conditions.join(' AND ')} ORDER BY operations.number DESC LIMIT ?`,
    ...values,
    query.limit + 1,
  );
  return { items: rows.slice(0, query.limit).map(operationOf), more: rows.length > query.limit };
}

/** Of one status, oldest first, without superseded ones. */
export function oldestOperations(
  statements: ReadStatements,
  workspaceId: string,
  query: { status: OperationStatus; action?: OperationAction; provider?: string; limit: number },
): { items: readonly OperationRow[]; more: boolean } {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return { items: [], more: false };
  const action = query.action === undefined ? null : actionCode(query.action);
  const provider = query.provider?.toLowerCase() ?? null;
  const unsettled = query.status === 'succeeded' ? '' : 'AND status <> 3';
  const rows = statements.all<Row>(
    `${select} WHERE workspace = ? AND status = ${statusCode(query.status)} ${unsettled} AND superseded_by IS NULL
       AND (? IS NULL OR action = ?) AND (? IS NULL OR provider = ?) ORDER BY operations.number LIMIT ?`,
    workspace,
    action,
    action,
    provider,
    provider,
    query.limit + 1,
  );
  return { items: rows.slice(0, query.limit).map(operationOf), more: rows.length > query.limit };
}

/** Oldest first, pending and running, without those whose work a newer one does. */
export function pendingOperations(
  statements: ReadStatements,
  workspaceId: string,
  limit: number,
  afterOpId: string | null = null,
): readonly OperationRow[] {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return [];
  const after = afterOpId === null ? 0 : (operationNumber(afterOpId) ?? 0);
  return (['pending', 'running'] as const)
    .flatMap((status) =>
      statements.all<Row>(
        `${select} WHERE workspace = ? AND status = ${statusCode(status)} AND status <> 3 AND superseded_by IS NULL
           AND operations.number > ? ORDER BY operations.number LIMIT ?`,
        workspace,
        after,
        limit,
      ),
    )
    .toSorted((left, right) => left.number - right.number)
    .slice(0, limit)
    .map(operationOf);
}

/** By its number inside the database, for the writer. */
export function operationByNumber(
  statements: ReadStatements,
  workspace: number,
  number: number,
): OperationRow | null {
  const row = statements.get<Row>(
    `${select} WHERE workspace = ? AND operations.number = ?`,
    workspace,
    number,
  );
  return row === undefined ? null : operationOf(row);
}

function operationOf(row: Row): OperationRow {
  return {
    opId: `op_${row.number}`,
    workspaceId: row.workspace_id,
    path: row.path,
    revision: row.revision,
    action: wordOf(operationActions, row.action - 1),
    provider: row.provider,
    status: wordOf(operationStatuses, row.status - 1),
    attemptCount: row.attempts,
    nextAttemptAtMs: row.next_attempt_at,
    lastError: row.last_error,
    providerResult:
      row.provider_result === null ? null : (JSON.parse(row.provider_result) as Record<string, unknown>),
    contentIdentity: row.identity === null ? null : (JSON.parse(row.identity) as ContentIdentity),
    correlationId: row.correlation_id,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    completedAtMs: row.completed_at,
    supersededBy: row.superseded_by === null ? null : `op_${row.superseded_by}`,
    failures: row.failures,
    renewals: row.renewals,
    failureCode: failureCodes.find((code) => code === row.failure_code) ?? null,
    draft: row.draft === null ? null : (JSON.parse(row.draft) as DraftOutcome),
  };
}
