// The control plane: creates and joins workspaces, and creates mount sessions, in the form that clients of the reference expect.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';

/** Value of a member that clients require for a service that Mooring does not have. */
export const notProvided = 'not-provided';

const relaycastApiKey = Type.Literal(notProvided, {
  description: 'A placeholder: Mooring does not have the messaging service of this key.',
});
const permissions = Type.Optional(
  Type.Object(
    {
      readonly: Type.Optional(Type.Array(Type.String())),
      ignored: Type.Optional(Type.Array(Type.String())),
    },
    {
      description: 'Not supported: a non-empty list is refused. Use `scopes` with paths.',
    },
  ),
);
const agentName = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
    description: 'Agent name of the token, for access rules and history.',
    examples: ['builder'],
  }),
);
const scopes = Type.Optional(
  Type.Array(Type.String({ minLength: 1 }), {
    maxItems: 64,
    description: 'Permissions of the token. A workspace token can only issue tokens within its own scopes.',
    examples: [['fs:read', 'relayfile:fs:write:/docs/**']],
  }),
);
const ttlSeconds = Type.Optional(
  Type.Integer({
    minimum: 60,
    maximum: 31_536_000,
    default: 86_400,
    description:
      'Lifetime of the token. A token that a workspace token issues expires with it at the latest.',
  }),
);
const times = {
  tokenIssuedAt: Timestamp,
  expiresAt: Timestamp,
  suggestedRefreshAt: Type.String({
    format: 'date-time',
    description: 'Recommended time of a refresh, before the token expires.',
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
    relayfileUrl: Type.String({ description: 'Base URL of the v1 API.' }),
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
    token: Type.String({ description: 'The access token; it is not shown again.' }),
    relayfileUrl: Type.String({ description: 'Base URL of the v1 API.' }),
    wsUrl: Type.String({ description: 'URL of the live stream; its `token` parameter takes the token.' }),
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
      'Absolute path of the folder that the client will write. It must not overlap a mirrored folder.',
    examples: ['/home/ann/mounted'],
  }),
  remotePath: Type.Optional(Type.String({ default: '/', description: 'Directory of the workspace.' })),
  mode: Type.Optional(Type.String({ default: 'poll', description: '`poll` or `fuse`.' })),
  agentName,
  scopes,
  provider: Type.Optional(Type.String({ description: 'Ignored.' })),
  ttlSeconds,
});

export type MountSessionBody = Static<typeof MountSessionBody>;

export const MountSession = Type.Object(
  {
    workspaceId: Type.String(),
    relayfileBaseUrl: Type.String({ description: 'Base URL of the v1 API.' }),
    relayfileToken: Type.String({ description: 'The access token; it is not shown again.' }),
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
    description: 'The owner token or a long-lived access token.',
  }),
});

export const RefreshedTokens = Type.Object(
  {
    apiUrl: Type.String({ description: 'Base URL of the control plane.' }),
    accessToken: Type.String(),
    accessTokenExpiresAt: Timestamp,
    refreshToken: Type.String({ description: 'The token of the request; it remains valid.' }),
    refreshTokenExpiresAt: Timestamp,
  },
  { $id: 'RefreshedTokens' },
);
export type RefreshedTokens = Static<typeof RefreshedTokens>;
