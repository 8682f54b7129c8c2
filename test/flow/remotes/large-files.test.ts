// Large files of a remote: a cut or a kill costs what was under way and not what has arrived, nothing is sent twice that is there, and
// small files do not wait for them.
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type KillPointAgent, startKillPointAgent } from '../../support/kill-point-agent.ts';
import { filesOf, type RunningAgent, runningAgent, tokenFileFor } from '../../support/remote-agents.ts';
import { ServerLine } from '../../support/server-line.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { sha256 } from '../../support/trees.ts';
import { waitFor } from '../../support/wait-for.ts';

const mebibyte = 1024 * 1024;
const large = randomBytes(12 * mebibyte);
/** Lists, heads and frames, beside the contents. */
const besideBytes = mebibyte / 2;

interface Scene {
  readonly server: RunningAgent;
  readonly line: ServerLine;
  readonly dataDir: string;
  readonly desktop: KillPointAgent;
  readonly workspaceId: string;
}

/** A desktop that is in step with an empty server. */
async function scene(): Promise<Scene> {
  const server = await runningAgent('server');
  const line = new ServerLine(() => server.agent.url);
  await line.open();
  const dataDir = tempFolder('mooring-desktop');
  const desktop = await startKillPointAgent(dataDir, null);
  const { workspaceId } = await desktop.owner.workspaces.create({ name: 'desktop' });
  const tokenFile = await tokenFileFor(server, 'desktop');
  const remote = { url: line.url, remoteWorkspaceId: server.workspaceId, tokenFile };
  await desktop.owner.remotes.add(workspaceId, remote);
  await settled(desktop, workspaceId);
  return { server, line, dataDir, desktop, workspaceId };
}

async function settled({ owner }: KillPointAgent, workspaceId: string): Promise<void> {
  const { settled: isSettled } = await owner.mirrors.waitUntilSynced({ workspaceId, timeoutMs: 30_000 });
  expect(isSettled).toBe(true);
}

function partBytes(dataDir: string): number {
  const parts = readdirSync(path.join(dataDir, 'remote-parts'), { recursive: true, withFileTypes: true });
  return parts
    .filter((part) => part.isFile())
    .reduce((sum, part) => sum + statSync(path.join(part.parentPath, part.name)).size, 0);
}

it('receives only the rest of a large file after a kill in the middle of it', async () => {
  const { server, line, dataDir, desktop, workspaceId } = await scene();
  await desktop.arm('remote.piece', 60);
  await server.client.files.writeRaw(server.workspaceId, '/large.bin', large, { ifMatch: '0' });
  await desktop.gone;
  const arrived = partBytes(dataDir);
  expect(arrived).toBeGreaterThan(besideBytes);
  expect(arrived).toBeLessThan(large.length);
  // What was on its way to the killed one is not counted.
  line.interrupt();
  line.answeredBytes = 0;
  const second = await startKillPointAgent(dataDir, null);
  await settled(second, workspaceId);
  expect((await filesOf({ client: second.owner, workspaceId })).get('/large.bin')).toBe(sha256(large));
  expect(line.answeredBytes).toBeLessThan(large.length - arrived + besideBytes);
  expect(partBytes(dataDir)).toBe(0);
});

it('receives a part anew whose bytes are not those of the server', async () => {
  const { server, line, dataDir, desktop, workspaceId } = await scene();
  let isBroken = true;
  line.answerer = (incoming, response) => {
    if (incoming.headers.range === undefined || !isBroken) return false;
    isBroken = false;
    const [start = 0, end = 0] = incoming.headers.range.replace('bytes=', '').split('-').map(Number);
    response.writeHead(206, {
      'content-type': 'application/octet-stream',
      'content-range': `bytes ${start}-${end}/${large.length}`,
    });
    response.end(Buffer.alloc(end - start + 1));
    return true;
  };
  await server.client.files.writeRaw(server.workspaceId, '/large.bin', large, { ifMatch: '0' });
  await settled(desktop, workspaceId);
  expect(isBroken).toBe(false);
  expect((await filesOf({ client: desktop.owner, workspaceId })).get('/large.bin')).toBe(sha256(large));
  expect(partBytes(dataDir)).toBe(0);
});

it.each(['remote.sent', 'remote.answered'])(
  'writes a large file once when the desktop is killed at %s',
  async (point) => {
    const { server, line, dataDir, desktop, workspaceId } = await scene();
    await desktop.arm(point, 1);
    await Promise.allSettled([
      desktop.owner.files.writeRaw(workspaceId, '/large.bin', large, { ifMatch: '0' }),
      desktop.gone,
    ]);
    line.askedBytes = 0;
    const second = await startKillPointAgent(dataDir, null);
    await settled(second, workspaceId);
    expect((await filesOf(server)).get('/large.bin')).toBe(sha256(large));
    expect((await server.client.history.page(server.workspaceId, '/large.bin')).entries).toHaveLength(1);
    // What the server has is not sent again.
    if (point === 'remote.answered') expect(line.askedBytes).toBeLessThan(besideBytes);
  },
);

it('sends a large file whole after a cut in the middle of it, and writes it once', async () => {
  const { server, line, desktop, workspaceId } = await scene();
  line.askedBytes = 0;
  await desktop.owner.files.writeRaw(workspaceId, '/large.bin', large, { ifMatch: '0' });
  await waitFor('some of it to be sent', async () => line.askedBytes > mebibyte, { everyMs: 1 });
  line.cut();
  expect((await filesOf(server)).size).toBe(0);
  line.mend();
  await settled(desktop, workspaceId);
  expect((await filesOf(server)).get('/large.bin')).toBe(sha256(large));
  expect((await server.client.history.page(server.workspaceId, '/large.bin')).entries).toHaveLength(1);
});

it('lets small files pass in both directions while large ones are on their way', async () => {
  const { server, line, desktop, workspaceId } = await scene();
  const held: (() => void)[] = [];
  line.answerer = (incoming, response) => {
    if (incoming.headers.range === undefined) return false;
    held.push(() => response.destroy());
    return true;
  };
  for (const name of ['a', 'b', 'c'])
    await server.client.files.writeRaw(server.workspaceId, `/${name}.bin`, large, { ifMatch: '0' });
  await waitFor('two to be asked for', async () => held.length === 2);
  await server.client.writeFile(server.workspaceId, '/there.md', 'there\n');
  await desktop.owner.writeFile(workspaceId, '/here.md', 'here\n');
  const here = { client: desktop.owner, workspaceId };
  await waitFor('the small ones to arrive', async () => {
    return (await filesOf(here)).has('/there.md') && (await filesOf(server)).has('/here.md');
  });
  const [remote] = await desktop.owner.remotes.list(workspaceId);
  expect(remote).toMatchObject({ state: 'syncing', progress: { total: expect.any(Number) } });
  // No more than two at once.
  expect(held).toHaveLength(2);
  line.answerer = null;
  for (const release of held) release();
  await settled(desktop, workspaceId);
  expect(await filesOf(here)).toEqual(await filesOf(server));
});
