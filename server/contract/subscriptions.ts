// Durable subscriptions: events of one resource wait until their subscriber claims and accepts them.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';

const eventTypes = (description: string) =>
  Type.Array(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$' }), {
    minItems: 1,
    maxItems: 32,
    uniqueItems: true,
    description,
    examples: [['file.updated', 'issue.closed']],
  });

export const SubscriptionBody = Type.Object(
  {
    provider: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,127}$',
      description: 'First segment of the resource.',
      examples: ['github'],
    }),
    resourceRef: Type.String({
      pattern: '^/.+/by-id/[^/]+$',
      maxLength: 4096,
      description: 'Path of the resource.',
      examples: ['/github/issues/by-id/42.json'],
    }),
    eventTypes: eventTypes(
      'Types of the feed (`file.updated`), or types of the provider’s inbound events (`issue.closed`).',
    ),
    terminalEventTypes: Type.Optional(
      eventTypes('Those of them after which nothing more is expected: the subscription then retires.'),
    ),
    subscriberId: Type.String({ minLength: 1, maxLength: 512 }),
    intent: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4096, description: 'Free text of the subscriber.' }),
    ),
    ttlSeconds: Type.Integer({ minimum: 60, maximum: 2_592_000 }),
  },
  { additionalProperties: false },
);

export type SubscriptionBody = Static<typeof SubscriptionBody>;

export const DurableSubscription = Type.Object(
  {
    id: Type.String({ examples: ['sub_1'] }),
    ownerId: Type.String({
      description:
        'The agent of the token. A token that another one issued also matches the agent of its issuer.',
    }),
    subscriberId: Type.String(),
    provider: Type.String(),
    resourceRef: Type.String(),
    eventTypes: Type.Array(Type.String()),
    terminalEventTypes: Type.Array(Type.String()),
    intent: Type.Union([Type.String(), Type.Null()]),
    status: Type.Enum(['active', 'cancelled', 'expired', 'retired']),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    expiresAt: Timestamp,
    retiredAt: Type.Union([Timestamp, Type.Null()]),
  },
  { $id: 'DurableSubscription' },
);
export type DurableSubscription = Static<typeof DurableSubscription>;

export const DurableSubscriptionList = Type.Object(
  { subscriptions: Type.Array(DurableSubscription) },
  { $id: 'DurableSubscriptionList' },
);
export type DurableSubscriptionList = Static<typeof DurableSubscriptionList>;

export const ClaimBody = Type.Object(
  { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 250, default: 100 })) },
  { additionalProperties: false },
);

export const SubscriptionDelivery = Type.Object(
  {
    id: Type.String({ examples: ['sdl_1'] }),
    subscriptionId: Type.String(),
    ownerId: Type.String(),
    subscriberId: Type.String(),
    provider: Type.String(),
    resourceRef: Type.String(),
    event: Type.Object({
      id: Type.String(),
      type: Type.String(),
      path: Type.String(),
      revision: Type.String({ description: 'Empty if the event changed no file.' }),
      origin: Type.String(),
      provider: Type.String(),
      correlationId: Type.String(),
      timestamp: Timestamp,
    }),
    terminal: Type.Boolean({ description: 'true: the last event of this subscription.' }),
    status: Type.Enum(['pending', 'claimed', 'accepted', 'cancelled']),
    createdAt: Timestamp,
    claimedAt: Type.Union([Timestamp, Type.Null()]),
    claimLeaseExpiresAt: Type.Union([Timestamp, Type.Null()], {
      description: 'End of the claim; others can claim the delivery then.',
    }),
    claimToken: Type.Union([Type.String(), Type.Null()], { description: 'Only while it is claimed.' }),
    acceptedAt: Type.Union([Timestamp, Type.Null()]),
  },
  { $id: 'SubscriptionDelivery' },
);
export type SubscriptionDelivery = Static<typeof SubscriptionDelivery>;

export const SubscriptionDeliveryList = Type.Object(
  { deliveries: Type.Array(SubscriptionDelivery) },
  { $id: 'SubscriptionDeliveryList' },
);
export type SubscriptionDeliveryList = Static<typeof SubscriptionDeliveryList>;

export const AcceptBody = Type.Object(
  { claimToken: Type.String({ minLength: 1, maxLength: 256 }) },
  { additionalProperties: false },
);
export const AcceptedDelivery = Type.Object({ delivery: SubscriptionDelivery }, { $id: 'AcceptedDelivery' });
export type AcceptedDelivery = Static<typeof AcceptedDelivery>;
