// The tool changes, and the other tools with a runId: an agent works in a run, and the workspace does not change before the commit.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { call, connect, eras, refusal } from './mcp-client.ts';

let agent: HttpAgent;

beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

test.each(eras)('in the era %s, a run is staged, shown, committed in part and undone', async (era) => {
  const { token } = await makeWorkspace(agent);
  const client = await connect(agent, token, era);
  for (const name of ['a', 'b', 'c'])
    await call(client, 'write_file', { path: `/${name}.txt`, content: `${name}\n` });
  const { runId, state } = await call(client, 'changes', { action: 'begin', name: 'tidy up' });
  expect(state).toBe('open');
  await call(client, 'edit_file', { path: '/a.txt', edits: [{ oldText: 'a', newText: 'A' }], runId });
  await call(client, 'write_file', { path: '/new.txt', content: 'new\n', runId });
  await call(client, 'move_file', { from: '/b.txt', to: '/moved/b.txt', runId });
  await call(client, 'delete_file', { path: '/c.txt', runId });
  const pathsIn = async (args: Record<string, unknown>) =>
    (await call(client, 'list_files', args)).entries
      .filter(({ type }: { type: string }) => type === 'file')
      .map(({ path }: { path: string }) => path);
  expect(await pathsIn({})).toEqual(['/a.txt', '/b.txt', '/c.txt']);
  expect(await pathsIn({ runId })).toEqual(['/a.txt', '/moved/b.txt', '/new.txt']);
  expect((await call(client, 'read_file', { path: '/a.txt' })).content).toBe('a\n');
  expect((await call(client, 'read_file', { path: '/a.txt', runId })).content).toBe('A\n');
  const found = async (args: Record<string, unknown>) =>
    (await call(client, 'search', { query: 'new', ...args })).files.map(({ path }: { path: string }) => path);
  expect([await found({}), await found({ runId })]).toEqual([[], ['/new.txt']]);
  const shown = await call(client, 'changes', { action: 'show', runId, diff: 'true' });
  expect(shown.summary).toMatchObject({ created: 1, updated: 1, deleted: 1, moved: 1, conflicts: 0 });
  expect(shown.changes.find(({ path }: { path: string }) => path === '/a.txt').diff).toContain('-a\n+A\n');
  const part = await call(client, 'changes', { action: 'commit', runId, paths: '["/a.txt"]' });
  expect(part).toMatchObject({ state: 'open', written: 1, removed: 0 });
  expect(await pathsIn({})).toEqual(['/a.txt', '/b.txt', '/c.txt']);
  const whole = await call(client, 'changes', { action: 'commit', runId });
  expect([whole.state, whole.batches.length]).toEqual(['committed', 2]);
  expect(await pathsIn({})).toEqual(['/a.txt', '/moved/b.txt', '/new.txt']);
  const ended = await refusal(client, 'write_file', { path: '/late.txt', content: 'x', runId });
  expect([ended.code, ended.message]).toEqual(['invalid_state', 'the run is committed']);
  await call(client, 'restore', { path: '/', batch: whole.batches[1] });
  expect(await pathsIn({})).toEqual(['/a.txt', '/b.txt', '/c.txt']);
});

test('a revision that was read in a run is the base of the next write there', async () => {
  const { token } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  const { runId } = await call(client, 'changes', { action: 'begin' });
  const path = '/a.txt';
  const first = await call(client, 'write_file', { path, content: 'one', baseRevision: '0', runId });
  const read = await call(client, 'read_file', { path, runId });
  expect(read.revision).toBe(first.revision);
  const second = await call(client, 'write_file', {
    path,
    content: 'two',
    baseRevision: read.revision,
    runId,
  });
  const edits = [{ oldText: 'two', newText: 'three' }];
  const stale = { path, edits, baseRevision: read.revision, runId };
  expect(await refusal(client, 'edit_file', stale)).toMatchObject({
    code: 'revision_conflict',
    currentRevision: second.revision,
  });
  const third = await call(client, 'edit_file', { ...stale, baseRevision: second.revision });
  await call(client, 'write_file', { path: '/b.txt', content: 'b', runId });
  await call(client, 'move_file', { from: '/b.txt', to: path, baseRevision: third.revision, runId });
  const moved = await call(client, 'read_file', { path, runId });
  expect(moved.content).toBe('b');
  await call(client, 'delete_file', { path, baseRevision: moved.revision, runId });
  expect((await call(client, 'list_files', { runId })).entries).toEqual([]);
});

test('a conflict is listed, and the commit is repeated with decisions', async () => {
  const { token } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  await call(client, 'write_file', { path: '/a.txt', content: 'base' });
  const { runId } = await call(client, 'changes', { action: 'begin' });
  await call(client, 'write_file', { path: '/a.txt', content: 'run', baseRevision: '*', runId });
  const live = await call(client, 'write_file', { path: '/a.txt', content: 'live', baseRevision: '*' });
  const error = await refusal(client, 'changes', { action: 'commit', runId });
  expect(error).toMatchObject({
    code: 'run_conflict',
    count: 1,
    conflicts: [{ path: '/a.txt', revision: live.revision }],
  });
  expect((await call(client, 'read_file', { path: '/a.txt' })).content).toBe('live');
  const decisions = [{ path: '/a.txt', take: 'run', revision: live.revision }];
  expect(await call(client, 'changes', { action: 'commit', runId, decisions })).toMatchObject({
    state: 'committed',
    merged: ['/a.txt'],
  });
  expect((await call(client, 'read_file', { path: '/a.txt' })).content).toBe('run');
});

test('more than 20 files are committed and discarded only with confirm', async () => {
  const { token } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  for (let index = 0; index < 21; index += 1)
    await call(client, 'write_file', { path: `/many/${index}.txt`, content: 'x' });
  const { runId } = await call(client, 'changes', { action: 'begin' });
  await call(client, 'delete_file', { path: '/many', confirm: true, runId });
  for (const action of ['commit', 'discard'])
    expect((await refusal(client, 'changes', { action, runId })).code).toBe('confirm_required');
  const part = await call(client, 'changes', { action: 'commit', runId, paths: ['/many/20.txt'] });
  expect(part).toMatchObject({ state: 'open', removed: 1 });
  await call(client, 'write_file', { path: '/many/20.txt', content: 'x', runId });
  await call(client, 'changes', { action: 'commit', runId, paths: ['/many/20.txt'] });
  await call(client, 'delete_file', { path: '/many/20.txt', runId });
  const first = await call(client, 'changes', { action: 'show', runId, maxCharacters: 500 });
  expect(first.truncated).toBe(true);
  const rest = await call(client, 'changes', { action: 'show', runId, cursor: first.nextCursor });
  expect(first.changes.length + rest.changes.length).toBe(21);
  expect((await call(client, 'changes', { action: 'discard', runId, confirm: true })).state).toBe(
    'discarded',
  );
  expect((await call(client, 'list_files', { path: '/many' })).entries).toHaveLength(21);
});

test('a move of a folder that is refused halfway leaves what it staged in the run, which shows it', async () => {
  const { token } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  for (const path of ['/from/a.txt', '/from/b.txt', '/to/b.txt'])
    await call(client, 'write_file', { path, content: path });
  const { runId } = await call(client, 'changes', { action: 'begin' });
  expect((await refusal(client, 'move_file', { from: '/from', to: '/to', runId })).code).toBe(
    'revision_conflict',
  );
  const shown = await call(client, 'changes', { action: 'show', runId });
  const staged = shown.changes.map(({ path, type }: { path: string; type: string }) => `${type} ${path}`);
  expect(staged).toEqual(['delete /from/a.txt', 'write /to/a.txt']);
  await call(client, 'changes', { action: 'discard', runId });
  expect((await call(client, 'read_file', { path: '/from/a.txt' })).content).toBe('/from/a.txt');
});

test('a run of somebody else is not found, and a confined token stages nothing outside of its path', async () => {
  const { workspaceId, token } = await makeWorkspace(agent);
  const wide = await connect(agent, token);
  const { token: narrow } = await agent.tokens.issue({ workspaceId, path: '/open/**' });
  const client = await connect(agent, narrow);
  const { runId: foreign } = await call(wide, 'changes', { action: 'begin' });
  await call(wide, 'write_file', { path: '/secret/plan.txt', content: 'hidden', runId: foreign });
  for (const runId of [foreign, 'run_none']) {
    for (const action of ['show', 'commit', 'discard']) {
      const error = await refusal(client, 'changes', { action, runId });
      expect([action, error.code]).toEqual([action, 'not_found']);
    }
    const read = await refusal(client, 'read_file', { path: '/open/a.txt', runId });
    expect(read.code).toBe('not_found');
  }
  const { runId } = await call(client, 'changes', { action: 'begin' });
  const outside = await refusal(client, 'write_file', { path: '/secret/x.txt', content: 'x', runId });
  expect(outside.code).toBe('forbidden');
  await call(client, 'write_file', { path: '/open/a.txt', content: 'x', runId });
  const shown = await call(client, 'changes', { action: 'show', runId });
  expect(shown.changes).toMatchObject([{ path: '/open/a.txt' }]);
});
