// One operation in sentences: what stopped it, what to do, whether it comes back by itself. Pure.
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

/** What the agent is asked for; it knows no "retrying", which is a pending one with a failed attempt. */
export function wireStatus(filter: OperationFilter): OperationStatus | undefined {
  if (filter === 'all') return undefined;
  return filter === 'retrying' ? 'pending' : filter;
}

export function actionName(operation: Pick<Operation, 'action'>): string {
  return operation.action === 'file_delete' ? 'Delete' : 'Write';
}

/** What a person does about a stop, by the last answer of the provider. */
export function nextStep(operation: Operation, steps: OperationSteps | undefined): string {
  const provider = operation.provider ?? 'the provider';
  const last = steps?.steps.findLast((step) => step.kind === 'attempt');
  const replay = operation.status === 'dead_lettered' ? ', then replay' : '';
  switch (last?.httpStatus) {
    case 401:
    case 403:
      return `Give ${provider} a secret that it accepts${replay}.`;
    case 404:
    case 410:
      return `Mend the address of ${provider}${replay}.`;
    case 413:
      return `Make the file smaller${replay}.`;
    case 429:
      return operation.status === 'dead_lettered'
        ? 'Replay when its limit has room again.'
        : 'Nothing: it is sent again.';
    default:
      return operation.status === 'dead_lettered'
        ? `See what ${provider} says, mend it, then replay.`
        : 'Nothing: it is sent again.';
  }
}

/** What stands where no time of a retry is. */
export function retryText(operation: Operation): string {
  if (operation.status !== 'dead_lettered') return 'By itself, any moment.';
  return `None planned: ${plural(operation.attemptCount, 'attempt')} used.`;
}

/** Why it cannot be replayed; null: it can. */
export function replayRefusal(operation: Operation): string | null {
  if (operation.status === 'dead_lettered') return null;
  return `Only a dead-lettered operation can be replayed. This one is ${operationStatus(operation).word.toLowerCase()}.`;
}

/** What trying it would come to, in one sentence. */
export function sandboxSummary(
  { action, path, revision, sizeBytes, providerRevision, diff, request }: WritebackPreview,
  provider: string,
): string {
  const target =
    request === undefined ? `a consumer of ${provider} asks for it` : `${request.method} ${request.url}`;
  if (action === 'file_delete') return `Would delete ${path} at ${provider}: ${target}.`;
  const what = providerRevision === undefined ? 'create' : diff === '' ? 'send again, unchanged,' : 'change';
  return `Would ${what} ${path} at ${provider}: ${revision}, ${size(sizeBytes)}, ${target}.`;
}
