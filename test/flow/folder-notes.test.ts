// The notes in `.mooring/` of a mirrored folder, with a real agent: what they say, that they follow the state, and that nothing that
// happens to them harms the mirror.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { AgentProcess, agentOfFile } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { makeTempFolder, removeFolder, tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

interface State {
  readonly workspace: { readonly id: string; readonly name: string };
  readonly runId: string | null;
  readonly agent: string;
  readonly state: string;
  readonly synced: boolean;
  readonly files: number;
  readonly conflicts: { readonly count: number; readonly listed: readonly { readonly path: string }[] };
  readonly deadLetters: { readonly count: number; readonly listed: readonly { readonly provider: string }[] };
}

const agent = agentOfFile();
let client: MooringClient;
let workspaceId: string;
let mirrorId: string;
let dir: string;

beforeAll(() => {
  client = ownerClient(agent);
});
afterEach(() => {
  // A note that tested the names of the disk while the mirror did made it fail and start again.
  expect(agent.stderr).not.toContain('mirror failed');
});

beforeEach(async () => {
  dir = tempFolder('mooring-notes');
  writeFileSync(path.join(dir, 'a.md'), 'one\n');
  ({ workspaceId } = await client.workspaces.create({ name: 'my "notes"' }));
  ({ mirrorId } = await client.mirrors.add(workspaceId, dir));
});

const noteIn = (folder: string, name: string) => path.join(folder, '.mooring', name);
const stateIn = (folder: string) => JSON.parse(readFileSync(noteIn(folder, 'state.json'), 'utf8')) as State;

async function stateWith(what: string, isMet: (state: State) => boolean, folder = dir): Promise<State> {
  return await waitFor(`state.json with ${what}`, () => {
    const state = stateIn(folder);
    return isMet(state) ? state : false;
  });
}

test('say what the folder is and how to search and undo, in files that only their user can read', async () => {
  const state = await stateWith('one file', ({ files, synced }) => synced && files === 1);
  expect(state).toMatchObject({
    workspace: { id: workspaceId, name: 'my "notes"' },
    runId: null,
    agent: agent.url,
  });
  const readme = readFileSync(noteIn(dir, 'README.md'), 'utf8');
  // A name that a shell would take apart is replaced by the id.
  for (const text of [
    dir,
    workspaceId,
    `mooring search 'QUERY' --workspace ${workspaceId}`,
    'mooring undo --since',
  ])
    expect(readme).toContain(text);
  for (const name of ['README.md', 'state.json'])
    expect(statSync(noteIn(dir, name)).mode & 0o777).toBe(0o400);
  const written = ['README.md', 'state.json'].map((name) => readFileSync(noteIn(dir, name), 'utf8')).join();
  expect(written).not.toContain(agent.ownerToken);
  // Nothing of them reaches the workspace.
  const tree = await client.files.tree(workspaceId);
  expect(tree.entries.map((entry) => entry.path)).toEqual(['/a.md']);
});

test('follow a pause, conflicts and dead letters', async () => {
  await stateWith('one file', ({ files, synced }) => synced && files === 1);
  await client.mirrors.pause(workspaceId, mirrorId);
  await stateWith('paused', ({ state }) => state === 'paused');
  writeFileSync(path.join(dir, 'a.md'), 'the folder\n');
  await client.files.write(workspaceId, '/a.md', 'the workspace\n');
  await client.mirrors.resume(workspaceId, mirrorId);
  const conflicting = await stateWith('a conflict', ({ conflicts }) => conflicts.count === 1);
  expect(conflicting.conflicts.listed[0]?.path).toBe('/a.md');
  await fetch(`${agent.url}/v1/workspaces/${workspaceId}/webhooks/ingest`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${agent.ownerToken}`,
      'content-type': 'application/json',
      'x-correlation-id': 'notes',
    },
    body: JSON.stringify({
      provider: 'hub',
      event_type: 'file.created',
      path: '/x/../../y',
      delivery_id: 'd1',
      data: {},
    }),
  });
  const pathless = await stateWith('a dead letter', ({ deadLetters }) => deadLetters.count === 1);
  expect(pathless.deadLetters.listed[0]?.provider).toBe('hub');
});

test('are not written while nothing changes, and come back at the next change after somebody deletes them', async () => {
  await stateWith('one file', ({ files, synced }) => synced && files === 1);
  const before = statSync(noteIn(dir, 'state.json'), { bigint: true });
  for (let round = 0; round < 3; round += 1) await client.mirrors.waitUntilSynced({ workspaceId });
  const after = statSync(noteIn(dir, 'state.json'), { bigint: true });
  expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  for (const name of ['README.md', 'state.json']) rmSync(noteIn(dir, name));
  writeFileSync(path.join(dir, 'b.md'), 'two\n');
  await stateWith('two files', ({ files, synced }) => synced && files === 2);
  expect(readdirSync(path.join(dir, '.mooring'))).toEqual(
    expect.arrayContaining(['README.md', 'state.json']),
  );
});

test('never leave the folder: a link in the place of .mooring gets nothing', async () => {
  await stateWith('one file', ({ files, synced }) => synced && files === 1);
  const outside = tempFolder('mooring-outside');
  renameSync(path.join(dir, '.mooring'), path.join(dir, '.mooring-tmp-moved'));
  symlinkSync(outside, path.join(dir, '.mooring'));
  writeFileSync(path.join(dir, 'b.md'), 'two\n');
  await waitFor('the file in the workspace', async () => await client.files.read(workspaceId, '/b.md'));
  await client.mirrors.pause(workspaceId, mirrorId);
  expect(readdirSync(outside)).toEqual([]);
});

test('a private folder that refuses them costs a warning and no sync', async () => {
  await stateWith('one file', ({ files, synced }) => synced && files === 1);
  rmSync(noteIn(dir, 'state.json'));
  // A directory of that name cannot be replaced by a file, also not by root.
  mkdirSync(path.join(noteIn(dir, 'state.json'), 'x'), { recursive: true });
  for (const name of ['b.md', 'c.md']) {
    writeFileSync(path.join(dir, name), 'text\n');
    expect((await client.mirrors.waitUntilSynced({ workspaceId })).settled).toBe(true);
  }
  await waitFor('the warning', () => agent.stderr.includes('the notes in .mooring could not be written'));
  expect((await client.files.tree(workspaceId)).entries).toHaveLength(3);
});

test("a run's folder names its run", async () => {
  const run = await client.runs.create(workspaceId, { name: 'tidy' });
  const folder = await client.runs.openFolder(workspaceId, run.runId);
  const state = await stateWith('the run', ({ runId }) => runId === run.runId, folder.dir);
  expect(state.workspace.id).toBe(workspaceId);
  expect(readFileSync(noteIn(folder.dir, 'README.md'), 'utf8')).toContain(`mooring run commit ${run.runId}`);
});

test('do not disturb mirrors that start', async () => {
  const others = await Promise.all(
    Array.from({ length: 12 }, async (_, number) => {
      const other = await client.workspaces.create({ name: `other ${number}` });
      await client.mirrors.add(other.workspaceId, tempFolder('mooring-notes'));
      return other;
    }),
  );
  for (const other of others)
    expect((await client.mirrors.waitUntilSynced({ workspaceId: other.workspaceId })).settled).toBe(true);
});

test('end with the mirror', async () => {
  await stateWith('one file', ({ files, synced }) => synced && files === 1);
  await client.mirrors.remove(workspaceId, mirrorId);
  expect(readdirSync(dir)).toEqual(['a.md']);
});

test('say at the end of the agent that it has stopped', async () => {
  const own = new AgentProcess(makeTempFolder('mooring-data'), {});
  await own.start();
  const owner = ownerClient(own);
  const folder = tempFolder('mooring-notes');
  const workspace = await owner.workspaces.create({ name: 'n' });
  await owner.mirrors.add(workspace.workspaceId, folder);
  await stateWith('a state', ({ synced }) => synced, folder);
  await own.stop();
  expect(stateIn(folder)).toMatchObject({ state: 'stopped', synced: false });
  removeFolder(own.dataDir);
});
