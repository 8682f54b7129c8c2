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

const lists = ['tree?path=', 'query?path=', 'export?format=json&path=', 'events?path='];

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
