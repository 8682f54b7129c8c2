// Asks whether the stores of two processes on one database obey the rules of a hub, and prints those that they break, one a line.
// Started by test/hub/planted-faults.test.ts with the address of an empty database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Precondition } from '../../server/core/change/change.ts';
import type { Store } from '../../server/store/port/store.ts';
import { DatabaseLife } from '../../server/store/postgres/database-life.ts';
import { Link } from '../../server/store/postgres/link.ts';
import { openHub } from '../../server/store/postgres/open-hub.ts';
import { PostgresWriteStatements } from '../../server/store/postgres/write-statements.ts';
import { createEventFeed } from '../../server/workspaces/event-feed.ts';
import { DatabaseLine } from './database-line.ts';

const [url = '', ...only] = process.argv.slice(2);
const workspaceId = 'rw_rules001';
const folder = mkdtempSync(path.join(tmpdir(), 'mooring-rules-'));
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function open(name: string, databaseUrl = url): Promise<Store> {
  return await openHub(
    { url: databaseUrl, masterKey: new Uint8Array(32).fill(7) },
    {
      dataDir: path.join(folder, name),
      logger: quiet,
      clock: { nowMs: () => Date.now() },
      settings: { historyDays: 30, historyRevisionsMin: 20, externalWriteback: 'all' },
    },
  );
}

/** The revision, or null: another one was faster. */
async function put(store: Store, file: string, text: string, after: number | null): Promise<number | null> {
  const precondition: Precondition =
    after === null ? { kind: 'any' } : { kind: 'revision', revision: `rev_${after}` };
  const content = await store.content.stage(Buffer.from(text));
  const [result] = await store.content.change({
    kind: 'change_files',
    workspaceId,
    atomic: false,
    actor: { kind: 'system', name: 'rules', tokenId: null },
    origin: 'agent_write',
    access: null,
    correlationId: 'rules',
    makesOperations: true,
    changes: [
      {
        kind: 'write_file',
        path: file,
        precondition,
        content,
        defaultContentType: 'text/plain',
        encoding: 'utf-8',
      },
    ],
  });
  return result?.ok === true ? result.revision : null;
}

function expectEqual(found: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${one} in place of ${other}`);
}

async function expectGapless(store: Store): Promise<readonly (string | null)[]> {
  const { events } = await store.events.after(workspaceId, 0, 1_000);
  const first = events[0]?.seq ?? 0;
  expectEqual(
    events.map(({ seq }) => seq),
    events.map((_event, index) => first + index),
  );
  return events.map((event) => event.path);
}

const rounds = 12;

/** `act` runs while nobody gets the first lock of writers, until so many of them wait for it. */
async function whileLocked(
  waiting: number,
  act: () => Promise<unknown>,
  look: (client: pg.Client) => Promise<void> = async () => undefined,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'rules' });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT 1 FROM mooring.counters WHERE name = 'revision' FOR UPDATE");
    const acting = act();
    for (let found = 0; found < waiting; ) {
      const { rowCount } = await client.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      found = rowCount ?? 0;
    }
    await look(client);
    await client.query('COMMIT');
    await acting;
  } finally {
    await client.end();
  }
}

const rules: Readonly<Record<string, (one: Store, two: Store) => Promise<void>>> = {
  async 'a transaction that was rolled back is no commit'() {
    const { known } = await DatabaseLife.read(url);
    const link = new Link({ url, applicationName: 'mooring rules', life: known });
    try {
      const statements = new PostgresWriteStatements(link.open().end, () => crypto.randomUUID(), Date.now);
      statements.begin([]);
      try {
        statements.get('SELECT 1 / (SELECT count(*) FROM meta WHERE key IS NULL)');
      } catch {
        // The server now answers all but the end of the transaction with an error, and COMMIT with the tag ROLLBACK.
      }
      let hasCommitted = true;
      try {
        statements.commit();
      } catch {
        hasCommitted = false;
      }
      expectEqual(hasCommitted, false);
    } finally {
      await link.close();
    }
  },
  async 'processes have one order'(one, two) {
    const file = '/counter';
    let last = await put(one, file, '0', null);
    for (let round = 1; round <= rounds; round += 1)
      await whileLocked(2, async () => {
        const revisions = await Promise.all([one, two].map((store) => put(store, file, `${round}`, last)));
        const winners = revisions.filter((revision) => revision !== null);
        expectEqual(winners.length, 1);
        last = winners[0] ?? null;
      });
    expectEqual((await expectGapless(one)).filter((name) => name === file).length, rounds + 1);
  },
  async 'processes do not wait for each other in a circle'(one) {
    const others = "SELECT 1 FROM mooring.counters WHERE name <> 'revision'";
    for (let round = 0; round < rounds; round += 1)
      await whileLocked(
        1,
        async () => await put(one, '/circle', `${round}`, null),
        async (client) => {
          // Who waits for the first row has none of the others.
          const free = await client.query(`${others} FOR UPDATE SKIP LOCKED`);
          expectEqual(free.rowCount, (await client.query(others)).rowCount);
        },
      );
  },
  async 'a cursor of another process is known'(one, two) {
    for (let round = 0; round < rounds; round += 1) {
      await put(one, '/cursor', `${round}`, null);
      const { last } = await one.events.range(workspaceId);
      // It has heard of nothing yet.
      const feed = createEventFeed(two);
      try {
        expectEqual((await feed.tip(workspaceId)) >= last, true);
      } finally {
        await feed.close();
      }
    }
  },
  async 'leases belong to their process'(one, two) {
    await put(one, '/provider/a', 'a', null);
    const request = { workspaceId, provider: 'provider', atMs: Date.now(), leaseMs: 30_000, limit: 1 };
    expectEqual((await one.writebacks.lease({ ...request, owner: 'one' })).length, 1);
    expectEqual(await two.writebacks.release({ owner: 'two', atMs: Date.now() }), 0);
    expectEqual((await two.writebacks.lease({ ...request, owner: 'two' })).length, 0);
  },
  async 'what was committed is not run again'(one) {
    const line = await DatabaseLine.open(url, 'mooring');
    const three = await open('three', line.url);
    try {
      let after = await put(three, '/cut', '0', null);
      for (let statement = 1; ; statement += 1) {
        line.cutAt({ statement, when: 'after' });
        after = await put(three, '/cut', `${statement}`, after);
        expectEqual(after !== null, true);
        if (!line.mend()) break;
      }
      const current = await one.files.get(workspaceId, '/cut');
      expectEqual(current?.type === 'file' ? current.revision : null, after);
      await expectGapless(one);
    } finally {
      await three.close();
      line.close();
    }
  },
};

const stores = [await open('one'), await open('two')] as const;
await stores[0].workspaces.create({ workspaceId, name: 'rules', createdAtMs: Date.now() });
for (const [name, rule] of Object.entries(rules)) {
  if (only.length > 0 && !only.includes(name)) continue;
  try {
    await rule(...stores);
  } catch (error) {
    console.log(name);
    console.error(name, error);
  }
}
for (const store of stores) await store.close();
rmSync(folder, { recursive: true });
