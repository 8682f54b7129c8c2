// The story of an operation, step by step: attempts with their ends, acknowledgements, replays. Bounded for each operation.

import { operationNumber } from '../../database/rows.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';
import type { OperationStepRow } from '../../port/store.ts';
import { workspaceNumber } from '../workspaces/workspaces.ts';

/** Steps retained per operation; older ones are deleted. */
const stepsMax = 200;

export function listSteps(
  statements: ReadStatements,
  workspaceId: string,
  opId: string,
): readonly OperationStepRow[] {
  const workspace = workspaceNumber(statements, workspaceId);
  const number = operationNumber(opId);
  if (workspace === null || number === null) return [];
  return statements.all<OperationStepRow>(
    `SELECT step, kind, at AS atMs, ended_at AS endedAtMs, attempt, outcome, http_status AS httpStatus, code, message,
       next_attempt_at AS nextAttemptAtMs, correlation_id AS correlationId
       FROM operation_steps WHERE workspace = ? AND operation = ? ORDER BY step`,
    workspace,
    number,
  );
}

export function addStep(
  statements: WriteStatements,
  workspace: number,
  operation: number,
  step: Pick<OperationStepRow, 'kind' | 'atMs'> & Partial<OperationStepRow>,
): void {
  const last =
    statements.get<{ last: number | null }>(
      'SELECT max(step) AS last FROM operation_steps WHERE workspace = ? AND operation = ?',
      workspace,
      operation,
    )?.last ?? 0;
  statements.run(
    `INSERT INTO operation_steps (workspace, operation, step, kind, at, attempt, outcome, message, correlation_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    workspace,
    operation,
    last + 1,
    step.kind,
    step.atMs,
    step.attempt ?? null,
    step.outcome ?? null,
    step.message ?? null,
    step.correlationId ?? null,
  );
  if (last < stepsMax) return;
  statements.run(
    'DELETE FROM operation_steps WHERE workspace = ? AND operation = ? AND step <= ?',
    workspace,
    operation,
    last + 1 - stepsMax,
  );
}

export function interruptAttempt(
  statements: WriteStatements,
  workspace: number,
  number: number,
  atMs: number,
): void {
  statements.run(
    `UPDATE operation_steps SET ended_at = ?, outcome = 'interrupted'
       WHERE workspace = ? AND operation = ? AND kind = 'attempt' AND ended_at IS NULL`,
    atMs,
    workspace,
    number,
  );
}
