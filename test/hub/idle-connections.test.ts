// Connections that wait for the next request are in no transaction: the server would end them, and keeps old rows for them meanwhile.
// There are as few of them as the work needs.
import pg from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { openTestStore, testWorkspace } from '../support/store.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

beforeEach(({ skip }) => skip(noPostgres !== null, noPostgres ?? ''));

it('no connection stays in a transaction after reads and writes', async () => {
  const url = await hubDatabase(tempFolder('mooring-idle'));
  const { store, put, textOf } = await openTestStore({ hubUrl: url });
  await put('/a.txt', 'a');
  // No number: the read ends with an error of the server.
  await expect(store.events.after(testWorkspace, Number.NaN, 10)).rejects.toThrow();
  expect(await textOf('/a.txt')).toBe('a');
  const { events } = await store.events.after(testWorkspace, 0, 10);
  expect(events).toHaveLength(1);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const states = async () => {
      const { rows } = await client.query<{ state: string; query: string }>(
        "SELECT state, query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'",
      );
      return rows;
    };
    await waitFor('all connections to be idle', async () => (await states()).length === 0, {
      deadlineMs: 2_000,
    });
    expect((await store.events.after(testWorkspace, 0, 10)).events).toHaveLength(1);
  } finally {
    await client.end();
  }
});

it('a second thread reads when the first has work, and none after the store is closed', async () => {
  const url = await hubDatabase(tempFolder('mooring-readers'));
  const { store } = await openTestStore({ hubUrl: url });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const connections = async () => {
    const { rows } = await client.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'mooring'",
    );
    return rows[0]?.count ?? 0;
  };
  const read = () => store.events.after(testWorkspace, 0, 10);
  try {
    await read();
    const forOneAtATime = await connections();
    await read();
    expect(await connections()).toBe(forOneAtATime);
    await waitFor('another thread to read', async () => {
      await Promise.all(Array.from({ length: 50 }, read));
      return (await connections()) === forOneAtATime + 1;
    });
    await Promise.all(Array.from({ length: 50 }, read));
    expect(await connections()).toBe(forOneAtATime + 1);
    await store.close();
    await expect(read()).rejects.toThrow('the store');
    await waitFor('all connections to end', async () => (await connections()) === 0);
  } finally {
    await client.end();
  }
});
