// Two desktops with one server, all of them real agents: what is changed on one arrives on the others.
import { expect, it } from 'vitest';
import { addRemote, filesOf, runningAgent, settle } from '../../support/remote-agents.ts';
import { waitFor } from '../../support/wait-for.ts';

it('brings 300 files to a second agent, and changes both ways', async () => {
  const server = await runningAgent('server');
  const desktop = await runningAgent('desktop');
  const files = Array.from({ length: 300 }, (_, at) => ({
    path: `/dir${at % 7}/file ${at}.md`,
    content: `# ${at}\n${'x'.repeat(at * 3)}\n`,
    ifMatch: '0',
  }));
  await server.client.files.writeMany(server.workspaceId, files);
  const remote = await addRemote(server, desktop, 'desktop-1', server.agent.url);
  expect(remote.state).not.toBe('error');
  expect(await settle(desktop)).toBe(true);
  expect(await filesOf(desktop)).toEqual(await filesOf(server));
  expect((await filesOf(desktop)).size).toBe(300);

  await desktop.client.writeFile(desktop.workspaceId, '/dir1/new.md', 'from the desktop\n');
  await waitFor('the new file on the server', async () => (await filesOf(server)).has('/dir1/new.md'));
  await server.client.writeFile(server.workspaceId, '/dir1/new.md', 'from the server\n', { ifMatch: '*' });
  await server.client.deleteFile(server.workspaceId, '/dir2/file 2.md');
  await waitFor('the deletion on the desktop', async () => !(await filesOf(desktop)).has('/dir2/file 2.md'));
  expect(await settle(desktop)).toBe(true);
  expect(await filesOf(desktop)).toEqual(await filesOf(server));
  const read = await desktop.client.readFile(desktop.workspaceId, '/dir1/new.md');
  expect(read.content).toBe('from the server\n');
});

it('leaves out what is ignored or elsewhere, and deletes it nowhere', async () => {
  const server = await runningAgent('server');
  const desktop = await runningAgent('desktop');
  const namesOf = async (side: typeof server): Promise<readonly string[]> =>
    [...(await filesOf(side)).keys()].sort();
  for (const path of ['/docs/a.md', '/docs/a.tmp', '/docs/build/out.md', '/other.md'])
    await server.client.writeFile(server.workspaceId, path, 'of the server\n');
  for (const path of ['/docs/b.md', '/docs/b.tmp', '/mine.md'])
    await desktop.client.writeFile(desktop.workspaceId, path, 'of the desktop\n');
  const remote = await addRemote(server, desktop, 'desktop-1', server.agent.url, {
    path: '/docs',
    ignoreRules: '*.tmp\n/build/',
  });
  expect([remote.path, remote.ignoreRules]).toEqual(['/docs', '*.tmp\n/build/']);
  expect(await settle(desktop)).toBe(true);
  expect(await namesOf(server)).toEqual([
    '/docs/a.md',
    '/docs/a.tmp',
    '/docs/b.md',
    '/docs/build/out.md',
    '/other.md',
  ]);
  expect(await namesOf(desktop)).toEqual(['/docs/a.md', '/docs/b.md', '/docs/b.tmp', '/mine.md']);
  // Deleted here, an ignored file stays there; and the other way round.
  await desktop.client.deleteFile(desktop.workspaceId, '/docs/b.tmp');
  await server.client.deleteFile(server.workspaceId, '/docs/a.tmp');
  await desktop.client.writeFile(desktop.workspaceId, '/docs/a.tmp', 'kept\n');
  await desktop.client.deleteFile(desktop.workspaceId, '/docs/b.md');
  expect(await settle(desktop)).toBe(true);
  expect(await namesOf(server)).toEqual(['/docs/a.md', '/docs/build/out.md', '/other.md']);
  expect(await namesOf(desktop)).toEqual(['/docs/a.md', '/docs/a.tmp', '/mine.md']);
  const refused = addRemote(server, desktop, 'desktop-2', server.agent.url, {
    ignoreRules: Array.from({ length: 1_001 }, (_, at) => `name${at}`).join('\n'),
  });
  await expect(refused).rejects.toThrow(/1001 rules; 1000 are applied at most/);
});
