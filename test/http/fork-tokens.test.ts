// A token that is confined to a fork reads and writes the files of this fork, and nothing else: asked of every route that there is.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { bareScopes, webhookScopes } from '../../server/core/access/scope.ts';
import { type ApiRequest, codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
let workspaceId: string;
let own: string;
let other: string;
let token: string;

const asOwner = (url: string, options: ApiRequest = {}) =>
  request(agent, `/v1/workspaces/${workspaceId}${url}`, options);
const call = (url: string, options: ApiRequest = {}) => asOwner(url, { token, ...options });
const put = (content: string): ApiRequest => ({
  method: 'PUT',
  headers: { 'if-match': '*' },
  body: { content },
});
const fork = async (proposalId: string) =>
  (await asOwner('/forks', { method: 'POST', body: { proposalId } })).json.forkId as string;

beforeAll(async () => {
  agent = await openHttpAgent();
  ({ workspaceId } = await makeWorkspace(agent));
  expect((await asOwner('/fs/file?path=/live', put('live'))).status).toBe(202);
  [own, other] = [await fork('own'), await fork('other')];
  const scopes = [...bareScopes, ...webhookScopes];
  const created = await asOwner('/tokens', {
    method: 'POST',
    body: { scopes, forkId: own, agent: 'runner' },
  });
  expect(created.json.accessToken).toMatchObject({ forkId: own });
  token = created.json.token;
});
afterAll(() => agent.close());

test('it reads, lists, writes and deletes files of its fork, and the workspace does not change', async () => {
  const at = `forkId=${own}`;
  expect((await call(`/fs/file?path=/live&${at}`)).json.content).toBe('live');
  expect((await call(`/fs/file?path=/new&${at}`, put('new'))).status).toBe(202);
  const files = [{ path: '/bulk', content: 'bulk' }];
  expect((await call(`/fs/bulk?${at}`, { method: 'POST', body: { files } })).json.written).toBe(1);
  const removal: ApiRequest = { method: 'DELETE', headers: { 'if-match': '*' } };
  expect((await call(`/fs/file?path=/live&${at}`, removal)).status).toBe(202);
  const { entries } = (await call(`/fs/tree?path=/&${at}`)).json;
  expect(entries.map(({ path }: { path: string }) => path)).toEqual(['/bulk', '/new']);
  expect((await call(`/fs/query?${at}`)).json.items).toHaveLength(2);
  expect((await call(`/fs/export?format=json&${at}`)).json).toHaveLength(2);
  const live = (await asOwner('/fs/tree?path=/')).json.entries;
  expect(live.map(({ path }: { path: string }) => path)).toEqual(['/live']);
});

interface Documented {
  readonly security: readonly object[];
}

test.each([
  ['without a fork', () => ''],
  ['with another fork', () => `?forkId=${other}`],
  ['with an empty fork', () => '?forkId='],
  ['with another fork before its own', () => `?forkId=${other}&forkId=${own}`],
])('%s every route refuses it', async (_name, query) => {
  const { paths } = agent.app.openApiDocument() as { paths: Record<string, Record<string, Documented>> };
  const statuses: Record<string, number> = {};
  for (const [pattern, methods] of Object.entries(paths))
    for (const [verb, { security }] of Object.entries(methods)) {
      if (security.length === 0) continue;
      const method = verb.toUpperCase();
      const url = pattern.replace('{workspaceId}', workspaceId).replaceAll(/\{\w+\}/g, 'x') + query();
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: {} };
      const { status } = await request(agent, url, { method, token, ...body });
      if (status !== 403) statuses[`${method} ${pattern}`] = status;
    }
  // The MCP server has no token of its own: each of its calls is one of these requests.
  for (const name of Object.keys(statuses))
    expect(name, `${statuses[name]}`).toMatch(/ \/(mcp|v1\/users\/me)$/);
});

test.each(['/fs/events', '/fs/history?path=/live', '/runs', '/forks', '/tokens', '/fs/diff?path=/live'])(
  'its own fork opens no route that does not support forks: %s',
  async (url) => {
    const at = `${url}${url.includes('?') ? '&' : '?'}forkId=${own}`;
    expect(codeOf(await call(at))).toEqual([403, 'forbidden']);
  },
);

test('it neither commits nor discards its fork', async () => {
  for (const [method, url] of [
    ['POST', `/forks/${own}/commit`],
    ['POST', `/forks/${own}/rebase`],
    ['DELETE', `/forks/${own}`],
  ] as const)
    expect(codeOf(await call(url, { method })), url).toEqual([403, 'forbidden']);
});

test('a stream of events refuses it', async () => {
  const socket = new WebSocket(
    `${agent.url.replace('http', 'ws')}/v1/workspaces/${workspaceId}/fs/ws?token=${token}`,
  );
  const status = await new Promise<number | undefined>((resolve) => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    socket.on('open', () => resolve(101));
    socket.on('error', () => undefined);
  });
  socket.terminate();
  expect(status).toBe(403);
});

test('a token that it issues is confined as well', async () => {
  const verified = await agent.tokens.verify(token);
  if (!verified.ok) expect.unreachable('the token is valid');
  const { token: child, row } = await agent.tokens.issue({
    workspaceId,
    scopes: ['fs:read'],
    parentToken: verified.token,
    forkId: other,
  });
  expect(row.forkId).toBe(own);
  expect(codeOf(await call('/fs/tree', { token: child }))).toEqual([403, 'forbidden']);
  expect(codeOf(await call(`/fs/tree?forkId=${other}`, { token: child }))).toEqual([403, 'forbidden']);
  expect((await call(`/fs/tree?forkId=${own}`, { token: child })).status).toBe(200);
});

test('a token for a fork that is not open is refused, and ends with its fork', async () => {
  const create = (forkId: string) => asOwner('/tokens', { method: 'POST', body: { forkId } });
  expect(codeOf(await create('fork_unknown'))).toEqual([404, 'not_found']);
  const short = await fork('short');
  const { token: made } = (await create(short)).json;
  expect((await call(`/fs/tree?forkId=${short}`, { token: made })).status).toBe(200);
  expect((await asOwner(`/forks/${short}`, { method: 'DELETE' })).status).toBeLessThan(300);
  expect(codeOf(await call(`/fs/tree?forkId=${short}`, { token: made }))).toEqual([404, 'not_found']);
  expect(codeOf(await call('/fs/tree', { token: made }))).toEqual([403, 'forbidden']);
});
