// Our own endpoints about providers: who carries the changes of a top directory to the outside, and how.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';

const providerKinds = ['external', 'http'] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** One computation for all: core/sync-status. A sync status says the same word. */
const providerStates = ['healthy', 'syncing', 'lagging', 'error', 'paused'] as const;
export type ProviderState = (typeof providerStates)[number];

const State = Type.Enum([...providerStates], {
  description:
    'As in `sync/status`. `error`: the last call or refresh failed and none has succeeded since, or operations or inbound events are dead-lettered. `lagging`: an inbound event has waited for more than 30 s. `syncing`: a refresh is running.',
});
const StateCause = Type.String({
  description: 'Why the state is what it is, in sentences; absent while it is `healthy`.',
  examples: ['2 operations are dead-lettered.'],
});

/** First segment of a path, lower-cased. */
const ProviderName = Type.String({
  minLength: 1,
  maxLength: 255,
  description:
    'First segment of the paths that it carries; case does not count. No `/`, no control character, neither `.` nor `..`.',
  examples: ['github'],
});

const Url = Type.String({ maxLength: 2048, examples: ['https://provider.example/writeback'] });
const timeoutMs = Type.Integer({ minimum: 100, maximum: 120_000, description: 'For a whole answer.' });

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
        '`external`: a consumer polls pending items and acknowledges them. `http`: the agent sends them.',
    }),
    url: Type.Optional(Url),
    refreshUrl: Type.Optional(Url),
    allowPlainHttp: Type.Boolean(),
    allowPrivateAddresses: Type.Boolean(),
    timeoutMs: Type.Integer(),
    hasSecret: Type.Boolean({ description: 'The secret itself is never answered.' }),
    state: State,
    cause: Type.Optional(StateCause),
    circuit: Type.Enum(['closed', 'open', 'half_open'], {
      description: '`open`: it is left alone for a while after failures in a row.',
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

/** Sends webhooks and is not registered: nothing is sent to it. */
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
      description: 'Senders of webhooks that are not registered: inbound only.',
    }),
  },
  { $id: 'ProviderList' },
);
export type ProviderList = Static<typeof ProviderList>;

const secret = Type.String({
  maxLength: 200,
  description: '`whsec_` and base64 of 24 to 64 bytes, as the Standard Webhooks specification has it.',
});
const allowPlainHttp = Type.Boolean({ description: 'Default false: only https is called.' });
const allowPrivateAddresses = Type.Boolean({
  description: 'Default false: neither loopback nor private ranges are called.',
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
  refreshUrl: Type.Optional(Type.Union([Url, Type.Null()], { description: 'null takes it away.' })),
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
  { provider: ProviderName, canceled: Type.Integer({ description: 'Items that waited for it.' }) },
  { $id: 'ProviderRemoved' },
);
export type ProviderRemoved = Static<typeof ProviderRemoved>;

export const RefreshBody = Type.Object({
  provider: Type.Optional(Type.String({ description: 'Absent: every provider of the workspace.' })),
  reason: Type.Optional(Type.String({ maxLength: 1000 })),
});
export type RefreshBody = Static<typeof RefreshBody>;
