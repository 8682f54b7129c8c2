// Users of a hub, their roles in workspaces, and invites.
import { type Static, Type } from 'typebox';
import { BrowserPublicKey } from './agent.ts';
import { Timestamp } from './common.ts';
import { AccessToken } from './workspaces.ts';

export const userRoles = ['reader', 'editor', 'owner'] as const;
export type UserRole = (typeof userRoles)[number];
const UserRole = Type.Enum([...userRoles], {
  description:
    '`reader` reads files and sync status; `editor` also writes and replays operations; `owner` also manages the users, tokens, webhooks and name of the workspace.',
});
const UserName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'Unique regardless of case. History and access rules name the user by it.',
  examples: ['anna'],
});
const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  description: 'Unique regardless of case. An OpenID provider must confirm it for the first sign-in.',
  examples: ['anna@example.com'],
});

export const User = Type.Object(
  {
    userId: Type.String({ examples: ['usr_12ab34cd56ef'] }),
    name: Type.String(),
    email: Type.Optional(Type.String()),
    isOwner: Type.Boolean({ description: 'true: has the rights of the owner token.' }),
    createdAt: Timestamp,
    disabledAt: Type.Optional(Timestamp),
    signedInAt: Type.Optional(Type.String({ format: 'date-time', description: 'The first sign-in.' })),
    issuer: Type.Optional(Type.String({ description: 'The OpenID provider that the user signs in with.' })),
    roles: Type.Array(Type.Object({ workspaceId: Type.String(), role: UserRole })),
  },
  { $id: 'User' },
);
export type User = Static<typeof User>;
export const UserList = Type.Object({ users: Type.Array(User) }, { $id: 'UserList' });
export type UserList = Static<typeof UserList>;
export const UserCreateBody = Type.Object({
  name: UserName,
  email: Type.Optional(Email),
  isOwner: Type.Optional(Type.Boolean()),
});
export type UserCreateBody = Static<typeof UserCreateBody>;
export const UserChangeBody = Type.Object({
  disabled: Type.Boolean({
    description: 'true: ends the sign-in sessions, and revokes the personal tokens and the open invite.',
  }),
});
export type UserChangeBody = Static<typeof UserChangeBody>;

/** A user with a role in a workspace, as the other users of that workspace see it. */
export const WorkspaceUser = Type.Object(
  {
    userId: Type.String(),
    name: Type.String(),
    email: Type.Optional(Type.String({ description: 'Shown to owners.' })),
    role: UserRole,
    hasSignedIn: Type.Boolean(),
    disabledAt: Type.Optional(Timestamp),
    isSelf: Type.Boolean({ description: 'true: the user of this request.' }),
  },
  { $id: 'WorkspaceUser' },
);
export type WorkspaceUser = Static<typeof WorkspaceUser>;
export const WorkspaceUserList = Type.Object(
  { users: Type.Array(WorkspaceUser) },
  { $id: 'WorkspaceUserList' },
);
export type WorkspaceUserList = Static<typeof WorkspaceUserList>;
export const WorkspaceUserAddBody = Type.Object({
  name: UserName,
  email: Type.Optional(Email),
  role: UserRole,
});
export type WorkspaceUserAddBody = Static<typeof WorkspaceUserAddBody>;
export const WorkspaceUserRoleBody = Type.Object({ role: UserRole });
export type WorkspaceUserRoleBody = Static<typeof WorkspaceUserRoleBody>;

export const Invite = Type.Object(
  {
    url: Type.String({ description: 'Its fragment contains the secret, which is shown only here.' }),
    expiresAt: Timestamp,
  },
  { $id: 'Invite' },
);
export type Invite = Static<typeof Invite>;
const InviteSecret = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The text after `#invite=` of the link.',
});
export const InviteBody = Type.Object({ invite: InviteSecret });
export const InvitedUser = Type.Object({ name: Type.String() }, { $id: 'InvitedUser' });
export type InvitedUser = Static<typeof InvitedUser>;
export const InviteExchangeBody = Type.Object({
  invite: InviteSecret,
  publicKey: Type.Optional(BrowserPublicKey),
});
export type InviteExchangeBody = Static<typeof InviteExchangeBody>;
export const InviteJoinBody = Type.Object({
  invite: InviteSecret,
  workspaceId: Type.Optional(
    Type.String({ description: 'Id or name; required when the user has a role in more than one.' }),
  ),
  agent: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$', description: 'Default: `desktop`.' }),
  ),
  ttlSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 315_360_000 })),
});
export type InviteJoinBody = Static<typeof InviteJoinBody>;
export const InviteJoined = Type.Object(
  {
    token: Type.String(),
    accessToken: AccessToken,
    userId: Type.String(),
    name: Type.String(),
    workspaceName: Type.String(),
  },
  { $id: 'InviteJoined' },
);
export type InviteJoined = Static<typeof InviteJoined>;

export const CurrentUser = Type.Object(
  {
    owner: Type.Boolean({ description: 'true: the request has the rights of the owner token.' }),
    user: Type.Optional(
      Type.Object(
        { userId: Type.String(), name: Type.String(), email: Type.Optional(Type.String()) },
        { description: 'Absent: the owner token, or a token that belongs to no user.' },
      ),
    ),
    roles: Type.Array(Type.Object({ workspaceId: Type.String(), role: UserRole }), {
      description: 'Roles of the user; empty for an owner, who needs none.',
    }),
  },
  { $id: 'CurrentUser' },
);
export type CurrentUser = Static<typeof CurrentUser>;
