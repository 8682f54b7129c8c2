// The mirror of a fork: the folder of a run. The engine is that of every mirror; here is what differs.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forkPathsMax } from '../../server/core/change/forks.ts';
import { MirrorHarness } from '../support/mirror-harness.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

let rig: MirrorHarness;
let forkId: string;
let dir: string;

beforeEach(async () => {
  rig = new MirrorHarness(tempFolder('mooring-fork-folder'));
  await rig.start();
});
afterEach(() => rig.stop());

const actor = { kind: 'token', name: 'tester', tokenId: null } as const;
const any = { kind: 'any' } as const;

async function put(file: string, text: string, fork?: string): Promise<void> {
  const { workspaceId } = rig;
  const files = fork === undefined ? rig.workspaces : await rig.forks.files(workspaceId, fork);
  const [result] = await files.change({
    workspaceId,
    changes: [
      {
        kind: 'write_file',
        path: file,
        precondition: any,
        content: await rig.workspaces.stage(new TextEncoder().encode(text)),
        defaultContentType: 'text/plain',
        encoding: 'utf-8',
      },
    ],
    atomic: false,
    actor,
    origin: 'agent_write',
    access: null,
    correlationId: 'corr-fork',
    makesOperations: true,
  });
  expect(result).toMatchObject({ ok: true });
}

/** Path -> text, of the fork or of the workspace. */
async function files(fork?: string): Promise<Record<string, string>> {
  const { workspaceId } = rig;
  const source = fork === undefined ? rig.workspaces : await rig.forks.files(workspaceId, fork);
  const filter = { path: '/', properties: {} };
  const { items } = await source.query(workspaceId, filter, { afterPath: null, limit: 1000, access: null });
  const texts: Record<string, string> = {};
  for (const { entry } of items)
    texts[entry.path] = Buffer.from((await rig.workspaces.readContent(entry.hash)) ?? []).toString();
  return texts;
}

function folder(): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const below = `/${path.relative(dir, file)}`;
    if (entry.isFile() && !below.startsWith('/.mooring')) texts[below] = readFileSync(file, 'utf8');
  }
  return texts;
}

async function openFork(): Promise<void> {
  const created = await rig.forks.create({
    workspaceId: rig.workspaceId,
    proposalId: crypto.randomUUID(),
    ttlSeconds: 3600,
    by: actor,
    creatorTokens: [],
  });
  if (created.kind !== 'open') throw new Error(created.kind);
  forkId = created.fork.forkId;
  dir = path.join(rig.dataDir, 'runs', 'one');
  mkdirSync(path.dirname(dir), { recursive: true });
  await rig.manager.add(rig.workspaceId, dir, { forkId });
  await settle();
}

async function settle(): Promise<void> {
  const outcome = await rig.manager.ofForks.settle(forkId, { timeoutMs: 30_000 });
  if (outcome?.settled !== true) throw new Error(`not settled: ${JSON.stringify(outcome, null, 1)}`);
}

const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
  writeFileSync(path.join(dir, file), text);
};

test('the folder shows the fork, and its changes are staged; the workspace and its own mirror do not change', async () => {
  for (const file of ['/a', '/d/b', '/d/c', '/move']) await put(file, `text of ${file}`);
  await rig.mirror();
  const live = await files();
  await openFork();
  expect(folder()).toEqual(live);
  write('a', 'changed');
  write('new/deep/file', 'new');
  rmSync(path.join(dir, 'd'), { recursive: true });
  renameSync(path.join(dir, 'move'), path.join(dir, 'moved'));
  await settle();
  const expected = { '/a': 'changed', '/moved': 'text of /move', '/new/deep/file': 'new' };
  expect(await files(forkId)).toEqual(expected);
  expect(folder()).toEqual(expected);
  await rig.settle();
  expect(await files()).toEqual(live);
  expect(existsSync(rig.at('new'))).toBe(false);
  expect((await rig.manager.list()).map((one) => one.dir)).toEqual([rig.root]);
  const { workspaceId } = rig;
  const request = { workspaceId, forkId, access: null, actor, correlationId: 'corr-fork' };
  expect(await rig.forks.commit(request)).toMatchObject({ kind: 'committed', isWhole: true });
  await rig.settle();
  expect(await files()).toEqual(expected);
  expect(rig.read('a')).toBe('changed');
});

test('what a full fork does not take is a problem of its path, the rest is synced, and room is used', async () => {
  await put('/run/old', 'old');
  const created = await rig.forks.create({
    workspaceId: rig.workspaceId,
    proposalId: crypto.randomUUID(),
    ttlSeconds: 3600,
    by: actor,
    creatorTokens: [],
  });
  if (created.kind !== 'open') throw new Error(created.kind);
  forkId = created.fork.forkId;
  const content = async () => await rig.workspaces.stage(new TextEncoder().encode('x'));
  const outside = await rig.forks.files(rig.workspaceId, forkId);
  // One less than it may have: no later file fits, whether the scans find one, two or three of them at a time.
  for (let from = 0; from < forkPathsMax - 1; from += 1_000)
    await outside.change({
      workspaceId: rig.workspaceId,
      changes: await Promise.all(
        Array.from({ length: Math.min(1_000, forkPathsMax - 1 - from) }, async (_, index) => ({
          kind: 'write_file' as const,
          path: `/other/${from + index}`,
          precondition: any,
          content: await content(),
          defaultContentType: 'text/plain',
          encoding: 'utf-8' as const,
        })),
      ),
      atomic: false,
      actor,
      origin: 'agent_write',
      access: null,
      correlationId: 'corr-fork',
      makesOperations: false,
    });
  dir = path.join(rig.dataDir, 'runs', 'full');
  mkdirSync(path.dirname(dir), { recursive: true });
  await rig.manager.add(rig.workspaceId, dir, { forkId, path: '/run' });
  await settle();
  write('first', 'first');
  await settle();
  for (const name of ['a', 'b', 'c']) write(name, name);
  await settle();
  // A scan may find one of the three before the others.
  const refused = async () =>
    (await rig.manager.ofForks.view(forkId))?.problemList
      .filter(({ kind }) => kind === 'refused')
      .toSorted((left, right) => (left.path < right.path ? -1 : 1));
  expect(await refused()).toMatchObject(
    ['/run/a', '/run/b', '/run/c'].map((at) => ({
      path: at,
      cause: 'The run is full: a fork changes at most 10000 paths.',
      next: expect.stringContaining('.mooringignore'),
    })),
  );
  expect((await rig.manager.ofForks.view(forkId))?.state).toBe('idle');
  // A staged file that goes makes room, also in the same plan as others that find none.
  for (const name of ['first', 'b', 'c']) rmSync(path.join(dir, name));
  await waitFor('the file to be staged', async () => {
    await settle();
    const { items } = await outside.query(
      rig.workspaceId,
      { path: '/run', properties: {} },
      { afterPath: null, limit: 10, access: null },
    );
    return items.map(({ entry }) => entry.path).join() === '/run/a,/run/old';
  });
  // The problem of a path that is gone ends with its next try.
  await waitFor('the problems to end', async () => {
    await settle();
    return (await refused())?.length === 0;
  });
});

test('changes of the fork reach the folder, and those of the workspace do not', async () => {
  await put('/a', 'a');
  await openFork();
  await put('/a', 'in the fork', forkId);
  await put('/b/c', 'in the fork', forkId);
  await put('/a', 'in the workspace');
  await put('/z', 'in the workspace');
  await settle();
  expect(folder()).toEqual({ '/a': 'in the fork', '/b/c': 'in the fork' });
  write('a', 'in the folder');
  await settle();
  await put('/a', 'in the fork again', forkId);
  await settle();
  expect(folder()).toEqual({ '/a': 'in the fork again', '/b/c': 'in the fork' });
});

test('all files may be deleted at once, also with the private folder', async () => {
  for (let index = 0; index < 40; index += 1) await put(`/dir${index % 4}/file${index}`, `text ${index}`);
  const live = await files();
  await openFork();
  for (const name of readdirSync(dir)) rmSync(path.join(dir, name), { recursive: true });
  await settle();
  expect(await files(forkId)).toEqual({});
  expect(await files()).toEqual(live);
});

test('a file becomes a directory, and a directory a file', async () => {
  await put('/a', 'a');
  await put('/d/b', 'b');
  await openFork();
  rmSync(path.join(dir, 'a'));
  write('a/inside', 'inside');
  rmSync(path.join(dir, 'd'), { recursive: true });
  write('d', 'a file');
  await settle();
  expect(await files(forkId)).toEqual({ '/a/inside': 'inside', '/d': 'a file' });
});

test('after a restart the folder and the fork are equal again, with what was changed on both sides meanwhile', async () => {
  await put('/a', 'a');
  await put('/b', 'b');
  await openFork();
  write('a', 'before the restart');
  await settle();
  await rig.stop();
  write('b', 'while the agent was stopped');
  write('c', 'new');
  await rig.start();
  await settle();
  const expected = { '/a': 'before the restart', '/b': 'while the agent was stopped', '/c': 'new' };
  expect(await files(forkId)).toEqual(expected);
  expect(folder()).toEqual(expected);
  expect(await files()).toEqual({ '/a': 'a', '/b': 'b' });
});

test('the end of the fork ends the mirror, and changes nothing in the folder', async () => {
  await put('/a', 'a');
  await openFork();
  write('b', 'b');
  await settle();
  await rig.forks.discard({ workspaceId: rig.workspaceId, forkId, access: null, actor });
  await expect.poll(() => rig.manager.ofForks.view(forkId), { timeout: 10_000 }).toBeNull();
  expect(folder()).toEqual({ '/a': 'a', '/b': 'b' });
  await expect.poll(() => rig.store.mirrors.list(), { timeout: 10_000 }).toEqual([]);
});

test('a fork that ended while the agent was stopped has no mirror after the start', async () => {
  await put('/a', 'a');
  await openFork();
  await rig.stop();
  await rig.start({
    beforeMirrors: () => rig.forks.discard({ workspaceId: rig.workspaceId, forkId, access: null, actor }),
  });
  expect(await rig.manager.ofForks.view(forkId)).toBeNull();
  expect(await rig.store.mirrors.list()).toEqual([]);
  expect(folder()).toEqual({ '/a': 'a' });
});

test('with the workspace, the mirrors of its forks are removed and their folders stay', async () => {
  await put('/a', 'a');
  await rig.mirror();
  await openFork();
  await rig.manager.removeAll(rig.workspaceId);
  expect(await rig.store.mirrors.list()).toEqual([]);
  expect([folder(), rig.read('a')]).toEqual([{ '/a': 'a' }, 'a']);
});

test('a conflict is one of the fork: no list of the workspace has it, and its resolution changes the fork alone', async () => {
  await put('/a', 'base');
  await openFork();
  const { mirrorId } =
    (await rig.manager.ofForks.view(forkId)) ?? expect.unreachable('the fork has a mirror');
  await rig.manager.pause(rig.workspaceId, mirrorId);
  write('a', 'of the folder');
  await put('/a', 'of the fork', forkId);
  await rig.manager.resume(rig.workspaceId, mirrorId);
  await settle();
  const { workspaceId } = rig;
  const { conflicts } = rig;
  expect(await conflicts.list(workspaceId)).toEqual([]);
  const [conflict] = await conflicts.list(workspaceId, forkId);
  if (conflict === undefined) expect.unreachable('a conflict is listed');
  const { conflictId, copyPath } = conflict.row;
  expect(await files(forkId)).toEqual({ '/a': 'of the fork', [copyPath]: 'of the folder' });
  const versions = await conflicts.get(workspaceId, conflictId);
  const text = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString();
  expect([text(versions?.folder?.bytes), text(versions?.workspace?.bytes)]).toEqual([
    'of the folder',
    'of the fork',
  ]);
  const by = { actor, access: null, correlationId: 'corr-fork' };
  expect(await conflicts.resolve(workspaceId, conflictId, { keep: 'folder' }, by)).toMatchObject({
    kind: 'resolved',
  });
  await settle();
  expect(folder()).toEqual({ '/a': 'of the folder' });
  expect(await files(forkId)).toEqual({ '/a': 'of the folder' });
  expect(await files()).toEqual({ '/a': 'base' });
  expect(await conflicts.list(workspaceId, forkId)).toEqual([]);
});
