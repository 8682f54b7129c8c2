// The parts of the port about what goes out: operations, the queue of providers, registered webhooks, subscriptions.

import type {
  OperationStore,
  ProviderStore,
  SubscriptionStore,
  WebhookStore,
  WritebackStore,
} from '../port/store.ts';
import { listSubscriptions } from '../tables/feed/subscriptions.ts';
import {
  isActiveWebhook,
  listDeadDeliveries,
  listWebhooks,
  nextDeliveryDueMs,
  waitingDeliveries,
  webhookCounts,
} from '../tables/feed/webhook-deliveries.ts';
import {
  getOperation,
  listOperations,
  oldestOperations,
  pendingOperations,
} from '../tables/outbound/operations.ts';
import {
  deliveredDrafts,
  nextDueMs,
  unsentPaths,
  writebackCounts,
} from '../tables/outbound/pending-operations.ts';
import { listProviders } from '../tables/outbound/providers.ts';
import { listSteps } from '../tables/outbound/steps.ts';
import type { StoreParts } from '../writer/store-parts.ts';

export function operationStore({ read, send }: StoreParts): OperationStore {
  return {
    get: (workspaceId, opId) =>
      read('operations.get', (statements) => getOperation(statements, workspaceId, opId)),
    list: (workspaceId, query) =>
      read('operations.list', (statements) => listOperations(statements, workspaceId, query)),
    oldest: (workspaceId, query) =>
      read('operations.oldest', (statements) => oldestOperations(statements, workspaceId, query)),
    hasten: (workspaceId, opId, result) => send('hasten_operation', { workspaceId, opId, ...result }),
    pending: (workspaceId, limit, afterOpId = null) =>
      read('operations.pending', (statements) =>
        pendingOperations(statements, workspaceId, limit, afterOpId),
      ),
    steps: (workspaceId, opId) =>
      read('operations.steps', (statements) => listSteps(statements, workspaceId, opId)),
    acknowledge: (workspaceId, opId, result) =>
      send('acknowledge_operation', { workspaceId, opId, ...result }),
    requeue: (workspaceId, opId, atMs, more = { send: 'current', correlationId: '' }) =>
      send('requeue_operation', { workspaceId, opId, atMs, ...more }),
    cancel: (workspaceId, opId, result) => send('cancel_operation', { workspaceId, opId, ...result }),
  };
}

export function writebackStore({ read, send }: StoreParts): WritebackStore {
  return {
    lease: (workspaceId, provider, options) =>
      send('lease_writebacks', { workspaceId, provider, ...options }),
    finish: (workspaceId, opId, end) => send('finish_writeback', { workspaceId, opId, ...end }),
    hasten: async (workspaceId, provider, atMs) =>
      void (await send('hasten_writebacks', { workspaceId, provider, atMs })),
    releaseAll: (atMs) => send('release_writebacks', { atMs }),
    nextDueMs: (workspaceId, provider) =>
      read('writebacks.nextDueMs', (statements) => nextDueMs(statements, workspaceId, provider)),
    unsentPaths: (workspaceId) =>
      read('writebacks.unsentPaths', (statements) => unsentPaths(statements, workspaceId)),
    deliveredDrafts: (workspaceId, paths) =>
      read('writebacks.deliveredDrafts', (statements) => deliveredDrafts(statements, workspaceId, paths)),
    figures: (workspaceId) =>
      read('writebacks.figures', (statements) => writebackCounts(statements, workspaceId)),
  };
}

export function providerStore({ read, send }: StoreParts): ProviderStore {
  return {
    insert: (row) => send('insert_provider', { row }),
    list: () => read('providers.list', listProviders),
    update: (workspaceId, name, patch) => send('update_provider', { workspaceId, name, patch }),
    remove: (workspaceId, name, how) => send('remove_provider', { workspaceId, name, ...how }),
  };
}

export function webhookStore({ read, send }: StoreParts): WebhookStore {
  return {
    insert: (row, endedMax) => send('insert_webhook', { row, endedMax }),
    list: () => read('webhooks.list', listWebhooks),
    remove: (workspaceId, webhookId) => send('remove_webhook', { workspaceId, webhookId }),
    isActive: (workspaceId, webhookId, atMs) =>
      read('webhooks.isActive', (statements) => isActiveWebhook(statements, workspaceId, webhookId, atMs)),
    dropWaiting: (workspaceId, webhookId) => send('drop_webhook_deliveries', { workspaceId, webhookId }),
    add: (workspaceId, webhookId, events) =>
      send('add_webhook_deliveries', { workspaceId, webhookId, ...events }),
    waiting: (workspaceId, webhookId, countMax) =>
      read('webhooks.waiting', (statements) =>
        waitingDeliveries(statements, workspaceId, webhookId, countMax),
      ),
    lease: (workspaceId, webhookId, options) =>
      send('lease_webhook_deliveries', { workspaceId, webhookId, ...options }),
    nextDueMs: (workspaceId, webhookId) =>
      read('webhooks.nextDueMs', (statements) => nextDeliveryDueMs(statements, workspaceId, webhookId)),
    finish: (end) => send('finish_webhook_delivery', end),
    figures: () => read('webhooks.figures', webhookCounts),
    releaseAll: () => send('release_webhook_deliveries', {}),
    deadLetters: (workspaceId, page) =>
      read('webhooks.deadLetters', (statements) => listDeadDeliveries(statements, workspaceId, page)),
    replay: (workspaceId, number, options) =>
      send('replay_webhook_delivery', { workspaceId, number, ...options }),
  };
}

export function subscriptionStore({ read, send }: StoreParts): SubscriptionStore {
  return {
    renew: (input) => send('renew_subscription', input),
    list: (workspaceId, owner, atMs) =>
      read('subscriptions.list', (statements) => listSubscriptions(statements, workspaceId, owner, atMs)),
    cancel: (workspaceId, owner, number, atMs) =>
      send('cancel_subscription', { workspaceId, owner, number, atMs }),
    claim: (input) => send('claim_subscription_deliveries', input),
    accept: (input) => send('accept_subscription_delivery', input),
  };
}
