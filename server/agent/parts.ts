// Wires the agent, from the opened data directory to the HTTP app, which does not listen yet. agent.ts starts what runs in the
// background.
import { homedir } from 'node:os';
import { createJwks } from '../auth/jwks.ts';
import { createSignIn } from '../auth/sign-in.ts';
import { createTokenService } from '../auth/tokens.ts';
import { createWorkerPool } from '../compute/pool.ts';
import { createHttpApp, type HttpApp, type HttpOptions } from '../http/app.ts';
import type { IngestKillPoint } from '../inbound/context.ts';
import { createMirrorManager } from '../mirror/manager/manager.ts';
import type { MirrorManager } from '../mirror/manager/port.ts';
import type { WritebackKillPoint } from '../outbound/operations/dispatcher.ts';
import type { WebhookKillPoint } from '../outbound/webhooks/dispatcher.ts';
import { Subscriptions } from '../outbound/webhooks/subscriptions.ts';
import type { Clock } from '../platform/clock.ts';
import type { AgentConfig } from '../platform/config/config.ts';
import { createIds } from '../platform/crypto/ids.ts';
import { dataPaths } from '../platform/files/paths.ts';
import { createStaticFiles } from '../platform/files/static-files.ts';
import type { Logger } from '../platform/observe/logger.ts';
import { createMetrics, type Metrics } from '../platform/observe/metrics.ts';
import { packageVersion } from '../platform/version.ts';
import type { Store } from '../store/port/store.ts';
import { createEventFeed } from '../workspaces/event-feed.ts';
import { createExporter } from '../workspaces/export.ts';
import { createForks } from '../workspaces/forks.ts';
import { createHistory } from '../workspaces/history.ts';
import { createWorkspaceService } from '../workspaces/service.ts';
import { openDataDir } from './data-dir.ts';
import { createInbound, type Inbound } from './inbound.ts';
import { maintenanceOf } from './maintenance.ts';
import { createOutbound, type Outbound } from './outbound.ts';

/** Registers how a part is stopped; parts stop in the reverse order. */
export type OnStop = (name: string, stop: () => void | Promise<void>) => void;

export interface PartsOptions extends HttpOptions {
  /** 32 bytes that encrypt the secrets of providers and webhooks on the disk. The caller stores them. */
  readonly masterKey?: Uint8Array;
  /** Called at the points where a test may end the process. */
  readonly atKillPoint?: (point: WritebackKillPoint | IngestKillPoint | WebhookKillPoint) => void;
}

export interface AgentParts {
  readonly app: HttpApp;
  readonly mirrors: MirrorManager;
  readonly store: Store;
  readonly inbound: Inbound;
  readonly outbound: Outbound;
}

/** `uiFolder`: the built UI; null: no UI is served. */
export async function assemble(
  config: AgentConfig,
  uiFolder: string | null,
  clock: Clock,
  logger: Logger,
  onStop: OnStop,
  options: PartsOptions = {},
): Promise<AgentParts> {
  const { signingKeyFile, ownerTokenFile } = dataPaths(config.dataDir);
  const atKillPoint = options.atKillPoint ?? (() => undefined);
  const ids = createIds();
  const metrics = createMetrics();
  const store = await openDataDir(config, clock, logger, metrics);
  onStop('store', () => store.close());
  const compute = createWorkerPool({ clock });
  onStop('compute', () => compute.close());
  const feed = await createEventFeed(store);
  onStop('feed', () => feed.close());
  const tokens = await createTokenService({
    store: store.tokens,
    clock,
    ids,
    keyFile: signingKeyFile,
    ownerTokenFile,
    jwks: config.jwksUrl === null ? null : createJwks({ url: config.jwksUrl, clock }),
  });
  const workspaces = createWorkspaceService({ store, clock, randomId: ids.text });
  const mirrors = createMirrorManager({
    compute,
    store,
    workspaces,
    clock,
    ids,
    logger,
    dataDir: config.dataDir,
    fileBytesMax: config.mirrorFileBytes,
    cloudMachine: { platform: process.platform, home: homedir(), env: process.env },
    onProofAlarm: () => metrics.proofAlarmed(),
  });
  publishCounts(metrics, store, mirrors);
  const shared = { config, store, workspaces, deletes: tokens.deletes, clock, ids, logger, metrics };
  const inbound = createInbound({ ...shared, atKillPoint });
  const outbound = createOutbound({
    ...shared,
    compute,
    feed,
    onRevoked: tokens.onRevoked,
    accept: (delivery) => inbound.accept(delivery),
    masterKey: options.masterKey ?? null,
    atKillPoint,
  });
  const app = await createHttpApp(
    {
      config,
      version: packageVersion,
      workspaces,
      compute,
      history: createHistory(store, compute),
      forks: createForks({ store, clock, uuid: () => crypto.randomUUID() }),
      exporter: createExporter(workspaces),
      feed,
      ingest: inbound.ingest,
      adminStatus: inbound.adminStatus,
      hmac: inbound.hmac,
      tarballs: inbound.tarballs,
      operations: outbound.operations,
      webhooks: outbound.webhooks,
      subscriptions: new Subscriptions(store.subscriptions, clock, ids),
      transitions: outbound.transitions,
      sweepDrafts: outbound.sweepDrafts,
      providers: outbound.providers,
      providerStatuses: outbound.providerStatuses,
      refresher: outbound.refresher,
      mirrors,
      tokens,
      signIn: createSignIn({ tokens, clock }),
      maintenance: maintenanceOf({
        config,
        clock,
        store,
        workspaces,
        mirrors,
        providerStatuses: outbound.providerStatuses,
        metrics,
      }),
      ui: uiFolder === null ? null : createStaticFiles(uiFolder),
      clock,
      log: logger,
      metrics,
    },
    options,
  );
  onStop('http', () => app.close());
  return { app, mirrors, store, inbound, outbound };
}

function publishCounts(metrics: Metrics, store: Store, mirrors: MirrorManager): void {
  metrics.storeCountsFrom(() => store.maintenance.counts());
  metrics.mirrorsFrom(async () => new Map((await mirrors.list()).map((mirror) => [mirror.mirrorId, mirror])));
}
