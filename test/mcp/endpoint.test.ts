// POST /mcp: who may call it, its errors, and that a token sees nothing else in any tool, resource, subscription or error.
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { waitFor } from '../support/wait-for.ts';
import { call, connect, refusal } from './mcp-client.ts';

let agent: HttpAgent;

beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

test('a missing, empty or wrong token is challenged, and never sent to an OAuth flow', async () => {
  const ask = (authorization?: string) =>
    request(agent, '/mcp', {
      method: 'POST',
      token: null,
      correlationId: null,
      headers: { ...accept, ...(authorization === undefined ? {} : { authorization }) },
      body: initialize,
    });
  const missing = await ask();
  expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="mooring"']);
  const wrong = await ask('Bearer nonsense');
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="mooring", error="invalid_token"',
  ]);
  const empty = await ask('Bearer ');
  expect([empty.status, empty.json.message]).toEqual([401, expect.stringContaining('token is empty')]);
  for (const url of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
  ]) {
    const answer = await request(agent, url, { token: null, headers: { accept: 'text/html' } });
    expect([url, answer.status, answer.json?.code]).toEqual([url, 404, 'not_found']);
  }
});

test('another host or origin is refused before the token is looked at', async () => {
  const { token } = await makeWorkspace(agent);
  const statusOf = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest(
        {
          port: agent.port,
          path: '/mcp',
          method: 'POST',
          headers: { ...accept, authorization: `Bearer ${token}`, ...headers },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.once('error', reject).end(JSON.stringify(initialize));
    });
  expect(await statusOf({ host: 'evil.example:4417' })).toBe(403);
  expect(await statusOf({ host: `localhost:${agent.port}`, origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf({ host: `localhost:${agent.port}`, origin: 'null' })).toBe(403);
  expect(await statusOf({ host: `localhost:${agent.port}`, origin: `http://localhost:${agent.port}` })).toBe(
    200,
  );
});

test('errors of the wire have the status and code of the specification', async () => {
  const { token } = await makeWorkspace(agent);
  const ask = async (body: unknown, headers: Record<string, string> = {}, method = 'POST') => {
    const answer = await request(agent, '/mcp', {
      method,
      token,
      correlationId: null,
      headers: { ...accept, ...headers },
      ...(method === 'POST' ? { body } : {}),
    });
    return [answer.status, answer.json?.error?.code];
  };
  expect(await ask('{')).toEqual([400, -32_700]);
  expect(await ask('[]')).toEqual([400, -32_600]);
  expect(await ask(initialize, { 'content-type': 'text/plain' })).toEqual([415, -32_000]);
  expect(await ask(`"${'x'.repeat(4 * 1024 * 1024)}"`)).toEqual([413, -32_000]);
  expect((await ask(null, {}, 'GET'))[0]).toBe(405);
  expect((await ask(null, {}, 'DELETE'))[0]).toBe(405);
});

test('a confined token sees nothing else', async () => {
  const { workspaceId, token: all } = await makeWorkspace(agent);
  const wide = await connect(agent, all);
  await call(wide, 'write_file', { path: '/open/a.txt', content: 'open' });
  await call(wide, 'write_file', { path: '/secret/plan.txt', content: 'hidden words' });
  const { token } = await agent.tokens.issue({ workspaceId, path: '/open/**' });
  const client = await connect(agent, token);
  const { entries, path } = await call(client, 'list_files');
  expect([path, entries.map((entry: { path: string }) => entry.path)]).toEqual(['/open', ['/open/a.txt']]);
  const outside: [string, Record<string, unknown>][] = [];
  for (const name of ['/secret/plan.txt', '/secret/none.txt']) {
    outside.push(['search', { query: 'hidden', path: name }]);
    outside.push(['list_files', { path: name }], ['read_file', { path: name }], ['history', { path: name }]);
    outside.push(
      ['write_file', { path: name, content: 'x' }],
      ['write_file', { path: name, content: 'x', dryRun: true }],
    );
    outside.push(['edit_file', { path: name, edits: [{ oldText: 'hidden', newText: 'x' }] }]);
    outside.push(
      ['move_file', { from: name, to: '/open/b.txt' }],
      ['move_file', { from: '/open/a.txt', to: name }],
    );
    outside.push(['delete_file', { path: name }], ['restore', { path: name, revision: 'rev_1' }]);
    outside.push(['wait_for_changes', { paths: [name], timeoutSeconds: 0 }]);
  }
  for (const [tool, args] of outside) {
    const error = await refusal(client, tool, args);
    expect([tool, args, error.code]).toEqual([tool, args, 'forbidden']);
    expect(JSON.stringify(error)).not.toMatch(/hidden|rev_\d/);
  }
  for (const name of [
    '/secret/plan.txt',
    '/secret/none.txt',
    '/open/../secret/plan.txt',
    '/open/%2e%2e/secret/plan.txt',
  ]) {
    const uri = `mooring://${workspaceId}/files${name}`;
    await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
  }
  const own = await client.readResource({ uri: `mooring://${workspaceId}/files/open/a.txt` });
  expect(own.contents).toMatchObject([{ text: 'open' }]);
  const changes = await client.readResource({ uri: `mooring://${workspaceId}/changes` });
  expect(JSON.stringify(changes)).not.toContain('secret');
  expect((await call(wide, 'read_file', { path: '/secret/plan.txt' })).content).toBe('hidden words');
});

test('a subscription reports only what the token may see, and ends with its token', async () => {
  const { workspaceId, token: all } = await makeWorkspace(agent);
  const wide = await connect(agent, all);
  const { token, row } = await agent.tokens.issue({ workspaceId, path: '/open/**' });
  const client = await connect(agent, token);
  const updated: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updated.push(params.uri);
  });
  const uris = ['/secret/plan.txt', '/open/a.txt'].map((path) => `mooring://${workspaceId}/files${path}`);
  const subscription = await client.listen({ resourceSubscriptions: uris });
  await call(wide, 'write_file', { path: '/secret/plan.txt', content: 'x' });
  await call(wide, 'write_file', { path: '/open/a.txt', content: 'x' });
  await waitFor('an update', () => updated.length > 0);
  expect(updated).toEqual([uris[1]]);
  const waiting = client.callTool({ name: 'wait_for_changes', arguments: { timeoutSeconds: 50 } });
  const ended = waiting.then(
    () => 'answered',
    () => 'ended',
  );
  await agent.tokens.revoke(workspaceId, row.tokenId);
  expect(await ended).toBe('ended');
  await subscription.closed;
  await expect(client.callTool({ name: 'status', arguments: {} })).rejects.toThrow();
});

test('events are waited for in the API as well, and not beyond the revocation of the token', async () => {
  const { workspaceId, token } = await makeWorkspace(agent);
  const { token: short, row } = await agent.tokens.issue({ workspaceId });
  const url = `/v1/workspaces/${workspaceId}/fs/events?wait=20000`;
  const waiting = request(agent, url, { token: short });
  const seen = request(agent, url, { token });
  await agent.tokens.revoke(workspaceId, row.tokenId);
  expect((await waiting).status).toBe(401);
  const wide = await connect(agent, token);
  await call(wide, 'write_file', { path: '/a.txt', content: 'x' });
  expect((await seen).json.events[0].path).toBe('/a.txt');
});
