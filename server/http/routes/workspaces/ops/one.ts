// W/ops: what was queued for providers, how it ended, and trying a dead one again.
import { Accepted } from '../../../../contract/common.ts';
import {
  Operation,
  OperationPage,
  OperationSteps,
  ReplayOperationBody,
  WritebackPreview,
} from '../../../../contract/operations.ts';
import {
  CorrelationHeaders,
  OperationParams,
  OperationsQueryParameters,
  PreviewQueryParameters,
  WorkspaceParams,
} from '../../../../contract/parameters.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandBodyBytesMax, operationsLimit } from '../../../base/limits.ts';
import {
  type App,
  bearer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import { optionalBody } from '../../../plugins/bodies.ts';
import { authorityOf } from '../../../request/authority.ts';
import { grantedPage, shownRows } from '../../../request/path-grants.ts';
import { operationSteps, writebackPreview } from '../../../wire/operations.ts';
import { operation } from '../../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/ops';
const readAccess = { kind: 'workspace', scope: 'ops:read', path: 'none' } as const;

export function registerOperations(app: App, dependencies: HttpDependencies): void {
  registerListOperations(app, dependencies);
  registerGetOperation(app, dependencies);
  registerListOperationSteps(app, dependencies);
  registerPreviewOperation(app, dependencies);
  registerReplay(app, dependencies);
}

function registerListOperations(app: App, { operations, workspaces }: HttpDependencies): void {
  app.get(
    url,
    {
      config: { access: readAccess },
      schema: {
        operationId: 'listOperations',
        tags: ['Operations'],
        summary: 'List operations',
        description:
          'Scope: `ops:read`; operations of paths that a path of it, or of the token’s grants of files, does not cover, and of files that access rules hide, are left out. Newest first. A status that does not exist matches nothing; a cursor is a position, any operation id.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        querystring: OperationsQueryParameters,
        response: {
          200: jsonAnswer(OperationPage, 'One page of operations.'),
          ...errorAnswers(workspaceErrors),
        },
      },
    },
    async (request, reply) => {
      const query = queryOf(request);
      const status = query.text('status');
      const action = query.text('action');
      const provider = query.text('provider');
      const page = await grantedPage({
        shows: shownRows(request, 'ops:read', workspaces, request.params.workspaceId),
        limit: query.integer('limit', operationsLimit),
        cursor: query.text('cursor') ?? null,
        read: (cursor, limit) =>
          operations.list(request.params.workspaceId, {
            ...(status === undefined ? {} : { status }),
            ...(action === undefined ? {} : { action }),
            ...(provider === undefined ? {} : { provider: provider.toLowerCase() }),
            cursor,
            limit,
          }),
        idOf: (row) => row.opId,
      });
      if (page === null) throw new ApiError('bad_request', 'invalid input: the cursor is no operation id');
      const items = page.items.map(operation);
      return sendJson(reply, OperationPage, 200, { items, nextCursor: page.nextCursor });
    },
  );
}

function registerGetOperation(app: App, { operations }: HttpDependencies): void {
  app.get(
    `${url}/:opId`,
    {
      config: { access: readAccess },
      schema: {
        operationId: 'getOperation',
        tags: ['Operations'],
        summary: 'Read one operation',
        description: 'Scope: `ops:read`.',
        security: bearer,
        params: OperationParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(Operation, 'The operation.'),
          ...errorAnswers([...workspaceErrors, 'not_found']),
        },
      },
    },
    async (request, reply) => {
      const row = await operations.get(request.params.workspaceId, request.params.opId, {
        by: authorityOf(request, 'ops:read'),
      });
      if (row === null) throw operationNotFound(request.params.opId);
      return sendJson(reply, Operation, 200, operation(row));
    },
  );
}

function registerListOperationSteps(app: App, { operations }: HttpDependencies): void {
  app.get(
    `${url}/:opId/steps`,
    {
      config: { access: readAccess },
      schema: {
        operationId: 'listOperationSteps',
        tags: ['Operations'],
        summary: 'What happened to an operation',
        description:
          'Scope: `ops:read`. Every step with its time: written, each attempt with its end, acknowledged, replayed, canceled, settled; and who made the change.',
        security: bearer,
        params: OperationParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(OperationSteps, 'The steps, oldest first.'),
          ...errorAnswers([...workspaceErrors, 'not_found']),
        },
      },
    },
    async (request, reply) => {
      const detail = await operations.detail(request.params.workspaceId, request.params.opId, {
        by: authorityOf(request, 'ops:read'),
      });
      if (detail === null) throw operationNotFound(request.params.opId);
      return sendJson(reply, OperationSteps, 200, operationSteps(detail));
    },
  );
}

function registerPreviewOperation(app: App, { operations }: HttpDependencies): void {
  app.get(
    `${url}/:opId/preview`,
    {
      config: { access: { kind: 'owner-workspace' } },
      schema: {
        operationId: 'previewOperation',
        tags: ['Operations'],
        summary: 'What a replay would send',
        description:
          'Owner or UI token, since it shows content. Nothing is sent. With `send=current` or `send=original`: what a replay of either would send.',
        security: bearer,
        params: OperationParams,
        headers: CorrelationHeaders,
        querystring: PreviewQueryParameters,
        response: {
          200: jsonAnswer(WritebackPreview, 'The difference to what the provider has, and the request.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'rate_limited', 'unavailable']),
        },
      },
    },
    async (request, reply) => {
      const send = queryOf(request).text('send') ?? null;
      if (send !== null && send !== 'current' && send !== 'original') {
        throw new ApiError('bad_request', 'send must be current or original');
      }
      const preview = await operations.preview(request.params.workspaceId, request.params.opId, send);
      if (preview === null) throw operationNotFound(request.params.opId);
      return sendJson(reply, WritebackPreview, 200, writebackPreview(preview));
    },
  );
}

function registerReplay(app: App, { transitions }: HttpDependencies): void {
  app.post(
    `${url}/:opId/replay`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'workspace', scope: 'ops:replay', path: 'none' } },
      schema: {
        operationId: 'replayOperation',
        tags: ['Operations'],
        summary: 'Try a dead-lettered operation again',
        description:
          'Scope: `ops:replay`. Puts an operation that was dead-lettered back to pending, with its attempts at 0. It carries the file as it is now, so that nothing older goes over something newer; `{"send": "original"}` sends what it was made of. In any other status: `invalid_state`. One of a file that the token may not change is not found.',
        security: bearer,
        params: OperationParams,
        headers: CorrelationHeaders,
        body: { ...ReplayOperationBody, ...optionalBody },
        response: {
          202: jsonAnswer(Accepted, 'It is pending again.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'invalid_state', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, opId } = request.params;
      const body: ReplayOperationBody | undefined = request.body ?? undefined;
      const correlationId = correlationIdOf(request);
      const send = body?.send ?? 'current';
      const by = authorityOf(request, 'ops:replay');
      refuseUnqueued(opId, await transitions.replay(workspaceId, opId, { send, correlationId, by }));
      return sendJson(reply, Accepted, 202, { status: 'queued', id: opId, correlationId });
    },
  );
}

/** Also of the admin plane. */
export function refuseUnqueued(opId: string, outcome: 'queued' | 'invalid_state' | 'unknown'): void {
  if (outcome === 'unknown') throw operationNotFound(opId);
  if (outcome === 'invalid_state') throw new ApiError('invalid_state', `${opId} is not dead-lettered`);
}

function operationNotFound(opId: string): ApiError {
  return new ApiError('not_found', `there is no operation ${opId}`);
}
