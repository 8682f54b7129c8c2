// Brings the database of a hub to the schema of this version. One process at a time; the others wait for it.
import pg from 'pg';
import { connectDirectly } from './direct-connection.ts';
import { migrations } from './schema/migrations.ts';
import { resultTypes, sessionOptions } from './session.ts';
import { UnfitDatabaseError } from './unfit-database.ts';

/** Any number that only migrations lock: "mooring" in ASCII. */
const migrationLock = 0x6d6f6f72;
/** Older ones lack what the schema and the sessions use. */
const serverVersionMin = 150_000;

/** Throws UnfitDatabaseError, or what the server says. */
export async function migrateHub(url: string): Promise<void> {
  const client = new pg.Client({
    ...sessionOptions(url, 'mooring migrations'),
    // A change of a large table takes as long as it takes.
    statement_timeout: 0,
    lock_timeout: 0,
  });
  await connectDirectly(client, url);
  try {
    await assertFit(client);
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    await client.query('CREATE SCHEMA IF NOT EXISTS mooring');
    await client.query(
      'CREATE TABLE IF NOT EXISTS mooring.migrations (version bigint PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL)',
    );
    const applied = await appliedVersion(client);
    const newest = migrations.at(-1)?.version ?? 0;
    if (applied > newest)
      throw new UnfitDatabaseError(
        `The database has schema ${applied}, and this version of Mooring knows ${newest}: start the newer version.`,
      );
    for (const { version, name, sql } of migrations) {
      if (version <= applied) continue;
      await client.query('BEGIN');
      await client.query(sql);
      await client.query('INSERT INTO mooring.migrations (version, name, at) VALUES ($1, $2, now())', [
        version,
        name,
      ]);
      const { command } = await client.query('COMMIT');
      // After an error the server answers another tag, and no error.
      if (command !== 'COMMIT') throw new Error(`the migration ${version} was rolled back`);
    }
  } finally {
    await client.end();
  }
}

async function appliedVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>({
    text: 'SELECT coalesce(max(version), 0) AS version FROM mooring.migrations',
    types: resultTypes,
  });
  return rows[0]?.version ?? 0;
}

async function assertFit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>({
    text: `SELECT current_setting('server_version_num')::bigint AS version, current_setting('server_encoding') AS encoding`,
    types: resultTypes,
  });
  const { version, encoding } = rows[0] ?? { version: 0, encoding: '' };
  if (version < serverVersionMin)
    throw new UnfitDatabaseError(
      `The server is PostgreSQL ${Math.floor(version / 10_000)}: Mooring needs 15 or newer.`,
    );
  if (encoding !== 'UTF8')
    throw new UnfitDatabaseError(
      `The database is encoded in ${encoding}: create one with ENCODING 'UTF8' TEMPLATE template0.`,
    );
}
