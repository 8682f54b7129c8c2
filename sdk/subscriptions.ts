// Durable subscriptions: events of one resource that are retained for at most 30 days, until they are claimed and accepted.
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
import type {
  CallOptions,
  ClaimOptions,
  DurableSubscription,
  SubscriptionBody,
  SubscriptionDelivery,
} from './types.ts';

export class SubscriptionCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a subscription, or extends an equal one. InvalidStateError: the subscriber has a different one for the resource. */
  async renew(
    workspaceId: string,
    input: SubscriptionBody,
    options?: CallOptions,
  ): Promise<DurableSubscription> {
    const route = subscriptionRoute(workspaceId);
    return await this.#transport.call({ method: 'POST', route, body: input, safe: true, call: options });
  }

  async list(workspaceId: string, options?: CallOptions): Promise<DurableSubscription[]> {
    const request = { method: 'GET', route: subscriptionRoute(workspaceId), call: options } as const;
    return (await this.#transport.call<{ subscriptions: DurableSubscription[] }>(request)).subscriptions;
  }

  async cancel(workspaceId: string, subscriptionId: string, options?: CallOptions): Promise<void> {
    const route = subscriptionRoute(workspaceId, `/${encodeURIComponent(subscriptionId)}`);
    await this.#transport.call({ method: 'DELETE', route, call: options });
  }

  /** Claims the oldest events. Each claim is valid for one minute. */
  async claim(workspaceId: string, options: ClaimOptions = {}): Promise<SubscriptionDelivery[]> {
    const { limit } = options;
    const route = subscriptionRoute(workspaceId, '/deliveries/claim');
    const request = { method: 'POST', route, body: { limit }, call: options } as const;
    return (await this.#transport.call<{ deliveries: SubscriptionDelivery[] }>(request)).deliveries;
  }

  /** InvalidStateError: the claim has expired. Repeating an accepted claim has no effect. */
  async accept(
    workspaceId: string,
    delivery: Pick<SubscriptionDelivery, 'id' | 'claimToken'>,
    options?: CallOptions,
  ): Promise<SubscriptionDelivery> {
    const route = subscriptionRoute(workspaceId, `/deliveries/${encodeURIComponent(delivery.id)}/accept`);
    const body = { claimToken: delivery.claimToken };
    const request = { method: 'POST', route, body, safe: true, call: options } as const;
    return (await this.#transport.call<{ delivery: SubscriptionDelivery }>(request)).delivery;
  }
}

function subscriptionRoute(workspaceId: string, rest = ''): string {
  return workspaceRoute(workspaceId, `subscriptions${rest}`);
}
