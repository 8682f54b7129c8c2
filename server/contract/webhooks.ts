// Outbound webhooks: addresses of others that are told of changes, and what could not be told.
import { type Static, Type } from 'typebox';
import { NextCursor, Timestamp } from './common.ts';

export const WebhookCreateBody = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'An https address. Private and loopback ones are refused unless the owner allows them here.',
    examples: ['https://example.org/hooks/mooring'],
  }),
  pathGlobs: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
    minItems: 1,
    maxItems: 64,
    description:
      'Changes of which paths: an exact path, `*` for one segment, `**` at the end for all below. Each needs `webhooks:write`.',
    examples: [['/docs/**']],
  }),
  secret: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        '`whsec_` and base64 of 24 to 64 bytes, or a text of at least 16 characters, whose bytes are then the key. Absent: one is made and answered once.',
    }),
  ),
  allowPlainHttp: Type.Optional(Type.Boolean({ description: 'Owner or UI token only.' })),
  allowPrivateAddresses: Type.Optional(Type.Boolean({ description: 'Owner or UI token only.' })),
});

export type WebhookCreateBody = Static<typeof WebhookCreateBody>;

export const WebhookCreated = Type.Object(
  {
    subscriptionId: Type.String(),
    secret: Type.Optional(
      Type.String({ description: 'The secret that was made; this is the only time that it is shown.' }),
    ),
  },
  { $id: 'WebhookCreated' },
);
export type WebhookCreated = Static<typeof WebhookCreated>;

export const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    pathGlobs: Type.Array(Type.String()),
    status: Type.Enum(['active', 'ended'], { description: 'An ended one is called no more.' }),
    endCause: Type.Union([Type.Enum(['token_expired', 'token_revoked']), Type.Null()], {
      description: 'What became of the token that registered it; null while it is active.',
    }),
    expiresAt: Type.Union([Timestamp, Type.Null()], {
      description: 'When the token that registered it expires; null: the owner registered it.',
    }),
    endedAt: Type.Union([Timestamp, Type.Null()]),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    health: Type.Object({
      lastDeliveryAt: Type.Union([Timestamp, Type.Null()], { description: 'When it was last called.' }),
      lastSuccessAt: Type.Union([Timestamp, Type.Null()]),
      lastError: Type.Union([Type.String(), Type.Null()]),
      consecutiveFailures: Type.Integer(),
    }),
  },
  { $id: 'Webhook' },
);
export type Webhook = Static<typeof Webhook>;
export const WebhookList = Type.Array(Webhook);

export const WebhookDeadLetterPage = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        deliveryId: Type.String({ examples: ['dlv_42'] }),
        workspaceId: Type.String(),
        subscriptionId: Type.String(),
        eventId: Type.String(),
        url: Type.String(),
        failedAt: Timestamp,
        attemptCount: Type.Integer({ description: 'Since it was made or replayed.' }),
        lastError: Type.String(),
        replayCount: Type.Integer(),
        status: Type.Enum(['dead_lettered', 'queued', 'delivered']),
      }),
    ),
    nextCursor: NextCursor,
  },
  { $id: 'WebhookDeadLetterPage' },
);
export type WebhookDeadLetterPage = Static<typeof WebhookDeadLetterPage>;
