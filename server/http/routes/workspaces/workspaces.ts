// /v1/workspaces: manages workspaces. Owner or UI token only.
import {
  CorrelationHeaders,
  WorkspaceListQueryParameters,
  WorkspaceParams,
} from '../../../contract/parameters.ts';
import {
  Workspace,
  WorkspaceCreateBody,
  WorkspaceList,
  WorkspaceRenameBody,
} from '../../../contract/workspaces.ts';
import { WorkspaceTakenError } from '../../../workspaces/service.ts';
import { ApiError, workspaceNotFound } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandBodyBytesMax } from '../../base/limits.ts';
import {
  type App,
  bearer,
  commonErrors,
  describeRoute,
  emptyAnswer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../base/routing.ts';
import { type Auth, queryOf } from '../../plugins/auth.ts';
import type { SocketServer } from '../../socket/upgrade.ts';
import { workspace } from '../../wire/records.ts';

const workspaceUrl = '/v1/workspaces/:workspaceId';

export function registerWorkspaces(
  app: App,
  dependencies: HttpDependencies,
  auth: Auth,
  sockets: SocketServer,
): void {
  registerListWorkspaces(app, dependencies);
  registerCreateWorkspace(app, dependencies);
  registerRenameWorkspace(app, dependencies);
  registerDeleteWorkspace(app, dependencies, auth, sockets);
  registerRestoreWorkspace(app, dependencies);
}

function registerListWorkspaces(app: App, { workspaces }: HttpDependencies): void {
  app.get(
    '/v1/workspaces',
    {
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'listWorkspaces',
        tags: ['Workspaces'],
        summary: 'List workspaces',
        description: 'Owner or UI token.',
        security: bearer,
        headers: CorrelationHeaders,
        querystring: WorkspaceListQueryParameters,
        response: { 200: jsonAnswer(WorkspaceList, 'All workspaces.'), ...errorAnswers(commonErrors) },
      },
    },
    async (request, reply) => {
      const rows = await workspaces.list({ includeDeleted: queryOf(request).first('deleted') === 'true' });
      return sendJson(reply, WorkspaceList, 200, { workspaces: rows.map(workspace) });
    },
  );
}

function registerCreateWorkspace(app: App, { workspaces }: HttpDependencies): void {
  app.post(
    '/v1/workspaces',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'createWorkspace',
        tags: ['Workspaces'],
        summary: 'Create a workspace',
        description: describeRoute(
          'Owner or UI token.',
          'Without an id, a new one is generated: `rw_` and 8 characters of a-z and 0-9.',
          'An existing id, also of a deleted workspace: `invalid_state`.',
        ),
        security: bearer,
        headers: CorrelationHeaders,
        body: WorkspaceCreateBody,
        response: {
          201: jsonAnswer(Workspace, 'The new workspace.'),
          ...errorAnswers([...commonErrors, 'invalid_state', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { name, workspaceId } = request.body;
      const row = await workspaces
        .create({ name, ...(workspaceId === undefined ? {} : { workspaceId }) })
        .catch((error: unknown) => {
          if (error instanceof WorkspaceTakenError) throw new ApiError('invalid_state', error.message);
          throw error;
        });
      return sendJson(reply, Workspace, 201, workspace(row));
    },
  );
}

function registerRenameWorkspace(app: App, { workspaces }: HttpDependencies): void {
  app.patch(
    workspaceUrl,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'owner-workspace' } },
      schema: {
        operationId: 'renameWorkspace',
        tags: ['Workspaces'],
        summary: 'Rename a workspace',
        description: describeRoute('Owner or UI token.', 'The id does not change.'),
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        body: WorkspaceRenameBody,
        response: {
          200: jsonAnswer(Workspace, 'The renamed workspace.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const row = await workspaces.rename(request.params.workspaceId, request.body.name);
      if (row === null) throw workspaceNotFound();
      return sendJson(reply, Workspace, 200, workspace(row));
    },
  );
}

function registerDeleteWorkspace(
  app: App,
  { workspaces, mirrors }: HttpDependencies,
  auth: Auth,
  sockets: SocketServer,
): void {
  app.delete(
    workspaceUrl,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'owner-workspace' } },
      schema: {
        operationId: 'deleteWorkspace',
        tags: ['Workspaces'],
        summary: 'Delete a workspace',
        description: describeRoute(
          'Owner or UI token.',
          'Its contents are retained for 30 days and can be restored until then.',
          'Mirrored folders keep their files.',
        ),
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        response: {
          204: emptyAnswer('The workspace is deleted.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.params;
      // Mirrors first: the deletion of a workspace must never look like the deletion of all its files.
      for (const { mirrorId } of await mirrors.list(workspaceId)) await mirrors.remove(workspaceId, mirrorId);
      const removed = await workspaces.remove(workspaceId);
      auth.forgetWorkspace(workspaceId);
      sockets.closeWorkspace(workspaceId);
      if (!removed) throw workspaceNotFound();
      return reply.code(204).send();
    },
  );
}

function registerRestoreWorkspace(app: App, { workspaces }: HttpDependencies): void {
  app.post(
    `${workspaceUrl}/restore`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'owner-workspace', deletedToo: true } },
      schema: {
        operationId: 'restoreWorkspace',
        tags: ['Workspaces'],
        summary: 'Restore a deleted workspace',
        description: describeRoute('Owner or UI token.', 'Restores all its contents.'),
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(Workspace, 'The restored workspace.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const row = await workspaces.restore(request.params.workspaceId);
      if (row === null) throw workspaceNotFound();
      return sendJson(reply, Workspace, 200, workspace(row));
    },
  );
}
