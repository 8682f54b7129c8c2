// Users of a hub, their roles in workspaces, and invites. An agent has no users, and refuses these calls.
import { CallGroup, segment, workspaceRoute } from './call-group.ts';
import type {
  CallOptions,
  CurrentUser,
  Invite,
  InvitedUser,
  InviteExchangeBody,
  InviteJoinBody,
  InviteJoined,
  SignInToken,
  User,
  UserCreateBody,
  UserRole,
  WorkspaceUser,
  WorkspaceUserAddBody,
} from './types.ts';

export class UserCalls extends CallGroup {
  /** Requires the owner's or a UI token of an owner. */
  async list(options?: CallOptions): Promise<User[]> {
    return (await this.transport.get<{ users: User[] }>('/v1/users', options)).users;
  }

  /** The user of the token of this client. */
  async me(options?: CallOptions): Promise<CurrentUser> {
    return await this.transport.get('/v1/users/me', options);
  }

  async create(input: UserCreateBody, options?: CallOptions): Promise<User> {
    return await this.transport.post('/v1/users', options, input);
  }

  /** Signs the user out everywhere and revokes the personal tokens, or (false) lets the user sign in again. */
  async setDisabled(userId: string, disabled: boolean, options?: CallOptions): Promise<User> {
    return await this.transport.patch(userRoute(userId), options, { disabled });
  }

  /** A link with which the user signs in once; it replaces the one before. */
  async invite(userId: string, options?: CallOptions): Promise<Invite> {
    return await this.transport.post(`${userRoute(userId)}/invite`, options);
  }

  /** The users with a role in the workspace. */
  async ofWorkspace(workspaceId: string, options?: CallOptions): Promise<WorkspaceUser[]> {
    const route = workspaceRoute(workspaceId, 'users');
    return (await this.transport.get<{ users: WorkspaceUser[] }>(route, options)).users;
  }

  /** Gives a user of this name or address a role in the workspace; adds the user if there is none. */
  async add(workspaceId: string, input: WorkspaceUserAddBody, options?: CallOptions): Promise<WorkspaceUser> {
    return await this.transport.post(workspaceRoute(workspaceId, 'users'), options, input);
  }

  async setRole(
    workspaceId: string,
    userId: string,
    role: UserRole,
    options?: CallOptions,
  ): Promise<WorkspaceUser> {
    const route = roleRoute(workspaceId, userId);
    return await this.transport.call({ method: 'PUT', route, body: { role }, call: options });
  }

  /** Revokes the personal tokens of the user for the workspace as well. */
  async remove(workspaceId: string, userId: string, options?: CallOptions): Promise<void> {
    await this.transport.delete(roleRoute(workspaceId, userId), options);
  }

  /** As `invite`, by an owner of the workspace, for a user who has not signed in yet. */
  async inviteToWorkspace(workspaceId: string, userId: string, options?: CallOptions): Promise<Invite> {
    return await this.transport.post(`${roleRoute(workspaceId, userId)}/invite`, options);
  }

  /** The user whom an invite link signs in; the link stays valid. Needs no token. */
  async lookUpInvite(invite: string, options?: CallOptions): Promise<InvitedUser> {
    return await this.transport.post('/v1/invites/look-up', options, { invite });
  }

  /** Signs in with the secret of an invite link. Needs no token. */
  async exchangeInvite(body: InviteExchangeBody, options?: CallOptions): Promise<SignInToken> {
    return await this.transport.post('/v1/invites/exchange', options, body);
  }

  /** A personal token for the secret of an invite link. Needs no token. */
  async join(body: InviteJoinBody, options?: CallOptions): Promise<InviteJoined> {
    return await this.transport.post('/v1/invites/join', options, body);
  }
}

function userRoute(userId: string): string {
  return `/v1/users/${segment(userId)}`;
}

function roleRoute(workspaceId: string, userId: string): string {
  return workspaceRoute(workspaceId, `users/${segment(userId)}`);
}
