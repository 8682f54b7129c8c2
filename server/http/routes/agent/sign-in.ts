// /v1/agent/sign-in: the sign-in of the browser UI: a link with a single-use code, its exchange, and the renewal of the token.
import { SignInExchangeBody, SignInLink, SignInToken } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandBodyBytesMax, signInBodyBytesMax } from '../../base/limits.ts';
import {
  type App,
  bearer,
  commonErrors,
  describeRoute,
  errorAnswers,
  jsonAnswer,
  sendJson,
} from '../../base/routing.ts';
import { callerOf } from '../../plugins/auth.ts';
import { wireTime } from '../../wire/records.ts';

export function registerSignIn(app: App, dependencies: HttpDependencies): void {
  registerCreateSignInLink(app, dependencies);
  registerExchangeSignInCode(app, dependencies);
  registerRenewSignIn(app, dependencies);
}

function registerCreateSignInLink(app: App, { signIn }: HttpDependencies): void {
  app.post(
    '/v1/agent/sign-in/link',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'createSignInLink',
        tags: ['Sign-in'],
        summary: 'Create a sign-in link',
        description: describeRoute(
          'Owner or UI token.',
          'The code in its fragment can be used once within 60 seconds.',
        ),
        security: bearer,
        headers: CorrelationHeaders,
        response: {
          201: jsonAnswer(SignInLink, 'The link.'),
          ...errorAnswers([...commonErrors, 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const { code, expiresAtMs } = signIn.createCode();
      return sendJson(reply, SignInLink, 201, {
        url: `http://${request.headers.host}/#sign-in=${encodeURIComponent(code)}`,
        expiresAt: wireTime(expiresAtMs),
      });
    },
  );
}

// Needs no token, so its body is limited to a small size. Attempts are not limited: with a shared limit any local program could lock the
// owner out, and a code has 192 random bits (auth/sign-in).
function registerExchangeSignInCode(app: App, { signIn }: HttpDependencies): void {
  app.post(
    '/v1/agent/sign-in/exchange',
    {
      bodyLimit: signInBodyBytesMax,
      config: { access: { kind: 'open' } },
      schema: {
        operationId: 'exchangeSignInCode',
        tags: ['Sign-in'],
        summary: 'Exchange a sign-in code for a token',
        description: describeRoute(
          'Needs no token and no correlation id.',
          'An unknown, used or expired code: 401.',
          'Attempts are not limited, because a code has 192 random bits.',
        ),
        security: [],
        body: SignInExchangeBody,
        response: {
          200: jsonAnswer(SignInToken, 'A UI token.'),
          ...errorAnswers([
            'bad_request',
            'unauthorized',
            'forbidden',
            'payload_too_large',
            'internal_error',
            'unavailable',
          ]),
        },
      },
    },
    async (request, reply) => {
      const token = await signIn.exchange(request.body.code);
      if (token === null)
        throw new ApiError(
          'unauthorized',
          'the sign-in code is unknown, used or expired: create a new sign-in link',
        );
      return sendJson(reply, SignInToken, 200, {
        token: token.token,
        expiresAt: wireTime(token.expiresAtMs),
      });
    },
  );
}

function registerRenewSignIn(app: App, { signIn }: HttpDependencies): void {
  app.post(
    '/v1/agent/sign-in/renew',
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: { kind: 'owner' } },
      schema: {
        operationId: 'renewSignIn',
        tags: ['Sign-in'],
        summary: 'Renew a UI token',
        description: describeRoute('UI token.', 'Returns a new token for a valid one.'),
        security: bearer,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(SignInToken, 'The next UI token.'),
          ...errorAnswers([...commonErrors, 'payload_too_large']),
        },
      },
    },
    async (request, reply) => {
      const token = await signIn.renew(callerOf(request).token);
      return sendJson(reply, SignInToken, 200, {
        token: token.token,
        expiresAt: wireTime(token.expiresAtMs),
      });
    },
  );
}
