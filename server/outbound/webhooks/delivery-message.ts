// Builds the message of a webhook delivery: id and body after the Standard Webhooks specification.

import type { WebhookRow } from '../../store/port/store.ts';
import type { EventRow } from '../../workspaces/event-feed.ts';

export function deliveryIdOf(number: number): string {
  return `dlv_${number}`;
}

/** Standard Webhooks: type, time and data; no content, which its receiver reads with a token of its own. */
export function bodyOf({ workspaceId, webhookId }: WebhookRow, event: EventRow): string {
  const timestamp = new Date(event.atMs).toISOString();
  return JSON.stringify({
    type: event.type,
    timestamp,
    data: {
      eventId: `evt_${event.seq}`,
      workspaceId,
      subscriptionId: webhookId,
      path: event.path,
      revision: event.revision === null ? '' : `rev_${event.revision}`,
      ...(event.hash === null ? {} : { contentHash: event.hash }),
      origin: event.origin,
      provider: event.provider ?? '',
      correlationId: event.correlationId,
    },
  });
}
