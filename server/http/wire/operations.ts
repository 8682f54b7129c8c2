// Converts providers, operations and their previews to JSON.
import type {
  OperationBulkResult,
  OperationStep,
  OperationSteps,
  WritebackPreview,
} from '../../contract/operations.ts';
import type { Provider, ProviderSender } from '../../contract/providers.ts';
import type {
  OperationDetail,
  OperationRow,
  OperationStepRow,
  Preview,
} from '../../outbound/operations/operation-log.ts';
import type { BulkOutcome } from '../../outbound/operations/transitions.ts';

import type { ProviderStatus, SenderStatus } from '../../outbound/providers/status.ts';
import { wireRevision, wireTime } from './records.ts';

/** Omits members that are null. */
function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]: Exclude<T[K], null>;
  };
}

const time = (timeMs: number | null): string | null => (timeMs === null ? null : wireTime(timeMs));

export function provider(status: ProviderStatus): Provider {
  const { row, counts } = status;
  const { refresh } = row;
  return present({
    provider: row.name,
    kind: row.kind,
    url: row.url,
    refreshUrl: row.refreshUrl,
    allowPlainHttp: row.plainHttp,
    allowPrivateAddresses: row.privateAddresses,
    timeoutMs: row.timeoutMs,
    hasSecret: status.hasSecret,
    state: status.state,
    cause: status.cause,
    circuit: status.circuit,
    retryAt: time(status.retryAtMs),
    pending: counts.pending,
    running: counts.running,
    deadLettered: counts.deadLettered,
    oldestPendingAt: time(counts.oldestPendingAtMs),
    failureCodes: { ...counts.failureCodes },
    lastSuccessAt: time(row.lastSuccessAtMs),
    lastFailureAt: time(row.lastFailureAtMs),
    lastError: row.lastError,
    refresh:
      refresh === null
        ? null
        : present({
            id: refresh.id,
            requestedAt: wireTime(refresh.requestedAtMs),
            finishedAt: time(refresh.finishedAtMs),
            error: refresh.error,
          }),
    createdAt: wireTime(row.createdAtMs),
    updatedAt: wireTime(row.updatedAtMs),
  }) as Provider;
}

export function sender({ provider: name, state, cause, lastReceivedAtMs }: SenderStatus): ProviderSender {
  return present({
    provider: name,
    state,
    cause,
    lastReceivedAt: wireTime(lastReceivedAtMs),
  }) as ProviderSender;
}

export function operationSteps({ operation, actor, steps }: OperationDetail): OperationSteps {
  const settled: OperationStep[] =
    operation.completedAtMs === null
      ? []
      : [{ kind: 'settled', at: wireTime(operation.completedAtMs), outcome: operation.status }];
  const superseded: OperationStep[] =
    operation.supersededBy === null
      ? []
      : [{ kind: 'superseded', at: wireTime(operation.updatedAtMs), message: operation.supersededBy }];
  return {
    opId: operation.opId,
    status: operation.status,
    ...(operation.supersededBy === null ? {} : { supersededBy: operation.supersededBy }),
    ...(actor === null ? {} : { actor: present({ ...actor }) as NonNullable<OperationSteps['actor']> }),
    steps: [
      { kind: 'written', at: wireTime(operation.createdAtMs) },
      ...steps.flatMap((step, index) => stepsOf(waitOf(step, operation), steps[index + 1]?.atMs ?? null)),
      ...superseded,
      ...settled,
    ],
  };
}

/** The current wait uses the time of the operation, which includes the pause of its provider. */
function waitOf(step: OperationStepRow, operation: OperationRow): OperationStepRow {
  const isWaiting = operation.status === 'pending' && step.attempt === operation.attemptCount;
  return isWaiting && step.nextAttemptAtMs !== null
    ? { ...step, nextAttemptAtMs: operation.nextAttemptAtMs }
    : step;
}

/** A failed attempt is followed by its wait until the next step, which can be earlier or, with a paused provider, later than planned. */
function stepsOf(row: OperationStepRow, nextAtMs: number | null): readonly OperationStep[] {
  const step = present({
    kind: row.kind,
    at: wireTime(row.atMs),
    endedAt: time(row.endedAtMs),
    attempt: row.attempt,
    outcome: row.outcome,
    httpStatus: row.httpStatus,
    code: row.code,
    message: row.message,
    correlationId: row.correlationId,
  }) as OperationStep;
  if (row.nextAttemptAtMs === null || row.endedAtMs === null) return [step];
  const untilMs = Math.max(nextAtMs ?? row.nextAttemptAtMs, row.endedAtMs);
  return [step, { kind: 'waiting', at: wireTime(row.endedAtMs), endedAt: wireTime(untilMs) }];
}

export function operationBulkResult({ results, ...rest }: BulkOutcome): OperationBulkResult {
  return {
    ...rest,
    results: results.map(({ opId, path, done, message }) => ({
      opId,
      ...(path === null ? {} : { path }),
      done,
      ...(message === null ? {} : { message }),
    })),
  };
}

export function writebackPreview(preview: Preview): WritebackPreview {
  const { opId, path, action, revision, providerRevision, request, warnings } = preview;
  const { diff, diffOmitted, sizeBytes, providerSizeBytes } = preview;
  return {
    opId,
    path,
    action,
    revision: wireRevision(revision),
    ...(providerRevision === null ? {} : { providerRevision: wireRevision(providerRevision) }),
    ...(diff === null ? {} : { diff }),
    ...(diffOmitted === null ? {} : { diffOmitted }),
    sizeBytes,
    ...(providerSizeBytes === null ? {} : { providerSizeBytes }),
    ...(request === null ? {} : { request: { ...request, headers: { ...request.headers } } }),
    warnings: [...warnings],
  };
}
