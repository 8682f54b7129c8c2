// Attempts: the lease of due operations, the end of an attempt, and recovery of interrupted ones.
import {
  type AttemptDecision,
  type AttemptOutcome,
  decideAttempt,
} from '../../../core/outbound/decide-attempt.ts';
import { statusCode } from '../../database/rows.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { Input, Result } from '../../port/commands.ts';
import { appendEvent } from '../feed/append-system-events.ts';
import { type FoundOperation, findOperation, operationAfter } from './find-operation.ts';
import { finishOperation, type OperationDeps } from './finish-operation.ts';
import { unblocked, waitingOperationAt } from './pending-operations.ts';
import { addStep, interruptAttempt } from './steps.ts';

export function leaseDue(
  statements: WriteStatements,
  input: Input<'lease_writebacks'>,
): Result<'lease_writebacks'> {
  const { workspaceId, provider, owner, atMs, leaseMs, limit } = input;
  const workspace = statements.get<{ number: number }>(
    'SELECT number FROM workspaces WHERE workspace_id = ? AND deleted_at IS NULL',
    workspaceId,
  )?.number;
  if (workspace === undefined || isPaused(statements, workspace, provider)) return [];
  const expired = statements.all<{ number: number }>(
    `SELECT number FROM operations INDEXED BY operations_running
       WHERE workspace = ? AND provider = ? AND status = 2 AND lease_until <= ?`,
    workspace,
    provider,
    atMs,
  );
  for (const { number } of expired) release(statements, workspace, number, atMs);
  const due = statements.all<{ number: number }>(
    `SELECT number FROM operations AS item INDEXED BY operations_open
       WHERE workspace = ? AND provider = ? AND coalesce(next_attempt_at, 0) <= ? AND ${unblocked}
       ORDER BY number LIMIT ?`,
    workspace,
    provider,
    atMs,
    limit,
  );
  return due.map(({ number }) => {
    statements.run(
      `UPDATE operations SET status = ?, attempts = attempts + 1, next_attempt_at = NULL, lease_until = ?, lease_owner = ?,
         updated_at = ? WHERE workspace = ? AND number = ?`,
      statusCode('running'),
      atMs + leaseMs,
      owner,
      atMs,
      workspace,
      number,
    );
    const row = operationAfter(statements, workspace, number);
    addStep(statements, workspace, number, { kind: 'attempt', atMs, attempt: row.attemptCount });
    return row;
  });
}

/** Also checked with the lease: the sender has read the provider before, and what is written after a pause is not sent. */
function isPaused(statements: WriteStatements, workspace: number, provider: string): boolean {
  const row = statements.get<{ paused: number }>(
    'SELECT paused FROM providers WHERE workspace = ? AND name = ?',
    workspace,
    provider,
  );
  return row?.paused === 1;
}

export function finishAttempt(
  deps: OperationDeps,
  input: Input<'finish_writeback'>,
): Result<'finish_writeback'> {
  const { statements } = deps;
  const { outcome, atMs } = input;
  const found = findOperation(statements, input);
  if (found === null || found.row.status !== 'running' || found.row.attemptCount !== input.attempt)
    return null;
  const { workspace, number, row } = found;
  const decision = decideAttempt(row, outcome, input);
  recordAttempt(statements, found, outcome, decision, atMs);
  if (decision.status === 'pending') {
    supersedeOlder(statements, found, atMs);
  } else {
    finishOperation(deps, found, decision.status, outcome.kind === 'delivered' ? outcome : null, {
      atMs,
      correlationId: row.correlationId,
      authority: null,
    });
    appendEvent(
      deps,
      { number: workspace, workspaceId: row.workspaceId },
      {
        type: decision.status === 'succeeded' ? 'writeback.succeeded' : 'writeback.failed',
        path: row.path,
        revision: row.revision,
        origin: 'system',
        provider: row.provider,
        correlationId: row.correlationId,
        atMs,
        rules: rulesOf(statements, workspace, number),
      },
    );
  }
  return operationAfter(statements, workspace, number);
}

/** Writes the end of an attempt to its operation, its step and its provider. */
function recordAttempt(
  statements: WriteStatements,
  { workspace, number, row }: FoundOperation,
  outcome: AttemptOutcome,
  decision: AttemptDecision,
  atMs: number,
): void {
  const message = outcome.kind === 'delivered' ? null : outcome.message;
  const code = outcome.kind === 'delivered' ? null : outcome.code;
  statements.run(
    `UPDATE operations SET status = ?, failures = ?, next_attempt_at = ?, lease_until = NULL, last_error = ?,
       failure_code = ?, updated_at = ? WHERE workspace = ? AND number = ?`,
    statusCode(decision.status),
    decision.failures,
    decision.nextAttemptAtMs,
    message,
    code,
    atMs,
    workspace,
    number,
  );
  statements.run(
    `UPDATE operation_steps SET ended_at = ?, outcome = ?, http_status = ?, code = ?, message = ?, next_attempt_at = ?
       WHERE workspace = ? AND operation = ? AND kind = 'attempt' AND ended_at IS NULL`,
    atMs,
    outcome.kind,
    outcome.httpStatus,
    code,
    message,
    decision.nextAttemptAtMs,
    workspace,
    number,
  );
  statements.run(
    outcome.kind === 'delivered'
      ? 'UPDATE providers SET last_success_at = ?, last_error = ? WHERE workspace = ? AND name = ?'
      : 'UPDATE providers SET last_failure_at = ?, last_error = ? WHERE workspace = ? AND name = ?',
    atMs,
    message,
    workspace,
    row.provider,
  );
}

export function releaseOwned(
  statements: WriteStatements,
  { owner, atMs }: Input<'release_writebacks'>,
): number {
  const running = statements.all<{ workspace: number; number: number }>(
    'SELECT workspace, number FROM operations INDEXED BY operations_running WHERE status = 2 AND lease_owner = ?',
    owner,
  );
  for (const { workspace, number } of running) release(statements, workspace, number, atMs);
  return running.length;
}

/** Its worker has ended: it is unknown whether the provider accepted it, so it is sent again with the same key. */
function release(statements: WriteStatements, workspace: number, number: number, atMs: number): void {
  statements.run(
    `UPDATE operations SET status = ?, lease_until = NULL, updated_at = ? WHERE workspace = ? AND number = ?`,
    statusCode('pending'),
    atMs,
    workspace,
    number,
  );
  interruptAttempt(statements, workspace, number, atMs);
  supersedeOlder(statements, { workspace, number, row: operationAfter(statements, workspace, number) }, atMs);
}

/** Its path was written again while it was running: the newer operation supersedes it. */
export function supersedeOlder(
  statements: WriteStatements,
  { workspace, number, row }: FoundOperation,
  atMs: number,
): void {
  const newer = waitingOperationAt(statements, workspace, row.path);
  if (newer === null || newer <= number) return;
  statements.run(
    'UPDATE operations SET superseded_by = ?, next_attempt_at = NULL, updated_at = ? WHERE workspace = ? AND number = ?',
    newer,
    atMs,
    workspace,
    number,
  );
}

function rulesOf(statements: ReadStatements, workspace: number, number: number): string | null {
  const row = statements.get<{ rules: string | null }>(
    'SELECT rules FROM operations WHERE workspace = ? AND number = ?',
    workspace,
    number,
  );
  return row?.rules ?? null;
}
