// Prepared statements on a connection of SQLite.
import type Database from 'better-sqlite3';
import type { Asked, ReadStatements, WriteStatements } from './statements.ts';

export type Connection = Database.Database;

const statementsMax = 500;
/** Far more than the workspaces and providers that are written to between two commands of another kind. */
const memoizedMax = 1_000;

/** Statements of one connection, each compiled once. Texts are constants of the code, so that the cache stays small. */
export class SqliteReadStatements implements ReadStatements {
  readonly readsTogether = 1;
  protected readonly connection: Connection;
  readonly #cache = new Map<string, Database.Statement<unknown[]>>();

  constructor(connection: Connection) {
    this.connection = connection;
  }

  get isOpen(): boolean {
    return this.connection.open;
  }

  /** `Row` is what the statement's columns say; STRICT tables keep it true. */
  get<Row>(sql: string, ...values: readonly unknown[]): Row | undefined {
    return this.prepared(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.prepared(sql).all(...values) as Row[];
  }

  iterate<Row>(sql: string, ...values: readonly unknown[]): IterableIterator<Row> {
    return this.prepared(sql).iterate(...values) as IterableIterator<Row>;
  }

  /** As `get`: a connection that only reads does not see who writes, so it remembers nothing. */
  memoize<Row>(sql: string, ...values: readonly (string | number)[]): Row | undefined {
    return this.get(sql, ...values);
  }

  /** Runs `read` so that all its statements see the same committed state. It must not wait for anything. */
  consistently<T>(read: () => T): T {
    if (this.connection.inTransaction) return read();
    this.prepared('BEGIN').run();
    try {
      return read();
    } finally {
      this.prepared('COMMIT').run();
    }
  }

  together<T>(_asked: readonly Asked[], read: () => T): T {
    return read();
  }

  /** Every later read sees the state that is committed now, until `close`. */
  holdState(): void {
    this.prepared('BEGIN').run();
    // https://sqlite.org/isolation.html: the view is fixed by the first read, not by BEGIN.
    this.get('SELECT last FROM counters LIMIT 1');
  }

  /** One value of a pragma (https://sqlite.org/pragma.html), which it may also set for this connection. */
  pragma(source: string): unknown {
    return this.connection.pragma(source, { simple: true });
  }

  /** Copies the database into a file that does not exist. https://sqlite.org/lang_vacuum.html: one consistent state. */
  copyInto(file: string): void {
    this.connection.pragma('query_only = OFF');
    this.connection.prepare('VACUUM INTO ?').run(file);
  }

  close(): void {
    this.connection.close();
  }

  protected prepared(sql: string): Database.Statement<unknown[]> {
    const cached = this.#cache.get(sql);
    if (cached !== undefined) return cached;
    if (this.#cache.size >= statementsMax)
      throw new Error('too many statements: is a text built from values?');
    const prepared = this.connection.prepare<unknown[]>(sql);
    this.#cache.set(sql, prepared);
    return prepared;
  }
}

/** Statements of a connection that also writes. */
export class SqliteWriteStatements extends SqliteReadStatements implements WriteStatements {
  declare readonly connection: Connection;
  /** By statement, then by its values. */
  readonly #memoized = new Map<string, Map<string, unknown>>();
  #memoizedCount = 0;

  run(sql: string, ...values: readonly unknown[]): Database.RunResult {
    return this.prepared(sql).run(...values);
  }

  runOne(message: string, sql: string, ...values: readonly unknown[]): void {
    if (this.run(sql, ...values).changes !== 1) throw new Error(message);
  }

  expectChanges(): void {
    // Nothing is loaded ahead: reading a row when it is needed costs the same.
  }

  expectForkChanges(): void {
    // Nothing is loaded ahead here either.
  }

  /** Several statements, none of them prepared. */
  exec(sql: string): void {
    this.connection.exec(sql);
  }

  /** Commits what `write` did, or rolls it back when `write` throws. */
  transaction(write: () => void): void {
    this.connection.transaction(write)();
  }

  begin(): void {
    this.run('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.run('COMMIT');
  }

  rollback(): void {
    // SQLite rolls back automatically on some faults (https://sqlite.org/lang_transaction.html, "Response To Errors").
    if (this.inTransaction) this.run('ROLLBACK');
    this.forget();
  }

  savepoint(): void {
    this.run('SAVEPOINT command');
  }

  releaseSavepoint(): void {
    this.run('RELEASE command');
  }

  rollbackToSavepoint(): void {
    this.run('ROLLBACK TO command');
    this.forget();
    this.run('RELEASE command');
  }

  get inTransaction(): boolean {
    return this.connection.inTransaction;
  }

  /** As `get`, for what every change reads and only commands of another kind change: remembered until `forget`. */
  override memoize<Row>(sql: string, ...values: readonly (string | number)[]): Row | undefined {
    const key = values.length === 1 ? String(values[0]) : values.join('\0');
    const known = this.#memoized.get(sql);
    if (known?.has(key)) return known.get(key) as Row | undefined;
    if (this.#memoizedCount >= memoizedMax) this.forget();
    const row = this.get<Row>(sql, ...values);
    this.#memoizedCount += 1;
    const rows = this.#memoized.get(sql);
    if (rows === undefined) this.#memoized.set(sql, new Map([[key, row]]));
    else rows.set(key, row);
    return row;
  }

  /** After anything that may have changed what is memoized. */
  forget(): void {
    if (this.#memoizedCount === 0) return;
    this.#memoized.clear();
    this.#memoizedCount = 0;
  }
}
