// The settings of every connection of a hub.
import pg from 'pg';

/**
 * https://www.postgresql.org/docs/current/runtime-config-client.html. A process that stops while it holds a lock is cut off after five
 * seconds, and no statement runs for ever.
 */
const sessionSettings = {
  search_path: 'mooring',
  statement_timeout: '30s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '5s',
  // https://www.postgresql.org/docs/current/runtime-config-connection.html: notices that its client has gone.
  client_connection_check_interval: '1s',
  // A client whose machine or network has gone loses its locks, also the lead, within half a minute. Systems without it ignore them.
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10s',
  timezone: 'UTC',
};
const connectTimeoutMs = 5_000;
/** Longer than the server lets a statement run: no answer by then means that the connection is broken. */
export const answerTimeoutMsMax = 35_000;

/** Servers before 17 have no limit of a whole transaction, and refuse to hear of it. */
const limitTransactionsFrom = 170_000;

/**
 * The statement that limits the transactions of its connection, or, within a transaction that may take long, lifts the limit.
 * https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-TRANSACTION-TIMEOUT
 */
export function limitTransactions(limit: '60s' | 'none within this transaction'): string {
  const [value, isLocal] = limit === '60s' ? [limit, false] : ['0', true];
  return `SELECT set_config('transaction_timeout', '${value}', ${isLocal})
    WHERE current_setting('server_version_num')::int >= ${limitTransactionsFrom}`;
}

/** `name` is shown in pg_stat_activity. */
export function sessionOptions(url: string, name: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: Object.entries(sessionSettings)
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
  };
}

/** Types of results by their OID (https://www.postgresql.org/docs/current/catalog-pg-type.html). */
export const oid = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, float8: 701, numeric: 1700 };
const numbers: ReadonlySet<number> = new Set([oid.int8, oid.int2, oid.int4, oid.float8, oid.numeric]);

/** All numbers that are stored are below 2^53; a condition is 0 or 1, as in SQLite. */
export const resultTypes = {
  getTypeParser(type: number): (text: string) => unknown {
    if (numbers.has(type)) return Number;
    if (type === oid.bool) return (text) => (text === 't' ? 1 : 0);
    if (type === oid.bytea) return (text) => Buffer.from(text.slice(2), 'hex');
    return (text) => text;
  },
} as pg.CustomTypesConfig;

/** Whether the connection was lost, or the server ends: nothing more comes over it. */
export function isLostConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.code?.startsWith('57P0') === true;
}
