// Being told of changes: addresses that are called, and subscriptions whose events wait until they are accepted.
import type { RequestInput, Transport } from './transport.ts';
import type {
  Accepted,
  CallOptions,
  ClaimOptions,
  DurableSubscription,
  SubscriptionBody,
  SubscriptionDelivery,
  Webhook,
  WebhookCreateBody,
  WebhookCreated,
  WebhookDeadLetterPage,
  WebhookDeadLettersOptions,
} from './types.ts';

const segment = encodeURIComponent;

abstract class Calls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  protected async call<T>(input: RequestInput): Promise<T> {
    return (await this.#transport.json<T>(input)).body;
  }
}

/** Addresses that are told of changes. The scopes are `webhooks:read`, `webhooks:write`, `webhooks:replay`. */
export class WebhookCalls extends Calls {
  /** `secret` is in the answer when none was given, and nowhere else. */
  async register(
    workspaceId: string,
    input: WebhookCreateBody,
    options?: CallOptions,
  ): Promise<WebhookCreated> {
    return await this.call({ method: 'POST', route: webhooksOf(workspaceId), body: input, call: options });
  }

  async list(workspaceId: string, options?: CallOptions): Promise<Webhook[]> {
    return await this.call({ method: 'GET', route: webhooksOf(workspaceId), call: options });
  }

  /** What was on its way to it is dropped. */
  async remove(workspaceId: string, subscriptionId: string, options?: CallOptions): Promise<void> {
    const route = `${webhooksOf(workspaceId)}/${segment(subscriptionId)}`;
    await this.call({ method: 'DELETE', route, call: options });
  }

  /** A page of events that an address could not be told of, newest first. */
  async deadLetters(
    workspaceId: string,
    options: WebhookDeadLettersOptions = {},
  ): Promise<WebhookDeadLetterPage> {
    const { cursor, limit } = options;
    const route = `${webhooksOf(workspaceId)}/dlq`;
    return await this.call({ method: 'GET', route, query: { cursor, limit }, call: options });
  }

  /** InvalidStateError: it is not dead-lettered. */
  async replay(workspaceId: string, deliveryId: string, options?: CallOptions): Promise<Accepted> {
    const route = `${webhooksOf(workspaceId)}/dlq/${segment(deliveryId)}/replay`;
    return await this.call({ method: 'POST', route, call: options });
  }
}

/** Events of one resource that wait, up to 30 days, until they are claimed and accepted. */
export class SubscriptionCalls extends Calls {
  /** Asking for the same again moves its end. InvalidStateError: this subscriber waits for something else of the resource. */
  async renew(
    workspaceId: string,
    input: SubscriptionBody,
    options?: CallOptions,
  ): Promise<DurableSubscription> {
    const route = subscriptionsOf(workspaceId);
    return await this.call({ method: 'POST', route, body: input, safe: true, call: options });
  }

  async list(workspaceId: string, options?: CallOptions): Promise<DurableSubscription[]> {
    const call = { method: 'GET', route: subscriptionsOf(workspaceId), call: options } as const;
    return (await this.call<{ subscriptions: DurableSubscription[] }>(call)).subscriptions;
  }

  async cancel(workspaceId: string, subscriptionId: string, options?: CallOptions): Promise<void> {
    const route = `${subscriptionsOf(workspaceId)}/${segment(subscriptionId)}`;
    await this.call({ method: 'DELETE', route, call: options });
  }

  /** The oldest that wait; each is yours for a minute. */
  async claim(workspaceId: string, options: ClaimOptions = {}): Promise<SubscriptionDelivery[]> {
    const { limit } = options;
    const route = `${subscriptionsOf(workspaceId)}/deliveries/claim`;
    const call = { method: 'POST', route, body: { limit }, call: options } as const;
    return (await this.call<{ deliveries: SubscriptionDelivery[] }>(call)).deliveries;
  }

  /** InvalidStateError: the claim does not hold any more. May be repeated without effect. */
  async accept(
    workspaceId: string,
    delivery: Pick<SubscriptionDelivery, 'id' | 'claimToken'>,
    options?: CallOptions,
  ): Promise<SubscriptionDelivery> {
    const route = `${subscriptionsOf(workspaceId)}/deliveries/${segment(delivery.id)}/accept`;
    const body = { claimToken: delivery.claimToken };
    const call = { method: 'POST', route, body, safe: true, call: options } as const;
    return (await this.call<{ delivery: SubscriptionDelivery }>(call)).delivery;
  }
}

function webhooksOf(workspaceId: string): string {
  return `/v1/workspaces/${segment(workspaceId)}/webhooks`;
}

function subscriptionsOf(workspaceId: string): string {
  return `/v1/workspaces/${segment(workspaceId)}/subscriptions`;
}
