// W/writeback/{itemId}/send, and bulk replay, retry and cancel of operations. A refused operation does not stop the others; the response
// has a result for each.
import { Accepted } from '../../../../contract/common.ts';
import {
  OperationBulkBody,
  OperationBulkReplayBody,
  OperationBulkResult,
  type OperationFilter,
} from '../../../../contract/operations.ts';
import { CorrelationHeaders, WorkspaceParams, WritebackItemParams } from '../../../../contract/parameters.ts';
import type { OperationSelection } from '../../../../outbound/operations/transitions.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandBodyBytesMax } from '../../../base/limits.ts';
import {
  type App,
  bearer,
  describeRoute,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { optionalBody } from '../../../plugins/bodies.ts';
import { authorityOf } from '../../../request/authority.ts';
import { operationBulkResult } from '../../../wire/operations.ts';

const workspace = '/v1/workspaces/:workspaceId';
const sendAccess = { kind: 'workspace', scope: 'sync:trigger', path: 'none' } as const;
const bulkSchema = {
  security: bearer,
  params: WorkspaceParams,
  headers: CorrelationHeaders,
  response: {
    200: jsonAnswer(OperationBulkResult, 'The matches and their results.'),
    ...errorAnswers([...workspaceErrors, 'payload_too_large']),
  },
};
const bulkPoints = [
  'Applies to all operations that match the filter, at most 1,000 per request, oldest first. A refused one does not stop the others.',
  'Operations of files that the token may not change do not match.',
  'With `dryRun`, they are only listed.',
] as const;

export function registerManyOperations(app: App, dependencies: HttpDependencies): void {
  registerSendNow(app, dependencies);
  registerReplayOperations(app, dependencies);
  registerSendWritebacks(app, dependencies);
  registerCancelWritebacks(app, dependencies);
}

function registerSendNow(app: App, { transitions }: HttpDependencies): void {
  app.post(
    `${workspace}/writeback/:itemId/send`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: sendAccess },
      schema: {
        operationId: 'sendWriteback',
        tags: ['Writeback'],
        summary: 'Retry a pending operation now',
        description: describeRoute(
          'Scope: `sync:trigger`.',
          'Skips the backoff of the operation and of its provider; the attempts continue to count.',
          '`invalid_state`: it is not pending, a newer operation of the file supersedes it, sending is paused, or an external consumer sends it.',
        ),
        security: bearer,
        params: WritebackItemParams,
        headers: CorrelationHeaders,
        response: {
          202: jsonAnswer(Accepted, 'The next attempt is due now.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'invalid_state', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, itemId } = request.params;
      const correlationId = correlationIdOf(request);
      const outcome = await transitions.retryNow(workspaceId, itemId, {
        correlationId,
        by: authorityOf(request),
      });
      if (outcome === 'unknown') throw new ApiError('not_found', `operation ${itemId} not found`);
      if (outcome !== 'due') throw new ApiError('invalid_state', outcome.refused);
      return sendJson(reply, Accepted, 202, { status: 'queued', id: itemId, correlationId });
    },
  );
}

function registerReplayOperations(app: App, { transitions }: HttpDependencies): void {
  app.post(
    `${workspace}/ops/replay`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'workspace', scope: 'ops:replay', path: 'none' } },
      schema: {
        ...bulkSchema,
        operationId: 'replayOperations',
        tags: ['Operations'],
        summary: 'Replay many dead-lettered operations',
        description: describeRoute('Scope: `ops:replay`.', ...bulkPoints),
        body: { ...OperationBulkReplayBody, ...optionalBody },
      },
    },
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

function registerSendWritebacks(app: App, { transitions }: HttpDependencies): void {
  app.post(
    `${workspace}/writeback/send`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: sendAccess },
      schema: {
        ...bulkSchema,
        operationId: 'sendWritebacks',
        tags: ['Writeback'],
        summary: 'Retry many pending operations now',
        description: describeRoute('Scope: `sync:trigger`.', ...bulkPoints),
        body: { ...OperationBulkBody, ...optionalBody },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.params;
      const body: OperationBulkBody = request.body ?? {};
      const options = { correlationId: correlationIdOf(request), by: authorityOf(request) };
      const selection = { ...selectionOf(body.filter, 'pending'), by: options.by };
      const send = async (opId: string) => {
        const outcome = await transitions.retryNow(workspaceId, opId, options);
        if (outcome === 'due') return null;
        return outcome === 'unknown' ? 'operation not found' : outcome.refused;
      };
      const outcome = await transitions.each(workspaceId, selection, body.dryRun === true ? null : send);
      return sendJson(reply, OperationBulkResult, 200, operationBulkResult(outcome));
    },
  );
}

function registerCancelWritebacks(app: App, { transitions }: HttpDependencies): void {
  app.post(
    `${workspace}/writeback/cancel`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: sendAccess },
      schema: {
        ...bulkSchema,
        operationId: 'cancelWritebacks',
        tags: ['Writeback'],
        summary: 'Cancel many pending operations',
        description: describeRoute('Scope: `sync:trigger`.', ...bulkPoints),
        body: { ...OperationBulkBody, ...optionalBody },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.params;
      const body: OperationBulkBody = request.body ?? {};
      const options = { correlationId: correlationIdOf(request), by: authorityOf(request) };
      const selection = { ...selectionOf(body.filter, 'pending'), by: options.by };
      const cancel = async (opId: string) => {
        const outcome = await transitions.cancel(workspaceId, opId, options);
        return outcome === 'canceled' ? null : 'the operation is not pending';
      };
      const outcome = await transitions.each(workspaceId, selection, body.dryRun === true ? null : cancel);
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
