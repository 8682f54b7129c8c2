// Composition root: starts the agent from its configuration in one order, and stops it in the reverse order. agent/ wires the
// parts. It decides nothing about content.
import path from 'node:path';
import { announceAgent } from './agent/data-dir.ts';
import type { OnStop } from './agent/on-stop.ts';
import { assemble, type Parts, type PartsOptions } from './agent/parts.ts';
import {
  AgentStartError,
  codeOf,
  describeListenFailure,
  describeStartFailure,
} from './agent/start-failure.ts';
import type { LogSource } from './contract/logs.ts';
import type { HttpApp } from './http/app.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { AgentConfig } from './platform/config/config.ts';
import { dataPaths } from './platform/files/paths.ts';
import { LogFile } from './platform/observe/log-file.ts';
import { createLogger, type Logger } from './platform/observe/logger.ts';
import { programFile } from './platform/program-files.ts';
import { packageVersion } from './platform/version.ts';
import type { RunFolders } from './runs/run-folders.ts';
import type { Store } from './store/port/store.ts';

export { beginHubEpoch, importIntoHub } from './agent/hub-data.ts';
export { prepareHub } from './agent/hub-init.ts';
export { restoreInto, storeChecks } from './agent/maintenance.ts';
export { makeMasterKey } from './agent/master-key.ts';
export { openApiText } from './agent/parts.ts';
export { AgentStartError } from './agent/start-failure.ts';

/** Where the built UI is, or will be once it is built. */
const uiFolder = () => programFile('dist/renderer') ?? path.resolve(import.meta.dirname, '../dist/renderer');
/** Retention runs after the first scans, and then a few times per day. */
const firstSweepAfterMs = 10 * 60_000;
const sweepEveryMs = 6 * 3_600_000;
/** Ports that are tried after a taken one (`mooring start`). */
const portFallbacksMax = 20;

export interface AgentAddress {
  /** `http://127.0.0.1:4417` */
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

export interface AgentOptions extends PartsOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export class Agent {
  readonly ownerTokenFile: string;
  readonly #config: AgentConfig;
  readonly #options: AgentOptions;
  readonly #clock: Clock;
  /** Its parts log with a source of their own. */
  readonly #rootLogger: Logger;
  readonly #logger: Logger;
  /** Started parts and how to stop them, oldest first. */
  readonly #started: { readonly name: string; readonly stop: () => void | Promise<void> }[] = [];
  #address: AgentAddress | null = null;
  #starting: Promise<AgentAddress> | null = null;
  readonly #epochEnded = Promise.withResolvers<void>();
  #stopping: Promise<void> | null = null;

  constructor(config: AgentConfig, options: AgentOptions = {}) {
    this.#config = config;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#rootLogger =
      options.logger ?? createLogger({ level: config.logLevel, file: new LogFile(config.dataDir) });
    this.#logger = this.#rootLogger.child({ source: 'agent' satisfies LogSource });
    this.ownerTokenFile = dataPaths(config.dataDir).ownerTokenFile;
  }

  get address(): AgentAddress | null {
    return this.#address;
  }

  /** Resolves when its store has begun a new epoch: another agent with this configuration has to take its place. */
  get epochEnded(): Promise<void> {
    return this.#epochEnded.promise;
  }

  /** Resolves when the agent listens. Throws an AgentStartError after stopping all parts. */
  start(): Promise<AgentAddress> {
    if (this.#starting !== null || this.#stopping !== null) throw new Error('an agent is started once');
    this.#starting = this.#startOrTearDown();
    return this.#starting;
  }

  /** Writes it to the log: no caller waits for this start. */
  reportFailedStart(error: unknown): void {
    this.#logger.error({ err: error }, 'the agent could not start in the new epoch; it tries again');
  }

  /** Stops accepting requests, finishes running work, closes the store. May be called at any time, also twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #startOrTearDown(): Promise<AgentAddress> {
    try {
      return await this.#start();
    } catch (error) {
      // A failure to stop is logged, and is not the cause of the failed start.
      await this.#tearDown().catch(() => undefined);
      throw await describeStartFailure(this.#config.dataDir, error);
    }
  }

  async #stop(): Promise<void> {
    // A start that is running is stopped when it has finished. The caller of `start` gets its failure.
    await Promise.allSettled([this.#starting]);
    await this.#tearDown();
  }

  async #start(): Promise<AgentAddress> {
    const config = this.#config;
    const { app, mirrors, folderNotes, remotes, runFolders, store, inbound, outbound } = await assemble(
      config,
      uiFolder(),
      this.#clock,
      this.#rootLogger,
      this.#onStop,
      this.#options,
    );
    void store.shared?.epochEnded.then(() => this.#epochEnded.resolve());
    const address = await listen(config, app);
    this.#onStop('mirrors', () => mirrors.stop());
    await mirrors.start();
    this.#onStop('folder notes', () => folderNotes.stop());
    folderNotes.start(address.url);
    this.#onStop('remotes', () => remotes.stop());
    await remotes.start();
    this.#onStop('imports', () => inbound.tarballs.stop());
    await this.#startQueues(store, { inbound, outbound, runFolders });
    announceAgent(config.dataDir, this.#clock, address.url);
    this.#address = address;
    this.#logger.info(
      { url: address.url, dataDir: config.dataDir, version: packageVersion },
      'agent is ready',
    );
    return address;
  }

  /** Queues and retention are the work of one process: of a hub's, the one that leads. */
  async #startQueues(
    store: Store,
    { inbound, outbound, runFolders }: Pick<Parts, 'inbound' | 'outbound' | 'runFolders'>,
  ): Promise<void> {
    const start = async () => {
      await inbound.ingest.start();
      await outbound.start();
      this.#keepRetention(store, runFolders);
    };
    this.#onStop('providers', () => outbound.stop());
    this.#onStop('ingest', () => inbound.ingest.stop());
    if (store.shared === null) return await start();
    const stopping = new AbortController();
    this.#onStop('lead', () => stopping.abort());
    void store.shared
      .leads(stopping.signal)
      .then(start)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted)
          this.#logger.error({ err: error }, 'the work in the background did not start');
      });
  }

  /** The reverse of the start. A part that fails to stop does not keep others from stopping. */
  async #tearDown(): Promise<void> {
    const failures: unknown[] = [];
    for (const { name, stop } of this.#started.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        this.#logger.error({ err: error, part: name }, 'stopping a part of the agent failed');
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

  /** Deletes history, events and blobs beyond retention, and folders of ended runs, a few times per day. */
  #keepRetention(store: Store, runFolders: RunFolders): void {
    const stop = new AbortController();
    const loop = async () => {
      for (let delayMs = firstSweepAfterMs; ; delayMs = sweepEveryMs) {
        await this.#clock.delay(delayMs, stop.signal);
        if (stop.signal.aborted) return;
        try {
          const timeMs = await store.maintenance.retentionTime({ clockMs: this.#clock.nowMs() });
          const deleted = await store.maintenance.applyRetention(timeMs);
          const runFoldersRemoved = await runFolders.sweep();
          const asOf = new Date(timeMs).toISOString();
          this.#logger.info({ ...deleted, runFoldersRemoved, asOf }, 'retention finished');
        } catch (error) {
          this.#logger.error({ err: error }, 'retention failed; retrying later');
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

/** On the configured address or, for `mooring start`, on the next free port. Throws an AgentStartError where no port can be had. */
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
