// /v1/agent/sign-in: how a browser page comes to its token. A link with a single-use code, its exchange, and renewal.
import { SignInExchangeBody, SignInLink, SignInToken } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandBodyBytesMax, signInBodyBytesMax } from '../../base/limits.ts';
import { type App, bearer, commonErrors, errorAnswers, jsonAnswer, sendJson } from '../../base/routing.ts';
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
        summary: 'Make a sign-in link',
        description: 'Owner or UI token. The code in its fragment works once, within 60 seconds.',
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

// The only POST that needs no token, so its bodies are small. Attempts are not counted: a limit that all callers share would let
// any program of this machine lock the owner out, and a code has 192 random bits for its 60 s (auth/sign-in).
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
        description:
          'Needs no token and no correlation id. A code that is unknown, used or expired answers 401. Wrong codes do not limit the right one: it has 192 random bits.',
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
      if (token === null) throw new ApiError('unauthorized', 'this sign-in code is unknown, used or expired');
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
        description: 'UI token. A fresh one for one that is still valid.',
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
