// Texts of one operation: next step, retry, replay, sandbox result. Pure.
import type { Operation, OperationSteps, WritebackPreview } from '../../../server/contract/operations.ts';
import type { OperationStatus } from '../../../server/contract/words.ts';
import { plural, size } from '../format.ts';
import { operationStatus } from './outbound-view.ts';

export const operationFilters = [
  'all',
  'pending',
  'running',
  'retrying',
  'succeeded',
  'dead_lettered',
  'canceled',
] as const;
export type OperationFilter = (typeof operationFilters)[number];

export const operationFilterNames: Readonly<Record<OperationFilter, string>> = {
  all: 'All',
  pending: 'Pending',
  running: 'Running',
  retrying: 'Retrying',
  succeeded: 'Succeeded',
  dead_lettered: 'Dead-lettered',
  canceled: 'Canceled',
};

/** The status of the API: "retrying" is a pending operation with a failed attempt. */
export function wireStatus(filter: OperationFilter): OperationStatus | undefined {
  if (filter === 'all') return undefined;
  return filter === 'retrying' ? 'pending' : filter;
}

export function actionName(operation: Pick<Operation, 'action'>): string {
  return operation.action === 'file_delete' ? 'Delete' : 'Write';
}

/** The next step after the provider's last response. */
export function nextStep(operation: Operation, steps: OperationSteps | undefined): string {
  const provider = operation.provider ?? 'the provider';
  const last = steps?.steps.findLast((step) => step.kind === 'attempt');
  const replay = operation.status === 'dead_lettered' ? ', then replay' : '';
  switch (last?.httpStatus) {
    case 401:
    case 403:
      return `Update the signing secret of ${provider}${replay}.`;
    case 404:
    case 410:
      return `Correct the URL of ${provider}${replay}.`;
    case 413:
      return `Reduce the size of the file${replay}.`;
    case 429:
      return operation.status === 'dead_lettered'
        ? `Replay when the rate limit of ${provider} allows it.`
        : 'No action needed.';
    default:
      return operation.status === 'dead_lettered'
        ? `Fix the error that ${provider} reports, then replay.`
        : 'No action needed.';
  }
}

/** Shown where no time of a retry is known. */
export function retryText(operation: Operation): string {
  if (operation.status !== 'dead_lettered') return 'Retries automatically.';
  return `No automatic retry after ${plural(operation.attemptCount, 'failed attempt')}.`;
}

/** Why replay is unavailable; null: it is available. */
export function replayRefusal(operation: Operation): string | null {
  if (operation.status === 'dead_lettered') return null;
  return `Only a dead-lettered operation can be replayed. This one is ${operationStatus(operation).word.toLowerCase()}.`;
}

/** The effect of sending the operation, in one sentence. */
export function sandboxSummary(
  { action, path, revision, sizeBytes, providerRevision, diff, request }: WritebackPreview,
  provider: string,
): string {
  const target =
    request === undefined
      ? `an external consumer of ${provider} sends it`
      : `${request.method} ${request.url}`;
  if (action === 'file_delete') return `Would delete ${path} at ${provider}: ${target}.`;
  const what = providerRevision === undefined ? 'create' : diff === '' ? 'send again, unchanged,' : 'change';
  return `Would ${what} ${path} at ${provider}: ${revision}, ${size(sizeBytes)}, ${target}.`;
}
