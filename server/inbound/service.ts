// The inbound service: accept, apply loop, dead letters, status.
import type { IngestStore, PendingEnvelope, ProviderStore, WritebackStore } from '../store/port/store.ts';
import { createApplyWorker } from './apply-loop.ts';
import { createBackpressure } from './backpressure.ts';
import type { IngestContext } from './context.ts';
import { DeadLetters } from './dead-letters.ts';
import type { Fields } from './envelope.ts';
import { type Received, type ReceiveResult, receive } from './receive.ts';
import { createIngestStatus } from './status.ts';

export type { Received, ReceiveResult } from './receive.ts';

/** Processes of a hub accept envelopes, too: the one that applies them looks for theirs this often. */
const lookAgainMs = 500;

export type Ingest = ReturnType<typeof createIngest>;

export type IngestDeps = Omit<IngestContext, 'store' | 'atKillPoint'> & {
  readonly store: {
    readonly ingest: IngestStore;
    readonly providers: Pick<ProviderStore, 'list'>;
    readonly writebacks: Pick<WritebackStore, 'counts'>;
  };
  readonly atKillPoint?: IngestContext['atKillPoint'];
};

export function createIngest(deps: IngestDeps) {
  const { store, clock, settings } = deps;
  const atKillPoint = deps.atKillPoint ?? (() => undefined);
  const context: IngestContext = { ...deps, store: store.ingest, atKillPoint };
  const backpressure = createBackpressure(settings.queueCapacity);
  const worker = createApplyWorker(context, backpressure);
  const stopping = new AbortController();
  const receiving = {
    store: store.ingest,
    clock,
    queueCapacity: settings.queueCapacity,
    contentBytesMax: settings.contentBytesMax,
    atKillPoint,
    backpressure,
    // Another process may apply it: what is not applied here is found by a look.
    onPending(pending: PendingEnvelope, payload: Fields) {
      if (settings.isShared !== true || worker.isStarted()) worker.add(pending, payload);
    },
  };
  const lookAgain = async () => {
    while (!stopping.signal.aborted) {
      await clock.delay(lookAgainMs, stopping.signal);
      // The database cannot be reached: the next look finds what waits.
      if (!stopping.signal.aborted) await worker.look().catch(() => undefined);
    }
  };
  return {
    /** Durable when it resolves. */
    receive: (received: Received): Promise<ReceiveResult> => receive(receiving, received),
    deadLetters: new DeadLetters(context, (pending) => worker.add(pending)),
    status: createIngestStatus(store, clock, settings.queueCapacity),
    /** Continues with the pending envelopes. Envelopes may be accepted before. */
    async start(): Promise<void> {
      await worker.start();
      if (settings.isShared === true) void lookAgain();
    },
    stop(): Promise<void> {
      stopping.abort();
      return worker.stop();
    },
    /** Resolves when nothing waits or is being applied, but for what waits for its next try. */
    idle: (): Promise<void> => worker.idle(),
  };
}
