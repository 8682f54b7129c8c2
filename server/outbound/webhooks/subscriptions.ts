// Durable subscriptions: ownership, claims and acceptance. The store creates their deliveries together with the events.
import type { AccessSubject } from '../../core/entry.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Ids, parseId } from '../../platform/crypto/ids.ts';
import type {
  RenewResult,
  SubscriptionDeliveryRow,
  SubscriptionRow,
  SubscriptionStore,
} from '../../store/port/store.ts';

export type { SubscriptionDeliveryRow, SubscriptionRow } from '../../store/port/store.ts';

export interface SubscriptionOwner {
  readonly workspaceId: string;
  readonly agent: string;
  /** Agents of the tokens under which its token was made, the nearest first. */
  readonly under: readonly { readonly agent: string }[];
  /** It and those under which it was made; none: the owner's, whose subscriptions end by their own time alone. */
  readonly tokenIds: readonly string[];
  /** null: the owner's. */
  readonly tokenExpiresAtMs: number | null;
}

export interface Subscriptions {
  renew(
    subscriber: SubscriptionOwner,
    input: Pick<
      SubscriptionRow,
      'subscriber' | 'provider' | 'resource' | 'eventTypes' | 'terminalTypes' | 'intent'
    > & {
      readonly ttlSeconds: number;
    },
  ): Promise<RenewResult>;
  list(subscriber: SubscriptionOwner): Promise<readonly SubscriptionRow[]>;
  /** false: unknown, or over. */
  cancel(subscriber: SubscriptionOwner, subscriptionId: string): Promise<boolean>;
  claim(
    subscriber: SubscriptionOwner,
    limit: number,
    eyes: { readonly access: AccessSubject | null; readonly scopes: readonly string[] | null },
  ): Promise<readonly SubscriptionDeliveryRow[]>;
  accept(
    subscriber: SubscriptionOwner,
    deliveryId: string,
    claimToken: string,
  ): Promise<SubscriptionDeliveryRow | 'unknown' | 'not_claimed'>;
}

/** How long who claimed has before others may. */
const claimLeaseMs = 60_000;
const claimTokenCharacters = 40;
/** Active ones of one owner in one workspace. */
const activeMax = 1_000;

export function createSubscriptions(parts: {
  readonly store: SubscriptionStore;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Pick<Ids, 'text'>;
}): Subscriptions {
  const { store, clock, ids } = parts;
  return {
    renew(subscriber, { ttlSeconds, ...input }) {
      const atMs = clock.nowMs();
      return store.renew({
        ...input,
        workspaceId: subscriber.workspaceId,
        owner: ownerIdOf(subscriber),
        atMs,
        tokenIds: subscriber.tokenIds,
        expiresAtMs: Math.min(
          atMs + ttlSeconds * 1000,
          subscriber.tokenExpiresAtMs ?? Number.POSITIVE_INFINITY,
        ),
        activeMax,
      });
    },
    list: (subscriber) => store.list(subscriber.workspaceId, ownerIdOf(subscriber), clock.nowMs()),
    async cancel(subscriber, subscriptionId) {
      const number = parseId(subscriptionId, 'sub_');
      if (number === null) return false;
      return await store.cancel({
        workspaceId: subscriber.workspaceId,
        owner: ownerIdOf(subscriber),
        number,
        atMs: clock.nowMs(),
      });
    },
    claim: (subscriber, limit, eyes) =>
      store.claim({
        ...eyes,
        workspaceId: subscriber.workspaceId,
        owner: ownerIdOf(subscriber),
        limit,
        atMs: clock.nowMs(),
        leaseMs: claimLeaseMs,
        claimToken: ids.text(claimTokenCharacters),
      }),
    async accept(subscriber, deliveryId, claimToken) {
      const number = parseId(deliveryId, 'sdl_');
      if (number === null) return 'unknown';
      const result = await store.accept({
        workspaceId: subscriber.workspaceId,
        owner: ownerIdOf(subscriber),
        number,
        claimToken,
        atMs: clock.nowMs(),
      });
      return result.outcome === 'accepted' ? result.row : result.outcome;
    },
  };
}

/** Who it is, whatever a token that was made under its own calls itself. */
function ownerIdOf({ agent, under }: Pick<SubscriptionOwner, 'agent' | 'under'>): string {
  return [...under.map((one) => one.agent).reverse(), agent].map(encodeURIComponent).join('/');
}
