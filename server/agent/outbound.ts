// Wires the outbound services of the agent: providers, operations, webhooks, provider refresh. It decides nothing.
import type { Compute } from '../compute/port.ts';
import { webhookAttempts } from '../core/outbound/decide-webhook-attempt.ts';
import { openSecrets, type Secrets, SecretsUnreadableError } from '../delivery/secret-file.ts';
import { openSharedSecrets, type SecretRows } from '../delivery/shared-secrets.ts';
import { type RefreshDeps, Refresher } from '../inbound/refresh/refresh.ts';
import { Dispatcher, type WritebackKillPoint } from '../outbound/operations/dispatcher.ts';
import { type SweepRequest, sweepDrafts } from '../outbound/operations/draft-sweep.ts';
import { createOperationLog } from '../outbound/operations/operation-log.ts';
import { OperationTransitions } from '../outbound/operations/transitions.ts';
import { ProviderRegistry } from '../outbound/providers/registry.ts';
import { createProviderStatuses } from '../outbound/providers/status.ts';
import {
  WebhookDispatcher,
  type WebhookDispatcherDeps,
  type WebhookKillPoint,
} from '../outbound/webhooks/dispatcher.ts';
import { WebhookRegistry } from '../outbound/webhooks/registry.ts';
import { createWebhooks } from '../outbound/webhooks/webhooks.ts';
import type { AgentConfig } from '../platform/config/config.ts';
import { createSecretBox } from '../platform/crypto/secret-box.ts';
import { dataPaths } from '../platform/files/paths.ts';
import type { SecretKind } from '../store/port/store.ts';
import type { EventFeed } from '../workspaces/event-feed.ts';
import type { ServiceDeps } from './inbound.ts';
import { AgentStartError } from './start-failure.ts';

/** One agent at a time uses a data directory, so each is the former self of the next. Processes of a hub have ids of their own. */
const leaseOwnerAlone = 'agent';

export interface OutboundDeps extends ServiceDeps {
  readonly compute: Compute;
  readonly config: Pick<AgentConfig, 'dataDir' | 'writebackAttempts'>;
  readonly feed: EventFeed;
  readonly onRevoked: WebhookDispatcherDeps['onRevoked'];
  /** Where webhooks go. */
  readonly accept: RefreshDeps['accept'];
  readonly onStop: (name: string, stop: () => void) => void;
  /** Seals the secrets of providers and webhooks; null: file permissions alone protect them. */
  readonly masterKey?: Uint8Array | null;
  readonly atKillPoint: (point: WritebackKillPoint | WebhookKillPoint) => void;
}

export type Outbound = Awaited<ReturnType<typeof createOutbound>>;

export async function createOutbound(deps: OutboundDeps) {
  const { config, store, workspaces, deletes, clock, ids, logger, metrics, accept, atKillPoint } = deps;
  const leaseOwner = store.shared?.id ?? leaseOwnerAlone;
  const { webhooks, notifier } = await createWebhookDispatching(deps, leaseOwner);
  const secrets = await secretsOf('provider', dataPaths(config.dataDir).providerSecretsFile, deps);
  const registry = new ProviderRegistry(store.providers, secrets, clock, ids);
  const dispatcher = new Dispatcher({
    store,
    finish: workspaces.finishAttempt,
    registry,
    clock,
    logger,
    random: Math.random,
    attempts: config.writebackAttempts,
    counts: metrics.writeback,
    leaseOwner,
    atKillPoint,
  });
  const refresher = new Refresher({ store, registry, clock, ids, logger, accept });
  metrics.writeback.from(async () => ({
    counts: await store.writebacks.counts(null),
    nowMs: clock.nowMs(),
  }));
  return {
    providers: registry,
    providerStatuses: createProviderStatuses({
      registry,
      store,
      clock,
      lane: (workspaceId, name) => dispatcher.status(workspaceId, name),
    }),
    refresher,
    operations: createOperationLog({ compute: deps.compute, store, registry, dispatcher }),
    transitions: new OperationTransitions({
      store,
      workspaces,
      deletes,
      registry,
      clock,
      logger,
      dispatcher,
    }),
    sweepDrafts: (workspaceId: string, request: SweepRequest) =>
      sweepDrafts({ ...store, deletes, change: workspaces.change }, workspaceId, request),
    webhooks,
    /** Begins to send. */
    async start(): Promise<void> {
      await registry.start();
      await dispatcher.start();
      await refresher.start();
      await notifier.start();
    },
    async stop(): Promise<void> {
      await Promise.all([dispatcher.stop(), refresher.stop(), notifier.stop()]);
      registry.close();
    },
  };
}

async function secretsOf(kind: SecretKind, file: string, deps: OutboundDeps): Promise<Secrets> {
  const { shared } = deps.store;
  if (shared === null) return secretsAt(file, deps);
  const rows: SecretRows = {
    all: () => shared.secrets(kind),
    put: (key, secret) => shared.putSecret(kind, key, secret),
    remove: (keys) => shared.removeSecrets(kind, keys),
  };
  const stopped = new AbortController();
  deps.onStop('secrets', () => stopped.abort());
  return await openSharedSecrets(rows, deps.clock, stopped.signal);
}

/** Throws an AgentStartError where the file cannot be read, or not without a key that is not at hand. */
function secretsAt(file: string, { masterKey = null }: OutboundDeps): Secrets {
  try {
    return openSecrets(file, masterKey === null ? null : createSecretBox(masterKey, 'provider secrets'));
  } catch (error) {
    if (error instanceof SecretsUnreadableError)
      throw new AgentStartError(error.message, error.remedy, error);
    throw error;
  }
}

/** Webhooks and their dispatcher. */
async function createWebhookDispatching(deps: OutboundDeps, leaseOwner: string) {
  const { config, store, feed, clock, ids, logger, metrics, onRevoked, atKillPoint } = deps;
  metrics.webhooks.from(async () => ({
    counts: [await store.webhooks.counts()],
    nowMs: clock.nowMs(),
  }));
  const registry = new WebhookRegistry({
    store: store.webhooks,
    events: store.events,
    secrets: await secretsOf('webhook', dataPaths(config.dataDir).webhookSecretsFile, deps),
    clock,
    ids,
  });
  const notifier = new WebhookDispatcher({
    store: store.webhooks,
    registry,
    feed,
    clock,
    logger,
    random: Math.random,
    attempts: webhookAttempts,
    counts: metrics.webhooks,
    leaseOwner,
    onRevoked,
    atKillPoint,
  });
  const webhooks = createWebhooks({
    store: store.webhooks,
    registry,
    clock,
    wake: (workspaceId, webhookId) => notifier.wake(workspaceId, webhookId),
  });
  return { webhooks, notifier };
}
