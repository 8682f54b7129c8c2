// What a mount program needs to begin: a token, addresses, and the certainty that its folder is nobody else's. It starts no
// mirror: the client fills the folder itself.
import { MountSession, MountSessionBody, notProvided } from '../../../contract/control.ts';
import { OptionalCorrelationHeaders, WorkspaceParams } from '../../../contract/parameters.ts';
import { parseWritePath } from '../../../workspaces/model.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandBodyBytesMax } from '../../base/limits.ts';
import { type App, bearer, controlErrors, errorAnswers, jsonAnswer, sendJson } from '../../base/routing.ts';
import { callerOf } from '../../plugins/auth.ts';
import { baseUrlOf, issueToken, streamUrlOf, timesOf } from './joining.ts';

const agentDefault = 'relayfile-mount';
/** The same for every reason: which folders there are is not for a token of a workspace. */
const localDirTaken =
  'this folder cannot be used: it is not an absolute path, or it and a folder of the agent lie within each other; choose another one';
/** What a mount program does: files, and how its writes went. */
const scopesDefault = ['fs:read', 'fs:write', 'ops:read', 'sync:read'];

export function registerMountSession(app: App, { tokens, mirrors }: HttpDependencies): void {
  app.post(
    '/api/v1/workspaces/:workspaceId/relayfile/mount-session',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'member', withoutCorrelationId: true }, badRequestCode: 'invalid_request' },
      schema: {
        operationId: 'createMountSession',
        tags: ['Control plane'],
        summary: 'Begin a mount',
        description:
          'Owner or UI token, or any token of the workspace. Answers what a mount program is started with; no mirror is started. Without scopes: those of the token that asks; for the owner `fs:read`, `fs:write`, `ops:read` and `sync:read`.',
        security: bearer,
        params: WorkspaceParams,
        headers: OptionalCorrelationHeaders,
        body: MountSessionBody,
        response: {
          200: jsonAnswer(MountSession, 'The session.'),
          ...errorAnswers([
            ...controlErrors,
            'invalid_mode',
            'invalid_local_dir',
            'invalid_remote_path',
            'invalid_scopes',
            'workspace_not_found',
            'payload_too_large',
          ]),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.params;
      const { body } = request;
      const mode = modeOf(body.mode);
      const remotePath = remotePathOf(body.remotePath);
      const { localDir } = body;
      const taken = mirrors.rootRefusal(localDir);
      if (taken !== null) {
        // The reason names folders of the owner's machine, which no other token is told.
        throw new ApiError('invalid_local_dir', callerOf(request).token.owner ? taken : localDirTaken);
      }
      const { token, row } = await issueToken(request, tokens, workspaceId, {
        ...body,
        defaultAgent: agentDefault,
        ownerScopes: scopesDefault,
      });
      return sendJson(reply, MountSession, 200, {
        workspaceId,
        relayfileBaseUrl: baseUrlOf(request),
        relayfileToken: token,
        wsUrl: streamUrlOf(request, workspaceId),
        remotePath,
        localDir,
        mode,
        scopes: [...row.scopes],
        ...timesOf(row),
        relaycastApiKey: notProvided,
      });
    },
  );
}

function modeOf(mode = 'poll'): MountSession['mode'] {
  if (mode === 'poll' || mode === 'fuse') return mode;
  throw new ApiError('invalid_mode', 'the mode is poll or fuse');
}

function remotePathOf(remotePath = '/'): string {
  if (remotePath === '' || remotePath === '/') return '/';
  const parsed = parseWritePath(remotePath);
  if (parsed.ok) return parsed.path;
  throw new ApiError('invalid_remote_path', parsed.reason);
}
