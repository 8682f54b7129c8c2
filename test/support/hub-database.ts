// A database of PostgreSQL for each data directory of a test.
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { StoreOptions } from '../../server/store/adapters/store-parts.ts';
import { openStore } from '../../server/store/open.ts';
import type { Store } from '../../server/store/port/store.ts';
import { openHub } from '../../server/store/postgres/open-hub.ts';
import { postgresUrl } from './postgres-server.ts';

/** Whether the tests of this process run on PostgreSQL. */
const storesInHub = process.env.MOORING_TEST_ENGINE === 'postgres';

const made = new Set<string>();

/** The address of a database that belongs to `key`; it is made at its first use. */
export async function hubDatabase(key: string): Promise<string> {
  const server = await postgresUrl();
  const name = `mooring_test_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  if (made.has(name)) return url.href;
  made.add(name);
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
  } finally {
    await client.end();
  }
  return url.href;
}

/** The store of the engine that this run of the tests is about. */
export async function openEngine(options: StoreOptions): Promise<Store> {
  if (!storesInHub) return await openStore(options);
  return await openHub(
    { url: await hubDatabase(options.dataDir), masterKey: new Uint8Array(32).fill(7) },
    options,
  );
}
