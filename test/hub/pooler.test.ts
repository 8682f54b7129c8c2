// A pooler between a hub and its database: PgBouncer, where it is installed.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { migrateHub } from '../../server/store/postgres/hub-migrations.ts';
import { UnfitDatabaseError } from '../../server/store/postgres/unfit-database.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const noPooler =
  spawnSync('pgbouncer', ['--version']).status === 0
    ? null
    : 'there is no PgBouncer: install it (apt-get install pgbouncer)';

beforeEach(({ skip }) => {
  skip(noPostgres !== null, noPostgres ?? '');
  skip(noPooler !== null, noPooler ?? '');
});

/** The address of the database behind a pooler with these settings. */
async function behindPooler(settings: Record<string, string>): Promise<string> {
  const folder = tempFolder('mooring-pooler');
  const database = new URL(await hubDatabase(folder));
  const port = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  const name = database.pathname.slice(1);
  writeFileSync(path.join(folder, 'users.txt'), '"mooring" ""\n');
  writeFileSync(
    file,
    [
      '[databases]',
      `${name} = host=127.0.0.1 port=${database.port} user=mooring`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${path.join(folder, 'users.txt')}`,
      ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`),
      '',
    ].join('\n'),
  );
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const pooler = spawn('pgbouncer', [file], { ...user, stdio: 'ignore' });
  onTestFinished(() => void pooler.kill('SIGKILL'));
  const url = new URL(database);
  url.port = String(port);
  await waitFor('the pooler to answer', () => answers(url.href));
  return url.href;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/** What the pooler says when its connection to the server ends is no error of the test. */
function clientOf(url: string): pg.Client {
  return new pg.Client({ connectionString: url }).on('error', () => undefined);
}

async function answers(url: string): Promise<boolean> {
  const client = clientOf(url);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function refusalOf(url: string): Promise<string> {
  const refusal: unknown = await migrateHub(url).then(
    () => null,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(UnfitDatabaseError);
  return (refusal as Error).message;
}

describe('a pooler', () => {
  it('that refuses the settings of a connection is refused with what to do', async () => {
    const message = await refusalOf(await behindPooler({ pool_mode: 'transaction' }));
    expect(message).toContain('refuses the settings');
    expect(message).toContain('--database');
  });

  it('that drops the settings is refused', async () => {
    const url = await behindPooler({ pool_mode: 'session', ignore_startup_parameters: 'options' });
    expect(await refusalOf(url)).toContain('loses the settings');
  });

  it('by transactions is refused, also where the server has the settings', async () => {
    const url = await behindPooler({ pool_mode: 'transaction', ignore_startup_parameters: 'options' });
    const role = clientOf(url);
    await role.connect();
    const name = new URL(url).pathname.slice(1);
    await role.query(`ALTER DATABASE ${name} SET search_path = mooring`);
    await role.end();
    const reopened = await behindSame(url);
    expect(await refusalOf(reopened)).toContain('several of the server');
  });
});

/** Connections of the pooler that began before a setting of the database keep the old one: it closes them when asked. */
async function behindSame(url: string): Promise<string> {
  await waitFor('the setting', async () => {
    const client = clientOf(url);
    await client.connect();
    try {
      const { rows } = await client.query<{ path: string }>("SELECT current_setting('search_path') AS path");
      if (rows[0]?.path === 'mooring') return true;
      await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  });
  return url;
}
