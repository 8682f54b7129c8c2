// What a migration is. Each stands in a file of its own, named NNNN-what-it-does, and in the list of migrate.ts.
import type { Connection } from '../sqlite-statements.ts';

export interface Migration {
  /** Consecutive from 1; never changed once released. */
  readonly version: number;
  /** Runs inside a transaction of its own. */
  readonly up: (database: Connection) => void;
}
