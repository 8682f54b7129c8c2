// Two desktops that work apart, die and come back, and one server between them: what was saved is in both folders in the end.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Conflict } from '../../../sdk/index.ts';
import { mooring } from '../../support/agent-process.ts';
import { filesOf } from '../../support/remote-agents.ts';
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
import { isLong, scaled } from '../../support/scale.ts';
import { sha256 } from '../../support/trees.ts';
import { waitFor } from '../../support/wait-for.ts';

const textAt = (at: number) => `# ${at}\n\ntext ${at}\n`;
const docs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`/docs/${at}.md`, textAt(at)]));
const hashOf = (text: string) => sha256(Buffer.from(text));

function cutAll(desktops: readonly Desktop[]): Promise<unknown> {
  for (const { line } of desktops) line.cut();
  return Promise.all(
    desktops.map((desktop) =>
      waitFor('it to be offline', async () => (await remoteOf(desktop)).state === 'offline'),
    ),
  );
}

it('unites 100 disjoint changes of both desktops', async () => {
  const filesBefore = scaled(120, 300);
  const scene = await remoteScene(2, docs(filesBefore));
  const [one, two] = scene.desktops as [Desktop, Desktop];
  expect(folderOf(one)).toEqual(folderOf(two));
  expect(folderOf(one).size).toBe(filesBefore);
  const expected = new Map(folderOf(one));
  for (let at = 0; at < 100; at += 1) {
    const desktop = at % 2 === 0 ? one : two;
    const path = at % 4 < 2 ? `docs/${at}.md` : `new/${at}.md`;
    if (at % 10 === 0) {
      drop(desktop, `docs/${at}.md`);
      expected.delete(`/docs/${at}.md`);
    } else {
      put(desktop, path, `changed ${at}\n`);
      expected.set(`/${path}`, hashOf(`changed ${at}\n`));
    }
  }
  const files = await expectInStep(scene);
  expect(new Map([...files].sort())).toEqual(new Map([...expected].sort()));
});

const editsApart = scaled(100, 1_000);

it(`merges or lists ${editsApart} edits on both sides of a cut line within 10 s of its end`, async () => {
  const count = editsApart;
  const scene = await remoteScene(2, docs(count));
  const [one, two] = scene.desktops as [Desktop, Desktop];
  await cutAll(scene.desktops);
  for (let at = 0; at < count; at += 1) {
    // Other lines at most paths, the same line at some.
    put(one, `docs/${at}.md`, `# ${at} of one\n\ntext ${at}\n`);
    put(
      two,
      `docs/${at}.md`,
      at % 50 === 0 ? `# ${at} of two\n\ntext ${at}\n` : `# ${at}\n\ntext ${at}\nof two\n`,
    );
  }
  // Both folders are read into the workspaces before the line is whole again.
  for (const desktop of scene.desktops) {
    const saved = [...folderOf(desktop)];
    await waitFor('the edits to be seen', async () => {
      const listed = await filesOf(desktop);
      return saved.every(([path, hash]) => listed.get(path) === hash);
    });
  }
  if (isLong) await delay(60_000);
  const start = performance.now();
  for (const { line } of scene.desktops) line.mend();
  const files = await expectInStep(scene, scaled(60_000, 20_000));
  const tookMs = Math.round(performance.now() - start);
  process.stdout.write(`in step ${tookMs} ms after the line was whole again\n`);
  expect(tookMs).toBeLessThan(scaled(30_000, 10_000));
  const copies = [...files.keys()].filter((path) => path.includes('(conflict '));
  expect(copies).toHaveLength(count / 50);
  expect(files.size).toBe(count + copies.length);
  for (let at = 0; at < count; at += 1)
    if (at % 50 !== 0)
      expect(files.get(`/docs/${at}.md`)).toBe(hashOf(`# ${at} of one\n\ntext ${at}\nof two\n`));
  const listed = await Promise.all(
    scene.desktops.map(async (desktop) => (await remoteOf(desktop)).conflicts),
  );
  expect(listed.reduce((sum, conflicts) => sum + conflicts, 0)).toBe(copies.length);
});

it('lists a conflict with its versions, ends it as a person chooses, or with its copy', async () => {
  const scene = await remoteScene(2, { '/a.md': 'base\n', '/b.md': 'base\n' });
  const [one, two] = scene.desktops as [Desktop, Desktop];
  for (const { line } of scene.desktops) line.cut();
  for (const path of ['a.md', 'b.md']) {
    put(one, path, 'of one\n');
    put(two, path, 'of two\n');
  }
  for (const desktop of scene.desktops)
    await waitFor('both edits to be counted', async () => (await remoteOf(desktop)).pendingLocal === 2);
  one.line.mend();
  await waitFor(
    'the server to have them',
    async () => (await filesOf(scene.server)).get('/b.md') === hashOf('of one\n'),
  );
  two.line.mend();
  await expectInStep(scene);
  const { client, workspaceId } = two;
  const listed = await client.conflicts.list(workspaceId);
  const conflicts = listed.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const { remoteId, url } = await remoteOf(two);
  expect(conflicts).toMatchObject([
    { path: '/a.md', kind: 'both_edited', remoteId, url, mirrorId: null, dir: null },
    { path: '/b.md', kind: 'both_edited', remoteId },
  ]);
  const [first, second] = conflicts as [Conflict, Conflict];
  const shown = await client.conflicts.get(workspaceId, first.conflictId);
  expect([shown.base?.content, shown.folder?.content, shown.workspace?.content]).toEqual([
    'base\n',
    'of two\n',
    'of one\n',
  ]);
  await client.conflicts.resolve(workspaceId, first.conflictId, { keep: 'folder' });
  drop(two, second.copyPath.slice(1));
  const files = await expectInStep(scene);
  expect(files.get('/a.md')).toBe(hashOf('of two\n'));
  expect(files.get('/b.md')).toBe(hashOf('of one\n'));
  expect([files.size, (await remoteOf(two)).conflicts]).toEqual([2, 0]);
  expect(await client.conflicts.list(workspaceId)).toEqual([]);
  const { checks } = await client.agent.diagnostics();
  expect(checks.filter(({ name }) => name === `remote ${url}`)).toMatchObject([
    { state: 'ok', detail: expect.stringContaining('the token is valid') },
  ]);
});

/** Saves on both desktops while something is killed again and again; every saved text must be there in the end. */
async function workWhile(scene: RemoteScene, kill: (round: number) => Promise<void>): Promise<void> {
  const [one, two] = scene.desktops as [Desktop, Desktop];
  const expected = new Map<string, string>();
  for (let round = 0; round < scaled(2, 40); round += 1) {
    for (let at = 0; at < 20; at += 1) {
      const desktop = at % 2 === 0 ? one : two;
      const [path, text] = [`work/${round}-${at}.md`, `round ${round}, file ${at}\n`];
      put(desktop, path, text);
      expected.set(`/${path}`, hashOf(text));
    }
    await kill(round);
  }
  const files = await expectInStep(scene);
  for (const [path, hash] of expected) expect(files.get(path), path).toBe(hash);
  expect([...files.keys()].filter((path) => path.includes('(conflict '))).toEqual([]);
  expect(files.size).toBe(expected.size + 5);
}

it('loses and doubles nothing when the server is killed during the work', async () => {
  const scene = await remoteScene(2, docs(5));
  const { server } = scene;
  await workWhile(scene, async (round) => {
    // In the middle of what the desktops send.
    await waitFor('something to arrive', async () =>
      [...(await filesOf(server)).keys()].some((path) => path.startsWith(`/work/${round}-`)),
    );
    await server.agent.kill9();
    await server.agent.start(server.address);
  });
});

it('loses and doubles nothing when a desktop is killed during the work', async () => {
  const scene = await remoteScene(2, docs(5));
  await workWhile(scene, async (round) => {
    const { agent, address } = scene.desktops[round % 2] as Desktop;
    await agent.kill9();
    await agent.start(address);
  });
});

const halts = [
  ['here', '--restore', 20],
  ['there', '--accept-deletions', 4],
  ['here', '--accept-deletions', 4],
  ['there', '--restore', 20],
] as const;

it.each(halts.slice(0, scaled(2, 4)))(
  'holds a mass deletion %s until a person answers %s',
  async (side, answer, left) => {
    const scene = await remoteScene(1, docs(20));
    const { server } = scene;
    const [desktop] = scene.desktops as [Desktop];
    const { client, workspaceId } = side === 'here' ? server : desktop;
    await cutAll(scene.desktops);
    for (let at = 0; at < 16; at += 1) await client.deleteFile(workspaceId, `/docs/${at}.md`);
    desktop.line.mend();
    const { halt } = await waitFor('it to halt', async () => {
      const remote = await remoteOf(desktop);
      return remote.state === 'halted' && remote;
    });
    expect(halt).toMatchObject({ side, deletions: 16, files: 20 });
    expect((await filesOf(side === 'here' ? desktop : server)).size).toBe(20);
    // The halt is kept over a restart.
    await desktop.agent.kill9();
    await desktop.agent.start(desktop.address);
    expect((await remoteOf(desktop)).halt).toMatchObject({ side, deletions: 16, files: 20 });
    const run = await mooring(['remote', 'resume', desktop.workspaceId, answer], {
      dataDir: desktop.agent.dataDir,
    });
    expect(run.stderr + String(run.code)).toMatch(/0$/);
    const count = await waitFor('the answer to be carried out', async () => {
      const sizes = [(await filesOf(desktop)).size, (await filesOf(server)).size, folderOf(desktop).size];
      return sizes.every((size) => size === left) && left;
    });
    expect(count).toBe(left);
  },
);
