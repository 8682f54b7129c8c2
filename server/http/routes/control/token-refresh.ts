// /api/v1/auth/token/refresh: a short-lived token for a long-lived one. It never makes a life longer: the new token ends with
// the one that it was made under, and is revoked with it.

import { TokenRefusedError, type VerifiedToken } from '../../../auth/tokens.ts';
import { RefreshedTokens, TokenRefreshBody } from '../../../contract/control.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { tokenBodyBytesMax } from '../../base/limits.ts';
import { type App, errorAnswers, jsonAnswer, sendJson } from '../../base/routing.ts';
import { wireTime } from '../../wire/records.ts';
import { baseUrlOf } from './joining.ts';

const accessTokenTtlSeconds = 3_600;

export function registerTokenRefresh(app: App, { tokens, signIn }: HttpDependencies): void {
  app.post(
    '/api/v1/auth/token/refresh',
    {
      bodyLimit: tokenBodyBytesMax,
      config: { access: { kind: 'open' }, badRequestCode: 'invalid_request' },
      schema: {
        operationId: 'refreshToken',
        tags: ['Control plane'],
        summary: 'Exchange a long-lived token for a short-lived one',
        description:
          'Needs no further token. The owner token gives one that may do what the owner may for an hour; a workspace token one with its scopes, for an hour or until it ends.',
        security: [],
        body: TokenRefreshBody,
        response: {
          200: jsonAnswer(RefreshedTokens, 'The tokens.'),
          ...errorAnswers([
            'invalid_request',
            'unauthorized',
            'forbidden',
            'invalid_scopes',
            'payload_too_large',
            'internal_error',
            'unavailable',
          ]),
        },
      },
    },
    async (request, reply) => {
      const { refreshToken } = request.body;
      const checked = await tokens.verify(refreshToken);
      if (!checked.ok) throw new ApiError(checked.code, checked.message);
      const { token } = checked;
      const access = token.owner ? await signIn.renew(token) : await shortLived(tokens, token);
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

async function shortLived(
  tokens: HttpDependencies['tokens'],
  token: VerifiedToken,
): Promise<{ readonly token: string; readonly expiresAtMs: number }> {
  const { workspaceId, agent, scopes } = token;
  try {
    const issued = await tokens.issue({
      workspaceId,
      under: token,
      agent,
      scopes,
      ttlSeconds: accessTokenTtlSeconds,
    });
    return { token: issued.token, expiresAtMs: issued.row.expiresAtMs };
  } catch (error) {
    // A token of another issuer may say what none of ours can.
    if (error instanceof TokenRefusedError) throw new ApiError('invalid_scopes', error.message);
    throw error;
  }
}
