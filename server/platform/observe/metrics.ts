// The agent's figures in Prometheus' words. Every metric and label is named here; labels hold routes, methods and states, never
// a path, a name or an id that a user chose.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createIngestFigures, type IngestFigures } from './ingest-metrics.ts';
import { createQueueMeter, type QueueMeter } from './queue-metrics.ts';

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

export interface Metrics {
  /** `route` is the pattern (`/v1/workspaces/:workspaceId/fs/file`), never the path that was asked for. */
  requestFinished(method: string, route: string, status: number, seconds: number): void;
  socketsOpen(count: number): void;
  /** One durable transaction: how many commands shared it, and how long it took with its fsync. */
  storeCommitted(commands: number, seconds: number): void;
  storeCommitFailed(): void;
  /** `query` is the name of a statement, never its text or parameters. */
  slowQuery(query: string): void;
  /** Changes on their way to providers. */
  readonly writeback: QueueMeter;
  /** Events on their way to registered addresses. */
  readonly webhooks: QueueMeter;
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
  const writeback = createQueueMeter(registry, {
    name: 'mooring_writeback',
    items: 'mooring_writeback_items',
    item: 'outbound item',
    receiver: 'a provider',
  });
  const webhooks = createQueueMeter(registry, {
    name: 'mooring_webhook',
    items: 'mooring_webhook_deliveries',
    item: 'event for a registered address',
    receiver: 'a registered address',
  });
  const showIngest = createIngestFigures(registry);
  const showStore = storeFigures(registry);
  const showMirrors = mirrorFigures(registry);
  addProcessFigures(registry);
  let storeSource: StoreSource = () => Promise.resolve({});
  let mirrorSource: MirrorSource = () => Promise.resolve(new Map());
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
    writeback,
    webhooks,
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
      await Promise.all([writeback.show(), webhooks.show()]);
      if (ingestSource !== null) showIngest(await ingestSource());
      return { contentType: registry.contentType, text: await registry.metrics() };
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
