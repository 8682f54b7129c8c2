// A tree and a file as they were at a moment, on the wire.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiRequest, codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

async function workspace(token: Parameters<typeof makeWorkspace>[1] = {}) {
  const made = await makeWorkspace(agent, token);
  const asOwner = (url: string, options: ApiRequest = {}) =>
    request(agent, `/v1/workspaces/${made.workspaceId}/fs${url}`, options);
  const call = (url: string, options: ApiRequest = {}) => asOwner(url, { token: made.token, ...options });
  const put = async (path: string, body: object) => {
    const answer = await asOwner(`/file?path=${path}`, {
      method: 'PUT',
      headers: { 'if-match': '*' },
      body,
    });
    expect(answer.status).toBe(202);
    return answer.json.targetRevision as string;
  };
  /** When the newest revision was made: it still stood then. */
  const moment = async (path: string) => {
    const { json } = await asOwner(`/history?path=${path}&limit=1`);
    return json.entries[0].at as string;
  };
  return { ...made, asOwner, call, put, moment };
}

/** The next change is a later one. */
async function nextMillisecond(): Promise<void> {
  const from = Date.now();
  while (Date.now() === from) await Promise.resolve();
}

test('a tree names what stood there, with its revision and size, and a file is read as of the same moment', async () => {
  const { call, put, moment } = await workspace();
  const first = await put('/docs/a.md', { content: 'one', semantics: { comments: ['c'] } });
  const bytes = await put('/docs/deep/b.bin', { content: 'AAEC', encoding: 'base64' });
  const at = await moment('/docs/deep/b.bin');
  await nextMillisecond();
  await put('/docs/a.md', { content: 'two, longer' });
  await put('/later.md', { content: 'later' });
  const { status, json } = await call(`/history/tree?at=${at}&path=/docs`);
  expect(status).toBe(200);
  expect(json).toEqual({
    path: '/docs',
    at,
    complete: true,
    nextCursor: null,
    entries: [
      {
        path: '/docs/a.md',
        type: 'file',
        revision: first,
        contentHash: expect.any(String),
        provider: 'docs',
        size: 3,
        updatedAt: expect.any(String),
        commentCount: 1,
      },
      { path: '/docs/deep', type: 'dir', revision: 'dir' },
      expect.objectContaining({ path: '/docs/deep/b.bin', revision: bytes, size: 4 }),
    ],
  });
  const shallow = await call(`/history/tree?at=${at}&depth=1`);
  expect(shallow.json.entries).toEqual([{ path: '/docs', type: 'dir', revision: 'dir' }]);
  expect((await call(`/file?path=/docs/a.md&at=${at}`)).json).toMatchObject({
    content: 'one',
    revision: first,
  });
  expect((await call('/file?path=/docs/a.md')).json).toMatchObject({ content: 'two, longer' });
  expect(codeOf(await call(`/file?path=/later.md&at=${at}`))).toEqual([404, 'not_found']);
  expect((await call(`/history/tree?at=${at}&path=/none`)).json.entries).toEqual([]);
  expect((await call('/history/tree?at=2999-01-01T00:00:00Z&depth=1')).json.entries).toHaveLength(2);
});

test('a tree that was asked before is as true the next time: after a later change, and when a rule hides it', async () => {
  const { asOwner, call, put, moment } = await workspace({ agent: 'reader' });
  await put('/docs/a.md', { content: 'one' });
  const at = await moment('/docs/a.md');
  const then = `/history/tree?at=${at}&depth=1`;
  const now = '/history/tree?at=2999-01-01T00:00:00Z&depth=1';
  const names = async (url: string, ask = call) =>
    (await ask(url)).json.entries.map((entry: { path: string }) => entry.path);
  for (const _time of [1, 2]) {
    expect(await names(then)).toEqual(['/docs']);
    expect(await names(now)).toEqual(['/docs']);
  }
  await nextMillisecond();
  await put('/later/b.md', { content: 'later' });
  for (const _time of [1, 2]) {
    expect(await names(then)).toEqual(['/docs']);
    expect(await names(now)).toEqual(['/docs', '/later']);
    expect(await names(`${now}&path=/later`)).toEqual(['/later/b.md']);
  }
  await put('/docs/.relayfile.acl', { content: '', semantics: { permissions: ['deny:agent:reader'] } });
  // The owner asks first: what it sees is not what the reader gets.
  for (const _time of [1, 2]) {
    expect(await names(then, asOwner)).toEqual(['/docs']);
    expect(await names(then)).toEqual([]);
  }
});

test('what cannot be read is refused', async () => {
  const { call, put, workspaceId } = await workspace();
  await put('/docs/a.md', { content: 'one' });
  expect(codeOf(await call('/history/tree'))).toEqual([400, 'bad_request']);
  expect(codeOf(await call('/history/tree?at=yesterday'))).toEqual([400, 'bad_request']);
  const at = new Date().toISOString();
  expect(codeOf(await call(`/history/tree?at=${at}&path=/docs&cursor=/else/a`))).toEqual([
    400,
    'bad_request',
  ]);
  expect(codeOf(await call(`/file?path=/docs/a.md&at=${at}&revision=rev_1`))).toEqual([400, 'bad_request']);
  expect(codeOf(await call('/file?path=/docs/a.md&at=yesterday'))).toEqual([400, 'bad_request']);
  expect(codeOf(await call(`/history/tree?at=${at}`, { token: null }))).toEqual([401, 'unauthorized']);
  const narrow = await agent.tokens.issue({ workspaceId, scopes: ['relayfile:fs:read:/mine/**'] });
  const { token } = narrow;
  expect(codeOf(await call(`/history/tree?at=${at}`, { token }))).toEqual([403, 'forbidden']);
  expect((await call(`/history/tree?at=${at}&path=/mine`, { token })).json.entries).toEqual([]);
  const single = await agent.tokens.issue({ workspaceId, scopes: ['relayfile:fs:read:/docs'] });
  expect(codeOf(await call(`/history/tree?at=${at}&path=/docs`, { token: single.token }))).toEqual([
    403,
    'forbidden',
  ]);
});

test('what the rules hid then stays hidden from the token, in the tree and in the file', async () => {
  const { asOwner, call, put, moment, workspaceId } = await workspace();
  const denied = JSON.stringify({ semantics: { permissions: ['deny:agent:reader', 'allow:public'] } });
  await put('/d/.relayfile.acl', { content: denied });
  await put('/d/a', { content: 'secret' });
  const at = await moment('/d/a');
  await asOwner('/file?path=/d/.relayfile.acl', { method: 'DELETE', headers: { 'if-match': '*' } });
  const { token } = await agent.tokens.issue({ workspaceId, agent: 'reader' });
  expect((await call(`/history/tree?at=${at}`, { token })).json.entries).toEqual([]);
  expect(codeOf(await call(`/file?path=/d/a&at=${at}`, { token }))).toEqual([403, 'forbidden']);
  expect((await call(`/history/tree?at=${at}`)).json.entries).toHaveLength(3);
});
