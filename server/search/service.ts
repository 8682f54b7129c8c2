// The main thread's side of the search: starts the thread when there is something to index or to find, reports commits to it, passes searches
// on, and replaces a thread that has ended or does not answer. It never waits for the index on behalf of a write.
import { statSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../platform/clock.ts';
import type { CommitFeed, SentAccess } from '../store/port/store.ts';
import { indexFileName } from './index-file.ts';
import { answerMsMax, queryCharactersMax, reportMs, retryMs, searchesMax, startDelayMs } from './limits.ts';
import type { FromSearchThread, SearchThreadSettings, ToSearchThread } from './search-messages.ts';
import {
  type IndexStatus,
  SearchBusyError,
  type SearchQuery,
  SearchQueryError,
  SearchUnavailableError,
} from './search-query.ts';

/** Most rows of an answer are short-lived. */
const threadYoungMbMax = 16;
/** A search is bounded by files, bytes and characters; the text of one file of 1 MiB is in memory a few times. */
const threadHeapMbMax = 256;

export interface SearchServiceOptions {
  readonly dataDir: string;
  readonly commits: CommitFeed;
  /** How the thread reads the store. */
  readonly storeReader: () => SentAccess;
  readonly clock: Clock;
  readonly logger: { warn(details: object, message: string): void };
  /** Replaces the script of the thread, in tests. */
  readonly script?: URL;
}

interface Waiting {
  readonly resolve: (message: FromSearchThread) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  readonly exited: Promise<void>;
}

export class SearchService {
  readonly #options: SearchServiceOptions;
  readonly #stopListening: () => void;
  readonly #closing = new AbortController();
  #thread: Thread | null = null;
  #lastId = 0;
  #searches = 0;
  #report: NodeJS.Timeout | null = null;
  #retryAtMs = 0;
  #retryAfterMs: number = retryMs.first;
  #rebuilds = false;

  constructor(options: SearchServiceOptions) {
    this.#options = options;
    this.#stopListening = options.commits.onCommit(() => this.#committed());
  }

  /** A SearchResult as JSON in UTF-8. Rejects with a SearchQueryError, SearchBusyError or SearchUnavailableError. */
  async search(query: SearchQuery, signal: AbortSignal): Promise<Buffer> {
    if (query.q.length > queryCharactersMax || !query.q.isWellFormed() || query.q.includes('\0'))
      throw new SearchQueryError(`q is not a text of at most ${queryCharactersMax} characters`);
    if (this.#searches >= searchesMax)
      throw new SearchBusyError('too many searches are running: try again later');
    this.#searches += 1;
    try {
      const answer = await this.#ask((id) => ({ kind: 'search', id, query }), query.waitMs, signal);
      if (answer.kind === 'found') return Buffer.from(answer.json.buffer);
      throw refusalOf(answer);
    } finally {
      this.#searches -= 1;
    }
  }

  /** Of the index, for the owner. */
  async status(): Promise<IndexStatus> {
    const answer = await this.#ask((id) => ({ kind: 'status', id }), 0, this.#closing.signal);
    if (answer.kind === 'status') return answer.status;
    throw refusalOf(answer);
  }

  /** Size of the index on the disk; 0: there is none. */
  indexBytes(): number {
    const file = path.join(this.#options.dataDir, indexFileName);
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Discards the index and builds it again. Resolves when the work has begun. */
  async rebuild(): Promise<void> {
    await this.#end(new SearchUnavailableError('the search index is being rebuilt: try again'));
    this.#rebuilds = true;
    this.#retryAtMs = 0;
    await this.status();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopListening();
    if (this.#report !== null) clearTimeout(this.#report);
    await this.#end(new SearchUnavailableError('the agent is stopping'));
  }

  #committed(): void {
    if (this.#report !== null) return;
    const delayMs = this.#thread === null ? startDelayMs : reportMs;
    this.#report = setTimeout(() => {
      this.#report = null;
      this.#started()?.worker.postMessage({ kind: 'committed' } satisfies ToSearchThread);
    }, delayMs);
    this.#report.unref();
  }

  async #ask(
    question: (id: number) => ToSearchThread,
    moreMs: number,
    signal: AbortSignal,
  ): Promise<FromSearchThread> {
    signal.throwIfAborted();
    const thread = this.#started();
    if (thread === null)
      throw new SearchUnavailableError('the search index cannot be used at the moment: try again later');
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<FromSearchThread>();
    thread.waiting.set(id, { resolve, reject });
    thread.worker.postMessage(question(id));
    const onAbort = () => {
      thread.worker.postMessage({ kind: 'abort', id } satisfies ToSearchThread);
      reject(new SearchUnavailableError('the caller is gone'));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const answered = new AbortController();
    void this.#options.clock.delay(answerMsMax + moreMs, answered.signal).then(() => {
      if (!answered.signal.aborted) void this.#replaceStuck(thread);
    });
    try {
      return await promise;
    } finally {
      answered.abort();
      signal.removeEventListener('abort', onAbort);
      thread.waiting.delete(id);
    }
  }

  /** null: it has failed a moment ago, or the agent is stopping. */
  #started(): Thread | null {
    if (this.#thread !== null) return this.#thread;
    const nowMs = this.#options.clock.nowMs();
    if (this.#closing.signal.aborted || nowMs < this.#retryAtMs) return null;
    const { access, transfer } = this.#options.storeReader();
    const settings: SearchThreadSettings = {
      dataDir: this.#options.dataDir,
      access,
      rebuild: this.#rebuilds,
    };
    this.#rebuilds = false;
    const worker = new Worker(this.#options.script ?? new URL('./search-thread.ts', import.meta.url), {
      workerData: settings,
      transferList: [...transfer],
      name: 'mooring-search',
      resourceLimits: {
        maxOldGenerationSizeMb: threadHeapMbMax,
        maxYoungGenerationSizeMb: threadYoungMbMax,
      },
    });
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const thread: Thread = { worker, waiting: new Map(), exited };
    worker.on('message', (message: FromSearchThread) => this.#receive(thread, message));
    worker.on('error', (error) => this.#ended(thread, error));
    worker.on('exit', (code) => this.#ended(thread, new Error(`the search thread ended with code ${code}`)));
    this.#thread = thread;
    return thread;
  }

  #receive(thread: Thread, message: FromSearchThread): void {
    if (message.kind === 'ready') this.#retryAfterMs = retryMs.first;
    else if (message.kind === 'failed')
      this.#options.logger.warn({ cause: message.message }, 'the search index failed and is opened again');
    else thread.waiting.get(message.id)?.resolve(message);
  }

  /** The next commit or search starts another thread, after a pause. */
  #ended(thread: Thread, error: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#retryAtMs = this.#options.clock.nowMs() + this.#retryAfterMs;
    this.#retryAfterMs = Math.min(this.#retryAfterMs * 2, retryMs.max);
    this.#options.logger.warn({ err: error }, 'the search thread ended');
    rejectAll(thread, new SearchUnavailableError('the search has ended unexpectedly: try again'));
  }

  async #replaceStuck(thread: Thread): Promise<void> {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#options.logger.warn({}, 'the search thread does not answer and is replaced');
    rejectAll(thread, new SearchUnavailableError('the search took too long: make it narrower'));
    await thread.worker.terminate();
  }

  async #end(reason: SearchUnavailableError): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    if (thread === null) return;
    thread.worker.postMessage({ kind: 'close' } satisfies ToSearchThread);
    rejectAll(thread, reason);
    await thread.exited;
  }
}

function rejectAll({ waiting }: Thread, reason: SearchUnavailableError): void {
  for (const { reject } of waiting.values()) reject(reason);
  waiting.clear();
}

function refusalOf(answer: FromSearchThread): Error {
  if (answer.kind !== 'refused') return new Error(`the search thread answered with ${answer.kind}`);
  return answer.reason === 'query'
    ? new SearchQueryError(answer.message)
    : new SearchUnavailableError(`the search index cannot be used at the moment: ${answer.message}`);
}
