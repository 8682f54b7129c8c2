// Runs one endpoint worker per webhook endpoint while the endpoint is registered and the token that registered it is valid.
import { endpointExpiry } from '../../core/outbound/decide-webhook-attempt.ts';
import type { Logger } from '../../platform/observe/logger.ts';
import type { WebhookRow } from '../../store/port/store.ts';
import { EndpointWorker, type EndpointWorkerDeps } from './endpoint-worker.ts';

export { type WebhookKillPoint, webhookKillPoints } from './endpoint-worker.ts';

export interface WebhookDispatcherDeps extends Omit<EndpointWorkerDeps, 'expired'> {
  readonly logger: Logger;
  /** Registers a listener for each token that is revoked. */
  readonly onRevoked: (listener: (tokenId: string) => void) => () => void;
}

export interface WebhookDispatcher {
  start(): Promise<void>;
  /** A delivery was replayed. */
  wake(workspaceId: string, webhookId: string): void;
  stop(): Promise<void>;
}

export function createWebhookDispatcher(parts: WebhookDispatcherDeps): WebhookDispatcher {
  const { store, registry, clock, logger } = parts;
  const running = new Map<string, EndpointWorker>();
  const stops: (() => void)[] = [];
  /** One change after the other. */
  let turn: Promise<unknown> = Promise.resolve();
  const keyOf = (row: { readonly workspaceId: string; readonly webhookId: string }) =>
    JSON.stringify([row.workspaceId, row.webhookId]);
  const changed = async (one: { readonly workspaceId: string; readonly webhookId: string }) => {
    const row = await registry.get(one.workspaceId, one.webhookId);
    const present = running.get(keyOf(one));
    if (row !== null && endpointExpiry(row, clock.nowMs()) === null) {
      if (present === undefined) running.set(keyOf(one), new EndpointWorker({ ...parts, expired }, row));
      return;
    }
    running.delete(keyOf(one));
    await present?.stop();
    if (row !== null) await end(row);
  };
  /** It stays in the list with its cause and its dead letters; what waited for it would show events after its end. */
  const end = async (row: WebhookRow) => {
    const { workspaceId, webhookId } = row;
    registry.dropSecret(row);
    const dropped = await store.dropWaiting({ workspaceId, webhookId });
    const cause = endpointExpiry(row, clock.nowMs())?.cause;
    logger.warn({ workspaceId, webhookId, cause, dropped }, 'a webhook ended with its token');
  };
  const inTurn = (work: () => Promise<void>) => {
    turn = turn
      .then(work)
      .catch((error: unknown) => logger.error({ err: error }, 'webhooks are not as they should be'));
  };
  const expired = (row: WebhookRow) => inTurn(() => changed(row));
  /** What a token registered ends with it; the store has written that down already. */
  const endOf = async (tokenId: string) => {
    const rows = (await registry.all()).filter((row) => row.tokenIds.includes(tokenId));
    for (const row of rows) if (running.has(keyOf(row))) await changed(row);
  };
  return {
    async start() {
      await registry.start();
      const released = await store.releaseAll({});
      if (released > 0) logger.info({ released }, 'events that were on their way to webhooks are sent again');
      stops.push(
        registry.onChange((one) => inTurn(() => changed(one))),
        parts.onRevoked((tokenId) => inTurn(() => endOf(tokenId))),
      );
      for (const row of await registry.all()) await changed(row);
    },
    wake: (workspaceId, webhookId) => running.get(keyOf({ workspaceId, webhookId }))?.wake(),
    async stop() {
      for (const stop of stops) stop();
      await turn;
      await Promise.all([...running.values()].map((address) => address.stop()));
      running.clear();
    },
  };
}
