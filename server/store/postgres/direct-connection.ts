// Refuses an address behind which a pooler shares connections: locks, notices and settings of a hub belong to one connection to the server.
import pg from 'pg';
import { sessionOptions } from './session.ts';
import { UnfitDatabaseError } from './unfit-database.ts';

const remedy =
  'Name the server itself with --database, or a pooler in session mode that passes on the parameter "options".';
/** https://www.postgresql.org/docs/current/errcodes-appendix.html: protocol_violation, of a pooler that passes on few parameters. */
const protocolViolation = '08P01';

/** Throws UnfitDatabaseError, or what the server says. The client is not connected then. */
export async function connectDirectly(client: pg.Client, url: string): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === protocolViolation)
      throw new UnfitDatabaseError(
        `What answers refuses the settings of a hub (${error.message}). ${remedy}`,
      );
    throw error;
  }
  try {
    await assertSettings(client);
    await assertOwnBackend(client, url);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function assertSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ path: string }>("SELECT current_setting('search_path') AS path");
  if (rows[0]?.path === 'mooring') return;
  throw new UnfitDatabaseError(`The connection loses the settings of a hub, as behind a pooler. ${remedy}`);
}

/** A transaction of another connection keeps its backend: a pooler by transactions has to answer this connection by another one then. */
async function assertOwnBackend(client: pg.Client, url: string): Promise<void> {
  const other = new pg.Client(sessionOptions(url, 'mooring pooler check'));
  await other.connect();
  try {
    const before = await backendOf(client);
    await other.query('BEGIN');
    const others = await backendOf(other);
    const after = await backendOf(client);
    if (before === after && before !== others) return;
  } finally {
    await other.end().catch(() => undefined);
  }
  throw new UnfitDatabaseError(`A pooler answers one connection by several of the server. ${remedy}`);
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
}
