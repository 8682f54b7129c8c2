// A database that was set back to an older state, as by a failover to a standby that was behind: one process begins a new epoch, all notice,
// no client continues as if nothing had happened, and desktops bring back what is missing.
import pg from 'pg';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { ownerClient } from '../support/client-of.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub-processes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type Desktop, drop, expectInStep, put, sceneAround } from '../support/remote-scene.ts';
import { openTestStore, testWorkspace } from '../support/store.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

beforeEach(({ skip }) => skip(noPostgres !== null, noPostgres ?? ''));

const numberOf = (eventId: string) => Number(eventId.slice('evt_'.length));

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

it('of two processes one begins the epoch, and a position that was lost is known to be gone', async () => {
  const hubUrl = await hubDatabase(tempFolder('mooring-tail'));
  const [one, two] = [await openTestStore({ hubUrl }), await openTestStore({ hubUrl })];
  for (const name of ['a', 'b', 'c']) await one.put(`/${name}`);
  const { last } = await one.store.events.range(testWorkspace);
  await waitFor(
    'the other process to hear of it',
    async () => (await two.store.events.range(testWorkspace)).last === last,
  );
  const epoch = await one.store.maintenance.epoch();
  const database = await connected(hubUrl);
  await database.query('BEGIN');
  await database.query('DELETE FROM mooring.events WHERE seq > $1', [last - 2]);
  await database.query("UPDATE mooring.counters SET last = $1 WHERE name = 'event'", [last - 2]);
  await database.query('COMMIT');
  await Promise.all([one.store.shared?.epochEnded, two.store.shared?.epochEnded]);
  const errors = [...one.log, ...two.log].filter(({ level }) => level === 'error');
  expect(errors.map(({ details }) => details)).toEqual([{ lastEvent: last - 2, seenEvent: last }]);
  const { store } = await openTestStore({ hubUrl });
  expect(await store.maintenance.epoch()).not.toBe(epoch);
  expect(await store.shared?.lostTails()).toEqual([
    { atMs: expect.any(Number), lastEvent: last - 2, seenEvent: last },
  ]);
  const gone = [last - 2, last - 1, last].map((position) => store.events.isGone(testWorkspace, position));
  expect(await Promise.all(gone)).toEqual([false, true, true]);
});

it('three processes go on by themselves, and desktops send what is missing', {
  timeout: 150_000,
}, async () => {
  const database = await PostgresServer.start();
  onTestFinished(() => database.close());
  const hub = await startHub(database.url, 3);
  const scene = await sceneAround(hub, 2, {
    '/old.md': 'old\n',
    '/edited.md': 'first\n',
    '/deleted.md': 'deleted\n',
  });
  const [anna, ben] = scene.desktops as [Desktop, Desktop];
  const { epoch } = await hub.client.agent.status();
  const copy = await database.copy();
  put(anna, 'new.md', 'written by Anna\n');
  put(ben, 'edited.md', 'edited by Ben\n');
  drop(anna, 'deleted.md');
  await expectInStep(scene);
  // A program that remembers the position of an event that will be lost.
  const newest = await hub.client.events.page(hub.workspaceId, { direction: 'desc', limit: 1 });
  const cursor = newest.events[0]?.eventId ?? '';
  const pids = hub.processes.map(({ pid }) => pid);
  await database.setBack(copy);
  await waitFor('each process to be in the new epoch', async () => {
    const states = await Promise.all(
      hub.processes.map(async (one) => {
        const status = await ownerClient(one)
          .agent.status()
          .catch(() => null);
        return status !== null && status.epoch !== epoch && status.lostTails !== undefined
          ? status.epoch
          : one.url;
      }),
    );
    return new Set(states).size === 1;
  });
  expect(hub.processes.map(({ pid }) => pid)).toEqual(pids);
  const begun = hub.processes.filter(({ stderr }) => stderr.includes('a new epoch was begun'));
  expect(begun).toHaveLength(1);
  for (const one of hub.processes) {
    const { lostTails } = await ownerClient(one).agent.status();
    expect(lostTails).toHaveLength(1);
    const lost = lostTails?.[0];
    if (lost === undefined) throw new Error('no loss is reported');
    // The newest event that the process knew which began the epoch; the notice of a newer one may have been lost with it.
    expect(numberOf(lost.seenEvent)).toBeGreaterThan(numberOf(lost.lastEvent));
    expect(numberOf(lost.seenEvent)).toBeLessThanOrEqual(numberOf(cursor));
    expect(await (await one.fetch('/metrics')).text()).toContain(
      'mooring_store_figure{figure="lostTails"} 1',
    );
    const { checks } = await ownerClient(one).agent.diagnostics();
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: 'lost events',
        state: 'warning',
        detail: expect.stringContaining(lost.seenEvent),
      }),
    );
    expect((await ownerClient(one).events.page(hub.workspaceId, { cursor })).cursorGap).toBe(true);
  }
  const files = await expectInStep(scene);
  expect([...files.keys()]).toEqual(expect.arrayContaining(['/old.md', '/new.md', '/edited.md']));
  const texts = await Promise.all(
    [...files.keys()].map(async (file) => (await hub.client.readFile(hub.workspaceId, file)).content),
  );
  // Nobody knows which of two versions is the newer one: both are kept. What was deleted after the older state comes back.
  expect(new Set(texts)).toEqual(
    new Set(['old\n', 'written by Anna\n', 'first\n', 'edited by Ben\n', 'deleted\n']),
  );
});
