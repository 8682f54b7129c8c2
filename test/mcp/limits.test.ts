// POST /mcp: the named limits of open requests, tokens and subscriptions, and the end of what a token opened.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { mcpRequestsPerTokenMax, mcpSubscriptionsMax, mcpTokensMax } from '../../server/mcp/limits.ts';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { waitFor } from '../support/wait-for.ts';
import { call, connect, refusal } from './mcp-client.ts';

let agent: HttpAgent;

beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

const post = (token: string, method: string, params: object, signal?: AbortSignal) =>
  fetch(`${agent.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...(signal === undefined ? {} : { signal }),
  });
const initialize = (token: string) =>
  post(token, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  });

test('one request more than a token may have open is refused, until one of them ends', async () => {
  const { token } = await makeWorkspace(agent);
  const ends = new AbortController();
  onTestFinished(() => ends.abort());
  const wait = { name: 'wait_for_changes', arguments: { timeoutSeconds: 50 } };
  const waits = Array.from({ length: mcpRequestsPerTokenMax }, () => new AbortController());
  const open = waits.map(({ signal }) =>
    post(token, 'tools/call', wait, AbortSignal.any([signal, ends.signal])).catch(() => null),
  );
  const statusNow = async () => {
    const answer = await initialize(token);
    await answer.text();
    return answer.status;
  };
  await waitFor('the limit', async () => (await statusNow()) === 429);
  const refused = await request(agent, '/mcp', { method: 'POST', token, body: {} });
  expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'rate_limited',
    '1',
  ]);
  const { token: other } = await makeWorkspace(agent);
  expect((await initialize(other)).status).toBe(200);
  waits[0]?.abort();
  await open[0];
  await waitFor('room', async () => (await statusNow()) === 200);
});

test('more tokens than are kept: the ones without open requests make room, a subscription stays', async () => {
  const { token, workspaceId } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  const updated: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updated.push(params.uri);
  });
  const uri = `mooring://${workspaceId}/files/a.txt`;
  await client.listen({ resourceSubscriptions: [uri] });
  for (let n = 0; n <= mcpTokensMax; n += 1) {
    const issued = await agent.tokens.issue({ workspaceId });
    const answer = await initialize(issued.token);
    await answer.text();
    expect(answer.status).toBe(200);
  }
  await call(client, 'write_file', { path: '/a.txt', content: 'x' });
  await waitFor('an update', () => updated.length > 0);
  expect(updated).toEqual([uri]);
});

test('one subscription more than a token may have is refused', async () => {
  const { token } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  for (let n = 0; n < mcpSubscriptionsMax; n += 1)
    await client.listen({ resourceSubscriptions: [`mooring://w/files/${n}`] });
  await expect(client.listen({ resourceSubscriptions: ['mooring://w/files/more'] })).rejects.toThrow();
});

test('what a token opened ends when the token expires', async () => {
  const { workspaceId } = await makeWorkspace(agent);
  const { token } = await agent.tokens.issue({ workspaceId, ttlSeconds: 1 });
  const client = await connect(agent, token);
  const subscription = await client.listen({
    resourceSubscriptions: [`mooring://${workspaceId}/files/a.txt`],
  });
  const waiting = client.callTool({ name: 'wait_for_changes', arguments: { timeoutSeconds: 50 } });
  await expect(waiting).rejects.toThrow();
  await subscription.closed;
  expect((await initialize(token)).status).toBe(401);
});

test.each(['/x/*', '/x/a*'])(
  'a token for %s lists no directory, sees nothing beside it, and holds up nothing',
  async (glob) => {
    const { token: all, workspaceId } = await makeWorkspace(agent);
    const wide = await connect(agent, all);
    for (const path of ['/x/a.txt', '/x/a/b.txt', '/xy.txt', '/y/a.txt'])
      await call(wide, 'write_file', { path, content: `secret of ${path}` });
    const { token } = await agent.tokens.issue({ workspaceId, path: glob });
    const client = await connect(agent, token);
    for (const [name, args] of [
      ['list_files', {}],
      ['search', { query: 'secret' }],
      ['search', { query: 'txt', mode: 'name' }],
      ['wait_for_changes', { timeoutSeconds: 50 }],
    ] as const) {
      const { message, remedy } = await refusal(client, name, args);
      expect([name, message, remedy]).toEqual([
        name,
        expect.stringContaining('no directory'),
        expect.stringContaining('/docs/**'),
      ]);
    }
    const subscription = client.listen({
      resourceSubscriptions: [`mooring://${workspaceId}/files/x/a.txt`],
    });
    await expect(subscription).rejects.toThrow(/may list no directory.*wait_for_changes.*\/docs\/\*\*/);
    expect((await call(client, 'read_file', { path: '/x/a.txt' })).content).toBe('secret of /x/a.txt');
    expect((await call(client, 'list_files', { path: '/x/a' })).entries).toMatchObject([
      { path: '/x/a/b.txt' },
    ]);
    const { files } = await call(client, 'search', { query: 'secret', path: '/x/a' });
    expect(files).toMatchObject([{ path: '/x/a/b.txt' }]);
    const { cursor } = await call(client, 'wait_for_changes', { paths: ['/x/a'], timeoutSeconds: 0 });
    await call(wide, 'write_file', { path: '/x/a/c.txt', content: 'new' });
    const { changes } = await call(client, 'wait_for_changes', {
      paths: ['/x/a'],
      cursor,
      timeoutSeconds: 20,
    });
    expect(changes).toMatchObject([{ path: '/x/a/c.txt' }]);
    const views = await Promise.all(
      ['changes', 'status'].map((view) => client.readResource({ uri: `mooring://${workspaceId}/${view}` })),
    );
    expect(JSON.stringify([views, await call(client, 'status')])).not.toMatch(/\/xy|\/y\//);
    for (const path of ['/xy.txt', '/y/a.txt', '/y', '/']) {
      for (const [name, args] of [
        ['list_files', { path }],
        ['search', { query: 'secret', path }],
        ['read_file', { path }],
        ['history', { path }],
        ['wait_for_changes', { paths: [path], timeoutSeconds: 0 }],
      ] as const) {
        const { code } = await refusal(client, name, args);
        expect([name, path, code]).toEqual([name, path, 'forbidden']);
      }
    }
  },
);
