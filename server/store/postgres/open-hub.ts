// Opens the store of a hub: migrations, the connections, the writer's thread, threads that read, and the port over them. Several
// processes may have the same database open.
import { mkdirSync } from 'node:fs';
import pg from 'pg';
import type { ReadThrough } from '../adapters/reads.ts';
import type { StoreDeps, StoreOptions } from '../adapters/store-parts.ts';
import { storePort } from '../adapters/store-port.ts';
import type { ChangeCounters, Commit, Store } from '../port/store.ts';
import { Writer } from '../writer/writer.ts';
import { CommitNotices } from './commit-notices.ts';
import { ContentChunks } from './content-chunks.ts';
import { DatabaseLife } from './database-life.ts';
import { EpochWatch } from './epoch-watch.ts';
import { hubMaintenance } from './hub-maintenance.ts';
import { migrateHub } from './hub-migrations.ts';
import { openHubSnapshot } from './hub-snapshot.ts';
import { HubState } from './hub-state.ts';
import type { HubWriterSettings } from './hub-writer-thread.ts';
import { Link } from './link.ts';
import { ReadPool } from './read-pool.ts';
import { answerTimeoutMsMax, sessionOptions } from './session.ts';

/** A read or a commit that takes longer is named in the log. */
const slowMs = 100;
/** Threads that read, each with a connection. More of them only wait for the same processors. */
const readers = 2;
/** An entry of an index has at most 2,704 bytes (https://www.postgresql.org/docs/current/btree.html). */
const pathBytesMax = 2_600;
/** Connections of the main thread: contents, maintenance. */
const poolMax = 4;

export interface HubOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE` */
  readonly url: string;
  /** 32 bytes, the same for every process. They are never stored in the database. */
  readonly masterKey: Uint8Array;
}

/** Throws UnfitDatabaseError, or what the server says. */
export async function openHub(hub: HubOptions, options: StoreOptions): Promise<Store> {
  const { url } = hub;
  const { dataDir, logger, settings, observer } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await migrateHub(url);
  const life = await DatabaseLife.read(url);
  const epoch = new EpochWatch({ url, life, logger, nowMs: () => options.clock.nowMs() });
  const link = new Link({ url, applicationName: 'mooring', life: life.known });
  const pool = new pg.Pool({
    ...sessionOptions(url, 'mooring contents'),
    query_timeout: answerTimeoutMsMax,
    max: poolMax,
  });
  // Of an unused connection: the next query opens another.
  pool.on('error', (error) => logger.warn({ err: error }, 'a connection to the database was lost'));
  const reads = new ReadPool(link, readers);
  const listeners = new Set<(commit: Commit) => void>();
  const committed = (commit: Commit) => {
    for (const listener of listeners) listener(commit);
  };
  const notices = await CommitNotices.start(url, epoch, logger, committed);
  const { end, transfer } = link.open();
  const workerData: HubWriterSettings = { link: end, externalWriteback: settings.externalWriteback, slowMs };
  const script = new URL('./hub-writer-thread.ts', import.meta.url);
  const writer = await Writer.start(
    { script, workerData, transferList: transfer },
    logger,
    (commit) => notices.committed(commit),
    observer,
  );
  const shared = new HubState(pool, hub, logger, () => options.clock.nowMs(), notices, epoch);
  await shared.start();
  const blobs = new ContentChunks(pool, dataDir, () => options.clock.nowMs());
  const deps: StoreDeps = {
    options,
    blobs,
    changes: alwaysChanged,
    read: readThrough(reads, options),
    send: (name, input) => writer.send(name, input),
    shared,
    pathBytesMax,
    openReader() {
      const reader = link.open();
      return { access: { engine: 'postgres', link: reader.end }, transfer: reader.transfer };
    },
    openSnapshot: () => openHubSnapshot(link, blobs),
  };
  const maintenance = hubMaintenance({
    deps,
    pool,
    pendingCommands: () => writer.pendingCommands,
    isWriterAlive: () => writer.isAlive,
    pendingReads: () => reads.waiting,
    shared,
  });
  let isClosed = false;
  return storePort(deps, maintenance, listeners, async () => {
    if (isClosed) return;
    isClosed = true;
    await writer.close();
    await shared.close();
    await notices.close();
    await reads.close();
    await pool.end();
    await link.close();
  });
}

/** Another process may have committed at any time, so nothing that was read before is known to be current. */
const alwaysChanged: ChangeCounters = { of: () => null, ofEvery: () => null };

function readThrough(reads: ReadPool, { logger, observer }: StoreOptions): ReadThrough {
  return async (subject, name, ...input) => {
    const startedAt = performance.now();
    try {
      return (await reads.read(subject, String(name), input as readonly unknown[])) as never;
    } finally {
      const tookMs = Math.round(performance.now() - startedAt);
      if (tookMs > slowMs) {
        const readName = `${subject}.${String(name)}`;
        logger.info({ name: readName, tookMs }, 'slow read');
        observer?.slowQuery(readName);
      }
    }
  };
}
