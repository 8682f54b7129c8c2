import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import type { EventFrame } from '../../../server/contract/events.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import { codeOf, request } from '../../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent, startHttpAgent } from '../../support/http-agent.ts';
import { waitFor } from '../../support/wait-for.ts';

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

interface Stream {
  readonly socket: WebSocket;
  readonly frames: (EventFrame & { type: string })[];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly paths: () => string[];
  readonly expect: (count: number) => Promise<void>;
}

async function open(url: string, options: ClientOptions = {}): Promise<Stream> {
  const socket = new WebSocket(url.replace('http', 'ws'), options);
  const frames: Stream['frames'] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve).once('error', reject);
  });
  return {
    socket,
    frames,
    closed,
    paths: () => frames.map((frame) => frame.path),
    expect: async (count) => {
      await waitFor(`${count} frames`, () => frames.length >= count);
    },
  };
}

async function workspace(on: HttpAgent = agent) {
  const made = await makeWorkspace(on);
  const base = `/v1/workspaces/${made.workspaceId}`;
  const ws = (query: string, token = made.token) => `${on.url}${base}/fs/ws?token=${token}${query}`;
  const put = async (path: string, content = 'x', more: object = {}) => {
    const answer = await request(on, `${base}/fs/file?path=${encodeURIComponent(path)}`, {
      method: 'PUT',
      token: made.token,
      headers: { 'if-match': '*' },
      body: { content, ...more },
    });
    expect(answer.status).toBe(202);
  };
  const bulk = async (from: number, count: number) => {
    const files = Array.from({ length: count }, (_, index) => ({ path: `/f/${from + index}`, content: 'x' }));
    const answer = await request(on, `${base}/fs/bulk`, {
      method: 'POST',
      token: made.token,
      body: { files },
    });
    expect(answer.json.written).toBe(count);
  };
  return { ...made, base, ws, put, bulk };
}

test('from=now: nothing of before, everything after, with the content of small files', async () => {
  const { ws, put, base, token } = await workspace();
  await put('/before.md');
  const stream = await open(ws('&from=now'));
  await put('/a.md', 'hello');
  await put('/b.bin', 'AAAA', { encoding: 'base64', contentType: 'image/png' });
  await request(agent, `${base}/fs/file?path=/a.md`, {
    method: 'DELETE',
    token,
    headers: { 'if-match': '*' },
    correlationId: 'gone',
  });
  await stream.expect(3);
  expect(stream.frames).toMatchObject([
    {
      type: 'file.created',
      path: '/a.md',
      content: 'hello',
      contentType: 'text/markdown',
      inlineContent: true,
      correlationId: 'test-1',
    },
    { type: 'file.created', path: '/b.bin', content: 'AAAA', encoding: 'base64', contentType: 'image/png' },
    { type: 'file.deleted', path: '/a.md', correlationId: 'gone' },
  ]);
  expect(stream.frames[2]).not.toHaveProperty('content');
  stream.socket.close();
});

test('a token that is revoked between its check and the opening of its stream gets no event', async () => {
  const { workspaceId, ws, put } = await workspace();
  const { token, row } = await agent.tokens.issue({ workspaceId });
  const verify = agent.tokens.verify.bind(agent.tokens);
  const checks = vi.spyOn(agent.tokens, 'verify').mockImplementationOnce(async (bearer) => {
    const verified = await verify(bearer);
    await agent.tokens.revoke(workspaceId, row.tokenId);
    return verified;
  });
  onTestFinished(() => checks.mockRestore());
  const stream = await open(ws('&from=now', token));
  await put('/after.md');
  const ended = await Promise.race([stream.closed, stream.expect(1).then(() => 'an event')]);
  expect(ended).toEqual({ code: 1008, reason: 'token revoked' });
  expect(stream.frames).toEqual([]);
});

test('without a position the last 100 events come first, with a cursor all that is after it', async () => {
  const { ws, bulk } = await workspace();
  await bulk(0, 150);
  const legacy = await open(ws(''));
  await legacy.expect(100);
  expect(legacy.paths()).toEqual(Array.from({ length: 100 }, (_, index) => `/f/${index + 50}`));
  const from = legacy.frames[95]?.eventId ?? '';
  const resumed = await open(ws(`&cursor=${from}`));
  await resumed.expect(4);
  await bulk(150, 1);
  await resumed.expect(5);
  await legacy.expect(101);
  expect(resumed.paths()).toEqual(['/f/146', '/f/147', '/f/148', '/f/149', '/f/150']);
  const nothing = await open(ws('&cursor=evt_99999999'));
  await bulk(151, 1);
  await nothing.expect(1);
  expect(nothing.paths()).toEqual(['/f/151']);
  for (const stream of [legacy, resumed, nothing]) stream.socket.close();
});

test('between catch-up and live there is no gap and no repeat, however the two fall together', async () => {
  const { ws, bulk } = await workspace();
  await bulk(0, 300);
  const first = await open(ws(''));
  await first.expect(1);
  const writing = (async () => {
    for (let round = 0; round < 20; round += 1) await bulk(300 + round * 20, 20);
  })();
  const streams: Stream[] = [];
  for (let index = 0; index < 10; index += 1) streams.push(await open(ws('&cursor=evt_0')));
  await writing;
  for (const stream of streams) {
    await stream.expect(700);
    expect(stream.paths()).toEqual(Array.from({ length: 700 }, (_, index) => `/f/${index}`));
    stream.socket.close();
  }
  first.socket.close();
});

test('path filters: exact, one segment, all below; each must be covered by the scope', async () => {
  const { ws, put, workspaceId } = await workspace();
  const stream = await open(ws('&from=now&path=/exact.md&path=/one/*/x.md&path=/all/**'));
  for (const path of [
    '/exact.md',
    '/exact.md2',
    '/one/a/x.md',
    '/one/a/b/x.md',
    '/all/deep/y.md',
    '/other.md',
    '/all/z.md',
  ])
    await put(path);
  await stream.expect(4);
  expect(stream.paths()).toEqual(['/exact.md', '/one/a/x.md', '/all/deep/y.md', '/all/z.md']);
  stream.socket.close();
  const { token } = await agent.tokens.issue({ workspaceId, path: '/all/**' });
  await expect(open(ws('', token))).rejects.toThrow('403');
  (await open(ws('&path=/all/**', token))).socket.close();
});

test('what the access rules hide does not reach the stream', async () => {
  const { ws, put, workspaceId } = await workspace();
  const { token } = await agent.tokens.issue({ workspaceId, agent: 'alice' });
  const stream = await open(ws('&from=now', token));
  await put('/hidden.md', 'x', { semantics: { permissions: ['deny:agent:alice'] } });
  await put('/open.md');
  await stream.expect(1);
  expect(stream.paths()).toEqual(['/open.md']);
  stream.socket.close();
});

test('a ping is answered, other messages are ignored, what is no JSON closes with 1007', async () => {
  const { ws } = await workspace();
  const stream = await open(ws('&from=now'));
  stream.socket.send('{"type":"subscribe"}');
  stream.socket.send('{"type":"ping"}');
  await stream.expect(1);
  expect(stream.frames).toEqual([{ type: 'pong', timestamp: expect.any(String) }]);
  stream.socket.send('no json');
  expect(await stream.closed).toEqual({ code: 1007, reason: 'failed to unmarshal JSON' });
  const large = await open(ws('&from=now'));
  large.socket.send('x'.repeat(65 * 1024));
  expect((await large.closed).code).toBe(1009);
});

test('revocation and expiry close with 1008', async () => {
  const { ws, workspaceId } = await workspace();
  const { token, row } = await agent.tokens.issue({ workspaceId });
  const stream = await open(ws('&from=now', token));
  await agent.tokens.revoke(workspaceId, row.tokenId);
  expect(await stream.closed).toEqual({ code: 1008, reason: 'token revoked' });
  const brief = await agent.tokens.issue({ workspaceId, ttlSeconds: 1 });
  const expiring = await open(ws('&from=now', brief.token));
  expect(await expiring.closed).toEqual({ code: 1008, reason: 'token expired' });
});

test('a workspace that is deleted takes its streams along', async () => {
  const { ws, base } = await workspace();
  const stream = await open(ws('&from=now'));
  expect((await request(agent, base, { method: 'DELETE' })).status).toBe(204);
  expect(await stream.closed).toEqual({ code: 1008, reason: 'workspace deleted' });
});

test('a client that does not read is closed with 1013 after 4,096 events, and others are not held up', async () => {
  const warnings: string[] = [];
  const log = {
    error: () => undefined,
    warn: (_: object, message: string) => warnings.push(message),
    info: () => undefined,
    debug: () => undefined,
  };
  const own = await startHttpAgent({ log });
  const { ws, bulk, put } = await workspace(own);
  const stuck = await open(ws('&from=now'));
  const well = await open(ws('&from=now'));
  stuck.socket.pause();
  // Frames large enough that the system's own buffers fill up early.
  const large = 'y'.repeat(900_000);
  for (let index = 0; index < 12; index += 1) await put(`/large/${index}`, large);
  for (let from = 0; from < 6000; from += 1000) await bulk(from, 1000);
  await well.expect(6012);
  await waitFor('the stuck stream to be given up', () => warnings.length > 0, { deadlineMs: 90_000 });
  stuck.socket.resume();
  expect(await stuck.closed).toEqual({ code: 1013, reason: 'event stream overflow; reconnect from cursor' });
  well.socket.close();
}, 180_000);

test('the agent going away closes with 1001', async () => {
  const stopping = await openHttpAgent();
  const { ws } = await workspace(stopping);
  const stream = await open(ws('&from=now'));
  await stopping.close();
  expect((await stream.closed).code).toBe(1001);
});

test('a peer that does not answer pings is dropped', async () => {
  let beat: () => void = () => undefined;
  const clock = {
    ...systemClock,
    delay: (delayMs: number, signal?: AbortSignal) =>
      delayMs === 30_000
        ? new Promise<void>((resolve) => {
            beat = resolve;
            signal?.addEventListener('abort', () => resolve());
          })
        : systemClock.delay(delayMs, signal),
  };
  const own = await startHttpAgent({ clock });
  const { ws } = await workspace(own);
  const dead = await open(ws('&from=now'), { autoPong: false });
  const alive = await open(ws('&from=now'));
  const pinged = new Promise((resolve) => alive.socket.once('ping', resolve));
  beat();
  await pinged;
  await waitFor('the answer of the living peer', async () => {
    beat();
    return dead.socket.readyState === WebSocket.CLOSED;
  });
  expect((await dead.closed).code).toBe(1006);
});

test('before the upgrade every refusal is JSON, and without an upgrade the answer is 426', async () => {
  const { base, token } = await workspace();
  const url = `${base}/fs/ws`;
  const plain = (query: string) => request(agent, url + query, { token: null, correlationId: null });
  expect(codeOf(await plain(''))).toEqual([401, 'unauthorized']);
  const upgradeless = await plain(`?token=${token}`);
  expect([upgradeless.status, upgradeless.headers.get('content-type')]).toEqual([
    426,
    'text/plain; charset=utf-8',
  ]);
  expect(await refusal(`${url}?token=x`)).toMatchObject([401, { code: 'unauthorized', correlationId: '' }]);
  expect(await refusal(`/v1/workspaces/rw_unknown1/fs/ws?token=${token}`)).toMatchObject([
    404,
    { code: 'workspace_not_found' },
  ]);
  expect(await refusal(`/v1/nothing?token=${token}`)).toMatchObject([404, { code: 'not_found' }]);
  expect(await refusal(`${url}?token=${token}`, { origin: 'http://evil.example' })).toMatchObject([
    403,
    { code: 'forbidden' },
  ]);
  expect(await refusal(`${url}?token=${token}`, { host: 'evil.example' })).toMatchObject([
    403,
    { code: 'forbidden' },
  ]);
  expect(await refusal(`${url}?token=${token}`, { 'sec-websocket-key': 'bad' })).toMatchObject([
    400,
    { code: 'bad_request' },
  ]);
});

test('a client that offers another protocol is answered over HTTP', async () => {
  const answer = await rawUpgrade('/health', { upgrade: 'h2c' });
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
});

async function refusal(
  path: string,
  headers: Record<string, string> = {},
): Promise<readonly [number, unknown]> {
  const answer = await rawUpgrade(path, headers);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toContain('Content-Type: application/json');
  return [Number(head.split(' ')[1]), JSON.parse(body)];
}

async function rawUpgrade(path: string, headers: Record<string, string>): Promise<string> {
  const all = {
    host: `127.0.0.1:${agent.port}`,
    connection: 'Upgrade, close',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(agent.port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  let answer = '';
  for await (const piece of socket) answer += String(piece);
  return answer;
}
