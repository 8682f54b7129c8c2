// A new life of a hub's database: after the restore of a dump, by a command, or after a loss of events, by the process that notices it.
// Desktops and other clients may know numbers that were assigned and are not there any more, as a cursor or an If-Match, so that none of
// them may come again (database/counters.ts, `skipNumbers`).
import pg from 'pg';
import type { LostTail } from '../port/shared.ts';
import type { Numbers } from './database-life.ts';
import { migrateHub } from './hub-migrations.ts';
import { resultTypes, sessionOptions } from './session.ts';
import { UnfitDatabaseError } from './unfit-database.ts';

/** As for a restored backup of an agent. */
const blockNumbers = 1_000_000;
const blocks = 1_000;
const lostTailsKey = 'lost_tails';
/** The newest of them. */
const lostTailsMax = 10;
const numberNames = ['revision', 'event', 'operation'] as const;

/** `random` in [0, 1). Throws UnfitDatabaseError while a process uses the database. */
export async function newHubEpoch(url: string, random: number): Promise<void> {
  await migrateHub(url);
  await inTransaction(url, async (client) => {
    const last = await lockNumbers(client);
    await assertUnused(client);
    await beginEpoch(client, { last, seen: last, random });
  });
}

export interface Loss {
  /** The epoch in which the events were reported. */
  readonly epoch: string;
  /** The newest numbers that are known to have been assigned in it. */
  readonly seen: Numbers;
  readonly atMs: number;
  /** In [0, 1). */
  readonly random: number;
}

/** null: another process has begun one already, or nothing is lost. */
export async function beginEpochAfterLoss(
  url: string,
  { epoch, seen, atMs, random }: Loss,
): Promise<LostTail | null> {
  return await inTransaction(url, async (client) => {
    const last = await lockNumbers(client);
    const { rows } = await client.query<{ value: string }>("SELECT value FROM meta WHERE key = 'epoch'");
    if (rows[0]?.value !== epoch || last.event >= seen.event) return null;
    await beginEpoch(client, { last, seen, random });
    const lost: LostTail = { atMs, lastEvent: last.event, seenEvent: seen.event };
    const known = parseLostTails(await readMeta(client, lostTailsKey));
    await putMeta(client, lostTailsKey, JSON.stringify([...known, lost].slice(-lostTailsMax)));
    return lost;
  });
}

/** Oldest first. */
export async function listLostTails(pool: pg.Pool): Promise<readonly LostTail[]> {
  return parseLostTails(await readMeta(pool, lostTailsKey));
}

/** Throws UnfitDatabaseError while a process is connected. Not by the list of members: a dump has those of its time. */
export async function assertUnused(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'mooring%'`,
  );
  if (rowCount !== 0) throw new UnfitDatabaseError('Processes of the hub use the database.');
}

async function inTransaction<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(sessionOptions(url, 'mooring epoch'));
  await client.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('the new epoch was rolled back');
    return result;
  } finally {
    await client.end();
  }
}

/** No process assigns any until the end of the transaction. */
async function lockNumbers(client: pg.Client): Promise<Numbers> {
  const { rows } = await client.query<{ name: string; last: number }>({
    text: `SELECT name, last FROM counters ORDER BY name = 'revision' DESC, name FOR UPDATE`,
    types: resultTypes,
  });
  const last = (name: string) => rows.find((row) => row.name === name)?.last ?? 0;
  return { revision: last('revision'), event: last('event'), operation: last('operation') };
}

/** `seen`: as far as numbers are known to have been assigned, whether or not their rows are there. */
async function beginEpoch(
  client: pg.Client,
  { last, seen, random }: { readonly last: Numbers; readonly seen: Numbers; readonly random: number },
): Promise<void> {
  const block = 1 + Math.floor(random * blocks);
  for (const name of numberNames) {
    const upto = (Math.floor(Math.max(last[name], seen[name]) / blockNumbers) + block) * blockNumbers;
    if (name !== 'revision') await noteGap(client, name, { after: last[name], upto });
    await client.query('UPDATE counters SET last = $1 WHERE name = $2', [upto, name]);
  }
  for (const table of ['webhook_deliveries', 'subscriptions', 'subscription_deliveries'])
    await client.query(
      `SELECT setval(pg_get_serial_sequence('mooring.${table}', 'number'),
         (coalesce((SELECT max(number) FROM ${table}), 0) / $1::bigint + $2) * $1)`,
      [blockNumbers, block],
    );
  // A session that was ended afterwards does not come back.
  await client.query('DELETE FROM sign_in_sessions');
  await client.query("UPDATE meta SET value = gen_random_uuid()::text WHERE key = 'epoch'");
}

/** Numbers that no row has, for cursors and for the limits of retention. */
async function noteGap(
  client: pg.Client,
  name: string,
  gap: { readonly after: number; readonly upto: number },
): Promise<void> {
  const key = `${name}_gaps`;
  const gaps = JSON.parse((await readMeta(client, key)) ?? '[]') as unknown[];
  await putMeta(client, key, JSON.stringify([...gaps, gap]));
}

async function readMeta(client: pg.Client | pg.Pool, key: string): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>('SELECT value FROM meta WHERE key = $1', [key]);
  return rows[0]?.value;
}

async function putMeta(client: pg.Client, key: string, value: string): Promise<void> {
  await client.query(
    'INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [key, value],
  );
}

function parseLostTails(text: string | undefined): readonly LostTail[] {
  return JSON.parse(text ?? '[]') as LostTail[];
}
