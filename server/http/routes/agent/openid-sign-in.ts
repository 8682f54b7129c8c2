// /v1/agent/sign-in/openid: a user of a hub signs a browser in at the OpenID provider of the hub.
import { type OpenId, OpenIdRefusedError, OpenIdUnavailableError } from '../../../auth/openid.ts';
import {
  OpenIdSignIn,
  OpenIdSignInBody,
  OpenIdSignInFinishBody,
  SignInToken,
} from '../../../contract/agent.ts';
import { ApiError, refusingAs } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { openIdBodyBytesMax, openIdRetryAfterSeconds } from '../../base/limits.ts';
import { commandRoute } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { usersOf } from '../../request/hub-users.ts';
import { wireToken } from '../../wire/sign-in.ts';

const url = '/v1/agent/sign-in/openid';

export function registerOpenIdSignIn(app: App, dependencies: HttpDependencies): void {
  registerBegin(app, dependencies);
  registerFinish(app, dependencies);
}

const refused = refusingAs([OpenIdRefusedError, 'unauthorized']);

/** A provider that does not respond is not a refusal. */
async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof OpenIdUnavailableError)
      throw new ApiError('unavailable', error.message, { retryAfterSeconds: openIdRetryAfterSeconds });
    return refused(error);
  }
}

/** Throws where the server has no provider, or where the page is not the one that the provider returns to. */
function openIdOf({ openId }: HttpDependencies, origin: string | undefined): OpenId {
  if (openId === null)
    throw new ApiError(
      'invalid_state',
      'this server has no OpenID provider: start a hub with --oidc-issuer, or sign in with a link',
    );
  if (origin !== undefined && origin !== openId.publicUrl)
    throw new ApiError(
      'invalid_state',
      `sign in at ${openId.publicUrl}: the provider returns to that address`,
    );
  return openId;
}

// Both need no token. The sealed text is worth nothing without the code that the provider gives to the browser of the person.
function registerBegin(app: App, dependencies: HttpDependencies): void {
  app.post(
    url,
    commandRoute('open', {
      operationId: 'beginOpenIdSignIn',
      tag: 'Sign-in',
      summary: 'Begin a sign-in at the OpenID provider',
      points: [
        'The page keeps `flow`, goes to `url`, and finishes within 10 minutes, at any process of the hub.',
        'No provider, or a page at another address than `--public-url`: `invalid_state`. The provider does not respond: 503.',
      ],
      optionalBody: OpenIdSignInBody,
      answers: { 200: jsonAnswer(OpenIdSignIn, 'Where to sign in.') },
      errors: ['invalid_state', 'unavailable'],
      bodyBytesMax: openIdBodyBytesMax,
    }),
    async (request, reply) => {
      const openId = openIdOf(dependencies, request.headers.origin);
      const begun = await answered(openId.begin({ asksAgain: request.body?.asksAgain === true }));
      return sendJson(reply, OpenIdSignIn, 200, begun);
    },
  );
}

function registerFinish(app: App, dependencies: HttpDependencies): void {
  const { signIn } = dependencies;
  app.post(
    `${url}/finish`,
    commandRoute('open', {
      operationId: 'finishOpenIdSignIn',
      tag: 'Sign-in',
      summary: 'Finish a sign-in at the OpenID provider',
      points: [
        'The user is the one with this identity; the first time the one whose email address the provider has verified.',
        'An answer that the provider did not give to this sign-in: 401. A person without a user here, and a disabled user: 403.',
        'With a public key: the browser stays signed in, as with a sign-in code. Requires the header `Origin`.',
      ],
      body: OpenIdSignInFinishBody,
      answers: { 200: jsonAnswer(SignInToken, 'A UI token with the rights of the user.') },
      errors: ['unauthorized', 'forbidden', 'invalid_state', 'unavailable'],
      bodyBytesMax: openIdBodyBytesMax,
    }),
    async (request, reply) => {
      const { origin, 'user-agent': userAgent } = request.headers;
      const { flow, response, publicKey } = request.body;
      const openId = openIdOf(dependencies, origin);
      const users = usersOf(dependencies);
      const key = publicKey === undefined ? null : { x: publicKey.x, y: publicKey.y };
      if (key !== null && origin === undefined)
        throw new ApiError(
          'bad_request',
          'a publicKey requires the header Origin: omit it outside of a browser',
        );
      if (key !== null && !signIn.sessions.isKey(key))
        throw new ApiError('bad_request', 'publicKey is not a point of P-256');
      const identity = await answered(openId.finish({ flow, response }));
      const user = await users.signIn(identity);
      if (user === null || typeof user === 'string')
        throw new ApiError('forbidden', refusalOf(user ?? 'disabled', openId.name, identity.verifiedEmail));
      const session = { key, origin: origin ?? null, userAgent, userId: user.userId };
      const token = await signIn.sessions.start(session);
      if (token === 'invalid-key') throw new ApiError('bad_request', 'publicKey is not a point of P-256');
      return sendJson(reply, SignInToken, 200, wireToken(token));
    },
  );
}

/** What to ask for, and whom. */
function refusalOf(
  outcome: 'stranger' | 'disabled' | 'other_identity',
  provider: string,
  email: string | null,
): string {
  if (outcome === 'disabled') return 'the user is disabled: ask the owner of the hub';
  if (outcome === 'other_identity')
    return `the user with the address ${email} signs in with another account of ${provider}: use that account, or ask the owner of the hub`;
  return email === null
    ? `${provider} names no verified email address of this account: verify it there, or ask an owner for an invite link`
    : `no user of this hub has the address ${email}: ask an owner to add a user with it`;
}
