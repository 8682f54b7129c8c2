// Statements on a connection of PostgreSQL, for a thread that waits for each of them. What it only runs is sent with the next statement
// whose rows it needs, so that a command of ten statements waits for half of them.
import { receiveMessageOnPort } from 'node:worker_threads';
import { ServerFault } from '../database/server-fault.ts';
import type { Asked, ReadStatements, RunResult } from '../database/statements.ts';
import type { LinkEnd } from '../port/access.ts';
import { type Translated, toPostgres } from './dialect.ts';
import type { FromLink, LinkResult, LinkStatement, ToLink } from './link-messages.ts';
import { limitTransactions } from './session.ts';
import { storableText, textOfStored } from './storable-text.ts';

/** The session's own limits (link-thread.ts) end a statement long before. */
const answerTimeoutMs = 90_000;
/** Statements that are only run are sent when so many wait, whether rows are needed or not. */
const queuedMax = 500;
/** Measured with the search: 50 reads take the time of four. */
const readsTogether = 50;

type Prepared = Translated & { readonly name: string };

/** The result of a statement that may not have been sent yet. */
class LaterResult implements RunResult {
  readonly #flush: () => void;
  /** What to say when not one row was changed; null: any number may be. */
  readonly #unlessOne: string | null;
  count: number | null = null;

  constructor(flush: () => void, unlessOne: string | null) {
    this.#flush = flush;
    this.#unlessOne = unlessOne;
  }

  get isChecked(): boolean {
    return this.#unlessOne !== null;
  }

  /** Throws an Error when it is not as it must be. */
  settle(count: number): void {
    this.count = count;
    if (this.#unlessOne !== null && count !== 1) throw new Error(this.#unlessOne);
  }

  get changes(): number {
    if (this.count === null) this.#flush();
    if (this.count === null) throw new Error('a statement was not answered');
    return this.count;
  }
}

export class PostgresReadStatements implements ReadStatements {
  readonly readsTogether = readsTogether;
  readonly #end: LinkEnd;
  readonly #signal: Int32Array;
  readonly #prepared = new Map<string, Prepared>();
  readonly #queued: { readonly statement: LinkStatement; readonly result: LaterResult }[] = [];
  /** Of reads that follow, in the state in which they were asked for. */
  readonly #ahead = new Map<string, LinkResult | undefined>();
  #isAheadInTransaction = false;
  /** The number of the last message. */
  #asked = 0;
  protected isInTransaction = false;

  constructor(end: LinkEnd) {
    this.#end = end;
    this.#signal = new Int32Array(end.signal);
  }

  get<Row>(sql: string, ...values: readonly unknown[]): Row | undefined {
    return this.all<Row>(sql, ...values)[0];
  }

  all<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.#takeAhead<Row>(sql, values) ?? rowsOf(this.flush([this.statement(sql, values)]).at(-1));
  }

  /** Asks for the rows of reads that wait already, all in one message. They are forgotten with the next call. */
  readAhead(asked: readonly Asked[]): void {
    this.#ahead.clear();
    if (asked.length < 2) return;
    this.#isAheadInTransaction = this.isInTransaction;
    const results = this.flush(asked.map(({ sql, values }) => this.statement(sql, values)));
    for (const [at, { sql, values }] of asked.entries()) this.#ahead.set(keyOf(sql, values), results[at]);
  }

  memoize<Row>(sql: string, ...values: readonly (string | number)[]): Row | undefined {
    return this.get(sql, ...values);
  }

  together<T>(asked: readonly Asked[], read: () => T): T {
    this.readAhead(asked);
    try {
      return read();
    } finally {
      this.#ahead.clear();
    }
  }

  consistently<T>(read: () => T): T {
    if (this.isInTransaction) return read();
    this.holdState();
    try {
      return read();
    } finally {
      this.releaseState();
    }
  }

  /** Every later read sees the state of the first one, until `releaseState`. */
  holdState(options: { readonly idleMinutes?: number } = {}): void {
    this.queue('BEGIN READ ONLY, ISOLATION LEVEL REPEATABLE READ');
    this.isInTransaction = true;
    if (options.idleMinutes !== undefined) {
      this.queue(`SET LOCAL idle_in_transaction_session_timeout = '${options.idleMinutes}min'`);
      this.queue(limitTransactions('none within this transaction'));
      // The first statement that reads fixes the state.
      this.command('SELECT 1');
    }
  }

  releaseState(): void {
    this.isInTransaction = false;
    this.queue('COMMIT');
  }

  /** Sends what waits, and does not wait for its answer: the connection is not idle in a transaction. */
  rest(): void {
    if (this.#queued.length > 0) this.#send(this.#queued.splice(0).map(({ statement }) => statement));
  }

  /** After an error: the next statement begins anew. */
  recover(): void {
    if (this.isInTransaction) this.drop();
    else this.rest();
  }

  close(): void {
    this.#end.port.postMessage({ kind: 'close' });
    this.#end.port.close();
  }

  /** The connection is in an unknown state: the next statement opens another. */
  protected drop(): void {
    this.dropQueued();
    this.isInTransaction = false;
    this.#end.port.postMessage({ kind: 'close' });
  }

  /** What waits is not sent. Returns its texts. */
  protected dropQueued(): readonly string[] {
    return this.#queued.splice(0).map(({ statement }) => statement.text);
  }

  /** To be run with the next statement whose rows are needed. */
  protected queue(text: string): void {
    this.#queue({ name: null, text, values: [] });
  }

  protected queueStatement(
    sql: string,
    values: readonly unknown[],
    unlessOne: string | null = null,
  ): RunResult {
    const result = this.#queue(this.statement(sql, values), unlessOne);
    if (this.#queued.length >= queuedMax) this.flush();
    return result;
  }

  /** Sends what waits, then `last`, and waits for the answers of `last`. Throws a ServerFault. */
  protected flush(last: readonly LinkStatement[] = []): readonly LinkResult[] {
    const queued = this.#queued.splice(0);
    const statements = [...queued.map(({ statement }) => statement), ...last];
    if (statements.length === 0) return [];
    const answer = this.#answerTo(statements);
    if (!answer.ok) {
      if (answer.code === null) this.drop();
      throw new ServerFault(answer.message, answer.code);
    }
    for (const [at, { result }] of queued.entries()) result.settle(answer.results[at]?.count ?? 0);
    return answer.results.slice(queued.length);
  }

  /** Sends what waits if some of it is checked: an error must come before what ends it. */
  protected settleChecked(): void {
    if (this.#queued.some(({ result }) => result.isChecked)) this.flush();
  }

  /** Of a text that is no statement of tables/. Returns its tag. */
  protected command(text: string): string {
    return this.flush([{ name: null, text, values: [] }])[0]?.tag ?? '';
  }

  /**
   * A wake-up alone says nothing: that of the answer before may arrive while this thread waits already. Nor is every answer the one to
   * these statements: that to others, for which this thread waited too long, may come after all.
   */
  #answerTo(statements: readonly LinkStatement[]): FromLink {
    this.#send(statements);
    const untilMs = performance.now() + answerTimeoutMs;
    for (;;) {
      const before = Atomics.load(this.#signal, 0);
      const answer = receiveMessageOnPort(this.#end.port)?.message as FromLink | undefined;
      if (answer?.id === this.#asked) return answer;
      if (answer !== undefined) continue;
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) throw new ServerFault('the database did not answer', null);
      Atomics.wait(this.#signal, 0, before, leftMs);
    }
  }

  /** null: it was not asked ahead. */
  #takeAhead<Row>(sql: string, values: readonly unknown[]): Row[] | null {
    if (this.#ahead.size === 0 || this.isInTransaction !== this.#isAheadInTransaction) return null;
    const key = keyOf(sql, values);
    return this.#ahead.has(key) ? rowsOf(this.#ahead.get(key)) : null;
  }

  #send(statements: readonly LinkStatement[]): void {
    this.#asked += 1;
    this.#end.port.postMessage({ kind: 'run', id: this.#asked, statements } satisfies ToLink);
  }

  #queue(statement: LinkStatement, unlessOne: string | null = null): LaterResult {
    const result = new LaterResult(() => void this.flush(), unlessOne);
    this.#queued.push({ statement, result });
    return result;
  }

  protected statement(sql: string, values: readonly unknown[]): LinkStatement {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      prepared = { ...toPostgres(sql), name: `s${this.#prepared.size}` };
      this.#prepared.set(sql, prepared);
    }
    const { names } = prepared;
    const named = values[0] as Readonly<Record<string, unknown>> | undefined;
    const inOrder = names === null ? values : names.map((name) => named?.[name]);
    return { name: prepared.name, text: prepared.text, values: inOrder.map(parameterOf) };
  }
}

function keyOf(sql: string, values: readonly unknown[]): string {
  return [sql, ...values.map((value) => (value instanceof Uint8Array ? hexOf(value) : value))].join('\0');
}

function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}

/** The rows as objects by column. */
export function rowsOf<Row>(result: LinkResult | undefined): Row[] {
  const { columns, rows } = result ?? { columns: [], rows: [] };
  return rows.map((row) => {
    const object: Record<string, unknown> = {};
    for (const [at, { name, isBytes }] of columns.entries())
      object[name] = columnValue(row[at], name, isBytes);
    return object as Row;
  });
}

function parameterOf(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(parameterOf);
  return value ?? null;
}

/** A column of bytes named `text` is the text of a content. */
function columnValue(value: unknown, name: string, isBytes: boolean): unknown {
  if (isBytes && value !== null) {
    const { buffer, byteOffset, byteLength } = value as Uint8Array<ArrayBuffer>;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return name === 'text' ? bytes.toString('utf8') : bytes;
  }
  return typeof value === 'string' ? textOfStored(value) : value;
}
