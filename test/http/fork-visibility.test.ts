// The list of forks shows a token what it created and what has staged a path that it may read, with figures of such paths alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

let proposals = 0;

async function bench() {
  const { workspaceId, token: ann } = await makeWorkspace(agent, { agent: 'ann' });
  const call = (token: string, method: string, url: string, body?: unknown) => {
    const headers = { 'if-match': '*' };
    return request(agent, `/v1/workspaces/${workspaceId}${url}`, { token, method, body, headers });
  };
  const issue = async (scopes: readonly string[]) =>
    (await agent.tokens.issue({ workspaceId, scopes, agent: 'bob' })).token;
  const fork = async (token: string, paths: Readonly<Record<string, string>> = {}) => {
    proposals += 1;
    const { json } = await call(token, 'POST', '/forks', { proposalId: `plan-${proposals}` });
    for (const [path, content] of Object.entries(paths)) {
      const answer = await call(token, 'PUT', `/fs/file?path=${path}&forkId=${json.forkId}`, { content });
      expect(answer.status).toBe(202);
    }
    return json.forkId as string;
  };
  const listed = async (token: string) =>
    (await call(token, 'GET', '/forks')).json.forks.map(
      (one: { forkId: string; writtenCount: number; deletedCount: number; bytes: number }) => [
        one.forkId,
        one.writtenCount,
        one.deletedCount,
        one.bytes,
      ],
    );
  return { ann, call, issue, fork, listed };
}

const confined = ['relayfile:fs:read:/open/**', 'relayfile:fs:write:/open/**'];

test('a fork whose staged paths a path grant leaves out is not listed; of others the visible paths are counted', async () => {
  const { ann, call, issue, fork, listed } = await bench();
  await call(ann, 'PUT', '/fs/file?path=/closed/old', { content: 'old' });
  const closed = await fork(ann, { '/closed/a': 'secret' });
  const both = await fork(ann, { '/closed/a': 'secret', '/open/a': 'seen' });
  await call(ann, 'DELETE', `/fs/file?path=/closed/old&forkId=${both}`);
  const empty = await fork(ann);
  const bob = await issue(confined);
  expect(await listed(bob)).toEqual([[both, 1, 0, 4]]);
  const all = [
    [closed, 1, 0, 6],
    [both, 2, 1, 10],
    [empty, 0, 0, 0],
  ];
  expect(await listed(ann)).toEqual(all);
  expect(await listed(agent.ownerToken)).toEqual(all);
  // Its id lets bob use it, as the routes of files do; it tells no more than they do.
  expect((await call(bob, 'GET', `/forks/${closed}`)).json).toMatchObject({
    writtenCount: 0,
    deletedCount: 0,
    bytes: 0,
  });
});

test('a fork whose staged paths access rules hide is not listed, and what they hide is not counted', async () => {
  const { ann, call, issue, fork, listed } = await bench();
  await call(ann, 'PUT', '/fs/file?path=/secret/old', { content: 'old' });
  await call(ann, 'PUT', '/fs/file?path=/secret/.relayfile.acl', {
    content: '',
    semantics: { permissions: ['agent:ann'] },
  });
  const hidden = await fork(ann, { '/secret/a': 'secret' });
  const both = await fork(ann, { '/secret/a': 'secret', '/open/a': 'seen' });
  await call(ann, 'DELETE', `/fs/file?path=/secret/old&forkId=${both}`);
  const bob = await issue(['fs:read', 'fs:write']);
  expect(await listed(bob)).toEqual([[both, 1, 0, 4]]);
  expect(await listed(ann)).toEqual([
    [hidden, 1, 0, 6],
    [both, 2, 1, 10],
  ]);
});

test('a token sees the forks that it created, also empty ones; what others staged there out of its sight is not counted', async () => {
  const { ann, call, issue, fork, listed } = await bench();
  const bob = await issue(confined);
  const own = await fork(bob);
  expect(await listed(bob)).toEqual([[own, 0, 0, 0]]);
  expect(await listed(await issue(confined))).toEqual([]);
  await call(ann, 'PUT', `/fs/file?path=/closed/a&forkId=${own}`, { content: 'secret' });
  expect(await listed(bob)).toEqual([[own, 0, 0, 0]]);
});

test('thousands of staged paths are counted over several slices', async () => {
  const { ann, call, issue, fork, listed } = await bench();
  const big = await fork(ann);
  const files = Array.from({ length: 1_200 }, (_, n) => ({
    path: `/${n % 2 === 0 ? 'open' : 'closed'}/${n}`,
    content: 'x',
  }));
  expect((await call(ann, 'POST', `/fs/bulk?forkId=${big}`, { files })).status).toBe(202);
  expect(await listed(await issue(confined))).toEqual([[big, 600, 0, 600]]);
});
