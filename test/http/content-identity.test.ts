// A content identity names one write: its repeat writes nothing, and anything else under it is refused, never lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiRequest, codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

const contentIdentity = { kind: 'mount-command', key: 'k1' };

async function workspace() {
  const { workspaceId, token } = await makeWorkspace(agent);
  const call = (url: string, options: ApiRequest = {}) =>
    request(agent, `/v1/workspaces/${workspaceId}${url}`, { token, ...options });
  const bulk = async (files: readonly object[], more: ApiRequest & { readonly query?: string } = {}) =>
    (await call(`/fs/bulk${more.query ?? ''}`, { method: 'POST', body: { files }, ...more })).json;
  const contentOf = async (path: string) =>
    (await call(`/fs/file?path=${encodeURIComponent(path)}`)).json.content;
  return { workspaceId, call, bulk, contentOf };
}

test('of a bulk write, another content or another path under a used identity is a conflict of that file', async () => {
  const { bulk, contentOf, call } = await workspace();
  const first = await bulk([{ path: '/a.md', content: 'one', contentIdentity }]);
  const revision = first.results[0].revision;
  const again = await bulk([
    { path: '/a.md', content: 'two', contentIdentity, ifMatch: revision },
    { path: '/b.md', content: 'one', contentIdentity },
    { path: '/c.md', content: 'else' },
    { path: '/a.md', content: 'one', contentIdentity },
  ]);
  expect(again).toMatchObject({ written: 1, errorCount: 2 });
  expect(again.errors).toEqual([
    {
      path: '/a.md',
      code: 'conflict',
      message: expect.stringContaining('new key'),
      expectedRevision: revision,
      currentRevision: revision,
    },
    {
      path: '/b.md',
      code: 'conflict',
      message: expect.stringContaining('new key'),
      expectedRevision: '*',
      currentRevision: revision,
    },
  ]);
  expect(again.results[1]).toEqual(first.results[0]);
  expect(await contentOf('/a.md')).toBe('one');
  expect((await call('/fs/file?path=/b.md')).status).toBe(404);
  const fresh = { kind: contentIdentity.kind, key: 'k2' };
  expect(await bulk([{ path: '/b.md', content: 'one', contentIdentity: fresh }])).toMatchObject({
    written: 1,
  });
});

test('a single write with a used identity and another content is refused, and its true repeat is not', async () => {
  const { call, contentOf } = await workspace();
  const put = (content: string, ifMatch: string) =>
    call('/fs/file?path=/a.md', {
      method: 'PUT',
      headers: { 'if-match': ifMatch },
      body: { content, contentIdentity },
    });
  const first = await put('one', '0');
  expect((await put('one', '0')).json).toEqual(first.json);
  const refused = await put('two', '*');
  expect(codeOf(refused)).toEqual([409, 'revision_conflict']);
  expect(refused.json).toMatchObject({ expectedRevision: '*', currentRevision: first.json.targetRevision });
  expect(await contentOf('/a.md')).toBe('one');
});

test('the revision of a path that the caller may not read is not told', async () => {
  const { workspaceId, bulk } = await workspace();
  await bulk([{ path: '/secret/a.md', content: 'one', contentIdentity }]);
  const narrow = await agent.tokens.issue({ workspaceId, path: '/docs/**' });
  const asked = await bulk([{ path: '/docs/a.md', content: 'one', contentIdentity }], {
    token: narrow.token,
  });
  expect(asked.errors).toEqual([
    { path: '/docs/a.md', code: 'conflict', message: expect.any(String), expectedRevision: '*' },
  ]);
  expect(JSON.stringify(asked)).not.toContain('secret');
  await bulk(
    [{ path: '/ruled/.relayfile.acl', content: '{"semantics":{"permissions":["allow:agent:x"]}}' }],
    {
      token: agent.ownerToken,
    },
  );
  const hidden = { kind: 'k', key: 'ruled' };
  await bulk([{ path: '/ruled/b.md', content: 'b', contentIdentity: hidden }], { token: agent.ownerToken });
  const denied = await bulk([{ path: '/docs/b.md', content: 'b', contentIdentity: hidden }]);
  expect(denied.errors).toEqual([
    { path: '/docs/b.md', code: 'conflict', message: expect.any(String), expectedRevision: '*' },
  ]);
});

test('a fork keeps its own identities by the same rule', async () => {
  const { workspaceId, bulk } = await workspace();
  const made = await request(agent, `/v1/workspaces/${workspaceId}/forks`, {
    method: 'POST',
    body: { proposalId: `p-${workspaceId}` },
  });
  const query = `?forkId=${made.json.forkId}`;
  const first = await bulk([{ path: '/a.md', content: 'one', contentIdentity }], { query });
  const again = await bulk(
    [
      { path: '/a.md', content: 'one', contentIdentity },
      { path: '/a.md', content: 'two', contentIdentity },
      { path: '/b.md', content: 'one', contentIdentity },
    ],
    { query },
  );
  expect(again.results).toEqual(first.results);
  expect(again.errors).toMatchObject([
    { path: '/a.md', code: 'conflict', currentRevision: first.results[0].revision },
    { path: '/b.md', code: 'conflict', currentRevision: first.results[0].revision },
  ]);
});

test('a repeated merge is known by what was sent, whatever others have written since', async () => {
  const { call } = await workspace();
  const base = 'one\ntwo\nthree\nfour\nfive\n';
  const put = async (content: string) =>
    (await call('/fs/file?path=/m.txt', { method: 'PUT', headers: { 'if-match': '*' }, body: { content } }))
      .json.targetRevision;
  const baseRevision = await put(base);
  const merge = (content: string) =>
    call('/fs/merge?path=/m.txt', {
      method: 'POST',
      body: { strategy: 'three-way-lines-v1', baseContent: base, baseRevision, content, contentIdentity },
    });
  const first = await merge(base.replace('one', 'ONE'));
  await put(base.replace('one', 'ONE').replace('five', 'FIVE'));
  expect((await merge(base.replace('one', 'ONE'))).json.targetRevision).toBe(first.json.targetRevision);
  const other = await merge(base.replace('three', 'THREE'));
  expect([...codeOf(other), other.json.reason]).toEqual([422, 'merge_ineligible', 'content_identity_reused']);
});

test('a conflict of a bulk write says what was expected, also where nothing is', async () => {
  const { bulk } = await workspace();
  const answer = await bulk([{ path: '/none.md', content: 'x', ifMatch: '"rev_7"' }]);
  expect(answer.errors).toEqual([
    { path: '/none.md', code: 'conflict', message: expect.any(String), expectedRevision: 'rev_7' },
  ]);
});

test('a key or kind that is too long is refused with the limit, and nothing is written', async () => {
  const { call, contentOf } = await workspace();
  const identities = [
    { kind: 'k', key: 'x'.repeat(1025) },
    { kind: 'x'.repeat(256), key: 'k' },
  ];
  for (const [at, identity] of identities.entries()) {
    const file = { content: 'x', contentIdentity: identity };
    const headers = { 'if-match': '*' };
    const put = await call('/fs/file?path=/long.md', { method: 'PUT', headers, body: file });
    const many = await call('/fs/bulk', { method: 'POST', body: { files: [{ path: '/long.md', ...file }] } });
    for (const answer of [put, many]) {
      expect(codeOf(answer)).toEqual([400, 'bad_request']);
      expect(answer.json.message).toContain(at === 0 ? '1024' : '255');
    }
  }
  expect(await contentOf('/long.md')).toBeUndefined();
});

test('of bare bytes, a repeat writes nothing and answers as before, also under a revision that is gone', async () => {
  const { call, contentOf } = await workspace();
  const put = (body: string, key: string, ifMatch: string) =>
    call(`/fs/file?path=/large.md&identityKind=k&identityKey=${key}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream', 'if-match': ifMatch },
      body,
    });
  const first = await put('one', 'k1', '0');
  expect(first.status).toBe(202);
  const later = await put('two', 'k2', first.json.targetRevision);
  const again = await put('one', 'k1', '0');
  expect([again.status, again.json.targetRevision]).toEqual([202, first.json.targetRevision]);
  expect((await put('three', 'k3', '0')).status).toBe(409);
  expect((await put('two', 'k1', later.json.targetRevision)).status).toBe(409);
  expect(await contentOf('/large.md')).toBe('two');
  const half = await call('/fs/file?path=/large.md&identityKind=k', {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'if-match': '*' },
    body: 'four',
  });
  expect([half.status, half.json.message]).toEqual([400, expect.stringContaining('belong together')]);
});
