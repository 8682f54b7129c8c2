// Converts durable subscriptions and their deliveries to JSON, and determines their owner.
import type { FastifyRequest } from 'fastify';
import { tokenChainIds } from '../../auth/tokens.ts';
import type { DurableSubscription, SubscriptionDelivery } from '../../contract/subscriptions.ts';
import type {
  SubscriptionDeliveryRow,
  SubscriptionOwner,
  SubscriptionRow,
} from '../../outbound/webhooks/subscriptions.ts';
import { callerOf } from '../plugins/auth.ts';
import { wireTime } from './records.ts';

/** Not a valid agent name, so that no token can own the owner's subscriptions. */
const ownerAgent = '*';

export function subscriberOf(request: FastifyRequest, workspaceId: string): SubscriptionOwner {
  const { token } = callerOf(request);
  return {
    workspaceId,
    agent: token.owner ? ownerAgent : token.agent,
    parentTokens: token.parentTokens,
    tokenIds: token.owner ? [] : tokenChainIds(token),
    tokenExpiresAtMs: token.owner ? null : token.expiresAtMs,
  };
}

const time = (timeMs: number | null) => (timeMs === null ? null : wireTime(timeMs));

export function wireSubscription(row: SubscriptionRow): DurableSubscription {
  return {
    id: `sub_${row.number}`,
    ownerId: row.owner,
    subscriberId: row.subscriber,
    provider: row.provider,
    resourceRef: row.resource,
    eventTypes: [...row.eventTypes],
    terminalEventTypes: [...row.terminalTypes],
    intent: row.intent,
    status: row.status,
    createdAt: wireTime(row.createdAtMs),
    updatedAt: wireTime(row.updatedAtMs),
    expiresAt: wireTime(row.expiresAtMs),
    retiredAt: time(row.retiredAtMs),
  };
}

export function wireSubscriptionDelivery(row: SubscriptionDeliveryRow): SubscriptionDelivery {
  return {
    id: `sdl_${row.number}`,
    subscriptionId: `sub_${row.subscription}`,
    ownerId: row.owner,
    subscriberId: row.subscriber,
    provider: row.provider,
    resourceRef: row.resource,
    event: row.event,
    terminal: row.terminal,
    status: row.status,
    createdAt: wireTime(row.createdAtMs),
    claimedAt: time(row.claimedAtMs),
    claimLeaseExpiresAt: time(row.leaseUntilMs),
    claimToken: row.claimToken,
    acceptedAt: time(row.acceptedAtMs),
  };
}
