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
  timezone: 'UTC',
};
const connectTimeoutMs = 5_000;

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
