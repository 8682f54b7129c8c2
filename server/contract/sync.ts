// Inbound events of providers, their queue, dead letters, and the sync status of a workspace.
import { type Static, Type } from 'typebox';
import { NextCursor, nothingElse, Timestamp } from './common.ts';

/** Causes of a dead letter. The last two are transient and are retried. */
export const failureCauses = [
  'payload_malformed',
  'event_type_malformed',
  'path_invalid',
  'path_refused_by_provider',
  'path_taken',
  'content_undecodable',
  'content_too_large',
  'access_rules_invalid',
  'access_rules_refused',
  'access_denied',
  'delete_quota_exceeded',
  'workspace_gone',
  'store_unavailable',
  'internal_error',
] as const;
export type FailureCause = (typeof failureCauses)[number];

const FailureCauseSchema = Type.Enum([...failureCauses], {
  description: 'Cause code; `lastError` has the text.',
});

// ---- inbound events

export const WebhookBody = Type.Object(
  {
    provider: Type.Optional(Type.Unknown({ description: 'Name of the source, case-insensitive; required.' })),
    event_type: Type.Optional(
      Type.Unknown({
        description:
          'Required. `file.created` and `file.updated` write, `file.deleted` deletes; any other type is recorded as `sync.ignored`.',
      }),
    ),
    path: Type.Optional(Type.Unknown({ description: 'Workspace path of the event; required.' })),
    delivery_id: Type.Optional(
      Type.Unknown({
        description: 'Idempotency key of the sender; a repeated one returns the id of the first envelope.',
      }),
    ),
    timestamp: Type.Optional(
      Type.Unknown({
        description:
          'RFC 3339: time of the event at the provider. Older than an applied event: `sync.stale`.',
      }),
    ),
    headers: Type.Optional(
      Type.Unknown({ description: 'Headers of the provider’s request, stored with the envelope.' }),
    ),
    data: Type.Optional(
      Type.Unknown({
        description:
          '`content`, `encoding` (`utf-8` or `base64`), `contentType`, `semantics` or flat `properties`, `relations`, `permissions`, `comments`, `providerObjectId`; for an echo also `origin` and `opId`.',
      }),
    ),
  },
  { additionalProperties: true },
);
export type WebhookBody = Static<typeof WebhookBody>;

export const InternalEnvelopeBody = Type.Object(
  {
    envelopeId: Type.Optional(Type.String({ maxLength: 255 })),
    workspaceId: Type.String({ minLength: 1, maxLength: 255 }),
    provider: Type.String({ minLength: 1, maxLength: 128 }),
    deliveryId: Type.Optional(Type.String({ maxLength: 512 })),
    receivedAt: Type.Optional(Type.String({ description: 'RFC 3339.' })),
    headers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: '`event_type` (or `type`), `path`, and the members of `data`, in `data` or at this level.',
    }),
    correlationId: Type.Optional(Type.String({ maxLength: 1024 })),
  },
  { additionalProperties: true },
);
export type InternalEnvelopeBody = Static<typeof InternalEnvelopeBody>;

// ---- status and counters

const syncStatuses = [
  'connected',
  'oauth_connected',
  'sync_queued',
  'syncing',
  'ready',
  'healthy',
  'lagging',
  'error',
  'paused',
] as const;
const count = Type.Integer({ minimum: 0 });

export const ProviderSync = Type.Object({
  provider: Type.String(),
  status: Type.Enum([...syncStatuses]),
  cursor: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Id of the newest envelope.' }),
  ),
  watermarkTs: Type.Optional(Type.Union([Timestamp, Type.Null()])),
  lagSeconds: Type.Optional(count),
  lastError: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  failureCodes: Type.Optional(Type.Record(Type.String(), count)),
  deadLetteredEnvelopes: Type.Optional(count),
  deadLetteredOps: Type.Optional(count),
});
export type ProviderSync = Static<typeof ProviderSync>;

export const SyncStatus = Type.Object(
  { workspaceId: Type.String(), providers: Type.Array(ProviderSync) },
  { $id: 'SyncStatus' },
);
export type SyncStatus = Static<typeof SyncStatus>;

const share = Type.Number({ minimum: 0 });
const providerIngress = {
  acceptedTotal: count,
  droppedTotal: count,
  dedupedTotal: count,
  coalescedTotal: count,
  pendingTotal: count,
  oldestPendingAgeSeconds: count,
  suppressedTotal: count,
  staleTotal: count,
  dedupeRate: share,
  coalesceRate: share,
};
export const ProviderIngress = Type.Object(providerIngress);
export type ProviderIngress = Static<typeof ProviderIngress>;

export const IngressStatus = Type.Object(
  {
    workspaceId: Type.String(),
    queueDepth: count,
    queueCapacity: count,
    queueUtilization: share,
    ...providerIngress,
    deadLetterTotal: count,
    deadLetterByProvider: Type.Record(Type.String(), count),
    ingressByProvider: Type.Record(Type.String(), ProviderIngress),
  },
  { $id: 'IngressStatus' },
);
export type IngressStatus = Static<typeof IngressStatus>;

// ---- dead letters

export const DeadLetter = Type.Object(
  {
    envelopeId: Type.String(),
    workspaceId: Type.String(),
    provider: Type.String(),
    deliveryId: Type.String(),
    correlationId: Type.Optional(Type.String()),
    failedAt: Timestamp,
    attemptCount: Type.Integer({ minimum: 1 }),
    lastError: Type.String({ description: 'The cause, as `code: text`.' }),
  },
  { $id: 'DeadLetter' },
);
export type DeadLetter = Static<typeof DeadLetter>;

export const DeadLetterPage = Type.Object(
  { items: Type.Array(DeadLetter), nextCursor: NextCursor },
  { $id: 'DeadLetterPage' },
);
export type DeadLetterPage = Static<typeof DeadLetterPage>;

export const DeadLetterAcknowledged = Type.Object(
  { status: Type.Literal('acknowledged'), id: Type.String(), correlationId: Type.String() },
  { $id: 'DeadLetterAcknowledged' },
);
export type DeadLetterAcknowledged = Static<typeof DeadLetterAcknowledged>;

const envelopeStates = ['pending', 'dead_letter', 'settled'] as const;
export const envelopeOutcomes = [
  'applied',
  'ignored',
  'suppressed',
  'stale',
  'coalesced',
  'acknowledged',
] as const;
export type EnvelopeOutcome = (typeof envelopeOutcomes)[number];

const Payload = Type.Record(Type.String(), Type.Unknown());

/** The complete envelope with every attempt. */
export const DeadLetterDetail = Type.Object(
  {
    envelopeId: Type.String(),
    workspaceId: Type.String(),
    provider: Type.String(),
    deliveryId: Type.String(),
    correlationId: Type.String(),
    receivedAt: Timestamp,
    occurredAt: Type.Optional(Timestamp),
    state: Type.Enum([...envelopeStates]),
    outcome: Type.Optional(Type.Enum([...envelopeOutcomes])),
    settledAt: Type.Optional(Timestamp),
    nextAttemptAt: Type.Optional(Timestamp),
    cause: Type.Optional(FailureCauseSchema),
    lastError: Type.Optional(Type.String()),
    headers: Type.Optional(Payload),
    payload: Type.Optional(Payload),
    editedPayload: Type.Optional(Payload),
    attempts: Type.Array(
      Type.Object({
        attempt: Type.Integer({ minimum: 1 }),
        at: Timestamp,
        cause: FailureCauseSchema,
        message: Type.String(),
      }),
    ),
  },
  { $id: 'DeadLetterDetail' },
);
export type DeadLetterDetail = Static<typeof DeadLetterDetail>;

export const DeadLetterReplayBody = Type.Object({
  payload: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'A new payload; the original is retained. Absent: unchanged.',
    }),
  ),
  patch: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Instead of `payload`: a JSON merge patch (RFC 7396) for the payload.',
    }),
  ),
  overwriteNewer: Type.Optional(
    Type.Boolean({
      description:
        'true: applies it even if a newer event was applied since. Otherwise such a replay ends as `sync.stale`.',
    }),
  ),
});
export type DeadLetterReplayBody = Static<typeof DeadLetterReplayBody>;

const previewEffects = ['create', 'update', 'delete', 'move', 'none'] as const;
export const DeadLetterPreview = Type.Object(
  {
    outcome: Type.Enum(['applied', 'ignored', 'suppressed', 'stale', 'fails']),
    cause: Type.Optional(FailureCauseSchema),
    message: Type.Optional(Type.String()),
    effect: Type.Enum([...previewEffects]),
    path: Type.Optional(Type.String()),
    movedFrom: Type.Optional(Type.String()),
    before: Type.Optional(
      Type.Object({ revision: Type.String(), contentHash: Type.String(), size: Type.Integer() }),
    ),
    after: Type.Optional(Type.Object({ contentHash: Type.String(), size: Type.Integer() })),
    newerAppliedAt: Type.Optional(Timestamp),
  },
  { $id: 'DeadLetterPreview' },
);
export type DeadLetterPreview = Static<typeof DeadLetterPreview>;

export const DeadLetterFilter = Type.Object(
  {
    envelopeIds: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
    provider: Type.Optional(Type.String()),
    cause: Type.Optional(FailureCauseSchema),
    text: Type.Optional(Type.String({ description: 'Part of the path, the delivery id or the error text.' })),
    failedBefore: Type.Optional(Timestamp),
  },
  nothingElse,
);
export type DeadLetterFilter = Static<typeof DeadLetterFilter>;

export const DeadLetterBulkReplayBody = Type.Object(
  {
    filter: Type.Optional(DeadLetterFilter),
    patch: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'A JSON merge patch (RFC 7396) for each payload.',
      }),
    ),
    overwriteNewer: Type.Optional(Type.Boolean()),
    dryRun: Type.Optional(Type.Boolean({ description: 'true: counts the matches and changes nothing.' })),
  },
  nothingElse,
);
export type DeadLetterBulkReplayBody = Static<typeof DeadLetterBulkReplayBody>;

export const DeadLetterBulkAckBody = Type.Object(
  {
    filter: Type.Optional(DeadLetterFilter),
    dryRun: Type.Optional(Type.Boolean({ description: 'true: counts the matches and changes nothing.' })),
  },
  nothingElse,
);
export type DeadLetterBulkAckBody = Static<typeof DeadLetterBulkAckBody>;

export const DeadLetterBulkResult = Type.Object(
  {
    matched: Type.Integer({ minimum: 0 }),
    done: Type.Integer({ minimum: 0 }),
    envelopeIds: Type.Array(Type.String(), { description: 'The first 1,000 matches.' }),
    results: Type.Array(
      Type.Object({
        envelopeId: Type.String(),
        path: Type.Optional(Type.String({ description: 'Path of its payload; absent: none.' })),
      }),
      { description: 'The matches with their paths, in the order of arrival.' },
    ),
    more: Type.Boolean({
      description: 'true: more dead letters match than one request handles; repeat the request.',
    }),
  },
  { $id: 'DeadLetterBulkResult' },
);
export type DeadLetterBulkResult = Static<typeof DeadLetterBulkResult>;
