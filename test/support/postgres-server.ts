// A server of PostgreSQL for the tests of a hub: the one that MOORING_TEST_DATABASE names, or one that this process starts from the
// programs of the system, on a folder of its own, and stops at its end. Where there is neither, these tests are skipped.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { postgresPrograms as bin, noPostgres } from '../../build/postgres.ts';
import { waitFor } from './wait-for.ts';

/** `initdb` and the server refuse to run as root: its files belong to a user without rights then. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

/**
 * What a power cut would need, and what a server does for databases that live longer than a test: with one for each test, autovacuum
 * visits one of them every tenth of a second.
 */
const settingsOfTests = [
  'fsync=off',
  'full_page_writes=off',
  'autovacuum=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'checkpoint_timeout=1h',
  'max_wal_size=2GB',
];

/** For about 400 databases of 8 MB, with room to spare. */
const databasesBytes = 8 * 1024 ** 3;
const memoryFolder = '/dev/shm';

/**
 * Memory, where there is enough of it: ext4 looks at each inode that was freed in the last minutes before it gives one out, and after some
 * thousand files of other tests a database took half a second of a processor in place of 60 ms.
 */
function folderOfDatabases(): string {
  if (!existsSync(memoryFolder)) return tmpdir();
  const { bavail, bsize } = statfsSync(memoryFolder);
  return Math.min(bavail * bsize, freemem()) > databasesBytes ? memoryFolder : tmpdir();
}

export class PostgresServer {
  readonly url: string;
  readonly #data: string;
  readonly #port: number;
  readonly #syncs: boolean;
  #child: ChildProcess | null = null;

  private constructor(data: string, port: number, syncs: boolean) {
    this.#data = data;
    this.#syncs = syncs;
    this.#port = port;
    this.url = `postgres://mooring@127.0.0.1:${port}/postgres`;
  }

  /** `syncs`: also against a power cut, as benches need it. Tests end processes alone, which loses nothing that the system has. */
  static async start({ syncs = false }: { readonly syncs?: boolean } = {}): Promise<PostgresServer> {
    if (bin === null) throw new Error(noPostgres ?? 'there is no PostgreSQL');
    const data = mkdtempSync(path.join(syncs ? tmpdir() : folderOfDatabases(), 'mooring-postgres-'));
    if (user !== null) chownSync(data, user.uid, user.gid);
    execFileSync(
      path.join(bin, 'initdb'),
      ['-D', data, '-U', 'mooring', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      { ...user, cwd: data, stdio: 'ignore' },
    );
    const server = new PostgresServer(data, await freePort(), syncs);
    await server.open();
    return server;
  }

  /** Starts it, for the first time or again: as long as a process of the killed one still ends, it refuses to. */
  async open(): Promise<void> {
    await waitFor(
      'the database to answer',
      async () => {
        if (this.#child === null || this.#child.exitCode !== null) this.#spawn();
        return await answers(this.url);
      },
      { deadlineMs: 90_000 },
    );
  }

  #spawn(): void {
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.#data}`,
      ...(this.#syncs ? [] : settingsOfTests),
    ].flatMap((setting) => ['-c', setting]);
    const args = ['-D', this.#data, '-p', `${this.#port}`, ...settings];
    this.#child = spawn(path.join(bin ?? '', 'postgres'), args, {
      ...user,
      cwd: this.#data,
      stdio: 'ignore',
    });
  }

  /** As after a power cut of its process: nothing is tidied up. */
  async kill9(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** A copy of its files, made while it is stopped, for `setBack`. It runs again afterwards. */
  async copy(): Promise<string> {
    await this.#end('SIGINT');
    const copy = `${this.#data}-copy`;
    copyFolder(this.#data, copy);
    await this.open();
    return copy;
  }

  /** Ends at once, and continues with what the copy has: what was committed since is lost. */
  async setBack(copy: string): Promise<void> {
    await this.#end('SIGKILL');
    rmSync(this.#data, { recursive: true });
    copyFolder(copy, this.#data);
    await this.open();
  }

  async close(): Promise<void> {
    await this.#end('SIGINT');
    for (const folder of [this.#data, `${this.#data}-copy`]) rmSync(folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    child.kill(signal);
    await ended;
  }
}

/** With the owner of each file. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

/** The address of the server that all tests of a part share (postgres-for-all.ts). */
export function postgresUrl(): string {
  const url = process.env.MOORING_TEST_DATABASE;
  if (url === undefined) throw new Error(noPostgres ?? 'this part of the tests starts no PostgreSQL');
  return url;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}
