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
  const receiving = {
    store: store.ingest,
    clock,
    queueCapacity: settings.queueCapacity,
    contentBytesMax: settings.contentBytesMax,
    atKillPoint,
    backpressure,
    onPending: (pending: PendingEnvelope, payload: Fields) => worker.add(pending, payload),
  };
  return {
    /** Durable when it resolves. */
    receive: (received: Received): Promise<ReceiveResult> => receive(receiving, received),
    deadLetters: new DeadLetters(context, (pending) => worker.add(pending)),
    status: createIngestStatus(store, clock, settings.queueCapacity),
    /** Continues with the pending envelopes. Envelopes may be accepted before. */
    start: (): Promise<void> => worker.start(),
    stop: (): Promise<void> => worker.stop(),
    /** Resolves when nothing waits or is being applied, but for what waits for its next try. */
    idle: (): Promise<void> => worker.idle(),
  };
}
