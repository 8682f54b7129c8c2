// /v1/agent/sign-in: how a browser page comes to its token. A link with a single-use code, its exchange, and renewal.
import { SignInExchangeBody, SignInLink, SignInToken } from '../../../contract/agent.ts';
import { CorrelationHeaders } from '../../../contract/parameters.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { commandBodyBytesMax, signInBodyBytesMax, signInExchangesPerMinute } from '../../limits.ts';
import { callerOf } from '../../plugins/auth.ts';
import { ApiError } from '../../plugins/errors.ts';
import { type App, bearer, commonErrors, errorAnswers, jsonAnswer, sendJson } from '../../routing.ts';
import { wireTime } from '../../wire.ts';

const minuteMs = 60_000;

export function registerSignIn(app: App, { signIn, clock }: HttpDependencies): void {
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
      return sendJson<SignInLink>(reply, 201, {
        url: `http://${request.headers.host}/#sign-in=${encodeURIComponent(code)}`,
        expiresAt: wireTime(expiresAtMs),
      });
    },
  );

  // The only POST that needs no token: few tries, small bodies.
  let windowEndsMs = 0;
  let tries = 0;
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
          'Needs no token and no correlation id. A code that is unknown, used or expired answers 401. At most 30 tries a minute, over all callers.',
        security: [],
        body: SignInExchangeBody,
        response: {
          200: jsonAnswer(SignInToken, 'A UI token.'),
          ...errorAnswers([
            'bad_request',
            'unauthorized',
            'forbidden',
            'payload_too_large',
            'rate_limited',
            'internal_error',
            'unavailable',
          ]),
        },
      },
    },
    async (request, reply) => {
      const nowMs = clock.monotonicMs();
      if (nowMs >= windowEndsMs) {
        windowEndsMs = nowMs + minuteMs;
        tries = 0;
      }
      tries += 1;
      if (tries > signInExchangesPerMinute) {
        throw new ApiError('rate_limited', 'too many sign-ins', {
          retryAfterSeconds: Math.max(1, Math.ceil((windowEndsMs - nowMs) / 1000)),
        });
      }
      const token = await signIn.exchange(request.body.code);
      if (token === null) throw new ApiError('unauthorized', 'this sign-in code is unknown, used or expired');
      return sendJson<SignInToken>(reply, 200, {
        token: token.token,
        expiresAt: wireTime(token.expiresAtMs),
      });
    },
  );

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
      return sendJson<SignInToken>(reply, 200, {
        token: token.token,
        expiresAt: wireTime(token.expiresAtMs),
      });
    },
  );
}
