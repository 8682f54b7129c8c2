// Copies the store of an agent into the empty database of a hub: workspaces, files, history, events, operations, forks, runs, webhooks and
// queues, with their ids and numbers. What belongs to one machine stays behind: mirrors, remotes, and tokens, which its key has signed.
import { createReadStream } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { blobFile } from '../contents/blob-files.ts';
import { listBlobFiles } from '../database/meta.ts';
import { databaseFileName, openForReading } from '../database/sqlite.ts';
import type { SqliteReadStatements } from '../database/sqlite-statements.ts';
import { ContentChunks } from './content-chunks.ts';
import { assertUnused } from './hub-epoch.ts';
import { migrateHub } from './hub-migrations.ts';
import { tableNames } from './schema/columns.ts';
import { resultTypes, sessionOptions } from './session.ts';
import { storableText } from './storable-text.ts';
import { UnfitDatabaseError } from './unfit-database.ts';

const rowsMax = 2_000;
const bytesMax = 4 * 1024 * 1024;
/** Of one machine, or written in another way below. */
const leftOut = /^(mirrors|mirror_.*|remotes|remote_.*|tokens|counters|meta|envelope_queue)$/;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isIdentity: boolean;
}

/** `dataDir`: of a store that no agent uses. `onTable` is called before each. Throws UnfitDatabaseError. Returns rows by table. */
export async function importStore(
  url: string,
  dataDir: string,
  onTable: (table: string, rows: number) => void,
): Promise<ReadonlyMap<string, number>> {
  await migrateHub(url);
  const limits = { statement_timeout: 0, idle_in_transaction_session_timeout: 0, max: 2 };
  const pool = new pg.Pool({ ...sessionOptions(url, 'mooring import'), ...limits });
  const source = openForReading(path.join(dataDir, databaseFileName));
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await assertEmpty(client);
    await storeLargeContents(pool, dataDir, source);
    await client.query('BEGIN');
    const counts = await copyTables(client, source, onTable);
    await copyNumbers(client, source);
    const { command } = await client.query('COMMIT');
    // After an error the server answers another tag, and no error.
    if (command !== 'COMMIT') throw new Error('the import was rolled back');
    return counts;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw failure;
  } finally {
    source.close();
    client.release(failure);
    await pool.end();
  }
}

async function assertEmpty(client: pg.PoolClient): Promise<void> {
  await assertUnused(client);
  const { rowCount } = await client.query('SELECT 1 FROM workspaces LIMIT 1');
  if (rowCount !== 0) throw new UnfitDatabaseError('The hub has workspaces: import into an empty database.');
}

/** Before the rows that name them, each verified by its hash. */
async function storeLargeContents(
  pool: pg.Pool,
  dataDir: string,
  source: SqliteReadStatements,
): Promise<void> {
  const contents = new ContentChunks(pool, dataDir, () => Date.now());
  for (const { hash, size } of listBlobFiles(source)) {
    const { content } = await contents.stageStream(createReadStream(blobFile(dataDir, hash)), size);
    if (content.hash !== hash) throw new Error(`the content ${hash} is corrupted`);
  }
}

async function copyTables(
  client: pg.PoolClient,
  source: SqliteReadStatements,
  onTable: (table: string, rows: number) => void,
): Promise<ReadonlyMap<string, number>> {
  const columns = await columnsOf(client);
  const counts = new Map<string, number>();
  for (const table of tableNames) {
    if (leftOut.test(table)) continue;
    const rows = source.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)?.rows ?? 0;
    onTable(table, rows);
    await copyTable(
      client,
      source,
      columns.filter((column) => column.table === table),
    );
    counts.set(table, rows);
  }
  return counts;
}

async function columnsOf(client: pg.PoolClient): Promise<readonly Column[]> {
  const { rows } = await client.query<{ table: string; name: string; type: string; identity: string }>(
    `SELECT table_name AS table, column_name AS name, data_type AS type, is_identity AS identity
       FROM information_schema.columns WHERE table_schema = 'mooring' ORDER BY table_name, ordinal_position`,
  );
  return rows.map(({ identity, ...column }) => ({ ...column, isIdentity: identity === 'YES' }));
}

async function copyTable(
  client: pg.PoolClient,
  source: SqliteReadStatements,
  columns: readonly Column[],
): Promise<void> {
  const [{ table } = { table: '' }] = columns;
  const names = columns.map(({ name }) => name).join(', ');
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ');
  const insert = `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays})`;
  let rows: Readonly<Record<string, unknown>>[] = [];
  let bytes = 0;
  const send = async () => {
    if (rows.length === 0) return;
    await client.query(
      insert,
      columns.map(({ name }) => rows.map((row) => stored(row[name]))),
    );
    rows = [];
    bytes = 0;
  };
  for (const row of source.iterate<Record<string, unknown>>(`SELECT ${names} FROM ${table}`)) {
    rows.push(row);
    bytes += columns.reduce((sum, { name }) => sum + sizeOf(row[name]), 0);
    if (rows.length >= rowsMax || bytes >= bytesMax) await send();
  }
  await send();
}

function stored(value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value;
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
}

/** The next number of everything that is counted. */
async function copyNumbers(client: pg.PoolClient, source: SqliteReadStatements): Promise<void> {
  for (const { name, last } of source.all<{ name: string; last: number }>('SELECT name, last FROM counters'))
    await client.query(
      'INSERT INTO counters (name, last) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET last = excluded.last',
      [name, last],
    );
  for (const { key, value } of source.all<{ key: string; value: string }>('SELECT key, value FROM meta'))
    await client.query(
      'INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      [key, value],
    );
  const queue = source.get<{ pending: number; bytes: number }>('SELECT pending, bytes FROM envelope_queue');
  await client.query('UPDATE envelope_queue SET pending = $1, bytes = $2', [
    queue?.pending ?? 0,
    queue?.bytes ?? 0,
  ]);
  const assigned = new Map(
    source
      .all<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence')
      .map(({ name, seq }) => [name, seq]),
  );
  for (const { table, name, isIdentity } of await columnsOf(client)) {
    if (!isIdentity || leftOut.test(table)) continue;
    await client.query({
      text: `SELECT setval(pg_get_serial_sequence($1, $2), greatest(1, $3, (SELECT coalesce(max(${name}), 0) FROM ${table})))`,
      values: [`mooring.${table}`, name, assigned.get(table) ?? 0],
      types: resultTypes,
    });
  }
}
