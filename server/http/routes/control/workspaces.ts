// /api/v1/workspaces: creates and joins a workspace, for clients of the reference's control plane. Its routes for connections to third
// parties, which Mooring does not have, answer 404 with a hint.
import {
  ControlWorkspace,
  ControlWorkspaceCreateBody,
  JoinBody,
  JoinedWorkspace,
  notProvided,
} from '../../../contract/control.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
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
    commandRoute(
      { kind: 'owner', withoutCorrelationId: true },
      {
        operationId: 'createControlWorkspace',
        tag: 'Control plane',
        summary: 'Create a workspace',
        points: [
          'For clients of the reference’s control plane, such as `RelayfileSetup` with its `cloudApiUrl` set to this agent. The next step is to join it.',
        ],
        optionalBody: ControlWorkspaceCreateBody,
        answers: { 201: jsonAnswer(ControlWorkspace, 'The new workspace.') },
        config: { badRequestCode: 'invalid_request' },
      },
    ),
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
    commandRoute(
      { kind: 'member', withoutCorrelationId: true },
      {
        operationId: 'joinWorkspace',
        tag: 'Control plane',
        summary: 'Join a workspace',
        points: [
          'Without scopes: those of the requesting token; for the owner `fs:read` and `fs:write`.',
          'A token that another token issues is limited to its scopes and by the access rules of both, and expires and is revoked with it.',
        ],
        optionalBody: JoinBody,
        answers: { 200: jsonAnswer(JoinedWorkspace, 'The workspace and a token for it.') },
        errors: ['invalid_scopes'],
        config: { badRequestCode: 'invalid_request' },
      },
    ),
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

export function registerControlIntegrations(app: App): void {
  app.all(
    '/api/v1/workspaces/:workspaceId/integrations/*',
    { config: { access: { kind: 'open' } }, schema: { hide: true } },
    () => {
      throw new ApiError(
        'not_found',
        'integrations are not supported: register a provider with POST /v1/workspaces/{workspaceId}/providers',
      );
    },
  );
}
