// /api/v1/auth/token/refresh: exchanges a long-lived token for a short-lived one, which expires with it at the latest and is revoked
// with it.

import { uiTokenLifeMs } from '../../../auth/sign-in-sessions.ts';
import { TokenRefusedError, type VerifiedToken } from '../../../auth/tokens.ts';
import { RefreshedTokens, TokenRefreshBody } from '../../../contract/control.ts';
import { ApiError, refusingAs } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { tokenBodyBytesMax } from '../../base/limits.ts';
import { commandRoute } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { wireTime } from '../../wire/records.ts';
import { baseUrlOf } from './joining.ts';

const accessTokenTtlSeconds = 3_600;

export function registerTokenRefresh(app: App, dependencies: HttpDependencies): void {
  const { tokens } = dependencies;
  app.post(
    '/api/v1/auth/token/refresh',
    commandRoute('open', {
      operationId: 'refreshToken',
      tag: 'Control plane',
      summary: 'Exchange a long-lived token for a short-lived one',
      callers: 'Needs no token: the body contains it.',
      points: [
        'The owner token gives a token with the rights of the owner for one hour. A workspace token gives one with its scopes, for one hour or until it expires.',
      ],
      body: TokenRefreshBody,
      answers: { 200: jsonAnswer(RefreshedTokens, 'The tokens.') },
      errors: ['invalid_scopes'],
      config: { badRequestCode: 'invalid_request' },
      bodyBytesMax: tokenBodyBytesMax,
    }),
    async (request, reply) => {
      const { refreshToken } = request.body;
      const checked = await tokens.verify(refreshToken);
      if (!checked.ok) throw new ApiError(checked.code, checked.message);
      const { token } = checked;
      const access = token.owner ? await ownersToken(dependencies, token) : await shortLived(tokens, token);
      return sendJson(reply, RefreshedTokens, 200, {
        apiUrl: baseUrlOf(request),
        accessToken: access.token,
        accessTokenExpiresAt: wireTime(access.expiresAtMs),
        refreshToken,
        refreshTokenExpiresAt: wireTime(token.expiresAtMs),
      });
    },
  );
}

async function ownersToken({ tokens, signIn }: HttpDependencies, token: VerifiedToken) {
  if (token.tokenId === tokens.ownerTokenId()) return tokens.issueForOwner(uiTokenLifeMs);
  const renewed = await signIn.sessions.renew(token.tokenId);
  if (renewed !== null) return renewed;
  throw new ApiError('forbidden', 'the token of a signed-in browser is renewed by that browser only');
}

async function shortLived(
  tokens: HttpDependencies['tokens'],
  token: VerifiedToken,
): Promise<{ readonly token: string; readonly expiresAtMs: number }> {
  const { workspaceId, agent, scopes } = token;
  const issued = await tokens
    .issue({
      workspaceId,
      parentToken: token,
      agent,
      scopes,
      ttlSeconds: accessTokenTtlSeconds,
    })
    // A token of an external issuer can have scopes that this agent does not issue.
    .catch(refusingAs([TokenRefusedError, 'invalid_scopes']));
  return { token: issued.token, expiresAtMs: issued.row.expiresAtMs };
}
