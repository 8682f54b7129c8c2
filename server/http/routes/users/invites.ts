// /v1/invites: a user signs a browser in, or gets a personal token for a desktop, with the secret of an invite link.
import { ScopesExceededError, TokenRefusedError } from '../../../auth/tokens.ts';
import { SignInToken } from '../../../contract/agent.ts';
import {
  InviteBody,
  InvitedUser,
  InviteExchangeBody,
  InviteJoinBody,
  InviteJoined,
} from '../../../contract/users.ts';
import { joinedTokenTtlSeconds } from '../../../users/limits.ts';
import type { UserRow, Users } from '../../../users/service.ts';
import { ApiError, refusingAs } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { signInBodyBytesMax } from '../../base/limits.ts';
import { commandRoute } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { usersOf } from '../../request/hub-users.ts';
import { accessToken } from '../../wire/records.ts';
import { wireToken } from '../../wire/sign-in.ts';

const agentDefault = 'desktop';

export function registerInvites(app: App, dependencies: HttpDependencies): void {
  registerLookUpInvite(app, dependencies);
  registerExchangeInvite(app, dependencies);
  registerJoin(app, dependencies);
}

// All need no token. Attempts are not limited: a shared limit would let anybody keep an invited user out, and a secret has 192 random
// bits.
function registerLookUpInvite(app: App, dependencies: HttpDependencies): void {
  app.post(
    '/v1/invites/look-up',
    commandRoute('open', {
      operationId: 'lookUpInvite',
      tag: 'Users',
      summary: 'Get the user of an invite link',
      points: [
        'The invite stays valid.',
        'An unknown, used or expired one, and one of a disabled user: 401.',
      ],
      body: InviteBody,
      answers: { 200: jsonAnswer(InvitedUser, 'The user whom the link signs in.') },
      errors: ['unauthorized', 'invalid_state'],
      bodyBytesMax: signInBodyBytesMax,
    }),
    async (request, reply) => {
      const user = await usersOf(dependencies).userOfInvite(request.body.invite);
      if (user === null) throw invalidInvite();
      return sendJson(reply, InvitedUser, 200, { name: user.name });
    },
  );
}

function registerExchangeInvite(app: App, dependencies: HttpDependencies): void {
  const { signIn } = dependencies;
  app.post(
    '/v1/invites/exchange',
    commandRoute('open', {
      operationId: 'exchangeInvite',
      tag: 'Users',
      summary: 'Sign in with an invite link',
      points: [
        'An unknown, used or expired invite, and one of a disabled user: 401.',
        'With a public key: the browser stays signed in, as with a sign-in code. Requires the header `Origin`.',
      ],
      body: InviteExchangeBody,
      answers: { 200: jsonAnswer(SignInToken, 'A UI token with the rights of the user.') },
      errors: ['unauthorized', 'invalid_state'],
      bodyBytesMax: signInBodyBytesMax,
    }),
    async (request, reply) => {
      const users = usersOf(dependencies);
      const { invite, publicKey } = request.body;
      const { origin, 'user-agent': userAgent } = request.headers;
      if (publicKey !== undefined && origin === undefined)
        throw new ApiError(
          'bad_request',
          'a publicKey requires the header Origin: omit it outside of a browser',
        );
      const key = publicKey === undefined ? null : { x: publicKey.x, y: publicKey.y };
      if (key !== null && !signIn.sessions.isKey(key))
        throw new ApiError('bad_request', 'publicKey is not a point of P-256');
      const user = await users.useInvite(invite);
      if (user === null) throw invalidInvite();
      const token = await signIn.sessions.start({
        key,
        origin: origin ?? null,
        userAgent,
        userId: user.userId,
      });
      if (token === 'invalid-key') throw new ApiError('bad_request', 'publicKey is not a point of P-256');
      return sendJson(reply, SignInToken, 200, wireToken(token));
    },
  );
}

function registerJoin(app: App, dependencies: HttpDependencies): void {
  app.post(
    '/v1/invites/join',
    commandRoute('open', {
      operationId: 'joinWithInvite',
      tag: 'Users',
      summary: 'Exchange an invite link for a personal token',
      points: [
        'For a desktop without a browser. The token has the rights of the role, for 90 days unless `ttlSeconds` says otherwise.',
        'A refusal other than 401 leaves the invite valid.',
      ],
      body: InviteJoinBody,
      answers: { 201: jsonAnswer(InviteJoined, 'The token; it is not shown again.') },
      errors: ['unauthorized', 'invalid_state', 'not_found'],
      bodyBytesMax: signInBodyBytesMax,
    }),
    async (request, reply) => {
      const users = usersOf(dependencies);
      const { invite, agent = agentDefault, ttlSeconds = joinedTokenTtlSeconds } = request.body;
      const known = await users.userOfInvite(invite);
      if (known === null) throw invalidInvite();
      const workspace = await workspaceOf(dependencies, users, known, request.body.workspaceId);
      const user = await users.useInvite(invite);
      const role = user === null ? null : users.directory.roleOf(user.userId, workspace.workspaceId);
      if (user === null || role === null) throw invalidInvite();
      const issued = await dependencies.tokens
        .issue({
          workspaceId: workspace.workspaceId,
          agent,
          ttlSeconds,
          user: { userId: user.userId, role: role.role },
        })
        .catch(refusingAs([TokenRefusedError, 'bad_request'], [ScopesExceededError, 'forbidden']));
      return sendJson(reply, InviteJoined, 201, {
        token: issued.token,
        accessToken: accessToken(issued.row, user.name),
        userId: user.userId,
        name: user.name,
        workspaceName: workspace.name,
      });
    },
  );
}

function invalidInvite(): ApiError {
  return new ApiError(
    'unauthorized',
    'the invite is unknown, used or expired, or the user is disabled: ask an owner for a new link',
  );
}

/** The named one of the user's workspaces, or the only one. Throws before the invite is used. */
async function workspaceOf(
  { workspaces }: HttpDependencies,
  users: Users,
  user: UserRow,
  wanted: string | undefined,
) {
  const rows = (await workspaces.list()).filter(
    ({ workspaceId }) => users.directory.roleOf(user.userId, workspaceId) !== null,
  );
  const found = rows.filter(
    ({ workspaceId, name }) => wanted === undefined || wanted === workspaceId || wanted === name,
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (rows.length === 0)
    throw new ApiError('invalid_state', `${user.name} has no role in a workspace yet: ask an owner for one`);
  const names = rows.map(({ name }) => name).join(', ');
  if (found.length === 0) throw new ApiError('not_found', `${user.name} has no role there, but in: ${names}`);
  throw new ApiError('invalid_state', `${user.name} has roles in several workspaces, name one: ${names}`);
}
