// /v1/agent/sign-in: the sign-in of the browser UI: a link with a single-use code, its exchange, and the renewal of the token.
import { SignInExchangeBody, SignInLink, SignInToken } from '../../../contract/agent.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { signInBodyBytesMax } from '../../base/limits.ts';
import { commandRoute } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
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
    commandRoute('owner', {
      operationId: 'createSignInLink',
      tag: 'Sign-in',
      summary: 'Create a sign-in link',
      points: ['The code in its fragment can be used once within 60 seconds.'],
      answers: { 201: jsonAnswer(SignInLink, 'The link.') },
    }),
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
    commandRoute('open', {
      operationId: 'exchangeSignInCode',
      tag: 'Sign-in',
      summary: 'Exchange a sign-in code for a token',
      points: [
        'An unknown, used or expired code: 401.',
        'Attempts are not limited, because a code has 192 random bits.',
      ],
      body: SignInExchangeBody,
      answers: { 200: jsonAnswer(SignInToken, 'A UI token.') },
      bodyBytesMax: signInBodyBytesMax,
    }),
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
    commandRoute('owner', {
      operationId: 'renewSignIn',
      tag: 'Sign-in',
      summary: 'Renew a UI token',
      callers: 'UI token.',
      points: ['Returns a new token for a valid one.'],
      answers: { 200: jsonAnswer(SignInToken, 'The next UI token.') },
    }),
    async (request, reply) => {
      const token = await signIn.renew(callerOf(request).token);
      return sendJson(reply, SignInToken, 200, {
        token: token.token,
        expiresAt: wireTime(token.expiresAtMs),
      });
    },
  );
}
