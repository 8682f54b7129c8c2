// Wires the agent, from the opened data directory to the HTTP app, which does not listen yet. agent.ts starts what runs in the
// background.
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { WorkerPool } from '../compute/pool.ts';
import { createConflicts } from '../conflicts/conflicts.ts';
import type { LogSource } from '../contract/logs.ts';
import { FolderNotes } from '../folder-notes/folder-notes.ts';
import { createHttpApp, type HttpOptions } from '../http/app.ts';
import type { IngestKillPoint } from '../inbound/context.ts';
import { createMirrorManager } from '../mirror/manager/manager.ts';
import type { MirrorManager } from '../mirror/manager/port.ts';
import type { KillPoint as MirrorKillPoint } from '../mirror/state/context.ts';
import type { WritebackKillPoint } from '../outbound/operations/dispatcher.ts';
import type { WebhookKillPoint } from '../outbound/webhooks/dispatcher.ts';
import { createSubscriptions } from '../outbound/webhooks/subscriptions.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type AgentConfig, loadConfig } from '../platform/config/config.ts';
import { createIds } from '../platform/crypto/ids.ts';
import { createStaticFiles } from '../platform/files/static-files.ts';
import { createLogger, type Logger } from '../platform/observe/logger.ts';
import { createMetrics, type Metrics } from '../platform/observe/metrics.ts';
import { packageVersion } from '../platform/version.ts';
import { createRemoteManager } from '../remotes/manager.ts';
import type { RemoteKillPoint } from '../remotes/state/context.ts';
import type { RunKillPoint } from '../runs/run.ts';
import { RunFolders } from '../runs/run-folders.ts';
import { RunService } from '../runs/service.ts';
import { SearchService } from '../search/service.ts';
import type { Store } from '../store/port/store.ts';
import { createEventFeed } from '../workspaces/event-feed.ts';
import { createExporter } from '../workspaces/export.ts';
import { createForks } from '../workspaces/forks.ts';
import { createHistory } from '../workspaces/history.ts';
import { createWorkspaceService } from '../workspaces/service.ts';
import { openAccess } from './access.ts';
import { logsOf } from './agent-logs.ts';
import { RememberedChanges } from './changed-lists.ts';
import { openDataDir } from './data-dir.ts';
import { createInbound } from './inbound.ts';
import { maintenanceOf } from './maintenance.ts';
import type { OnStop } from './on-stop.ts';
import { createOutbound } from './outbound.ts';
import { AgentStartError } from './start-failure.ts';

export interface PartsOptions extends HttpOptions {
  /** 32 bytes that encrypt the secrets of providers and webhooks on the disk. The caller stores them. */
  readonly masterKey?: Uint8Array;
  /** Called at the points where a test may end the process. */
  readonly atKillPoint?: (
    point:
      | WritebackKillPoint
      | IngestKillPoint
      | WebhookKillPoint
      | RemoteKillPoint
      | MirrorKillPoint
      | RunKillPoint,
  ) => void;
}

/** Below the built UI. */
const docsFolderName = 'docs';

export type Parts = Awaited<ReturnType<typeof assemble>>;

/** `uiFolder`: the built UI and documentation. */
export async function assemble(
  config: AgentConfig,
  uiFolder: string,
  clock: Clock,
  logger: Logger,
  onStop: OnStop,
  options: PartsOptions = {},
) {
  const logOf = (source: LogSource): Logger => logger.child({ source });
  const opened = await open(config, clock, logOf, onStop);
  const { ids, metrics, store, search, compute, feed, tokens, signIn, users, openId, workspaces } = opened;
  // Folders, remotes and backups are matters of one machine: processes that share a store have none.
  const isAlone = store.shared === null;
  const uuid = () => crypto.randomUUID();
  const forks = createForks({ store, clock, uuid });
  const mirrors = createMirrorManager({
    compute,
    store,
    workspaces,
    forks,
    clock,
    ids,
    logger: logOf('mirror'),
    dataDir: config.dataDir,
    fileBytesMax: config.mirrorFileBytes,
    keepsFolders: isAlone,
    cloudMachine: { platform: process.platform, home: homedir(), env: process.env },
    onProofAlarm: () => metrics.proofAlarmed(),
    ...(options.atKillPoint === undefined ? {} : { atKillPoint: options.atKillPoint }),
  });
  const conflicts = createConflicts({
    ...{ store, workspaces, forks, compute },
    onChange: mirrors.conflictsChanged,
  });
  const remotes = createRemoteManager({
    ...{ compute, store, workspaces, clock, ids, logger: logOf('remote') },
    dataDir: config.dataDir,
    keepsFolders: isAlone,
    fileBytesMax: config.mirrorFileBytes,
    ...(options.atKillPoint === undefined ? {} : { atKillPoint: options.atKillPoint }),
  });
  publishCounts(metrics, store, search, mirrors);
  const atKillPoint = options.atKillPoint ?? (() => undefined);
  const shared = { ...opened, config, deletes: tokens.deletes, clock, atKillPoint };
  const inbound = createInbound({ ...shared, logger: logOf('inbound') });
  const outbound = await createOutbound({
    ...shared,
    onStop,
    logger: logOf('outbound'),
    onRevoked: (listener) => tokens.onRevoked(listener),
    accept: (delivery) => inbound.accept(delivery),
    masterKey: options.masterKey ?? null,
  });
  const { providerStatuses } = outbound;
  const history = createHistory(store, compute);
  const runs = new RunService({ store, forks, workspaces, history, compute, clock, uuid, atKillPoint });
  const runFolders = new RunFolders({ dataDir: config.dataDir, runs, mirrors, compute, clock });
  const app = await createHttpApp(
    {
      config,
      version: packageVersion,
      workspaces,
      compute,
      history,
      forks,
      runs,
      runFolders,
      exporter: createExporter(workspaces),
      search,
      feed,
      ...inbound,
      ...outbound,
      subscriptions: createSubscriptions(store.subscriptions, clock, ids),
      mirrors,
      conflicts,
      remotes,
      tokens,
      signIn,
      users,
      openId,
      maintenance: maintenanceOf({
        config,
        clock,
        store,
        workspaces,
        mirrors,
        remotes,
        providerStatuses,
        search,
        metrics,
      }),
      logs: logsOf(config.dataDir, clock),
      changedLists: new RememberedChanges({ store, mirrors: mirrors.folders, clock, epoch: uuid() }),
      ui: config.ui ? createStaticFiles(uiFolder, docsFolderName) : null,
      docs: createStaticFiles(path.join(uiFolder, docsFolderName)),
      clock,
      log: logOf('api'),
      metrics,
    },
    options,
  );
  onStop('http', () => app.close());
  const folderNotes = new FolderNotes({ mirrors, store, clock, logger: logOf('mirror') });
  return { app, mirrors, folderNotes, remotes, runFolders, store, inbound, outbound };
}

/** What has files, threads or a state of its own. */
async function open(config: AgentConfig, clock: Clock, logOf: (source: LogSource) => Logger, onStop: OnStop) {
  const ids = createIds();
  const metrics = createMetrics();
  const store = await openDataDir(config, clock, logOf('store'), metrics);
  onStop('store', () => store.close());
  const search = new SearchService({
    dataDir: config.dataDir,
    storeReader: store.openReader,
    commits: store,
    clock,
    logger: logOf('search'),
  });
  onStop('search', () => search.close());
  const compute = new WorkerPool({ clock });
  onStop('compute', () => compute.close());
  const feed = createEventFeed(store);
  onStop('feed', () => feed.close());
  const access = await openAccess({ config, store, clock, ids, logger: logOf('api'), onStop });
  const workspaces = createWorkspaceService({ store, clock, randomId: ids.text });
  return { ids, metrics, store, search, compute, feed, ...access, workspaces };
}

function publishCounts(metrics: Metrics, store: Store, search: SearchService, mirrors: MirrorManager): void {
  metrics.storeCountsFrom(async () => ({
    ...(await store.maintenance.counts()),
    searchIndexBytes: search.indexBytes(),
  }));
  metrics.mirrorsFrom(async () => new Map((await mirrors.list()).map((mirror) => [mirror.mirrorId, mirror])));
}

/** The OpenAPI document of the routes as text. Made by a whole agent on an empty folder, which does not listen. */
export async function openApiText(): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-openapi-'));
  const stops: (() => void | Promise<void>)[] = [];
  try {
    const loaded = loadConfig({ flags: { dataDir }, readConfigFile: () => null });
    if (!loaded.ok) throw new AgentStartError('The settings are not valid.', 'See "mooring doctor".');
    const logger = createLogger({ level: 'error' });
    const { app } = await assemble(loaded.config, dataDir, systemClock, logger, (_, stop) =>
      stops.push(stop),
    );
    return `${JSON.stringify(app.openApiDocument(), null, 2)}\n`;
  } finally {
    for (const stop of stops.reverse()) await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
