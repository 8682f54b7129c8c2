// The rows of saved files, written by nothing but statements: what PostgreSQL takes on this machine, with the durability, the tables and
// the groups of a hub.
import { createHash } from 'node:crypto';
import pg from 'pg';

const tables = ['counters', 'entries', 'history', 'events', 'operations', 'blobs', 'commits'];

const saved = `unnest($1::text[], $2::bigint[], $3::bytea[], $4::bytea[]) AS row (path, number, hash, bytes)`;
const statements = {
  lock: 'SELECT name, last FROM floor.counters ORDER BY name FOR NO KEY UPDATE',
  load: `SELECT wanted.path, entries.* FROM unnest($1::text[]) AS wanted (path)
    LEFT JOIN LATERAL (SELECT * FROM floor.entries AS one WHERE one.workspace = 1 AND one.path = wanted.path LIMIT 1) AS entries ON true`,
  blobs: `INSERT INTO floor.blobs (hash, size, refs, bytes) SELECT row.hash, 1024, 1, row.bytes FROM ${saved}
    ON CONFLICT (hash) DO UPDATE SET refs = blobs.refs + 1`,
  entries: `INSERT INTO floor.entries (workspace, path, updated_at, revision, hash, size, content_type, base64, semantics)
    SELECT 1, row.path, row.number, row.number, row.hash, 1024, 'text/plain', 0, '{}' FROM ${saved}
    ON CONFLICT (workspace, path) DO UPDATE SET updated_at = excluded.updated_at, revision = excluded.revision, hash = excluded.hash,
      size = excluded.size, content_type = excluded.content_type, base64 = excluded.base64, semantics = excluded.semantics`,
  history: `INSERT INTO floor.history (workspace, path, revision, action, hash, size, content_type, base64, actor_kind, actor_name,
      token_id, origin, correlation_id, operation, at)
    SELECT 1, row.path, row.number, 0, row.hash, 1024, 'text/plain', 0, 0, 'bench', 'tok_bench', 0, 'bench', row.number, row.number FROM ${saved}`,
  events: `INSERT INTO floor.events (workspace, seq, type, path, revision, hash, origin, provider, correlation_id, at)
    SELECT 1, row.number, 'file.updated', row.path, row.number, row.hash, 0, 'bench', 'bench', row.number FROM ${saved}`,
  operations: `INSERT INTO floor.operations (workspace, number, path, revision, action, provider, status, attempts, correlation_id,
      created_at, updated_at)
    SELECT 1, row.number, row.path, row.number, 1, 'bench', 1, 0, 'bench', row.number, row.number FROM ${saved}`,
  numbers: `UPDATE floor.counters SET last = $1 WHERE name IN ('revision', 'event', 'operation')`,
  mark: 'INSERT INTO floor.commits (id, at) VALUES ($1, $2)',
};

export class PostgresFloor {
  readonly #client: pg.Client;
  #last = 0;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Beside a hub's tables: empty ones of the same form. */
  static async start(url: string): Promise<PostgresFloor> {
    const client = new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig);
    await client.connect();
    await client.query('CREATE SCHEMA floor');
    for (const table of tables)
      await client.query(`CREATE TABLE floor.${table} (LIKE mooring.${table} INCLUDING ALL)`);
    await client.query('INSERT INTO floor.counters SELECT name, 0 FROM mooring.counters');
    return new PostgresFloor(client);
  }

  /** Saved files a second: one transaction after the other, each with as many files, in two round trips as those of a hub. */
  async rate(seconds: number, files: number, pathOf: (n: number) => string): Promise<number> {
    const begun = performance.now();
    let written = 0;
    while (performance.now() - begun < seconds * 1000) {
      await this.#group(files, pathOf);
      written += files;
    }
    return written / ((performance.now() - begun) / 1000);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #group(files: number, pathOf: (n: number) => string): Promise<void> {
    const numbers = Array.from({ length: files }, (_, n) => this.#last + n + 1);
    const contents = numbers.map((number) => Buffer.from(`${number}`.padEnd(1024, 'z')));
    const hashes = contents.map((bytes) => createHash('sha256').update(bytes).digest());
    const paths = numbers.map(pathOf);
    const rows = [paths, numbers, hashes, contents];
    this.#last += files;
    await Promise.all([this.#run('BEGIN'), this.#run('lock'), this.#run('load', [paths])]);
    await Promise.all([
      this.#run('blobs', rows),
      this.#run('entries', rows),
      this.#run('history', rows),
      this.#run('events', rows),
      this.#run('operations', rows),
      this.#run('numbers', [this.#last]),
      this.#run('mark', [crypto.randomUUID(), this.#last]),
      this.#run('COMMIT'),
    ]);
  }

  async #run(name: keyof typeof statements | 'BEGIN' | 'COMMIT', values?: readonly unknown[]): Promise<void> {
    if (name === 'BEGIN' || name === 'COMMIT') await this.#client.query(name);
    else await this.#client.query({ name, text: statements[name], values: [...(values ?? [])] });
  }
}
