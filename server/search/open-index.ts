// The open index with its indexer: searches, waits for what was just written, and its status.
import type { SearchResult } from '../contract/search.ts';
import { readCounter } from '../store/database/counters.ts';
import { MmapRelease } from '../store/database/mmap-release.ts';
import type { ReadStatements } from '../store/database/statements.ts';
import type { StoreReader } from '../store/reader.ts';
import { findActiveWorkspace } from '../store/tables/workspaces/workspaces.ts';
import { type ContentPosition, type FoundPage, searchContents } from './content-search.ts';
import { IndexDatabase, isCorruption } from './index-database.ts';
import { Indexer } from './indexer.ts';
import { indexedFileBytesMax } from './limits.ts';
import { type NamePosition, searchNames } from './name-search.ts';
import { Pace } from './pace.ts';
import { SearchCursors } from './search-cursor.ts';
import type { IndexStatus, SearchQuery } from './search-query.ts';
import { SearchWork } from './search-work.ts';
import type { SearchedPlace } from './searched-files.ts';
import { storedText } from './stored-text.ts';

const utf8 = new TextEncoder();

export class OpenIndex {
  readonly indexer: Indexer;
  readonly pace = new Pace();
  readonly #store: ReadStatements;
  readonly #index: IndexDatabase;
  readonly #cursors: SearchCursors;
  readonly #readText: (hash: string) => string | null;
  readonly #mapped: MmapRelease;
  /** Callers that wait for the next step of the indexer. */
  #stepped = Promise.withResolvers<void>();

  constructor(reader: StoreReader, dataDir: string, epoch: string, eventNow: number) {
    const store = reader.statements;
    this.#store = store;
    this.#readText = (hash) => storedText(reader, hash);
    this.#index = IndexDatabase.open(dataDir, epoch, eventNow);
    this.#mapped = new MmapRelease(this.#index.read);
    this.#cursors = new SearchCursors(this.#index.cursorKey);
    this.indexer = new Indexer({ store, index: this.#index, readText: this.#readText, pace: this.pace });
  }

  /** To be called after each use. */
  touched(): void {
    this.#mapped.touched();
  }

  /** The indexer has done a step, or has nothing to do. */
  stepped(): void {
    this.touched();
    this.#stepped.resolve();
    this.#stepped = Promise.withResolvers();
  }

  /** A SearchResult as JSON in UTF-8. Throws a SearchQueryError. */
  async search(query: SearchQuery, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    if (query.waitMs > 0) await this.#untilCurrent(query.waitMs, signal);
    signal.throwIfAborted();
    // Before the search: it may find more, never less.
    const { indexedThrough, isWalking } = this.indexer;
    const page = await this.#find(query, new SearchWork(signal));
    const incomplete = isWalking
      ? 'indexing'
      : page.isCut
        ? 'limit'
        : this.#index.hasSkipped
          ? 'index_full'
          : null;
    const result: SearchResult = {
      items: [...page.items],
      nextCursor: page.next,
      complete: incomplete === null,
      ...(incomplete === null ? {} : { incomplete }),
      indexedThrough: `evt_${indexedThrough}`,
      textBytesMax: indexedFileBytesMax,
    };
    return utf8.encode(JSON.stringify(result));
  }

  async #find(query: SearchQuery, work: SearchWork): Promise<FoundPage<string>> {
    const workspace = findActiveWorkspace(this.#store, query.workspaceId);
    if (workspace === null) return { items: [], next: null, isCut: false };
    const { forkId, path, pathOnly, access } = query;
    const place: SearchedPlace = { workspace, forkId, path, pathOnly, access };
    const deps = { store: this.#store, index: this.#index.read, readText: this.#readText };
    const sealed = <Position>(page: FoundPage<Position>): FoundPage<string> => ({
      ...page,
      next: page.next === null ? null : this.#cursors.seal(query, page.next),
    });
    return query.mode === 'name'
      ? sealed(
          await searchNames(
            { ...deps, names: this.#index.names },
            query,
            place,
            this.#cursors.open<NamePosition>(query),
            work,
          ),
        )
      : sealed(await searchContents(deps, query, place, this.#cursors.open<ContentPosition>(query), work));
  }

  /** Until everything is indexed that was committed when it is called, or until the time is over. */
  async #untilCurrent(waitMs: number, signal: AbortSignal): Promise<void> {
    const target = readCounter(this.#store, 'event');
    const relax = this.pace.hurry();
    const over = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    const { promise, resolve } = Promise.withResolvers<void>();
    over.addEventListener('abort', () => resolve(), { once: true });
    try {
      while ((this.indexer.indexedThrough < target || this.indexer.isWalking) && !over.aborted)
        await Promise.race([this.#stepped.promise, promise]);
    } finally {
      relax();
      resolve();
    }
  }

  status(): IndexStatus {
    const { indexedThrough, isWalking } = this.indexer;
    const eventsBehind = Math.max(0, readCounter(this.#store, 'event') - indexedThrough);
    return {
      state: isWalking || eventsBehind > 0 ? 'indexing' : 'current',
      indexedThrough,
      eventsBehind,
      filesTotal: filesOfAll(this.#store),
      ...this.#index.counts(),
    };
  }

  isCorruptedBy(error: unknown): boolean {
    if (!isCorruption(error)) return false;
    try {
      // The store reports its own damage elsewhere.
      readCounter(this.#store, 'event');
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    this.#index.close();
  }
}

function filesOfAll(store: ReadStatements): number {
  const row = store.get<{ files: number | null }>(
    `SELECT sum(files) AS files FROM workspaces CROSS JOIN entries ON entries.workspace = workspaces.number AND entries.path = '/'
       WHERE deleted_at IS NULL`,
  );
  return row?.files ?? 0;
}
