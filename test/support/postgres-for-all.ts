// One server of PostgreSQL for all processes of a run of the tests, with a migrated database that theirs are copies of.
import { noPostgres } from '../../build/postgres.ts';
import { makeTemplate } from './hub-database.ts';
import { PostgresServer } from './postgres-server.ts';

let server: PostgresServer | null = null;

export async function setup(): Promise<void> {
  if (process.env.MOORING_TEST_DATABASE !== undefined || noPostgres !== null) return;
  server = await PostgresServer.start();
  process.env.MOORING_TEST_DATABASE = server.url;
  await makeTemplate();
}

export async function teardown(): Promise<void> {
  if (server === null) return;
  delete process.env.MOORING_TEST_DATABASE;
  await server.close();
}
