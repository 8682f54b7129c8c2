// Providers: external systems that receive the changes of a top-level directory.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';

const providerKinds = ['external', 'http'] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** Computed in core/inbound/sync-status, like the state of a sync status. */
const providerStates = ['healthy', 'syncing', 'lagging', 'error', 'paused'] as const;
export type ProviderState = (typeof providerStates)[number];

const State = Type.Enum([...providerStates], {
  description:
    'As in `sync/status`. `error`: the last call or refresh failed, or operations or inbound events are dead-lettered. `lagging`: an inbound event has been pending for more than 30 s. `syncing`: a refresh is running.',
});
const StateCause = Type.String({
  description: 'Explanation of the state for people; absent while it is `healthy`.',
  examples: ['2 operations are dead-lettered.'],
});

/** First segment of a path, in lower case. */
const ProviderName = Type.String({
  minLength: 1,
  maxLength: 255,
  description:
    'First segment of its paths, case-insensitive. Without `/` and control characters; not `.` or `..`.',
  examples: ['github'],
});

const Url = Type.String({ maxLength: 2048, examples: ['https://provider.example/writeback'] });
const timeoutMs = Type.Integer({
  minimum: 100,
  maximum: 120_000,
  description: 'Time limit of a complete response.',
});

export const ProviderRefresh = Type.Object({
  id: Type.String({ examples: ['sync_k3v9q0x2m1d8'] }),
  requestedAt: Timestamp,
  finishedAt: Type.Optional(Timestamp),
  error: Type.Optional(Type.String()),
});
export type ProviderRefresh = Static<typeof ProviderRefresh>;

export const Provider = Type.Object(
  {
    provider: ProviderName,
    kind: Type.Enum([...providerKinds], {
      description:
        '`external`: a consumer lists pending operations and acknowledges them. `http`: the agent sends them.',
    }),
    url: Type.Optional(Url),
    refreshUrl: Type.Optional(Url),
    allowPlainHttp: Type.Boolean(),
    allowPrivateAddresses: Type.Boolean(),
    timeoutMs: Type.Integer(),
    hasSecret: Type.Boolean({ description: 'The secret itself is never returned.' }),
    state: State,
    cause: Type.Optional(StateCause),
    circuit: Type.Enum(['closed', 'open', 'half_open'], {
      description: '`open`: calls are suspended for some time after repeated failures.',
    }),
    retryAt: Type.Optional(Timestamp),
    pending: Type.Integer(),
    running: Type.Integer(),
    deadLettered: Type.Integer(),
    oldestPendingAt: Type.Optional(Timestamp),
    failureCodes: Type.Record(Type.String(), Type.Integer()),
    lastSuccessAt: Type.Optional(Timestamp),
    lastFailureAt: Type.Optional(Timestamp),
    lastError: Type.Optional(Type.String()),
    refresh: Type.Optional(ProviderRefresh),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Provider' },
);
export type Provider = Static<typeof Provider>;

/** A sender of inbound events that is not registered: nothing is sent to it. */
export const ProviderSender = Type.Object({
  provider: ProviderName,
  state: State,
  cause: Type.Optional(StateCause),
  lastReceivedAt: Timestamp,
});
export type ProviderSender = Static<typeof ProviderSender>;

export const ProviderList = Type.Object(
  {
    providers: Type.Array(Provider),
    senders: Type.Array(ProviderSender, {
      description: 'Senders of inbound events that are not registered.',
    }),
  },
  { $id: 'ProviderList' },
);
export type ProviderList = Static<typeof ProviderList>;

const secret = Type.String({
  maxLength: 200,
  description: '`whsec_` and base64 of 24 to 64 bytes (Standard Webhooks specification).',
});
const allowPlainHttp = Type.Boolean({ description: 'false (default): only https.' });
const allowPrivateAddresses = Type.Boolean({
  description: 'false (default): no loopback and private addresses.',
});

export const ProviderCreateBody = Type.Object({
  provider: ProviderName,
  kind: Type.Enum([...providerKinds]),
  url: Type.Optional(Url),
  secret: Type.Optional(secret),
  refreshUrl: Type.Optional(Url),
  allowPlainHttp: Type.Optional(allowPlainHttp),
  allowPrivateAddresses: Type.Optional(allowPrivateAddresses),
  timeoutMs: Type.Optional(timeoutMs),
});
export type ProviderCreateBody = Static<typeof ProviderCreateBody>;

export const ProviderUpdateBody = Type.Object({
  url: Type.Optional(Url),
  secret: Type.Optional(secret),
  refreshUrl: Type.Optional(Type.Union([Url, Type.Null()], { description: 'null removes it.' })),
  allowPlainHttp: Type.Optional(allowPlainHttp),
  allowPrivateAddresses: Type.Optional(allowPrivateAddresses),
  timeoutMs: Type.Optional(timeoutMs),
});
export type ProviderUpdateBody = Static<typeof ProviderUpdateBody>;

export const ProviderTest = Type.Object(
  {
    ok: Type.Boolean(),
    httpStatus: Type.Optional(Type.Integer()),
    tookMs: Type.Integer(),
    message: Type.String(),
  },
  { $id: 'ProviderTest' },
);
export type ProviderTest = Static<typeof ProviderTest>;

export const ProviderRemoved = Type.Object(
  { provider: ProviderName, canceled: Type.Integer({ description: 'Number of its pending operations.' }) },
  { $id: 'ProviderRemoved' },
);
export type ProviderRemoved = Static<typeof ProviderRemoved>;

export const RefreshBody = Type.Object({
  provider: Type.Optional(Type.String({ description: 'Absent: every provider of the workspace.' })),
  reason: Type.Optional(Type.String({ maxLength: 1000 })),
});
export type RefreshBody = Static<typeof RefreshBody>;
