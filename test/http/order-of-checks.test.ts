// Which refusal comes first, and bad input of every kind: 4xx with code, message and correlation id.
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiRequest, codeOf, errorOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent, startHttpAgent } from '../support/http-agent.ts';

let agent: HttpAgent;
let workspaceId: string;
let token: string;
let other: { workspaceId: string; token: string };
const bodyBytesMax = 1024 * 1024;

beforeAll(async () => {
  agent = await openHttpAgent({ config: { maxBodyBytes: bodyBytesMax } });
  ({ workspaceId, token } = await makeWorkspace(agent));
  other = await makeWorkspace(agent);
});
afterAll(() => agent.close());

const uuid = '7b1f0c1e-58ac-4b35-9d2a-51f1f4a2f9d0';
const unknown = 'rw_zzzzzzzz';
const bad = '{"content":';

/** Every row breaks the rule that it names and all rules that rank below it. */
async function firstRefusal(name: string): Promise<readonly unknown[]> {
  const readOnly = (await agent.tokens.issue({ workspaceId, scopes: ['ops:read'] })).token;
  const broken = { method: 'PUT', correlationId: null, body: bad } satisfies ApiRequest;
  const url = (id: string) => `/v1/workspaces/${id}/fs/file?path=/a.md`;
  switch (name) {
    case 'route':
      return errorOf(await request(agent, '/v1/nothing', { ...broken, token: null }));
    case 'method':
      return errorOf(await request(agent, url(workspaceId), { ...broken, method: 'POST', token: null }));
    case 'bearer':
      return errorOf(await request(agent, url(uuid), { ...broken, token: null }));
    case 'uuid':
      return codeOf(await request(agent, url(uuid), { ...broken, token }));
    case 'unknown':
      return codeOf(await request(agent, url(unknown), { ...broken, token }));
    case 'workspace':
      return errorOf(await request(agent, url(other.workspaceId), { ...broken, token: readOnly }));
    case 'scope':
      return errorOf(await request(agent, url(workspaceId), { ...broken, token: readOnly }));
    case 'correlation':
      return errorOf(await request(agent, url(workspaceId), { ...broken, token }));
    default:
      return errorOf(await request(agent, url(workspaceId), { ...broken, token, correlationId: 'c' }));
  }
}

test.each([
  ['route', [404, 'not_found', 'route not found']],
  ['method', [404, 'not_found', 'route not found']],
  ['bearer', [401, 'unauthorized', 'missing or invalid bearer token']],
  ['uuid', [404, 'workspace_not_found']],
  ['unknown', [404, 'workspace_not_found']],
  ['workspace', [403, 'forbidden', 'workspace mismatch']],
  ['scope', [403, 'forbidden', 'missing required scope: fs:write']],
  ['correlation', [400, 'bad_request', 'missing X-Correlation-Id header']],
  ['body', [400, 'bad_request', 'invalid json body']],
])('what is wrong is looked for in the order of the contract: %s', async (name, expected) => {
  expect(await firstRefusal(name)).toEqual(expected);
});

test('a body over the limit is refused before it is read, but after who sends it', async () => {
  const body = JSON.stringify({ content: 'x'.repeat(bodyBytesMax) });
  const url = `/v1/workspaces/${workspaceId}/fs/file?path=/a.md`;
  const headers = { 'if-match': '*' };
  expect(errorOf(await request(agent, url, { method: 'PUT', token, headers, body }))).toEqual([
    413,
    'payload_too_large',
    'request body exceeds configured limit',
  ]);
  expect(codeOf(await request(agent, url, { method: 'PUT', token: null, headers, body }))).toEqual([
    401,
    'unauthorized',
  ]);
});

test('an error carries the correlation id of its request, or none', async () => {
  const answer = await request(agent, `/v1/workspaces/${unknown}/ops`, { token, correlationId: 'abc' });
  expect(answer.json.correlationId).toBe('abc');
  expect(answer.headers.get('content-type')).toBe('application/json');
  const without = await request(agent, `/v1/workspaces/${unknown}/ops`, { token, correlationId: null });
  expect(without.json.correlationId).toBe('');
});

test('X-Workspace-Id is ignored', async () => {
  const headers = { 'x-workspace-id': other.workspaceId };
  expect((await request(agent, `/v1/workspaces/${workspaceId}/fs/tree`, { token, headers })).status).toBe(
    200,
  );
});

function forged(claims: object, header: object, key = 'key'): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

describe('tokens', () => {
  const claims = () => ({
    wks: workspaceId,
    workspace_id: workspaceId,
    sub: 'a',
    agent_name: 'a',
    aud: 'relayfile',
    exp: Math.floor(Date.now() / 1000) + 600,
    scopes: ['fs:read'],
  });
  test.each([
    ['nothing', () => 'Bearer '],
    ['no token at all', () => 'Bearer x'],
    ['another scheme', () => `Basic ${token}`],
    ['alg none', () => `Bearer ${forged(claims(), { alg: 'none', typ: 'JWT' })}`],
    ['another key', () => `Bearer ${forged(claims(), { alg: 'HS256', typ: 'JWT' })}`],
    ['a cut signature', () => `Bearer ${token.slice(0, -4)}`],
    ['a token of 100,000 characters', () => `Bearer ${'x'.repeat(20_000)}`],
  ])('%s is 401', async (_name, authorization) => {
    const answer = await request(agent, `/v1/workspaces/${workspaceId}/fs/tree`, {
      headers: { authorization: authorization() },
    });
    expect(codeOf(answer)).toEqual([401, 'unauthorized']);
    expect(answer.json.message).not.toBe('');
  });

  test('a revoked token is refused from that moment on', async () => {
    const issued = await agent.tokens.issue({ workspaceId });
    const tree = () => request(agent, `/v1/workspaces/${workspaceId}/fs/tree`, { token: issued.token });
    expect((await tree()).status).toBe(200);
    const revoked = await request(agent, `/v1/workspaces/${workspaceId}/tokens/${issued.row.tokenId}`, {
      method: 'DELETE',
    });
    expect(revoked.status).toBe(204);
    expect(codeOf(await tree())).toEqual([401, 'unauthorized']);
  });
});

const deep = `/${Array.from({ length: 200 }, () => 'd').join('/')}`;

describe('paths', () => {
  test.each([
    ['a traversal', '/a/../b'],
    ['a dot', '/a/./b'],
    ['an empty segment', '/a//b'],
    ['a NUL', '/a\0b'],
    ['a segment of 256 bytes', `/${'ä'.repeat(128)}`],
    ['200 levels', deep],
    ['over 4,096 bytes', `/${'a'.repeat(200)}`.repeat(21)],
    ['the root', '/'],
  ])('%s is refused where it would be written and names nothing where it is read', async (_name, path) => {
    const url = `/v1/workspaces/${workspaceId}/fs/file?path=${encodeURIComponent(path)}`;
    const put = await request(agent, url, {
      method: 'PUT',
      token,
      headers: { 'if-match': '*' },
      body: { content: 'x' },
    });
    expect(codeOf(put)).toEqual([400, 'bad_request']);
    expect(codeOf(await request(agent, url, { token }))).toEqual([404, 'not_found']);
    const remove = await request(agent, url, { method: 'DELETE', token, headers: { 'if-match': '*' } });
    expect(codeOf(remove)).toEqual([404, 'not_found']);
    if (path === '/') return;
    for (const list of ['tree', 'query', 'export']) {
      const listed = await request(
        agent,
        `/v1/workspaces/${workspaceId}/fs/${list}?path=${encodeURIComponent(path)}`,
        { token },
      );
      expect([list, listed.status]).toEqual([list, 200]);
    }
  });

  test('percent sequences that are not UTF-8 are refused', async () => {
    const answer = await request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=/%ff`, { token });
    expect(codeOf(answer)).toEqual([400, 'bad_request']);
    expect(codeOf(await request(agent, '/v1/workspaces/%ff/fs/tree', { token }))).toEqual([
      400,
      'bad_request',
    ]);
  });
});

describe('bodies', () => {
  const put = (body: unknown) =>
    request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=/body.md`, {
      method: 'PUT',
      token,
      headers: { 'if-match': '*' },
      body,
    });
  test.each([
    ['nothing', ''],
    ['half an object', bad],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['a number as content', '{"content":1}'],
    ['an unpaired surrogate as content', '{"content":"\\ud800"}'],
    ['an unpaired surrogate in metadata', '{"content":"x","semantics":{"comments":["\\udfff"]}}'],
    ['an encoding that does not exist', '{"content":"x","encoding":"utf-16"}'],
    ['content that is no base64', '{"content":"a-_b","encoding":"base64"}'],
    ['base64 without its padding', '{"content":"YQ","encoding":"base64"}'],
    ['metadata of the wrong shape', '{"content":"x","semantics":{"relations":"r"}}'],
    ['metadata that is too large', JSON.stringify({ semantics: { comments: ['x'.repeat(300_000)] } })],
    ['a content type that is too long', JSON.stringify({ content: 'x', contentType: 'x'.repeat(300) })],
  ])('%s is 400', async (_name, body) => {
    const answer = await put(body);
    expect([answer.status, answer.json.code, answer.json.correlationId]).toEqual([
      400,
      'bad_request',
      'test-1',
    ]);
    expect(answer.json.message).not.toBe('');
  });

  test('metadata that is nested a hundred thousand deep is more than a body may hold', async () => {
    const nested = `{"semantics":{"properties":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`;
    expect(codeOf(await put(nested))).toEqual([413, 'payload_too_large']);
  });

  test('a property named __proto__ is a property', async () => {
    expect((await put('{"content":"x","semantics":{"properties":{"__proto__":"p"}}}')).status).toBe(202);
    const file = await request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=/body.md`, { token });
    expect(Object.entries(file.json.semantics.properties)).toEqual([['__proto__', 'p']]);
  });
});

/** Sends bytes as they are and answers all that comes back. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(agent.port, '127.0.0.1');
  socket.write(bytes);
  return await text(socket);
}

test.each([
  ['no HTTP', 'HELLO\r\n\r\n', 400],
  ['a header that is none', `GET /health HTTP/1.1\r\nHost: localhost\r\nbroken\r\n\r\n`, 400],
  ['no Host', 'GET /health HTTP/1.1\r\n\r\n', 400],
])('%s is refused in the same words', async (_name, bytes, status) => {
  const answer = await raw(bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

describe('auto-provision', () => {
  test("a valid token's workspace is made on first use, another one or a UUID is not", async () => {
    const open = await startHttpAgent({ config: { autoProvision: true } });
    const { token: live } = await open.tokens.issue({ workspaceId: 'ws_live' });
    expect((await request(open, '/v1/workspaces/ws_live/fs/tree', { token: live })).status).toBe(200);
    expect(codeOf(await request(open, '/v1/workspaces/ws_other/fs/tree', { token: live }))).toEqual([
      404,
      'workspace_not_found',
    ]);
    expect(codeOf(await request(open, `/v1/workspaces/ws_third/fs/tree`))).toEqual([
      404,
      'workspace_not_found',
    ]);
    const { token: application } = await open.tokens.issue({ workspaceId: uuid });
    expect(codeOf(await request(open, `/v1/workspaces/${uuid}/fs/tree`, { token: application }))).toEqual([
      404,
      'workspace_not_found',
    ]);
    await request(open, '/v1/workspaces/ws_live', { method: 'DELETE' });
    expect(codeOf(await request(open, '/v1/workspaces/ws_live/fs/tree', { token: live }))).toEqual([
      404,
      'workspace_not_found',
    ]);
  });
});
