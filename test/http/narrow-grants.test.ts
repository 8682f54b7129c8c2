// A token confined to a path sees that path and nothing else, on every route that lists.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
let workspaceId: string;

beforeAll(async () => {
  agent = await openHttpAgent();
  const made = await makeWorkspace(agent);
  workspaceId = made.workspaceId;
  for (const path of ['/docs/secret.txt', '/docs/open/a.txt', '/other.txt']) {
    const answer = await request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=${path}`, {
      method: 'PUT',
      token: made.token,
      headers: { 'if-match': '*' },
      body: JSON.stringify({ content: 'x' }),
    });
    expect(answer.status).toBe(202);
  }
});
afterAll(() => agent.close());

async function statusOf(scope: string, route: string): Promise<number> {
  const { token } = await agent.tokens.issue({ workspaceId, scopes: [scope] });
  return (await request(agent, `/v1/workspaces/${workspaceId}/fs/${route}`, { token })).status;
}

const lists = ['search?q=x&path=', 'tree?path=', 'query?path=', 'export?format=json&path=', 'events?path='];

test.each(lists)('a grant of a directory alone does not open what lies below it to %s', async (route) => {
  expect(await statusOf('relayfile:fs:read:/docs', `${route}/docs`)).toBe(403);
  expect(await statusOf('relayfile:fs:read:/', `${route}/`)).toBe(403);
});

test.each(lists)('a grant of a subtree opens exactly that subtree to %s', async (route) => {
  expect(await statusOf('relayfile:fs:read:/docs/**', `${route}/docs`)).toBe(200);
  expect(await statusOf('relayfile:fs:read:/docs/open/**', `${route}/docs`)).toBe(403);
  expect(await statusOf('relayfile:fs:read:/docs/**', `${route}/`)).toBe(403);
});

test('a grant of a file lets its own record be queried and exported', async () => {
  expect(await statusOf('relayfile:fs:read:/other.txt', 'query?path=/other.txt')).toBe(200);
  expect(await statusOf('relayfile:fs:read:/other.txt', 'export?format=json&path=/other.txt')).toBe(200);
});

test('a grant of a file shows no event of what lay below the path when it was a directory', async () => {
  const { workspaceId: own, token } = await makeWorkspace(agent);
  const change = async (method: 'PUT' | 'DELETE', path: string) => {
    const answer = await request(agent, `/v1/workspaces/${own}/fs/file?path=${path}`, {
      method,
      token,
      headers: { 'if-match': '*' },
      ...(method === 'PUT' ? { body: { content: 'x' } } : {}),
    });
    expect(answer.status).toBe(202);
  };
  await change('PUT', '/x/secret-plan.txt');
  await change('DELETE', '/x/secret-plan.txt');
  await change('PUT', '/x');
  const paths = async (scope: string, route: string) => {
    const { token: narrow } = await agent.tokens.issue({ workspaceId: own, scopes: [scope] });
    const { json } = await request(agent, `/v1/workspaces/${own}/fs/${route}`, { token: narrow });
    return json.events.map(
      (event: { path?: string; resource?: { path: string } }) => event.path ?? event.resource?.path,
    );
  };
  const below = ['/x/secret-plan.txt', '/x/secret-plan.txt', '/x'];
  for (const route of ['events?path=/x', 'changes?path=/x&since=2000-01-01T00:00:00Z']) {
    expect(await paths('relayfile:fs:read:/x', route)).toEqual(['/x']);
    expect(await paths('relayfile:fs:read:/x/**', route)).toEqual(below);
  }
});

test('a cursor tells nothing of what is there: hidden, absent and visible paths are positions alike', async () => {
  const made = await makeWorkspace(agent, { agent: 'bob' });
  const base = `/v1/workspaces/${made.workspaceId}`;
  const put = async (path: string, more: object = {}) => {
    const url = `${base}/fs/file?path=${path}`;
    const options = { method: 'PUT', headers: { 'if-match': '*' }, body: { content: 'x', ...more } };
    expect((await request(agent, url, options)).status).toBe(202);
  };
  await put('/secret/.relayfile.acl', { content: '', semantics: { permissions: ['deny:agent:bob'] } });
  await put('/secret/exists');
  await put('/secret/zz');
  await put('/visible');
  const post = { method: 'POST', body: { proposalId: 'cursors' }, token: made.token };
  const { forkId } = (await request(agent, `${base}/forks`, post)).json;
  for (const route of ['tree?', 'query?', `tree?forkId=${forkId}&`, `query?forkId=${forkId}&`]) {
    const ask = async (cursor: string) => {
      const answer = await request(agent, `${base}/fs/${route}cursor=${cursor}`, { token: made.token });
      return { status: answer.status, body: answer.json };
    };
    const hidden = await ask('/secret/exists');
    expect([route, hidden.status]).toEqual([route, 200]);
    expect(hidden).toEqual(await ask('/secret/exists-not'));
    expect(hidden).toEqual(await ask('/secret'));
    const shown = hidden.body.entries ?? hidden.body.items;
    expect(shown.map((one: { path: string }) => one.path)).toEqual(['/visible']);
    expect((await ask('no-path')).status).toBe(400);
  }
});
