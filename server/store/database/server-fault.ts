// Faults of a database server: an error with its SQLSTATE, or a connection that was lost.

/** Classes of SQLSTATE that say that the server cannot serve now, whatever the statement was
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html): connection, resources, operator intervention, system, lock. */
const passing = /^(08|25P0[34]|40|53|55P03|57|58|XX)/;

export class ServerFault extends Error {
  override readonly name = 'ServerFault';
  /** null: the connection was lost, or could not be made. */
  readonly sqlState: string | null;

  constructor(message: string, sqlState: string | null) {
    super(message);
    this.sqlState = sqlState;
  }

  /** The statement itself is not at fault, and a retry may succeed. */
  get isPassing(): boolean {
    return this.sqlState === null || passing.test(this.sqlState);
  }
}
