// Agent-wide routes: status, settings, waiting for mirrors, sign-in, backup, diagnostics.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';
import { Retention } from './history.ts';
import { Remote } from './remotes.ts';
import { Mirror, Workspace } from './workspaces.ts';

export const Health = Type.Object({ status: Type.Literal('ok') }, { $id: 'Health' });

/** `503`: a balancer sends requests elsewhere. */
export const Readiness = Type.Object(
  { ready: Type.Boolean(), reason: Type.Optional(Type.String()) },
  { $id: 'Readiness' },
);

/** What depends on the kind of the server: an agent has all but `users`, and a hub has `users` alone. */
export const agentFeatures = ['folders', 'remotes', 'backup', 'users'] as const;

/** A process of a hub. */
const Member = Type.Object({
  id: Type.String({ examples: ['prc_1f0c2a9b'] }),
  version: Type.String(),
  startedAt: Timestamp,
  seenAt: Timestamp,
  leads: Type.Boolean({
    description: 'true: it sends writeback and webhooks, applies inbound events and retention.',
  }),
});

/** The store of a hub lacked events that clients had seen. */
const LostTail = Type.Object({
  at: Timestamp,
  lastEvent: Type.String({ description: 'The newest event that was left.', examples: ['evt_4711'] }),
  seenEvent: Type.String({ description: 'The newest event that had been reported.', examples: ['evt_4720'] }),
});

export const AgentStatus = Type.Object(
  {
    version: Type.String(),
    pid: Type.Integer(),
    startedAt: Timestamp,
    url: Type.String(),
    dataDir: Type.String(),
    epoch: Type.String({ description: 'Changes after the restore of a backup.' }),
    lastRevision: Type.String(),
    retention: Retention,
    features: Type.Array(Type.Enum([...agentFeatures]), {
      description:
        'What this server can do beyond the v1 API. A hub keeps no folders, has no remotes and makes no backups. An agent has no users.',
    }),
    members: Type.Optional(
      Type.Array(Member, { description: 'Of a hub: its processes, seen within the last 10 seconds.' }),
    ),
    lostTails: Type.Optional(
      Type.Array(LostTail, {
        description: 'Of a hub: events that its database has lost within the last seven days, oldest first.',
      }),
    ),
    workspaces: Type.Array(Workspace),
    mirrors: Type.Array(Mirror),
    remotes: Type.Array(Remote),
  },
  { $id: 'AgentStatus' },
);
export type AgentStatus = Static<typeof AgentStatus>;

export const AgentClients = Type.Object(
  {
    minutes: Type.Integer({ description: 'Number of minutes that are counted.' }),
    total: Type.Integer({ description: 'Number of all clients; at most 100 are listed.' }),
    clients: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The agent of the token.' }),
        tokenId: Type.Optional(
          Type.String({ description: 'Absent: a token of an external issuer without an id.' }),
        ),
        workspaceId: Type.Optional(
          Type.String({ description: 'Absent: a token of the owner, for all workspaces.' }),
        ),
        owner: Type.Boolean({ description: 'true: the owner token or a UI token.' }),
        requests: Type.Integer({ description: 'Authorized requests, with any result.' }),
        writes: Type.Integer({ description: 'Requests that changed files.' }),
        requestsPerMinute: Type.Integer({
          description: 'Maximum of the current and the previous minute.',
        }),
        streams: Type.Integer({ description: 'Open WebSocket streams.' }),
        lastActiveAt: Timestamp,
      }),
    ),
  },
  { $id: 'AgentClients' },
);
export type AgentClients = Static<typeof AgentClients>;

const settingValue = [
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String()),
  Type.Null(),
] as const;
/** One setting of the running agent. */
const AgentSetting = Type.Object({
  name: Type.String({ description: 'Its key in `config.json`.', examples: ['historyDays'] }),
  value: Type.Union([...settingValue], { description: 'In use since the start of the agent.' }),
  isDefault: Type.Boolean(),
  default: Type.Union([...settingValue]),
  source: Type.Enum(['default', 'file', 'variable', 'flag'], {
    description: 'What set the value. A flag wins over a variable, and a variable over `config.json`.',
  }),
  nextValue: Type.Optional(
    Type.Union([...settingValue], {
      description: 'The value after a restart with the same flags and variables, if it differs.',
    }),
  ),
  isEditable: Type.Boolean({ description: 'true: `PATCH /v1/agent/settings` changes it.' }),
  expected: Type.Optional(Type.String({ description: 'What a valid value is, of an editable setting.' })),
  flag: Type.String({ examples: ['--history-days'] }),
  variable: Type.String({ examples: ['MOORING_HISTORY_DAYS'] }),
});
export type AgentSetting = Static<typeof AgentSetting>;
export const AgentSettings = Type.Object(
  {
    configFile: Type.String({ description: 'The configuration file, which is read at the start.' }),
    version: Type.String({ description: 'Of the content of the configuration file, for a change.' }),
    problem: Type.Optional(
      Type.String({
        description: 'Why the configuration file is invalid. The agent would not start with it.',
      }),
    ),
    settings: Type.Array(AgentSetting),
  },
  { $id: 'AgentSettings' },
);
export type AgentSettings = Static<typeof AgentSettings>;
export const AgentSettingsBody = Type.Object({
  version: Type.String({ maxLength: 100, description: 'From the list of the settings that is changed.' }),
  settings: Type.Record(
    Type.String({ maxLength: 100 }),
    Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Null()]),
    { description: 'New values by name. null: removes the setting from `config.json`.', maxProperties: 50 },
  ),
});
export type AgentSettingsBody = Static<typeof AgentSettingsBody>;

export const listNames = [
  'conflicts',
  'dead-letters',
  'mirrors',
  'operations',
  'providers',
  'remotes',
  'runs',
  'tokens',
  'workspaces',
] as const;
export type ListName = (typeof listNames)[number];
const ChangedList = Type.Object({
  list: Type.Enum([...listNames]),
  workspaceId: Type.Optional(Type.String({ description: 'Absent: of any workspace.' })),
});
export type ChangedList = Static<typeof ChangedList>;
export const ChangedLists = Type.Object(
  {
    cursor: Type.String({ description: 'For the next request.', examples: ['k3v9x2.17'] }),
    isComplete: Type.Boolean({
      description:
        'false: every list may have changed, because the cursor is absent, too old, or of an agent that was restarted.',
    }),
    changed: Type.Array(ChangedList),
  },
  { $id: 'ChangedLists' },
);
export type ChangedLists = Static<typeof ChangedLists>;

export const SettleBody = Type.Object({
  workspaceId: Type.Optional(Type.String()),
  timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000 })),
});
export type SettleBody = Static<typeof SettleBody>;
export const SettleResult = Type.Object(
  { settled: Type.Boolean(), mirrors: Type.Array(Mirror), remotes: Type.Array(Remote) },
  { $id: 'SettleResult' },
);
export type SettleResult = Static<typeof SettleResult>;

export const SignInLink = Type.Object(
  { url: Type.String({ description: 'The fragment contains a single-use code.' }), expiresAt: Timestamp },
  { $id: 'SignInLink' },
);
export type SignInLink = Static<typeof SignInLink>;
const base64url = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '^[A-Za-z0-9_-]+$' });
/** A public key of P-256 as a JSON Web Key (RFC 7518, 6.2). */
export const BrowserPublicKey = Type.Object({
  kty: Type.Literal('EC'),
  crv: Type.Literal('P-256'),
  x: base64url(43, 43),
  y: base64url(43, 43),
});
export const SignInExchangeBody = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 200 }),
  publicKey: Type.Optional(BrowserPublicKey),
});
export type SignInExchangeBody = Static<typeof SignInExchangeBody>;
export const SignInToken = Type.Object(
  {
    token: Type.String(),
    expiresAt: Timestamp,
    sessionId: Type.String({ description: 'The sign-in session, with which the token ends.' }),
  },
  { $id: 'SignInToken' },
);
export type SignInToken = Static<typeof SignInToken>;
const SessionId = Type.String({ minLength: 1, maxLength: 64 });
export const SignInChallengeBody = Type.Object({ sessionId: SessionId });
export const SignInChallenge = Type.Object(
  { challenge: Type.String({ description: 'Can be used once.' }), expiresAt: Timestamp },
  { $id: 'SignInChallenge' },
);
export type SignInChallenge = Static<typeof SignInChallenge>;
export const SignInRefreshBody = Type.Object({
  sessionId: SessionId,
  challenge: base64url(1, 64),
  signature: base64url(86, 86),
});
export type SignInRefreshBody = Static<typeof SignInRefreshBody>;
const SignInSession = Type.Object({
  sessionId: Type.String({ examples: ['ses_12ab34cd56ef78gh90ij'] }),
  name: Type.String({ description: 'As the browser names itself.', examples: ['Firefox on Linux'] }),
  origin: Type.Optional(
    Type.String({ description: 'Address of the page.', examples: ['http://127.0.0.1:4417'] }),
  ),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Type.String({ format: 'date-time', description: 'Unless it is used before.' }),
  user: Type.Optional(Type.String({ description: 'Name of the user who is signed in; absent: the owner.' })),
  isCurrent: Type.Boolean({ description: 'true: the token of this request belongs to it.' }),
});
export type SignInSession = Static<typeof SignInSession>;
export const SignInMethods = Type.Object(
  {
    invites: Type.Boolean({ description: 'true: a hub, whose users sign in with invite links.' }),
    openId: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: 'Host of the OpenID provider.' }),
          url: Type.String({ description: 'Address of this server to which the provider returns.' }),
        },
        { description: 'Present: users may sign in at this provider.' },
      ),
    ),
  },
  { $id: 'SignInMethods' },
);
export type SignInMethods = Static<typeof SignInMethods>;
export const OpenIdSignInBody = Type.Object({
  asksAgain: Type.Optional(
    Type.Boolean({
      description:
        'true: the provider asks for the account, where it would sign in the one of before without a question.',
    }),
  ),
});
export type OpenIdSignInBody = Static<typeof OpenIdSignInBody>;
export const OpenIdSignIn = Type.Object(
  {
    url: Type.String({ description: 'Address of the provider for this sign-in.' }),
    flow: Type.String({ description: 'Sealed. Needed to finish the sign-in; kept by the page alone.' }),
  },
  { $id: 'OpenIdSignIn' },
);
export type OpenIdSignIn = Static<typeof OpenIdSignIn>;
export const OpenIdSignInFinishBody = Type.Object({
  flow: Type.String({ minLength: 1, maxLength: 2_000 }),
  response: Type.String({
    minLength: 1,
    maxLength: 8_000,
    description: 'The query with which the provider returned, without `?`.',
  }),
  publicKey: Type.Optional(BrowserPublicKey),
});
export type OpenIdSignInFinishBody = Static<typeof OpenIdSignInFinishBody>;
export const SignInSessionList = Type.Object(
  { sessions: Type.Array(SignInSession) },
  { $id: 'SignInSessionList' },
);
export type SignInSessionList = Static<typeof SignInSessionList>;
export const SignInSessionsEnded = Type.Object({ ended: Type.Integer() }, { $id: 'SignInSessionsEnded' });
export type SignInSessionsEnded = Static<typeof SignInSessionsEnded>;

export const BackupBody = Type.Object({ dir: Type.String({ minLength: 1, maxLength: 4096 }) });
export const BackupResult = Type.Object(
  { dir: Type.String(), files: Type.Integer(), bytes: Type.Integer(), epoch: Type.String() },
  { $id: 'BackupResult' },
);
export type BackupResult = Static<typeof BackupResult>;

/** One check of `doctor` with its result and the next step. */
const DiagnosticCheck = Type.Object({
  name: Type.String(),
  state: Type.Enum(['ok', 'warning', 'failed']),
  detail: Type.String(),
  next: Type.Optional(Type.String()),
});
export const Diagnostics = Type.Object({ checks: Type.Array(DiagnosticCheck) }, { $id: 'Diagnostics' });
export type Diagnostics = Static<typeof Diagnostics>;

/** Diagnostics for support, without tokens, secrets, contents, and names of files, folders and hosts. */
export const DiagnosticsBundle = Type.Object(
  {
    madeAt: Timestamp,
    startedAt: Timestamp,
    version: Type.String(),
    runtime: Type.Object({ node: Type.String(), platform: Type.String(), arch: Type.String() }),
    checks: Type.Array(DiagnosticCheck),
    settings: Type.Array(AgentSetting, {
      description: 'A value that names a host or a file is replaced by `set`.',
    }),
    workspaces: Type.Array(
      Type.Object({ workspaceId: Type.String(), createdAt: Timestamp, files: Type.Integer() }),
    ),
    mirrors: Type.Array(
      Type.Object({
        mirrorId: Type.String(),
        workspaceId: Type.String(),
        state: Type.String(),
        watch: Type.String(),
        files: Type.Integer(),
        pendingLocal: Type.Integer(),
        pendingRemote: Type.Integer(),
        conflicts: Type.Integer(),
        problemKinds: Type.Record(Type.String(), Type.Integer()),
        lastSyncAt: Type.Union([Timestamp, Type.Null()]),
        halted: Type.Boolean(),
      }),
    ),
    providers: Type.Array(
      Type.Object({
        workspaceId: Type.String(),
        provider: Type.String(),
        kind: Type.String(),
        state: Type.String(),
        circuit: Type.String(),
        pending: Type.Integer(),
        running: Type.Integer(),
        deadLettered: Type.Integer(),
        failureCodes: Type.Record(Type.String(), Type.Integer()),
      }),
    ),
    metrics: Type.String({ description: 'Prometheus text since the start of the agent.' }),
    log: Type.Array(
      Type.Object({
        at: Type.Union([Timestamp, Type.Null()]),
        level: Type.Union([Type.String(), Type.Null()]),
        source: Type.Union([Type.String(), Type.Null()]),
        message: Type.String(),
        request: Type.Union([Type.String(), Type.Null()], {
          description: 'The same for entries of one request. Not its correlation id.',
        }),
        fields: Type.Record(Type.String(), Type.Unknown()),
      }),
      {
        description:
          'Up to 2,000 entries of the log, newest first. Texts are masked, except messages, ids and codes.',
      },
    ),
  },
  { $id: 'DiagnosticsBundle' },
);
export type DiagnosticsBundle = Static<typeof DiagnosticsBundle>;
