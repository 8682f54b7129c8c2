// Composition root: the whole agent from its configuration. Everything that is wired is wired here, started in one order and
// stopped in the reverse one. It decides nothing about content.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInbound, type Inbound } from './agent-inbound.ts';
import { createOutbound, type Outbound } from './agent-outbound.ts';
import {
  AgentStartError,
  codeOf,
  dataDirInUse,
  describeListenFailure,
  describeOpenFailure,
  maintenanceOf,
} from './agent-upkeep.ts';
import { createJwks } from './auth/jwks.ts';
import { createSignIn } from './auth/sign-in.ts';
import { createTokenService } from './auth/tokens.ts';
import { createEventFeed } from './events/feed.ts';
import { createHttpApp, type HttpApp, type HttpOptions } from './http/app.ts';
import type { IngestKillPoint } from './ingest/context.ts';
import { createMirrorManager } from './mirror/manager.ts';
import type { MirrorManager } from './mirror/manager-port.ts';
import { writeAgentFile } from './platform/agent-file.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type AgentConfig, loadConfig } from './platform/config.ts';
import { createIds } from './platform/ids.ts';
import { claimDataDir } from './platform/instance.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { dataPaths } from './platform/paths.ts';
import { createStaticFiles } from './platform/static-files.ts';
import { packageVersion } from './platform/version.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/port.ts';
import type { WebhookKillPoint } from './webhooks/notifier.ts';
import { createSubscriptions } from './webhooks/subscriptions.ts';
import { createExporter } from './workspaces/export.ts';
import { createForks } from './workspaces/forks.ts';
import { createHistory } from './workspaces/history.ts';
import { createWorkspaceService } from './workspaces/service.ts';
import type { WritebackKillPoint } from './writeback/dispatcher.ts';

export { AgentStartError, restoreInto, storeChecks } from './agent-upkeep.ts';

/** Ports that are tried after a taken one (`mooring start`). */
const portFallbacksMax = 20;
/** Retention runs soon after the start, when the first scans are over, and then a few times a day. */
const firstSweepAfterMs = 10 * 60_000;
const sweepEveryMs = 6 * 3_600_000;
const uiFolder = path.resolve(import.meta.dirname, '../dist/renderer');

export interface AgentAddress {
  /** `http://127.0.0.1:4417` */
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

export interface Agent {
  /** Resolves when it answers. Throws an AgentStartError; it then holds nothing any more. */
  start(): Promise<AgentAddress>;
  /** Stops accepting, finishes what runs, closes the store. May be called at any time, also twice. */
  stop(): Promise<void>;
  readonly address: AgentAddress | null;
  readonly ownerTokenFile: string;
}

type OnStop = (name: string, stop: () => void | Promise<void>) => void;

export interface AgentOptions extends HttpOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** 32 bytes that seal the secrets of providers and webhooks on the disk; whoever gives it keeps it. */
  readonly masterKey?: Uint8Array;
  /** Called at the points where a test may end the process. */
  readonly atKillPoint?: (point: WritebackKillPoint | IngestKillPoint | WebhookKillPoint) => void;
}

export function createAgent(config: AgentConfig, options: AgentOptions = {}): Agent {
  const logger = options.logger ?? createLogger({ level: config.logLevel });
  return new RunningAgent(config, options, options.clock ?? systemClock, logger);
}

class RunningAgent implements Agent {
  readonly ownerTokenFile: string;
  readonly #config: AgentConfig;
  readonly #options: AgentOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** What was started and how it is stopped, oldest first. */
  readonly #started: { readonly name: string; readonly stop: () => void | Promise<void> }[] = [];
  #address: AgentAddress | null = null;
  #starting: Promise<AgentAddress> | null = null;
  #stopping: Promise<void> | null = null;

  constructor(config: AgentConfig, options: AgentOptions, clock: Clock, logger: Logger) {
    this.#config = config;
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
    this.ownerTokenFile = dataPaths(config.dataDir).ownerTokenFile;
  }

  get address(): AgentAddress | null {
    return this.#address;
  }

  start(): Promise<AgentAddress> {
    if (this.#starting !== null || this.#stopping !== null) throw new Error('an agent is started once');
    this.#starting = this.#startOrTearDown();
    return this.#starting;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #startOrTearDown(): Promise<AgentAddress> {
    try {
      return await this.#start();
    } catch (error) {
      await this.#tearDown();
      throw error;
    }
  }

  async #stop(): Promise<void> {
    // What is just being started is stopped when it has started. Whoever called `start` is told of its failure.
    await Promise.allSettled([this.#starting]);
    await this.#tearDown();
  }

  async #start(): Promise<AgentAddress> {
    const config = this.#config;
    const { app, mirrors, store, inbound, outbound } = await assemble(
      config,
      this.#clock,
      this.#logger,
      this.#onStop,
      this.#options,
    );
    const address = await listen(config, app);
    this.#onStop('mirrors', () => mirrors.stop());
    await mirrors.start();
    this.#onStop('imports', () => inbound.tarballs.stop());
    this.#onStop('ingest', () => inbound.ingest.stop());
    await inbound.ingest.start();
    this.#onStop('providers', () => outbound.stop());
    await outbound.start();
    this.#keepRetention(store);
    writeAgentFile(config.dataDir, {
      url: address.url,
      pid: process.pid,
      version: packageVersion,
      startedAt: new Date(this.#clock.nowMs()).toISOString(),
      ownerTokenFile: this.ownerTokenFile,
    });
    this.#address = address;
    this.#logger.info(
      { url: address.url, dataDir: config.dataDir, version: packageVersion },
      'agent is ready',
    );
    return address;
  }

  /** The reverse of the start. One part that cannot stop keeps no other from stopping. */
  async #tearDown(): Promise<void> {
    const failures: unknown[] = [];
    for (const { name, stop } of this.#started.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        this.#logger.error({ err: error, part: name }, 'a part of the agent could not be stopped');
        failures.push(error);
      }
    }
    const wasRunning = this.#address !== null;
    this.#address = null;
    if (failures.length > 0) throw new AggregateError(failures, 'the agent did not stop cleanly');
    if (wasRunning) this.#logger.info({}, 'agent has stopped');
  }

  readonly #onStop: OnStop = (name, stop) => {
    this.#started.push({ name, stop });
  };

  /** History, events and blobs beyond retention go a few times a day, beside the work. */
  #keepRetention(store: Store): void {
    const stop = new AbortController();
    const loop = async () => {
      for (let delayMs = firstSweepAfterMs; ; delayMs = sweepEveryMs) {
        await this.#clock.delay(delayMs, stop.signal);
        if (stop.signal.aborted) return;
        try {
          const swept = await store.maintenance.sweep(this.#clock.nowMs());
          this.#logger.info(swept, 'retention let go of what was due');
        } catch (error) {
          this.#logger.error({ err: error }, 'retention failed and is tried again later');
        }
      }
    };
    const running = loop();
    this.#onStop('retention', async () => {
      stop.abort();
      await running;
    });
  }
}

/** Every part up to the HTTP face, which does not listen yet. */
async function assemble(
  config: AgentConfig,
  clock: Clock,
  logger: Logger,
  onStop: OnStop,
  options: Pick<AgentOptions, 'onRoute' | 'atKillPoint' | 'masterKey'> = {},
): Promise<{
  readonly app: HttpApp;
  readonly mirrors: MirrorManager;
  readonly store: Store;
  readonly inbound: Inbound;
  readonly outbound: Outbound;
}> {
  const { signingKeyFile, ownerTokenFile } = dataPaths(config.dataDir);
  const atKillPoint = options.atKillPoint ?? (() => undefined);
  const ids = createIds();
  const metrics = createMetrics();
  const store = await openDataDir(config, clock, logger, metrics, onStop);
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
    store,
    workspaces,
    clock,
    ids,
    logger,
    dataDir: config.dataDir,
    fileBytesMax: config.mirrorFileBytes,
    onProofAlarm: () => metrics.proofAlarmed(),
  });
  showFigures(metrics, store, mirrors);
  const inbound = createInbound({ config, store, workspaces, clock, ids, logger, metrics, atKillPoint });
  const outbound = createOutbound({
    config,
    store,
    workspaces,
    feed,
    onRevoked: tokens.onRevoked,
    clock,
    ids,
    logger,
    metrics,
    accept: (delivery) => inbound.accept(delivery),
    masterKey: options.masterKey ?? null,
    atKillPoint,
  });
  const app = await createHttpApp(
    {
      config,
      version: packageVersion,
      workspaces,
      history: createHistory(store),
      forks: createForks({ store, clock, uuid: () => crypto.randomUUID() }),
      exporter: createExporter(workspaces),
      feed,
      ingest: inbound.ingest,
      adminStatus: inbound.adminStatus,
      hmac: inbound.hmac,
      tarballs: inbound.tarballs,
      operations: outbound.operations,
      webhooks: outbound.webhooks,
      subscriptions: createSubscriptions({ store: store.subscriptions, clock, ids }),
      writeback: outbound.writeback,
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
      ui: config.ui ? createStaticFiles(uiFolder) : null,
      clock,
      log: logger,
      metrics,
    },
    options,
  );
  onStop('http', () => app.close());
  return { app, mirrors, store, inbound, outbound };
}

/** Ours alone from here on, until it is stopped. */
async function openDataDir(
  config: AgentConfig,
  clock: Clock,
  logger: Logger,
  observer: Metrics,
  onStop: OnStop,
): Promise<Store> {
  const { dataDir, historyDays, historyRevisionsMin, historyBytes, externalWriteback } = config;
  try {
    const claim = claimDataDir(dataDir);
    if (!claim.ok) throw dataDirInUse(dataDir, claim.owner);
    onStop('data directory', () => claim.instance.release());
    const settings = {
      historyDays,
      historyRevisionsMin,
      historyBytesMax: historyBytes,
      externalWriteback,
    };
    const store = await openStore({ dataDir, logger, observer, clock, settings });
    onStop('store', () => store.close());
    return store;
  } catch (error) {
    throw describeOpenFailure(dataDir, error);
  }
}

async function listen(config: AgentConfig, app: HttpApp): Promise<AgentAddress> {
  const { listenHost, listenPort, portFallback } = config;
  const tries = portFallback && listenPort !== 0 ? portFallbacksMax + 1 : 1;
  for (let offset = 0; offset < tries; offset += 1) {
    try {
      const { host, port } = await app.listen({ host: listenHost, port: listenPort + offset });
      return { url: `http://${reachableHost(host)}:${port}`, host, port };
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw describeListenFailure(listenHost, listenPort + offset, error);
    }
  }
  throw new AgentStartError(
    tries === 1
      ? `Port ${listenPort} of ${listenHost} is taken by another program.`
      : `The ports ${listenPort} to ${listenPort + tries - 1} of ${listenHost} are all taken.`,
    'Choose another one with --listen HOST:PORT; port 0 takes any free one.',
  );
}

/** An address that means "all of them" is no address to go to. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function showFigures(metrics: Metrics, store: Store, mirrors: MirrorManager): void {
  metrics.storeFiguresFrom(() => store.maintenance.figures());
  metrics.mirrorsFrom(async () => new Map((await mirrors.list()).map((mirror) => [mirror.mirrorId, mirror])));
}

/** The OpenAPI document of the routes as they are, as text. Made by a whole agent that never listens, on an empty folder. */
export async function openApiText(): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-openapi-'));
  const stops: (() => void | Promise<void>)[] = [];
  try {
    const loaded = loadConfig({ flags: { dataDir }, readConfigFile: () => null });
    if (!loaded.ok) throw new AgentStartError('The settings are not valid.', 'See "mooring doctor".');
    const logger = createLogger({ level: 'error' });
    const { app } = await assemble(loaded.config, systemClock, logger, (_, stop) => stops.push(stop));
    return `${JSON.stringify(app.openApiDocument(), null, 2)}\n`;
  } finally {
    for (const stop of stops.reverse()) await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
