// Threads that read: each read goes to the one with the fewest waiting, and a further thread starts when all have some. A snapshot has a
// thread of its own.
import { Worker } from 'node:worker_threads';
import type { FileEntry } from '../../core/entry.ts';
import { CorruptContentError, StoreUnavailableError } from '../port/errors.ts';
import type { Snapshot } from '../port/store.ts';
import type { Link } from './link.ts';
import type { FromReader, ToReader } from './read-messages.ts';

/** Reads that may wait for a thread; further ones are refused as unavailable. */
const waitingMax = 10_000;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Reader {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #lastPages = 0;
  #failure: Error | null = null;
  #hasBegun = false;

  constructor(link: Link) {
    const { end, transfer } = link.open();
    this.#worker = new Worker(new URL('./read-thread.ts', import.meta.url), {
      workerData: end,
      transferList: [...transfer],
      name: 'mooring-store-reader',
    });
    this.#worker.on('online', () => {
      this.#hasBegun = true;
    });
    this.#worker.on('message', (message: FromReader) => this.#settle(message));
    this.#worker.on('error', (cause) =>
      this.#fail(cause instanceof Error ? cause : new Error(String(cause))),
    );
    this.#worker.on('exit', () => this.#fail(new Error('a thread of the store has ended')));
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get isAlive(): boolean {
    return this.#failure === null;
  }

  /** false while its thread starts: what it is sent meanwhile waits for that. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  read(subject: string, name: string, input: readonly unknown[]): Promise<unknown> {
    return this.#send((id) => ({ kind: 'read', id, subject, name, input }));
  }

  /** Every later read sees the state of now. */
  async hold(): Promise<void> {
    await this.#send((id) => ({ kind: 'hold', id }));
  }

  async *pages(...input: Parameters<Snapshot['files']>): AsyncGenerator<readonly FileEntry[], undefined> {
    this.#lastPages += 1;
    const pages = this.#lastPages;
    await this.#send((id) => ({ kind: 'pages', id, pages, input }));
    for (;;) {
      const page = (await this.#send((id) => ({ kind: 'next', id, pages }))) as readonly FileEntry[] | null;
      if (page === null) return;
      yield page;
    }
  }

  async close(): Promise<void> {
    this.#fail(new Error('the store is closed'));
    await this.#worker.terminate();
  }

  #send(message: (id: number) => ToReader): Promise<unknown> {
    if (this.#failure !== null)
      return Promise.reject(new StoreUnavailableError('the store cannot be read', { cause: this.#failure }));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage(message(id));
    });
  }

  #settle(message: FromReader): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.ok) waiting?.resolve(message.result);
    else waiting?.reject(errorOf(message));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    const unavailable = new StoreUnavailableError('the store cannot be read', { cause: this.#failure });
    for (const { reject } of this.#waiting.values()) reject(unavailable);
    this.#waiting.clear();
  }
}

export class ReadPool {
  readonly #link: Link;
  readonly #readersMax: number;
  readonly #readers: Reader[];
  #isClosed = false;

  constructor(link: Link, readersMax: number) {
    this.#link = link;
    this.#readersMax = readersMax;
    this.#readers = [new Reader(link)];
  }

  /** Reads that are not answered yet. */
  get waiting(): number {
    return this.#readers.reduce((sum, reader) => sum + reader.waiting, 0);
  }

  async read(subject: string, name: string, input: readonly unknown[]): Promise<unknown> {
    const reader = this.#leastBusy();
    if (reader === undefined || reader.waiting >= waitingMax)
      throw new StoreUnavailableError('the store has more waiting reads than it takes');
    return await reader.read(subject, name, input);
  }

  /** undefined: all have ended. */
  #leastBusy(): Reader | undefined {
    const alive = this.#readers.filter((reader) => reader.isAlive);
    const begun = alive.filter((reader) => reader.hasBegun);
    const isStarting = begun.length < alive.length;
    const allHaveWork = begun.every((reader) => reader.waiting > 0);
    const mayStart = !this.#isClosed && !isStarting && this.#readers.length < this.#readersMax;
    if (allHaveWork && mayStart) {
      const further = new Reader(this.#link);
      this.#readers.push(further);
      if (begun.length === 0) return further;
    }
    return (begun.length > 0 ? begun : alive).toSorted((one, other) => one.waiting - other.waiting)[0];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#readers.map((reader) => reader.close()));
  }
}

/** The error as code above the port knows it: classes do not cross threads. */
function errorOf({ isPassing, name, message, stack, hash }: Extract<FromReader, { ok: false }>): Error {
  const cause = Object.assign(new Error(message), { name, stack });
  if (isPassing) return new StoreUnavailableError('the store cannot be read', { cause });
  return hash === null ? cause : new CorruptContentError(hash, 'is corrupted', { cause });
}
