// Statements on a connection of PostgreSQL, for a thread that waits for each of them. What it only runs is sent with the next statement
// whose rows it needs, so that a command of ten statements waits for half of them.
import { receiveMessageOnPort } from 'node:worker_threads';
import { ServerFault } from '../database/server-fault.ts';
import type { ReadStatements, RunResult, WriteStatements } from '../database/statements.ts';
import type { LinkEnd } from '../port/access.ts';
import type { Command } from '../port/commands.ts';
import { type Translated, toPostgres } from './dialect.ts';
import { type KnownRow, KnownRows, selectKnown, wantedBy } from './known-rows.ts';
import type { FromLink, LinkStatement } from './link-messages.ts';
import { storableText, textOfStored } from './storable-text.ts';

/** The session's own limits (link-thread.ts) end a statement long before. */
const answerTimeoutMs = 90_000;
/** Statements that are only run are sent when so many wait, whether rows are needed or not. */
const queuedMax = 500;
const memoizedMax = 1_000;

type Answered = Extract<FromLink, { ok: true }>;
type Prepared = Translated & { readonly name: string };

/** The result of a statement that may not have been sent yet. */
class LaterResult implements RunResult {
  readonly #flush: () => void;
  count: number | null = null;

  constructor(flush: () => void) {
    this.#flush = flush;
  }

  get changes(): number {
    if (this.count === null) this.#flush();
    if (this.count === null) throw new Error('a statement was not answered');
    return this.count;
  }
}

export class PostgresReadStatements implements ReadStatements {
  readonly #end: LinkEnd;
  readonly #signal: Int32Array;
  readonly #prepared = new Map<string, Prepared>();
  readonly #queued: { readonly statement: LinkStatement; readonly result: LaterResult }[] = [];
  protected isInTransaction = false;

  constructor(end: LinkEnd) {
    this.#end = end;
    this.#signal = new Int32Array(end.signal);
  }

  get<Row>(sql: string, ...values: readonly unknown[]): Row | undefined {
    return this.all<Row>(sql, ...values)[0];
  }

  all<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    const { columns, rows } = this.flush(this.#statement(sql, values));
    return rows.map((row) => {
      const object: Record<string, unknown> = {};
      for (const [at, { name, isBytes }] of columns.entries())
        object[name] = columnValue(row[at], name, isBytes);
      return object as Row;
    });
  }

  memoize<Row>(sql: string, ...values: readonly (string | number)[]): Row | undefined {
    return this.get(sql, ...values);
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
      // The first statement that reads fixes the state.
      this.command('SELECT 1');
    }
  }

  releaseState(): void {
    this.isInTransaction = false;
    this.queue('COMMIT');
  }

  /** After an error: the connection is as new. */
  recover(): void {
    this.dropQueued();
    if (!this.isInTransaction) return;
    this.isInTransaction = false;
    this.drop();
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

  protected queueStatement(sql: string, values: readonly unknown[]): RunResult {
    const result = this.#queue(this.#statement(sql, values));
    if (this.#queued.length >= queuedMax) this.flush();
    return result;
  }

  /** Sends what waits, then `last`, and waits for the answer. Throws a ServerFault. */
  protected flush(last: LinkStatement | null = null): Answered {
    const queued = this.#queued.splice(0);
    const statements = queued.map(({ statement }) => statement);
    if (last !== null) statements.push(last);
    if (statements.length === 0) return { ok: true, counts: [], columns: [], rows: [], tag: '' };
    const before = Atomics.load(this.#signal, 0);
    this.#end.port.postMessage({ kind: 'run', statements });
    if (Atomics.wait(this.#signal, 0, before, answerTimeoutMs) === 'timed-out')
      throw new ServerFault('the database did not answer', null);
    const answer = receiveMessageOnPort(this.#end.port)?.message as FromLink | undefined;
    if (answer === undefined) throw new ServerFault('the database did not answer', null);
    if (!answer.ok) throw new ServerFault(answer.message, answer.code);
    for (const [at, { result }] of queued.entries()) result.count = answer.counts[at] ?? 0;
    return answer;
  }

  /** Of a text that is no statement of tables/. */
  protected command(text: string, values: readonly unknown[] = []): Answered {
    return this.flush({ name: null, text, values });
  }

  #queue(statement: LinkStatement): LaterResult {
    const result = new LaterResult(() => void this.flush());
    this.#queued.push({ statement, result });
    return result;
  }

  #statement(sql: string, values: readonly unknown[]): LinkStatement {
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

/** Statements of a connection that also writes. Its transactions exclude those of all other processes. */
export class PostgresWriteStatements extends PostgresReadStatements implements WriteStatements {
  readonly #memoized = new Map<string, unknown>();
  readonly #known = new KnownRows();
  readonly #newId: () => string;
  readonly #nowMs: () => number;

  constructor(end: LinkEnd, newId: () => string, nowMs: () => number) {
    super(end);
    this.#newId = newId;
    this.#nowMs = nowMs;
  }

  /** The rows that these commands will ask for, in one round trip. After `begin`. */
  loadFor(commands: readonly Command[]): void {
    const [workspaceIds, paths] = wantedBy(commands);
    if (paths.length === 0) return;
    this.#known.set(this.all<KnownRow>(selectKnown, workspaceIds, paths));
  }

  override get<Row>(sql: string, ...values: readonly unknown[]): Row | undefined {
    const known = this.#known.answer(sql, values);
    return known === null ? super.get<Row>(sql, ...values) : (known.row as Row | undefined);
  }

  run(sql: string, ...values: readonly unknown[]): RunResult {
    this.#known.written(sql, values);
    return this.queueStatement(sql, values);
  }

  override memoize<Row>(sql: string, ...values: readonly (string | number)[]): Row | undefined {
    const key = [sql, ...values].join('\0');
    if (this.#memoized.has(key)) return this.#memoized.get(key) as Row | undefined;
    if (this.#memoized.size >= memoizedMax) this.forget();
    const row = this.get<Row>(sql, ...values);
    this.#memoized.set(key, row);
    return row;
  }

  forget(): void {
    this.#known.clear();
    this.#memoized.clear();
  }

  /** Once more on a new connection when the first was lost: nothing has happened yet. */
  begin(): void {
    try {
      this.#begin();
    } catch (error) {
      if (!(error instanceof ServerFault) || error.sqlState !== null) throw error;
      this.drop();
      this.#begin();
    }
  }

  /** Whether it happened is looked up when the connection is lost before the answer. */
  commit(): void {
    const id = this.#newId();
    this.run('INSERT INTO commits (id, at) VALUES (?, ?)', id, this.#nowMs());
    try {
      const { tag } = this.command('COMMIT');
      this.isInTransaction = false;
      // After an error in the transaction the server answers this tag, and no error.
      if (tag !== 'COMMIT') throw new ServerFault('the transaction was rolled back', '40000');
    } catch (error) {
      if (!(error instanceof ServerFault) || error.sqlState !== null) throw error;
      if (!this.#hasCommitted(id)) throw error;
    }
  }

  rollback(): void {
    this.forget();
    if (!this.isInTransaction) return;
    try {
      this.isInTransaction = false;
      this.dropQueued();
      this.command('ROLLBACK');
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      this.drop();
    }
  }

  savepoint(): void {
    this.flush();
    this.queue(savepointText);
  }

  releaseSavepoint(): void {
    this.command('RELEASE SAVEPOINT command');
  }

  rollbackToSavepoint(): void {
    this.forget();
    // Nothing since the savepoint was sent: there is nothing to take back.
    if (this.dropQueued().includes(savepointText)) return;
    this.command('ROLLBACK TO SAVEPOINT command');
    this.command('RELEASE SAVEPOINT command');
  }

  /** The first statement waits for the transaction of any other process, so that all later ones see what it committed. */
  #begin(): void {
    this.forget();
    this.queue('BEGIN');
    this.isInTransaction = true;
    this.command(lockWriters);
  }

  #hasCommitted(id: string): boolean {
    this.drop();
    this.#begin();
    const found = this.get('SELECT 1 FROM commits WHERE id = ?', id);
    this.rollback();
    return found !== undefined;
  }
}

const savepointText = 'SAVEPOINT command';
/** Locks the row that every transaction of a writer locks first. */
const lockWriters = "SELECT last FROM counters WHERE name = 'revision' FOR NO KEY UPDATE";

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
