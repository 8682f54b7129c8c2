// Faults of a database server: an error with its SQLSTATE, or a connection that was lost.

/** Classes of SQLSTATE that say that the server cannot serve now, whatever the statement was
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html): connection, resources, operator intervention, system, lock. */
const passing = /^(08|25P0[34]|40|53|55P03|57|58|XX)/;

export class ServerFault extends Error {
  override readonly name = 'ServerFault';
  /** null: the connection was lost, or could not be made. */
  readonly sqlState: string | null;
  /** The connection was lost while it was to commit, and what became of that cannot be found out. */
  readonly mayHaveCommitted: boolean;

  constructor(
    message: string,
    sqlState: string | null,
    { mayHaveCommitted = false }: { readonly mayHaveCommitted?: boolean } = {},
  ) {
    super(message);
    this.sqlState = sqlState;
    this.mayHaveCommitted = mayHaveCommitted;
  }

  /** The transaction is gone with its connection: all of it may be run again. */
  get mayRunAgain(): boolean {
    return this.sqlState === null && !this.mayHaveCommitted;
  }

  /** The statement itself is not at fault, and a retry may succeed. */
  get isPassing(): boolean {
    return this.sqlState === null || passing.test(this.sqlState);
  }
}
