// Runs one endpoint worker per webhook endpoint while the endpoint is registered and the token that registered it is valid.
import { endpointExpiry } from '../../core/outbound/decide-webhook-attempt.ts';
import type { WebhookRow } from '../../store/port/store.ts';
import { EndpointWorker, type EndpointWorkerDeps } from './endpoint-worker.ts';
import type { EndpointKey } from './registry.ts';

export { type WebhookKillPoint, webhookKillPoints } from './endpoint-worker.ts';

export interface WebhookDispatcherDeps extends Omit<EndpointWorkerDeps, 'expired'> {
  /** Registers a listener for each token that is revoked. */
  readonly onRevoked: (listener: (tokenId: string) => void) => () => void;
}

export class WebhookDispatcher {
  readonly #deps: WebhookDispatcherDeps;
  readonly #running = new Map<string, EndpointWorker>();
  readonly #stops: (() => void)[] = [];
  /** One change after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: WebhookDispatcherDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const { store, registry, logger, leaseOwner, onRevoked } = this.#deps;
    await registry.start();
    const released = await store.release({ owner: leaseOwner });
    if (released > 0) logger.info({ released }, 'events that were on their way to webhooks are sent again');
    this.#stops.push(
      registry.onChange((endpoint) => this.#inTurn(() => this.#follow(endpoint))),
      onRevoked((tokenId) => this.#inTurn(() => this.#endOf(tokenId))),
    );
    for (const row of await registry.all()) await this.#follow(row);
  }

  /** A delivery was replayed. */
  wake(workspaceId: string, webhookId: string): void {
    this.#running.get(keyOf({ workspaceId, webhookId }))?.wake();
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#turn;
    await Promise.all([...this.#running.values()].map((worker) => worker.stop()));
    this.#running.clear();
  }

  #inTurn(work: () => Promise<void>): void {
    this.#turn = this.#turn
      .then(work)
      .catch((error: unknown) =>
        this.#deps.logger.error({ err: error }, 'webhooks are not as they should be'),
      );
  }

  /** Starts or stops the worker of an endpoint that was added, removed, or has ended. */
  async #follow(endpoint: EndpointKey): Promise<void> {
    const { registry, clock } = this.#deps;
    const row = await registry.get(endpoint.workspaceId, endpoint.webhookId);
    const key = keyOf(endpoint);
    const worker = this.#running.get(key);
    if (row !== null && endpointExpiry(row, clock.nowMs()) === null) {
      const expired = () => this.#inTurn(() => this.#follow(row));
      if (worker === undefined) this.#running.set(key, new EndpointWorker({ ...this.#deps, expired }, row));
      return;
    }
    this.#running.delete(key);
    await worker?.stop();
    if (row !== null) await this.#end(row);
  }

  /** It stays in the list with its cause and its dead letters; what waited for it would show events after its end. */
  async #end(row: WebhookRow): Promise<void> {
    const { store, registry, clock, logger } = this.#deps;
    const { workspaceId, webhookId } = row;
    await registry.dropSecret(row);
    const dropped = await store.dropWaiting({ workspaceId, webhookId });
    const cause = endpointExpiry(row, clock.nowMs())?.cause;
    logger.warn({ workspaceId, webhookId, cause, dropped }, 'a webhook ended with its token');
  }

  /** What a token registered ends with it; the store has written that down already. */
  async #endOf(tokenId: string): Promise<void> {
    for (const row of await this.#deps.registry.all())
      if (row.tokenIds.includes(tokenId) && this.#running.has(keyOf(row))) await this.#follow(row);
  }
}

function keyOf({ workspaceId, webhookId }: EndpointKey): string {
  return JSON.stringify([workspaceId, webhookId]);
}
