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
import { readers, senders } from './port-methods.ts';

export function operationStore(deps: StoreDeps): OperationStore {
  return {
    ...senders(deps, {
      requeue: 'requeue_operation',
      retryNow: 'retry_operation_now',
      cancel: 'cancel_operation',
    }),
    ...readers(deps, 'operations', {
      get: getOperation,
      list: listOperations,
      oldest: oldestOperations,
      pending: pendingOperations,
      steps: listSteps,
    }),
  };
}

export function writebackStore(deps: StoreDeps): WritebackStore {
  return {
    ...senders(deps, {
      lease: 'lease_writebacks',
      retryNow: 'retry_writebacks_now',
      releaseAll: 'release_writebacks',
    }),
    ...readers(deps, 'writebacks', { nextDueMs, unsentPaths, deliveredDrafts, counts: writebackCounts }),
  };
}

export function providerStore(deps: StoreDeps): ProviderStore {
  return {
    ...senders(deps, { insert: 'insert_provider', update: 'update_provider', remove: 'remove_provider' }),
    ...readers(deps, 'providers', { list: listProviders }),
  };
}

export function webhookStore(deps: StoreDeps): WebhookStore {
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
    ...readers(deps, 'webhooks', {
      list: listWebhooks,
      isActive: isActiveWebhook,
      waiting: waitingDeliveries,
      nextDueMs: nextDeliveryDueMs,
      counts: webhookCounts,
      deadLetters: listDeadDeliveries,
    }),
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
    ...readers(deps, 'subscriptions', { list: listSubscriptions }),
  };
}
