// A desktop that is killed at each named point of an exchange with its server, and a server that is killed on either side of its commit:
// after the next start both sides are equal, what was saved is there, and nothing was done twice.
import { expect, it } from 'vitest';
import { startKillPointAgent } from '../../support/kill-point-agent.ts';
import { filesOf, type RunningAgent, runningAgent, tokenFileFor } from '../../support/remote-agents.ts';
import { drop, expectInStep, put, remoteScene } from '../../support/remote-scene.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const points = [
  'remote.sent',
  'remote.answered',
  'remote.agreed',
  'remote.fetched',
  'remote.applied',
] as const;

/** Revisions of a file, by the server's history. */
async function revisionsOf(
  { client, workspaceId }: Pick<RunningAgent, 'client' | 'workspaceId'>,
  path: string,
): Promise<number> {
  return (await client.history.page(workspaceId, path)).entries.length;
}

it.each(points)('a desktop that is killed at %s goes on as if nothing had happened', async (point) => {
  const server = await runningAgent('server');
  const dataDir = tempFolder('mooring-desktop');
  const first = await startKillPointAgent(dataDir, null);
  const { workspaceId } = await first.owner.workspaces.create({ name: 'desktop' });
  const content = (name: string) => `${name}\n`.repeat(20);
  for (const name of ['edited', 'deleted', 'kept'])
    await server.client.writeFile(server.workspaceId, `/docs/${name}.md`, content(name));
  await first.owner.remotes.add(workspaceId, {
    url: server.agent.url,
    remoteWorkspaceId: server.workspaceId,
    tokenFile: await tokenFileFor(server, 'desktop'),
  });
  const isSettled = async (owner: typeof first.owner) =>
    (await owner.mirrors.waitUntilSynced({ workspaceId, timeoutMs: 30_000 })).settled;
  expect(await isSettled(first.owner)).toBe(true);

  await first.arm(point, 1);
  // Each of them may be the one that does not return.
  await Promise.allSettled([
    first.owner.writeFile(workspaceId, '/docs/new-here.md', content('new here')),
    first.owner.writeFile(workspaceId, '/docs/edited.md', content('edited here')),
    first.owner.deleteFile(workspaceId, '/docs/deleted.md'),
    server.client.writeFile(server.workspaceId, '/docs/new-there.md', content('new there')),
  ]);
  await first.gone;
  await server.client.writeFile(server.workspaceId, '/docs/while-away.md', content('while away'));

  const second = await startKillPointAgent(dataDir, null);
  const written = await filesOf({ client: second.owner, workspaceId });
  expect(await isSettled(second.owner)).toBe(true);
  const here = await filesOf({ client: second.owner, workspaceId });
  expect(here).toEqual(await filesOf(server));
  expect([...here.keys()].filter((path) => path.includes('conflict'))).toEqual([]);
  for (const path of ['/docs/kept.md', '/docs/new-there.md', '/docs/while-away.md'])
    expect(here.has(path), path).toBe(true);
  for (const [path, hash] of written) expect(here.get(path), path).toBe(hash);
  expect(await revisionsOf(server, '/docs/new-here.md')).toBe(written.has('/docs/new-here.md') ? 1 : 0);
  expect(await revisionsOf(server, '/docs/edited.md')).toBeLessThanOrEqual(2);
  expect(await revisionsOf(server, '/docs/new-there.md')).toBe(1);
});

it.each(['before', 'after'] as const)(
  'a server that is killed %s the commit of what a desktop sends has it once in the end',
  async (when) => {
    const scene = await remoteScene(1, { '/docs/edited.md': 'before\n', '/docs/deleted.md': 'deleted\n' });
    const { server } = scene;
    const [desktop] = scene.desktops;
    if (desktop === undefined) throw new Error('there is no desktop');
    const { line } = desktop;
    let killed: Promise<unknown> | null = null;
    const kill = ({
      method = 'GET',
      url = '',
    }: {
      method?: string | undefined;
      url?: string | undefined;
    }) => {
      const isWrite = method !== 'GET' && !url.includes('bulk-read');
      if (!isWrite || killed !== null) return false;
      killed = server.agent.kill9();
      return true;
    };
    if (when === 'after') line.losesAnswer = kill;
    else
      line.answerer = (incoming, response) => {
        if (!kill(incoming)) return false;
        response.destroy();
        return true;
      };
    put(desktop, 'docs/new.md', 'new\n');
    put(desktop, 'docs/edited.md', 'edited\n');
    drop(desktop, 'docs/deleted.md');
    await waitFor('the server to be killed', () => killed !== null);
    await killed;
    await server.agent.start(server.address);
    const files = await expectInStep(scene);
    expect([...files.keys()].sort()).toEqual(['/docs/edited.md', '/docs/new.md']);
    expect(await revisionsOf(server, '/docs/new.md')).toBe(1);
    expect(await revisionsOf(server, '/docs/edited.md')).toBe(2);
    expect(await revisionsOf(server, '/docs/deleted.md')).toBe(2);
  },
);
