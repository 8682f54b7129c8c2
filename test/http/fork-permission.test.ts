// A fork that has staged what a token may not write is changed and ended by its creator and the owner alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiRequest, codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

let proposals = 0;

/** A fork of Ann's with one file staged, and how others call it. */
async function bench(path: string) {
  const { workspaceId, token: ann } = await makeWorkspace(agent, { agent: 'ann' });
  const as =
    (token: string) =>
    (url: string, options: ApiRequest = {}) =>
      request(agent, `/v1/workspaces/${workspaceId}${url}`, { token, ...options });
  const issue = async (scopes: readonly string[], name = 'bob') =>
    (await agent.tokens.issue({ workspaceId, scopes, agent: name })).token;
  proposals += 1;
  const body = { proposalId: `permission-${proposals}` };
  const { forkId } = (await as(ann)('/forks', { method: 'POST', body })).json;
  const put = (token: string, file: string, more: object = {}) =>
    as(token)(`/fs/file?path=${file}&forkId=${forkId}`, {
      method: 'PUT',
      headers: { 'if-match': '*' },
      body: { content: 'x', ...more },
    });
  expect((await put(ann, path)).status).toBe(202);
  const bulk = async (token: string, file: string) => {
    const files = [{ path: file, content: 'x' }];
    const answer = await as(token)(`/fs/bulk?forkId=${forkId}`, { method: 'POST', body: { files } });
    return answer.json.errors.map((error: { code: string }) => error.code);
  };
  const remove = (token: string, file: string) =>
    as(token)(`/fs/file?path=${file}&forkId=${forkId}`, { method: 'DELETE', headers: { 'if-match': '*' } });
  const post = (token: string, what: string) => as(token)(`/forks/${forkId}/${what}`, { method: 'POST' });
  const discard = (token: string) => as(token)(`/forks/${forkId}`, { method: 'DELETE' });
  const staged = async () =>
    (await as(agent.ownerToken)(`/forks/${forkId}/changes`)).json.changes?.map(
      (one: { path: string }) => one.path,
    );
  return { workspaceId, ann, as, issue, put, bulk, remove, post, discard, staged };
}

const confined = ['fs:read', 'relayfile:fs:write:/open/**'];

test.each([
  ['the token may not write', '/closed/plan', confined, 'bob'],
  ['the token may not write, of the same agent', '/closed/plan', confined, 'ann'],
  ['access rules hide', '/secret/plan', ['fs:read', 'fs:write'], 'bob'],
])('a fork with staged paths that %s is not changed or ended', async (_name, path, scopes, name) => {
  const { ann, as, issue, put, bulk, remove, post, discard, staged } = await bench(path);
  await as(ann)('/fs/file?path=/secret/.relayfile.acl', {
    method: 'PUT',
    headers: { 'if-match': '0' },
    body: { content: '', semantics: { permissions: ['agent:ann'] } },
  });
  const token = await issue(scopes, name);
  const answers = [
    await discard(token),
    await post(token, 'rebase'),
    await post(token, 'commit'),
    await put(token, '/open/mine'),
    await remove(token, '/open/none'),
  ];
  for (const answer of answers) {
    expect(codeOf(answer)).toEqual([403, 'forbidden']);
    expect(answer.bytes.toString()).not.toContain('plan');
  }
  expect(await bulk(token, '/open/mine')).toEqual(['forbidden']);
  expect(await staged()).toEqual([path]);
});

test('whoever may write all that is staged changes and ends the fork of another', async () => {
  const { issue, put, bulk, post, discard, staged } = await bench('/open/plan');
  const token = await issue(confined);
  expect((await put(token, '/open/mine')).status).toBe(202);
  expect(await bulk(token, '/open/more')).toEqual([]);
  expect((await post(token, 'rebase')).status).toBe(200);
  expect(await staged()).toEqual(['/open/mine', '/open/more', '/open/plan']);
  expect((await discard(token)).status).toBe(204);
  expect((await discard(token)).status).toBe(204);
});

test('its creator and the owner end a fork whatever others have staged in it', async () => {
  for (const who of ['creator', 'owner']) {
    const { workspaceId, ann, as, discard, staged } = await bench('/open/plan');
    // After that Ann sees neither the path nor what stands there.
    await request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=/open/.relayfile.acl`, {
      method: 'PUT',
      headers: { 'if-match': '0' },
      body: { content: '', semantics: { permissions: ['deny:agent:ann'] } },
    });
    expect((await as(ann)('/fs/file?path=/open/x')).status).toBe(403);
    expect((await discard(who === 'owner' ? agent.ownerToken : ann)).status).toBe(204);
    expect(await staged()).toBeUndefined();
  }
});

test('a token that made the creator’s token may end the fork, one made beside it may not', async () => {
  const { workspaceId, as, issue } = await bench('/unused');
  const parent = await issue(['fs:read', 'fs:write'], 'parent');
  const verified = await agent.tokens.verify(parent);
  if (!verified.ok) throw new Error('the token is good');
  const delegated = { parentToken: verified.token, workspaceId };
  const creator = await agent.tokens.issue({ ...delegated, scopes: ['fs:read', 'fs:write'], agent: 'child' });
  const sibling = await agent.tokens.issue({ ...delegated, scopes: confined, agent: 'child' });
  const { forkId } = (
    await as(creator.token)('/forks', { method: 'POST', body: { proposalId: 'of-a-child' } })
  ).json;
  await as(creator.token)(`/fs/file?path=/closed/x&forkId=${forkId}`, {
    method: 'PUT',
    headers: { 'if-match': '*' },
    body: { content: 'x' },
  });
  const discard = async (token: string) => (await as(token)(`/forks/${forkId}`, { method: 'DELETE' })).status;
  expect(await discard(sibling.token)).toBe(403);
  expect(await discard(parent)).toBe(204);
});
