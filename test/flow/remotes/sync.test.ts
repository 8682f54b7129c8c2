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

it('keeps metadata that the server got while the content changed here', async () => {
  const server = await runningAgent('server');
  const desktop = await runningAgent('desktop');
  await server.client.writeFile(server.workspaceId, '/a.md', 'one\n', {
    semantics: { properties: { owner: 'ann', team: 'web' } },
  });
  const { remoteId } = await addRemote(server, desktop, 'desktop-1', server.agent.url);
  expect(await settle(desktop)).toBe(true);
  await desktop.client.remotes.pause(desktop.workspaceId, remoteId);
  await server.client.writeFile(server.workspaceId, '/a.md', 'one\n', {
    semantics: { properties: { owner: 'ann', team: 'web', status: 'done' } },
  });
  await desktop.client.writeFile(desktop.workspaceId, '/a.md', 'two\n', {
    semantics: { properties: { owner: 'bob', team: 'web' } },
  });
  await desktop.client.remotes.resume(desktop.workspaceId, remoteId);
  expect(await settle(desktop)).toBe(true);
  for (const { client, workspaceId } of [server, desktop])
    expect(await client.readFile(workspaceId, '/a.md')).toMatchObject({
      content: 'two\n',
      semantics: { properties: { owner: 'bob', team: 'web', status: 'done' } },
    });
  // Neither of them was taken for two edits.
  expect([...(await filesOf(server)).keys()]).toEqual(['/a.md']);

  // Metadata alone, also of access rules.
  const rules = '/docs/.relayfile.acl';
  for (const note of ['first', 'second']) {
    await server.client.writeFile(
      server.workspaceId,
      rules,
      JSON.stringify({ semantics: { permissions: [] } }),
      {
        ifMatch: '*',
        semantics: { properties: { note } },
      },
    );
    expect(await settle(desktop)).toBe(true);
    expect(await desktop.client.readFile(desktop.workspaceId, rules)).toMatchObject({
      semantics: { properties: { note } },
    });
  }
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
