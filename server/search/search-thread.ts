// The thread of the search: it alone has the index open, keeps it current and answers searches from it. It only reads the store. Only
// search/service starts it.
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../platform/clock.ts';
import { releaseIdleMemory, threadMemory } from '../platform/process/idle-memory.ts';
import { readCounter } from '../store/database/counters.ts';
import { readEpoch } from '../store/database/meta.ts';
import { openReader } from '../store/reader.ts';
import { isCorruption, removeIndex } from './index-database.ts';
import { retryMs } from './limits.ts';
import { OpenIndex } from './open-index.ts';
import type { FromSearchThread, SearchThreadSettings, ToSearchThread } from './search-messages.ts';
import { type SearchQuery, SearchQueryError } from './search-query.ts';

const port = parentPort;
if (port === null) throw new Error('search/search-thread runs as a worker thread only');
const { dataDir, access, rebuild } = workerData as SearchThreadSettings;
const reader = openReader(access);
const store = reader.statements;
const ended = new AbortController();
const searches = new Map<number, AbortController>();
let open: OpenIndex | null = null;
let failure = 'the index is being opened';
let wake = Promise.withResolvers<void>();

const send = (message: FromSearchThread, transfer: readonly ArrayBuffer[] = []) =>
  port.postMessage(message, transfer);

function openIndex(): OpenIndex {
  const readings = store.consistently(() => ({
    epoch: readEpoch(store),
    eventNow: readCounter(store, 'event'),
  }));
  return new OpenIndex(reader, dataDir, readings.epoch, readings.eventNow);
}

/** Until the thread is closed: opens the index, keeps it current, and begins again after a failure. */
async function keepCurrent(): Promise<void> {
  if (rebuild) removeIndex(dataDir);
  for (
    let pauseMs: number = retryMs.first;
    !ended.signal.aborted;
    pauseMs = Math.min(pauseMs * 2, retryMs.max)
  ) {
    try {
      open ??= openIndex();
      const { indexer } = open;
      await indexer.removeDeletedWorkspaces();
      while (!ended.signal.aborted) {
        wake = Promise.withResolvers();
        const worked = await indexer.step();
        reader.touched();
        open.stepped();
        pauseMs = retryMs.first;
        if (worked) await open.pace.pause();
        else await wake.promise;
      }
    } catch (error) {
      reader.recover();
      fail(error);
      await delay(pauseMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  }
}

function fail(error: unknown): void {
  failure = error instanceof Error ? error.message : String(error);
  const isCorrupted = isCorruption(error);
  closeIndex();
  if (isCorrupted) removeIndex(dataDir);
  send({ kind: 'failed', message: failure });
}

function closeIndex(): void {
  open?.close();
  open = null;
}

async function search(id: number, query: SearchQuery): Promise<void> {
  const caller = new AbortController();
  searches.set(id, caller);
  try {
    if (open === null) throw new Error(failure);
    const json = await open.search(query, caller.signal);
    send({ kind: 'found', id, json }, [json.buffer]);
  } catch (error) {
    if (caller.signal.aborted) return;
    if (error instanceof SearchQueryError)
      return send({ kind: 'refused', id, reason: 'query', message: error.message });
    reader.recover();
    // Both databases are read here; only the index may be discarded.
    if (open?.isCorruptedBy(error)) fail(error);
    send({ kind: 'refused', id, reason: 'unavailable', message: failure });
  } finally {
    searches.delete(id);
    reader.touched();
    open?.touched();
  }
}

function close(): void {
  ended.abort();
  wake.resolve();
  for (const caller of searches.values()) caller.abort(new Error('the agent is stopping'));
  void running.then(() => {
    closeIndex();
    reader.close();
    port?.close();
  });
}

port.on('message', (message: ToSearchThread) => {
  switch (message.kind) {
    case 'committed':
      open?.pace.committed();
      wake.resolve();
      return;
    case 'search':
      wake.resolve();
      return void search(message.id, message.query);
    case 'abort':
      return searches.get(message.id)?.abort(new Error('the caller is gone'));
    case 'status':
      return send({ kind: 'status', id: message.id, status: statusOf(open) });
    case 'close':
      return close();
  }
});

function statusOf(index: OpenIndex | null) {
  return (
    index?.status() ?? {
      state: 'failed' as const,
      indexedThrough: 0,
      eventsBehind: 0,
      files: 0,
      filesTotal: 0,
      namesOnly: 0,
      bytes: 0,
      isFull: false,
    }
  );
}

const memory = threadMemory();
if (memory !== null) void releaseIdleMemory(memory, systemClock, ended.signal);
const running = keepCurrent();
send({ kind: 'ready' });
