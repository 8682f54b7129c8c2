// Operations, providers, webhook endpoints and subscriptions.
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
import type { StoreDeps } from '../writer/store-parts.ts';
import { senders } from './senders.ts';

export function operationStore(deps: StoreDeps): OperationStore {
  const { read } = deps;
  return {
    ...senders(deps, {
      requeue: 'requeue_operation',
      retryNow: 'retry_operation_now',
      cancel: 'cancel_operation',
    }),
    get: (workspaceId, opId) =>
      read('operations.get', (statements) => getOperation(statements, workspaceId, opId)),
    list: (workspaceId, query) =>
      read('operations.list', (statements) => listOperations(statements, workspaceId, query)),
    oldest: (workspaceId, query) =>
      read('operations.oldest', (statements) => oldestOperations(statements, workspaceId, query)),
    pending: (workspaceId, limit, afterOpId = null) =>
      read('operations.pending', (statements) =>
        pendingOperations(statements, workspaceId, limit, afterOpId),
      ),
    steps: (workspaceId, opId) =>
      read('operations.steps', (statements) => listSteps(statements, workspaceId, opId)),
  };
}

export function writebackStore(deps: StoreDeps): WritebackStore {
  const { read } = deps;
  return {
    ...senders(deps, {
      lease: 'lease_writebacks',
      retryNow: 'retry_writebacks_now',
      releaseAll: 'release_writebacks',
    }),
    nextDueMs: (workspaceId, provider) =>
      read('writebacks.nextDueMs', (statements) => nextDueMs(statements, workspaceId, provider)),
    unsentPaths: (workspaceId) =>
      read('writebacks.unsentPaths', (statements) => unsentPaths(statements, workspaceId)),
    deliveredDrafts: (workspaceId, paths) =>
      read('writebacks.deliveredDrafts', (statements) => deliveredDrafts(statements, workspaceId, paths)),
    counts: (workspaceId) =>
      read('writebacks.counts', (statements) => writebackCounts(statements, workspaceId)),
  };
}

export function providerStore(deps: StoreDeps): ProviderStore {
  return {
    ...senders(deps, { insert: 'insert_provider', update: 'update_provider', remove: 'remove_provider' }),
    list: () => deps.read('providers.list', listProviders),
  };
}

export function webhookStore(deps: StoreDeps): WebhookStore {
  const { read } = deps;
  return {
    ...senders(deps, {
      insert: 'insert_webhook',
      remove: 'remove_webhook',
      dropWaiting: 'drop_webhook_deliveries',
      add: 'add_webhook_deliveries',
      lease: 'lease_webhook_deliveries',
      finish: 'finish_webhook_delivery',
      releaseAll: 'release_webhook_deliveries',
      replay: 'replay_webhook_delivery',
    }),
    list: () => read('webhooks.list', listWebhooks),
    isActive: (workspaceId, webhookId, atMs) =>
      read('webhooks.isActive', (statements) => isActiveWebhook(statements, workspaceId, webhookId, atMs)),
    waiting: (workspaceId, webhookId, countMax) =>
      read('webhooks.waiting', (statements) =>
        waitingDeliveries(statements, workspaceId, webhookId, countMax),
      ),
    nextDueMs: (workspaceId, webhookId) =>
      read('webhooks.nextDueMs', (statements) => nextDeliveryDueMs(statements, workspaceId, webhookId)),
    counts: () => read('webhooks.counts', webhookCounts),
    deadLetters: (workspaceId, page) =>
      read('webhooks.deadLetters', (statements) => listDeadDeliveries(statements, workspaceId, page)),
  };
}

export function subscriptionStore(deps: StoreDeps): SubscriptionStore {
  return {
    ...senders(deps, {
      renew: 'renew_subscription',
      cancel: 'cancel_subscription',
      claim: 'claim_subscription_deliveries',
      accept: 'accept_subscription_delivery',
    }),
    list: (workspaceId, owner, atMs) =>
      deps.read('subscriptions.list', (statements) =>
        listSubscriptions(statements, workspaceId, owner, atMs),
      ),
  };
}
