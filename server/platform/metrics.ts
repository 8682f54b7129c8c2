// The agent's figures in Prometheus' words. Every metric and label is named here; labels hold routes, methods and states, never
// a path, a name or an id that a user chose.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createIngestFigures, type IngestFigures } from './ingest-metrics.ts';

export interface MirrorFigures {
  readonly state: string;
  readonly files: number;
  readonly pendingLocal: number;
  readonly pendingRemote: number;
  readonly conflicts: number;
  readonly problems: number;
}

/** Numbers of the store by name (`maintenance.figures()`). */
export type StoreSource = () => Promise<Readonly<Record<string, number>>>;
/** By mirror id. */
export type MirrorSource = () => Promise<ReadonlyMap<string, MirrorFigures>>;

/** Outbound items by provider, and the time that their ages are told by. */
export type WritebackSource = () => Promise<{
  readonly nowMs: number;
  readonly figures: readonly {
    readonly pending: number;
    readonly running: number;
    readonly deadLettered: number;
    readonly oldestPendingAtMs: number | null;
  }[];
}>;

export interface Metrics {
  /** `route` is the pattern (`/v1/workspaces/:workspaceId/fs/file`), never the path that was asked for. */
  requestFinished(method: string, route: string, status: number, seconds: number): void;
  socketsOpen(count: number): void;
  /** One durable transaction: how many commands shared it, and how long it took with its fsync. */
  storeCommitted(commands: number, seconds: number): void;
  storeCommitFailed(): void;
  /** `query` is the name of a statement, never its text or parameters. */
  slowQuery(query: string): void;
  /** One call to a provider; `outcome` is how it ended for the item. */
  writebackAttemptEnded(outcome: string, seconds: number): void;
  writebackRetried(): void;
  writebackDeadLettered(cause: string): void;
  writebackFrom(source: WritebackSource): void;
  ingestFrom(source: () => Promise<IngestFigures>): void;
  /** Where to read these when somebody asks for the metrics; without a source there are none. */
  storeFiguresFrom(source: StoreSource): void;
  mirrorsFrom(source: MirrorSource): void;
  /** A mirror's sides differ and nothing listed says why. */
  proofAlarmed(): void;
  /** Prometheus text. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

const requestSecondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const commitSecondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2];
const batchSizeBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const callSecondsBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const mirrorStates = ['scanning', 'syncing', 'idle', 'paused', 'halted', 'error'];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requestSeconds = new Histogram({
    name: 'mooring_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer; its count is the number of requests.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: requestSecondsBuckets,
    registers,
  });
  const sockets = new Gauge({
    name: 'mooring_ws_clients',
    help: 'Open WebSocket streams.',
    registers,
  });
  const commitSeconds = new Histogram({
    name: 'mooring_store_commit_duration_seconds',
    help: 'Time of a durable transaction of the store with its fsync.',
    buckets: commitSecondsBuckets,
    registers,
  });
  const batchSize = new Histogram({
    name: 'mooring_store_commit_commands',
    help: 'Commands that shared one transaction.',
    buckets: batchSizeBuckets,
    registers,
  });
  const commitFailures = new Counter({
    name: 'mooring_store_commit_failures_total',
    help: 'Transactions that could not be committed.',
    registers,
  });
  const slowQueries = new Counter({
    name: 'mooring_store_slow_queries_total',
    help: 'Statements that took longer than the limit of the slow-query log.',
    labelNames: ['query'] as const,
    registers,
  });
  const proofAlarms = new Counter({
    name: 'mooring_mirror_proof_alarms_total',
    help: 'Times that a proof found folder, workspace and base to differ for no listed reason.',
    registers,
  });
  const writeback = writebackFigures(registry);
  const showIngest = createIngestFigures(registry);
  const showStore = storeFigures(registry);
  const showMirrors = mirrorFigures(registry);
  addProcessFigures(registry);
  let storeSource: StoreSource = () => Promise.resolve({});
  let mirrorSource: MirrorSource = () => Promise.resolve(new Map());
  let writebackSource: WritebackSource | null = null;
  let ingestSource: (() => Promise<IngestFigures>) | null = null;
  return {
    requestFinished: (method, route, status, seconds) =>
      requestSeconds.observe({ method, route, status: String(status) }, seconds),
    socketsOpen: (count) => sockets.set(count),
    storeCommitted(commands, seconds) {
      commitSeconds.observe(seconds);
      batchSize.observe(commands);
    },
    storeCommitFailed: () => commitFailures.inc(),
    slowQuery: (query) => slowQueries.inc({ query }),
    writebackAttemptEnded: writeback.attemptEnded,
    writebackRetried: writeback.retried,
    writebackDeadLettered: writeback.deadLettered,
    writebackFrom(source) {
      writebackSource = source;
    },
    ingestFrom(source) {
      ingestSource = source;
    },
    storeFiguresFrom(source) {
      storeSource = source;
    },
    mirrorsFrom(source) {
      mirrorSource = source;
    },
    proofAlarmed: () => proofAlarms.inc(),
    async render() {
      const [figures, mirrors] = await Promise.all([storeSource(), mirrorSource()]);
      showStore(figures);
      showMirrors(mirrors);
      if (writebackSource !== null) writeback.show(await writebackSource());
      if (ingestSource !== null) showIngest(await ingestSource());
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function writebackFigures(registry: Registry): {
  attemptEnded(outcome: string, seconds: number): void;
  retried(): void;
  deadLettered(cause: string): void;
  show(source: Awaited<ReturnType<WritebackSource>>): void;
} {
  const registers = [registry];
  const calls = new Histogram({
    name: 'mooring_writeback_attempt_duration_seconds',
    help: 'Time of one call to a provider by how it ended; its count is the number of calls.',
    labelNames: ['outcome'] as const,
    buckets: callSecondsBuckets,
    registers,
  });
  const retries = new Counter({
    name: 'mooring_writeback_retries_total',
    help: 'Attempts that failed and are made again.',
    registers,
  });
  const dead = new Counter({
    name: 'mooring_writeback_dead_letters_total',
    help: 'Outbound items that were given up, by cause.',
    labelNames: ['cause'] as const,
    registers,
  });
  const items = new Gauge({
    name: 'mooring_writeback_items',
    help: 'Outbound items by status.',
    labelNames: ['status'] as const,
    registers,
  });
  const age = new Gauge({
    name: 'mooring_writeback_oldest_pending_seconds',
    help: 'Age of the oldest outbound item that is not carried yet; 0 when there is none.',
    registers,
  });
  return {
    attemptEnded: (outcome, seconds) => calls.observe({ outcome }, seconds),
    retried: () => retries.inc(),
    deadLettered: (cause) => dead.inc({ cause }),
    show({ figures, nowMs }) {
      const sum = (key: 'pending' | 'running' | 'deadLettered') =>
        figures.reduce((total, one) => total + one[key], 0);
      items.set({ status: 'pending' }, sum('pending'));
      items.set({ status: 'running' }, sum('running'));
      items.set({ status: 'dead_lettered' }, sum('deadLettered'));
      const oldest = Math.min(...figures.map((one) => one.oldestPendingAtMs ?? nowMs), nowMs);
      age.set((nowMs - oldest) / 1000);
    },
  };
}

function storeFigures(registry: Registry): (figures: Awaited<ReturnType<StoreSource>>) => void {
  const gauge = new Gauge({
    name: 'mooring_store_figure',
    help: 'Numbers of the store: rows and bytes by kind.',
    labelNames: ['figure'] as const,
    registers: [registry],
  });
  return (figures) => {
    gauge.reset();
    for (const [figure, value] of Object.entries(figures)) gauge.set({ figure }, value);
  };
}

function mirrorFigures(registry: Registry): (mirrors: Awaited<ReturnType<MirrorSource>>) => void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['mirror'] as const, registers: [registry] });
  const counts = {
    files: gauge('mooring_mirror_files', 'Files that folder and workspace agree on.'),
    pendingLocal: gauge(
      'mooring_mirror_pending_local',
      'Changes of the folder that are not in the workspace yet.',
    ),
    pendingRemote: gauge(
      'mooring_mirror_pending_remote',
      'Changes of the workspace that are not in the folder yet.',
    ),
    conflicts: gauge('mooring_mirror_conflicts', 'Open conflicts.'),
    problems: gauge('mooring_mirror_problems', 'Things that the mirror cannot do right now.'),
  } as const;
  const stateGauge = new Gauge({
    name: 'mooring_mirror_state',
    help: 'One for the state that the mirror is in, zero for the others.',
    labelNames: ['mirror', 'state'] as const,
    registers: [registry],
  });
  return (mirrors) => {
    // A mirror that was removed must not leave its last figures behind.
    for (const one of [...Object.values(counts), stateGauge]) one.reset();
    for (const [mirror, figures] of mirrors) {
      for (const [name, one] of Object.entries(counts))
        one.set({ mirror }, figures[name as keyof typeof counts]);
      for (const state of mirrorStates) stateGauge.set({ mirror, state }, state === figures.state ? 1 : 0);
    }
  };
}

/** prom-client's own process metrics keep a timer of 10 ms running; these are read when asked for. */
function addProcessFigures(registry: Registry): void {
  const read = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  read('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  read(
    'process_heap_used_bytes',
    'Used memory of the JavaScript heap.',
    () => process.memoryUsage().heapUsed,
  );
  read('process_cpu_seconds_total', 'CPU time since the start.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  read('process_uptime_seconds', 'Time since the start.', () => process.uptime());
}
