// W/remotes: syncs a workspace with a workspace of another server. Owner or UI token only.
import { RemoteParams } from '../../../contract/parameters.ts';
import { Remote, RemoteCreateBody, RemoteList, RemoteResumeBody } from '../../../contract/remotes.ts';
import { RemoteNotAddedError, type RemoteView } from '../../../remotes/port.ts';
import { ApiError, refusingAs } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../base/routing.ts';
import { remoteWire } from '../../wire/remotes.ts';

const url = '/v1/workspaces/:workspaceId/remotes';

export function registerRemotes(app: App, dependencies: HttpDependencies): void {
  registerListRemotes(app, dependencies);
  registerAddRemote(app, dependencies);
  registerPauseAndResume(app, dependencies);
  registerRemoveRemote(app, dependencies);
}

function registerListRemotes(app: App, { remotes }: HttpDependencies): void {
  app.get(
    url,
    route('owner-workspace', {
      operationId: 'listRemotes',
      tag: 'Remotes',
      summary: 'List remotes of a workspace',
      answers: { 200: jsonAnswer(RemoteList, 'The remotes with their state; at most one.') },
    }),
    async (request, reply) => {
      const views = await remotes.list(request.params.workspaceId);
      return sendJson(reply, RemoteList, 200, { remotes: views.map(remoteWire) });
    },
  );
}

function registerAddRemote(app: App, { remotes }: HttpDependencies): void {
  app.post(
    url,
    commandRoute('owner-workspace', {
      operationId: 'addRemote',
      tag: 'Remotes',
      summary: 'Sync a workspace with another server',
      points: [
        'Connects once before it answers. The first sync only adds files, on both sides.',
        'The token is read from `tokenFile` at each use, and stored nowhere.',
        'An address without encryption beyond this machine needs `insecureHttp`.',
        'A wrong address, token or workspace, or a workspace that has a remote: `invalid_state` with the reason.',
      ],
      body: RemoteCreateBody,
      answers: { 201: jsonAnswer(Remote, 'The new remote.') },
      errors: ['invalid_state'],
    }),
    async (request, reply) => {
      const { insecureHttp, ...body } = request.body;
      for (const text of [body.tokenFile, body.path ?? '', body.ignoreRules ?? ''])
        if (text.includes('\0') || !text.isWellFormed())
          throw new ApiError('bad_request', 'invalid path: remove the characters that are not text');
      const view = await remotes
        .add(request.params.workspaceId, { ...body, insecureHttp: insecureHttp === true })
        .catch(refusingAs([RemoteNotAddedError, 'invalid_state']));
      return sendJson(reply, Remote, 201, remoteWire(view));
    },
  );
}

function registerPauseAndResume(app: App, { remotes }: HttpDependencies): void {
  app.post(
    `${url}/:remoteId/pause`,
    commandRoute('owner-workspace', {
      operationId: 'pauseRemote',
      tag: 'Remotes',
      summary: 'Pause a remote',
      points: ['Nothing is synced until it is resumed, also after a restart.'],
      params: RemoteParams,
      answers: { 200: jsonAnswer(Remote, 'The remote.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, remoteId } = request.params;
      return sendJson(reply, Remote, 200, known(await remotes.pause(workspaceId, remoteId)));
    },
  );
  app.post(
    `${url}/:remoteId/resume`,
    commandRoute('owner-workspace', {
      operationId: 'resumeRemote',
      tag: 'Remotes',
      summary: 'Resume a remote',
      points: [
        'Connects at once, also where it waits for its next attempt.',
        'A halted remote needs an `answer`; without one it halts again.',
      ],
      params: RemoteParams,
      optionalBody: RemoteResumeBody,
      answers: { 200: jsonAnswer(Remote, 'The remote.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, remoteId } = request.params;
      const body: RemoteResumeBody | undefined = request.body ?? undefined;
      const view = await remotes.resume(workspaceId, remoteId, body?.answer ?? null);
      return sendJson(reply, Remote, 200, known(view));
    },
  );
}

function registerRemoveRemote(app: App, { remotes }: HttpDependencies): void {
  app.delete(
    `${url}/:remoteId`,
    commandRoute('owner-workspace', {
      operationId: 'removeRemote',
      tag: 'Remotes',
      summary: 'Stop syncing with another server',
      points: ['Both workspaces keep their files.'],
      params: RemoteParams,
      answers: { 204: emptyAnswer('The remote is removed.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, remoteId } = request.params;
      known(await remotes.remove(workspaceId, remoteId));
      return reply.code(204).send();
    },
  );
}

function known(view: RemoteView | null): Remote {
  if (view === null) throw new ApiError('not_found', 'remote not found');
  return remoteWire(view);
}
