// What goes over the wire of /mcp, sent by hand: status and code of each refusal in the newer era, for how long and for whom an answer may be
// cached, and what each era offers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
let token: string;
let workspaceId: string;

beforeAll(async () => {
  agent = await openHttpAgent();
  ({ token, workspaceId } = await makeWorkspace(agent));
});
afterAll(() => agent.close());

const version = '2026-07-28';
const prefix = 'io.modelcontextprotocol/';
const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

interface Changed {
  readonly headers?: Readonly<Record<string, string>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** One request of the newer era; `changed` replaces some of its headers and of its envelope. */
async function modern(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  { headers = {}, meta = {} }: Changed = {},
) {
  const name = params.name ?? params.uri;
  return await request(agent, '/mcp', {
    method: 'POST',
    token,
    correlationId: null,
    headers: {
      ...accept,
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: { [`${prefix}protocolVersion`]: version, [`${prefix}clientCapabilities`]: {}, ...meta },
      },
    },
  });
}

async function legacy(method: string, params: object = {}) {
  const answer = await request(agent, '/mcp', {
    method: 'POST',
    token,
    correlationId: null,
    headers: accept,
    body: { jsonrpc: '2.0', id: 1, method, params },
  });
  const text = answer.bytes.toString('utf8');
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}

test.each<[string, number, number, () => ReturnType<typeof modern>]>([
  [
    'a header unlike the body',
    400,
    -32_020,
    () => modern('tools/list', {}, { headers: { 'mcp-method': 'x' } }),
  ],
  [
    'a version that is not known',
    400,
    -32_022,
    () =>
      modern(
        'tools/list',
        {},
        {
          headers: { 'mcp-protocol-version': '2099-01-01' },
          meta: { [`${prefix}protocolVersion`]: '2099-01-01' },
        },
      ),
  ],
  [
    'an incomplete envelope',
    400,
    -32_602,
    () => modern('tools/list', {}, { meta: { [`${prefix}clientCapabilities`]: undefined } }),
  ],
  ['an unknown method', 404, -32_601, () => modern('tools/none')],
  ['initialize', 404, -32_601, () => modern('initialize')],
  ['ping', 404, -32_601, () => modern('ping')],
  ['an unknown tool', 200, -32_602, () => modern('tools/call', { name: 'none', arguments: {} })],
  [
    'a resource that is not there',
    200,
    -32_602,
    () => modern('resources/read', { uri: `mooring://${workspaceId}/files/none.txt` }),
  ],
  [
    'a resource of another scheme',
    200,
    -32_602,
    () => modern('resources/read', { uri: 'file:///etc/passwd' }),
  ],
])('%s is answered with status %i and code %i', async (_what, status, code, ask) => {
  const answer = await ask();
  expect([answer.status, answer.json?.error?.code]).toEqual([status, code]);
});

test('arguments that do not fit are a result, and say which', async () => {
  const { status, json } = await modern('tools/call', { name: 'read_file', arguments: { path: 1 } });
  expect([status, json.result.isError]).toEqual([200, true]);
  expect(json.result.content[0].text).toMatch(/^Input validation error: .*path/);
  expect(json.result).not.toHaveProperty('structuredContent');
});

test('the token is looked at before the body, and is not taken from the address', async () => {
  const statusOf = async (url: string, headers: Record<string, string>) =>
    (await request(agent, url, { method: 'POST', token: null, correlationId: null, headers, body: '{' }))
      .status;
  expect(await statusOf('/mcp', { 'content-type': 'text/plain' })).toBe(401);
  expect(await statusOf('/mcp', { ...accept, authorization: 'Bearer none' })).toBe(401);
  expect(await statusOf(`/mcp?token=${token}`, accept)).toBe(401);
});

test('an answer is cached for its caller alone, and the content of a file not at all', async () => {
  await modern('tools/call', { name: 'write_file', arguments: { path: '/a.txt', content: 'x' } });
  const results = {
    discover: await modern('server/discover'),
    tools: await modern('tools/list'),
    resources: await modern('resources/list'),
    templates: await modern('resources/templates/list'),
    file: await modern('resources/read', { uri: `mooring://${workspaceId}/files/a.txt` }),
  };
  const cached = Object.entries(results).map(([name, { json }]) => [
    name,
    json.result.ttlMs,
    json.result.cacheScope,
  ]);
  expect(cached).toEqual([
    ['discover', 300_000, 'private'],
    ['tools', 300_000, 'private'],
    ['resources', 0, 'private'],
    ['templates', 0, 'private'],
    ['file', 0, 'private'],
  ]);
});

test('subscriptions are offered where an update can arrive: over HTTP in the newer era only', async () => {
  const discovered = (await modern('server/discover')).json.result;
  expect(discovered.capabilities.resources.subscribe).toBe(true);
  expect(discovered.instructions).toContain('baseRevision');
  const initialized = await legacy('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  });
  expect(initialized.result.protocolVersion).toBe('2025-06-18');
  expect(initialized.result.capabilities.resources.subscribe).toBe(false);
  const { error } = await legacy('resources/subscribe', { uri: `mooring://${workspaceId}/files/a.txt` });
  expect(error.code).toBe(-32_601);
});
