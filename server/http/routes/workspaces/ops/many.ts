// W/writeback/{itemId}/send, and bulk replay, retry and cancel of operations. A refused operation does not stop the others; the response
// has a result for each.
import { Accepted } from '../../../../contract/common.ts';
import {
  OperationBulkBody,
  OperationBulkReplayBody,
  OperationBulkResult,
  type OperationFilter,
} from '../../../../contract/operations.ts';
import { WritebackItemParams } from '../../../../contract/parameters.ts';
import type { OperationSelection } from '../../../../outbound/operations/transitions.ts';
import type { Authority } from '../../../../workspaces/model.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { authorityOf } from '../../../request/authority.ts';
import { operationBulkResult } from '../../../wire/operations.ts';
import { operationNotFound } from './one.ts';

const workspace = '/v1/workspaces/:workspaceId';
const bulkPoints = [
  'Applies to all operations that match the filter, at most 1,000 per request, oldest first. A refused one does not stop the others.',
  'Operations of files that the token may not change do not match.',
  'With `dryRun`, they are only listed.',
] as const;
const bulkAnswers = { 200: jsonAnswer(OperationBulkResult, 'The matches and their results.') };

export function registerManyOperations(app: App, dependencies: HttpDependencies): void {
  registerSendNow(app, dependencies);
  registerReplayOperations(app, dependencies);
  const { transitions } = dependencies;
  registerPendingBulk(app, dependencies, {
    url: `${workspace}/writeback/send`,
    operationId: 'sendWritebacks',
    summary: 'Retry many pending operations now',
    async apply(workspaceId, opId, options) {
      const outcome = await transitions.retryNow(workspaceId, opId, options);
      if (outcome === 'due') return null;
      return outcome === 'unknown' ? 'operation not found' : outcome.refused;
    },
  });
  registerPendingBulk(app, dependencies, {
    url: `${workspace}/writeback/cancel`,
    operationId: 'cancelWritebacks',
    summary: 'Cancel many pending operations',
    async apply(workspaceId, opId, options) {
      const outcome = await transitions.cancel(workspaceId, opId, options);
      return outcome === 'canceled' ? null : 'the operation is not pending';
    },
  });
}

function registerSendNow(app: App, { transitions }: HttpDependencies): void {
  app.post(
    `${workspace}/writeback/:itemId/send`,
    commandRoute('sync:trigger', {
      operationId: 'sendWriteback',
      tag: 'Writeback',
      summary: 'Retry a pending operation now',
      points: [
        'Skips the backoff of the operation and of its provider; the attempts continue to count.',
        '`invalid_state`: it is not pending, a newer operation of the file supersedes it, sending is paused, or an external consumer sends it.',
      ],
      params: WritebackItemParams,
      answers: { 202: jsonAnswer(Accepted, 'The next attempt is due now.') },
      errors: ['not_found', 'invalid_state'],
    }),
    async (request, reply) => {
      const { workspaceId, itemId } = request.params;
      const correlationId = correlationIdOf(request);
      const outcome = await transitions.retryNow(workspaceId, itemId, {
        correlationId,
        by: authorityOf(request),
      });
      if (outcome === 'unknown') throw operationNotFound(itemId);
      if (outcome !== 'due') throw new ApiError('invalid_state', outcome.refused);
      return sendJson(reply, Accepted, 202, { status: 'queued', id: itemId, correlationId });
    },
  );
}

function registerReplayOperations(app: App, { transitions }: HttpDependencies): void {
  app.post(
    `${workspace}/ops/replay`,
    commandRoute('ops:replay', {
      operationId: 'replayOperations',
      tag: 'Operations',
      summary: 'Replay many dead-lettered operations',
      points: bulkPoints,
      optionalBody: OperationBulkReplayBody,
      answers: bulkAnswers,
    }),
    async (request, reply) => {
      const { workspaceId } = request.params;
      const body: OperationBulkReplayBody = request.body ?? {};
      const by = authorityOf(request, 'ops:replay');
      const options = { send: body.send ?? 'current', correlationId: correlationIdOf(request), by } as const;
      const replay = async (opId: string) =>
        (await transitions.replay(workspaceId, opId, options)) === 'queued'
          ? null
          : 'the operation is not dead-lettered';
      const selection = { ...selectionOf(body.filter, 'dead_lettered'), by };
      const outcome = await transitions.each(workspaceId, selection, body.dryRun === true ? null : replay);
      return sendJson(reply, OperationBulkResult, 200, operationBulkResult(outcome));
    },
  );
}

interface PendingBulk {
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  /** null: done; a text: the reason of the refusal. */
  readonly apply: (
    workspaceId: string,
    opId: string,
    options: { readonly correlationId: string; readonly by: Authority | null },
  ) => Promise<string | null>;
}

function registerPendingBulk(app: App, { transitions }: HttpDependencies, bulk: PendingBulk): void {
  const { operationId, summary, apply } = bulk;
  app.post(
    bulk.url,
    commandRoute('sync:trigger', {
      operationId,
      tag: 'Writeback',
      summary,
      points: bulkPoints,
      optionalBody: OperationBulkBody,
      answers: bulkAnswers,
    }),
    async (request, reply) => {
      const { workspaceId } = request.params;
      const body: OperationBulkBody = request.body ?? {};
      const options = { correlationId: correlationIdOf(request), by: authorityOf(request) };
      const selection = { ...selectionOf(body.filter, 'pending'), by: options.by };
      const outcome = await transitions.each(
        workspaceId,
        selection,
        body.dryRun === true ? null : (opId) => apply(workspaceId, opId, options),
      );
      return sendJson(reply, OperationBulkResult, 200, operationBulkResult(outcome));
    },
  );
}

function selectionOf(
  filter: OperationFilter | undefined,
  status: OperationSelection['status'],
): Omit<OperationSelection, 'by'> {
  return {
    status,
    action: filter?.action ?? null,
    provider: filter?.provider?.toLowerCase() ?? null,
    opIds: filter?.opIds ?? null,
  };
}
