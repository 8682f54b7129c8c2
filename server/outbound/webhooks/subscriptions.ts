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
  readonly parentTokens: readonly { readonly agent: string }[];
  /** It and those under which it was made; none: the owner's, whose subscriptions end by their own time alone. */
  readonly tokenIds: readonly string[];
  /** null: the owner's. */
  readonly tokenExpiresAtMs: number | null;
}

type SubscriptionInput = Pick<
  SubscriptionRow,
  'subscriber' | 'provider' | 'resource' | 'eventTypes' | 'terminalTypes' | 'intent'
> & { readonly ttlSeconds: number };

/** How long who claimed has before others may. */
const claimLeaseMs = 60_000;
const claimTokenCharacters = 40;
/** Active ones of one owner in one workspace. */
const activeMax = 1_000;

export type Subscriptions = ReturnType<typeof createSubscriptions>;

export function createSubscriptions(
  store: SubscriptionStore,
  clock: Pick<Clock, 'nowMs'>,
  ids: Pick<Ids, 'text'>,
) {
  const requestOf = (owner: SubscriptionOwner) => ({
    workspaceId: owner.workspaceId,
    owner: ownerIdOf(owner),
    atMs: clock.nowMs(),
  });
  return {
    renew(owner: SubscriptionOwner, { ttlSeconds, ...input }: SubscriptionInput): Promise<RenewResult> {
      const request = requestOf(owner);
      const { tokenIds, tokenExpiresAtMs } = owner;
      const ownExpiresAtMs = request.atMs + ttlSeconds * 1000;
      const expiresAtMs = Math.min(ownExpiresAtMs, tokenExpiresAtMs ?? Number.POSITIVE_INFINITY);
      return store.renew({ ...input, ...request, tokenIds, expiresAtMs, activeMax });
    },
    list: (owner: SubscriptionOwner): Promise<readonly SubscriptionRow[]> =>
      store.list(owner.workspaceId, ownerIdOf(owner), clock.nowMs()),
    /** false: unknown, or over. */
    async cancel(owner: SubscriptionOwner, subscriptionId: string): Promise<boolean> {
      const number = parseId(subscriptionId, 'sub_');
      return number !== null && (await store.cancel({ ...requestOf(owner), number }));
    },
    claim(
      owner: SubscriptionOwner,
      limit: number,
      reader: { readonly access: AccessSubject | null; readonly scopes: readonly string[] | null },
    ): Promise<readonly SubscriptionDeliveryRow[]> {
      const claimToken = ids.text(claimTokenCharacters);
      return store.claim({ ...reader, ...requestOf(owner), limit, leaseMs: claimLeaseMs, claimToken });
    },
    async accept(
      owner: SubscriptionOwner,
      deliveryId: string,
      claimToken: string,
    ): Promise<SubscriptionDeliveryRow | 'unknown' | 'not_claimed'> {
      const number = parseId(deliveryId, 'sdl_');
      if (number === null) return 'unknown';
      const result = await store.accept({ ...requestOf(owner), number, claimToken });
      return result.outcome === 'accepted' ? result.row : result.outcome;
    },
  };
}

/** Who it is, whatever a token that was made under its own calls itself. */
function ownerIdOf({ agent, parentTokens }: Pick<SubscriptionOwner, 'agent' | 'parentTokens'>): string {
  return [...parentTokens.map((one) => one.agent).reverse(), agent].map(encodeURIComponent).join('/');
}
