// Prometheus metrics of the agent. Labels contain routes, methods and states, never a path, a name or an id that a user chose.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createIngestGauges, type IngestCounts } from './ingest-metrics.ts';
import { createQueueMeter, type QueueMeter } from './queue-metrics.ts';

export interface MirrorCounts {
  readonly state: string;
  readonly files: number;
  readonly pendingLocal: number;
  readonly pendingRemote: number;
  readonly conflicts: number;
  readonly problems: number;
}

/** Counts of the store by name. */
export type StoreCountsSource = () => Promise<Readonly<Record<string, number>>>;
/** By mirror id. */
export type MirrorCountsSource = () => Promise<ReadonlyMap<string, MirrorCounts>>;

export interface Metrics {
  /** `route` is the pattern (`/v1/workspaces/:workspaceId/fs/file`), never the requested path. */
  requestFinished(method: string, route: string, status: number, seconds: number): void;
  socketsOpen(count: number): void;
  /** One durable transaction: its number of commands and its duration with the fsync. */
  storeCommitted(commands: number, seconds: number): void;
  storeCommitFailed(): void;
  /** `query` is the name of a statement, never its text or parameters. */
  slowQuery(query: string): void;
  /** Operations for providers. */
  readonly writeback: QueueMeter;
  /** Deliveries to webhook endpoints. */
  readonly webhooks: QueueMeter;
  ingestFrom(source: () => Promise<IngestCounts>): void;
  /** Source that is read for each scrape; without one the counts are omitted. */
  storeCountsFrom(source: StoreCountsSource): void;
  mirrorsFrom(source: MirrorCountsSource): void;
  /** A proof found a difference without a listed reason. */
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
  const { requestSeconds, sockets, proofAlarms } = createAgentMetrics(registry);
  const { commitSeconds, batchSize, commitFailures, slowQueries } = createStoreMetrics(registry);
  const writeback = createQueueMeter(registry, {
    name: 'mooring_writeback',
    items: 'mooring_writeback_items',
    item: 'pending operation',
    receiver: 'a provider',
  });
  const webhooks = createQueueMeter(registry, {
    name: 'mooring_webhook',
    items: 'mooring_webhook_deliveries',
    item: 'webhook delivery',
    receiver: 'a webhook endpoint',
  });
  const showIngest = createIngestGauges(registry);
  const showStore = createStoreGauge(registry);
  const showMirrors = createMirrorGauges(registry);
  addProcessGauges(registry);
  let storeSource: StoreCountsSource = () => Promise.resolve({});
  let mirrorSource: MirrorCountsSource = () => Promise.resolve(new Map());
  let ingestSource: (() => Promise<IngestCounts>) | null = null;
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
    storeCountsFrom(source) {
      storeSource = source;
    },
    mirrorsFrom(source) {
      mirrorSource = source;
    },
    proofAlarmed: () => proofAlarms.inc(),
    async render() {
      const [counts, mirrors] = await Promise.all([storeSource(), mirrorSource()]);
      showStore(counts);
      showMirrors(mirrors);
      await Promise.all([writeback.show(), webhooks.show()]);
      if (ingestSource !== null) showIngest(await ingestSource());
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function createAgentMetrics(registry: Registry) {
  const registers = [registry];
  return {
    requestSeconds: new Histogram({
      name: 'mooring_http_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its response; its count is the number of requests.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: requestSecondsBuckets,
      registers,
    }),
    sockets: new Gauge({ name: 'mooring_ws_clients', help: 'Open WebSocket streams.', registers }),
    proofAlarms: new Counter({
      name: 'mooring_mirror_proof_alarms_total',
      help: 'Proofs that found folder, workspace and base to differ for an unknown reason.',
      registers,
    }),
  };
}

function createStoreMetrics(registry: Registry) {
  const registers = [registry];
  return {
    commitSeconds: new Histogram({
      name: 'mooring_store_commit_duration_seconds',
      help: 'Time of a durable transaction of the store with its fsync.',
      buckets: commitSecondsBuckets,
      registers,
    }),
    batchSize: new Histogram({
      name: 'mooring_store_commit_commands',
      help: 'Commands committed in one transaction.',
      buckets: batchSizeBuckets,
      registers,
    }),
    commitFailures: new Counter({
      name: 'mooring_store_commit_failures_total',
      help: 'Transactions that could not be committed.',
      registers,
    }),
    slowQueries: new Counter({
      name: 'mooring_store_slow_queries_total',
      help: 'Statements that took longer than the limit of the slow-query log.',
      labelNames: ['query'] as const,
      registers,
    }),
  };
}

function createStoreGauge(registry: Registry): (counts: Awaited<ReturnType<StoreCountsSource>>) => void {
  const gauge = new Gauge({
    name: 'mooring_store_figure',
    help: 'Rows and bytes of the store by kind.',
    labelNames: ['figure'] as const,
    registers: [registry],
  });
  return (counts) => {
    gauge.reset();
    for (const [figure, value] of Object.entries(counts)) gauge.set({ figure }, value);
  };
}

function createMirrorGauges(registry: Registry): (mirrors: Awaited<ReturnType<MirrorCountsSource>>) => void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['mirror'] as const, registers: [registry] });
  const gauges = {
    files: gauge('mooring_mirror_files', 'Files that are equal in folder and workspace.'),
    pendingLocal: gauge('mooring_mirror_pending_local', 'Changes of the folder that are not yet uploaded.'),
    pendingRemote: gauge(
      'mooring_mirror_pending_remote',
      'Changes of the workspace that are not yet downloaded.',
    ),
    conflicts: gauge('mooring_mirror_conflicts', 'Open conflicts.'),
    problems: gauge('mooring_mirror_problems', 'Paths with a problem.'),
  } as const;
  const stateGauge = new Gauge({
    name: 'mooring_mirror_state',
    help: '1 for the current state of the mirror, 0 for the others.',
    labelNames: ['mirror', 'state'] as const,
    registers: [registry],
  });
  return (mirrors) => {
    // Removed mirrors must not keep their last values.
    for (const metric of [...Object.values(gauges), stateGauge]) metric.reset();
    for (const [mirror, counts] of mirrors) {
      for (const [name, metric] of Object.entries(gauges))
        metric.set({ mirror }, counts[name as keyof typeof gauges]);
      for (const state of mirrorStates) stateGauge.set({ mirror, state }, state === counts.state ? 1 : 0);
    }
  };
}

/** prom-client's process metrics keep a 10 ms timer running; these are read only when they are scraped. */
function addProcessGauges(registry: Registry): void {
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
