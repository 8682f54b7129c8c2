// A database some of whose bytes have changed on the disk: whatever they were, the agent starts and answers rightly or refuses in words,
// or it refuses the start with a remedy. It never ends by itself, and no content file goes.
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MooringClient, MooringError } from '../../sdk/index.ts';
import { Agent, AgentStartError } from '../../server/agent.ts';
import { loadConfig } from '../../server/platform/config/config.ts';
import type { Logger } from '../../server/platform/observe/logger.ts';
import { databaseFileName } from '../../server/store/database/sqlite.ts';
import { CorruptStoreError } from '../../server/store/maintenance/corruption.ts';
import { runs } from '../support/scale.ts';
import { dayMs, openTestStore } from '../support/store.ts';
import { makeTempFolder, removeFolder, tempFolder } from '../support/temp-folder.ts';

const pageBytes = 4_096;
const largeBytes = 80 * 1024;

const whole = makeTempFolder('mooring-whole');
let workspaceId = '';
const texts = new Map<string, string>();

const silent: Logger = {
  fatal: () => undefined,
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  trace: () => undefined,
  child: () => silent,
};

function agentOn(dataDir: string) {
  const loaded = loadConfig({ flags: { dataDir, listen: '127.0.0.1:0', ui: false, logLevel: 'silent' } });
  if (!loaded.ok) throw new Error('the settings are not valid');
  return new Agent(loaded.config, { logger: silent });
}

function clientOf(dataDir: string, baseUrl: string): MooringClient {
  const token = readFileSync(path.join(dataDir, 'owner.token'), 'utf8').trim();
  return new MooringClient({ baseUrl, token, retry: { retries: 0 } });
}

const blobsOf = (dataDir: string) =>
  readdirSync(path.join(dataDir, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{64}$/.test(name),
  );

beforeAll(async () => {
  const agent = agentOn(whole);
  const { url } = await agent.start();
  const client = clientOf(whole, url);
  ({ workspaceId } = await client.workspaces.create({ name: 'w' }));
  for (let number = 0; number < 60; number += 1) {
    const name = `/d${number % 7}/f${number}.txt`;
    const text =
      number % 6 === 0 ? `${number}`.padEnd(largeBytes, 'x') : `text ${number} `.repeat(number * 9);
    texts.set(name, text);
    await client.writeFile(workspaceId, name, text);
  }
  await agent.stop();
  // Old enough for the sweep of what no row names.
  const longAgo = Date.now() / 1000 - 30 * 24 * 3600;
  for (const name of blobsOf(whole)) utimesSync(path.join(whole, 'blobs', name), longAgo, longAgo);
});
afterAll(() => removeFolder(whole));

interface Damage {
  readonly page: number;
  readonly offset: number;
  readonly bytes: readonly number[];
}

function damagedCopy(damages: readonly Damage[]): string {
  const dataDir = makeTempFolder('mooring-damaged');
  mkdirSync(dataDir, { recursive: true });
  for (const name of ['owner.token', 'signing-key.json']) {
    copyFileSync(path.join(whole, name), path.join(dataDir, name));
  }
  cpSync(path.join(whole, 'blobs'), path.join(dataDir, 'blobs'), {
    recursive: true,
    preserveTimestamps: true,
  });
  const database = readFileSync(path.join(whole, databaseFileName));
  for (const { page, offset, bytes } of damages) {
    const at = (page * pageBytes + offset) % database.length;
    for (const [index, byte] of bytes.entries()) {
      if (at + index < database.length) database.writeUInt8(byte, at + index);
    }
  }
  writeFileSync(path.join(dataDir, databaseFileName), database);
  return dataDir;
}

/** An answer, or a refusal that says something; never a fault inside the agent. */
async function asked<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof MooringError)) throw error;
    expect([error.code, error.message]).not.toEqual(['internal_error', 'internal error']);
    return null;
  }
}

async function use(dataDir: string, url: string): Promise<void> {
  const client = clientOf(dataDir, url);
  await asked(client.listTree(workspaceId, { depth: 3 }));
  await asked(client.agent.status());
  await asked(client.workspaces.list());
  for (const [name, text] of texts) {
    const file = await asked(client.readFile(workspaceId, name));
    if (file !== null) expect(file.content === text, `${name} has other bytes than were written`).toBe(true);
  }
  await asked(client.writeFile(workspaceId, '/new.txt', 'new'));
}

async function expectRightOrRefused(damages: readonly Damage[]): Promise<void> {
  await expectRightOrRefusedOn(damagedCopy(damages));
}

async function expectRightOrRefusedOn(dataDir: string): Promise<void> {
  const before = blobsOf(dataDir);
  const agent = agentOn(dataDir);
  try {
    const { url } = await agent.start();
    await use(dataDir, url);
  } catch (error) {
    if (!(error instanceof AgentStartError)) throw error;
    expect(error.message).toMatch(/corrupted|newer Mooring/);
    expect(error.remedy).not.toBe('');
  } finally {
    await agent.stop().catch(() => undefined);
    expect(blobsOf(dataDir).filter((name) => before.includes(name))).toEqual(before);
    removeFolder(dataDir);
  }
}

const damage = fc.record({
  page: fc.nat({ max: 400 }),
  offset: fc.oneof(fc.nat({ max: 120 }), fc.nat({ max: pageBytes - 1 })),
  bytes: fc.oneof(
    fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 4 }),
    fc.constantFrom<number[]>(Array<number>(64).fill(0), Array<number>(pageBytes).fill(0xa5)),
  ),
});

test('damaged pages are refused in words or answered rightly, and cost no content file', async () => {
  await fc.assert(fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), expectRightOrRefused), {
    ...runs(12, 600_000),
    endOnFailure: true,
  });
});

test('a read by path never returns the file of another path', async () => {
  // A search by key ended at the row of another file, whose key and page header were damaged.
  await expectRightOrRefused([
    { page: 285, offset: 2251, bytes: [229, 72, 141] },
    { page: 262, offset: 114, bytes: Array<number>(pageBytes).fill(0xa5) },
  ]);
});

test('a name of a column that is changed in the schema is damage, though every page is sound', async () => {
  const database = readFileSync(path.join(whole, databaseFileName));
  const damages: Damage[] = [];
  // Also where an earlier form of the text was left on its page.
  for (let at = 0; at >= 0; ) {
    at = database.indexOf('CREATE TABLE events', at + 1);
    if (at >= 0)
      damages.push({ page: 0, offset: database.indexOf('origin', at), bytes: [...Buffer.from('orange')] });
  }
  expect(damages).not.toEqual([]);
  await expectRightOrRefused(damages);
});

test.each([
  ['workspaces', 'created_at', -99_388_692_437_291],
  ['workspaces', 'created_at', 253_402_300_800_000],
  ['entries', 'updated_at', -1],
] as const)(
  'a time in %s.%s that no date-time says (%i) is damage, though every page is sound',
  async (...damaged) => {
    const [table, column, timeMs] = damaged;
    const dataDir = damagedCopy([]);
    const database = new DatabaseSync(path.join(dataDir, databaseFileName));
    database.prepare(`UPDATE ${table} SET ${column} = ?`).run(timeMs);
    database.close();
    // No answer has it: each is held against the documents.
    await expectRightOrRefusedOn(dataDir);
  },
);

test('retention removes nothing while an index says that nobody names a content', async () => {
  const dataDir = tempFolder('mooring-damaged');
  const settings = { historyRevisionsMin: 1 };
  const { store, put, clock } = await openTestStore({ dataDir, settings });
  await put('/large', Buffer.alloc(largeBytes, 1));
  // An old revision gives retention something to remove: it checks the contents only then.
  await put('/small', 'one');
  await put('/small', 'two');
  clock.now += 31 * dayMs;
  await store.close();
  for (const name of blobsOf(dataDir)) utimesSync(path.join(dataDir, 'blobs', name), 1, 1);
  // The row's key has one bit less than the hash that its file is named after.
  const file = path.join(dataDir, databaseFileName);
  const database = readFileSync(file);
  const hash = Buffer.from(path.basename(blobsOf(dataDir)[0] ?? ''), 'hex');
  let changed = 0;
  for (let at = database.indexOf(hash); at >= 0; at = database.indexOf(hash, at + 1)) {
    // One of the places: rows of the history still name it.
    if (changed === 0) database.writeUInt8(database.readUInt8(at + 31) ^ 1, at + 31);
    changed += 1;
  }
  expect(changed).toBeGreaterThan(1);
  writeFileSync(file, database);
  rmSync(`${file}-wal`, { force: true });
  const again = await openTestStore({ dataDir, clock, settings });
  await expect(again.store.maintenance.applyRetention(clock.now)).rejects.toBeInstanceOf(CorruptStoreError);
  expect(blobsOf(dataDir)).toHaveLength(1);
});
