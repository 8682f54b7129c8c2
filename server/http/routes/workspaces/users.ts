// W/users: the users with a role in a workspace.
import { WorkspaceUserParams } from '../../../contract/parameters.ts';
import {
  Invite,
  WorkspaceUser,
  WorkspaceUserAddBody,
  WorkspaceUserList,
  WorkspaceUserRoleBody,
} from '../../../contract/users.ts';
import type { Users } from '../../../users/service.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../base/routing.ts';
import { callerOf } from '../../plugins/auth.ts';
import { changedBy, inviteUrl, publicUrlOf, refusedUser, usersOf } from '../../request/hub-users.ts';
import { wireTime } from '../../wire/records.ts';
import { workspaceUserWire } from '../../wire/users.ts';

const url = '/v1/workspaces/:workspaceId/users';
const byOwners = { kind: 'owner-workspace', role: 'owner' } as const;

export function registerWorkspaceUsers(app: App, dependencies: HttpDependencies): void {
  registerListWorkspaceUsers(app, dependencies);
  registerAddWorkspaceUser(app, dependencies);
  registerSetRole(app, dependencies);
  registerRemoveRole(app, dependencies);
  registerInviteWorkspaceUser(app, dependencies);
}

function registerListWorkspaceUsers(app: App, dependencies: HttpDependencies): void {
  app.get(
    url,
    route(
      { kind: 'owner-workspace', role: 'reader' },
      {
        operationId: 'listWorkspaceUsers',
        tag: 'Users',
        summary: 'List the users of a workspace',
        points: ['By name. Addresses are shown to owners alone.'],
        answers: { 200: jsonAnswer(WorkspaceUserList, 'The users.') },
        errors: ['invalid_state'],
      },
    ),
    async (request, reply) => {
      const { directory } = usersOf(dependencies);
      const { token } = callerOf(request);
      const roles = new Map(
        directory.roles
          .filter(({ workspaceId }) => workspaceId === request.params.workspaceId)
          .map((role) => [role.userId, role]),
      );
      const showsEmail = token.owner || token.user?.role?.role === 'owner';
      const users = directory.users.flatMap((user) => {
        const role = roles.get(user.userId);
        const isSelf = user.userId === token.user?.userId;
        return role === undefined ? [] : [workspaceUserWire(user, role, { isSelf, showsEmail })];
      });
      return sendJson(reply, WorkspaceUserList, 200, { users });
    },
  );
}

function registerAddWorkspaceUser(app: App, dependencies: HttpDependencies): void {
  app.post(
    url,
    commandRoute(byOwners, {
      operationId: 'addWorkspaceUser',
      tag: 'Users',
      summary: 'Add a user to a workspace',
      points: [
        'A user with this name, or with this address, is given the role; otherwise a new user is added to the hub.',
        'A user who has a role already: `invalid_state`.',
      ],
      body: WorkspaceUserAddBody,
      answers: { 201: jsonAnswer(WorkspaceUser, 'The user.') },
      errors: ['invalid_state', 'not_found'],
    }),
    async (request, reply) => {
      const users = usersOf(dependencies);
      const { workspaceId } = request.params;
      const { name, email, role } = request.body;
      const known = knownUser(users, name, email);
      if (
        known !== null &&
        users.directory.rolesOf(known.userId).some((one) => one.workspaceId === workspaceId)
      )
        throw new ApiError('invalid_state', `${known.name} has a role in the workspace: change it instead`);
      const user =
        known ?? (await users.add({ name, email: email ?? null, isOwner: false }).catch(refusedUser));
      const set = await users.setRole(user.userId, workspaceId, role, changedBy(request)).catch(refusedUser);
      return sendJson(
        reply,
        WorkspaceUser,
        201,
        workspaceUserWire(user, set, { isSelf: false, showsEmail: true }),
      );
    },
  );
}

/** Throws where the name is one user's and the address another's. */
function knownUser(users: Users, name: string, email: string | undefined) {
  const byName = users.find(name);
  const byEmail = email === undefined ? null : users.find(email);
  if (byName === null) return byEmail;
  const isSame = byEmail?.userId === byName.userId;
  if (email === undefined || isSame) return byName;
  throw new ApiError('invalid_state', `the name ${name} is that of a user with another address`);
}

function registerSetRole(app: App, dependencies: HttpDependencies): void {
  app.put(
    `${url}/:userId`,
    commandRoute(byOwners, {
      operationId: 'setWorkspaceUserRole',
      tag: 'Users',
      summary: 'Set the role of a user',
      points: [
        'Personal tokens of the user are narrowed to the new role at their next use; open streams are closed, and webhooks that they have registered end.',
        'The last owner of a workspace keeps the role, unless the owner of the hub changes it: `invalid_state`.',
      ],
      params: WorkspaceUserParams,
      body: WorkspaceUserRoleBody,
      answers: { 200: jsonAnswer(WorkspaceUser, 'The user.') },
      errors: ['invalid_state', 'not_found'],
    }),
    async (request, reply) => {
      const users = usersOf(dependencies);
      const { workspaceId, userId } = request.params;
      const set = await users
        .setRole(userId, workspaceId, request.body.role, changedBy(request))
        .catch(refusedUser);
      const isSelf = userId === callerOf(request).token.user?.userId;
      const user = users.directory.find(userId);
      if (user === null) throw new ApiError('not_found', 'user not found');
      return sendJson(reply, WorkspaceUser, 200, workspaceUserWire(user, set, { isSelf, showsEmail: true }));
    },
  );
}

function registerRemoveRole(app: App, dependencies: HttpDependencies): void {
  app.delete(
    `${url}/:userId`,
    commandRoute(byOwners, {
      operationId: 'removeWorkspaceUser',
      tag: 'Users',
      summary: 'Remove a user from a workspace',
      points: [
        'Revokes the personal tokens of the user for the workspace: here immediately, on other processes within two seconds.',
      ],
      params: WorkspaceUserParams,
      answers: { 204: emptyAnswer('The user has no role in the workspace.') },
      errors: ['invalid_state', 'not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, userId } = request.params;
      await usersOf(dependencies).removeRole(userId, workspaceId, changedBy(request)).catch(refusedUser);
      return reply.code(204).send();
    },
  );
}

function registerInviteWorkspaceUser(app: App, dependencies: HttpDependencies): void {
  app.post(
    `${url}/:userId/invite`,
    commandRoute(byOwners, {
      operationId: 'inviteWorkspaceUser',
      tag: 'Users',
      summary: 'Create an invite link for a user of a workspace',
      points: [
        'The person who opens the link signs in as the user, once, within seven days. A new link replaces the one before.',
        'For a user who has signed in, or who has a role in a workspace of others, only the owner of the hub creates a link: 403.',
      ],
      params: WorkspaceUserParams,
      answers: { 201: jsonAnswer(Invite, 'The link; it is not shown again.') },
      errors: ['invalid_state', 'not_found'],
    }),
    async (request, reply) => {
      const users = usersOf(dependencies);
      const { workspaceId, userId } = request.params;
      if (!users.directory.rolesOf(userId).some((one) => one.workspaceId === workspaceId))
        throw new ApiError('not_found', 'the user has no role in this workspace');
      const invite = await users.invite(userId, changedBy(request)).catch(refusedUser);
      return sendJson(reply, Invite, 201, {
        url: inviteUrl(publicUrlOf(request, dependencies), invite.secret),
        expiresAt: wireTime(invite.expiresAtMs),
      });
    },
  );
}
