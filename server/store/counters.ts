// The numbers of revisions, events and operations: taken inside the transaction that uses them, so that they rise in the
// order of commits, without a gap that a cursor could slip through, and go on rising after restarts and deletions.
import type { Statements } from './sqlite.ts';

export interface Numbers {
  readonly revision: number;
  readonly event: number;
  readonly operation: number;
}

export class Counters {
  readonly #statements: Statements;
  #last: Numbers;
  #stored: Numbers;

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#stored = readCounters(statements);
    this.#last = this.#stored;
  }

  /** The last numbers given out, those of the open transaction included. */
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

  /** Gives back what a rolled back command took: nobody has seen it. */
  restore(last: Numbers): void {
    this.#last = last;
  }

  /** Inside the transaction, before COMMIT. */
  persist(): void {
    for (const name of ['revision', 'event', 'operation'] as const) {
      if (this.#last[name] === this.#stored[name]) continue;
      this.#statements.run('UPDATE counters SET last = ? WHERE name = ?', this.#last[name], name);
    }
  }

  committed(): void {
    this.#stored = this.#last;
  }

  rolledBack(): void {
    this.#last = this.#stored;
  }
}

function readCounters(statements: Statements): Numbers {
  return {
    revision: readCounter(statements, 'revision'),
    event: readCounter(statements, 'event'),
    operation: readCounter(statements, 'operation'),
  };
}

export function readCounter(
  statements: Statements,
  name: 'revision' | 'event' | 'operation' | 'event_floor' | 'history_floor',
): number {
  const row = statements.get<{ last: number }>('SELECT last FROM counters WHERE name = ?', name);
  if (row === undefined) throw new Error(`the counter ${name} is missing`);
  return row.last;
}
