// Applies a batch of envelopes: reads, prepares, applies in one commit, and records each result. No envelope is applied twice: the
// store finishes it in the transaction that changes the files. apply-loop.ts decides when.
import type { FailureCause } from '../contract/sync.ts';
import type { DeleteLimit } from '../core/access/authority.ts';
import { isTransient } from '../core/inbound/decide-envelope.ts';
import { backoffMs } from '../core/outbound/backoff.ts';
import { StoreUnavailableError } from '../store/port/errors.ts';
import type { ApplyInput, ApplyResult, EnvelopeRow, PendingEnvelope, Prepared } from '../store/port/store.ts';
import { envelopeBackoff, type IngestContext } from './context.ts';
import { type Fields, payloadOf, prepare, textsOf } from './envelope.ts';
import type { ReceivedPayloads } from './received-payloads.ts';

/** Who holds the leases. */
export interface BatchEnds {
  /** It is settled or a dead letter, by this worker or elsewhere. */
  over(number: number): void;
  /** It waits for its next try. */
  later(pending: PendingEnvelope, pauseMs: number): void;
}

/** A pending envelope with its stored row. */
interface Taken {
  readonly pending: PendingEnvelope;
  readonly row: EnvelopeRow;
  /** As received; null: the row has it. */
  readonly payload: Fields | null;
}

interface Ready extends Taken {
  readonly prepared: Prepared;
}

/** Its possible deletion is already taken from the quota of its sender. */
interface Sent {
  readonly input: ApplyInput;
  /** What is given back if nothing was deleted. */
  readonly taken: readonly DeleteLimit[];
}

export class BatchRunner {
  readonly #context: IngestContext;
  readonly #payloads: Pick<ReceivedPayloads, 'get'>;
  readonly #ends: BatchEnds;

  constructor(context: IngestContext, payloads: Pick<ReceivedPayloads, 'get'>, ends: BatchEnds) {
    this.#context = context;
    this.#payloads = payloads;
    this.#ends = ends;
  }

  /** Never rejects. `before` resolves when the previous batch was sent to the store; `sent` lets the next one continue. */
  async process(
    workspaceId: string,
    batch: readonly PendingEnvelope[],
    before: Promise<void>,
    sent: () => void,
  ): Promise<void> {
    const received = batch.map((pending) => ({ pending, payload: this.#payloads.get(pending.number) }));
    let rows: readonly EnvelopeRow[];
    try {
      rows = await this.#context.store.load(
        received.map(({ pending, payload }) => ({ number: pending.number, withBody: payload === null })),
      );
    } catch (error) {
      await Promise.all(batch.map((pending) => this.#failed(pending, 0, error)));
      return;
    }
    const byNumber = new Map(rows.map((row) => [row.number, row]));
    const taken = received.flatMap(({ pending, payload }): Taken[] => {
      const row = byNumber.get(pending.number);
      if (row !== undefined) return [{ pending, row, payload }];
      // It gave way to a newer one, or it is settled.
      this.#ends.over(pending.number);
      return [];
    });
    for (const _ of taken) this.#context.atKillPoint('apply.loaded');
    const ready = (await Promise.all(taken.map((one) => this.#prepare(one)))).filter((one) => one !== null);
    await before;
    await this.#deliver(workspaceId, ready, sent);
  }

  /** null: this envelope alone failed, and the failure is recorded. */
  async #prepare(taken: Taken): Promise<Ready | null> {
    const { store, workspaces, settings, atKillPoint } = this.#context;
    const { pending, row } = taken;
    try {
      const payload = taken.payload ?? (await payloadOf(await textsOf(store, row)));
      const prepared = await prepare(row.provider, payload, settings.contentBytesMax, workspaces);
      atKillPoint('apply.prepared');
      return { ...taken, prepared };
    } catch (error) {
      await this.#failed(pending, row.tries, error);
      return null;
    }
  }

  async #deliver(workspaceId: string, batch: readonly Ready[], sent: () => void): Promise<void> {
    if (batch.length === 0) return;
    const { workspaces, clock, atKillPoint } = this.#context;
    const sending: Sent[] = [];
    for (const one of batch) sending.push(await this.#takeDelete(one));
    try {
      const inputs = sending.map(({ input }) => input);
      const applying = workspaces.applyEnvelopes({ workspaceId, inputs, atMs: clock.nowMs() });
      sent();
      for (const _ of batch) atKillPoint('apply.sent');
      const results = await applying;
      for (const [index, result] of results.entries()) {
        const one = batch[index];
        if (result.outcome !== 'applied' || result.deleted === 0) await this.#giveBack(sending[index]);
        if (one === undefined) throw new Error('more results than deliveries');
        atKillPoint('apply.settled');
        this.#ends.over(one.pending.number);
        this.#tell(one.row, result);
      }
    } catch (error) {
      for (const one of sending) await this.#giveBack(one);
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

  /** Before it is sent: the writer decides what is deleted, and a batch must not delete more than is left. */
  async #takeDelete({ row, prepared }: Ready): Promise<Sent> {
    const { number, authority } = row;
    const limits = authority?.deleteLimits ?? [];
    if (limits.length === 0 || !mayTakeAway(prepared)) {
      return { input: { number, prepared, mayDelete: true }, taken: [] };
    }
    const mayDelete = await this.#context.deletes.take(limits, 1);
    return { input: { number, prepared, mayDelete }, taken: mayDelete ? limits : [] };
  }

  async #giveBack(sent: Sent | undefined): Promise<void> {
    if (sent !== undefined && sent.taken.length > 0) await this.#context.deletes.giveBack(sent.taken, 1);
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

  /** A transient failure is retried later; the last try or a permanent failure makes a dead letter. */
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
      if (failed && retryAtMs !== null) this.#ends.later({ ...pending, nextAttemptAtMs: retryAtMs }, pauseMs);
      else this.#ends.over(number);
    } catch (second) {
      // Not even that could be written down: the try does not count, and it waits all the same.
      logger.warn({ ...fields, err: second }, 'the store cannot be written; a webhook waits');
      this.#ends.later(pending, pauseMs);
    }
  }
}

/** Characters of an error that are kept with an attempt. */
const messageCharactersMax = 1_000;

function shortened(message: string): string {
  return message.length <= messageCharactersMax ? message : `${message.slice(0, messageCharactersMax)}…`;
}

/** Can it take a file from its path? An upsert of an object that its provider has named may move that object. */
function mayTakeAway(prepared: Prepared): boolean {
  if (!prepared.ok || prepared.delivery.kind === 'other') return false;
  return prepared.delivery.kind === 'delete' || prepared.delivery.objectId !== null;
}
