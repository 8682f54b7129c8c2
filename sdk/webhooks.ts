// Webhook endpoints: URLs that receive events. The scopes are `webhooks:read`, `webhooks:write` and `webhooks:replay`.
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
import type {
  Accepted,
  CallOptions,
  Webhook,
  WebhookCreateBody,
  WebhookCreated,
  WebhookDeadLetterPage,
  WebhookDeadLettersOptions,
} from './types.ts';

export class WebhookCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The answer contains the secret if the request has none. No other answer contains it. */
  async register(
    workspaceId: string,
    input: WebhookCreateBody,
    options?: CallOptions,
  ): Promise<WebhookCreated> {
    const route = workspaceRoute(workspaceId, 'webhooks');
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }

  async list(workspaceId: string, options?: CallOptions): Promise<Webhook[]> {
    const route = workspaceRoute(workspaceId, 'webhooks');
    return await this.#transport.call({ method: 'GET', route, call: options });
  }

  /** Drops its pending deliveries. */
  async remove(workspaceId: string, subscriptionId: string, options?: CallOptions): Promise<void> {
    const route = workspaceRoute(workspaceId, `webhooks/${encodeURIComponent(subscriptionId)}`);
    await this.#transport.call({ method: 'DELETE', route, call: options });
  }

  /** One page of dead-lettered deliveries, newest first. */
  async deadLetters(
    workspaceId: string,
    options: WebhookDeadLettersOptions = {},
  ): Promise<WebhookDeadLetterPage> {
    const { cursor, limit } = options;
    const route = workspaceRoute(workspaceId, 'webhooks/dlq');
    return await this.#transport.call({ method: 'GET', route, query: { cursor, limit }, call: options });
  }

  /** InvalidStateError: the delivery is not dead-lettered. */
  async replay(workspaceId: string, deliveryId: string, options?: CallOptions): Promise<Accepted> {
    const route = workspaceRoute(workspaceId, `webhooks/dlq/${encodeURIComponent(deliveryId)}/replay`);
    return await this.#transport.call({ method: 'POST', route, call: options });
  }
}
