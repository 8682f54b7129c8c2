// An agent moves into a hub: its backup is imported into an empty database, and the hub answers as the agent did.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { makeMasterKey } from '../../server/agent.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { startProcesses } from '../support/hub-processes.ts';
import { makeTempFolder, removeFolder, tempFolder } from '../support/temp-folder.ts';

beforeEach(({ skip }) => skip(noPostgres !== null, noPostgres ?? ''));

it('the hub has the files, contents, history, forks and operations of the agent, with their ids', async () => {
  const agent = await startAgent({ args: ['--external-writeback', 'all'] });
  const { owner, client, workspaceId } = await freshWorkspace(agent, 'moving');
  const large = randomBytes(300_000).toString('base64');
  await client.writeFile(workspaceId, '/docs/a.md', 'first\n', {
    semantics: { comments: ['nul \u0000 and \u0001'] },
  });
  const second = await client.writeFile(workspaceId, '/docs/a.md', 'second\n', { ifMatch: '*' });
  await client.writeFile(workspaceId, '/large.txt', large);
  await client.writeFile(workspaceId, '/gone.md', 'gone');
  await client.deleteFile(workspaceId, '/gone.md');
  const fork = await owner.forks.create(workspaceId, { proposalId: 'p1' });
  await owner.writeFile(workspaceId, '/docs/b.md', 'staged', { forkId: fork.forkId });
  const stateOf = async (of: typeof owner) => {
    const paths: object[] = [];
    for await (const { entries } of of.files.treePages(workspaceId, { depth: 10 })) paths.push(...entries);
    const history: object[] = [];
    for await (const entry of of.history.entries(workspaceId, '/')) history.push(entry);
    const events: object[] = [];
    for await (const event of of.events.all(workspaceId)) events.push(event);
    return {
      paths,
      history,
      events,
      a: await of.readFile(workspaceId, '/docs/a.md'),
      large: (await of.readFile(workspaceId, '/large.txt')).content === large,
      staged: await of.readFile(workspaceId, '/docs/b.md', { forkId: fork.forkId }),
      operations: (await of.operations.list(workspaceId)).items,
      forks: await of.forks.list(workspaceId),
    };
  };
  const before = await stateOf(owner);
  const backup = path.join(tempFolder('mooring-backup'), 'backup');
  await owner.agent.backup(backup);

  const url = await hubDatabase(backup);
  const imported = await mooring(['hub', 'import', backup, '--database', url]);
  expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining('Imported 1 workspaces')]);
  const again = await mooring(['hub', 'import', backup, '--database', url]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('The hub has workspaces')]);
  const folder = makeTempFolder('mooring-key');
  onTestFinished(() => removeFolder(folder));
  makeMasterKey(path.join(folder, 'key'));
  const hub = await startProcesses(url, path.join(folder, 'key'), 1);
  expect(await stateOf(hub.client())).toEqual(before);
  // Numbers continue above those of the agent, which may have gone on after the backup.
  const third = await hub
    .client()
    .writeFile(workspaceId, '/docs/a.md', 'third\n', { ifMatch: second.targetRevision });
  expect(Number(third.targetRevision.slice('rev_'.length))).toBeGreaterThan(1_000_000);
});

it('what is no backup is refused, and the hub stays empty', async () => {
  const url = await hubDatabase(tempFolder('mooring-no-import'));
  const { code, stderr } = await mooring([
    'hub',
    'import',
    tempFolder('mooring-no-backup'),
    '--database',
    url,
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('holds no finished backup')]);
});
