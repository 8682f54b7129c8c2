// /v1/workspaces: manages workspaces. Owner or UI token only.
import { WorkspaceListQueryParameters } from '../../../contract/parameters.ts';
import {
  Workspace,
  WorkspaceCreateBody,
  WorkspaceList,
  WorkspaceRenameBody,
} from '../../../contract/workspaces.ts';
import { WorkspaceTakenError } from '../../../workspaces/service.ts';
import { refusingAs, workspaceNotFound } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../base/routing.ts';
import { type Auth, queryOf } from '../../plugins/auth.ts';
import { signedInUser } from '../../request/hub-users.ts';
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

function registerListWorkspaces(app: App, { workspaces, users }: HttpDependencies): void {
  app.get(
    '/v1/workspaces',
    route(
      { kind: 'owner', users: true },
      {
        operationId: 'listWorkspaces',
        tag: 'Workspaces',
        summary: 'List workspaces',
        points: ['A user is shown those in which the user has a role.'],
        query: WorkspaceListQueryParameters,
        answers: { 200: jsonAnswer(WorkspaceList, 'All workspaces.') },
      },
    ),
    async (request, reply) => {
      const user = signedInUser(request);
      const includeDeleted = user === null && queryOf(request).first('deleted') === 'true';
      const rows = await workspaces.list({ includeDeleted });
      const shown = rows.filter(
        ({ workspaceId }) => user === null || users?.directory.roleOf(user, workspaceId) != null,
      );
      return sendJson(reply, WorkspaceList, 200, { workspaces: shown.map(workspace) });
    },
  );
}

function registerCreateWorkspace(app: App, { workspaces }: HttpDependencies): void {
  app.post(
    '/v1/workspaces',
    commandRoute('owner', {
      operationId: 'createWorkspace',
      tag: 'Workspaces',
      summary: 'Create a workspace',
      points: [
        'Without an id, a new one is generated: `rw_` and 8 characters of a-z and 0-9.',
        'An existing id, also of a deleted workspace: `invalid_state`.',
      ],
      body: WorkspaceCreateBody,
      answers: { 201: jsonAnswer(Workspace, 'The new workspace.') },
      errors: ['invalid_state'],
    }),
    async (request, reply) => {
      const { name, workspaceId } = request.body;
      const row = await workspaces
        .create({ name, ...(workspaceId === undefined ? {} : { workspaceId }) })
        .catch(refusingAs([WorkspaceTakenError, 'invalid_state']));
      return sendJson(reply, Workspace, 201, workspace(row));
    },
  );
}

function registerRenameWorkspace(app: App, { workspaces }: HttpDependencies): void {
  app.patch(
    workspaceUrl,
    commandRoute(
      { kind: 'owner-workspace', role: 'owner' },
      {
        operationId: 'renameWorkspace',
        tag: 'Workspaces',
        summary: 'Rename a workspace',
        points: ['The id does not change.'],
        body: WorkspaceRenameBody,
        answers: { 200: jsonAnswer(Workspace, 'The renamed workspace.') },
      },
    ),
    async (request, reply) => {
      const row = await workspaces.rename(request.params.workspaceId, request.body.name);
      if (row === null) throw workspaceNotFound();
      return sendJson(reply, Workspace, 200, workspace(row));
    },
  );
}

function registerDeleteWorkspace(
  app: App,
  { workspaces, mirrors, remotes }: HttpDependencies,
  auth: Auth,
  sockets: SocketServer,
): void {
  app.delete(
    workspaceUrl,
    commandRoute('owner-workspace', {
      operationId: 'deleteWorkspace',
      tag: 'Workspaces',
      summary: 'Delete a workspace',
      points: [
        'Its contents are retained for 30 days and can be restored until then.',
        'Mirrored folders keep their files.',
      ],
      answers: { 204: emptyAnswer('The workspace is deleted.') },
    }),
    async (request, reply) => {
      const { workspaceId } = request.params;
      // Mirrors and remotes first: the deletion of a workspace must never look like the deletion of all its files.
      await mirrors.removeAll(workspaceId);
      await remotes.removeAll(workspaceId);
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
    commandRoute(
      { kind: 'owner-workspace', deletedToo: true },
      {
        operationId: 'restoreWorkspace',
        tag: 'Workspaces',
        summary: 'Restore a deleted workspace',
        points: ['Restores all its contents.'],
        answers: { 200: jsonAnswer(Workspace, 'The restored workspace.') },
      },
    ),
    async (request, reply) => {
      const row = await workspaces.restore(request.params.workspaceId);
      if (row === null) throw workspaceNotFound();
      return sendJson(reply, Workspace, 200, workspace(row));
    },
  );
}
