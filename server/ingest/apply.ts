// The worker: takes what waits, in the order of arrival of each provider, and has it applied. What it holds in memory is a list
// of numbers under lease; the queue itself is in the store, and a lease ends with the process, which the data directory belongs
// to alone. Applying one twice is impossible: the store settles an envelope in the transaction that changes the files.

import type { FailureCause } from '../contract/sync.ts';
import { isTransient } from '../core/ingest.ts';
import { backoffMs } from '../core/retry.ts';
import type { ApplyResult, EnvelopeRow, PendingEnvelope } from '../store/port.ts';
import { StoreUnavailableError } from '../store/port.ts';
import type { IngestContext } from './context.ts';
import { payloadOf, prepare } from './envelope.ts';
import {
  begunAtOnceMax,
  envelopeBackoff,
  inFlightBytesMax,
  inFlightMax,
  inFlightPerProviderMax,
  pageRows,
} from './limits.ts';

export interface ApplyWorker {
  /** Takes up what a former process left, then goes on until it is stopped. */
  start(): Promise<void>;
  /** Waits for what is being applied. */
  stop(): Promise<void>;
  add(pending: PendingEnvelope): void;
  /** Resolves when nothing waits or is being applied, except for what waits for its next try. */
  idle(): Promise<void>;
}

/** What waits of one provider of one workspace, and what of it is being applied. */
interface Lane {
  readonly waiting: PendingEnvelope[];
  inFlight: number;
  /** The end of the one before: commits of a lane are sent in the order of arrival. */
  tail: Promise<void>;
}

export function createApplyWorker(context: IngestContext): ApplyWorker {
  return new Worker(context);
}

class Worker implements ApplyWorker {
  readonly #context: IngestContext;
  readonly #lanes = new Map<string, Lane>();
  /** The leases: numbers of what waits here, is being applied or waits for its next try. */
  readonly #held = new Set<number>();
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #delayed = new Set<Promise<void>>();
  #started = false;
  /** The next turn of the event loop goes on taking. */
  #filling = false;
  #inFlight = 0;
  #inFlightBytes = 0;
  #waiting = 0;
  #idleWaiters: (() => void)[] = [];

  constructor(context: IngestContext) {
    this.#context = context;
  }

  async start(): Promise<void> {
    for (let after: PendingEnvelope | null = null; ; ) {
      const page: readonly PendingEnvelope[] = await this.#context.store.pending(after, pageRows);
      for (const pending of page) this.add(pending);
      const last = page.at(-1);
      if (last === undefined || page.length < pageRows) break;
      after = last;
    }
    this.#started = true;
    this.#fill();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#running, ...this.#delayed]);
  }

  add(pending: PendingEnvelope): void {
    // What comes in while the queue is being loaded may be in a page, too.
    if (this.#stop.signal.aborted || this.#held.has(pending.number)) return;
    this.#held.add(pending.number);
    const dueInMs = (pending.nextAttemptAtMs ?? 0) - this.#context.clock.nowMs();
    if (dueInMs > 0) this.#later(pending, dueInMs);
    else {
      this.#enqueue(pending);
      this.#fill();
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
      this.#fill();
    });
    this.#delayed.add(waited);
  }

  #enqueue(pending: PendingEnvelope): void {
    const key = `${pending.workspaceId}\n${pending.provider}`;
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = { waiting: [], inFlight: 0, tail: Promise.resolve() };
      this.#lanes.set(key, lane);
    }
    // Answers of the store come in the order of their numbers; only what was put back has to find its place.
    const next = lane.waiting.findLastIndex((one) => one.number < pending.number) + 1;
    lane.waiting.splice(next, 0, pending);
    this.#waiting += 1;
  }

  #fill(): void {
    if (this.#filling || !this.#started || this.#stop.signal.aborted) return;
    if (this.#takeSome() < begunAtOnceMax) return;
    this.#filling = true;
    setImmediate(() => {
      this.#filling = false;
      this.#fill();
    });
  }

  /** One of each lane after the other, so that a busy provider keeps no other one waiting. Returns how many. */
  #takeSome(): number {
    let taken = 0;
    for (let before = -1; before !== taken; ) {
      before = taken;
      for (const [key, lane] of [...this.#lanes]) {
        const next = lane.waiting[0];
        if (next === undefined) {
          if (lane.inFlight === 0) this.#lanes.delete(key);
          continue;
        }
        if (lane.inFlight >= inFlightPerProviderMax || !this.#hasRoom(next)) continue;
        lane.waiting.shift();
        // To the end of the line: the next turn begins with another one.
        this.#lanes.delete(key);
        this.#lanes.set(key, lane);
        this.#run(lane, next);
        taken += 1;
        if (taken === begunAtOnceMax) return taken;
      }
    }
    return taken;
  }

  #hasRoom(next: PendingEnvelope): boolean {
    if (this.#inFlight === 0) return true;
    return this.#inFlight < inFlightMax && this.#inFlightBytes + next.sizeBytes <= inFlightBytesMax;
  }

  #run(lane: Lane, pending: PendingEnvelope): void {
    this.#waiting -= 1;
    this.#inFlight += 1;
    this.#inFlightBytes += pending.sizeBytes;
    lane.inFlight += 1;
    const before = lane.tail;
    const sent = Promise.withResolvers<void>();
    lane.tail = sent.promise;
    const running = this.#process(pending, before, sent.resolve).finally(() => {
      sent.resolve();
      this.#running.delete(running);
      lane.inFlight -= 1;
      this.#inFlight -= 1;
      this.#inFlightBytes -= pending.sizeBytes;
      this.#fill();
      if (this.#waiting === 0 && this.#inFlight === 0) {
        for (const resolve of this.#idleWaiters.splice(0)) resolve();
      }
    });
    this.#running.add(running);
  }

  /** Never rejects. `before` ends when the one that arrived before was sent to the store; `sent` tells the next one. */
  async #process(pending: PendingEnvelope, before: Promise<void>, sent: () => void): Promise<void> {
    let tries = 0;
    try {
      const row = await this.#context.store.load(pending.number);
      if (row !== null && row.state === 'pending') {
        tries = row.tries;
        await this.#apply(row, before, sent);
      }
      this.#held.delete(pending.number);
    } catch (error) {
      await this.#failed(pending, tries, error);
    }
  }

  async #apply(row: EnvelopeRow, before: Promise<void>, sent: () => void): Promise<void> {
    const { workspaces, settings, clock, atKillPoint } = this.#context;
    if (row.body === null) throw new Error('a pending envelope has no body');
    atKillPoint('apply.loaded');
    const payload = payloadOf({ body: row.body, edited: row.edited });
    const prepared = await prepare(row.provider, payload, settings.contentBytesMax, workspaces);
    atKillPoint('apply.prepared');
    await before;
    const applying = workspaces.deliver({
      number: row.number,
      prepared,
      atMs: clock.nowMs(),
      dryRun: false,
    });
    sent();
    atKillPoint('apply.sent');
    const result = await applying;
    atKillPoint('apply.settled');
    this.#tell(row, result);
  }

  #tell(row: EnvelopeRow, result: ApplyResult): void {
    const { logger } = this.#context;
    const { envelopeId, workspaceId, provider, correlationId } = row;
    const fields = { envelopeId, workspaceId, provider, correlationId, outcome: result.outcome };
    if (result.outcome === 'failed') {
      logger.warn({ ...fields, cause: result.cause, reason: result.message }, 'a webhook is a dead letter');
    } else logger.debug(fields, 'a webhook was settled');
  }

  /** What may pass by itself is tried again later; the last try, or one that can never succeed, makes a dead letter. */
  async #failed(pending: PendingEnvelope, tries: number, error: unknown): Promise<void> {
    const { store, clock, settings, logger, random, atKillPoint } = this.#context;
    const { number, workspaceId, provider } = pending;
    const cause: FailureCause =
      error instanceof StoreUnavailableError ? 'store_unavailable' : 'internal_error';
    const message = error instanceof Error ? error.message : String(error);
    const pauseMs = backoffMs(envelopeBackoff, tries + 1, random());
    const isLast = !isTransient(cause) || tries + 1 >= settings.attemptsMax;
    const atMs = clock.nowMs();
    const fields = { number, workspaceId, provider, attempt: tries + 1, cause };
    atKillPoint('apply.failed');
    try {
      const retryAtMs = isLast ? null : atMs + pauseMs;
      const failed = await store.fail({ number, cause, message: shortened(message), atMs, retryAtMs });
      logger[cause === 'internal_error' ? 'error' : 'warn'](
        { ...fields, err: error },
        isLast ? 'a webhook is a dead letter' : 'a webhook could not be applied and is tried again',
      );
      if (failed && retryAtMs !== null) this.#later({ ...pending, nextAttemptAtMs: retryAtMs }, pauseMs);
      else this.#held.delete(number);
    } catch (second) {
      // Not even that could be written down: the try does not count, and it waits all the same.
      logger.warn({ ...fields, err: second }, 'the store cannot be written; a webhook waits');
      if (!this.#stop.signal.aborted) this.#later(pending, pauseMs);
    }
  }
}

/** Characters of an error that are kept with an attempt. */
const messageCharactersMax = 1_000;

function shortened(message: string): string {
  return message.length <= messageCharactersMax ? message : `${message.slice(0, messageCharactersMax)}…`;
}
