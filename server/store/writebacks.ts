// Outbound items: operations on their way to a provider. Leases, the end of attempts, acknowledgements, replays and
// cancellations, each with all that belongs to it in one transaction. What an end means is decided in core/writeback.
import type { OperationStatus } from '../contract/operations.ts';
import { type Delivery, decideAttempt, placeAfter } from '../core/writeback.ts';
import type { Handlers, Input, Result } from './commands.ts';
import { operationByNumber } from './operations.ts';
import { actionCode, statusCode } from './persist-effect.ts';
import type { DraftOutcome, OperationRow, OperationStepRow, WritebackFigures } from './port.ts';
import { hasOpenOperation, rememberSent } from './provenance.ts';
import { operationNumber } from './rows.ts';
import type { Statements } from './sqlite.ts';
import { appendEvent, type EventParts } from './system-events.ts';
import { workspaceNumber } from './workspaces.ts';

/** Steps that are kept of one operation; of a longer story the oldest go. */
const stepsMax = 200;

export interface WritebackParts extends EventParts {
  /** A change of files inside the open transaction. */
  readonly change: (command: Input<'change_files'>) => Result<'change_files'>;
}

type Kinds =
  | 'acknowledge_operation'
  | 'requeue_operation'
  | 'cancel_operation'
  | 'hasten_operation'
  | 'lease_writebacks'
  | 'finish_writeback'
  | 'release_writebacks';

/** An operation with the numbers that the database knows it by. */
interface Found {
  readonly workspace: number;
  readonly number: number;
  readonly row: OperationRow;
}

export function writebackHandlers(parts: WritebackParts): Handlers<Kinds> {
  return {
    acknowledge_operation: (input) => acknowledge(parts, input),
    requeue_operation: (input) => requeue(parts.statements, input),
    cancel_operation: (input) => cancel(parts.statements, input),
    hasten_operation: (input) => hasten(parts.statements, input),
    lease_writebacks: (input) => lease(parts.statements, input),
    finish_writeback: (input) => finish(parts, input),
    release_writebacks: ({ atMs }) => releaseRunning(parts.statements, atMs),
  };
}

// ---- reads

/** The newest operation of the path that waits for a registered provider and that nothing has taken the place of yet. */
export function waitingOperationAt(statements: Statements, workspace: number, path: string): number | null {
  if (!hasOpenOperation(statements, workspace, path)) return null;
  const row = statements.get<{ number: number }>(
    // Named, because the planner would walk through every operation of the workspace for the sake of the order.
    `SELECT number FROM operations INDEXED BY operations_open_by_path
       WHERE workspace = ? AND path = ? AND status IN (1, 2) AND status = 1
       AND superseded_by IS NULL
       AND EXISTS (SELECT 1 FROM providers WHERE providers.workspace = operations.workspace AND name = provider)
       ORDER BY number DESC LIMIT 1`,
    workspace,
    path,
  );
  return row?.number ?? null;
}

/**
 * In order per path: not while another one of its path runs, nor before an older one is settled. Indexes are named here and
 * below, because the planner would rather walk through every operation of the workspace.
 */
const unblocked = `status IN (1, 2) AND status = 1 AND superseded_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM operations AS other INDEXED BY operations_open_by_path
    WHERE other.workspace = item.workspace AND other.path = item.path AND other.status IN (1, 2)
      AND other.superseded_by IS NULL AND other.number <> item.number
      AND (other.status = 2 OR other.number < item.number))`;

export function nextDueMs(statements: Statements, workspaceId: string, provider: string): number | null {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return null;
  const row = statements.get<{ due: number | null }>(
    `SELECT min(coalesce(next_attempt_at, 0)) AS due FROM operations AS item INDEXED BY operations_open
       WHERE workspace = ? AND provider = ? AND ${unblocked}`,
    workspace,
    provider,
  );
  return row?.due ?? null;
}

/** Paths whose newest local state has not reached its provider: what waits or runs, and what died and is still current. */
export function unsentPaths(statements: Statements, workspaceId: string): readonly string[] {
  const workspace = workspaceNumber(statements, workspaceId);
  if (workspace === null) return [];
  return statements
    .all<{ path: string }>(
      `SELECT DISTINCT path FROM operations WHERE workspace = ? AND status IN (1, 2)
       UNION SELECT operations.path FROM operations INDEXED BY operations_dead
         LEFT JOIN entries ON entries.workspace = operations.workspace AND entries.path = operations.path
         WHERE operations.workspace = ? AND status = 5
           AND (action = 2 AND hash IS NULL OR entries.revision = operations.revision)`,
      workspace,
      workspace,
    )
    .map((row) => row.path);
}

interface StepRow {
  readonly step: number;
  readonly kind: OperationStepRow['kind'];
  readonly at: number;
  readonly ended_at: number | null;
  readonly attempt: number | null;
  readonly outcome: string | null;
  readonly http_status: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly next_attempt_at: number | null;
  readonly correlation_id: string | null;
}

export function listSteps(
  statements: Statements,
  workspaceId: string,
  opId: string,
): readonly OperationStepRow[] {
  const workspace = workspaceNumber(statements, workspaceId);
  const number = operationNumber(opId);
  if (workspace === null || number === null) return [];
  return statements
    .all<StepRow>(
      `SELECT step, kind, at, ended_at, attempt, outcome, http_status, code, message, next_attempt_at, correlation_id
         FROM operation_steps WHERE workspace = ? AND operation = ? ORDER BY step`,
      workspace,
      number,
    )
    .map((row) => ({
      step: row.step,
      kind: row.kind,
      atMs: row.at,
      endedAtMs: row.ended_at,
      attempt: row.attempt,
      outcome: row.outcome,
      httpStatus: row.http_status,
      code: row.code,
      message: row.message,
      nextAttemptAtMs: row.next_attempt_at,
      correlationId: row.correlation_id,
    }));
}

export function writebackFigures(
  statements: Statements,
  workspaceId: string | null,
): readonly WritebackFigures[] {
  const workspace = workspaceId === null ? null : workspaceNumber(statements, workspaceId);
  if (workspaceId !== null && workspace === null) return [];
  return statements.consistently(() => {
    const open = statements.all<{
      provider: string;
      pending: number;
      running: number;
      oldest: number | null;
    }>(
      `SELECT provider, sum(status = 1) AS pending, sum(status = 2) AS running, min(created_at) AS oldest FROM operations
         WHERE status IN (1, 2) AND superseded_by IS NULL AND (? IS NULL OR workspace = ?) GROUP BY provider`,
      workspace,
      workspace,
    );
    const dead = statements.all<{ provider: string; code: string | null; count: number }>(
      `SELECT provider, failure_code AS code, count(*) AS count FROM operations
         WHERE status = 5 AND (? IS NULL OR workspace = ?) GROUP BY provider, failure_code`,
      workspace,
      workspace,
    );
    const names = new Set([...open, ...dead].map((row) => row.provider));
    return [...names].sort().map((provider) => {
      const waiting = open.find((row) => row.provider === provider);
      const causes = dead.filter((row) => row.provider === provider);
      return {
        provider,
        pending: waiting?.pending ?? 0,
        running: waiting?.running ?? 0,
        deadLettered: causes.reduce((sum, { count }) => sum + count, 0),
        oldestPendingAtMs: waiting?.oldest ?? null,
        failureCodes: Object.fromEntries(causes.map(({ code, count }) => [code ?? 'unknown', count])),
      };
    });
  });
}

// ---- lease and end of an attempt

function lease(statements: Statements, input: Input<'lease_writebacks'>): Result<'lease_writebacks'> {
  const { workspaceId, provider, atMs, leaseMs, limit } = input;
  const workspace = statements.get<{ number: number }>(
    'SELECT number FROM workspaces WHERE workspace_id = ? AND deleted_at IS NULL',
    workspaceId,
  )?.number;
  if (workspace === undefined) return [];
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
      `UPDATE operations SET status = ?, attempts = attempts + 1, next_attempt_at = NULL, lease_until = ?, updated_at = ?
         WHERE workspace = ? AND number = ?`,
      statusCode('running'),
      atMs + leaseMs,
      atMs,
      workspace,
      number,
    );
    const row = mustFind(statements, workspace, number);
    addStep(statements, workspace, number, { kind: 'attempt', atMs, attempt: row.attemptCount });
    return row;
  });
}

function finish(parts: WritebackParts, input: Input<'finish_writeback'>): Result<'finish_writeback'> {
  const { statements } = parts;
  const { outcome, atMs } = input;
  const found = find(statements, input);
  if (found === null || found.row.status !== 'running' || found.row.attemptCount !== input.attempt)
    return null;
  const { workspace, number, row } = found;
  const decision = decideAttempt(row, outcome, input);
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
  if (decision.status === 'pending') {
    letNewerTakeOver(statements, found, atMs);
  } else {
    settle(parts, found, decision.status, outcome.kind === 'delivered' ? outcome : null, {
      atMs,
      correlationId: row.correlationId,
    });
    appendEvent(
      parts,
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
  return mustFind(statements, workspace, number);
}

/** While it was running its path was written again: what is new goes, and carries this one's change along. */
function letNewerTakeOver(statements: Statements, { workspace, number, row }: Found, atMs: number): void {
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

function releaseRunning(statements: Statements, atMs: number): number {
  const running = statements.all<{ workspace: number; number: number }>(
    'SELECT workspace, number FROM operations INDEXED BY operations_running WHERE status = 2',
  );
  for (const { workspace, number } of running) release(statements, workspace, number, atMs);
  return running.length;
}

/** Its worker is gone: nobody knows whether the provider took it, so it is sent again under the same key. */
function release(statements: Statements, workspace: number, number: number, atMs: number): void {
  statements.run(
    `UPDATE operations SET status = ?, lease_until = NULL, updated_at = ? WHERE workspace = ? AND number = ?`,
    statusCode('pending'),
    atMs,
    workspace,
    number,
  );
  interruptAttempt(statements, workspace, number, atMs);
  letNewerTakeOver(statements, { workspace, number, row: mustFind(statements, workspace, number) }, atMs);
}

function interruptAttempt(statements: Statements, workspace: number, number: number, atMs: number): void {
  statements.run(
    `UPDATE operation_steps SET ended_at = ?, outcome = 'interrupted'
       WHERE workspace = ? AND operation = ? AND kind = 'attempt' AND ended_at IS NULL`,
    atMs,
    workspace,
    number,
  );
}

// ---- acknowledge, replay, cancel

function acknowledge(
  parts: WritebackParts,
  input: Input<'acknowledge_operation'>,
): Result<'acknowledge_operation'> {
  const { statements } = parts;
  const found = find(statements, input);
  if (found === null || !isOpen(found.row)) return found?.row ?? null;
  const { workspace, number, row } = found;
  const { success, error, externalId = null, canonicalPath = null, atMs } = input;
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
  settle(parts, found, status, delivery, { atMs, correlationId });
  return mustFind(statements, workspace, number);
}

function requeue(statements: Statements, input: Input<'requeue_operation'>): Result<'requeue_operation'> {
  const found = find(statements, input);
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
  // What the file is now is what a newer one carries anyway.
  if (send === 'current') letNewerTakeOver(statements, found, atMs);
  return { row, requeued: true };
}

function currentAt(
  statements: Statements,
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
    'SELECT revision FROM history WHERE workspace = ? AND path = ? AND hash IS NULL ORDER BY revision DESC LIMIT 1',
    workspace,
    row.path,
  );
  return { revision: gone?.revision ?? row.revision, action: 'file_delete' };
}

function cancel(statements: Statements, input: Input<'cancel_operation'>): Result<'cancel_operation'> {
  const found = find(statements, input);
  if (found === null) return null;
  const { workspace, number, row } = found;
  if (row.status !== 'pending') return { row, canceled: false };
  cancelOne(statements, workspace, number, input);
  return { row: mustFind(statements, workspace, number), canceled: true };
}

/** Somebody does not want to wait for the next try: it is due at once, as often as it was tried. */
function hasten(statements: Statements, input: Input<'hasten_operation'>): Result<'hasten_operation'> {
  const found = find(statements, input);
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
  return { row: mustFind(statements, workspace, number), hastened: true };
}

/** Everything that waits for a provider that is taken away. How many there were. */
export function cancelWaiting(
  statements: Statements,
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
  statements: Statements,
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
  settleSuperseded(statements, workspace, number, 'canceled', atMs);
}

// ---- shared

/** What the end of an item brings along: its result, its draft, and those whose work it did. */
function settle(
  parts: WritebackParts,
  found: Found,
  status: 'succeeded' | 'dead_lettered',
  delivery: Delivery | null,
  how: { readonly atMs: number; readonly correlationId: string },
): void {
  const { statements } = parts;
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
  const draft = delivery === null ? null : placeDraft(parts, found.row, delivery, how);
  statements.run(
    'UPDATE operations SET provider_result = ?, draft = ?, completed_at = ? WHERE workspace = ? AND number = ?',
    result === null ? null : JSON.stringify(result),
    draft === null ? null : JSON.stringify(draft),
    how.atMs,
    workspace,
    number,
  );
  // What a dead one took along was not carried, and is in what a replay of it sends.
  settleSuperseded(
    statements,
    workspace,
    number,
    status === 'succeeded' ? 'succeeded' : 'canceled',
    how.atMs,
  );
}

/** null: neither name nor place was given. */
function placeDraft(
  parts: WritebackParts,
  row: OperationRow,
  delivery: Delivery,
  { atMs, correlationId }: { readonly atMs: number; readonly correlationId: string },
): DraftOutcome | null {
  if (delivery.externalId === null && delivery.canonicalPath === null) return null;
  const to = placeAfter(row.path, delivery);
  if (row.action !== 'file_upsert' || to === null || to === row.path) return { action: 'none' };
  const [result] = parts.change({
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
    access: null,
    correlationId,
    makesOperations: false,
    atMs,
  });
  if (result?.ok !== true) return { action: 'none' };
  return result.path === to
    ? { action: 'renamed', from: row.path, to }
    : { action: 'removed', from: row.path };
}

function settleSuperseded(
  statements: Statements,
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

function addStep(
  statements: Statements,
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

function find(
  statements: Statements,
  { workspaceId, opId }: { readonly workspaceId: string; readonly opId: string },
): Found | null {
  const number = operationNumber(opId);
  const workspace = workspaceNumber(statements, workspaceId);
  if (number === null || workspace === null) return null;
  const row = operationByNumber(statements, workspace, number);
  return row === null ? null : { workspace, number, row };
}

function mustFind(statements: Statements, workspace: number, number: number): OperationRow {
  const row = operationByNumber(statements, workspace, number);
  if (row === null) throw new Error(`operation ${number} is gone in the transaction that changes it`);
  return row;
}

function rulesOf(statements: Statements, workspace: number, number: number): string | null {
  const row = statements.get<{ rules: string | null }>(
    'SELECT rules FROM operations WHERE workspace = ? AND number = ?',
    workspace,
    number,
  );
  return row?.rules ?? null;
}

function isOpen(operation: OperationRow): boolean {
  return operation.status === 'pending' || operation.status === 'running';
}
