// Desktops with a folder each, three processes of a hub and one database: while people edit, any process is killed and started again, and
// the database is restarted. In the end all folders are equal, and every edit is in a file or in the history of the hub.
import { createHash, randomInt } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { startHub } from '../support/hub-processes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type Desktop, expectInStep, put, sceneAround } from '../support/remote-scene.ts';
import { runOnce } from '../support/run-once.ts';
import { scaled } from '../support/scale.ts';
import { waitFor } from '../support/wait-for.ts';

beforeEach(({ skip }) => skip(noPostgres !== null, noPostgres ?? ''));

const desktopCount = scaled(3, Number(process.env.MOORING_TEST_DESKTOPS ?? 30));
const rounds = scaled(2, 60);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

it('desktops agree after processes of their hub were killed and its database was restarted', {
  ...runOnce,
  timeout: scaled(170_000, 4 * 3_600_000),
}, async () => {
  const database = await PostgresServer.start();
  onTestFinished(() => database.close());
  const hub = await startHub(database.url, 3);
  const scene = await sceneAround(hub, desktopCount, { '/start.md': 'start\n' });
  const own = new Map<string, string>();
  const shared = new Set<string>();
  const edit = (desktop: Desktop, at: number, round: number) => {
    for (const name of ['one', 'two']) {
      const text = `${name} of desktop ${at} in round ${round}\n`;
      put(desktop, `own/${at}/${name}.md`, text);
      own.set(`/own/${at}/${name}.md`, text);
    }
    const text = `shared by desktop ${at} in round ${round}\n`;
    put(desktop, 'shared.md', text);
    shared.add(text);
  };
  for (let round = 0; round < rounds; round += 1) {
    const victim = hub.processes[randomInt(hub.processes.length)];
    for (const [at, desktop] of scene.desktops.entries()) {
      edit(desktop, at, round);
      if (at === 1) await victim?.kill9();
    }
    if (round === rounds - 1) {
      await database.kill9();
      await database.open();
    }
    await victim?.start();
    await waitFor('an answer of each process', async () => {
      const ready = await Promise.all(hub.processes.map(async (one) => (await one.fetch('/ready')).status));
      return ready.every((status) => status === 200);
    });
  }
  const files = await expectInStep(scene, 120_000);
  for (const [path, text] of own) expect(files.get(path), path).toBe(hashOf(text));
  // Two desktops that write one path: a version is the file or a copy of it, or came before one of them.
  const stored = new Set(files.values());
  for await (const { contentHash } of hub.client.history.entries(hub.workspaceId, '/shared.md'))
    if (typeof contentHash === 'string') stored.add(contentHash);
  const lastOfEach = [...shared].filter((text) => text.includes(`round ${rounds - 1}`));
  expect(lastOfEach).toHaveLength(desktopCount);
  for (const text of lastOfEach) expect(stored.has(hashOf(text)), text).toBe(true);
  // No event is missing.
  const sequences: number[] = [];
  for await (const event of hub.client.events.all(hub.workspaceId, { limit: 1_000 }))
    sequences.push(Number(event.eventId.slice('evt_'.length)));
  expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));
});
