// /v1/users: the users of a hub, and the user of the request.
import { UserParams } from '../../../contract/parameters.ts';
import {
  CurrentUser,
  Invite,
  User,
  UserChangeBody,
  UserCreateBody,
  UserList,
} from '../../../contract/users.ts';
import { usersMax } from '../../../users/limits.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../base/routing.ts';
import { callerOf } from '../../plugins/auth.ts';
import { changedBy, inviteUrl, publicUrlOf, refusedUser, usersOf } from '../../request/hub-users.ts';
import { wireTime } from '../../wire/records.ts';
import { userWire } from '../../wire/users.ts';

const url = '/v1/users';

export function registerUsers(app: App, dependencies: HttpDependencies): void {
  registerListUsers(app, dependencies);
  registerCurrentUser(app, dependencies);
  registerCreateUser(app, dependencies);
  registerChangeUser(app, dependencies);
  registerInviteUser(app, dependencies);
}

function registerListUsers(app: App, dependencies: HttpDependencies): void {
  app.get(
    url,
    route('owner', {
      operationId: 'listUsers',
      tag: 'Users',
      summary: 'List the users of a hub',
      points: [`By name, with their roles; at most ${usersMax}.`],
      answers: { 200: jsonAnswer(UserList, 'The users.') },
      errors: ['invalid_state'],
    }),
    async (_request, reply) => {
      const { directory } = usersOf(dependencies);
      const users = directory.users.map((user) => userWire(user, directory.rolesOf(user.userId)));
      return sendJson(reply, UserList, 200, { users });
    },
  );
}

function registerCurrentUser(app: App, { users }: HttpDependencies): void {
  app.get(
    `${url}/me`,
    route(
      { kind: 'token', withoutCorrelationId: true },
      {
        operationId: 'getCurrentUser',
        tag: 'Users',
        summary: 'Get the user of the request',
        points: ['Also on an agent, which has no users: whether the request has the rights of the owner.'],
        answers: { 200: jsonAnswer(CurrentUser, 'The user.') },
      },
    ),
    async (request, reply) => {
      const { token } = callerOf(request);
      const user = token.user === null ? null : (users?.directory.find(token.user.userId) ?? null);
      const roles = user === null ? [] : (users?.directory.rolesOf(user.userId) ?? []);
      // A personal token knows of the workspace that it belongs to, and of no other.
      const shown =
        token.user?.agent == null ? roles : roles.filter((one) => one.workspaceId === token.workspaceId);
      return sendJson(reply, CurrentUser, 200, {
        owner: token.owner,
        ...(user === null
          ? {}
          : {
              user: {
                userId: user.userId,
                name: user.name,
                ...(user.email === null ? {} : { email: user.email }),
              },
            }),
        roles: shown.map(({ workspaceId, role }) => ({ workspaceId, role })),
      });
    },
  );
}

function registerCreateUser(app: App, dependencies: HttpDependencies): void {
  app.post(
    url,
    commandRoute('owner', {
      operationId: 'createUser',
      tag: 'Users',
      summary: 'Add a user to a hub',
      points: ['A name or address that another user has: `invalid_state`.'],
      body: UserCreateBody,
      answers: { 201: jsonAnswer(User, 'The new user.') },
      errors: ['invalid_state'],
    }),
    async (request, reply) => {
      const users = usersOf(dependencies);
      const { name, email = null, isOwner = false } = request.body;
      const row = await users.add({ name, email, isOwner }).catch(refusedUser);
      return sendJson(reply, User, 201, userWire(row, []));
    },
  );
}

function registerChangeUser(app: App, dependencies: HttpDependencies): void {
  app.patch(
    `${url}/:userId`,
    commandRoute('owner', {
      operationId: 'changeUser',
      tag: 'Users',
      summary: 'Disable or enable a user',
      points: [
        'A disabled user is signed out, and the personal tokens are revoked: here immediately, on other processes within two seconds.',
      ],
      params: UserParams,
      body: UserChangeBody,
      answers: { 200: jsonAnswer(User, 'The user.') },
      errors: ['not_found', 'invalid_state'],
    }),
    async (request, reply) => {
      const users = usersOf(dependencies);
      const row = await users.setDisabled(request.params.userId, request.body.disabled).catch(refusedUser);
      return sendJson(reply, User, 200, userWire(row, users.directory.rolesOf(row.userId)));
    },
  );
}

function registerInviteUser(app: App, dependencies: HttpDependencies): void {
  app.post(
    `${url}/:userId/invite`,
    commandRoute('owner', {
      operationId: 'inviteUser',
      tag: 'Users',
      summary: 'Create an invite link for a user',
      points: [
        'The person who opens the link signs in as the user, once, within seven days.',
        'A new link replaces the one before.',
      ],
      params: UserParams,
      answers: { 201: jsonAnswer(Invite, 'The link; it is not shown again.') },
      errors: ['not_found', 'invalid_state'],
    }),
    async (request, reply) => {
      const invite = await usersOf(dependencies)
        .invite(request.params.userId, changedBy(request))
        .catch(refusedUser);
      return sendJson(reply, Invite, 201, {
        url: inviteUrl(publicUrlOf(request, dependencies), invite.secret),
        expiresAt: wireTime(invite.expiresAtMs),
      });
    },
  );
}
