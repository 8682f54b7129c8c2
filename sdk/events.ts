// The event feed of a workspace: by page, live, and by time; and its receivers: webhook endpoints and durable subscriptions.
import { CallGroup, pagesOf, segment, timeText, workspaceRoute } from './call-group.ts';
import { type SubscribeOptions, type Subscription, subscribe } from './live.ts';
import type { Transport } from './transport.ts';
import type {
  Accepted,
  CallOptions,
  ChangedResource,
  ChangeList,
  ChangesOptions,
  ClaimOptions,
  DurableSubscription,
  Events,
  EventsOptions,
  SubscriptionBody,
  SubscriptionDelivery,
  Webhook,
  WebhookCreateBody,
  WebhookCreated,
  WebhookDeadLetterPage,
  WebhookDeadLettersOptions,
  WorkspaceEvent,
} from './types.ts';

export class EventCalls extends CallGroup {
  readonly #webSocket: ((url: string) => WebSocket) | undefined;

  constructor(transport: Transport, webSocket: ((url: string) => WebSocket) | undefined) {
    super(transport);
    this.#webSocket = webSocket;
  }

  /** One page of events, oldest first unless `direction` is `desc`. */
  async page(workspaceId: string, options: EventsOptions = {}): Promise<Events> {
    const { path, provider, cursor, limit, direction, waitMs } = options;
    const { body, headers } = await this.transport.json<Omit<Events, 'cursorGap'>>({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/events'),
      query: { path, provider, cursor, limit, direction, wait: waitMs },
      call: options,
    });
    return { ...body, cursorGap: headers.get('mooring-cursor-gap') === '1' };
  }

  /** All events after a cursor. Without a cursor: all retained events. */
  async *all(
    workspaceId: string,
    options: EventsOptions = {},
  ): AsyncGenerator<WorkspaceEvent, void, undefined> {
    const readPage = async (query: EventsOptions) => await this.page(workspaceId, query);
    for await (const { events } of pagesOf(readPage, options)) yield* events;
  }

  /** Events as they happen, without gaps over reconnects. */
  subscribe(workspaceId: string, options: SubscribeOptions): Subscription {
    return subscribe(
      {
        token: () => this.transport.token(),
        baseUrl: this.transport.baseUrl,
        getEvents: (query) => this.page(workspaceId, query),
        ...(this.#webSocket === undefined ? {} : { webSocket: this.#webSocket }),
      },
      workspaceId,
      options,
    );
  }

  /** One page of changes since a time, or of the latest changes. */
  async changes(workspaceId: string, options: ChangesOptions = {}): Promise<ChangeList> {
    const { since, last, path, provider, limit, cursor } = options;
    return await this.transport.get(workspaceRoute(workspaceId, 'fs/changes'), options, {
      since: timeText(since),
      last,
      path,
      provider,
      limit,
      cursor,
    });
  }

  /** A resource as one change left it. */
  async changedResource(
    workspaceId: string,
    eventId: string,
    options?: CallOptions,
  ): Promise<ChangedResource> {
    return await this.transport.get(workspaceRoute(workspaceId, 'fs/changes/resource'), options, { eventId });
  }
}

/** Webhook endpoints: URLs that receive events. The scopes are `webhooks:read`, `webhooks:write` and `webhooks:replay`. */
export class WebhookCalls extends CallGroup {
  /** The answer contains the secret if the request has none. No other answer contains it. */
  async register(
    workspaceId: string,
    input: WebhookCreateBody,
    options?: CallOptions,
  ): Promise<WebhookCreated> {
    return await this.transport.post(workspaceRoute(workspaceId, 'webhooks'), options, input);
  }

  async list(workspaceId: string, options?: CallOptions): Promise<Webhook[]> {
    return await this.transport.get(workspaceRoute(workspaceId, 'webhooks'), options);
  }

  /** Drops its pending deliveries. */
  async remove(workspaceId: string, subscriptionId: string, options?: CallOptions): Promise<void> {
    const route = workspaceRoute(workspaceId, `webhooks/${segment(subscriptionId)}`);
    await this.transport.delete(route, options);
  }

  /** One page of dead-lettered deliveries, newest first. */
  async deadLetters(
    workspaceId: string,
    options: WebhookDeadLettersOptions = {},
  ): Promise<WebhookDeadLetterPage> {
    const { cursor, limit } = options;
    return await this.transport.get(workspaceRoute(workspaceId, 'webhooks/dlq'), options, { cursor, limit });
  }

  /** InvalidStateError: the delivery is not dead-lettered. */
  async replay(workspaceId: string, deliveryId: string, options?: CallOptions): Promise<Accepted> {
    const route = workspaceRoute(workspaceId, `webhooks/dlq/${segment(deliveryId)}/replay`);
    return await this.transport.post(route, options);
  }
}

/** Durable subscriptions: events of one resource that are retained for at most 30 days, until they are claimed and accepted. */
export class SubscriptionCalls extends CallGroup {
  /** Creates a subscription, or extends an equal one. InvalidStateError: the subscriber has a different one for the resource. */
  async renew(
    workspaceId: string,
    input: SubscriptionBody,
    options?: CallOptions,
  ): Promise<DurableSubscription> {
    return await this.transport.postSafe(subscriptionRoute(workspaceId), options, input);
  }

  async list(workspaceId: string, options?: CallOptions): Promise<DurableSubscription[]> {
    return (
      await this.transport.get<{ subscriptions: DurableSubscription[] }>(
        subscriptionRoute(workspaceId),
        options,
      )
    ).subscriptions;
  }

  async cancel(workspaceId: string, subscriptionId: string, options?: CallOptions): Promise<void> {
    const route = subscriptionRoute(workspaceId, `/${segment(subscriptionId)}`);
    await this.transport.delete(route, options);
  }

  /** Claims the oldest events. Each claim is valid for one minute. */
  async claim(workspaceId: string, options: ClaimOptions = {}): Promise<SubscriptionDelivery[]> {
    const { limit } = options;
    const route = subscriptionRoute(workspaceId, '/deliveries/claim');
    return (await this.transport.post<{ deliveries: SubscriptionDelivery[] }>(route, options, { limit }))
      .deliveries;
  }

  /** InvalidStateError: the claim has expired. Repeating an accepted claim has no effect. */
  async accept(
    workspaceId: string,
    delivery: Pick<SubscriptionDelivery, 'id' | 'claimToken'>,
    options?: CallOptions,
  ): Promise<SubscriptionDelivery> {
    const route = subscriptionRoute(workspaceId, `/deliveries/${segment(delivery.id)}/accept`);
    const body = { claimToken: delivery.claimToken };
    return (await this.transport.postSafe<{ delivery: SubscriptionDelivery }>(route, options, body)).delivery;
  }
}

function subscriptionRoute(workspaceId: string, rest = ''): string {
  return workspaceRoute(workspaceId, `subscriptions${rest}`);
}
