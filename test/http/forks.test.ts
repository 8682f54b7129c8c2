import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forksMax, forkTtlSecondsDefault, forkTtlSecondsMax } from '../../server/core/change/forks.ts';
import { type ApiRequest, codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { createManualClock } from '../support/manual-clock.ts';

const clock = createManualClock(Date.now());
let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent({ clock });
});
afterAll(() => agent.close());

let proposals = 0;

async function workspace(token: Parameters<typeof makeWorkspace>[1] = {}) {
  const made = await makeWorkspace(agent, token);
  const call = (url: string, options: ApiRequest = {}) =>
    request(agent, `/v1/workspaces/${made.workspaceId}${url}`, { token: made.token, ...options });
  /** Live without a fork. */
  const put = (path: string, content: string, forkId?: string, more: object = {}, ifMatch = '*') =>
    call(`/fs/file?path=${encodeURIComponent(path)}${forkId === undefined ? '' : `&forkId=${forkId}`}`, {
      method: 'PUT',
      headers: { 'if-match': ifMatch },
      body: { content, ...more },
    });
  const remove = (path: string, forkId?: string, ifMatch = '*', options: ApiRequest = {}) =>
    call(`/fs/file?path=${path}${forkId === undefined ? '' : `&forkId=${forkId}`}`, {
      method: 'DELETE',
      headers: { 'if-match': ifMatch },
      ...options,
    });
  const read = (path: string, forkId?: string, options: ApiRequest = {}) =>
    call(`/fs/file?path=${path}${forkId === undefined ? '' : `&forkId=${forkId}`}`, options);
  const create = (body: object = {}, options: ApiRequest = {}) => {
    proposals += 1;
    return call('/forks', { method: 'POST', body: { proposalId: `p${proposals}`, ...body }, ...options });
  };
  const fork = async (body: object = {}) => {
    const { status, json } = await create(body);
    expect(status).toBe(200);
    return json.forkId as string;
  };
  const post = (forkId: string, what: 'commit' | 'rebase', options: ApiRequest = {}) =>
    call(`/forks/${forkId}/${what}`, { method: 'POST', ...options });
  const discard = (forkId: string) => call(`/forks/${forkId}`, { method: 'DELETE' });
  const events = async () => (await call('/fs/events')).json.events as { type: string; path: string }[];
  return { ...made, call, put, remove, read, create, fork, post, discard, events };
}

describe('a fork', () => {
  test('is made once for a proposal, lives a week, and at most a month', async () => {
    const { create, workspaceId, put } = await workspace();
    const revision = (await put('/a', 'x')).json.targetRevision;
    const first = await create({ proposalId: 'once' });
    expect(first.json).toEqual({
      forkId: expect.stringMatching(/^fork_/),
      proposalId: 'once',
      workspaceId,
      expiresAt: new Date(clock.nowMs() + forkTtlSecondsDefault * 1000).toISOString(),
      parentRevision: revision,
    });
    expect((await create({ proposalId: 'once' })).json).toEqual(first.json);
    expect((await create({ ttlSeconds: 10 ** 9 })).json.expiresAt).toBe(
      new Date(clock.nowMs() + forkTtlSecondsMax * 1000).toISOString(),
    );
    const elsewhere = await workspace();
    expect(codeOf(await elsewhere.create({ proposalId: 'once' }))).toEqual([409, 'proposal_conflict']);
  });

  test('that cannot be made says why', async () => {
    const { create, call, fork, put } = await workspace();
    await put('/a', 'x');
    expect(codeOf(await call('/forks', { method: 'POST' }))).toEqual([400, 'bad_request']);
    expect(codeOf(await create({ proposalId: '' }))).toEqual([400, 'bad_request']);
    expect(codeOf(await create({ ttlSeconds: -1 }))).toEqual([400, 'bad_request']);
    expect(codeOf(await create({ ttlSeconds: 'long' }))).toEqual([400, 'bad_request']);
    const forkId = await fork();
    const nested = await call(`/forks?forkId=${forkId}`, { method: 'POST', body: { proposalId: 'inner' } });
    expect([nested.status, nested.json.error]).toEqual([400, 'nested_forks_not_supported']);
    for (let n = 1; n < forksMax; n += 1) await fork();
    expect(codeOf(await create())).toEqual([409, 'invalid_state']);
  });

  test('shows the workspace of its moment with its own changes, and nobody else sees them', async () => {
    const { put, remove, read, fork, call, events } = await workspace();
    await put('/docs/kept', 'kept');
    await put('/docs/changed', 'before', undefined, { semantics: { properties: { k: 'v' } } });
    await put('/docs/gone', 'gone');
    const forkId = await fork();
    const seen = await events();
    await put('/docs/changed', 'live');
    await put('/live/new', 'live');
    await remove('/docs/kept');
    const ownEvents = (await events()).length;

    const written = await put('/docs/own', 'own', forkId, { semantics: { relations: ['r'] } });
    expect(written.json).toMatchObject({
      opId: `fork:${forkId}:op:1`,
      targetRevision: `fork:${forkId}:1`,
      status: 'queued',
    });
    expect((await remove('/docs/gone', forkId)).status).toBe(202);
    expect((await read('/docs/kept', forkId)).json.content).toBe('kept');
    expect((await read('/docs/changed', forkId)).json).toMatchObject({
      content: 'before',
      semantics: { properties: { k: 'v' } },
    });
    const own = await read('/docs/own', forkId);
    expect([own.json.content, own.json.revision, own.headers.get('etag')]).toEqual([
      'own',
      `fork:${forkId}:1`,
      `fork:${forkId}:1`,
    ]);
    expect(
      (await read('/docs/own', forkId, { headers: { 'if-none-match': `fork:${forkId}:1` } })).status,
    ).toBe(304);
    expect(codeOf(await read('/docs/gone', forkId))).toEqual([404, 'not_found']);
    expect(codeOf(await read('/live/new', forkId))).toEqual([404, 'not_found']);
    expect(codeOf(await read('/docs/own'))).toEqual([404, 'not_found']);

    const tree = (await call(`/fs/tree?forkId=${forkId}`)).json;
    expect(tree.entries.map((entry: { path: string }) => entry.path)).toEqual([
      '/docs',
      '/docs/changed',
      '/docs/kept',
      '/docs/own',
    ]);
    expect(tree.totalFiles).toBe(3);
    expect(tree.entries.at(-1).revision).toBe(`fork:${forkId}:1`);
    const exported = (await call(`/fs/export?format=json&forkId=${forkId}`)).json;
    expect(exported.map((one: { path: string; content: string }) => [one.path, one.content])).toEqual([
      ['/docs/changed', 'before'],
      ['/docs/kept', 'kept'],
      ['/docs/own', 'own'],
    ]);
    expect((await call(`/fs/query?relation=r&forkId=${forkId}`)).json.items).toMatchObject([
      { path: '/docs/own' },
    ]);
    const many = await call(`/fs/bulk-read?forkId=${forkId}`, {
      method: 'POST',
      body: { paths: ['/docs/own', '/docs/gone'] },
    });
    expect(many.json.files).toMatchObject([{ content: 'own' }, { error: { status: 404 } }]);
    // Nothing of it became an event or an operation.
    expect((await events()).length).toBe(ownEvents);
    expect(seen.length).toBeLessThan(ownEvents);
    expect((await call('/ops')).json.items.some((one: { path: string }) => one.path === '/docs/own')).toBe(
      false,
    );
  });

  test('takes bulk writes and bare bytes, under its own preconditions', async () => {
    const { put, read, fork, call } = await workspace();
    const live = (await put('/a', 'live')).json.targetRevision;
    const forkId = await fork();
    const bulk = await call(`/fs/bulk?forkId=${forkId}`, {
      method: 'POST',
      body: {
        files: [
          { path: '/a', content: 'one', ifMatch: live },
          { path: '/b', content: 'two', ifMatch: '0' },
          { path: '/b', content: 'three', ifMatch: '0' },
          { path: '/b/below', content: 'no' },
        ],
      },
    });
    expect(bulk.json).toMatchObject({
      written: 2,
      results: [{ path: '/a', revision: `fork:${forkId}:1` }, { path: '/b' }],
      errors: [
        { path: '/b', code: 'conflict', currentRevision: `fork:${forkId}:2` },
        { path: '/b/below', code: 'invalid_path' },
      ],
    });
    expect(codeOf(await put('/a', 'x', forkId, {}, live))).toEqual([409, 'revision_conflict']);
    expect((await put('/a', 'x', forkId, {}, `fork:${forkId}:1`)).status).toBe(202);
    const bytes = Buffer.from([0, 1, 2, 255]);
    const raw = await call(`/fs/file?path=/raw&forkId=${forkId}`, {
      method: 'PUT',
      headers: { 'if-match': '0', 'content-type': 'application/octet-stream' },
      body: bytes,
    });
    expect(raw.status).toBe(202);
    const back = await read('/raw', forkId, {
      headers: { accept: 'application/octet-stream', range: 'bytes=1-2' },
    });
    expect([back.status, [...back.bytes]]).toEqual([206, [1, 2]]);
    expect((await read('/a')).json.content).toBe('live');
  });

  test('is listed with what it has staged, page by page', async () => {
    const { put, remove, fork, call } = await workspace({ agent: 'writer' });
    const live = (await put('/a', 'a')).json.targetRevision;
    const forkId = await fork({ proposalId: 'listed' });
    await put('/b', 'b!', forkId);
    await remove('/a', forkId);
    expect((await call('/forks')).json.forks).toEqual([(await call(`/forks/${forkId}`)).json]);
    expect((await call(`/forks/${forkId}`)).json).toMatchObject({
      createdBy: 'writer',
      proposalId: 'listed',
      writtenCount: 1,
      deletedCount: 1,
      bytes: 2,
    });
    const first = (await call(`/forks/${forkId}/changes?limit=1`)).json;
    expect(first).toMatchObject({
      changes: [{ path: '/a', forkType: 'delete', madeOn: live, liveRevision: live, conflicts: false }],
      nextCursor: '/a',
    });
    const rest = (await call(`/forks/${forkId}/changes?cursor=${first.nextCursor}`)).json;
    expect(rest).toMatchObject({
      changes: [{ path: '/b', forkType: 'write', madeOn: null, liveExists: false, size: 2 }],
      nextCursor: null,
    });
  });
});

describe('what a fork would change', () => {
  test('is told as patches against the workspace of now, 20 a page, each with its kind', async () => {
    const { put, remove, fork, call } = await workspace();
    await put('/a.md', 'one\ntwo\n');
    await put('/gone.md', 'gone\n');
    const forkId = await fork();
    await put('/a.md', 'one\n2\n', forkId);
    await put('/new.md', 'new\n', forkId);
    await remove('/gone.md', forkId);
    await put('/image', 'AP8=', forkId, { encoding: 'base64' });
    await put('/a.md', 'one\ntwo\nthree\n');
    const { changes } = (await call(`/forks/${forkId}/changes?patch=true`)).json;
    const patchOf = (path: string) =>
      changes.find((change: { path: string }) => change.path === path).diff.patch as string;
    expect(patchOf('/a.md')).toContain('@@ -1,3 +1,2 @@\n one\n-two\n-three\n+2\n');
    expect(patchOf('/new.md')).toContain('--- /dev/null\n+++ b/new.md\n@@ -0,0 +1,1 @@\n+new\n');
    expect(patchOf('/gone.md')).toContain('+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone\n');
    expect(changes.find((change: { path: string }) => change.path === '/image').diff).toEqual({
      kind: 'binary',
    });
    expect((await call(`/forks/${forkId}/changes`)).json.changes[0].diff).toBeUndefined();
    const files = Array.from({ length: 21 }, (_, n) => ({ path: `/many/${n}`, content: 'x' }));
    await call(`/fs/bulk?forkId=${forkId}`, { method: 'POST', body: { files } });
    const page = (await call(`/forks/${forkId}/changes?patch=true&limit=1000`)).json;
    expect([page.changes.length, page.nextCursor]).toEqual([20, page.changes.at(-1).path]);
  });
});

describe('a commit', () => {
  test('is one change with the events, operations and history of the same writes, and ends the fork', async () => {
    const { put, remove, read, fork, post, call, events } = await workspace({ agent: 'committer' });
    await put('/a', 'a', undefined, { semantics: { properties: { k: 'v' } } });
    await put('/b', 'b');
    const forkId = await fork();
    await put('/a', 'a2', forkId);
    await put('/c', 'c', forkId, { contentType: 'text/plain' });
    await put('/c', 'c2', forkId);
    await remove('/b', forkId);
    const before = (await events()).length;
    const committed = await post(forkId, 'commit', { correlationId: 'the-commit' });
    expect(committed.json).toMatchObject({ writtenCount: 2, deletedCount: 1 });
    const made = (await events()).slice(before);
    expect(made).toMatchObject([
      { type: 'file.deleted', path: '/b', origin: 'agent_write', correlationId: 'the-commit' },
      { type: 'file.updated', path: '/a' },
      { type: 'file.created', path: '/c', revision: committed.json.revision },
    ]);
    expect((await read('/a')).json).toMatchObject({ content: 'a2', semantics: { properties: { k: 'v' } } });
    expect((await read('/c')).json).toMatchObject({ content: 'c2', contentType: 'text/plain' });
    const history = (await call('/fs/history?path=/&below=true&limit=3')).json.entries;
    expect(new Set(history.map((one: { batch: string }) => one.batch)).size).toBe(1);
    expect(history[0]).toMatchObject({ actor: { name: 'committer' }, opId: expect.stringMatching(/^op_/) });
    for (const again of [await post(forkId, 'commit'), await read('/a', forkId)]) {
      expect(codeOf(again)).toEqual([404, 'not_found']);
    }
    expect((await call('/forks')).json.forks).toEqual([]);
  });

  test('of nothing changes nothing', async () => {
    const { put, fork, post, events } = await workspace();
    const revision = (await put('/a', 'a')).json.targetRevision;
    const before = await events();
    const committed = await post(await fork(), 'commit');
    expect(committed.json).toEqual({ revision, writtenCount: 0, deletedCount: 0 });
    expect(await events()).toEqual(before);
  });

  test('is refused whole where somebody else has changed a path; a rebase shows it, and it can be settled', async () => {
    const { put, remove, read, fork, post, events } = await workspace();
    for (const name of ['/clean', '/both', '/dropped', '/same']) await put(name, `${name} 1`);
    const forkId = await fork();
    await put('/clean', 'mine', forkId);
    await put('/both', 'mine', forkId);
    await put('/same', 'agreed', forkId);
    await remove('/dropped', forkId);
    await put('/added', 'mine', forkId);
    const both = (await put('/both', 'theirs')).json.targetRevision;
    const dropped = (await put('/dropped', 'theirs')).json.targetRevision;
    const added = (await put('/added', 'theirs')).json.targetRevision;
    const newest = (await put('/same', 'agreed')).json.targetRevision;
    const before = await events();
    const refused = await post(forkId, 'commit');
    expect([refused.status, refused.json.code, refused.json.currentRevision]).toEqual([
      409,
      'parent_moved',
      newest,
    ]);
    expect(refused.json.details.conflicts).toEqual([
      { path: '/added', forkType: 'write', liveExists: true, liveRevision: added },
      { path: '/both', forkType: 'write', liveExists: true, liveRevision: both },
      { path: '/dropped', forkType: 'delete', liveExists: true, liveRevision: dropped },
    ]);
    expect(await events()).toEqual(before);
    const rebased = await post(forkId, 'rebase');
    expect(rebased.json).toMatchObject({
      parentRevision: newest,
      cleanCount: 2,
      conflicts: [{ path: '/added', liveContentPreview: 'theirs' }, { path: '/both' }, { path: '/dropped' }],
    });
    // What it has staged stays until somebody who knows the workspace's revision says otherwise.
    expect((await read('/both', forkId)).json.content).toBe('mine');
    await put('/both', 'mine again', forkId);
    expect(codeOf(await post(forkId, 'commit'))).toEqual([409, 'parent_moved']);
    expect((await put('/both', 'both', forkId, {}, both)).status).toBe(202);
    expect((await remove('/dropped', forkId, dropped)).status).toBe(202);
    expect((await remove('/added', forkId, added)).status).toBe(202);
    expect((await post(forkId, 'commit')).json).toMatchObject({ writtenCount: 2, deletedCount: 2 });
    expect((await read('/both')).json.content).toBe('both');
    expect(codeOf(await read('/dropped'))).toEqual([404, 'not_found']);
    expect(codeOf(await read('/added'))).toEqual([404, 'not_found']);
  });

  test('on a file that is gone is settled with "0", and where a file now bars the way it is refused whole', async () => {
    const { put, remove, fork, post, read } = await workspace();
    await put('/a', 'a');
    const forkId = await fork();
    await put('/a', 'mine', forkId);
    await put('/d/e', 'mine', forkId);
    await remove('/a');
    await put('/d', 'a file where the fork needs a directory');
    const { conflicts } = (await post(forkId, 'rebase')).json;
    expect(conflicts).toEqual([{ path: '/a', forkType: 'write', liveExists: false, liveRevision: '0' }]);
    expect((await put('/a', 'mine', forkId, {}, '0')).status).toBe(202);
    expect(codeOf(await post(forkId, 'commit'))).toEqual([409, 'invalid_state']);
    expect(codeOf(await read('/a'))).toEqual([404, 'not_found']);
    await remove('/d');
    expect((await post(forkId, 'commit')).json.writtenCount).toBe(2);
  });
});

describe('the end of a fork', () => {
  test('discarding it answers the same however often, and lets its contents go with the next upkeep', async () => {
    const { put, read, fork, discard } = await workspace();
    const text = `only in the fork ${'x'.repeat(70_000)}`;
    const forkId = await fork();
    await put('/large', text, forkId);
    const { contentHash } = (await read('/large', forkId)).json;
    expect(await agent.store.files.read(contentHash)).not.toBeNull();
    for (let n = 0; n < 2; n += 1) expect((await discard(forkId)).status).toBe(204);
    expect(codeOf(await read('/large', forkId))).toEqual([404, 'not_found']);
    await agent.store.maintenance.applyRetention(clock.nowMs());
    expect(await agent.store.files.read(contentHash)).toBeNull();
    expect(await agent.store.maintenance.integrityCheck()).toEqual([]);
  });

  test('past its time it is 410, before and after upkeep, and its proposal is free again', async () => {
    const { put, read, fork, post, call, create } = await workspace();
    const forkId = await fork({ proposalId: 'short', ttlSeconds: 60 });
    await put('/a', 'a', forkId);
    clock.advance(60_000);
    for (let n = 0; n < 2; n += 1) {
      for (const answer of [
        await read('/a', forkId),
        await put('/a', 'b', forkId),
        await post(forkId, 'commit'),
        await post(forkId, 'rebase'),
        await call(`/forks/${forkId}`),
        await call(`/fs/tree?forkId=${forkId}`),
      ]) {
        expect([answer.status, answer.json.code, answer.json.error]).toEqual([
          410,
          'fork_expired',
          'fork_expired',
        ]);
      }
      const bulk = await call(`/fs/bulk?forkId=${forkId}`, {
        method: 'POST',
        body: { files: [{ path: '/a', content: 'x' }] },
      });
      expect([bulk.status, bulk.json.errors[0].code]).toEqual([202, 'fork_expired']);
      await agent.store.maintenance.applyRetention(clock.nowMs());
    }
    expect((await call('/forks')).json.forks).toEqual([]);
    expect((await create({ proposalId: 'short' })).json.forkId).not.toBe(forkId);
    expect(await agent.store.maintenance.integrityCheck()).toEqual([]);
  });
});

describe('a fork opens nothing', () => {
  const acl = (permissions: string[]) => ({ semantics: { permissions } });

  test('that the rules of the workspace close, and what its own rules close is closed in it', async () => {
    const { workspaceId, fork, put, call, read, post, remove } = await workspace({ agent: 'writer' });
    await agent.workspaces.change({
      workspaceId,
      changes: [
        {
          kind: 'write_file',
          path: '/secret/.relayfile.acl',
          precondition: { kind: 'any' },
          content: await agent.workspaces.stage(Buffer.from('')),
          defaultContentType: 'application/json',
          encoding: 'utf-8',
          semantics: { permissions: ['agent:other'] },
          aclText: '',
        },
        {
          kind: 'write_file',
          path: '/secret/plan',
          precondition: { kind: 'any' },
          content: await agent.workspaces.stage(Buffer.from('secret')),
          defaultContentType: 'text/plain',
          encoding: 'utf-8',
        },
      ],
      atomic: true,
      actor: { kind: 'system', name: 'system', tokenId: null },
      origin: 'system',
      access: null,
      correlationId: 'corr',
      makesOperations: false,
    });
    await put('/open/file', 'x');
    const forkId = await fork();
    expect(codeOf(await read('/secret/plan', forkId))).toEqual([403, 'forbidden']);
    expect(codeOf(await put('/secret/mine', 'x', forkId))).toEqual([403, 'forbidden']);
    expect(codeOf(await remove('/secret/.relayfile.acl', forkId))).toEqual([403, 'forbidden']);
    const paths = async () =>
      (await call(`/fs/tree?forkId=${forkId}`)).json.entries.map((entry: { path: string }) => entry.path);
    expect(await paths()).toEqual(['/open', '/open/file']);
    await put('/open/.relayfile.acl', '', forkId, acl(['deny:agent:writer']));
    expect(await paths()).toEqual([]);
    expect((await call(`/fs/tree?forkId=${forkId}`)).json.totalFiles).toBeUndefined();
    expect(codeOf(await read('/open/file', forkId))).toEqual([403, 'forbidden']);
    expect((await read('/open/file')).status).toBe(200);
    expect((await post(forkId, 'commit')).status).toBe(200);
    expect(codeOf(await read('/open/file'))).toEqual([403, 'forbidden']);
  });

  test('beyond the scope of a token: not to read, not to write, not to commit', async () => {
    const { workspaceId, fork, put, call } = await workspace();
    await put('/team/a', 'x');
    await put('/other/b', 'x');
    const forkId = await fork();
    await put('/other/b', 'staged', forkId);
    const { token } = await agent.tokens.issue({
      workspaceId,
      scopes: ['relayfile:fs:read:/team/**', 'relayfile:fs:write:/team/**'],
    });
    const asTeam = (url: string, options: ApiRequest = {}) =>
      request(agent, `/v1/workspaces/${workspaceId}${url}`, { token, ...options });
    expect((await asTeam(`/fs/file?path=/team/a&forkId=${forkId}`)).status).toBe(200);
    expect(codeOf(await asTeam(`/fs/file?path=/other/b&forkId=${forkId}`))).toEqual([403, 'forbidden']);
    expect(codeOf(await asTeam(`/fs/tree?path=/&forkId=${forkId}`))).toEqual([403, 'forbidden']);
    expect((await asTeam(`/forks/${forkId}/changes`)).json.changes).toEqual([]);
    expect(codeOf(await asTeam(`/forks/${forkId}/commit`, { method: 'POST' }))).toEqual([403, 'forbidden']);
    expect((await call(`/fs/file?path=/other/b`)).json.content).toBe('x');
    const { token: reader } = await agent.tokens.issue({ workspaceId, scopes: ['fs:read'] });
    for (const [url, method] of [
      ['/forks', 'POST'],
      [`/forks/${forkId}`, 'DELETE'],
      [`/forks/${forkId}/commit`, 'POST'],
      [`/forks/${forkId}/rebase`, 'POST'],
    ] as const) {
      const answer = await request(agent, `/v1/workspaces/${workspaceId}${url}`, {
        token: reader,
        method,
        body: {},
      });
      expect(codeOf(answer)).toEqual([403, 'forbidden']);
    }
  });

  test('a grant of one file does not list it once the fork has made it a directory', async () => {
    const { workspaceId, fork, put, remove } = await workspace();
    await put('/x', 'a file');
    const forkId = await fork();
    await remove('/x', forkId);
    await put('/x/below', 'hidden', forkId);
    const { token } = await agent.tokens.issue({ workspaceId, scopes: ['relayfile:fs:read:/x'] });
    for (const url of ['tree?path=/x', 'query?path=/x', 'export?path=/x']) {
      const list = await request(agent, `/v1/workspaces/${workspaceId}/fs/${url}&forkId=${forkId}`, {
        token,
      });
      expect([url, ...codeOf(list)]).toEqual([url, 403, 'forbidden']);
    }
  });

  test('past the quota of deletions', async () => {
    const { workspaceId, fork, put } = await workspace();
    for (const name of ['/a', '/b']) await put(name, 'x');
    const forkId = await fork();
    const { token } = await agent.tokens.issue({ workspaceId, deletesPerMinute: 1 });
    for (const name of ['/a', '/b']) {
      const answer = await request(
        agent,
        `/v1/workspaces/${workspaceId}/fs/file?path=${name}&forkId=${forkId}`,
        {
          token,
          method: 'DELETE',
          headers: { 'if-match': '*' },
        },
      );
      expect(answer.status).toBe(202);
    }
    const commit = await request(agent, `/v1/workspaces/${workspaceId}/forks/${forkId}/commit`, {
      token,
      method: 'POST',
    });
    expect(codeOf(commit)).toEqual([429, 'delete_storm_rejected']);
  });

  test('of another workspace, and no route takes a forkId that it does not understand', async () => {
    const one = await workspace();
    const two = await workspace();
    const forkId = await one.fork();
    for (const named of [forkId, 'fork_unknown', '']) {
      expect(codeOf(await two.read('/a', named))).toEqual([404, 'not_found']);
      expect(codeOf(await two.put('/a', 'x', named))).toEqual([404, 'not_found']);
      const bulk = await two.call(`/fs/bulk?forkId=${named}`, {
        method: 'POST',
        body: { files: [{ path: '/a', content: 'x' }] },
      });
      expect([bulk.status, bulk.json.written, bulk.json.errors[0].code]).toEqual([202, 0, 'not_found']);
    }
    expect(codeOf(await two.read('/a'))).toEqual([404, 'not_found']);
    expect((await two.discard(forkId)).status).toBe(204);
    expect((await one.call(`/forks/${forkId}`)).status).toBe(200);
    for (const [url, method] of [
      ['/fs/restore', 'POST'],
      ['/fs/merge?path=/a', 'POST'],
      ['/fs/events?path=/', 'GET'],
    ] as const) {
      const joined = `${url}${url.includes('?') ? '&' : '?'}forkId=${forkId}`;
      expect(codeOf(await one.call(joined, { method, ...(method === 'POST' ? { body: {} } : {}) }))).toEqual([
        400,
        'bad_request',
      ]);
    }
    await one.put('/a', 'x');
    expect(codeOf(await one.call(`/fs/file?path=/a&revision=rev_1&forkId=${forkId}`))).toEqual([
      400,
      'bad_request',
    ]);
  });
});
