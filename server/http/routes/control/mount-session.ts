// Creates a mount session: a token and URLs for a mount program, after checking that no mirror uses its folder. It starts no mirror: the
// client writes the folder itself.
import { MountSession, MountSessionBody, notProvided } from '../../../contract/control.ts';
import { parseWritePath } from '../../../workspaces/model.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { callerOf } from '../../plugins/auth.ts';
import { baseUrlOf, issueToken, streamUrlOf, timesOf } from './joining.ts';

const agentDefault = 'relayfile-mount';
/** The same text for every reason: a workspace token must not learn which folders exist. */
const localDirTaken =
  'the folder cannot be used: it is not an absolute path, or it overlaps a folder of the agent. Choose another one.';
/** Default scopes of a mount program: files, and the status of its writes. */
const scopesDefault = ['fs:read', 'fs:write', 'ops:read', 'sync:read'];

export function registerMountSession(app: App, { tokens, mirrors }: HttpDependencies): void {
  app.post(
    '/api/v1/workspaces/:workspaceId/relayfile/mount-session',
    commandRoute(
      { kind: 'member', withoutCorrelationId: true },
      {
        operationId: 'createMountSession',
        tag: 'Control plane',
        summary: 'Create a mount session',
        points: [
          'Returns the parameters of a mount program; starts no mirror.',
          'Without scopes: those of the requesting token; for the owner `fs:read`, `fs:write`, `ops:read` and `sync:read`.',
        ],
        body: MountSessionBody,
        answers: { 200: jsonAnswer(MountSession, 'The session.') },
        errors: ['invalid_mode', 'invalid_local_dir', 'invalid_remote_path', 'invalid_scopes'],
        config: { badRequestCode: 'invalid_request' },
      },
    ),
    async (request, reply) => {
      const { workspaceId } = request.params;
      const { body } = request;
      const mode = modeOf(body.mode);
      const remotePath = remotePathOf(body.remotePath);
      const { localDir } = body;
      const taken = mirrors.rootRefusal(localDir);
      if (taken !== null) {
        // The reason contains folders of the owner's machine, which only the owner may see.
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
  throw new ApiError('invalid_mode', 'invalid mode: use poll or fuse');
}

function remotePathOf(remotePath = '/'): string {
  if (remotePath === '' || remotePath === '/') return '/';
  const parsed = parseWritePath(remotePath);
  if (parsed.ok) return parsed.path;
  throw new ApiError('invalid_remote_path', parsed.reason);
}
