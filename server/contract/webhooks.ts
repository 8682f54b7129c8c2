// Webhook endpoints and failed webhook deliveries.
import { type Static, Type } from 'typebox';
import { NextCursor, Timestamp } from './common.ts';

export const WebhookCreateBody = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'An https URL. Private and loopback addresses are refused unless the owner allows them here.',
    examples: ['https://example.org/hooks/mooring'],
  }),
  pathGlobs: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
    minItems: 1,
    maxItems: 64,
    description:
      'Paths of the events: an exact path, `*` for one segment, `**` at the end for all descendants. Each requires `webhooks:write`.',
    examples: [['/docs/**']],
  }),
  secret: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        '`whsec_` and base64 of 24 to 64 bytes, or a text of at least 16 characters, whose bytes are the key. Absent: a new secret is generated and returned once.',
    }),
  ),
  allowPlainHttp: Type.Optional(Type.Boolean({ description: 'Owner or UI token only.' })),
  allowPrivateAddresses: Type.Optional(Type.Boolean({ description: 'Owner or UI token only.' })),
});

export type WebhookCreateBody = Static<typeof WebhookCreateBody>;

export const WebhookCreated = Type.Object(
  {
    subscriptionId: Type.String(),
    secret: Type.Optional(Type.String({ description: 'The generated secret; it is not shown again.' })),
  },
  { $id: 'WebhookCreated' },
);
export type WebhookCreated = Static<typeof WebhookCreated>;

export const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    pathGlobs: Type.Array(Type.String()),
    status: Type.Enum(['active', 'ended'], { description: '`ended`: not called any more.' }),
    endCause: Type.Union([Type.Enum(['token_expired', 'token_revoked']), Type.Null()], {
      description: 'Why it ended; null while it is active.',
    }),
    expiresAt: Type.Union([Timestamp, Type.Null()], {
      description: 'When the token that registered it expires; null: the owner registered it.',
    }),
    endedAt: Type.Union([Timestamp, Type.Null()]),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    health: Type.Object({
      lastDeliveryAt: Type.Union([Timestamp, Type.Null()], { description: 'Time of the last call.' }),
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
        attemptCount: Type.Integer({ description: 'Since its creation or last replay.' }),
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
