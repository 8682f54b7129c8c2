// The webhook service: register, list, remove, dead letters and replay.
import { type EndpointExpiry, endpointExpiry } from '../../core/outbound/decide-webhook-attempt.ts';
import type { Clock } from '../../platform/clock.ts';
import type { WebhookStore } from '../../store/port/store.ts';
import { deliveryIdOf } from './delivery-message.ts';
import type { WebhookDeliveryRow, WebhookInput, WebhookRegistry, WebhookRow } from './registry.ts';

export type { EndpointExpiry } from '../../core/outbound/decide-webhook-attempt.ts';

export interface WebhookDeadLetterRow extends WebhookDeliveryRow {
  readonly deliveryId: string;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

const deliveryIdPattern = /^dlv_(\d{1,15})$/;

export function createWebhooks(deps: {
  readonly store: WebhookStore;
  readonly registry: WebhookRegistry;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly wake: (workspaceId: string, webhookId: string) => void;
}) {
  const { store, registry, clock, wake } = deps;
  return {
    add: (workspaceId: string, input: WebhookInput) => registry.add(workspaceId, input),
    list: (workspaceId: string) => registry.list(workspaceId),
    get: (workspaceId: string, webhookId: string) => registry.get(workspaceId, webhookId),
    remove: (workspaceId: string, webhookId: string) => registry.remove(workspaceId, webhookId),
    /** Newest first. `before`: the id that the page before ended with; null where it is none. */
    async deadLetters(
      workspaceId: string,
      { before, limit }: { readonly before: string | null; readonly limit: number },
    ): Promise<{ readonly items: readonly WebhookDeadLetterRow[]; readonly more: boolean } | null> {
      const number = before === null ? null : numberOf(before);
      if (before !== null && number === null) return null;
      const { items, more } = await store.deadLetters(workspaceId, { before: number, limit });
      return { items: items.map((item) => ({ ...item, deliveryId: deliveryIdOf(item.number) })), more };
    },
    /** null: unknown, or of an endpoint that `covers` leaves out. */
    async replay(
      workspaceId: string,
      deliveryId: string,
      covers: (row: WebhookRow) => boolean,
    ): Promise<'queued' | 'not_dead_lettered' | 'webhook_ended' | null> {
      const number = numberOf(deliveryId);
      if (number === null) return null;
      const covered = (await registry.list(workspaceId)).filter(covers);
      const webhookIds = covered.map(({ webhookId }) => webhookId);
      const status = await store.replay({ workspaceId, number, webhookIds, atMs: clock.nowMs() });
      if (status === null || status === 'webhook_ended') return status;
      for (const webhookId of webhookIds) wake(workspaceId, webhookId);
      return status === 'dead_lettered' ? 'queued' : 'not_dead_lettered';
    },
    /** Why and since when an endpoint is called no more; null: it is active. */
    endOf: (row: WebhookRow): EndpointExpiry | null => endpointExpiry(row, clock.nowMs()),
  };
}

function numberOf(deliveryId: string): number | null {
  const digits = deliveryIdPattern.exec(deliveryId)?.[1];
  return digits === undefined ? null : Number(digits);
}
