// /api/v1/workspaces: creates and joins a workspace, for clients of the reference's control plane.
import {
  ControlWorkspace,
  ControlWorkspaceCreateBody,
  JoinBody,
  JoinedWorkspace,
  notProvided,
} from '../../../contract/control.ts';
import { OptionalCorrelationHeaders, WorkspaceParams } from '../../../contract/parameters.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandBodyBytesMax } from '../../base/limits.ts';
import {
  type App,
  bearer,
  controlErrors,
  describeRoute,
  errorAnswers,
  jsonAnswer,
  sendJson,
} from '../../base/routing.ts';
import { optionalBody } from '../../plugins/bodies.ts';
import { wireTime } from '../../wire/records.ts';
import { baseUrlOf, issueToken, refusePermissions, streamUrlOf, timesOf } from './joining.ts';

const nameDefault = 'Workspace';
const agentDefault = 'agent';
const scopesDefault = ['fs:read', 'fs:write'];

export function registerControlWorkspaces(app: App, dependencies: HttpDependencies): void {
  registerCreateControlWorkspace(app, dependencies);
  registerJoinWorkspace(app, dependencies);
}

function registerCreateControlWorkspace(app: App, { workspaces }: HttpDependencies): void {
  app.post(
    '/api/v1/workspaces',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'owner', withoutCorrelationId: true }, badRequestCode: 'invalid_request' },
      schema: {
        operationId: 'createControlWorkspace',
        tags: ['Control plane'],
        summary: 'Create a workspace',
        description: describeRoute(
          'Owner or UI token.',
          'For clients of the reference’s control plane, such as `RelayfileSetup` with its `cloudApiUrl` set to this agent. The next step is to join it.',
        ),
        security: bearer,
        headers: OptionalCorrelationHeaders,
        body: { ...ControlWorkspaceCreateBody, ...optionalBody },
        response: {
          201: jsonAnswer(ControlWorkspace, 'The new workspace.'),
          ...errorAnswers([...controlErrors, 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const body = request.body ?? {};
      refusePermissions(body);
      const { workspaceId, name, createdAtMs } = await workspaces.create({ name: body.name ?? nameDefault });
      return sendJson(reply, ControlWorkspace, 201, {
        workspaceId,
        name,
        createdAt: wireTime(createdAtMs),
        relayfileUrl: baseUrlOf(request),
        relaycastApiKey: notProvided,
      });
    },
  );
}

function registerJoinWorkspace(app: App, { tokens }: HttpDependencies): void {
  app.post(
    '/api/v1/workspaces/:workspaceId/join',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'member', withoutCorrelationId: true }, badRequestCode: 'invalid_request' },
      schema: {
        operationId: 'joinWorkspace',
        tags: ['Control plane'],
        summary: 'Join a workspace',
        description: describeRoute(
          'Owner or UI token, or any token of the workspace.',
          'Without scopes: those of the requesting token; for the owner `fs:read` and `fs:write`.',
          'A token that another token issues is limited to its scopes and by the access rules of both, and expires and is revoked with it.',
        ),
        security: bearer,
        params: WorkspaceParams,
        headers: OptionalCorrelationHeaders,
        body: { ...JoinBody, ...optionalBody },
        response: {
          200: jsonAnswer(JoinedWorkspace, 'The workspace and a token for it.'),
          ...errorAnswers([...controlErrors, 'invalid_scopes', 'workspace_not_found', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.params;
      const body: JoinBody = request.body ?? {};
      refusePermissions(body);
      const { token, row } = await issueToken(request, tokens, workspaceId, {
        ...body,
        defaultAgent: agentDefault,
        ownerScopes: scopesDefault,
      });
      return sendJson(reply, JoinedWorkspace, 200, {
        workspaceId,
        token,
        relayfileUrl: baseUrlOf(request),
        wsUrl: streamUrlOf(request, workspaceId),
        agentName: row.agent,
        scopes: [...row.scopes],
        ...timesOf(row),
        relaycastApiKey: notProvided,
      });
    },
  );
}
