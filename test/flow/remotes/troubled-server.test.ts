// A server that restarts, is restored, is replaced, fails, or answers nonsense: nothing is deleted, nothing is lost, and in the end the
// folders and the server are equal, or list their conflicts.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { restoreBackup } from '../../../server/store/maintenance/backup.ts';
import { filesOf, settle } from '../../support/remote-agents.ts';
import {
  type Desktop,
  drop,
  expectInStep,
  folderOf,
  put,
  type RemoteScene,
  remoteOf,
  remoteScene,
} from '../../support/remote-scene.ts';
import { scaled } from '../../support/scale.ts';
import type { Answerer } from '../../support/server-line.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const docs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`/docs/${at}.md`, `# ${at}\n\ntext ${at}\n`]));

const textOf = ({ folder }: Desktop, file: string) => readFileSync(path.join(folder, file), 'utf8');
const copiesIn = (files: ReadonlyMap<string, string>) =>
  [...files.keys()].filter((file) => file.includes('(conflict '));

/** The line breaks and is whole again. */
async function reconnect(desktop: Desktop): Promise<void> {
  desktop.line.cut();
  await waitFor('it to be offline', async () => (await remoteOf(desktop)).state === 'offline');
  desktop.line.mend();
}

async function tryNow(desktop: Desktop): Promise<void> {
  const { remoteId } = await remoteOf(desktop);
  await desktop.client.remotes.resume(desktop.workspaceId, remoteId);
}

it('goes on after a restart of the server, also with what was deleted meanwhile', async () => {
  const scene = await remoteScene(2, docs(12));
  const { server, desktops } = scene;
  const [one, two] = desktops as [Desktop, Desktop];
  await server.agent.kill9();
  drop(one, 'docs/0.md');
  put(one, 'docs/1.md', '# 1\n\nedited here\n');
  put(two, 'docs/new.md', 'new\n');
  expect(await settle(one, 2_000)).toBe(false);
  await waitFor('both changes to be counted', async () => (await remoteOf(one)).pendingLocal === 2);
  const { state, lastSyncAt } = await remoteOf(one);
  expect([state, typeof lastSyncAt]).toEqual(['offline', 'string']);
  await server.agent.start(server.address);
  const files = await expectInStep(scene);
  expect(files.has('/docs/0.md')).toBe(false);
  expect(copiesIn(files)).toEqual([]);
  expect(textOf(two, 'docs/1.md')).toContain('edited here');
  expect(files.size).toBe(12);
});

it('gives a server that was restored from an earlier backup what it lacks', async () => {
  const scene = await remoteScene(2, docs(4));
  const { server, desktops } = scene;
  const [one, two] = desktops as [Desktop, Desktop];
  const backup = path.join(tempFolder('mooring-backups'), 'earlier');
  const made = await server.agent.fetch('/v1/agent/backup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ dir: backup }),
  });
  expect(made.status).toBe(200);
  put(one, 'docs/later.md', 'written after the backup\n');
  put(two, 'docs/1.md', '# 1\n\nedited after the backup\n');
  await expectInStep(scene);
  await server.agent.stop();
  await restoreBackup(backup, server.agent.dataDir);
  put(one, 'docs/while-away.md', 'written while it was restored\n');
  await server.agent.start(server.address);
  // Somebody else writes first, so that its feed has something new.
  await server.client.writeFile(server.workspaceId, '/docs/by-another.md', 'by another\n');
  const files = await expectInStep(scene);
  for (const name of ['later', 'while-away', 'by-another', '0', '1', '2', '3'])
    expect(files.has(`/docs/${name}.md`), name).toBe(true);
  const kept = [...files.keys()].map((file) => textOf(one, file.slice(1))).join('');
  expect(kept).toContain('edited after the backup');
});

it('keeps all files when a server begins anew with the same workspace', async () => {
  const scene = await remoteScene(2, docs(3));
  const { server, desktops } = scene;
  const [one, two] = desktops as [Desktop, Desktop];
  // Another server at the same address, whose feed has as many events and other files.
  const fresh = await server.client.workspaces.create({ name: 'fresh' });
  await server.client.writeFile(fresh.workspaceId, '/docs/0.md', 'another text\n');
  await server.client.writeFile(fresh.workspaceId, '/docs/other.md', 'other\n');
  for (const { line } of [one, two]) {
    line.rewrite = ({ url = '' }) => ({
      url: url.replace(server.workspaceId, fresh.workspaceId),
      authorization: `Bearer ${server.agent.ownerToken}`,
    });
  }
  await Promise.all(desktops.map(reconnect));
  const before = folderOf(one);
  const files = await expectInStep({ server: { ...server, workspaceId: fresh.workspaceId }, desktops });
  expect(files.has('/docs/other.md')).toBe(true);
  // The bytes of each file are still there, where they were or in a conflict copy.
  const hashes = new Set(files.values());
  for (const [file, hash] of before) expect(hashes.has(hash), file).toBe(true);
  // Each desktop keeps its version of the one path that differs.
  expect(new Set(copiesIn(files).map((file) => files.get(file))).size).toBe(1);
  // Back at the first one, what both have in common stays, and nothing is lost.
  for (const { line } of [one, two]) line.rewrite = ({ url = '' }) => ({ url });
  await Promise.all(desktops.map(reconnect));
  const again = new Set((await expectInStep(scene)).values());
  for (const hash of hashes) expect(again.has(hash)).toBe(true);
});

it('gives all files to a server that begins anew and is empty', async () => {
  const scene = await remoteScene(1, docs(12));
  const [desktop] = scene.desktops as [Desktop];
  const before = folderOf(desktop);
  const { workspaceId } = await scene.server.client.workspaces.create({ name: 'fresh' });
  desktop.line.rewrite = ({ url = '' }) => ({
    url: url.replace(scene.server.workspaceId, workspaceId),
    authorization: `Bearer ${scene.server.agent.ownerToken}`,
  });
  await reconnect(desktop);
  await expectInStep({ ...scene, server: { ...scene.server, workspaceId } });
  expect(folderOf(desktop)).toEqual(before);
});

const failing: Answerer = (_incoming, response) => {
  response.writeHead(500, { 'content-type': 'application/json' });
  response.end('{"code":"internal_error","message":"a fault","correlationId":"c"}');
  return true;
};

it('deletes nothing while the server answers 500', async () => {
  const scene = await remoteScene(1, docs(12));
  const [desktop] = scene.desktops as [Desktop];
  const before = folderOf(desktop);
  desktop.line.answerer = failing;
  desktop.line.interrupt();
  put(desktop, 'docs/new.md', 'new\n');
  await waitFor('it to be offline', async () => {
    const { state, cause } = await remoteOf(desktop);
    return state === 'offline' && cause?.includes('a fault');
  });
  for (const [file, hash] of before) expect(folderOf(desktop).get(file)).toBe(hash);
  desktop.line.answerer = null;
  expect((await expectInStep(scene)).size).toBe(13);
});

/** The same server, as its epoch shows. `gone`: it says that it keeps the events after the cursor no longer, so that the list decides. */
const empty =
  (feed: 'gone' | 'empty', epoch: string): Answerer =>
  (incoming, response) => {
    const { url = '' } = incoming;
    const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) => {
      incoming.resume();
      response.writeHead(status, { 'content-type': 'application/json', 'mooring-epoch': epoch, ...headers });
      response.end(JSON.stringify(body));
      return true;
    };
    if (url.includes('/fs/tree')) return json(200, { path: '/', entries: [], nextCursor: null });
    if (url.includes('/fs/events'))
      return json(
        200,
        { events: [], nextCursor: null },
        feed === 'gone' ? { 'mooring-cursor-gap': '1' } : {},
      );
    if (url.includes('/fs/bulk-read')) {
      let text = '';
      incoming.on('data', (part) => (text += String(part)));
      incoming.on('end', () => {
        const { paths = [] } = JSON.parse(text) as { paths?: readonly string[] };
        json(200, {
          files: paths.map((file) => ({
            path: file,
            error: { status: 404, code: 'not_found', message: 'not found' },
          })),
        });
      });
      return true;
    }
    if (incoming.method === 'GET')
      return json(404, { code: 'not_found', message: 'not found', correlationId: 'c' });
    return json(503, { code: 'unavailable', message: 'not now', correlationId: 'c' });
  };

async function epochOf({ server: { agent, workspaceId } }: RemoteScene): Promise<string> {
  const { headers } = await fetch(`${agent.url}/v1/workspaces/${workspaceId}/fs/tree`, {
    headers: {
      authorization: `Bearer ${agent.ownerToken}`,
      'x-correlation-id': 'epoch',
      'mooring-epoch': '*',
    },
  });
  const epoch = headers.get('mooring-epoch');
  if (epoch === null) throw new Error('the server has no epoch');
  return epoch;
}

const emptyLists = [
  ['gone', 3],
  ['empty', 12],
  ['gone', 12],
  ['empty', 3],
] as const;

it.each(emptyLists.slice(0, scaled(2, 4)))(
  'deletes nothing when the list is empty and the feed is %s, of %i files',
  async (feed, count) => {
    const scene = await remoteScene(1, docs(count));
    const [desktop] = scene.desktops as [Desktop];
    const before = folderOf(desktop);
    desktop.line.answerer = empty(feed, await epochOf(scene));
    // A new start asks for the list, with nothing in memory.
    await desktop.agent.restart(desktop.address);
    await waitFor('it to have asked', () => desktop.line.requests > 0);
    await tryNow(desktop);
    if (feed === 'gone')
      await waitFor('it to halt', async () => (await remoteOf(desktop)).halt?.deletions === count);
    else await waitFor('it to be refused', async () => (await remoteOf(desktop)).cause?.includes('not now'));
    expect(folderOf(desktop)).toEqual(before);
    desktop.line.answerer = null;
    expect((await expectInStep(scene)).size).toBe(count);
    expect(await filesOf(scene.server)).toEqual(before);
  },
);
