// Figures of a queue that goes out, in Prometheus' words: how much waits and for how long, what the calls came to, what was given
// up and why. A part of metrics.ts in a file of its own.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface QueueFigures {
  readonly pending: number;
  readonly running: number;
  readonly deadLettered: number;
  /** The oldest of those that wait or are under way; null when there is none. */
  readonly oldestPendingAtMs: number | null;
}

export interface QueueMeter {
  /** One call; `outcome` is how it ended for the item. */
  attemptEnded(outcome: string, seconds: number): void;
  /** It goes again later. */
  retried(): void;
  deadLettered(cause: string): void;
  /** Where to read how much waits when somebody asks for the metrics; without a source that is not shown. */
  from(source: () => Promise<{ readonly nowMs: number; readonly figures: readonly QueueFigures[] }>): void;
}

export interface QueueWords {
  readonly name: string;
  /** Of the gauge of items. */
  readonly items: string;
  /** One of them, for people. */
  readonly item: string;
  readonly receiver: string;
}

const callSecondsBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

export function createQueueMeter(
  registry: Registry,
  words: QueueWords,
): QueueMeter & { show(): Promise<void> } {
  const registers = [registry];
  const calls = new Histogram({
    name: `${words.name}_attempt_duration_seconds`,
    help: `Time of one call to ${words.receiver} by how it ended; its count is the number of calls.`,
    labelNames: ['outcome'] as const,
    buckets: callSecondsBuckets,
    registers,
  });
  const retries = new Counter({
    name: `${words.name}_retries_total`,
    help: 'Attempts that failed and are made again.',
    registers,
  });
  const dead = new Counter({
    name: `${words.name}_dead_letters_total`,
    help: `Given up, by cause: ${words.item}.`,
    labelNames: ['cause'] as const,
    registers,
  });
  const items = new Gauge({
    name: words.items,
    help: `By status: ${words.item}.`,
    labelNames: ['status'] as const,
    registers,
  });
  const age = new Gauge({
    name: `${words.name}_oldest_pending_seconds`,
    help: `Age of the oldest ${words.item} that is not carried yet; 0 when there is none.`,
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
      const { figures, nowMs } = await source();
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
