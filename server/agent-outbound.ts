// The outbound half of the agent, wired: providers, their items, operations, refresh. A part of agent.ts in a file of its
// own. It decides nothing.
import { createOperationLog, type OperationLog } from './operations/log.ts';
import type { Clock } from './platform/clock.ts';
import type { AgentConfig } from './platform/config.ts';
import type { Ids } from './platform/ids.ts';
import type { Logger } from './platform/logger.ts';
import type { Metrics } from './platform/metrics.ts';
import { dataPaths } from './platform/paths.ts';
import { createSecretBox } from './platform/secret-box.ts';
import { createRefresher, type Refresher, type RefreshParts } from './providers/refresh.ts';
import { createProviderRegistry, type ProviderRegistry } from './providers/registry.ts';
import { openSecrets } from './providers/secrets.ts';
import { createProviderStatuses, type ProviderStatuses } from './providers/status.ts';
import type { Store } from './store/port.ts';
import type { WorkspaceService } from './workspaces/service.ts';
import { createDispatcher, type WritebackKillPoint } from './writeback/dispatcher.ts';
import { createWritebackQueue, type WritebackQueue } from './writeback/queue.ts';

export interface OutboundParts {
  readonly config: Pick<AgentConfig, 'dataDir' | 'writebackAttempts'>;
  readonly store: Store;
  readonly workspaces: WorkspaceService;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where webhooks go. */
  readonly accept: RefreshParts['accept'];
  /** Seals the providers' secrets; null: file permissions alone protect them. */
  readonly masterKey?: Uint8Array | null;
  readonly atKillPoint: (point: WritebackKillPoint) => void;
}

export interface Outbound {
  readonly providers: ProviderRegistry;
  readonly providerStatuses: ProviderStatuses;
  readonly refresher: Refresher;
  readonly writeback: WritebackQueue;
  readonly operations: OperationLog;
  /** Begins to send. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createOutbound(parts: OutboundParts): Outbound {
  const {
    config,
    store,
    workspaces,
    clock,
    ids,
    logger,
    metrics,
    accept,
    masterKey = null,
    atKillPoint,
  } = parts;
  const box = masterKey === null ? null : createSecretBox(masterKey, 'provider secrets');
  const secrets = openSecrets(dataPaths(config.dataDir).providerSecretsFile, box);
  const registry = createProviderRegistry({ store: store.providers, secrets, clock, ids });
  const dispatcher = createDispatcher({
    store,
    finish: (workspaceId, opId, end) => workspaces.finishAttempt(workspaceId, opId, end),
    registry,
    clock,
    logger,
    random: Math.random,
    attempts: config.writebackAttempts,
    figures: {
      attemptEnded: metrics.writebackAttemptEnded,
      deadLettered: metrics.writebackDeadLettered,
    },
    atKillPoint,
  });
  const wake = (workspaceId: string) => dispatcher.wake(workspaceId);
  const refresher = createRefresher({ store, registry, clock, ids, logger, accept });
  metrics.writebackFrom(async () => ({
    figures: await store.writebacks.figures(null),
    nowMs: clock.nowMs(),
  }));
  return {
    providers: registry,
    providerStatuses: createProviderStatuses({
      registry,
      writebacks: store.writebacks,
      lane: (workspaceId, name) => dispatcher.status(workspaceId, name),
    }),
    refresher,
    writeback: createWritebackQueue({ store, workspaces, registry, clock, wake }),
    operations: createOperationLog({ store, clock, wake }),
    async start() {
      await registry.start();
      await dispatcher.start();
      await refresher.start();
    },
    async stop() {
      await Promise.all([dispatcher.stop(), refresher.stop()]);
      registry.close();
    },
  };
}
