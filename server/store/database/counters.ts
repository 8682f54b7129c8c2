// Numbers of revisions, events and operations: assigned inside the transaction that uses them, so that they rise in the order of
// commits, without a gap that a cursor could miss, also across restarts and deletions.
import type { ReadStatements, WriteStatements } from './statements.ts';

export interface Numbers {
  readonly revision: number;
  readonly event: number;
  readonly operation: number;
}

const updateNumbers = `UPDATE counters
  SET last = CASE name WHEN 'revision' THEN CAST(? AS INTEGER) WHEN 'event' THEN CAST(? AS INTEGER) ELSE CAST(? AS INTEGER) END
  WHERE name IN ('revision', 'event', 'operation')`;

export class Counters {
  readonly #statements: WriteStatements;
  #last: Numbers;
  #stored: Numbers;

  constructor(statements: WriteStatements) {
    this.#statements = statements;
    this.#stored = readCounters(statements);
    this.#last = this.#stored;
  }

  /** The last assigned numbers, those of the open transaction included. */
  get last(): Numbers {
    return this.#last;
  }

  take(count: Numbers): void {
    this.#last = {
      revision: this.#last.revision + count.revision,
      event: this.#last.event + count.event,
      operation: this.#last.operation + count.operation,
    };
  }

  /** Returns the numbers of a rolled back command, which no reader has seen. */
  restore(last: Numbers): void {
    this.#last = last;
  }

  /** At the begin of a transaction, when others may have assigned numbers. */
  reload(): void {
    this.#stored = readCounters(this.#statements);
    this.#last = this.#stored;
  }

  /** Inside the transaction, before COMMIT. */
  persist(): void {
    const [last, stored] = [this.#last, this.#stored];
    const isAsStored =
      last.revision === stored.revision && last.event === stored.event && last.operation === stored.operation;
    if (!isAsStored) this.#statements.run(updateNumbers, last.revision, last.event, last.operation);
  }

  committed(): void {
    this.#stored = this.#last;
  }

  rolledBack(): void {
    this.#last = this.#stored;
  }
}

/** The engine of a hub loads these rows ahead (postgres/write-statements.ts). */
export const selectCounters = 'SELECT name, last FROM counters';

export function readCounters(statements: ReadStatements): Numbers {
  const rows = statements.all<{ name: string; last: number }>(selectCounters);
  const last = (name: string) => {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`the counter ${name} is missing`);
    return row.last;
  };
  return { revision: last('revision'), event: last('event'), operation: last('operation') };
}

export function readCounter(
  statements: ReadStatements,
  name: 'revision' | 'event' | 'operation' | 'event_floor' | 'history_floor',
): number {
  const row = statements.get<{ last: number }>('SELECT last FROM counters WHERE name = ?', name);
  if (row === undefined) throw new Error(`the counter ${name} is missing`);
  return row.last;
}

// ---- after a restored backup

/** Numbers that no row has: after `after` comes `upto` + 1. */
interface NumberGap {
  readonly after: number;
  readonly upto: number;
}

type GapName = 'event' | 'operation';

/** A restored store continues at a multiple of this, one of `gapBlocks` above every number that is known to be assigned. */
const gapBlockNumbers = 1_000_000;
const gapBlocks = 1_000;

/**
 * A backup does not contain the numbers that were assigned after it; other programs may know some: as an idempotency key, a cursor,
 * an If-Match. So a restored store never continues where its backup ended.
 * `seen`: the numbers of the replaced store, where it can be read. `random` in [0, 1): two copies of one backup get different
 * numbers.
 */
export function skipNumbers(statements: WriteStatements, seen: Numbers | null, random: number): void {
  const own = readCounters(statements);
  const block = 1 + Math.floor(random * gapBlocks);
  for (const name of ['revision', 'event', 'operation'] as const) {
    const taken = Math.max(own[name], seen?.[name] ?? 0);
    const upto = (Math.floor(taken / gapBlockNumbers) + block) * gapBlockNumbers;
    if (name !== 'revision') {
      const gaps = [...readGaps(statements, name), { after: own[name], upto }];
      statements.run(
        'INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)',
        gapKey(name),
        JSON.stringify(gaps),
      );
    }
    statements.run('UPDATE counters SET last = ? WHERE name = ?', upto, name);
  }
  for (const table of numberedTables) skipRowNumbers(statements, table, block);
}

/** Tables whose row numbers others know: a receiver of webhooks takes a known delivery for a repeat. */
const numberedTables = ['webhook_deliveries', 'subscriptions', 'subscription_deliveries'] as const;

/** https://sqlite.org/autoinc.html: `sqlite_sequence` may be changed with ordinary statements. */
function skipRowNumbers(
  statements: WriteStatements,
  table: (typeof numberedTables)[number],
  block: number,
): void {
  const row = statements.get<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', table);
  const upto = (Math.floor((row?.seq ?? 0) / gapBlockNumbers) + block) * gapBlockNumbers;
  statements.run('DELETE FROM sqlite_sequence WHERE name = ?', table);
  statements.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, upto);
}

/** The highest number that at least `count` assigned ones follow, gaps excluded; below 1 when there are fewer. */
export function numberBefore(statements: ReadStatements, name: GapName, count: number): number {
  let top = readCounter(statements, name);
  let left = count;
  for (const { after, upto } of readGaps(statements, name).toReversed()) {
    if (top - upto >= left) break;
    left -= top - upto;
    top = after;
  }
  return top - left;
}

/** Whether a number was assigned only by a store that had more than its backup: no row shows here what followed. */
export function isInGap(statements: ReadStatements, name: GapName, number: number): boolean {
  return readGaps(statements, name).some(({ after, upto }) => number > after && number < upto);
}

/** Oldest first; one for each backup that was restored. */
function readGaps(statements: ReadStatements, name: GapName): readonly NumberGap[] {
  const row = statements.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', gapKey(name));
  return row === undefined ? [] : (JSON.parse(row.value) as NumberGap[]);
}

function gapKey(name: GapName): string {
  return `${name}_gaps`;
}
