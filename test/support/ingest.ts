// The ingest room over a real store, in this process: deliver, look what became of it, start again on the same data.
import { onTestFinished } from 'vitest';
import { createDeleteLedger } from '../../server/auth/delete-quota.ts';
import type { IngestContext, IngestSettings } from '../../server/inbound/context.ts';
import { createIngest, type Ingest, type Received } from '../../server/inbound/service.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';
import type { StoreSettings } from '../../server/store/adapters/store-parts.ts';
import { openStore } from '../../server/store/open.ts';
import type { ContentWriter, Store } from '../../server/store/port/store.ts';
import { createWorkspaceService, type WorkspaceService } from '../../server/workspaces/service.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { makeTempFolder, removeFolder } from './temp-folder.ts';

export const ingestWorkspace = 'rw_ingest01';

export interface TestIngest {
  readonly store: Store;
  readonly workspaces: WorkspaceService;
  readonly ingest: Ingest;
  readonly clock: ManualClock;
  /** Hands one webhook over; `data` is what it says of the file. Returns the envelope's id, or null when there is no room. */
  deliver(
    eventType: string,
    path: string,
    data?: Readonly<Record<string, unknown>>,
    more?: Partial<Received>,
  ): Promise<string | null>;
  /** The same, and waits until nothing waits. */
  deliverAndApply: TestIngest['deliver'];
  text(path: string): Promise<string | null>;
  /** Types of the workspace's events, oldest first, each with its path. */
  events(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface TestIngestOptions {
  readonly dataDir?: string;
  readonly clock?: ManualClock;
  readonly settings?: Partial<IngestSettings>;
  readonly storeSettings?: Partial<StoreSettings>;
  /** Replaces what writes content. */
  readonly wrapContent?: (content: ContentWriter) => ContentWriter;
  readonly atKillPoint?: IngestContext['atKillPoint'];
  /** false: the worker is not started. */
  readonly starts?: boolean;
}

/** Closed at the end of the test; a folder that was not handed in is removed. */
export async function openIngest(options: TestIngestOptions = {}): Promise<TestIngest> {
  const dataDir = options.dataDir ?? makeTempFolder('mooring-ingest');
  const clock = options.clock ?? createManualClock();
  const logger = createLogger({ level: 'silent' });
  const store = await openStore({
    dataDir,
    logger,
    clock,
    settings: {
      historyDays: 30,
      historyRevisionsMin: 20,
      externalWriteback: 'auto',
      ...options.storeSettings,
    },
  });
  await store.workspaces.create({ workspaceId: ingestWorkspace, name: 'Test', createdAtMs: clock.nowMs() });
  const content = options.wrapContent?.(store.content) ?? store.content;
  const seen: Store = { ...store, content };
  const workspaces = createWorkspaceService({ store: seen, clock, randomId: createIds().text });
  const ingest = createIngest({
    store: seen,
    workspaces,
    deletes: createDeleteLedger(clock),
    clock,
    logger,
    settings: { queueCapacity: 10_000, attemptsMax: 5, contentBytesMax: 1024 * 1024, ...options.settings },
    random: () => 0.5,
    ...(options.atKillPoint === undefined ? {} : { atKillPoint: options.atKillPoint }),
  });
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await ingest.stop();
    await store.close();
    if (options.dataDir === undefined) removeFolder(dataDir);
  };
  onTestFinished(close);
  if (options.starts !== false) await ingest.start();

  const deliver: TestIngest['deliver'] = async (eventType, path, data = {}, more = {}) => {
    const result = await ingest.receive({
      workspaceId: ingestWorkspace,
      provider: 'hub',
      envelopeId: null,
      deliveryId: null,
      occurredAtMs: null,
      correlationId: 'corr-1',
      headers: null,
      payload: { event_type: eventType, path, data },
      signature: null,
      authority: null,
      ...more,
    });
    return result.kind === 'queued' ? result.envelopeId : null;
  };
  return {
    store,
    workspaces,
    ingest,
    clock,
    deliver,
    async deliverAndApply(...args) {
      const envelopeId = await deliver(...args);
      await ingest.idle();
      return envelopeId;
    },
    async text(path) {
      const entry = await store.files.get(ingestWorkspace, path);
      if (entry?.type !== 'file') return null;
      const bytes = await store.files.read(entry.hash);
      return bytes === null ? null : Buffer.from(bytes).toString('utf8');
    },
    async events() {
      const { events } = await store.events.list(ingestWorkspace, {
        direction: 'asc',
        from: null,
        limit: 10_000,
        pathPrefix: null,
        provider: null,
        access: null,
      });
      return events.map((event) => `${event.type} ${event.path}`);
    },
    close,
  };
}
