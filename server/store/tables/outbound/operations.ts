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

type Row = Omit<
  OperationRow,
  'action' | 'status' | 'providerResult' | 'contentIdentity' | 'failureCode' | 'draft'
> & {
  readonly number: number;
  readonly action: number;
  readonly status: number;
  readonly providerResult: string | null;
  readonly contentIdentity: string | null;
  readonly failureCode: string | null;
  readonly draft: string | null;
};

const columns = `operations.number AS number, 'op_' || operations.number AS opId, workspace_id AS workspaceId, path, revision,
  action, provider, status, attempts AS attemptCount, next_attempt_at AS nextAttemptAtMs, last_error AS lastError,
  provider_result AS providerResult, identity AS contentIdentity, correlation_id AS correlationId,
  operations.created_at AS createdAtMs, updated_at AS updatedAtMs, completed_at AS completedAtMs,
  'op_' || superseded_by AS supersededBy, failures, renewals, failure_code AS failureCode, draft`;
const ofWorkspace = 'JOIN workspaces ON workspaces.number = operations.workspace';
const select = `SELECT ${columns} FROM operations ${ofWorkspace}`;
/** Plain saves are counted up to this number. */
const plainSavesMax = 100_000;
/** Which operations a list has: the filters that have an index. */
interface Filter {
  readonly status?: OperationStatus | undefined;
  readonly action?: OperationAction | undefined;
  readonly provider?: string | undefined;
}

/**
 * The index in which the filter finds the fewest, or none: most operations are succeeded upserts. It is named, because the planner would
 * rather walk through every operation of the workspace for the sake of the order.
 */
function indexOf({ status, action, provider }: Filter): string {
  if (status !== undefined && status !== 'succeeded') return 'INDEXED BY operations_unsettled';
  if (action === 'file_delete') return 'INDEXED BY operations_deletions';
  return provider === undefined ? '' : 'INDEXED BY operations_by_provider';
}

/** The numbers of status and action are in the text, because a partial index needs them there. */
function selectOf(filter: Filter): { readonly sql: string; readonly values: readonly string[] } {
  const { status, action, provider } = filter;
  const conditions = ['workspace = ?'];
  if (status !== undefined) conditions.push(`status = ${statusCode(status)}`);
  if (status !== undefined && status !== 'succeeded') conditions.push('status <> 3');
  if (action !== undefined) conditions.push(`action = ${actionCode(action)}`);
  if (provider !== undefined) conditions.push('provider = ?');
  return {
    sql: `SELECT ${columns} FROM operations ${indexOf(filter)} ${ofWorkspace} WHERE ${conditions.join(' AND ')}`,
    values: provider === undefined ? [] : [provider.toLowerCase()],
  };
}

export function getOperation(
  statements: ReadStatements,
  workspaceId: string,
  opId: string,
): OperationRow | null {
  const number = operationNumber(opId);
  const workspace = workspaceNumber(statements, workspaceId);
  if (number === null || workspace === null) return null;
  return operationByNumber(statements, workspace, number);
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

  const selected = selectOf({ status, action, provider: query.provider });
  const rows = statements.all<Row>(
    `${selected.sql} AND operations.number < ? ORDER BY operations.number DESC LIMIT ?`,
    workspace,
    ...selected.values,
    before,
    query.limit + 1,
  );
  return { items: rows.slice(0, query.limit).map(operationOf), more: rows.length > query.limit };
}

/** The newest of each provider and of each status but `succeeded`, by two indexes, so that no number of other saves is read. */
export function listRegisteredOperations(
  statements: ReadStatements,
  workspaceId: string,
  query: { cursor: string | null; limit: number },
): { items: readonly OperationRow[]; more: boolean } | null {
  const workspace = workspaceNumber(statements, workspaceId);
  const before = query.cursor === null ? Number.MAX_SAFE_INTEGER : operationNumber(query.cursor);
  if (before === null) return null;
  if (workspace === null) return { items: [], more: false };
  const newest = (where: string, ...values: readonly string[]): readonly number[] =>
    statements
      .all<{ number: number }>(
        `SELECT number FROM operations ${where} AND number < ? ORDER BY number DESC LIMIT ?`,
        workspace,
        ...values,
        before,
        query.limit + 1,
      )
      .map(({ number }) => number);
  const names = statements.all<{ name: string }>('SELECT name FROM providers WHERE workspace = ?', workspace);
  const numbers = new Set([
    ...names.flatMap(({ name }) =>
      newest('INDEXED BY operations_by_provider WHERE workspace = ? AND provider = ?', name),
    ),
    ...operationStatuses.flatMap((status) =>
      status === 'succeeded'
        ? []
        : newest(
            `INDEXED BY operations_unsettled WHERE workspace = ? AND status = ${statusCode(status)} AND status <> 3`,
          ),
    ),
  ]);
  const page = [...numbers].sort((left, right) => right - left);
  const items = page
    .slice(0, query.limit)
    .map((number) => operationByNumber(statements, workspace, number))
    .filter((row) => row !== null);
  return { items, more: page.length > query.limit };
}

/**
 * Succeeded operations of no registered provider: all but those that `listRegisteredOperations` has. Counted in the gaps between the names
 * of the registered ones in an index, up to `plainSavesMax`.
 */
export function countPlainSaves(statements: ReadStatements, workspaceId: string): number {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return 0;
  const names = statements
    .all<{ name: string }>('SELECT name FROM providers WHERE workspace = ? ORDER BY name', workspace)
    .map(({ name }) => name);
  let total = 0;
  for (const [index, before] of [...names, null].entries()) {
    const after = names[index - 1] ?? null;
    const gap = `${after === null ? '' : 'AND provider > ?'} ${before === null ? '' : 'AND provider < ?'}`;
    const counted = statements.get<{ total: number }>(
      `SELECT count(*) AS total FROM
         (SELECT 1 FROM operations INDEXED BY operations_by_provider WHERE workspace = ? ${gap} LIMIT ?) AS plain`,
      workspace,
      ...[after, before].filter((name) => name !== null),
      plainSavesMax - total,
    );
    total += counted?.total ?? 0;
  }
  const unsettled = statements.get<{ total: number }>(
    `SELECT count(*) AS total FROM
       (SELECT provider FROM operations INDEXED BY operations_unsettled WHERE workspace = ? AND status <> 3 LIMIT ?) AS unsettled
     WHERE provider NOT IN (SELECT name FROM providers WHERE workspace = ?)`,
    workspace,
    plainSavesMax,
    workspace,
  );
  return Math.max(0, total - (unsettled?.total ?? 0));
}

/** Of one status, oldest first, without superseded ones. */
export function oldestOperations(
  statements: ReadStatements,
  workspaceId: string,
  query: { status: OperationStatus; action?: OperationAction; provider?: string; limit: number },
): { items: readonly OperationRow[]; more: boolean } {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return { items: [], more: false };
  const selected = selectOf(query);
  const rows = statements.all<Row>(
    `${selected.sql} AND superseded_by IS NULL ORDER BY operations.number LIMIT ?`,
    workspace,
    ...selected.values,
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
        `${selectOf({ status }).sql} AND superseded_by IS NULL
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

function operationOf({ number, ...row }: Row): OperationRow {
  return {
    ...row,
    action: wordOf(operationActions, row.action - 1),
    status: wordOf(operationStatuses, row.status - 1),
    providerResult:
      row.providerResult === null ? null : (JSON.parse(row.providerResult) as Record<string, unknown>),
    contentIdentity:
      row.contentIdentity === null ? null : (JSON.parse(row.contentIdentity) as ContentIdentity),
    failureCode: failureCodes.find((code) => code === row.failureCode) ?? null,
    draft: row.draft === null ? null : (JSON.parse(row.draft) as DraftOutcome),
  };
}
