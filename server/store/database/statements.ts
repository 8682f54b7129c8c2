// Statements by capability: what reads the database cannot change it, by its type. Everything in tables/ is written against
// these interfaces, in SQL that each engine understands (postgres/dialect.ts says how the texts are read there).

import type { Command } from '../port/commands.ts';

/** A statement whose rows a read will ask for. */
export interface Asked {
  readonly sql: string;
  readonly values: readonly (string | number | Uint8Array)[];
}

/** Statements that read. Texts are constants of the code, so that a cache of prepared ones stays small. */
export interface ReadStatements {
  /** `Row` is what the statement's columns say. */
  get<Row>(sql: string, ...values: readonly unknown[]): Row | undefined;
  all<Row>(sql: string, ...values: readonly unknown[]): Row[];
  /** As `get`: a connection that only reads does not see who writes, so it remembers nothing. */
  memoize<Row>(sql: string, ...values: readonly (string | number)[]): Row | undefined;
  /** Runs `read` so that all its statements see the same committed state. It must not wait for anything. */
  consistently<T>(read: () => T): T;
  /** How many reads to ask for together: 1 where a read waits for no answer. */
  readonly readsTogether: number;
  /** Runs `read`, to which these statements belong: where each waits for its answer, all are asked for in one message. It must not wait for anything. */
  together<T>(asked: readonly Asked[], read: () => T): T;
}

export interface RunResult {
  /** Rows that were inserted, changed or deleted. */
  readonly changes: number;
}

/** Statements of a connection that also writes. */
export interface WriteStatements extends ReadStatements {
  run(sql: string, ...values: readonly unknown[]): RunResult;
  /** As `get`, for what every change reads and only commands of another kind change: remembered until `forget`. */
  memoize<Row>(sql: string, ...values: readonly (string | number)[]): Row | undefined;
  /** As `run`, of a statement that changes one row: otherwise an Error with the message, at the latest at the end of the transaction. */
  runOne(message: string, sql: string, ...values: readonly unknown[]): void;
  /** Changes of these paths follow in the open transaction: the rows that they will ask for may be loaded ahead. */
  expectChanges(workspaceId: string, paths: readonly string[]): void;
  /** The same of changes that are staged in a fork; `holding`: the number of its own files. */
  expectForkChanges(
    numbers: { readonly fork: number; readonly workspace: number; readonly holding: number },
    paths: readonly string[],
  ): void;
  /** After anything that may have changed what is memoized. */
  forget(): void;
  /** Begins a transaction that excludes every other writer until its end. `commands` will run in it: their rows may be loaded ahead. */
  begin(commands: readonly Command[]): void;
  /** Durable when it returns. */
  commit(): void;
  /** Takes back the open transaction, if there is one, and what was memoized in it. */
  rollback(): void;
  /** A point in the open transaction to which `rollbackToSavepoint` returns. One at a time. */
  savepoint(): void;
  releaseSavepoint(): void;
  rollbackToSavepoint(): void;
}
