// Applies pending envelopes in the order of arrival per provider, many in one commit. In memory it has only a list of leased
// numbers; the queue is in the store, and a lease ends with the process. backpressure.ts gives priority to backpressure, apply-batch.ts
// applies.

import type { PendingEnvelope } from '../store/port/store.ts';
import { BatchRunner } from './apply-batch.ts';
import type { Backpressure } from './backpressure.ts';
import {
  batchBytesMax,
  batchEnvelopesMax,
  batchesPerProviderMax,
  type IngestContext,
  inFlightBytesMax,
  inFlightMax,
  pageRows,
} from './context.ts';
import type { Fields } from './envelope.ts';
import { ReceivedPayloads } from './received-payloads.ts';

export interface ApplyWorker {
  /** Applies what a former process left, then runs until it is stopped. */
  start(): Promise<void>;
  isStarted(): boolean;
  /** Adds what other processes have accepted. */
  look(): Promise<void>;
  /** Waits for what is being applied. */
  stop(): Promise<void>;
  /** `payload`: as received; null: read from the store when it is applied. */
  add(pending: PendingEnvelope, payload?: Fields | null): void;
  /** Resolves when nothing waits or is being applied, except for what waits for its next try. */
  idle(): Promise<void>;
}

/** What waits of one provider of one workspace, and what of it is being applied. */
interface Lane {
  readonly workspaceId: string;
  readonly waiting: PendingEnvelope[];
  batches: number;
  /** Ends when the batch before was sent: a lane's are sent in the order of arrival. */
  tail: Promise<void>;
}

export function createApplyWorker(context: IngestContext, backpressure: Backpressure): ApplyWorker {
  return new Worker(context, backpressure);
}

class Worker implements ApplyWorker {
  readonly #context: IngestContext;
  readonly #backpressure: Backpressure;
  readonly #runner: BatchRunner;
  readonly #lanes = new Map<string, Lane>();
  /** The leases: numbers of what waits here, is being applied or waits for its next try. */
  readonly #held = new Set<number>();
  readonly #payloads = new ReceivedPayloads();
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #delayed = new Set<Promise<void>>();
  #started = false;
  #filling = false;
  #inFlight = 0;
  #inFlightBytes = 0;
  #waiting = 0;
  #idleWaiters: (() => void)[] = [];

  constructor(context: IngestContext, backpressure: Backpressure) {
    this.#context = context;
    this.#backpressure = backpressure;
    this.#runner = new BatchRunner(context, this.#payloads, {
      over: (number) => {
        this.#held.delete(number);
        this.#payloads.delete(number);
      },
      later: (pending, pauseMs) => this.#later(pending, pauseMs),
    });
    backpressure.onRoom(() => this.#fillSoon());
  }

  async start(): Promise<void> {
    await this.look();
    this.#started = true;
    this.#fillSoon();
  }

  isStarted(): boolean {
    return this.#started;
  }

  async look(): Promise<void> {
    for (let after: PendingEnvelope | null = null; ; ) {
      const page: readonly PendingEnvelope[] = await this.#context.store.pending(after, pageRows);
      for (const pending of page) this.add(pending);
      const last = page.at(-1);
      if (last === undefined || page.length < pageRows) break;
      after = last;
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#backpressure.stop();
    await Promise.all([...this.#running, ...this.#delayed]);
  }

  add(pending: PendingEnvelope, payload: Fields | null = null): void {
    // What comes in while the queue is being loaded may be in a page, too.
    if (this.#stop.signal.aborted || this.#held.has(pending.number)) return;
    this.#held.add(pending.number);
    if (payload !== null) this.#payloads.keep(pending.number, payload, pending.sizeBytes);
    const dueInMs = (pending.nextAttemptAtMs ?? 0) - this.#context.clock.nowMs();
    if (dueInMs > 0) this.#later(pending, dueInMs);
    else {
      this.#enqueue(pending);
      this.#fillSoon();
    }
  }

  idle(): Promise<void> {
    if (this.#waiting === 0 && this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve);
    });
  }

  #later(pending: PendingEnvelope, delayMs: number): void {
    const waited = this.#context.clock.delay(delayMs, this.#stop.signal).then(() => {
      this.#delayed.delete(waited);
      if (this.#stop.signal.aborted) return;
      this.#enqueue(pending);
      this.#fillSoon();
    });
    this.#delayed.add(waited);
  }

  #enqueue(pending: PendingEnvelope): void {
    const key = `${pending.workspaceId}\n${pending.provider}`;
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      const { workspaceId } = pending;
      lane = { workspaceId, waiting: [], batches: 0, tail: Promise.resolve() };
      this.#lanes.set(key, lane);
    }
    // Answers of the store come in the order of their numbers; only what was put back has to find its place.
    const next = lane.waiting.findLastIndex((one) => one.number < pending.number) + 1;
    lane.waiting.splice(next, 0, pending);
    this.#waiting += 1;
  }

  /** After the answers and requests that are there already: what comes together is applied together. */
  #fillSoon(): void {
    if (this.#filling || !this.#started) return;
    this.#filling = true;
    setImmediate(() => {
      this.#filling = false;
      if (!this.#stop.signal.aborted) this.#fill();
    });
  }

  /** A batch of each lane after the other, so that a busy provider keeps no other one waiting. */
  #fill(): void {
    for (let took = true; took; ) {
      took = false;
      for (const [key, lane] of [...this.#lanes]) {
        if (lane.waiting.length === 0) {
          if (lane.batches === 0) this.#lanes.delete(key);
          continue;
        }
        if (lane.batches >= batchesPerProviderMax) continue;
        if (!this.#backpressure.leavesRoom(this.#waiting)) return;
        const batch = this.#takeFrom(lane);
        if (batch.length === 0) return;
        // To the end of the line: the next turn begins with another one.
        this.#lanes.delete(key);
        this.#lanes.set(key, lane);
        this.#run(lane, batch);
        took = true;
      }
    }
  }

  /** The next of a lane, as many as there is room for; a body over the bounds goes alone, when nothing else is under way. */
  #takeFrom(lane: Lane): readonly PendingEnvelope[] {
    const room = Math.min(batchEnvelopesMax, inFlightMax - this.#inFlight, lane.waiting.length);
    let count = 0;
    for (let bytes = 0; count < room; count += 1) {
      bytes += lane.waiting[count]?.sizeBytes ?? 0;
      const tooMuch = bytes > batchBytesMax || this.#inFlightBytes + bytes > inFlightBytesMax;
      if (tooMuch && (count > 0 || this.#inFlight > 0)) break;
    }
    return lane.waiting.splice(0, count);
  }

  #run(lane: Lane, batch: readonly PendingEnvelope[]): void {
    const bytes = batch.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    this.#waiting -= batch.length;
    this.#inFlight += batch.length;
    this.#inFlightBytes += bytes;
    lane.batches += 1;
    const before = lane.tail;
    const sent = Promise.withResolvers<void>();
    lane.tail = sent.promise;
    const processed = this.#runner.process(lane.workspaceId, batch, before, sent.resolve);
    const running = processed.finally(() => {
      sent.resolve();
      this.#running.delete(running);
      lane.batches -= 1;
      this.#inFlight -= batch.length;
      this.#inFlightBytes -= bytes;
      this.#fillSoon();
      if (this.#waiting === 0 && this.#inFlight === 0) {
        for (const resolve of this.#idleWaiters.splice(0)) resolve();
      }
    });
    this.#running.add(running);
  }
}
