// A database of PostgreSQL for each data directory of a test.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createSecretBox } from '../../server/platform/crypto/secret-box.ts';
import type { StoreOptions } from '../../server/store/adapters/store-parts.ts';
import { openStore } from '../../server/store/open.ts';
import type { Store } from '../../server/store/port/store.ts';
import { migrateHub } from '../../server/store/postgres/hub-migrations.ts';
import { openHub } from '../../server/store/postgres/open-hub.ts';
import { postgresUrl } from './postgres-server.ts';

/** Whether the tests of this process run on PostgreSQL. */
export const storesInHub = process.env.MOORING_TEST_ENGINE === 'postgres';

const made = new Set<string>();

/** The address of a database that belongs to `key`; it is made at its first use. */
export async function hubDatabase(key: string): Promise<string> {
  const name = `mooring_test_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
  const url = databaseUrl(name);
  if (made.has(name)) return url;
  made.add(name);
  // The tests of several processes begin with an empty database, which these migrate at the same time.
  const isTemplate = storesInHub && process.env.MOORING_TEST_TEMPLATE !== undefined;
  // To copy the files of the template takes half the time of writing them into the log.
  await query(
    postgresUrl(),
    `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE ${isTemplate ? template : 'template0'} STRATEGY FILE_COPY`,
  );
  if (isTemplate)
    await query(url, "UPDATE mooring.meta SET value = gen_random_uuid()::text WHERE key = 'epoch'");
  return url;
}

const template = 'mooring_template';

/** Migrations take twice the time of a copy. */
export async function makeTemplate(): Promise<void> {
  await query(postgresUrl(), `CREATE DATABASE ${template} ENCODING 'UTF8' TEMPLATE template0`);
  await migrateHub(databaseUrl(template));
  process.env.MOORING_TEST_TEMPLATE = template;
}

function databaseUrl(name: string): string {
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const masterKey = new Uint8Array(32).fill(7);

/** With these `mooring serve` has its store in the engine that this run of the tests is about. */
export async function hubArguments(dataDir: string): Promise<readonly string[]> {
  if (!storesInHub) return [];
  const keyFile = path.join(dataDir, 'test-master.key');
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(keyFile, `${Buffer.from(masterKey).toString('base64')}\n`, { mode: 0o600 });
  return ['--database', await hubDatabase(dataDir), '--master-key-file', keyFile];
}

/** The signing key of the hub whose first process has this data directory; null: this run is about agents. */
export async function signingKeyInHub(dataDir: string): Promise<string | null> {
  if (!storesInHub) return null;
  const client = new pg.Client({ connectionString: await hubDatabase(dataDir) });
  await client.connect();
  try {
    const { rows } = await client.query<{ sealed: string }>(
      "SELECT sealed FROM mooring.keys WHERE name = 'signing key'",
    );
    return createSecretBox(masterKey, 'hub secrets').open(rows[0]?.sealed ?? '');
  } finally {
    await client.end();
  }
}

/** The store of the engine that this run of the tests is about, or of a hub on the database that is named. */
export async function openEngine(options: StoreOptions, hubUrl: string | null = null): Promise<Store> {
  if (hubUrl === null && !storesInHub) return await openStore(options);
  return await openHub({ url: hubUrl ?? (await hubDatabase(options.dataDir)), masterKey }, options);
}
