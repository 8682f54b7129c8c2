// The control plane: how a program that knows only this agent's address and a token comes to a workspace, and how a mount
// program comes to its session. The words are those that clients of the reference's hosted control plane expect.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';

/** What stands where a client insists on a field of a service that does not exist here. */
export const notProvided = 'not-provided';

const relaycastApiKey = Type.Literal(notProvided, {
  description: 'A placeholder: the messaging service that this key is for does not exist here.',
});
const permissions = Type.Optional(
  Type.Object(
    {
      readonly: Type.Optional(Type.Array(Type.String())),
      ignored: Type.Optional(Type.Array(Type.String())),
    },
    {
      description:
        'Not offered: anything but empty lists is refused, for it would grant more than was meant. Name the paths in `scopes`.',
    },
  ),
);
const agentName = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
    description: 'Who the token is for; access rules and history name it.',
    examples: ['builder'],
  }),
);
const scopes = Type.Optional(
  Type.Array(Type.String({ minLength: 1 }), {
    maxItems: 64,
    description: 'What the token may do. A workspace token can hand out only what it may do itself.',
    examples: [['fs:read', 'relayfile:fs:write:/docs/**']],
  }),
);
const ttlSeconds = Type.Optional(
  Type.Integer({
    minimum: 60,
    maximum: 31_536_000,
    default: 86_400,
    description: 'Life of the token. One made under a workspace token ends with it at the latest.',
  }),
);
const times = {
  tokenIssuedAt: Timestamp,
  expiresAt: Timestamp,
  suggestedRefreshAt: Type.String({
    format: 'date-time',
    description: 'When it is time to ask again: well before the token ends.',
  }),
};

export const ControlWorkspaceCreateBody = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, examples: ['Docs'] })),
  permissions,
});

export const ControlWorkspace = Type.Object(
  {
    workspaceId: Type.String({ examples: ['rw_a1b2c3d4'] }),
    name: Type.String(),
    createdAt: Timestamp,
    relayfileUrl: Type.String({ description: 'Base address of the v1 API.' }),
    relaycastApiKey,
  },
  { $id: 'ControlWorkspace' },
);
export type ControlWorkspace = Static<typeof ControlWorkspace>;

export const JoinBody = Type.Object({ agentName, scopes, permissions, ttlSeconds });
export type JoinBody = Static<typeof JoinBody>;

export const JoinedWorkspace = Type.Object(
  {
    workspaceId: Type.String(),
    token: Type.String({ description: 'The access token; this is the only time that it is shown.' }),
    relayfileUrl: Type.String({ description: 'Base address of the v1 API.' }),
    wsUrl: Type.String({ description: 'Address of the live stream; it takes the token as `token`.' }),
    agentName: Type.String(),
    scopes: Type.Array(Type.String()),
    ...times,
    relaycastApiKey,
  },
  { $id: 'JoinedWorkspace' },
);
export type JoinedWorkspace = Static<typeof JoinedWorkspace>;

export const MountSessionBody = Type.Object({
  localDir: Type.String({
    minLength: 1,
    maxLength: 4096,
    description:
      'Absolute path of the folder that the client is going to fill. No mirror may hold it, or lie in it.',
    examples: ['/home/ann/mounted'],
  }),
  remotePath: Type.Optional(Type.String({ default: '/', description: 'Directory of the workspace.' })),
  mode: Type.Optional(Type.String({ default: 'poll', description: '`poll` or `fuse`.' })),
  agentName,
  scopes,
  provider: Type.Optional(Type.String({ description: 'Taken, and without effect.' })),
  ttlSeconds,
});

export type MountSessionBody = Static<typeof MountSessionBody>;

export const MountSession = Type.Object(
  {
    workspaceId: Type.String(),
    relayfileBaseUrl: Type.String({ description: 'Base address of the v1 API.' }),
    relayfileToken: Type.String({ description: 'The access token; this is the only time that it is shown.' }),
    wsUrl: Type.String(),
    remotePath: Type.String(),
    localDir: Type.String(),
    mode: Type.Enum(['poll', 'fuse']),
    scopes: Type.Array(Type.String()),
    ...times,
    relaycastApiKey,
  },
  { $id: 'MountSession' },
);
export type MountSession = Static<typeof MountSession>;

export const TokenRefreshBody = Type.Object({
  refreshToken: Type.String({
    minLength: 1,
    maxLength: 16_384,
    description: 'The owner token or an access token, best one with a long life.',
  }),
});

export const RefreshedTokens = Type.Object(
  {
    apiUrl: Type.String({ description: 'Base address of the control plane.' }),
    accessToken: Type.String(),
    accessTokenExpiresAt: Timestamp,
    refreshToken: Type.String({ description: 'The one that was sent; it stays valid.' }),
    refreshTokenExpiresAt: Timestamp,
  },
  { $id: 'RefreshedTokens' },
);
export type RefreshedTokens = Static<typeof RefreshedTokens>;
