// W/tokens: access tokens of a workspace. Owner or UI token only; a token is returned once.
import { TokenRefusedError } from '../../../auth/tokens.ts';
import { TokenParams } from '../../../contract/parameters.ts';
import { AccessTokenCreateBody, AccessTokenCreated, AccessTokenList } from '../../../contract/workspaces.ts';
import { ApiError, refusingAs } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../base/routing.ts';
import { accessToken } from '../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/tokens';

export function registerTokens(app: App, dependencies: HttpDependencies): void {
  registerListTokens(app, dependencies);
  registerCreateToken(app, dependencies);
  registerRevokeToken(app, dependencies);
}

function registerListTokens(app: App, { tokens }: HttpDependencies): void {
  app.get(
    url,
    route('owner-workspace', {
      operationId: 'listTokens',
      tag: 'Tokens',
      summary: 'List access tokens',
      points: ['Includes revoked tokens until they expire.', 'The token strings are not stored.'],
      answers: { 200: jsonAnswer(AccessTokenList, 'The tokens.') },
    }),
    async (request, reply) => {
      const rows = await tokens.list(request.params.workspaceId);
      return sendJson(reply, AccessTokenList, 200, { tokens: rows.map(accessToken) });
    },
  );
}

function registerCreateToken(app: App, { tokens, forks }: HttpDependencies): void {
  app.post(
    url,
    commandRoute('owner-workspace', {
      operationId: 'createToken',
      tag: 'Tokens',
      summary: 'Create an access token',
      points: [
        'Without scopes and path: the eight scopes of the API except `admin:*` and `sync:trigger`, for the whole workspace.',
        'With `path`, it may read and write matching files.',
        '`deletesPerMinute` limits its deletions.',
        'With `forkId`, it reads and writes only files of that fork, and uses only routes with `forkId`. All others are answered with 403. It issues no token without this limit.',
      ],
      optionalBody: AccessTokenCreateBody,
      answers: { 201: jsonAnswer(AccessTokenCreated, 'The token; it is not shown again.') },
      errors: ['not_found', 'fork_expired'],
    }),
    async (request, reply) => {
      const body: AccessTokenCreateBody | undefined = request.body ?? undefined;
      const { workspaceId } = request.params;
      // Throws when the fork is not open.
      if (body?.forkId !== undefined) await forks.open(workspaceId, body.forkId);
      const created = await tokens
        .issue({ workspaceId, ...body })
        .catch(refusingAs([TokenRefusedError, 'bad_request']));
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
    commandRoute('owner-workspace', {
      operationId: 'revokeToken',
      tag: 'Tokens',
      summary: 'Revoke an access token',
      points: ['Takes effect immediately: its requests are refused and its streams are closed.'],
      params: TokenParams,
      answers: { 204: emptyAnswer('The token is revoked.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, tokenId } = request.params;
      if (!(await tokens.revoke(workspaceId, tokenId))) throw new ApiError('not_found', 'token not found');
      return reply.code(204).send();
    },
  );
}
