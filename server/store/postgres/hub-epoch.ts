// A new life of a hub's database after the restore of a dump: desktops and other clients may know numbers that were assigned after it,
// as a cursor or an If-Match, so that none of them may come again (database/counters.ts, `skipNumbers`).
import pg from 'pg';
import { migrateHub } from './hub-migrations.ts';
import { resultTypes, sessionOptions } from './session.ts';
import { UnfitDatabaseError } from './unfit-database.ts';

/** As for a restored backup of an agent. */
const blockNumbers = 1_000_000;
const blocks = 1_000;

/** `random` in [0, 1). Throws UnfitDatabaseError while a process uses the database. */
export async function newHubEpoch(url: string, random: number): Promise<void> {
  await migrateHub(url);
  const client = new pg.Client(sessionOptions(url, 'mooring epoch'));
  await client.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ name: string; last: number }>({
      text: 'SELECT name, last FROM counters ORDER BY name FOR UPDATE',
      types: resultTypes,
    });
    await assertUnused(client);
    const block = 1 + Math.floor(random * blocks);
    const last = (name: string) => rows.find((row) => row.name === name)?.last ?? 0;
    for (const name of ['revision', 'event', 'operation']) {
      const upto = (Math.floor(last(name) / blockNumbers) + block) * blockNumbers;
      if (name !== 'revision') await noteGap(client, name, { after: last(name), upto });
      await client.query('UPDATE counters SET last = $1 WHERE name = $2', [upto, name]);
    }
    for (const table of ['webhook_deliveries', 'subscriptions', 'subscription_deliveries'])
      await client.query(
        `SELECT setval(pg_get_serial_sequence('mooring.${table}', 'number'),
           (coalesce((SELECT max(number) FROM ${table}), 0) / $1::bigint + $2) * $1)`,
        [blockNumbers, block],
      );
    // A session that was ended after the dump does not come back.
    await client.query('DELETE FROM sign_in_sessions');
    await client.query("UPDATE meta SET value = gen_random_uuid()::text WHERE key = 'epoch'");
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('the new epoch was rolled back');
  } finally {
    await client.end();
  }
}

/** Throws UnfitDatabaseError while a process is connected. Not by the list of members: a dump has those of its time. */
export async function assertUnused(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'mooring%'`,
  );
  if (rowCount !== 0) throw new UnfitDatabaseError('Processes of the hub use the database.');
}

/** Numbers that no row has, for the limits of retention. */
async function noteGap(
  client: pg.Client,
  name: string,
  gap: { readonly after: number; readonly upto: number },
): Promise<void> {
  const key = `${name}_gaps`;
  const { rows } = await client.query<{ value: string }>('SELECT value FROM meta WHERE key = $1', [key]);
  const gaps = JSON.parse(rows[0]?.value ?? '[]') as unknown[];
  await client.query(
    'INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [key, JSON.stringify([...gaps, gap])],
  );
}
