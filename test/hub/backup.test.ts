// The drill of docs/hub.md: a dump, its restore into an empty database, a new epoch. Desktops bring back what the dump lacks.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { noPostgresClients, postgresPrograms } from '../../build/postgres.ts';
import { mooring } from '../support/agent-process.ts';
import { startHub, startProcesses } from '../support/hub-processes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type Desktop, expectInStep, put, sceneAround } from '../support/remote-scene.ts';
import { tempFolder } from '../support/temp-folder.ts';

beforeEach(({ skip }) => skip(noPostgresClients !== null, noPostgresClients ?? ''));

it('a hub is restored from a dump, and desktops send what the dump lacks', { timeout: 120_000 }, async () => {
  const database = await PostgresServer.start();
  onTestFinished(() => database.close());
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(path.join(postgresPrograms ?? '', program), [...args], { stdio: 'pipe' });
  const urlOf = (name: string) => Object.assign(new URL(database.url), { pathname: `/${name}` }).href;
  const create = (name: string) =>
    run('createdb', '--encoding', 'UTF8', '--template', 'template0', '--maintenance-db', database.url, name);
  create('first');
  const hub = await startHub(urlOf('first'), 2);
  let { url, client } = { url: hub.url, client: () => hub.client };
  const server = {
    workspaceId: hub.workspaceId,
    url: () => url(),
    get client() {
      return client();
    },
  };
  const scene = await sceneAround(server, 2, { '/before.md': 'before the dump\n' });
  const [one, two] = scene.desktops as [Desktop, Desktop];
  put(one, 'in.md', 'in the dump\n');
  await expectInStep(scene);
  const dump = path.join(tempFolder('mooring-dump'), 'mooring.dump');
  run('pg_dump', '--format=custom', `--file=${dump}`, urlOf('first'));
  const epoch = (await hub.client.agent.status()).epoch;
  put(one, 'after.md', 'after the dump\n');
  put(two, 'in.md', 'edited after the dump\n');
  await expectInStep(scene);
  const early = await mooring(['hub', 'new-epoch', '--database', urlOf('first')]);
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringContaining('Processes of the hub use the database'),
  ]);
  await Promise.all(hub.processes.map((process) => process.kill9()));
  create('restored');
  run('pg_restore', `--dbname=${urlOf('restored')}`, dump);
  const begun = await mooring(['hub', 'new-epoch', '--database', urlOf('restored')]);
  expect(begun.code, begun.stderr).toBe(0);
  const restored = await startProcesses(urlOf('restored'), hub.keyFile, 2);
  url = restored.url;
  client = restored.client;
  expect((await server.client.agent.status()).epoch).not.toBe(epoch);
  const files = await expectInStep(scene);
  expect([...files.keys()]).toEqual(expect.arrayContaining(['/after.md', '/before.md', '/in.md']));
  // Nobody knows which of two versions is the newer one: both are kept.
  const texts = await Promise.all(
    [...files.keys()].map(async (file) => (await server.client.readFile(server.workspaceId, file)).content),
  );
  expect(new Set(texts)).toEqual(
    new Set(['before the dump\n', 'in the dump\n', 'after the dump\n', 'edited after the dump\n']),
  );
});
