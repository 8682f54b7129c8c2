// The agent's HTTP face over the real store, services and tokens, in this process, in a temporary data directory. Only the
// mirrors are a stand-in: it has none, and a call that asks it to do something fails.
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openAccess } from '../../server/agent/access.ts';
import { logsOf } from '../../server/agent/agent-logs.ts';
import { RememberedChanges } from '../../server/agent/changed-lists.ts';
import { createInbound } from '../../server/agent/inbound.ts';
import { createOutbound, type Outbound } from '../../server/agent/outbound.ts';
import type { TokenService } from '../../server/auth/tokens.ts';
import { WorkerPool } from '../../server/compute/pool.ts';
import type { Compute } from '../../server/compute/port.ts';
import { type Conflicts, createConflicts } from '../../server/conflicts/conflicts.ts';
import type { DiagnosticsBundle } from '../../server/contract/agent.ts';
import { agentFeatures } from '../../server/contract/agent.ts';
import { bareScopes } from '../../server/core/access/scope.ts';
import { createHttpApp, type HttpApp, type HttpOptions } from '../../server/http/app.ts';
import type { HttpConfig, HttpDependencies } from '../../server/http/base/dependencies.ts';
import type { IngestKillPoint } from '../../server/inbound/context.ts';
import type { Ingest } from '../../server/inbound/service.ts';
import type { MirrorManager } from '../../server/mirror/manager/port.ts';
import { createSubscriptions } from '../../server/outbound/webhooks/subscriptions.ts';
import { type Clock, systemClock } from '../../server/platform/clock.ts';
import type { AgentConfig } from '../../server/platform/config/config.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createStaticFiles } from '../../server/platform/files/static-files.ts';
import { createLogger, type Logger } from '../../server/platform/observe/logger.ts';
import { createMetrics } from '../../server/platform/observe/metrics.ts';
import { createRemoteManager } from '../../server/remotes/manager.ts';
import { RunFolders } from '../../server/runs/run-folders.ts';
import { RunService } from '../../server/runs/service.ts';
import { SearchService } from '../../server/search/service.ts';
import type { Store } from '../../server/store/port/store.ts';
import { createEventFeed, type EventFeed } from '../../server/workspaces/event-feed.ts';
import { createExporter } from '../../server/workspaces/export.ts';
import { createForks } from '../../server/workspaces/forks.ts';
import { createHistory } from '../../server/workspaces/history.ts';
import { createWorkspaceService, type WorkspaceService } from '../../server/workspaces/service.ts';
import { openEngine } from './hub-database.ts';
import { makeTempFolder, removeFolder } from './temp-folder.ts';

export interface HttpAgentOptions {
  readonly config?: Partial<HttpConfig> & { readonly importHosts?: readonly string[] };
  /** The database of a hub, whatever this run of the tests is about. */
  readonly hubUrl?: string;
  readonly externalWriteback?: 'auto' | 'all' | 'off';
  /** Events that retention keeps however old they are. */
  readonly feedRowsMin?: number;
  readonly clock?: Clock;
  readonly http?: HttpOptions;
  readonly ingest?: Partial<
    Pick<
      AgentConfig,
      'envelopeAttempts' | 'envelopeQueueSize' | 'envelopeContentBytes' | 'internalHmacSecretFile'
    >
  >;
  /** false: what is taken in waits, as it does while the worker is busy. */
  readonly applies?: boolean;
  /** Called at each named point of the way in; what it throws is a fault of the agent there. */
  readonly atIngestPoint?: (point: IngestKillPoint) => void;
  /** true: items are sent to `http` providers. */
  readonly sends?: boolean;
  readonly ui?: HttpDependencies['ui'];
  /** The built documentation. Absent: it is not built. */
  readonly docsFolder?: string;
  readonly log?: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;
  readonly mirrors?: MirrorManager;
  /** Instead of those of its store. */
  readonly conflicts?: Conflicts;
  /** Default: the worker pool. */
  readonly compute?: Compute;
  readonly maintenance?: HttpDependencies['maintenance'];
}

export interface HttpAgent {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  readonly app: HttpApp;
  readonly store: Store;
  readonly feed: EventFeed;
  readonly workspaces: WorkspaceService;
  readonly ingest: Ingest;
  readonly tokens: TokenService;
  readonly ownerToken: string;
  readonly dataDir: string;
  readonly outbound: Outbound;
  close(): Promise<void>;
}

export const noMirrors: MirrorManager = {
  conflictsChanged: () => Promise.resolve(),
  folders: {
    onChange: () => () => undefined,
    mirrorIds: () => [],
    get: () => Promise.resolve(null),
    dir: () => null,
    writeNotes: () => Promise.resolve(false),
  },
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  list: () => Promise.resolve([]),
  add: () => Promise.reject(new Error('this test has no mirrors to add')),
  rootRefusal: () => null,
  cloudFolderOf: () => Promise.resolve(null),
  newFolders: {
    look: () => Promise.resolve({ dir: null, kind: 'missing', refusal: null, cloud: null, proposals: [] }),
    count: () => Promise.resolve({ files: 0, bytes: 0, tooLarge: 0, isComplete: true, fileBytesMax: 0 }),
  },
  remove: () => Promise.resolve(null),
  pause: () => Promise.resolve(null),
  resume: () => Promise.resolve(null),
  prove: () => Promise.resolve(null),
  plan: () => Promise.resolve(null),
  previewRules: () => Promise.resolve(null),
  setDeletionLimit: () => Promise.resolve(null),
  explain: () => [],
  pathStates: (_workspaceId, paths) => Promise.resolve(paths.map(() => [])),
  listPendingDeletions: () => Promise.resolve(null),
  problems: () => Promise.resolve(null),
  resolveHalt: () => Promise.resolve(null),
  removeAll: () => Promise.resolve(),
  ofForks: {
    view: () => Promise.resolve(null),
    settle: () => Promise.resolve(null),
    copied: () => null,
    copy: () => Promise.resolve(null),
    changedCopies: () => Promise.resolve(null),
  },
  settle: () => Promise.resolve({ settled: true, mirrors: [] }),
};

/** Composes the room; the caller closes it. */
export async function openHttpAgent(options: HttpAgentOptions = {}): Promise<HttpAgent> {
  const dataDir = makeTempFolder('mooring-http');
  const clock = options.clock ?? systemClock;
  const ids = createIds();
  const logger = createLogger({ level: 'warn' });
  const log = options.log ?? logger;
  const store = await openEngine(
    {
      dataDir,
      logger,
      clock,
      settings: {
        historyDays: 30,
        historyRevisionsMin: 20,
        externalWriteback: options.externalWriteback ?? 'auto',
        ...(options.feedRowsMin === undefined ? {} : { feedRowsMin: options.feedRowsMin }),
      },
    },
    options.hubUrl,
  );
  const stops: (() => void)[] = [];
  const { tokens, signIn, users, openId } = await openAccess({
    config: { dataDir, jwksUrl: null },
    store,
    clock,
    ids,
    logger,
    onStop: (_name, stop) => stops.push(stop),
  });
  const workspaces = createWorkspaceService({ store, clock, randomId: (length) => ids.text(length) });
  const pool = new WorkerPool({ clock });
  const compute = options.compute ?? pool;
  const feed = createEventFeed(store);
  const search = new SearchService({ dataDir, commits: store, storeReader: store.openReader, clock, logger });
  const metrics = createMetrics();
  const inbound = createInbound({
    config: {
      envelopeAttempts: 5,
      envelopeQueueSize: 10_000,
      envelopeContentBytes: 64 * 1024 * 1024,
      internalHmacSecretFile: null,
      importHosts: options.config?.importHosts ?? [],
      ...options.ingest,
    },
    store,
    workspaces,
    deletes: tokens.deletes,
    clock,
    ids,
    // A dead letter is what a test wanted, not something to be told of.
    logger: createLogger({ level: 'error' }),
    metrics,
    atKillPoint: options.atIngestPoint ?? (() => undefined),
  });
  const outbound = await createOutbound({
    compute,
    config: { dataDir, writebackAttempts: 3 },
    store,
    workspaces,
    deletes: tokens.deletes,
    feed,
    onRevoked: (listener) => tokens.onRevoked(listener),
    clock,
    ids,
    logger,
    metrics,
    onStop: () => undefined,
    accept: (delivery) => inbound.accept(delivery),
    atKillPoint: () => undefined,
  });
  const uuid = () => crypto.randomUUID();
  const history = createHistory(store, compute);
  const forks = createForks({ store, clock, uuid });
  const mirrors = options.mirrors ?? noMirrors;
  const runs = new RunService({ store, forks, workspaces, history, compute, clock, uuid });
  const remotes = createRemoteManager({ dataDir, compute, store, workspaces, clock, ids, logger });
  const app = await createHttpApp(
    {
      config: {
        dataDir,
        allowHosts: [],
        autoProvision: false,
        maxBodyBytes: 96 * 1024 * 1024,
        metrics: 'token',
        historyDays: 30,
        historyRevisionsMin: 20,
        historyBytes: 20 * 1024 ** 3,
        publicUrl: null,
        ...options.config,
      },
      version: '0.0.0-test',
      workspaces,
      compute,
      history,
      forks,
      runs,
      runFolders: new RunFolders({ dataDir, runs, mirrors, compute, clock }),
      logs: logsOf(dataDir, clock),
      changedLists: new RememberedChanges({ store, mirrors: mirrors.folders, clock, epoch: 'test' }),
      exporter: createExporter(workspaces),
      search,
      feed,
      ingest: inbound.ingest,
      adminStatus: inbound.adminStatus,
      hmac: inbound.hmac,
      tarballs: inbound.tarballs,
      operations: outbound.operations,
      webhooks: outbound.webhooks,
      subscriptions: createSubscriptions(store.subscriptions, clock, ids),
      transitions: outbound.transitions,
      sweepDrafts: outbound.sweepDrafts,
      providers: outbound.providers,
      providerStatuses: outbound.providerStatuses,
      refresher: outbound.refresher,
      mirrors,
      conflicts:
        options.conflicts ??
        createConflicts({ store, workspaces, forks, compute, onChange: mirrors.conflictsChanged }),
      remotes,
      tokens,
      users,
      openId,
      signIn,
      maintenance: options.maintenance ?? {
        features: agentFeatures,
        members: () => Promise.resolve(null),
        lostTails: () => Promise.resolve([]),
        unready: () => Promise.resolve(null),
        epoch: () => store.maintenance.epoch(),
        lastRevision: () => store.files.lastRevision(''),
        backup: async (dir) => {
          const { blobFiles, bytes } = await store.maintenance.backup(dir);
          return { dir, files: blobFiles, bytes, epoch: await store.maintenance.epoch() };
        },
        diagnostics: () => Promise.resolve({ checks: [{ name: 'store', state: 'ok', detail: 'whole' }] }),
        bundle: () => Promise.resolve(emptyBundle),
        settings: () =>
          Promise.resolve({ configFile: `${dataDir}/config.json`, version: 'none', settings: [] }),
        changeSettings: () => Promise.reject(new Error('this agent has no configuration file')),
      },
      ui: options.ui ?? null,
      docs: createStaticFiles(options.docsFolder ?? path.join(dataDir, 'no-docs')),
      clock,
      log,
      metrics,
    },
    options.http,
  );
  if (options.applies !== false) await inbound.ingest.start();
  if (options.sends === true) await outbound.start();
  const { port } = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    app,
    store,
    feed,
    workspaces,
    ingest: inbound.ingest,
    tokens,
    ownerToken: tokens.ownerToken(),
    dataDir,
    outbound,
    async close() {
      for (const stop of stops) stop();
      await outbound.stop();
      await app.close();
      await remotes.stop();
      await inbound.tarballs.stop();
      await inbound.ingest.stop();
      await feed.close();
      await pool.close();
      await search.close();
      await store.close();
      removeFolder(dataDir);
    },
  };
}

/** The same, closed when the current test ends. */
export async function startHttpAgent(options: HttpAgentOptions = {}): Promise<HttpAgent> {
  const agent = await openHttpAgent(options);
  onTestFinished(() => agent.close());
  return agent;
}

/** All but those of the admin plane and of webhooks that go out. */
const scopesOfWorkspace = bareScopes.filter((scope) => !scope.startsWith('admin:'));

/** A workspace with a token of the given scopes (default: all but admin). */
export async function makeWorkspace(
  agent: HttpAgent,
  token: { readonly scopes?: readonly string[]; readonly agent?: string } = {},
): Promise<{ readonly workspaceId: string; readonly token: string }> {
  const { workspaceId } = await agent.workspaces.create({ name: 'Test' });
  const { token: bare } = await agent.tokens.issue({ workspaceId, scopes: scopesOfWorkspace, ...token });
  return { workspaceId, token: bare };
}

/** What an agent of nothing would tell: the real one needs all the rooms (test/sdk/agent.test.ts reads it). */
const emptyBundle: DiagnosticsBundle = {
  madeAt: '2026-11-20T12:00:00.000Z',
  startedAt: '2026-11-20T12:00:00.000Z',
  version: '0.0.0-test',
  runtime: { node: '24', platform: 'linux', arch: 'x64' },
  checks: [],
  settings: [],
  workspaces: [],
  mirrors: [],
  providers: [],
  metrics: '',
  log: [],
};
