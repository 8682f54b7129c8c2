// The worker: takes what waits, in the order of arrival of each provider, and has it applied, many in one commit. What it holds
// in memory is a list of numbers under lease; the queue itself is in the store, and a lease ends with the process, which the
// data directory belongs to alone. Applying one twice is impossible: the store settles an envelope in the transaction that
// changes the files. It gives way to what comes in: see intake.ts.

import type { FailureCause } from '../contract/sync.ts';
import { isTransient } from '../core/ingest.ts';
import { backoffMs } from '../core/retry.ts';
import type { ApplyInput, ApplyResult, EnvelopeRow, PendingEnvelope } from '../store/port.ts';
import { StoreUnavailableError } from '../store/port.ts';
import type { IngestContext } from './context.ts';
import { payloadOf, prepare } from './envelope.ts';
import type { Intake } from './intake.ts';
import {
  batchBytesMax,
  batchEnvelopesMax,
  batchesPerProviderMax,
  envelopeBackoff,
  inFlightBytesMax,
  inFlightMax,
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
  readonly workspaceId: string;
  readonly waiting: PendingEnvelope[];
  batches: number;
  /** Ends when the batch before was sent: a lane's are sent in the order of arrival. */
  tail: Promise<void>;
}

/** An envelope on its way, with what is known of it so far. */
interface Taken {
  readonly pending: PendingEnvelope;
  readonly row: EnvelopeRow;
}

interface Ready extends Taken {
  readonly input: ApplyInput;
}

export function createApplyWorker(context: IngestContext, intake: Intake): ApplyWorker {
  return new Worker(context, intake);
}

class Worker implements ApplyWorker {
  readonly #context: IngestContext;
  readonly #intake: Intake;
  readonly #lanes = new Map<string, Lane>();
  /** The leases: numbers of what waits here, is being applied or waits for its next try. */
  readonly #held = new Set<number>();
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #delayed = new Set<Promise<void>>();
  #started = false;
  #filling = false;
  #inFlight = 0;
  #inFlightBytes = 0;
  #waiting = 0;
  #idleWaiters: (() => void)[] = [];

  constructor(context: IngestContext, intake: Intake) {
    this.#context = context;
    this.#intake = intake;
    intake.onRoom(() => this.#fillSoon());
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
    this.#fillSoon();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#intake.stop();
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
        if (!this.#intake.leavesRoom(this.#waiting)) return;
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
    const running = this.#process(lane.workspaceId, batch, before, sent.resolve).finally(() => {
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

  /** Never rejects. `before` ends when the batch that arrived before was sent to the store; `sent` tells the next one. */
  async #process(
    workspaceId: string,
    batch: readonly PendingEnvelope[],
    before: Promise<void>,
    sent: () => void,
  ): Promise<void> {
    let rows: readonly EnvelopeRow[];
    try {
      rows = await this.#context.store.load(batch.map(({ number }) => number));
    } catch (error) {
      await Promise.all(batch.map((pending) => this.#failed(pending, 0, error)));
      return;
    }
    const byNumber = new Map(rows.map((row) => [row.number, row]));
    const taken = batch.flatMap((pending): Taken[] => {
      const row = byNumber.get(pending.number);
      if (row !== undefined) return [{ pending, row }];
      // It gave way to a newer one, or somebody settled it.
      this.#held.delete(pending.number);
      return [];
    });
    for (const _ of taken) this.#context.atKillPoint('apply.loaded');
    const ready = (await Promise.all(taken.map((one) => this.#prepare(one)))).filter((one) => one !== null);
    await before;
    await this.#deliver(workspaceId, ready, sent);
  }

  /** null: it failed by itself, and that is written down. */
  async #prepare(taken: Taken): Promise<Ready | null> {
    const { workspaces, settings, atKillPoint } = this.#context;
    const { pending, row } = taken;
    try {
      if (row.body === null) throw new Error('a pending envelope has no body');
      const payload = payloadOf({ body: row.body, edited: row.edited });
      const prepared = await prepare(row.provider, payload, settings.contentBytesMax, workspaces);
      atKillPoint('apply.prepared');
      return { ...taken, input: { number: row.number, prepared } };
    } catch (error) {
      await this.#failed(pending, row.tries, error);
      return null;
    }
  }

  async #deliver(workspaceId: string, batch: readonly Ready[], sent: () => void): Promise<void> {
    if (batch.length === 0) return;
    const { workspaces, clock, atKillPoint } = this.#context;
    try {
      const inputs = batch.map(({ input }) => input);
      const applying = workspaces.deliver(workspaceId, inputs, clock.nowMs());
      sent();
      for (const _ of batch) atKillPoint('apply.sent');
      const results = await applying;
      results.forEach((result, index) => {
        const one = batch[index];
        if (one === undefined) throw new Error('more results than deliveries');
        atKillPoint('apply.settled');
        this.#held.delete(one.pending.number);
        this.#tell(one.row, result);
      });
    } catch (error) {
      if (batch.length === 1 || error instanceof StoreUnavailableError) {
        await Promise.all(batch.map(({ pending, row }) => this.#failed(pending, row.tries, error)));
        return;
      }
      // A fault in one of them took all of them back: alone, it takes back only itself.
      this.#context.logger.error({ err: error, workspaceId }, 'webhooks are applied one by one');
      for (const one of batch) {
        // A staged content is handed over once: it is staged anew.
        const again = await this.#prepare(one);
        if (again !== null) await this.#deliver(workspaceId, [again], sent);
      }
    }
  }

  #tell(row: EnvelopeRow, result: ApplyResult): void {
    const { logger } = this.#context;
    const { envelopeId, workspaceId, provider, correlationId } = row;
    const path = result.outcome === 'applied' ? result.path : row.path;
    const fields = { envelopeId, workspaceId, provider, path, correlationId, outcome: result.outcome };
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
