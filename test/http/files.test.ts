import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiRequest, type ApiResponse, codeOf, errorOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

/** A fresh workspace and a way to speak to it. */
async function workspace(token: Parameters<typeof makeWorkspace>[1] = {}) {
  const made = await makeWorkspace(agent, token);
  const call = (url: string, options: ApiRequest = {}) =>
    request(agent, `/v1/workspaces/${made.workspaceId}${url}`, { token: made.token, ...options });
  const put = (path: string, body: unknown, ifMatch = '*') =>
    call(`/fs/file?path=${encodeURIComponent(path)}`, {
      method: 'PUT',
      headers: { 'if-match': ifMatch },
      body,
    });
  const read = (path: string) => call(`/fs/file?path=${encodeURIComponent(path)}`);
  const remove = (path: string, ifMatch = '*') =>
    call(`/fs/file?path=${encodeURIComponent(path)}`, { method: 'DELETE', headers: { 'if-match': ifMatch } });
  return { ...made, call, put, read, remove };
}

const paths = (response: ApiResponse): string[] =>
  response.json.entries.map((entry: { path: string }) => entry.path);

describe('PUT and GET file', () => {
  test('a written file is answered with its revision, hash and metadata, and its ETag is the bare revision', async () => {
    const { put, read } = await workspace();
    const written = await put('/docs/a.md', {
      content: 'hello\n',
      semantics: { properties: { n: 7, o: { x: [1] }, s: 'text' }, relations: [' b ', 'a', 'b', ''] },
    });
    expect(written.status).toBe(202);
    expect(written.json).toEqual({
      opId: expect.stringMatching(/^op_\d+$/),
      status: 'queued',
      targetRevision: expect.stringMatching(/^rev_\d+$/),
      writeback: { provider: 'docs', state: 'pending' },
    });
    const file = await read('/docs/a.md');
    expect(file.headers.get('etag')).toBe(written.json.targetRevision);
    expect(file.headers.get('content-type')).toBe('application/json');
    expect(file.json).toEqual({
      path: '/docs/a.md',
      revision: written.json.targetRevision,
      contentHash: createHash('sha256').update('hello\n').digest('hex'),
      contentType: 'text/markdown',
      content: 'hello\n',
      provider: 'docs',
      lastEditedAt: expect.any(String),
      semantics: { properties: { n: '7', o: '{"x":[1]}', s: 'text' }, relations: ['a', 'b'] },
    });
  });

  test('metadata is kept when none is given and replaced when some is', async () => {
    const { put, read } = await workspace();
    await put('/a.md', { content: '1', semantics: { comments: ['c'], relations: ['r'] } });
    await put('/a.md', { content: '2', semantics: {} });
    expect((await read('/a.md')).json.semantics).toEqual({ relations: ['r'], comments: ['c'] });
    await put('/a.md', { content: '3', semantics: { comments: ['d'] } });
    expect((await read('/a.md')).json.semantics).toEqual({ comments: ['d'] });
  });

  test('base64 stores the bytes and answers them as base64', async () => {
    const { put, read } = await workspace();
    const bytes = randomBytes(100_000);
    await put('/b.bin', {
      content: bytes.toString('base64'),
      encoding: 'base64',
      contentType: 'application/x-b',
    });
    const file = await read('/b.bin');
    expect(Buffer.from(file.json.content, 'base64').equals(bytes)).toBe(true);
    expect(file.json).toMatchObject({
      encoding: 'base64',
      contentType: 'application/x-b',
      contentHash: createHash('sha256').update(bytes).digest('hex'),
    });
  });

  test('a body of several megabytes is taken', async () => {
    const { put, read } = await workspace();
    const content = 'é'.repeat(2_000_000);
    expect((await put('/large.txt', { content })).status).toBe(202);
    expect((await read('/large.txt')).json.content).toBe(content);
  });

  test('the path may stand in the query or in the body, not different in both', async () => {
    const { call } = await workspace();
    const headers = { 'if-match': '*' };
    const inBody = await call('/fs/file', {
      method: 'PUT',
      headers,
      body: { path: 'x/y.md/', content: '1' },
    });
    expect(inBody.status).toBe(202);
    const both = await call('/fs/file?path=/x/y.md', {
      method: 'PUT',
      headers,
      body: { path: '/x/y.md', content: '2' },
    });
    expect(both.status).toBe(202);
    const differ = await call('/fs/file?path=/x/y.md', { method: 'PUT', headers, body: { path: '/x/z.md' } });
    expect(codeOf(differ)).toEqual([400, 'bad_request']);
    expect(errorOf(await call('/fs/file', { method: 'PUT', headers, body: {} }))).toEqual([
      400,
      'bad_request',
      'missing path query',
    ]);
  });

  test.each([
    ['application/json', 202],
    ['text/plain', 202],
    ['garbage', 202],
    ['application/x-www-form-urlencoded', 202],
  ])('a JSON body of content type %s is taken', async (contentType, status) => {
    const { call } = await workspace();
    const headers = { 'if-match': '*', 'content-type': contentType };
    const response = await call('/fs/file?path=/a.md', { method: 'PUT', headers, body: '{"content":"x"}' });
    expect(response.status).toBe(status);
  });

  test('If-None-Match answers 304 with the ETag, whatever form it has', async () => {
    const { put, call } = await workspace();
    const revision = (await put('/a.md', { content: 'x' })).json.targetRevision;
    for (const tag of [revision, `"${revision}"`, `W/"${revision}"`, `"other", ${revision}`, '*']) {
      const answer = await call('/fs/file?path=/a.md', { headers: { 'if-none-match': tag } });
      expect([tag, answer.status, answer.headers.get('etag'), answer.bytes.length]).toEqual([
        tag,
        304,
        revision,
        0,
      ]);
    }
    expect((await call('/fs/file?path=/a.md', { headers: { 'if-none-match': 'rev_1' } })).status).toBe(200);
  });

  test('a missing file and a directory are not found', async () => {
    const { put, read, call } = await workspace();
    await put('/d/a.md', { content: 'x' });
    expect(codeOf(await read('/nothing'))).toEqual([404, 'not_found']);
    expect(codeOf(await read('/d'))).toEqual([404, 'not_found']);
    expect(errorOf(await call('/fs/file'))).toEqual([400, 'bad_request', 'missing path query']);
  });
});

describe('preconditions', () => {
  test('If-Match 0 creates only, a revision only replaces itself, and a conflict shows both revisions and the content', async () => {
    const { put } = await workspace();
    const first = (await put('/a.md', { content: 'one' }, '0')).json.targetRevision;
    const again = await put('/a.md', { content: 'two' }, '0');
    expect(codeOf(again)).toEqual([409, 'revision_conflict']);
    const second = (await put('/a.md', { content: 'two' }, `W/"${first}"`)).json.targetRevision;
    const stale = await put('/a.md', { content: 'three' }, first);
    expect(stale.status).toBe(409);
    expect(stale.json).toMatchObject({
      code: 'revision_conflict',
      expectedRevision: first,
      currentRevision: second,
      currentContentPreview: 'two',
      correlationId: 'test-1',
    });
    expect(codeOf(await put('/none.md', { content: 'x' }, first))).toEqual([404, 'not_found']);
  });

  test('the preview has at most 4,000 characters and is absent for binary and empty content', async () => {
    const { put } = await workspace();
    await put('/long.md', { content: 'ä'.repeat(9000) });
    expect((await put('/long.md', { content: '' }, '0')).json.currentContentPreview).toBe('ä'.repeat(4000));
    await put('/b.bin', { content: 'AAAA', encoding: 'base64' });
    await put('/empty.md', { content: '' });
    for (const path of ['/b.bin', '/empty.md']) {
      const refused = await put(path, { content: 'x' }, '0');
      expect(refused.status).toBe(409);
      expect(refused.json).not.toHaveProperty('currentContentPreview');
    }
  });

  test('PUT and DELETE without If-Match are 412', async () => {
    const { call, put } = await workspace();
    await put('/a.md', { content: 'x' });
    for (const method of ['PUT', 'DELETE']) {
      const refused = await call('/fs/file?path=/a.md', {
        method,
        ...(method === 'PUT' ? { body: { content: 'y' } } : {}),
      });
      expect(errorOf(refused)).toEqual([412, 'precondition_failed', 'missing If-Match header']);
    }
  });

  test('DELETE takes any, refuses 0 and a stale revision, and misses what is not there', async () => {
    const { put, remove, read } = await workspace();
    const revision = (await put('/a.md', { content: 'x' })).json.targetRevision;
    expect(codeOf(await remove('/a.md', '0'))).toEqual([409, 'revision_conflict']);
    expect(codeOf(await remove('/a.md', 'rev_999999'))).toEqual([409, 'revision_conflict']);
    const gone = await remove('/a.md', revision);
    expect(gone.status).toBe(202);
    expect(Number(gone.json.targetRevision.slice(4))).toBeGreaterThan(Number(revision.slice(4)));
    expect((await read('/a.md')).status).toBe(404);
    expect(codeOf(await remove('/a.md'))).toEqual([404, 'not_found']);
  });

  test('one name cannot be a file and a directory', async () => {
    const { put } = await workspace();
    await put('/a/b', { content: 'x' });
    const above = await put('/a', { content: 'x' });
    expect(codeOf(above)).toEqual([409, 'invalid_state']);
    expect(errorOf(await put('/a/b/c', { content: 'x' }))).toMatchObject([
      409,
      'invalid_state',
      expect.stringContaining('/a/b'),
    ]);
  });
});

describe('tree', () => {
  test('lists files and implied directories in the order of their bytes, to the depth asked for', async () => {
    const { put, call } = await workspace();
    for (const path of ['/b/c/d.md', '/b/a.md', '/Z.md', '/a.md', '/ä.md', '/b b/x.md'])
      await put(path, { content: 'x' });
    expect(paths(await call('/fs/tree'))).toEqual([
      '/Z.md',
      '/a.md',
      '/b',
      '/b b',
      '/b b/x.md',
      '/b/a.md',
      '/b/c',
      '/b/c/d.md',
      '/ä.md',
    ]);
    expect(paths(await call('/fs/tree?depth=1'))).toEqual(['/Z.md', '/a.md', '/b', '/b b', '/ä.md']);
    const below = await call('/fs/tree?path=/b&depth=nonsense');
    expect(paths(below)).toEqual(['/b/a.md', '/b/c', '/b/c/d.md']);
    expect(below.json).toMatchObject({ path: '/b', nextCursor: null, totalFiles: 2 });
    expect(paths(await call('/fs/tree?path=/a.md'))).toEqual([]);
    expect((await call('/fs/tree?path=/none')).json).toEqual({
      path: '/none',
      entries: [],
      nextCursor: null,
    });
  });

  test('an entry says what it is: size as answered, counts of metadata, left out when nothing', async () => {
    const { put, call } = await workspace();
    await put('/b.bin', {
      content: 'AAAA',
      encoding: 'base64',
      semantics: { properties: { a: '1' }, comments: ['c', 'd'] },
    });
    await put('/empty', { content: '' });
    const [binary, empty] = (await call('/fs/tree')).json.entries;
    expect(binary).toMatchObject({
      type: 'file',
      size: 4,
      propertyCount: 1,
      commentCount: 2,
      provider: 'b.bin',
    });
    expect(binary).not.toHaveProperty('relationCount');
    expect(empty).not.toHaveProperty('size');
  });

  test('pages of 1,000 join without a gap, and a cursor that is no path is refused', async () => {
    const { call } = await workspace();
    const names = Array.from({ length: 2100 }, (_, index) => `/f/${String(index).padStart(5, '0')}`);
    for (let from = 0; from < names.length; from += 700) {
      const files = names.slice(from, from + 700).map((path) => ({ path, content: 'x' }));
      expect((await call('/fs/bulk', { method: 'POST', body: { files } })).json.written).toBe(files.length);
    }
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await call(
        `/fs/tree?path=/f${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      seen.push(...paths(page));
      sizes.push(page.json.entries.length);
      cursor = page.json.nextCursor;
    }
    expect(seen).toEqual(names);
    expect(sizes).toEqual([1000, 1000, 100]);
    expect(paths(await call('/fs/tree?path=/f&cursor=/f/02098x'))).toEqual(['/f/02099']);
    expect(codeOf(await call('/fs/tree?cursor=nope'))).toEqual([400, 'bad_request']);
  });
});

describe('bulk', () => {
  test('accepted files are written, refused ones are told each, in order, with the correlation id', async () => {
    const { call, put } = await workspace();
    const known = (await put('/known.md', { content: 'x' })).json.targetRevision;
    const answer = await call('/fs/bulk', {
      method: 'POST',
      correlationId: 'bulk-1',
      body: {
        files: [
          { path: '/a.md', content: 'a', mode: 420, type: 'file' },
          { path: '', content: 'x' },
          { path: '/a/../b', content: 'x' },
          { path: '/c.bin', content: '***', encoding: 'base64' },
          { path: '/d.md', content: 'x', encoding: 'utf-16' },
          { path: '/known.md', content: 'y', ifMatch: 'rev_1' },
          { path: '/known.md', content: 'z', ifMatch: known },
          { path: '/new.md', content: 'n', ifMatch: '0', semantics: { comments: ['c'] } },
          { path: '/bad.md', content: 'n', semantics: 'no' },
        ],
      },
    });
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({ written: 3, errorCount: 6, correlationId: 'bulk-1' });
    expect(answer.json.results.map((result: { path: string }) => result.path)).toEqual([
      '/a.md',
      '/known.md',
      '/new.md',
    ]);
    expect(answer.json.errors.map((error: { code: string }) => error.code)).toEqual([
      'invalid_path',
      'invalid_path',
      'invalid_encoding',
      'invalid_encoding',
      'conflict',
      'invalid_content',
    ]);
    expect(answer.json.errors[4]).toMatchObject({
      path: '/known.md',
      expectedRevision: 'rev_1',
      currentRevision: known,
    });
    const events = (await call('/fs/events?cursor=')).json.events;
    expect(events.at(-1)).toMatchObject({ path: '/new.md', correlationId: 'bulk-1' });
  });

  test('no files at all is refused', async () => {
    const { call } = await workspace();
    for (const body of [{}, { files: [] }]) {
      expect(errorOf(await call('/fs/bulk', { method: 'POST', body }))).toEqual([
        400,
        'bad_request',
        'missing files',
      ]);
    }
  });

  test('a content identity that was written before answers the earlier result and writes nothing', async () => {
    const { call } = await workspace();
    const files = [{ path: '/a.md', content: 'a', contentIdentity: { kind: 'mount-command', key: 'k1' } }];
    const first = (await call('/fs/bulk', { method: 'POST', body: { files } })).json;
    const second = (await call('/fs/bulk', { method: 'POST', body: { files } })).json;
    expect([first.written, second.written]).toEqual([1, 0]);
    expect(second.results).toEqual(first.results);
  });

  test('bulk-read answers every path in order, with the status that reading it alone would have', async () => {
    const { call, put } = await workspace();
    await put('/a.md', { content: 'a', semantics: { properties: { status: 'draft' } } });
    await put('/b.bin', { content: 'AAAA', encoding: 'base64' });
    const answer = await call('/fs/bulk-read', {
      method: 'POST',
      body: { paths: ['/b.bin', '/none', 'a.md'] },
    });
    expect(answer.json.files).toMatchObject([
      { path: '/b.bin', content: 'AAAA', encoding: 'base64', semantics: {} },
      { path: '/none', error: { status: 404, code: 'not_found' } },
      { path: 'a.md', content: 'a', semantics: { properties: { status: 'draft' } } },
    ]);
    const omitting = { paths: ['/a.md', '/b.bin'], contentBytesMax: 2 };
    const [small, omitted] = (await call('/fs/bulk-read', { method: 'POST', body: omitting })).json.files;
    expect(small).toMatchObject({ content: 'a' });
    const { revision, contentHash } = omitted;
    expect(omitted).toMatchObject({
      ...{ path: '/b.bin', contentBytes: 3, encoding: 'base64', semantics: {}, error: { status: 413 } },
      ...{ revision: expect.stringMatching(/^rev_/), contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect('content' in omitted).toBe(false);
    const part = await call(`/fs/file?path=/b.bin&revision=${revision}`, {
      headers: { accept: 'application/octet-stream', range: 'bytes=1-2' },
    });
    expect([part.status, part.bytes.length, contentHash.length]).toEqual([206, 2, 64]);
    const many = { paths: Array.from({ length: 101 }, () => '/a') };
    expect((await call('/fs/bulk-read', { method: 'POST', body: many })).status).toBe(400);
    const large = { paths: ['x'.repeat(70_000)] };
    expect(codeOf(await call('/fs/bulk-read', { method: 'POST', body: large }))).toEqual([
      413,
      'payload_too_large',
    ]);
  });
});

describe('events', () => {
  test('pages join in both directions, and nextCursor is null at the end', async () => {
    const { call, put, remove } = await workspace();
    for (const name of ['a', 'b', 'c']) await put(`/${name}.md`, { content: name });
    await put('/a.md', { content: 'again' });
    await remove('/b.md');
    const all = (await call('/fs/events')).json;
    expect(all.nextCursor).toBe(null);
    expect(all.events.map((event: { type: string; path: string }) => `${event.type} ${event.path}`)).toEqual([
      'file.created /a.md',
      'file.created /b.md',
      'file.created /c.md',
      'file.updated /a.md',
      'file.deleted /b.md',
    ]);
    expect(all.events[0]).toMatchObject({ origin: 'agent_write', correlationId: 'test-1', provider: 'a.md' });
    const collect = async (direction: string) => {
      const ids: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: ApiResponse['json'] = (
          await call(`/fs/events?limit=2&direction=${direction}&cursor=${cursor}`)
        ).json;
        ids.push(...page.events.map((event: { eventId: string }) => event.eventId));
        cursor = page.nextCursor;
      }
      return ids;
    };
    const ids = all.events.map((event: { eventId: string }) => event.eventId);
    expect(await collect('asc')).toEqual(ids);
    expect(await collect('desc')).toEqual(ids.toReversed());
  });

  test('an id that was never issued starts at the beginning, or answers nothing backwards', async () => {
    const { call, put } = await workspace();
    await put('/a.md', { content: 'x' });
    for (const cursor of ['evt_999999999', 'nonsense']) {
      expect((await call(`/fs/events?cursor=${cursor}`)).json.events).toHaveLength(1);
      expect((await call(`/fs/events?cursor=${cursor}&direction=desc`)).json.events).toHaveLength(0);
    }
  });

  test('path and provider filter; a direction that is none is refused', async () => {
    const { call, put } = await workspace();
    for (const path of ['/a/x.md', '/ab.md', '/a/y/z.md']) await put(path, { content: 'x' });
    const seen = (await call('/fs/events?path=/a')).json.events.map((event: { path: string }) => event.path);
    expect(seen).toEqual(['/a/x.md', '/a/y/z.md']);
    expect((await call('/fs/events?provider=ab.md')).json.events).toHaveLength(1);
    expect(errorOf(await call('/fs/events?direction=up'))).toEqual([
      400,
      'bad_request',
      'unsupported direction "up" (must be asc or desc)',
    ]);
  });

  test.each(['0', '-1', '1.5', 'x', '999999999999999999999'])(
    'limit=%s clamps and never refuses',
    async (limit) => {
      const { call, put } = await workspace();
      await put('/a.md', { content: 'x' });
      expect((await call(`/fs/events?limit=${limit}`)).json.events).toHaveLength(1);
      expect((await call(`/fs/query?limit=${limit}`)).json.items).toHaveLength(1);
      expect((await call(`/ops?limit=${limit}`)).json.items).toHaveLength(1);
      expect((await call(`/fs/tree?depth=${limit}`)).json.entries).toHaveLength(1);
    },
  );
});

describe('query', () => {
  test('every filter must match, by equality; any number of properties', async () => {
    const { call, put } = await workspace();
    await put('/git/1.md', {
      content: '1',
      semantics: { properties: { a: '1', b: '2' }, relations: ['r'], comments: ['c'] },
    });
    await put('/git/2.md', { content: '2', semantics: { properties: { a: '1' }, permissions: ['tag'] } });
    await put('/x/3.md', { content: '3' });
    const found = async (query: string) =>
      (await call(`/fs/query?${query}`)).json.items.map((item: { path: string }) => item.path);
    expect(await found('')).toEqual(['/git/1.md', '/git/2.md', '/x/3.md']);
    expect(await found('property.a=1')).toEqual(['/git/1.md', '/git/2.md']);
    expect(await found('property.a=1&property.b=2')).toEqual(['/git/1.md']);
    expect(await found('relation=r&comment=c')).toEqual(['/git/1.md']);
    expect(await found('permission=tag')).toEqual(['/git/2.md']);
    expect(await found('provider=GIT&path=/git/2.md')).toEqual(['/git/2.md']);
    expect(await found('comment=C')).toEqual([]);
    const page = (await call('/fs/query?limit=2')).json;
    expect(page.nextCursor).toBe('/git/2.md');
    expect(await found(`limit=2&cursor=${page.nextCursor}`)).toEqual(['/x/3.md']);
    expect(await found('cursor=/none')).toEqual(['/x/3.md']);
    expect(codeOf(await call('/fs/query?cursor=none'))).toEqual([400, 'bad_request']);
  });
});

describe('access rules', () => {
  test('a denial hides a file from every read, list, query, export, event and write', async () => {
    const { workspaceId, put, call } = await workspace();
    const { token: alice } = await agent.tokens.issue({ workspaceId, agent: 'alice' });
    await put('/open.md', { content: 'open' });
    await put('/secret/.relayfile.acl', { content: '{"semantics":{"permissions":["deny:agent:alice"]}}' });
    await put('/secret/a.md', { content: 'hidden' });
    await put('/own.md', { content: 'hidden', semantics: { permissions: ['deny:agent:alice'] } });
    const as = { token: alice };
    expect(errorOf(await call('/fs/file?path=/secret/a.md', as))).toEqual([
      403,
      'forbidden',
      'access denied by ACL',
    ]);
    expect(codeOf(await call('/fs/file?path=/own.md', as))).toEqual([403, 'forbidden']);
    expect(paths(await call('/fs/tree', as)).filter((path) => !path.startsWith('/open'))).toEqual([]);
    expect((await call('/fs/query', as)).json.items).toHaveLength(1);
    expect((await call('/fs/export', as)).json).toHaveLength(1);
    expect((await call('/fs/events', as)).json.events).toHaveLength(1);
    const write = { ...as, method: 'PUT', headers: { 'if-match': '*' }, body: { content: 'x' } };
    expect(codeOf(await call('/fs/file?path=/secret/new.md', write))).toEqual([403, 'forbidden']);
    const bulk = await call('/fs/bulk', {
      ...as,
      method: 'POST',
      body: { files: [{ path: '/secret/b.md', content: 'x' }] },
    });
    expect(bulk.json.errors).toMatchObject([{ code: 'forbidden' }]);
    const bulkRead = await call('/fs/bulk-read', {
      ...as,
      method: 'POST',
      body: { paths: ['/own.md', '/open.md'] },
    });
    expect(bulkRead.json.files).toMatchObject([{ error: { status: 403 } }, { content: 'open' }]);
    const remove = { ...as, method: 'DELETE', headers: { 'if-match': '*' } };
    expect(codeOf(await call('/fs/file?path=/own.md', remove))).toEqual([403, 'forbidden']);
  });

  test('a denial comes before a missing header, a missing precondition and an unreadable body', async () => {
    const { workspaceId, put, call } = await workspace();
    const { token: alice } = await agent.tokens.issue({ workspaceId, agent: 'alice' });
    await put('/own.md', { content: 'x', semantics: { permissions: ['deny:agent:alice'] } });
    const url = '/fs/file?path=/own.md';
    const denied = [403, 'forbidden', 'access denied by ACL'];
    expect(errorOf(await call(url, { token: alice, correlationId: null }))).toEqual(denied);
    expect(errorOf(await call(url, { token: alice, method: 'PUT', body: '{"content":' }))).toEqual(denied);
    expect(errorOf(await call(url, { token: alice, method: 'DELETE' }))).toEqual(denied);
  });

  test('a token that is confined to a path reads and writes there and nowhere else', async () => {
    const { workspaceId, put, call } = await workspace();
    const { token } = await agent.tokens.issue({ workspaceId, path: '/docs/**' });
    await put('/docs/a.md', { content: 'a' });
    await put('/b.md', { content: 'b' });
    const as = { token };
    const missing = [403, 'forbidden', 'missing required scope: fs:read'];
    expect((await call('/fs/file?path=/docs/a.md', as)).status).toBe(200);
    expect(errorOf(await call('/fs/file?path=/b.md', as))).toEqual(missing);
    expect(errorOf(await call('/fs/tree', as))).toEqual(missing);
    expect(errorOf(await call('/fs/events', as))).toEqual(missing);
    expect((await call('/fs/events?path=/docs', as)).json.events).toHaveLength(1);
    const files = [
      { path: '/docs/n.md', content: 'n' },
      { path: '/n.md', content: 'n' },
    ];
    const bulk = await call('/fs/bulk', { ...as, method: 'POST', body: { files } });
    expect(bulk.json).toMatchObject({
      written: 1,
      errors: [{ path: '/n.md', code: 'forbidden', message: 'file access denied by path scope' }],
    });
    const inBody = {
      ...as,
      method: 'PUT',
      headers: { 'if-match': '*' },
      body: { path: '/n.md', content: 'x' },
    };
    expect(codeOf(await call('/fs/file', inBody))).toEqual([403, 'forbidden']);
  });

  test('a delete quota is enforced and says when to come back', async () => {
    const { workspaceId, put, call } = await workspace();
    const { token } = await agent.tokens.issue({ workspaceId, deletesPerMinute: 1 });
    for (const path of ['/a', '/b']) await put(path, { content: 'x' });
    const remove = (path: string) =>
      call(`/fs/file?path=${path}`, { token, method: 'DELETE', headers: { 'if-match': '*' } });
    expect((await remove('/a')).status).toBe(202);
    const refused = await remove('/b');
    expect([...errorOf(refused).slice(0, 2), refused.headers.get('retry-after')]).toEqual([
      429,
      'delete_storm_rejected',
      '60',
    ]);
  });
});
