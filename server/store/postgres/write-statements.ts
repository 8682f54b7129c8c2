// Statements of the connection that writes. A group of commands takes two messages to the server: one begins it and brings the rows
// that its commands will ask for, the other carries all that it writes, and COMMIT.
import { selectCounters } from '../database/counters.ts';
import { ServerFault } from '../database/server-fault.ts';
import type { RunResult, WriteStatements } from '../database/statements.ts';
import type { LinkEnd } from '../port/access.ts';
import type { Command } from '../port/commands.ts';
import { InsertBatches } from './insert-batches.ts';
import { type ForkNumbers, KnownRows, type Wanted, wantedAt, wantedBy, wantedInFork } from './known-rows.ts';
import type { LinkResult, LinkStatement } from './link-messages.ts';
import { PostgresReadStatements, rowsOf } from './read-statements.ts';

const memoizedMax = 1_000;
/** Locks the rows of numbers, in one order: what every transaction of a writer does first. */
const lockWriters = `${selectCounters} ORDER BY name = 'revision' DESC, name FOR NO KEY UPDATE`;
const savepointText = 'SAVEPOINT command';
/** An insert without a conflict clause makes its row, or its transaction fails. */
const inserted: RunResult = { changes: 1 };

/** Statements of a connection that also writes. Its transactions exclude those of all other processes. */
export class PostgresWriteStatements extends PostgresReadStatements implements WriteStatements {
  readonly #memoized = new Map<string, unknown>();
  readonly #known = new KnownRows();
  readonly #inserts = new InsertBatches();
  /** Of the transaction that has just begun; null once anything ran in it. */
  #counters: readonly unknown[] | null = null;
  readonly #newId: () => string;
  readonly #nowMs: () => number;

  constructor(end: LinkEnd, newId: () => string, nowMs: () => number) {
    super(end);
    this.#newId = newId;
    this.#nowMs = nowMs;
  }

  override get<Row>(sql: string, ...values: readonly unknown[]): Row | undefined {
    const known = this.#known.answer(sql, values);
    return known === null ? super.get<Row>(sql, ...values) : (known.row as Row | undefined);
  }

  override all<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    const counters = this.#counters;
    if (sql === selectCounters && counters !== null) return [...counters] as Row[];
    // Inserts that answer rows come here too.
    if (!sql.startsWith('SELECT')) this.#wrote(sql, values);
    return super.all<Row>(sql, ...values);
  }

  run(sql: string, ...values: readonly unknown[]): RunResult {
    this.#wrote(sql, values);
    if (this.#inserts.add(sql, values)) {
      if (this.#inserts.isFull) this.flush();
      return inserted;
    }
    this.#queueInserts(sql);
    return this.queueStatement(sql, values);
  }

  runOne(message: string, sql: string, ...values: readonly unknown[]): void {
    this.#wrote(sql, values);
    this.#queueInserts(sql);
    this.queueStatement(sql, values, message);
  }

  expectChanges(workspaceId: string, paths: readonly string[]): void {
    this.#load(wantedAt(workspaceId, paths), []);
  }

  expectForkChanges(numbers: ForkNumbers, paths: readonly string[]): void {
    this.#load(wantedInFork(numbers, paths), []);
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

  /** The first statement waits for the transaction of any other process, so that all later ones see what it committed. */
  begin(commands: readonly Command[]): void {
    this.forget();
    this.queue('BEGIN');
    this.isInTransaction = true;
    const [counters] = this.#load(wantedBy(commands), [this.statement(lockWriters, [])]);
    this.#counters = rowsOf(counters);
  }

  /** With the answers of the statements `before` it, in the same message. */
  #load(wanted: readonly Wanted[], before: readonly LinkStatement[]): readonly LinkResult[] {
    const results = this.flush([...before, ...wanted.map(({ sql, values }) => this.statement(sql, values))]);
    for (const [at, { known }] of wanted.entries())
      this.#known.set(known, rowsOf(results[before.length + at]));
    return results.slice(0, before.length);
  }

  /** Whether it happened is looked up when the connection is lost before the answer. */
  commit(): void {
    this.settleChecked();
    const id = this.#newId();
    this.run('INSERT INTO commits (id, at) VALUES (?, ?)', id, this.#nowMs());
    try {
      const tag = this.command('COMMIT');
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
    this.settleChecked();
    this.command('RELEASE SAVEPOINT command');
  }

  rollbackToSavepoint(): void {
    this.forget();
    // Nothing since the savepoint was sent: there is nothing to take back.
    if (this.dropQueued().includes(savepointText)) return;
    this.command('ROLLBACK TO SAVEPOINT command');
    this.command('RELEASE SAVEPOINT command');
  }

  protected override flush(last: readonly LinkStatement[] = []): readonly LinkResult[] {
    this.#queueInserts(null);
    return super.flush(last);
  }

  protected override dropQueued(): readonly string[] {
    this.#inserts.clear();
    return super.dropQueued();
  }

  #wrote(sql: string, values: readonly unknown[]): void {
    this.#counters = null;
    this.#known.written(sql, values);
  }

  /** Those that a statement could look at; null: all. */
  #queueInserts(before: string | null): void {
    for (const { sql, values } of this.#inserts.take(before)) this.queueStatement(sql, values);
  }

  /** The lock is had when the transaction of the lost connection has ended, one way or the other. */
  #hasCommitted(id: string): boolean {
    try {
      this.drop();
      this.begin([]);
      const found = this.get('SELECT 1 FROM commits WHERE id = ?', id);
      this.rollback();
      return found !== undefined;
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      throw new ServerFault(error.message, error.sqlState, { mayHaveCommitted: true });
    }
  }
}
