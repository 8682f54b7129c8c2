// /v1/agent/sign-in: the sign-in of the browser UI: a link with a single-use code, its exchange, and the next token of the session.
import {
  SignInChallenge,
  SignInChallengeBody,
  SignInExchangeBody,
  SignInLink,
  SignInMethods,
  SignInRefreshBody,
  SignInToken,
} from '../../../contract/agent.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { signInBodyBytesMax, signInRetryAfterSeconds } from '../../base/limits.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { callerOf } from '../../plugins/auth.ts';
import { wireTime } from '../../wire/records.ts';
import { wireToken } from '../../wire/sign-in.ts';

export function registerSignIn(app: App, dependencies: HttpDependencies): void {
  registerListSignInMethods(app, dependencies);
  registerCreateSignInLink(app, dependencies);
  registerExchangeSignInCode(app, dependencies);
  registerRenewSignIn(app, dependencies);
  registerCreateSignInChallenge(app, dependencies);
  registerRefreshSignIn(app, dependencies);
}

const signedOut = 'the sign-in session is unknown, expired or ended: create a new sign-in link';

function registerListSignInMethods(app: App, { users, openId }: HttpDependencies): void {
  app.get(
    '/v1/agent/sign-in/methods',
    route('open', {
      operationId: 'listSignInMethods',
      tag: 'Sign-in',
      summary: 'List the ways to sign in',
      points: ['For a page without a token. The owner signs in with a link in any case.'],
      answers: { 200: jsonAnswer(SignInMethods, 'What this server offers.') },
    }),
    async (_request, reply) =>
      sendJson(reply, SignInMethods, 200, {
        invites: users !== null,
        ...(openId === null ? {} : { openId: { name: openId.name, url: openId.publicUrl } }),
      }),
  );
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
      const { code, expiresAtMs } = await signIn.createCode();
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
        'With a public key: the browser stays signed in and gets its next tokens by signed challenges. Requires the header `Origin`.',
      ],
      body: SignInExchangeBody,
      answers: { 200: jsonAnswer(SignInToken, 'A UI token.') },
      bodyBytesMax: signInBodyBytesMax,
    }),
    async (request, reply) => {
      const { code, publicKey } = request.body;
      const { origin, 'user-agent': userAgent } = request.headers;
      if (publicKey !== undefined && origin === undefined)
        throw new ApiError(
          'bad_request',
          'a publicKey requires the header Origin: omit it outside of a browser',
        );
      const key = publicKey === undefined ? null : { x: publicKey.x, y: publicKey.y };
      const token = await signIn.exchange(code, { key, origin: origin ?? null, userAgent });
      if (token === 'invalid-key') throw new ApiError('bad_request', 'publicKey is not a point of P-256');
      if (token === null)
        throw new ApiError(
          'unauthorized',
          'the sign-in code is unknown, used or expired: create a new sign-in link',
        );
      return sendJson(reply, SignInToken, 200, wireToken(token));
    },
  );
}

function registerRenewSignIn(app: App, { signIn }: HttpDependencies): void {
  app.post(
    '/v1/agent/sign-in/renew',
    commandRoute(
      { kind: 'owner', users: true },
      {
        operationId: 'renewSignIn',
        tag: 'Sign-in',
        summary: 'Renew a UI token',
        callers: 'UI token.',
        points: [
          'Returns a new token for a valid one of a session without a key.',
          'A session with a key is refreshed with a signed challenge instead: 403.',
        ],
        answers: { 200: jsonAnswer(SignInToken, 'The next UI token.') },
      },
    ),
    async (request, reply) => {
      const token = await signIn.sessions.renew(callerOf(request).token.tokenId);
      if (token === null)
        throw new ApiError(
          'forbidden',
          'only the UI token of a sign-in session without a key can be renewed',
        );
      return sendJson(reply, SignInToken, 200, wireToken(token));
    },
  );
}

// Needs no token: only a program that has the id of a session gets a challenge, and the challenge is worth nothing without its key.
function registerCreateSignInChallenge(app: App, { signIn }: HttpDependencies): void {
  app.post(
    '/v1/agent/sign-in/challenge',
    commandRoute('open', {
      operationId: 'createSignInChallenge',
      tag: 'Sign-in',
      summary: 'Create a challenge for a signed-in browser',
      points: ['Can be signed once within 30 seconds.', 'At most 120 per minute and session: 429.'],
      body: SignInChallengeBody,
      answers: { 200: jsonAnswer(SignInChallenge, 'The challenge.') },
      errors: ['unauthorized', 'rate_limited'],
      bodyBytesMax: signInBodyBytesMax,
    }),
    async (request, reply) => {
      const created = await signIn.sessions.challenge(request.body.sessionId);
      if (created === 'unknown') throw new ApiError('unauthorized', signedOut);
      if (created === 'too-many') {
        const message = 'too many challenges of this sign-in session in one minute';
        throw new ApiError('rate_limited', message, { retryAfterSeconds: signInRetryAfterSeconds });
      }
      const { challenge, expiresAtMs } = created;
      return sendJson(reply, SignInChallenge, 200, { challenge, expiresAt: wireTime(expiresAtMs) });
    },
  );
}

function registerRefreshSignIn(app: App, { signIn }: HttpDependencies): void {
  app.post(
    '/v1/agent/sign-in/refresh',
    commandRoute('open', {
      operationId: 'refreshSignIn',
      tag: 'Sign-in',
      summary: 'Exchange a signed challenge for a UI token',
      points: [
        'The signature is ES256 (64 bytes, base64url) by the key of the session over four lines: `mooring sign-in refresh v1`, the header `Origin`, the session id, the challenge.',
        'Another origin than that of the sign-in, another key, or a challenge that is unknown, used or expired: 401.',
      ],
      body: SignInRefreshBody,
      answers: { 200: jsonAnswer(SignInToken, 'The next UI token.') },
      errors: ['unauthorized'],
      bodyBytesMax: signInBodyBytesMax,
    }),
    async (request, reply) => {
      const origin = request.headers.origin ?? '';
      const token = await signIn.sessions.refresh({ ...request.body, origin });
      if (token === null) throw new ApiError('unauthorized', signedOut);
      return sendJson(reply, SignInToken, 200, wireToken(token));
    },
  );
}
