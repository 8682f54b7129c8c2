// Prometheus metrics of an outbound queue: length and age, attempts by outcome, dead letters by cause.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface QueueCounts {
  readonly pending: number;
  readonly running: number;
  readonly deadLettered: number;
  /** The oldest pending or running one; null: none. */
  readonly oldestPendingAtMs: number | null;
}

export interface QueueMeter {
  /** One attempt; `outcome` is its result. */
  attemptEnded(outcome: string, seconds: number): void;
  /** A failed attempt will be repeated. */
  retried(): void;
  deadLettered(cause: string): void;
  /** Source that is read for each scrape; without one the gauges are omitted. */
  from(source: () => Promise<{ readonly nowMs: number; readonly counts: readonly QueueCounts[] }>): void;
}

export interface QueueMeterOptions {
  readonly name: string;
  /** Name of the gauge of items. */
  readonly items: string;
  /** One item, in help texts. */
  readonly item: string;
  readonly receiver: string;
}

const callSecondsBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

export function createQueueMeter(
  registry: Registry,
  options: QueueMeterOptions,
): QueueMeter & { show(): Promise<void> } {
  const registers = [registry];
  const calls = new Histogram({
    name: `${options.name}_attempt_duration_seconds`,
    help: `Time of one call to ${options.receiver} by outcome; its count is the number of calls.`,
    labelNames: ['outcome'] as const,
    buckets: callSecondsBuckets,
    registers,
  });
  const retries = new Counter({
    name: `${options.name}_retries_total`,
    help: 'Failed attempts that are repeated.',
    registers,
  });
  const dead = new Counter({
    name: `${options.name}_dead_letters_total`,
    help: `Dead letters by cause: ${options.item}.`,
    labelNames: ['cause'] as const,
    registers,
  });
  const items = new Gauge({
    name: options.items,
    help: `Items by status: ${options.item}.`,
    labelNames: ['status'] as const,
    registers,
  });
  const age = new Gauge({
    name: `${options.name}_oldest_pending_seconds`,
    help: `Age of the oldest ${options.item}; 0 when there is none.`,
    registers,
  });
  let source: Parameters<QueueMeter['from']>[0] | null = null;
  return {
    attemptEnded: (outcome, seconds) => calls.observe({ outcome }, seconds),
    retried: () => retries.inc(),
    deadLettered: (cause) => dead.inc({ cause }),
    from(given) {
      source = given;
    },
    async show() {
      if (source === null) return;
      const { counts, nowMs } = await source();
      const sum = (key: 'pending' | 'running' | 'deadLettered') =>
        counts.reduce((total, queue) => total + queue[key], 0);
      items.set({ status: 'pending' }, sum('pending'));
      items.set({ status: 'running' }, sum('running'));
      items.set({ status: 'dead_lettered' }, sum('deadLettered'));
      const oldest = Math.min(...counts.map((queue) => queue.oldestPendingAtMs ?? nowMs), nowMs);
      age.set((nowMs - oldest) / 1000);
    },
  };
}
