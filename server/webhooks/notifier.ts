// Tells registered addresses of changes: one Address runs for each as long as it is registered and the tokens that registered it
// are good. How events get there is in address.ts.
import type { Logger } from '../platform/logger.ts';
import { Address, type AddressParts } from './address.ts';

export { type WebhookKillPoint, webhookKillPoints } from './address.ts';

export interface NotifierParts extends AddressParts {
  readonly logger: Logger;
  /** Told of each token that is revoked. */
  readonly onRevoked: (listener: (tokenId: string) => void) => () => void;
}

export interface Notifier {
  start(): Promise<void>;
  /** A delivery was replayed. */
  wake(workspaceId: string, webhookId: string): void;
  stop(): Promise<void>;
}

export function createNotifier(parts: NotifierParts): Notifier {
  const { store, registry, logger } = parts;
  const running = new Map<string, Address>();
  const stops: (() => void)[] = [];
  /** One change after the other. */
  let turn: Promise<unknown> = Promise.resolve();
  const keyOf = (row: { readonly workspaceId: string; readonly webhookId: string }) =>
    JSON.stringify([row.workspaceId, row.webhookId]);
  const changed = async (one: { readonly workspaceId: string; readonly webhookId: string }) => {
    const row = await registry.get(one.workspaceId, one.webhookId);
    const present = running.get(keyOf(one));
    if (row === null) {
      running.delete(keyOf(one));
      await present?.stop();
    } else if (present === undefined) running.set(keyOf(one), new Address(parts, row));
  };
  /** What a token registered goes with it. */
  const removeOf = async (tokenId: string) => {
    const rows = (await registry.all()).filter((row) => row.tokenIds.includes(tokenId));
    for (const { workspaceId, webhookId } of rows) {
      logger.warn(
        { workspaceId, webhookId },
        'a webhook was removed: the token that registered it was revoked',
      );
      await registry.remove(workspaceId, webhookId);
    }
  };
  return {
    async start() {
      await registry.start();
      const released = await store.releaseAll();
      if (released > 0) logger.info({ released }, 'events that were on their way to webhooks are sent again');
      const inTurn = (work: () => Promise<void>) => {
        turn = turn
          .then(work)
          .catch((error: unknown) => logger.error({ err: error }, 'webhooks are not as they should be'));
      };
      stops.push(
        registry.onChange((one) => inTurn(() => changed(one))),
        parts.onRevoked((tokenId) => inTurn(() => removeOf(tokenId))),
      );
      for (const row of await registry.all()) {
        if (await parts.areTokensGood(row.tokenIds)) running.set(keyOf(row), new Address(parts, row));
        else await registry.remove(row.workspaceId, row.webhookId);
      }
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
