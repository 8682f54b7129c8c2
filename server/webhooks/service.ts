// What can be asked of webhooks: registering, listing, removing, their dead letters and replay.
import type { WebhookStore } from '../store/port.ts';
import { deliveryIdOf } from './delivery-body.ts';
import type { WebhookDeliveryRow, WebhookRegistry } from './registry.ts';

export interface Webhooks extends Pick<WebhookRegistry, 'add' | 'list' | 'remove'> {
  /** Newest first. `before`: the id that the page before ended with; null where it is none. */
  deadLetters(
    workspaceId: string,
    page: { readonly before: string | null; readonly limit: number },
  ): Promise<{
    readonly items: readonly (WebhookDeliveryRow & { readonly deliveryId: string })[];
    readonly nextCursor: string | null;
  } | null>;
  /** null: unknown. false: it is not dead-lettered. */
  replay(workspaceId: string, deliveryId: string): Promise<boolean | null>;
}

const deliveryIdPattern = /^dlv_(\d{1,15})$/;

export function createWebhooks(parts: {
  readonly store: WebhookStore;
  readonly registry: WebhookRegistry;
  readonly wake: (workspaceId: string, webhookId: string) => void;
}): Webhooks {
  const { store, registry, wake } = parts;
  const { add, list, remove } = registry;
  return {
    add,
    list,
    remove,
    async deadLetters(workspaceId, { before, limit }) {
      const number = before === null ? null : numberOf(before);
      if (before !== null && number === null) return null;
      const { items, more } = await store.deadLetters(workspaceId, { before: number, limit });
      const named = items.map((item) => ({ ...item, deliveryId: deliveryIdOf(item.number) }));
      return { items: named, nextCursor: more ? (named.at(-1)?.deliveryId ?? null) : null };
    },
    async replay(workspaceId, deliveryId) {
      const number = numberOf(deliveryId);
      const found = number === null ? null : await store.replay(workspaceId, number);
      if (found === null) return null;
      for (const { webhookId } of await list(workspaceId)) wake(workspaceId, webhookId);
      return found === 'dead_lettered';
    },
  };
}

function numberOf(deliveryId: string): number | null {
  const digits = deliveryIdPattern.exec(deliveryId)?.[1];
  return digits === undefined ? null : Number(digits);
}
