import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiRequest, codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { createManualClock } from '../support/manual-clock.ts';

const clock = createManualClock(Date.now());
let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent({ clock });
});
afterAll(() => agent.close());

async function workspace(token: Parameters<typeof makeWorkspace>[1] = {}) {
  const made = await makeWorkspace(agent, token);
  const call = (url: string, options: ApiRequest = {}) =>
    request(agent, `/v1/workspaces/${made.workspaceId}${url}`, { token: made.token, ...options });
  const at = (path: string, forkId?: string) =>
    `/fs/file?path=${encodeURIComponent(path)}${forkId === undefined ? '' : `&forkId=${forkId}`}`;
  const put = async (path: string, content: string, forkId?: string, options: ApiRequest = {}) =>
    await call(at(path, forkId), {
      method: 'PUT',
      headers: { 'if-match': '*' },
      body: { content },
      ...options,
    });
  const remove = (path: string, forkId?: string) =>
    call(at(path, forkId), { method: 'DELETE', headers: { 'if-match': '*' } });
  const create = async (body: object = {}, options: ApiRequest = {}) => {
    const answer = await call('/runs', { method: 'POST', body, ...options });
    expect(answer.status).toBe(200);
    return answer.json as { runId: string; forkId: string };
  };
  const post = (runId: string, verb: string, body: object = {}, options: ApiRequest = {}) =>
    call(`/runs/${runId}/${verb}`, { method: 'POST', body, ...options });
  const show = async (runId: string) => (await call(`/runs/${runId}`)).json;
  const discard = (runId: string, options: ApiRequest = {}) =>
    call(`/runs/${runId}`, { method: 'DELETE', ...options });
  /** Path -> content of all files. */
  const files = async (forkId?: string) => {
    const fork = forkId === undefined ? '' : `&forkId=${forkId}`;
    const { entries } = (await call(`/fs/tree?path=/&depth=20${fork}`)).json as {
      entries: { path: string; type: string }[];
    };
    const paths = entries.filter(({ type }) => type === 'file').map(({ path }) => path);
    const contents = await Promise.all(
      paths.map(async (path) => (await call(at(path, forkId))).json.content),
    );
    return Object.fromEntries(paths.map((path, index) => [path, contents[index]]));
  };
  return { ...made, call, put, remove, create, post, show, discard, files };
}

const lines = (...text: string[]) => `${text.join('\n')}\n`;
const numbered = lines('one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight');

describe('a run', () => {
  test('is listed with its state, its name and its command, newest first', async () => {
    const { create, call, show, discard } = await workspace();
    const first = await create({ name: 'tidy up', path: 'docs/', command: ['make', 'docs'] });
    expect(first).toMatchObject({
      runId: expect.stringMatching(/^run_/),
      forkId: expect.stringMatching(/^fork_/),
      name: 'tidy up',
      path: '/docs',
      command: ['make', 'docs'],
      state: 'open',
      endedAt: null,
      commits: [],
    });
    const second = await create();
    await discard(first.runId);
    expect((await show(first.runId)).state).toBe('discarded');
    const page = (await call('/runs?limit=1')).json;
    expect(page.runs.map(({ runId }: { runId: string }) => runId)).toEqual([second.runId]);
    const rest = (await call(`/runs?cursor=${page.nextCursor}`)).json;
    expect(rest.runs.map(({ runId }: { runId: string }) => runId)).toEqual([first.runId]);
    expect(rest.nextCursor).toBe(null);
  });

  test('with bad input is refused with a reason', async () => {
    const { call, create, post } = await workspace();
    const { runId } = await create();
    const post_ = (body: object) => call('/runs', { method: 'POST', body });
    expect(codeOf(await post_({ name: 7 }))).toEqual([400, 'bad_request']);
    expect(codeOf(await post_({ other: true }))).toEqual([400, 'bad_request']);
    expect(codeOf(await call('/runs?cursor=x'))).toEqual([400, 'bad_request']);
    expect(codeOf(await call('/runs/run_none'))).toEqual([404, 'not_found']);
    expect(codeOf(await post('run_none', 'commit'))).toEqual([404, 'not_found']);
    expect(codeOf(await post(runId, 'commit', { paths: [] }))).toEqual([400, 'bad_request']);
    expect(codeOf(await post(runId, 'commit', { paths: ['a//b'] }))).toEqual([400, 'bad_request']);
    expect(codeOf(await post(runId, 'commit', { paths: ['/none'] }))).toEqual([400, 'bad_request']);
    expect(codeOf(await post(runId, 'undo'))).toEqual([409, 'invalid_state']);
  });

  test('that is discarded has changed nothing', async () => {
    const { create, put, remove, files, discard, call, post } = await workspace();
    await put('/a.md', 'a');
    await put('/b.md', 'b');
    const before = await files();
    const { events } = (await call('/fs/events')).json;
    const { runId, forkId } = await create();
    await put('/a.md', 'changed', forkId);
    await put('/new.md', 'new', forkId);
    await remove('/b.md', forkId);
    expect((await discard(runId)).status).toBe(204);
    expect((await discard(runId)).status).toBe(204);
    expect(await files()).toEqual(before);
    expect((await call('/fs/events')).json.events).toEqual(events);
    expect(codeOf(await post(runId, 'commit'))).toEqual([409, 'invalid_state']);
  });

  test('has a summary of files, moves and lines', async () => {
    const { create, put, remove, call, post } = await workspace();
    await put('/a.md', numbered);
    await put('/old.md', 'moved text\n');
    await put('/gone.md', 'x\ny\n');
    const { runId, forkId } = await create();
    await put('/a.md', numbered.replace('two', '2'), forkId);
    await put('/new.md', '--\n++\n', forkId);
    await remove('/gone.md', forkId);
    await remove('/old.md', forkId);
    await put('/moved.md', 'moved text\n', forkId);
    expect((await call(`/runs/${runId}/summary`)).json).toEqual({
      createdCount: 1,
      updatedCount: 1,
      deletedCount: 1,
      movedCount: 1,
      conflictCount: 0,
      addedLines: 4,
      removedLines: 4,
      linesComplete: true,
      stagedRevision: 5,
    });
    const part = (await call(`/runs/${runId}/summary?glob=/a.md&glob=gone.*`)).json;
    expect(part).toMatchObject({ createdCount: 0, updatedCount: 1, deletedCount: 1, movedCount: 0 });
    expect(codeOf(await call(`/runs/${runId}/summary?glob=/a//b`))).toEqual([400, 'bad_request']);
    const many = Array.from({ length: 101 }, () => 'glob=a').join('&');
    expect(codeOf(await call(`/runs/${runId}/summary?${many}`))).toEqual([400, 'bad_request']);
    await post(runId, 'commit');
    expect(codeOf(await call(`/runs/${runId}/summary`))).toEqual([409, 'invalid_state']);
  });

  test('has its changes listed by globs, in pages', async () => {
    const { create, put, call } = await workspace();
    const { forkId } = await create();
    for (const path of ['/a.md', '/b.txt', '/c.md', '/d.txt']) await put(path, 'x', forkId);
    const page = async (query: string) => {
      const { changes, nextCursor } = (await call(`/forks/${forkId}/changes?${query}`)).json;
      return [changes.map(({ path }: { path: string }) => path), nextCursor];
    };
    expect(await page('glob=*.md')).toEqual([['/a.md', '/c.md'], null]);
    expect(await page('glob=*.txt&limit=3')).toEqual([['/b.txt'], '/c.md']);
    expect(await page('glob=*.txt&limit=3&cursor=/c.md')).toEqual([['/d.txt'], null]);
  });

  test('counts only the deletions that a commit in part makes against the quota of the token', async () => {
    const { workspaceId, create, put, remove, post } = await workspace();
    for (const path of ['/a', '/b', '/c']) await put(path, 'x');
    const { runId, forkId } = await create();
    for (const path of ['/a', '/b', '/c']) await remove(path, forkId);
    const { token } = await agent.tokens.issue({ workspaceId, deletesPerMinute: 2 });
    const part = await post(runId, 'commit', { paths: ['/a', '/b'] }, { token });
    expect([part.status, part.json.deletedCount]).toEqual([200, 2]);
    expect(codeOf(await post(runId, 'commit', {}, { token }))).toEqual([429, 'delete_storm_rejected']);
  });

  test('is committed as one change, and undone as one change', async () => {
    const { create, put, remove, files, post, show } = await workspace();
    await put('/a.md', 'a');
    await put('/b.md', 'b');
    const before = await files();
    const { runId, forkId } = await create();
    await put('/a.md', 'changed', forkId);
    await put('/c.md', 'c', forkId);
    await remove('/b.md', forkId);
    const inRun = await files(forkId);
    const committed = await post(runId, 'commit');
    expect([committed.status, committed.json.writtenCount, committed.json.deletedCount]).toEqual([200, 2, 1]);
    expect(await files()).toEqual(inRun);
    expect(await show(runId)).toMatchObject({
      state: 'committed',
      commits: [{ writtenCount: 2, deletedCount: 1 }],
    });
    await put('/other.md', 'an unrelated edit');
    const plan = await post(runId, 'undo', { dryRun: true });
    expect(plan.json).toMatchObject({
      dryRun: true,
      batch: null,
      createdCount: 1,
      updatedCount: 1,
      deletedCount: 1,
    });
    expect((await show(runId)).state).toBe('committed');
    const undone = await post(runId, 'undo');
    expect(undone.json).toMatchObject({ batch: expect.stringMatching(/^batch_/), run: { state: 'undone' } });
    expect(await files()).toEqual({ ...before, '/other.md': 'an unrelated edit' });
    expect(codeOf(await post(runId, 'undo'))).toEqual([409, 'invalid_state']);
  });

  test('is committed in part, and all its commits are undone together', async () => {
    const { create, put, remove, files, post, show } = await workspace();
    await put('/docs/a.md', 'a');
    await put('/src/b.ts', 'b');
    const before = await files();
    const { runId, forkId } = await create();
    await put('/docs/a.md', 'A', forkId);
    await put('/docs/sub/new.md', 'new', forkId);
    await put('/src/c.ts', 'c', forkId);
    await remove('/src/b.ts', forkId);
    const inRun = await files(forkId);
    // A directory, as a path, means all below it.
    const part = await post(runId, 'commit', { paths: ['/docs'] });
    expect(part.json).toMatchObject({
      writtenCount: 2,
      run: { state: 'open', writtenCount: 1, deletedCount: 1 },
    });
    expect(await files()).toEqual({ '/docs/a.md': 'A', '/docs/sub/new.md': 'new', '/src/b.ts': 'b' });
    expect(await files(forkId)).toEqual(inRun);
    expect(codeOf(await post(runId, 'undo'))).toEqual([409, 'invalid_state']);
    // What was committed is no longer the run's: others may change it without a conflict.
    await put('/docs/a.md', 'A of others');
    await put('/docs/a.md', 'A');
    expect((await post(runId, 'commit', { paths: ['*.ts'] })).json.run.state).toBe('committed');
    expect(await files()).toEqual(inRun);
    expect((await show(runId)).commits).toHaveLength(2);
    expect((await post(runId, 'undo')).status).toBe(200);
    expect(await files()).toEqual(before);
  });

  test('that was committed in part and then discarded can be undone', async () => {
    const { create, put, files, post, show, discard } = await workspace();
    await put('/a', 'a');
    const before = await files();
    const { runId, forkId } = await create();
    await put('/a', 'A', forkId);
    await put('/b', 'B', forkId);
    await post(runId, 'commit', { paths: ['/a'] });
    await discard(runId);
    expect((await show(runId)).state).toBe('committed');
    expect(await files()).toEqual({ '/a': 'A' });
    await post(runId, 'undo');
    expect(await files()).toEqual(before);
  });

  test('is committed only as far as it was read, where the commit says how far', async () => {
    const { create, put, remove, post, call, files } = await workspace();
    await put('/a', 'a');
    await put('/b', 'b');
    const before = await files();
    const { runId, forkId } = await create();
    await put('/a', 'A', forkId);
    await remove('/b', forkId);
    const readUpTo = async (): Promise<number> =>
      (await call(`/forks/${forkId}/changes`)).json.stagedRevision;
    const first = await readUpTo();
    expect((await call(`/runs/${runId}/summary`)).json.stagedRevision).toBe(first);
    // The agent goes on: a file more, and other content of one that was read.
    await put('/c', 'c', forkId);
    const refused = await post(runId, 'commit', { stagedRevision: first });
    expect(codeOf(refused)).toEqual([409, 'staged_changed']);
    expect(
      codeOf(await call(`/forks/${forkId}/commit`, { method: 'POST', body: { stagedRevision: first } })),
    ).toEqual([409, 'staged_changed']);
    expect(await files()).toEqual(before);
    // In part: a file that was read is committed, others are not.
    expect(codeOf(await post(runId, 'commit', { paths: ['/c'], stagedRevision: first }))).toEqual([
      409,
      'staged_changed',
    ]);
    expect((await post(runId, 'commit', { paths: ['/a'], stagedRevision: first })).status).toBe(200);
    const second = await readUpTo();
    await put('/c', 'other', forkId);
    await put('/c', 'c', forkId);
    expect(codeOf(await post(runId, 'commit', { stagedRevision: second }))).toEqual([409, 'staged_changed']);
    expect(await files()).toEqual({ '/a': 'A', '/b': 'b' });
    expect((await post(runId, 'commit', { stagedRevision: await readUpTo() })).json.run.state).toBe(
      'committed',
    );
    expect(await files()).toEqual({ '/a': 'A', '/c': 'c' });
  });

  test('of which nothing differs from the workspace commits nothing', async () => {
    const { create, put, post, show } = await workspace();
    await put('/a', 'a');
    const { runId, forkId } = await create();
    await put('/a', 'a', forkId);
    expect((await post(runId, 'commit')).status).toBe(200);
    expect(await show(runId)).toMatchObject({ state: 'committed', commits: [] });
  });
});

describe('where the workspace changed the same files meanwhile', () => {
  test('a commit merges texts by lines', async () => {
    const { create, put, post, call, files } = await workspace();
    await put('/a.md', numbered);
    const { runId, forkId } = await create();
    await put('/a.md', numbered.replace('two', '2'), forkId);
    await put('/a.md', numbered.replace('seven', '7'));
    // What the commit itself merges is no change that its caller has not read.
    const { stagedRevision } = (await call(`/runs/${runId}/summary`)).json;
    const committed = await post(runId, 'commit', { stagedRevision });
    expect(committed.json).toMatchObject({ mergedPaths: ['/a.md'], folderUnsynced: false });
    expect(await files()).toEqual({ '/a.md': numbered.replace('two', '2').replace('seven', '7') });
  });

  test('a commit lists what it cannot merge, changes nothing, and follows the decisions', async () => {
    const { create, put, remove, post, files, show } = await workspace();
    for (const path of ['/same', '/gone', '/kept', '/clean']) await put(path, 'before');
    const { runId, forkId } = await create();
    await put('/same', 'run', forkId);
    await put('/gone', 'run', forkId);
    await remove('/kept', forkId);
    await put('/clean', 'run', forkId);
    await put('/both', 'run', forkId);
    await put('/both', 'others');
    await put('/same', 'others');
    await remove('/gone');
    await put('/kept', 'others');
    const live = await files();
    const refused = await post(runId, 'commit');
    expect(codeOf(refused)).toEqual([409, 'run_conflict']);
    const { conflicts } = refused.json.details;
    expect(conflicts).toEqual([
      { path: '/both', revision: expect.stringMatching(/^rev_/), reason: 'created' },
      { path: '/gone', revision: '0', reason: 'deleted' },
      { path: '/kept', revision: expect.stringMatching(/^rev_/), reason: 'deleted' },
      { path: '/same', revision: expect.stringMatching(/^rev_/), reason: 'overlapping' },
    ]);
    expect(await files()).toEqual(live);
    const partly = [
      { path: '/both', take: 'workspace' },
      { path: '/gone', take: 'run' },
    ];
    expect(codeOf(await post(runId, 'commit', { decisions: partly }))).toEqual([409, 'run_conflict']);
    expect(await files()).toEqual(live);
    // A decision about another revision does not apply.
    const stale = [
      ...partly,
      { path: '/kept', take: 'workspace' },
      { path: '/same', take: 'run', revision: 'rev_1' },
    ];
    expect(codeOf(await post(runId, 'commit', { decisions: stale }))).toEqual([409, 'run_conflict']);
    const decisions = [
      ...partly,
      { path: '/kept', take: 'workspace' },
      { path: '/same', take: 'run', revision: conflicts[3].revision },
    ];
    expect((await post(runId, 'commit', { decisions })).status).toBe(200);
    const committed = {
      '/both': 'others',
      '/clean': 'run',
      '/gone': 'run',
      '/kept': 'others',
      '/same': 'run',
    };
    expect(await files()).toEqual(committed);
    expect((await show(runId)).state).toBe('committed');
    await post(runId, 'undo');
    expect(await files()).toEqual({ ...live, '/clean': 'before' });
  });

  test('an undo keeps later edits of other lines', async () => {
    const { create, put, post, files } = await workspace();
    await put('/a.md', numbered);
    const { runId, forkId } = await create();
    await put('/a.md', numbered.replace('two', '2'), forkId);
    await post(runId, 'commit');
    await put('/a.md', numbered.replace('two', '2').replace('seven', '7'));
    const undone = await post(runId, 'undo');
    expect(undone.json).toMatchObject({ mergedPaths: ['/a.md'], updatedCount: 1 });
    expect(await files()).toEqual({ '/a.md': numbered.replace('seven', '7') });
  });

  test('an undo lists what it cannot merge, changes nothing, and follows the decisions', async () => {
    const { create, put, remove, post, files, show } = await workspace();
    for (const path of ['/back', '/now', '/other']) await put(path, 'before');
    const { runId, forkId } = await create();
    for (const path of ['/back', '/now', '/other', '/new', '/same']) await put(path, 'run', forkId);
    await post(runId, 'commit');
    await put('/back', 'later');
    await put('/now', 'later');
    await remove('/new');
    await put('/same', 'touched');
    await put('/same', 'run');
    const live = await files();
    const refused = await post(runId, 'undo');
    expect(codeOf(refused)).toEqual([409, 'run_conflict']);
    expect(refused.json.details.conflicts.map(({ path }: { path: string }) => path)).toEqual([
      '/back',
      '/now',
    ]);
    expect(await files()).toEqual(live);
    expect((await show(runId)).state).toBe('committed');
    const decisions = [
      { path: '/back', take: 'run' },
      { path: '/now', take: 'workspace' },
    ];
    const undone = await post(runId, 'undo', { decisions });
    expect(undone.json).toMatchObject({ keptPaths: expect.arrayContaining(['/now']) });
    expect(await files()).toEqual({ '/back': 'before', '/now': 'later', '/other': 'before' });
  });

  test('between two commits of one run: an undo does not lose that edit', async () => {
    const { create, put, post, files } = await workspace();
    await put('/a', 'before');
    const { runId, forkId } = await create();
    await put('/a', 'first', forkId);
    await put('/b', 'b', forkId);
    await post(runId, 'commit', { paths: ['/a'] });
    await put('/a', 'others');
    await put('/a', 'second', forkId);
    const decisions = [{ path: '/a', take: 'run' }];
    expect((await post(runId, 'commit', { decisions })).status).toBe(200);
    expect(await files()).toEqual({ '/a': 'second', '/b': 'b' });
    expect(codeOf(await post(runId, 'undo'))).toEqual([409, 'run_conflict']);
    expect((await post(runId, 'undo', { decisions })).status).toBe(200);
    expect(await files()).toEqual({ '/a': 'before' });
  });
});

const confinedTo = async (workspaceId: string) => {
  const scopes = ['relayfile:fs:read:/open/*', 'relayfile:fs:write:/open/*'];
  return (await agent.tokens.issue({ workspaceId, scopes, agent: 'confined' })).token;
};

describe('a confined token', () => {
  test('sees, commits and undoes nothing of a run outside of its paths', async () => {
    const { call, create, put, post, files, token, workspaceId } = await workspace();
    await put('/open/a', 'a');
    await put('/secret/b', 'b');
    const own = await confinedTo(workspaceId);
    const { runId, forkId } = await create({}, {});
    await put('/secret/b', 'changed', forkId);
    const hidden = await call(`/runs/${runId}`, { token: own });
    expect(codeOf(hidden)).toEqual([404, 'not_found']);
    expect((await call('/runs', { token: own })).json.runs).toEqual([]);
    expect(codeOf(await post(runId, 'commit', {}, { token: own }))).toEqual([404, 'not_found']);
    await put('/open/a', 'changed', forkId);
    expect((await call(`/runs/${runId}`, { token: own })).json).toMatchObject({ writtenCount: 1 });
    expect(codeOf(await post(runId, 'commit', {}, { token: own }))).toEqual([403, 'forbidden']);
    expect((await post(runId, 'commit', {}, { token })).status).toBe(200);
    const live = await files();
    expect(codeOf(await post(runId, 'undo', {}, { token: own }))).toEqual([404, 'not_found']);
    expect(await files()).toEqual(live);
  });

  test('that created a run cannot undo what others may no longer let it write', async () => {
    const { create, put, post, files, workspaceId } = await workspace();
    await put('/open/a', 'a');
    const own = await confinedTo(workspaceId);
    const { runId, forkId } = await create({}, { token: own });
    await put('/open/a', 'changed', forkId, { token: own });
    await put('/other/b', 'by the owner', forkId);
    await post(runId, 'commit');
    const live = await files();
    expect(codeOf(await post(runId, 'undo', {}, { token: own }))).toEqual([403, 'forbidden']);
    expect(await files()).toEqual(live);
  });
});
