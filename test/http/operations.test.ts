import { expect, test } from 'vitest';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';

async function pendingAgent() {
  const agent = await startHttpAgent({ externalWriteback: 'all' });
  const { workspaceId, token } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  const put = async (path: string) =>
    (
      await request(agent, `${w}/fs/file?path=${encodeURIComponent(path)}`, {
        method: 'PUT',
        token,
        headers: { 'if-match': '*' },
        body: { content: 'x' },
      })
    ).json.opId as string;
  const ack = (id: string, body?: unknown) =>
    request(agent, `${w}/writeback/${id}/ack`, { method: 'POST', token, body });
  const op = async (id: string) => (await request(agent, `${w}/ops/${id}`, { token })).json;
  return { agent, workspaceId, token, w, put, ack, op };
}

test('a write makes an operation that is pending until it is acknowledged; repeating that changes nothing', async () => {
  const { agent, w, token, put, ack, op } = await pendingAgent();
  const id = await put('/git/a.md');
  expect(await op(id)).toMatchObject({
    opId: id,
    path: '/git/a.md',
    action: 'file_upsert',
    provider: 'git',
    status: 'pending',
    attemptCount: 0,
  });
  const pending = await request(agent, `${w}/writeback/pending`, { token });
  expect(pending.json).toMatchObject([{ id, path: '/git/a.md', correlationId: 'test-1' }]);
  expect((await ack(id)).json).toEqual({
    status: 'acknowledged',
    id,
    correlationId: 'test-1',
    success: true,
  });
  expect((await ack(id)).status).toBe(200);
  expect(await op(id)).toMatchObject({ status: 'succeeded' });
  expect((await request(agent, `${w}/writeback/pending`, { token })).json).toEqual([]);
});

test('a failure dead-letters, a replay makes it pending again, and anything else cannot be replayed', async () => {
  const { agent, w, token, put, ack, op } = await pendingAgent();
  const id = await put('/git/a.md');
  const replay = (opId: string) => request(agent, `${w}/ops/${opId}/replay`, { method: 'POST', token });
  expect(codeOf(await replay(id))).toEqual([409, 'invalid_state']);
  expect((await ack(id, { success: false, error: 'no such repository' })).json.success).toBe(false);
  expect(await op(id)).toMatchObject({ status: 'dead_lettered', lastError: 'no such repository' });
  expect((await replay(id)).json).toEqual({ status: 'queued', id, correlationId: 'test-1' });
  expect(await op(id)).toMatchObject({ status: 'pending', attemptCount: 0, lastError: null });
  await ack(id, { success: false });
  expect(await op(id)).toMatchObject({ lastError: 'the external consumer gave no reason' });
  expect(codeOf(await replay('op_999'))).toEqual([404, 'not_found']);
});

test('an acknowledgement that is none is refused', async () => {
  const { put, ack } = await pendingAgent();
  const id = await put('/git/a.md');
  expect(errorOf(await ack(id, { success: 'yes' }))).toEqual([
    400,
    'bad_request',
    'success must be a boolean',
  ]);
  expect(errorOf(await ack(id, { error: 'x' }))).toEqual([400, 'bad_request', 'success must be a boolean']);
  expect(codeOf(await ack(id, '{'))).toEqual([400, 'bad_request']);
  expect(codeOf(await ack('op_999'))).toEqual([404, 'not_found']);
});

test('the name that the provider gave moves a draft, unless something stands there', async () => {
  const { agent, w, token, put, ack } = await pendingAgent();
  const first = await put('/git/issues/draft.md');
  const moved = await ack(first, { success: true, externalId: 'X 1/2' });
  expect(moved.json.draft).toEqual({
    action: 'renamed',
    from: '/git/issues/draft.md',
    to: '/git/issues/X_1_2.md',
  });
  const events = (await request(agent, `${w}/fs/events`, { token })).json.events.slice(-2);
  expect(events).toMatchObject([
    { type: 'file.deleted', path: '/git/issues/draft.md', origin: 'system' },
    { type: 'file.created', path: '/git/issues/X_1_2.md', origin: 'system' },
  ]);
  const second = await put('/git/issues/draft2.md');
  expect((await ack(second, { success: true, canonicalPath: '/git/issues/X_1_2.md' })).json.draft).toEqual({
    action: 'none',
  });
  const third = await put('/git/issues/draft3.md');
  expect((await ack(third, { success: true, canonicalPath: '/git/../up' })).json.draft).toEqual({
    action: 'none',
  });
});

test('operations are listed newest first, filtered and in pages', async () => {
  const { agent, w, token, put, ack } = await pendingAgent();
  const ids = [await put('/git/a.md'), await put('/x/b.md'), await put('/git/c.md')];
  await ack(ids[0] ?? '');
  const list = async (query: string) =>
    (await request(agent, `${w}/ops?${query}`, { token })).json.items.map(
      (item: { opId: string }) => item.opId,
    );
  expect(await list('')).toEqual(ids.toReversed());
  expect(await list('status=succeeded')).toEqual([ids[0]]);
  expect(await list('status=nonsense')).toEqual([]);
  expect(await list('provider=GIT')).toEqual([ids[2], ids[0]]);
  expect(await list('action=file_delete')).toEqual([]);
  // Of three saves of no registered provider two have not succeeded.
  const registered = (await request(agent, `${w}/ops?registered=true`, { token: agent.ownerToken })).json;
  expect(registered).toMatchObject({ items: [{ opId: ids[2] }, { opId: ids[1] }], plainSaves: 1 });
  expect(await list('text=/C.m')).toEqual([ids[2]]);
  expect(await list('text=b.md&provider=git')).toEqual([]);
  expect(await list(`text=${ids[1]}`)).toEqual([ids[1]]);
  expect(await list('text=test-1')).toEqual(ids.toReversed());
  const page = (await request(agent, `${w}/ops?limit=2`, { token })).json;
  expect(page.nextCursor).toBe(ids[1]);
  expect(await list(`limit=2&cursor=${page.nextCursor}`)).toEqual([ids[0]]);
  // A position, whether or not there is such an operation.
  expect(await list('cursor=op_999999')).toEqual([...ids].reverse());
  expect(codeOf(await request(agent, `${w}/ops?cursor=rev_1`, { token }))).toEqual([400, 'bad_request']);
  expect(codeOf(await request(agent, `${w}/ops/nonsense`, { token }))).toEqual([404, 'not_found']);
});

test('without a consumer an operation is settled with its write', async () => {
  const agent = await startHttpAgent({ externalWriteback: 'off' });
  const { workspaceId, token } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  const put = await request(agent, `${w}/fs/file?path=/a.md`, {
    method: 'PUT',
    token,
    headers: { 'if-match': '*' },
    body: { content: 'x' },
  });
  expect(put.json.writeback.state).toBe('pending');
  expect((await request(agent, `${w}/ops/${put.json.opId}`, { token })).json.status).toBe('succeeded');
  expect((await request(agent, `${w}/writeback/pending`, { token })).json).toEqual([]);
});

test('many are replayed, canceled or sent at once, oldest first, and each says what became of it', async () => {
  const { agent, w, token, put, ack, op } = await pendingAgent();
  const [first, second, third] = [await put('/git/a.md'), await put('/git/b.md'), await put('/docs/c.md')];
  const call = (route: string, body?: unknown) =>
    request(agent, `${w}/${route}`, { method: 'POST', token, body });
  await ack(first, { success: false });
  await ack(second, { success: false });
  const both = { matched: 2, done: 0, more: false };
  expect((await call('ops/replay', { dryRun: true })).json).toMatchObject({
    ...both,
    results: [
      { opId: first, path: '/git/a.md', done: false },
      { opId: second, path: '/git/b.md', done: false },
    ],
  });
  expect((await call('ops/replay')).json).toMatchObject({ ...both, done: 2 });
  expect(await op(first)).toMatchObject({ status: 'pending' });
  expect((await call('writeback/send', { filter: { provider: 'GIT' } })).json).toEqual({
    matched: 2,
    done: 0,
    more: false,
    results: [first, second].map((opId, index) => ({
      opId,
      path: `/git/${index === 0 ? 'a' : 'b'}.md`,
      done: false,
      message: 'Mooring does not send to git: an external consumer does',
    })),
  });
  expect((await call('writeback/cancel', { filter: { opIds: [third, first, 'op_999'] } })).json).toEqual({
    matched: 2,
    done: 2,
    more: false,
    results: [
      { opId: first, path: '/git/a.md', done: true },
      { opId: third, path: '/docs/c.md', done: true },
      { opId: 'op_999', done: false, message: 'unknown operation' },
    ],
  });
  expect(codeOf(await call(`writeback/${third}/send`))).toEqual([409, 'invalid_state']);
  expect(codeOf(await call('writeback/op_999/send'))).toEqual([404, 'not_found']);
  for (const filter of ['all', { opIds: 'all' }, { action: 'none' }]) {
    expect(codeOf(await call('writeback/cancel', { filter }))).toEqual([400, 'bad_request']);
    expect(codeOf(await call('ops/replay', { filter }))).toEqual([400, 'bad_request']);
  }
});

test('a misspelled filter is refused: without it everything would match', async () => {
  const { w, agent, token, put } = await pendingAgent();
  const opId = await put('/git/a.md');
  for (const route of ['ops/replay', 'writeback/send', 'writeback/cancel']) {
    for (const body of [{ filters: {} }, { filter: { providr: 'none' } }]) {
      const answer = await request(agent, `${w}/${route}`, { method: 'POST', token, body });
      expect(codeOf(answer)).toEqual([400, 'bad_request']);
      expect(answer.json.message).toMatch(
        /^invalid body: (?:filters|filter\/providr|dry_run) is an unknown member$/,
      );
    }
  }
  expect((await request(agent, `${w}/ops/${opId}`, { token })).json.status).toBe('pending');
});

test('many are out of reach for a token without the scope', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent, { scopes: ['ops:read', 'sync:read'] });
  for (const route of ['ops/replay', 'writeback/send', 'writeback/cancel', 'writeback/op_1/send']) {
    const answer = await request(agent, `/v1/workspaces/${workspaceId}/${route}`, { method: 'POST', token });
    expect(codeOf(answer)).toEqual([403, 'forbidden']);
  }
});

test('the registered ones are those of providers that exist, and those that have not succeeded', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  const put = async (path: string) =>
    await request(agent, `${w}/fs/file?path=${encodeURIComponent(path)}`, {
      method: 'PUT',
      token,
      headers: { 'if-match': '*' },
      body: { content: 'x' },
    });
  await request(agent, `${w}/providers`, {
    method: 'POST',
    token: agent.ownerToken,
    body: { provider: 'git', kind: 'external' },
  });
  for (const path of ['/git/1.md', '/notes/1.md', '/git/2.md', '/notes/2.md', '/git/3.md']) await put(path);
  const list = async (query: string) => await request(agent, `${w}/ops?${query}`, { token });
  const pathsOf = (page: { items: { path: string }[] }) => page.items.map(({ path }) => path);
  expect(pathsOf((await list('')).json)).toHaveLength(5);
  expect(pathsOf((await list('registered=true')).json)).toEqual(['/git/3.md', '/git/2.md', '/git/1.md']);
  const first = (await list('registered=true&limit=2')).json;
  expect(first.plainSaves).toBeUndefined();
  const owners = await request(agent, `${w}/ops?registered=true&limit=1`, { token: agent.ownerToken });
  expect(owners.json.plainSaves).toBe(2);
  expect(pathsOf(first)).toEqual(['/git/3.md', '/git/2.md']);
  expect(pathsOf((await list(`registered=true&limit=2&cursor=${first.nextCursor}`)).json)).toEqual([
    '/git/1.md',
  ]);
  expect(codeOf(await list('registered=true&provider=git'))).toEqual([400, 'bad_request']);
  expect(codeOf(await list('registered=true&cursor=none'))).toEqual([400, 'bad_request']);
});
