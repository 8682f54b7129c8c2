// W/mirrors: adds, lists, pauses, resumes and removes mirrors. Owner or UI token only.
import { MirrorParams } from '../../../../contract/parameters.ts';
import { Mirror, MirrorCreateBody, MirrorList, MirrorPauseBody } from '../../../../contract/workspaces.ts';
import { CloudFolderError, MirrorRefusedError } from '../../../../mirror/manager/port.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../../base/routing.ts';

const url = '/v1/workspaces/:workspaceId/mirrors';

export function registerMirrors(app: App, dependencies: HttpDependencies): void {
  registerListMirrors(app, dependencies);
  registerAddMirror(app, dependencies);
  registerPauses(app, dependencies);
  registerRemoveMirror(app, dependencies);
}

function registerListMirrors(app: App, { mirrors }: HttpDependencies): void {
  app.get(
    url,
    route('owner-workspace', {
      operationId: 'listMirrors',
      tag: 'Mirrors',
      summary: 'List mirrors of a workspace',
      answers: { 200: jsonAnswer(MirrorList, 'The mirrors with their state.') },
    }),
    async (request, reply) =>
      sendJson(reply, MirrorList, 200, { mirrors: [...(await mirrors.list(request.params.workspaceId))] }),
  );
}

function registerAddMirror(app: App, { mirrors }: HttpDependencies): void {
  app.post(
    url,
    commandRoute('owner-workspace', {
      operationId: 'addMirror',
      tag: 'Mirrors',
      summary: 'Mirror a workspace in a folder',
      points: [
        '`dir` is an absolute path on this machine; it is created if missing. The first sync only adds files.',
        '`mode` selects one direction. `path` mirrors only that directory of the workspace.',
        'A workspace can have several mirrored folders.',
        'An unusable folder, for example one inside another mirror: `invalid_state` with the reason. A folder of another sync program: `cloud_folder`, unless that is accepted.',
      ],
      body: MirrorCreateBody,
      answers: { 201: jsonAnswer(Mirror, 'The new mirror.') },
      errors: ['cloud_folder', 'invalid_state'],
    }),
    async (request, reply) => {
      const { dir, mode, path, acceptCloudFolder } = request.body;
      if (dir.includes('\0') || !dir.isWellFormed())
        throw new ApiError('bad_request', 'invalid dir: use an absolute path');
      if (path?.isWellFormed() === false)
        throw new ApiError('bad_request', 'invalid path: use a path of the workspace');
      const more = {
        acceptCloudFolder: acceptCloudFolder === true,
        ...(mode === undefined ? {} : { mode }),
        ...(path === undefined ? {} : { path }),
      };
      const mirror = await mirrors.add(request.params.workspaceId, dir, more).catch((error: unknown) => {
        if (error instanceof CloudFolderError) {
          const { service, path: folder, relation } = error.folder;
          throw new ApiError('cloud_folder', error.message, { fields: { service, folder, relation } });
        }
        if (error instanceof MirrorRefusedError) throw new ApiError('invalid_state', error.message);
        throw error;
      });
      return sendJson(reply, Mirror, 201, mirror);
    },
  );
}

function registerPauses(app: App, { mirrors, clock }: HttpDependencies): void {
  app.post(
    `${url}/:mirrorId/pause`,
    commandRoute('owner-workspace', {
      operationId: 'pauseMirror',
      tag: 'Mirrors',
      summary: 'Pause a mirror',
      points: [
        'Nothing is synced until it is resumed, also after a restart.',
        'With `until` it resumes at this time. A pause of a paused mirror replaces its end.',
      ],
      params: MirrorParams,
      optionalBody: MirrorPauseBody,
      answers: { 200: jsonAnswer(Mirror, 'The mirror.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const body: MirrorPauseBody | undefined = request.body ?? undefined;
      const untilMs = body?.until === undefined ? null : endOfPause(body.until, clock.nowMs());
      const mirror = await mirrors.pause(workspaceId, mirrorId, untilMs);
      if (mirror === null) throw mirrorNotFound();
      return sendJson(reply, Mirror, 200, mirror);
    },
  );
  app.post(
    `${url}/:mirrorId/resume`,
    commandRoute('owner-workspace', {
      operationId: 'resumeMirror',
      tag: 'Mirrors',
      summary: 'Resume a mirror',
      points: ['Starts with a scan.'],
      params: MirrorParams,
      answers: { 200: jsonAnswer(Mirror, 'The mirror.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const mirror = await mirrors.resume(workspaceId, mirrorId);
      if (mirror === null) throw mirrorNotFound();
      return sendJson(reply, Mirror, 200, mirror);
    },
  );
}

const pauseMsMax = 366 * 86_400_000;

function endOfPause(until: string, nowMs: number): number {
  const untilMs = Date.parse(until);
  if (!(untilMs > nowMs && untilMs <= nowMs + pauseMsMax))
    throw new ApiError('bad_request', 'invalid until: send a time in the future, within 366 days');
  return untilMs;
}

function registerRemoveMirror(app: App, { mirrors }: HttpDependencies): void {
  app.delete(
    `${url}/:mirrorId`,
    commandRoute('owner-workspace', {
      operationId: 'removeMirror',
      tag: 'Mirrors',
      summary: 'Stop mirroring in a folder',
      points: ['The folder keeps its files; only its `.mooring` is deleted.'],
      params: MirrorParams,
      answers: { 204: emptyAnswer('The mirror is removed.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      if ((await mirrors.remove(workspaceId, mirrorId)) === null) throw mirrorNotFound();
      return reply.code(204).send();
    },
  );
}

export function mirrorNotFound(): ApiError {
  return new ApiError('not_found', 'mirror not found');
}
