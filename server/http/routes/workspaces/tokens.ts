// W/tokens: access tokens of a workspace. Owner or UI token only; a token is returned once.
import { TokenRefusedError } from '../../../auth/tokens.ts';
import { CorrelationHeaders, TokenParams, WorkspaceParams } from '../../../contract/parameters.ts';
import { AccessTokenCreateBody, AccessTokenCreated, AccessTokenList } from '../../../contract/workspaces.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandBodyBytesMax } from '../../base/limits.ts';
import {
  type App,
  bearer,
  describeRoute,
  emptyAnswer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../base/routing.ts';
import { optionalBody } from '../../plugins/bodies.ts';
import { accessToken } from '../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/tokens';
const access = { kind: 'owner-workspace' } as const;

export function registerTokens(app: App, dependencies: HttpDependencies): void {
  registerListTokens(app, dependencies);
  registerCreateToken(app, dependencies);
  registerRevokeToken(app, dependencies);
}

function registerListTokens(app: App, { tokens }: HttpDependencies): void {
  app.get(
    url,
    {
      config: { access },
      schema: {
        operationId: 'listTokens',
        tags: ['Tokens'],
        summary: 'List access tokens',
        description: describeRoute(
          'Owner or UI token.',
          'Includes revoked tokens until they expire.',
          'The token strings are not stored.',
        ),
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        response: { 200: jsonAnswer(AccessTokenList, 'The tokens.'), ...errorAnswers(workspaceErrors) },
      },
    },
    async (request, reply) => {
      const rows = await tokens.list(request.params.workspaceId);
      return sendJson(reply, AccessTokenList, 200, { tokens: rows.map(accessToken) });
    },
  );
}

function registerCreateToken(app: App, { tokens }: HttpDependencies): void {
  app.post(
    url,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access },
      schema: {
        operationId: 'createToken',
        tags: ['Tokens'],
        summary: 'Create an access token',
        description: describeRoute(
          'Owner or UI token.',
          'Without scopes and path: the eight scopes of the API except `admin:*` and `sync:trigger`, for the whole workspace.',
          'With `path`, it may read and write matching files.',
          '`deletesPerMinute` limits its deletions.',
        ),
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        body: { ...AccessTokenCreateBody, ...optionalBody },
        response: {
          201: jsonAnswer(AccessTokenCreated, 'The token; it is not shown again.'),
          ...errorAnswers([...workspaceErrors, 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const body: AccessTokenCreateBody | undefined = request.body ?? undefined;
      const created = await tokens
        .issue({ workspaceId: request.params.workspaceId, ...body })
        .catch((error: unknown) => {
          if (error instanceof TokenRefusedError) throw new ApiError('bad_request', error.message);
          throw error;
        });
      return sendJson(reply, AccessTokenCreated, 201, {
        token: created.token,
        accessToken: accessToken(created.row),
      });
    },
  );
}

function registerRevokeToken(app: App, { tokens }: HttpDependencies): void {
  app.delete(
    `${url}/:tokenId`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access },
      schema: {
        operationId: 'revokeToken',
        tags: ['Tokens'],
        summary: 'Revoke an access token',
        description: describeRoute(
          'Owner or UI token.',
          'Takes effect immediately: its requests are refused and its streams are closed.',
        ),
        security: bearer,
        params: TokenParams,
        headers: CorrelationHeaders,
        response: {
          204: emptyAnswer('The token is revoked.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, tokenId } = request.params;
      if (!(await tokens.revoke(workspaceId, tokenId))) throw new ApiError('not_found', 'token not found');
      return reply.code(204).send();
    },
  );
}
