// W/ops: lists operations with their steps, and replays dead-lettered ones.
import { Accepted } from '../../../../contract/common.ts';
import {
  Operation,
  OperationPage,
  OperationSteps,
  ReplayOperationBody,
  WritebackPreview,
} from '../../../../contract/operations.ts';
import {
  OperationParams,
  OperationsQueryParameters,
  PreviewQueryParameters,
} from '../../../../contract/parameters.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { operationsLimit } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import { authorityOf } from '../../../request/authority.ts';
import { grantedPage, shownRows } from '../../../request/path-grants.ts';
import { operationSteps, writebackPreview } from '../../../wire/operations.ts';
import { operation } from '../../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/ops';

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
    route('ops:read', {
      operationId: 'listOperations',
      tag: 'Operations',
      summary: 'List operations',
      callers:
        'Scope: `ops:read`; rows outside the token’s path scopes (of this scope and of files) and of files hidden by access rules are omitted.',
      points: [
        'Newest first.',
        'An unknown status matches nothing. A cursor is a position: any operation id.',
      ],
      query: OperationsQueryParameters,
      answers: { 200: jsonAnswer(OperationPage, 'One page of operations.') },
    }),
    async (request, reply) => {
      const query = queryOf(request);
      const status = query.text('status');
      const action = query.text('action');
      const provider = query.text('provider');
      const isRegistered = query.text('registered') === 'true';
      if (isRegistered && [status, action, provider].some((filter) => filter !== undefined))
        throw new ApiError(
          'bad_request',
          'registered cannot be combined with status, action or provider: use one of them',
        );
      const { workspaceId } = request.params;
      const permitted = shownRows<OperationRow>(request, 'ops:read', workspaces, workspaceId);
      const cursor = query.text('cursor') ?? null;
      const page = await grantedPage({
        shows: withText(permitted, query.text('text')),
        limit: query.integer('limit', operationsLimit),
        cursor,
        read: (cursor, limit) =>
          isRegistered
            ? operations.listRegistered(workspaceId, { cursor, limit })
            : operations.list(workspaceId, {
                ...(status === undefined ? {} : { status }),
                ...(action === undefined ? {} : { action }),
                ...(provider === undefined ? {} : { provider: provider.toLowerCase() }),
                cursor,
                limit,
              }),
        idOf: (row) => row.opId,
      });
      if (page === null)
        throw new ApiError('bad_request', 'invalid input: the cursor is not an operation id');
      const items = page.items.map(operation);
      const counts = isRegistered && cursor === null && permitted === null;
      const plainSaves = counts ? { plainSaves: await operations.countPlainSaves(workspaceId) } : {};
      return sendJson(reply, OperationPage, 200, { items, nextCursor: page.nextCursor, ...plainSaves });
    },
  );
}

type OperationRow = Parameters<typeof operation>[0];
type Shows = ReturnType<typeof shownRows<OperationRow>>;

/** Of the permitted rows those whose path contains the text, in any case, or whose id or correlation id it is. */
function withText(permitted: Shows, text: string | undefined): Shows {
  if (text === undefined) return permitted;
  const lower = text.toLowerCase();
  return async (rows) => {
    const shown = permitted === null ? null : await permitted(rows);
    return rows.map(
      ({ opId, path, correlationId }, index) =>
        (shown === null || shown[index] === true) &&
        (path.toLowerCase().includes(lower) || opId === lower || correlationId === text),
    );
  };
}

function registerGetOperation(app: App, { operations }: HttpDependencies): void {
  app.get(
    `${url}/:opId`,
    route('ops:read', {
      operationId: 'getOperation',
      tag: 'Operations',
      summary: 'Get one operation',
      params: OperationParams,
      answers: { 200: jsonAnswer(Operation, 'The operation.') },
      errors: ['not_found'],
    }),
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
    route('ops:read', {
      operationId: 'listOperationSteps',
      tag: 'Operations',
      summary: 'List the steps of an operation',
      points: [
        'Each step with its time: written, attempts with their results, acknowledged, replayed, canceled, settled; and the actor of the change.',
      ],
      params: OperationParams,
      answers: { 200: jsonAnswer(OperationSteps, 'The steps, oldest first.') },
      errors: ['not_found'],
    }),
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
    route('owner-workspace', {
      operationId: 'previewOperation',
      tag: 'Operations',
      summary: 'Preview the replay of an operation',
      points: [
        'Only for the owner, because it returns content.',
        'Sends nothing.',
        '`send=current` or `send=original`: the request of either replay.',
      ],
      params: OperationParams,
      query: PreviewQueryParameters,
      answers: { 200: jsonAnswer(WritebackPreview, 'The diff to the provider’s copy, and the request.') },
      errors: ['not_found', 'rate_limited'],
    }),
    async (request, reply) => {
      const send = queryOf(request).text('send') ?? null;
      if (send !== null && send !== 'current' && send !== 'original') {
        throw new ApiError('bad_request', 'invalid send: use current or original');
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
    commandRoute('ops:replay', {
      operationId: 'replayOperation',
      tag: 'Operations',
      summary: 'Replay a dead-lettered operation',
      points: [
        'The operation becomes pending with 0 attempts.',
        'Sends the current file, so that it never overwrites newer content; `{"send": "original"}` sends the original content.',
        'Any other status: `invalid_state`. 404 for an operation of a file that the token may not change.',
      ],
      params: OperationParams,
      optionalBody: ReplayOperationBody,
      answers: { 202: jsonAnswer(Accepted, 'The operation is pending.') },
      errors: ['not_found', 'invalid_state'],
    }),
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

/** Also for the administrative routes. */
export function refuseUnqueued(opId: string, outcome: 'queued' | 'invalid_state' | 'unknown'): void {
  if (outcome === 'unknown') throw operationNotFound(opId);
  if (outcome === 'invalid_state')
    throw new ApiError(
      'invalid_state',
      `operation ${opId} is not dead-lettered: only dead-lettered operations can be replayed`,
    );
}

export function operationNotFound(opId: string): ApiError {
  return new ApiError('not_found', `operation ${opId} not found`);
}
