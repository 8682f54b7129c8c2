// Our own endpoints about providers: who carries the changes of a top directory to the outside, and how.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';

const providerKinds = ['external', 'http'] as const;
export type ProviderKind = (typeof providerKinds)[number];

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
    state: Type.Enum(['healthy', 'error', 'paused'], {
      description: '`error`: the last call failed, and none has succeeded since.',
    }),
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

export const ProviderList = Type.Object({ providers: Type.Array(Provider) }, { $id: 'ProviderList' });
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
