// Our own calls beside W/ops and W/writeback: an item that is sent at once, and the same for many, oldest first. One that is
// refused stops no other: the answer says of each what became of it.
import { Accepted } from '../../../../contract/common.ts';
import {
  OperationBulkBody,
  OperationBulkReplayBody,
  OperationBulkResult,
  type OperationFilter,
} from '../../../../contract/operations.ts';
import { CorrelationHeaders, WorkspaceParams, WritebackItemParams } from '../../../../contract/parameters.ts';
import type { OperationSelection, TransitionOptions } from '../../../../outbound/operations/transitions.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandBodyBytesMax } from '../../../base/limits.ts';
import {
  type App,
  bearer,
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
    200: jsonAnswer(OperationBulkResult, 'What matched, and what became of each.'),
    ...errorAnswers([...workspaceErrors, 'payload_too_large']),
  },
};
const bulkWords =
  'All that match the filter, at most 1,000 at once, oldest first; one that is refused stops no other. Those of files that the token may not change do not match. With `dryRun` they are only shown.';

export function registerManyOperations(app: App, dependencies: HttpDependencies): void {
  registerSendNow(app, dependencies);
  registerBulkReplay(app, dependencies);
  registerBulkWriteback(app, dependencies);
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
        summary: 'Send an item now',
        description:
          'Scope: `sync:trigger`. A pending item is tried at once, whatever pause it or its provider is in after failures; its attempts count on. `invalid_state`: it is not pending, a newer change of its file takes it along, sending is paused, or a consumer carries it.',
        security: bearer,
        params: WritebackItemParams,
        headers: CorrelationHeaders,
        response: {
          202: jsonAnswer(Accepted, 'It is due.'),
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
      if (outcome === 'unknown') throw new ApiError('not_found', `there is no writeback item ${itemId}`);
      if (outcome !== 'due') throw new ApiError('invalid_state', outcome.refused);
      return sendJson(reply, Accepted, 202, { status: 'queued', id: itemId, correlationId });
    },
  );
}

function registerBulkReplay(app: App, { transitions }: HttpDependencies): void {
  app.post(
    `${workspace}/ops/replay`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'workspace', scope: 'ops:replay', path: 'none' } },
      schema: {
        ...bulkSchema,
        operationId: 'replayOperations',
        tags: ['Operations'],
        summary: 'Try many dead-lettered operations again',
        description: `Scope: \`ops:replay\`. ${bulkWords}`,
        body: { ...OperationBulkReplayBody, ...optionalBody },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.params;
      const body: OperationBulkReplayBody = request.body ?? {};
      const by = authorityOf(request, 'ops:replay');
      const how = { send: body.send ?? 'current', correlationId: correlationIdOf(request), by } as const;
      const replay = async (opId: string) =>
        (await transitions.replay(workspaceId, opId, how)) === 'queued' ? null : 'it is not dead-lettered';
      const selection = { ...selectionOf(body.filter, 'dead_lettered'), by };
      const outcome = await transitions.each(workspaceId, selection, body.dryRun === true ? null : replay);
      return sendJson(reply, OperationBulkResult, 200, operationBulkResult(outcome));
    },
  );
}

function registerBulkWriteback(app: App, { transitions }: HttpDependencies): void {
  const acts = {
    send: {
      operationId: 'sendWritebacks',
      summary: 'Send many items now',
      async act(workspaceId: string, opId: string, how: TransitionOptions) {
        const outcome = await transitions.retryNow(workspaceId, opId, how);
        if (outcome === 'due') return null;
        return outcome === 'unknown' ? 'unknown operation' : outcome.refused;
      },
    },
    cancel: {
      operationId: 'cancelWritebacks',
      summary: 'Do not send many items',
      async act(workspaceId: string, opId: string, how: TransitionOptions) {
        const outcome = await transitions.cancel(workspaceId, opId, how);
        return outcome === 'canceled' ? null : 'it is not pending';
      },
    },
  };
  for (const [name, { operationId, summary, act }] of Object.entries(acts)) {
    app.post(
      `${workspace}/writeback/${name}`,
      {
        bodyLimit: commandBodyBytesMax,
        config: { access: sendAccess },
        schema: {
          ...bulkSchema,
          operationId,
          tags: ['Writeback'],
          summary,
          description: `Scope: \`sync:trigger\`. Pending items. ${bulkWords}`,
          body: { ...OperationBulkBody, ...optionalBody },
        },
      },
      async (request, reply) => {
        const { workspaceId } = request.params;
        const body: OperationBulkBody = request.body ?? {};
        const how = { correlationId: correlationIdOf(request), by: authorityOf(request) };
        const outcome = await transitions.each(
          workspaceId,
          { ...selectionOf(body.filter, 'pending'), by: how.by },
          body.dryRun === true ? null : (opId) => act(workspaceId, opId, how),
        );
        return sendJson(reply, OperationBulkResult, 200, operationBulkResult(outcome));
      },
    );
  }
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
