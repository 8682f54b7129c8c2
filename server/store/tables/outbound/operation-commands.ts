// Commands of operations: acknowledge, requeue, retry now, cancel. Attempts are in attempts.ts.

import { actionCode, historyOfPath, statusCode } from '../../database/rows.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Handlers, Input, Result } from '../../port/commands.ts';
import type { OperationRow } from '../../port/store.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';
import { finishAttempt, leaseDue, releaseOwned, supersedeOlder } from './attempts.ts';
import { findOperation, operationAfter } from './find-operation.ts';
import { finishOperation, finishSuperseded, type OperationDeps } from './finish-operation.ts';
import { addStep, interruptAttempt } from './steps.ts';

export function writebackHandlers(deps: OperationDeps) {
  return {
    acknowledge_operation: (input) => acknowledge(deps, input),
    requeue_operation: (input) => requeue(deps.statements, input),
    cancel_operation: (input) => cancel(deps.statements, input),
    retry_operation_now: (input) => retryNow(deps.statements, input),
    lease_writebacks: (input) => leaseDue(deps.statements, input),
    finish_writeback: (input) => finishAttempt(deps, input),
    retry_writebacks_now: (input) => retryWaitingNow(deps.statements, input),
    release_writebacks: (input) => releaseOwned(deps.statements, input),
  } satisfies Partial<Handlers>;
}

function acknowledge(
  deps: OperationDeps,
  input: Input<'acknowledge_operation'>,
): Result<'acknowledge_operation'> {
  const { statements } = deps;
  const found = findOperation(statements, input);
  if (found === null || !isOpen(found.row)) return found?.row ?? null;
  const { workspace, number, row } = found;
  const { success, error, externalId = null, canonicalPath = null, authority = null, atMs } = input;
  const correlationId = input.correlationId ?? row.correlationId;
  const providerResult = externalId === null ? input.providerResult : { ...input.providerResult, externalId };
  const status = success ? 'succeeded' : 'dead_lettered';
  statements.run(
    `UPDATE operations SET status = ?, last_error = ?, failure_code = ?, attempts = attempts + 1, next_attempt_at = NULL,
       lease_until = NULL, provider_result = ?, updated_at = ? WHERE workspace = ? AND number = ?`,
    statusCode(status),
    success ? null : error,
    success ? null : 'unknown',
    providerResult === null ? null : JSON.stringify(providerResult),
    atMs,
    workspace,
    number,
  );
  interruptAttempt(statements, workspace, number, atMs);
  addStep(statements, workspace, number, {
    kind: 'acknowledged',
    atMs,
    outcome: status,
    message: success ? null : error,
    correlationId,
  });
  const delivery = success ? { externalId, canonicalPath, providerResult } : null;
  finishOperation(deps, found, status, delivery, { atMs, correlationId, authority });
  return operationAfter(statements, workspace, number);
}

function requeue(
  statements: WriteStatements,
  input: Input<'requeue_operation'>,
): Result<'requeue_operation'> {
  const found = findOperation(statements, input);
  if (found === null) return null;
  const { workspace, number, row } = found;
  if (row.status !== 'dead_lettered') return { row, requeued: false };
  const { atMs, send, correlationId } = input;
  const carried = send === 'current' ? currentAt(statements, workspace, row) : row;
  const isOther = carried.revision !== row.revision || carried.action !== row.action;
  statements.run(
    `UPDATE operations SET status = ?, revision = ?, action = ?, renewals = renewals + ?, attempts = 0, failures = 0,
       last_error = NULL, failure_code = NULL, next_attempt_at = NULL, completed_at = NULL, superseded_by = NULL,
       updated_at = ? WHERE workspace = ? AND number = ?`,
    statusCode('pending'),
    carried.revision,
    actionCode(carried.action),
    isOther ? 1 : 0,
    atMs,
    workspace,
    number,
  );
  addStep(statements, workspace, number, { kind: 'replayed', atMs, outcome: send, correlationId });
  // A newer operation sends the current file anyway.
  if (send === 'current') supersedeOlder(statements, found, atMs);
  return { row, requeued: true };
}

function currentAt(
  statements: ReadStatements,
  workspace: number,
  row: OperationRow,
): Pick<OperationRow, 'revision' | 'action'> {
  const entry = statements.get<{ revision: number }>(
    'SELECT revision FROM entries WHERE workspace = ? AND path = ? AND files IS NULL',
    workspace,
    row.path,
  );
  if (entry !== undefined) return { revision: entry.revision, action: 'file_upsert' };
  const gone = statements.get<{ revision: number }>(
    `SELECT revision FROM ${historyOfPath} WHERE workspace = ? AND path = ? AND hash IS NULL ORDER BY revision DESC LIMIT 1`,
    workspace,
    row.path,
  );
  return { revision: gone?.revision ?? row.revision, action: 'file_delete' };
}

function cancel(statements: WriteStatements, input: Input<'cancel_operation'>): Result<'cancel_operation'> {
  const found = findOperation(statements, input);
  if (found === null) return null;
  const { workspace, number, row } = found;
  if (row.status !== 'pending') return { row, canceled: false };
  cancelOne(statements, workspace, number, input);
  return { row: operationAfter(statements, workspace, number), canceled: true };
}

/** Skips the backoff: the operation is due at once, whatever its number of attempts. */
function retryNow(
  statements: WriteStatements,
  input: Input<'retry_operation_now'>,
): Result<'retry_operation_now'> {
  const found = findOperation(statements, input);
  if (found === null) return null;
  const { workspace, number, row } = found;
  if (row.status !== 'pending' || row.supersededBy !== null) return { row, hastened: false };
  const { atMs, correlationId } = input;
  statements.run(
    'UPDATE operations SET next_attempt_at = NULL, updated_at = ? WHERE workspace = ? AND number = ?',
    atMs,
    workspace,
    number,
  );
  addStep(statements, workspace, number, { kind: 'hastened', atMs, correlationId });
  return { row: operationAfter(statements, workspace, number), hastened: true };
}

function retryWaitingNow(
  statements: WriteStatements,
  { workspaceId, provider, atMs }: Input<'retry_writebacks_now'>,
): null {
  statements.run(
    `UPDATE operations INDEXED BY operations_open SET next_attempt_at = NULL, updated_at = ?
       WHERE workspace = ? AND provider = ? AND status IN (1, 2) AND status = 1 AND next_attempt_at IS NOT NULL`,
    atMs,
    workspaceNumber(statements, workspaceId),
    provider,
  );
  return null;
}

/** Cancels all pending operations of a removed provider. Answers how many there were. */
export function cancelWaiting(
  statements: WriteStatements,
  workspace: number,
  provider: string,
  how: { readonly atMs: number; readonly correlationId: string },
): number {
  const waiting = statements.all<{ number: number }>(
    `SELECT number FROM operations INDEXED BY operations_open
       WHERE workspace = ? AND provider = ? AND status IN (1, 2) AND superseded_by IS NULL`,
    workspace,
    provider,
  );
  for (const { number } of waiting) cancelOne(statements, workspace, number, how);
  return waiting.length;
}

function cancelOne(
  statements: WriteStatements,
  workspace: number,
  number: number,
  { atMs, correlationId }: { readonly atMs: number; readonly correlationId: string },
): void {
  statements.run(
    `UPDATE operations SET status = ?, next_attempt_at = NULL, lease_until = NULL, updated_at = ?, completed_at = ?
       WHERE workspace = ? AND number = ?`,
    statusCode('canceled'),
    atMs,
    atMs,
    workspace,
    number,
  );
  interruptAttempt(statements, workspace, number, atMs);
  addStep(statements, workspace, number, { kind: 'canceled', atMs, correlationId });
  finishSuperseded(statements, workspace, number, 'canceled', atMs);
}

function isOpen(operation: OperationRow): boolean {
  return operation.status === 'pending' || operation.status === 'running';
}
