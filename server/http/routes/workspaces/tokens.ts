// W/tokens: access tokens of a workspace: those of the owner, and personal tokens of users. A token is returned once.
import type { FastifyRequest } from 'fastify';
import { ScopesExceededError, TokenRefusedError, type TokenRow } from '../../../auth/tokens.ts';
import { TokenParams } from '../../../contract/parameters.ts';
import { AccessTokenCreateBody, AccessTokenCreated, AccessTokenList } from '../../../contract/workspaces.ts';
import { ApiError, refusingAs } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../base/routing.ts';
import { callerOf } from '../../plugins/auth.ts';
import { accessToken } from '../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/tokens';
const byUsers = { kind: 'owner-workspace', role: 'reader' } as const;

export function registerTokens(app: App, dependencies: HttpDependencies): void {
  registerListTokens(app, dependencies);
  registerCreateToken(app, dependencies);
  registerRevokeToken(app, dependencies);
}

/** The user who sees and revokes only personal tokens of their own; null: an owner, of the hub or of the workspace. */
function confinedTo(request: FastifyRequest): string | null {
  const { owner, user } = callerOf(request).token;
  return owner || user?.role?.role === 'owner' ? null : (user?.userId ?? '');
}

function registerListTokens(app: App, { tokens, users }: HttpDependencies): void {
  app.get(
    url,
    route(byUsers, {
      operationId: 'listTokens',
      tag: 'Tokens',
      summary: 'List access tokens',
      points: [
        'Includes revoked tokens until they expire.',
        'The token strings are not stored.',
        'A user who is no owner of the workspace is shown the personal tokens of their own.',
      ],
      answers: { 200: jsonAnswer(AccessTokenList, 'The tokens.') },
    }),
    async (request, reply) => {
      const only = confinedTo(request);
      const rows = await tokens.list(request.params.workspaceId);
      const nameOf = ({ userId }: TokenRow) =>
        userId === null ? undefined : (users?.directory.find(userId)?.name ?? userId);
      return sendJson(reply, AccessTokenList, 200, {
        tokens: rows
          .filter(({ userId }) => only === null || userId === only)
          .map((row) => accessToken(row, nameOf(row))),
      });
    },
  );
}

function registerCreateToken(app: App, { tokens, forks }: HttpDependencies): void {
  app.post(
    url,
    commandRoute(byUsers, {
      operationId: 'createToken',
      tag: 'Tokens',
      summary: 'Create an access token',
      points: [
        'Without scopes and path: the eight scopes of the API except `admin:*` and `sync:trigger`, for the whole workspace.',
        'With `path`, it may read and write matching files.',
        '`deletesPerMinute` limits its deletions.',
        'With `forkId`, it reads and writes only files of that fork, and uses only routes with `forkId`. All others are answered with 403. It issues no token without this limit.',
        'That of a user is a personal token: it never exceeds the role of the user, now or later. A scope that the role does not include: 403.',
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
      const { owner, user } = callerOf(request).token;
      const role = user?.role?.role;
      const personal =
        owner || user === null || role === undefined ? {} : { user: { userId: user.userId, role } };
      const created = await tokens
        .issue({ workspaceId, ...body, ...personal })
        .catch(refusingAs([TokenRefusedError, 'bad_request'], [ScopesExceededError, 'forbidden']));
      return sendJson(reply, AccessTokenCreated, 201, {
        token: created.token,
        accessToken: accessToken(created.row, 'user' in personal ? user?.name : undefined),
      });
    },
  );
}

function registerRevokeToken(app: App, { tokens }: HttpDependencies): void {
  app.delete(
    `${url}/:tokenId`,
    commandRoute(byUsers, {
      operationId: 'revokeToken',
      tag: 'Tokens',
      summary: 'Revoke an access token',
      points: [
        'Takes effect immediately: its requests are refused and its streams are closed.',
        'A user who is no owner of the workspace revokes personal tokens of their own.',
      ],
      params: TokenParams,
      answers: { 204: emptyAnswer('The token is revoked.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, tokenId } = request.params;
      const only = confinedTo(request);
      if (!(await tokens.revoke(workspaceId, tokenId, only)))
        throw new ApiError('not_found', 'token not found');
      return reply.code(204).send();
    },
  );
}
