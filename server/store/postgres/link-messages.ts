// Messages between a thread that waits for its statements and the thread that holds the connections (link-thread.ts).
import type { KnownLife } from './database-life.ts';

/** One statement. `name`: under which the connection prepares it; null: it is not prepared. */
export interface LinkStatement {
  readonly name: string | null;
  readonly text: string;
  readonly values: readonly unknown[];
}

export type ToLink =
  /** Run in this order, without waiting between them. Answered once, under this number. */
  | { readonly kind: 'run'; readonly id: number; readonly statements: readonly LinkStatement[] }
  /** The connection is given up at once, with what runs on it; the next statement opens another. */
  | { readonly kind: 'close' };

/** The number of the message that it answers. */
export type FromLink = { readonly id: number } & Answer;

export type Answer =
  | {
      readonly ok: true;
      /** Of each statement, in order. */
      readonly results: readonly LinkResult[];
    }
  | {
      readonly ok: false;
      readonly message: string;
      /** SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html); null: the connection was lost or never made. */
      readonly code: string | null;
    };

export interface LinkResult {
  /** Rows that were inserted, changed, deleted or found. */
  readonly count: number;
  readonly columns: readonly LinkColumn[];
  readonly rows: readonly (readonly unknown[])[];
  /** Such as `COMMIT` or `ROLLBACK`. */
  readonly tag: string;
}

export interface LinkColumn {
  readonly name: string;
  readonly isBytes: boolean;
}

export interface LinkSettings {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** A connection to another life of the database is none. */
  readonly life: KnownLife;
}
