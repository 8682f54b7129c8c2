import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiRequest, codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { waitFor } from '../support/wait-for.ts';

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

async function workspace(token: Parameters<typeof makeWorkspace>[1] = {}) {
  const made = await makeWorkspace(agent, token);
  const call = (url: string, options: ApiRequest = {}) =>
    request(agent, `/v1/workspaces/${made.workspaceId}${url}`, { token: made.token, ...options });
  const put = async (path: string, content: string, more: object = {}, options: ApiRequest = {}) => {
    const response = await call(`/fs/file?path=${encodeURIComponent(path)}`, {
      method: 'PUT',
      headers: { 'if-match': '*' },
      body: { content, ...more },
      ...options,
    });
    expect(response.status).toBe(202);
    return response.json.targetRevision as string;
  };
  const move = async (from: string, to: string) => {
    await agent.workspaces.change({
      workspaceId: made.workspaceId,
      changes: [{ kind: 'move_file', from, to, precondition: { kind: 'any' } }],
      atomic: true,
      actor: { kind: 'mirror', name: 'Folder', tokenId: null },
      origin: 'agent_write',
      access: null,
      correlationId: 'corr-move',
      makesOperations: true,
    });
  };
  const history = (query: string, options: ApiRequest = {}) => call(`/fs/history?${query}`, options);
  const restore = (body: unknown, options: ApiRequest = {}) =>
    call('/fs/restore', { method: 'POST', body, ...options });
  return { ...made, call, put, move, history, restore };
}

const denied = JSON.stringify({ semantics: { permissions: ['deny:agent:reader', 'allow:public'] } });

describe('GET history', () => {
  test('tells who changed a file, when, in which request, and follows it over a rename', async () => {
    const { put, move, history } = await workspace({ agent: 'writer' });
    const first = await put('/old', 'one', {}, { correlationId: 'corr-1' });
    await put('/old', 'two');
    await move('/old', '/new');
    const last = await put('/new', 'three!');
    const page = await history('path=/new');
    expect(page.json.entries).toMatchObject([
      { revision: last, path: '/new', action: 'write', size: 6, batch: last.replace('rev', 'batch') },
      { path: '/new', action: 'move', movedFrom: '/old', actor: { kind: 'mirror', name: 'Folder' } },
      { path: '/old', action: 'write' },
      {
        revision: first,
        path: '/old',
        actor: { kind: 'token', name: 'writer', tokenId: expect.any(String) },
        origin: 'agent_write',
        correlationId: 'corr-1',
        opId: expect.stringMatching(/^op_/),
        contentHash: expect.any(String),
        at: expect.any(String),
      },
    ]);
    expect(page.json).toMatchObject({ nextCursor: null, retention: { days: 30, revisions: 20 } });
    expect((await history('path=/new&follow=false')).json.entries).toHaveLength(2);
  });

  test('comes in pages of any size, also across a rename, none twice and none left out', async () => {
    const { put, move, history } = await workspace();
    for (let n = 0; n < 3; n += 1) await put('/a b', `a${n}`);
    await move('/a b', '/c:d');
    for (let n = 0; n < 3; n += 1) await put('/c:d', `c${n}`);
    const whole = (await history('path=/c:d')).json.entries;
    expect(whole).toHaveLength(7);
    for (const limit of [1, 2, 4, 7]) {
      const seen: unknown[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await history(`path=/c:d&limit=${limit}&cursor=${encodeURIComponent(cursor)}`);
        seen.push(...page.json.entries);
        cursor = page.json.nextCursor;
      }
      expect(seen).toEqual(whole);
    }
  });

  test('of a directory with all below it, and of one request', async () => {
    const { call, put, history } = await workspace();
    await put('/d/x', '1');
    const bulk = await call('/fs/bulk', {
      method: 'POST',
      body: {
        files: [
          { path: '/d/y', content: '1' },
          { path: '/e', content: '1' },
        ],
      },
    });
    const [{ revision }] = bulk.json.results;
    const paths = async (query: string) =>
      (await history(query)).json.entries.map((entry: { path: string }) => entry.path);
    expect(await paths('path=/d&below=true')).toEqual(['/d/y', '/d/x']);
    expect(await paths('below=true')).toEqual(['/e', '/d/y', '/d/x']);
    expect(await paths(`batch=${revision.replace('rev', 'batch')}`)).toEqual(['/e', '/d/y']);
    expect(await paths(`batch=${revision.replace('rev', 'batch')}&path=/d`)).toEqual(['/d/y']);
    expect(await paths('path=/nothing')).toEqual([]);
  });

  test('of files that are deleted now: not of those that are back, were moved, or lie elsewhere by the same request', async () => {
    const { call, put, move, history } = await workspace();
    const remove = (path: string, forkId?: string) =>
      call(`/fs/file?path=${path}${forkId === undefined ? '' : `&forkId=${forkId}`}`, {
        method: 'DELETE',
        headers: { 'if-match': '*' },
      });
    for (const path of ['/d/gone', '/d/back', '/e', '/old', '/renamed'])
      await put(path, `content of ${path}`);
    for (const path of ['/d/gone', '/d/back', '/e']) await remove(path);
    await put('/d/back', 'again');
    await move('/old', '/new');
    const fork = await call('/forks', { method: 'POST', body: { proposalId: 'rename' } });
    const { forkId } = fork.json;
    await call(`/fs/file?path=/here&forkId=${forkId}`, {
      method: 'PUT',
      headers: { 'if-match': '0' },
      body: { content: 'content of /renamed' },
    });
    await remove('/renamed', forkId);
    expect((await call(`/forks/${forkId}/commit`, { method: 'POST', body: {} })).status).toBe(200);
    const page = async (query: string) => (await history(query)).json;
    const paths = async (query: string) =>
      (await page(query)).entries.map((entry: { path: string }) => entry.path);
    expect(await paths('deleted=true')).toEqual(['/e', '/d/gone']);
    expect(await paths('deleted=true&path=/d')).toEqual(['/d/gone']);
    const first = await page('deleted=true&limit=1');
    expect(await paths(`deleted=true&limit=1&cursor=${first.nextCursor}`)).toEqual(['/d/gone']);
    // The revision before the deletion puts the file back.
    const [{ revision }] = first.entries;
    const before = `rev_${Number(revision.slice('rev_'.length)) - 1}`;
    const restored = await call('/fs/restore', { method: 'POST', body: { path: '/e', revision: before } });
    expect(restored.json).toMatchObject({ created: 1, updated: 0, deleted: 0 });
    expect(await paths('deleted=true')).toEqual(['/d/gone']);
  });

  test('refuses what cannot be read, and a path outside of the token', async () => {
    const { history } = await workspace({ scopes: ['relayfile:fs:read:/mine/**'] });
    expect(codeOf(await history('path=/yours/a'))).toEqual([403, 'forbidden']);
    expect(codeOf(await history('path=/mine/a&cursor=x'))).toEqual([400, 'bad_request']);
    expect(codeOf(await history('path=/mine/a&batch=1'))).toEqual([400, 'bad_request']);
    expect((await history('path=/mine/a')).status).toBe(200);
    expect((await history('path=/mine/a', { token: null })).status).toBe(401);
  });

  test('leads a narrow token nowhere else: not by a rename, not by a cursor, not by all below', async () => {
    const { workspaceId, put, move, history, call } = await workspace();
    await put('/yours/a', 'secret');
    await move('/yours/a', '/mine/a');
    await put('/yours/b', 'secret');
    const { token } = await agent.tokens.issue({ workspaceId, scopes: ['relayfile:fs:read:/mine/**'] });
    const own = await history('path=/mine/a', { token });
    expect(own.json.entries).toMatchObject([{ action: 'move', path: '/mine/a' }]);
    expect(own.json.entries[0]).not.toHaveProperty('movedFrom');
    const led = await history('path=/mine/a&cursor=rev_999999:/yours/b', { token });
    expect(led.json.entries).toEqual([]);
    expect((await history('below=true', { token })).json.entries).toMatchObject([{ path: '/mine/a' }]);
    const [, before] = (await history('path=/mine/a')).json.entries;
    expect(codeOf(await call(`/fs/file?path=/mine/a&revision=${before.revision}`, { token }))).toEqual([
      404,
      'not_found',
    ]);
  });
});

describe('what the rules hid then', () => {
  test('stays hidden from the token when they are gone: in lists, reads, differences and restores', async () => {
    const { workspaceId, put, call, history, restore } = await workspace({ agent: 'writer' });
    const open = await put('/d/a', 'open');
    await put('/d/.relayfile.acl', denied);
    const secret = await put('/d/a', 'secret');
    await call('/fs/file?path=/d/.relayfile.acl', { method: 'DELETE', headers: { 'if-match': '*' } });
    const last = await put('/d/a', 'open again');
    const { token } = await agent.tokens.issue({ workspaceId, agent: 'reader' });
    const revisions = (await history('path=/d/a', { token })).json.entries.map(
      (entry: { revision: string }) => entry.revision,
    );
    expect(revisions).toEqual([last, open]);
    const read = (revision: string, options: ApiRequest = {}) =>
      call(`/fs/file?path=/d/a&revision=${revision}`, options);
    expect((await read(secret)).json).toMatchObject({ content: 'secret', revision: secret });
    expect(codeOf(await read(secret, { token }))).toEqual([403, 'forbidden']);
    expect((await read(open, { token })).json).toMatchObject({ content: 'open' });
    expect(codeOf(await call(`/fs/diff?path=/d/a&from=${secret}`, { token }))).toEqual([403, 'forbidden']);
    const difference = await call('/fs/diff?path=/d/a', { token });
    expect(difference.json).toMatchObject({ from: { revision: open }, to: { revision: last } });
    expect(codeOf(await restore({ path: '/d/a', revision: secret }, { token }))).toEqual([403, 'forbidden']);
    await put('/d/.relayfile.acl', denied);
    expect(codeOf(await history('path=/d/a', { token }))).toEqual([403, 'forbidden']);
    expect(codeOf(await read(open, { token }))).toEqual([403, 'forbidden']);
    expect(codeOf(await restore({ path: '/d/a', revision: open }, { token }))).toEqual([403, 'forbidden']);
  });
});

describe('GET file at a revision', () => {
  test('answers content, type and metadata of then, with its ETag; a deletion has none', async () => {
    const { put, call } = await workspace();
    const first = await put('/a', 'one', { contentType: 'text/x-one', semantics: { comments: ['c'] } });
    await put('/a', 'two', { semantics: { comments: ['d'] } });
    const gone = await call('/fs/file?path=/a', { method: 'DELETE', headers: { 'if-match': '*' } });
    const old = await call(`/fs/file?path=/a&revision=${first}`);
    expect(old.headers.get('etag')).toBe(first);
    expect(old.json).toMatchObject({
      revision: first,
      content: 'one',
      contentType: 'text/x-one',
      semantics: { comments: ['c'] },
    });
    const again = await call(`/fs/file?path=/a&revision=${first}`, { headers: { 'if-none-match': first } });
    expect(again.status).toBe(304);
    expect(codeOf(await call(`/fs/file?path=/a&revision=${gone.json.targetRevision}`))).toEqual([
      404,
      'not_found',
    ]);
    expect(codeOf(await call('/fs/file?path=/a&revision=rev_999999'))).toEqual([404, 'not_found']);
    expect(codeOf(await call('/fs/file?path=/a&revision=7'))).toEqual([400, 'bad_request']);
    expect(codeOf(await call(`/fs/file?path=/other&revision=${first}`))).toEqual([404, 'not_found']);
  });
});

describe('GET diff', () => {
  test('of text is a patch, of anything else says that it is no text, of nothing is refused', async () => {
    const { put, call } = await workspace();
    const first = await put('/a.md', 'one\ntwo\n');
    const second = await put('/a.md', 'one\nthree\n');
    const diff = await call('/fs/diff?path=/a.md');
    expect(diff.json).toMatchObject({ kind: 'text', from: { revision: first }, to: { revision: second } });
    expect(diff.json.patch).toContain('--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n');
    const created = await call(`/fs/diff?path=/a.md&to=${first}`);
    expect(created.json).toMatchObject({ from: null, to: { revision: first } });
    expect(created.json.patch).toContain('new file mode');
    expect((await call(`/fs/diff?path=/a.md&from=${second}&to=${second}`)).json.patch).toBe('');
    expect((await call(`/fs/diff?path=/a.md&from=${second}&to=0`)).json.patch).toContain('deleted file mode');
    await put('/b.bin', 'AAAA', { encoding: 'base64' });
    const binary = await call('/fs/diff?path=/b.bin');
    expect(binary.json).toMatchObject({ kind: 'binary' });
    expect(binary.json).not.toHaveProperty('patch');
    await put('/large', `${'x\n'.repeat(300_000)}`);
    expect((await call('/fs/diff?path=/large')).json.kind).toBe('too_large');
    expect(codeOf(await call('/fs/diff?path=/none'))).toEqual([404, 'not_found']);
    expect(codeOf(await call('/fs/diff'))).toEqual([400, 'bad_request']);
    expect(codeOf(await call('/fs/diff?path=/a.md&from=x'))).toEqual([400, 'bad_request']);
  });
});

describe('POST restore', () => {
  test('shows first, then does, then can be taken back', async () => {
    const { put, call, restore } = await workspace();
    const first = await put('/d/a', 'one');
    await put('/d/a', 'two');
    await put('/d/b', 'new');
    const text = async () => (await call('/fs/file?path=/d/a')).json.content;
    const preview = await restore({ path: '/d', revision: first, dryRun: true });
    expect(preview.status).toBe(200);
    expect(preview.json).toMatchObject({ dryRun: true, created: 0, updated: 1, deleted: 1 });
    expect(preview.json).not.toHaveProperty('batch');
    expect(await text()).toBe('two');
    const done = await restore({ path: '/d', revision: first });
    expect(done.status).toBe(202);
    expect(done.json).toMatchObject({
      dryRun: false,
      files: [
        { path: '/d/b', action: 'delete', revision: expect.any(String) },
        { path: '/d/a', action: 'update', fromRevision: first, opId: expect.any(String) },
      ],
      correlationId: 'test-1',
    });
    expect(await text()).toBe('one');
    expect((await restore({ batch: done.json.batch })).status).toBe(202);
    expect(await text()).toBe('two');
    expect((await call('/fs/file?path=/d/b')).json.content).toBe('new');
    const [newest] = (await call('/fs/history?path=/d/a&limit=1')).json.entries;
    expect(newest.restoredFrom).toMatch(/^rev_/);
  });

  test('to a moment brings back what was there then', async () => {
    const { put, call, restore } = await workspace();
    await put('/a', 'one');
    const { json } = await call('/fs/history?path=/a');
    const { at } = json.entries[0];
    await waitFor('the next millisecond', () => Date.now() > Date.parse(at));
    await call('/fs/file?path=/a', { method: 'DELETE', headers: { 'if-match': '*' } });
    expect((await restore({ path: '/a', at })).json).toMatchObject({ created: 1 });
    expect((await call('/fs/file?path=/a')).json.content).toBe('one');
  });

  test('names what was changed since, and needs one target, known and reachable', async () => {
    const { put, call, restore } = await workspace();
    const bulk = await call('/fs/bulk', {
      method: 'POST',
      body: {
        files: [
          { path: '/a', content: '1' },
          { path: '/b', content: '1' },
        ],
      },
    });
    const batch = bulk.json.results[0].revision.replace('rev', 'batch');
    await put('/b', '2');
    const refused = await restore({ batch });
    expect(codeOf(refused)).toEqual([409, 'invalid_state']);
    expect(refused.json.details).toEqual({ paths: ['/b'] });
    expect((await restore({ batch, ifChanged: 'keep' })).json).toMatchObject({ deleted: 1, kept: ['/b'] });
    for (const body of [{}, { batch, revision: 'rev_1' }, { revision: '1' }, { batch: 'rev_1' }, { at: 'x' }])
      expect(codeOf(await restore(body))).toEqual([400, 'bad_request']);
    expect(codeOf(await restore({ batch: 'batch_999999' }))).toEqual([404, 'not_found']);
    expect(codeOf(await restore({ path: '/b', revision: 'rev_999999' }))).toEqual([404, 'not_found']);
  });

  test('asks for both scopes, and counts its deletions against the quota of the token', async () => {
    const { workspaceId, put, restore } = await workspace();
    const first = await put('/d/a', '1');
    await put('/d/b', '1');
    await put('/d/c', '1');
    const writer = await agent.tokens.issue({ workspaceId, scopes: ['fs:write'] });
    const target = { path: '/d', revision: first };
    expect(codeOf(await restore(target, { token: writer.token }))).toEqual([403, 'forbidden']);
    const slow = await agent.tokens.issue({ workspaceId, deletesPerMinute: 1 });
    expect(codeOf(await restore(target, { token: slow.token }))).toEqual([429, 'delete_storm_rejected']);
    expect((await restore(target)).json).toMatchObject({ deleted: 2 });
  });
});
