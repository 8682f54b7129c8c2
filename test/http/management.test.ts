import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createStaticFiles } from '../../server/platform/files/static-files.ts';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { makeWorkspace, noMirrors, startHttpAgent } from '../support/http-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

test('the owner makes, lists, renames, deletes and restores workspaces', async () => {
  const agent = await startHttpAgent();
  const made = await request(agent, '/v1/workspaces', { method: 'POST', body: { name: 'Docs' } });
  expect([made.status, made.json.workspaceId]).toEqual([201, expect.stringMatching(/^rw_[a-z0-9]{8}$/)]);
  const { workspaceId } = made.json;
  const one = `/v1/workspaces/${workspaceId}`;
  const taken = await request(agent, '/v1/workspaces', {
    method: 'POST',
    body: { name: 'Again', workspaceId },
  });
  expect(codeOf(taken)).toEqual([409, 'invalid_state']);
  expect((await request(agent, one, { method: 'PATCH', body: { name: 'Notes' } })).json.name).toBe('Notes');
  expect((await request(agent, '/v1/workspaces')).json.workspaces).toMatchObject([
    { workspaceId, name: 'Notes' },
  ]);
  expect((await request(agent, one, { method: 'DELETE' })).status).toBe(204);
  expect((await request(agent, '/v1/workspaces')).json.workspaces).toEqual([]);
  expect((await request(agent, '/v1/workspaces?deleted=true')).json.workspaces).toHaveLength(1);
  expect(codeOf(await request(agent, `${one}/fs/tree`))).toEqual([404, 'workspace_not_found']);
  expect((await request(agent, `${one}/restore`, { method: 'POST' })).json.name).toBe('Notes');
  expect((await request(agent, `${one}/fs/tree`)).status).toBe(200);
  expect(codeOf(await request(agent, '/v1/workspaces/rw_unknown1/restore', { method: 'POST' }))).toEqual([
    404,
    'workspace_not_found',
  ]);
});

test('tokens are shown once, listed without their secret, and revoked', async () => {
  const agent = await startHttpAgent();
  const { workspaceId } = await makeWorkspace(agent);
  const url = `/v1/workspaces/${workspaceId}/tokens`;
  const body = { agent: 'builder', scopes: ['fs:read'], ttlSeconds: 60, deletesPerMinute: 5 };
  const made = await request(agent, url, { method: 'POST', body });
  expect(made.json.accessToken).toMatchObject({ agent: 'builder', scopes: ['fs:read'], deletesPerMinute: 5 });
  expect((await request(agent, url, { method: 'POST' })).status).toBe(201);
  expect(codeOf(await request(agent, url, { method: 'POST', body: { path: 'no/glob/**/x' } }))).toEqual([
    400,
    'bad_request',
  ]);
  const listed = await request(agent, url);
  expect(listed.bytes.toString()).not.toContain(made.json.token);
  const { tokenId } = made.json.accessToken;
  expect((await request(agent, `${url}/${tokenId}`, { method: 'DELETE' })).status).toBe(204);
  const after = (await request(agent, url)).json.tokens.find(
    (row: { tokenId: string }) => row.tokenId === tokenId,
  );
  expect(after.revokedAt).toEqual(expect.any(String));
  expect(codeOf(await request(agent, `${url}/tok_none`, { method: 'DELETE' }))).toEqual([404, 'not_found']);
});

test('a token is listed with when it was last used', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent);
  const listed = async () => (await request(agent, `/v1/workspaces/${workspaceId}/tokens`)).json.tokens;
  const [before] = await listed();
  expect(before.lastUsedAt).toBeUndefined();
  await request(agent, `/v1/workspaces/${workspaceId}/fs/tree`, { token });
  const [after] = await listed();
  expect(Date.parse(after.lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(after.createdAt));
});

test('management is for the owner: a workspace token gets 403 everywhere', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  for (const [method, url] of [
    ['GET', '/v1/workspaces'],
    ['POST', '/v1/workspaces'],
    ['PATCH', w],
    ['DELETE', w],
    ['POST', `${w}/restore`],
    ['GET', `${w}/tokens`],
    ['POST', `${w}/tokens`],
    ['DELETE', `${w}/tokens/x`],
    ['GET', `${w}/mirrors`],
    ['POST', `${w}/mirrors`],
    ['POST', `${w}/mirrors/x/pause`],
    ['POST', `${w}/mirrors/x/resume`],
    ['DELETE', `${w}/mirrors/x`],
    ['GET', `${w}/mirrors/x/plan`],
    ['GET', `${w}/explain?path=/x`],
    ['GET', `${w}/mirrors/x/halt`],
    ['POST', `${w}/mirrors/x/halt`],
    ['GET', `${w}/conflicts`],
    ['GET', `${w}/conflicts/x`],
    ['POST', `${w}/conflicts/x/resolve`],
    ['GET', '/v1/agent/status'],
    ['POST', '/v1/agent/settle'],
    ['POST', '/v1/agent/sign-in/link'],
    ['POST', '/v1/agent/sign-in/renew'],
    ['POST', '/v1/agent/backup'],
    ['GET', '/v1/agent/diagnostics'],
    ['GET', '/v1/agent/diagnostics/bundle'],
    ['GET', '/v1/agent/settings'],
    ['PATCH', '/v1/agent/settings'],
  ] as const) {
    expect([method, url, ...errorOf(await request(agent, url, { method, token }))]).toEqual([
      method,
      url,
      403,
      'forbidden',
      'owner token required',
    ]);
  }
});

test('a mirror that cannot be is refused with its reason; one that is unknown is not found', async () => {
  const { MirrorRefusedError } = await import('../../server/mirror/manager/port.ts');
  const agent = await startHttpAgent({
    mirrors: { ...noMirrors, add: () => Promise.reject(new MirrorRefusedError('it lies in another mirror')) },
  });
  const { workspaceId } = await makeWorkspace(agent);
  const url = `/v1/workspaces/${workspaceId}/mirrors`;
  expect((await request(agent, url)).json).toEqual({ mirrors: [] });
  const refused = await request(agent, url, { method: 'POST', body: { dir: '/x' } });
  expect(errorOf(refused)).toEqual([409, 'invalid_state', 'it lies in another mirror']);
  for (const body of [{}, { dir: '/x', mode: 'sideways' }, { dir: '/x', path: '\ud800' }, { dir: 'a\0b' }]) {
    expect(codeOf(await request(agent, url, { method: 'POST', body }))).toEqual([400, 'bad_request']);
  }
  for (const action of ['pause', 'resume']) {
    expect(codeOf(await request(agent, `${url}/x/${action}`, { method: 'POST' }))).toEqual([
      404,
      'not_found',
    ]);
  }
  const inTwoYears = new Date(Date.now() + 730 * 86_400_000).toISOString();
  for (const until of ['soon', '2020-01-01T00:00:00Z', inTwoYears, 5]) {
    const refused = await request(agent, `${url}/x/pause`, { method: 'POST', body: { until } });
    expect(codeOf(refused)).toEqual([400, 'bad_request']);
  }
  expect(codeOf(await request(agent, `${url}/x`, { method: 'DELETE' }))).toEqual([404, 'not_found']);
});

test('status, settle, diagnostics and backup answer the owner', async () => {
  const agent = await startHttpAgent();
  const status = await request(agent, '/v1/agent/status');
  expect(status.json).toMatchObject({ url: agent.url, pid: process.pid, mirrors: [], workspaces: [] });
  expect((await request(agent, '/v1/agent/settle', { method: 'POST' })).json).toEqual({
    settled: true,
    mirrors: [],
    remotes: [],
  });
  const elsewhere = { method: 'POST', body: { workspaceId: 'rw_unknown1' } };
  expect(codeOf(await request(agent, '/v1/agent/settle', elsewhere))).toEqual([404, 'workspace_not_found']);
  expect((await request(agent, '/v1/agent/diagnostics')).json.checks).toHaveLength(1);
  const dir = path.join(tempFolder(), 'backup');
  expect((await request(agent, '/v1/agent/backup', { method: 'POST', body: { dir } })).json).toMatchObject({
    dir,
  });
});

test('a sign-in code works once, and its token renews itself', async () => {
  const agent = await startHttpAgent();
  const link = await request(agent, '/v1/agent/sign-in/link', { method: 'POST' });
  const url = new URL(link.json.url);
  expect(url.origin).toBe(agent.url);
  const code = new URLSearchParams(url.hash.slice(1)).get('sign-in');
  const exchange = (body: unknown) =>
    request(agent, '/v1/agent/sign-in/exchange', { method: 'POST', token: null, correlationId: null, body });
  const first = await exchange({ code });
  expect(first.status).toBe(200);
  expect((await request(agent, '/v1/workspaces', { token: first.json.token })).status).toBe(200);
  expect(
    (await request(agent, '/v1/agent/sign-in/renew', { method: 'POST', token: first.json.token })).status,
  ).toBe(200);
  expect(codeOf(await exchange({ code }))).toEqual([401, 'unauthorized']);
  expect(codeOf(await exchange({ code: 'x'.repeat(2000) }))).toEqual([413, 'payload_too_large']);
});

test('wrong sign-in codes, however many, do not lock out the right one', async () => {
  const agent = await startHttpAgent();
  const link = await request(agent, '/v1/agent/sign-in/link', { method: 'POST' });
  const code = new URLSearchParams(new URL(link.json.url).hash.slice(1)).get('sign-in') ?? '';
  expect(Buffer.from(code, 'base64url')).toHaveLength(24);
  const exchange = async (guess: string) => {
    const options = { method: 'POST', token: null, correlationId: null, body: { code: guess } } as const;
    return (await request(agent, '/v1/agent/sign-in/exchange', options)).status;
  };
  // Also those that begin like it, or hold it.
  const guesses = [code.slice(0, -1), `${code}x`, ` ${code}`, code.toLowerCase()];
  const wrong = Array.from({ length: 200 }, (_, index) => guesses[index] ?? `guess-${index}`);
  expect(new Set(await Promise.all(wrong.map(exchange)))).toEqual(new Set([401]));
  expect(await exchange(code)).toBe(200);
  expect(await exchange(code)).toBe(401);
});

test('metrics ask for a token unless they are open', async () => {
  const agent = await startHttpAgent();
  const { token, workspaceId } = await makeWorkspace(agent);
  expect(codeOf(await request(agent, '/metrics', { token: null }))).toEqual([401, 'unauthorized']);
  expect(codeOf(await request(agent, '/metrics', { token }))).toEqual([403, 'forbidden']);
  const admin = await agent.tokens.issue({ workspaceId, scopes: ['admin:read'] });
  expect(
    (await request(agent, '/metrics', { token: admin.token, correlationId: null })).bytes.toString(),
  ).toContain('mooring_http');
  const open = await startHttpAgent({ config: { metrics: 'open' } });
  expect((await request(open, '/metrics', { token: null, correlationId: null })).status).toBe(200);
});

/** fetch sets Host and Origin itself, so these go by hand. */
async function plain(
  port: number,
  options: { host?: string; origin?: string; method?: string; url?: string },
) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: NodeJS.Dict<string | string[]>;
    body: string;
  }>();
  const asked = httpRequest(
    {
      port,
      host: '127.0.0.1',
      path: options.url ?? '/health',
      method: options.method ?? 'GET',
      headers: {
        host: options.host ?? `127.0.0.1:${port}`,
        ...(options.origin === undefined ? {} : { origin: options.origin }),
      },
    },
    (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    },
  );
  asked.on('error', reject).end();
  return await promise;
}

test('a foreign Host or Origin gets nothing, on any route', async () => {
  const agent = await startHttpAgent({
    config: { allowHosts: ['Box.local'], publicUrl: 'https://hub.example.org' },
  });
  const { port } = agent;
  const statusOf = async (options: Parameters<typeof plain>[1]) => (await plain(port, options)).status;
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '10.0.0.1',
    'localhost@evil.example',
    '127.0.0.1.evil.example',
  ]) {
    expect([host, await statusOf({ host })]).toEqual([host, 403]);
    expect([host, await statusOf({ host, url: '/nothing' })]).toEqual([host, 403]);
  }
  for (const host of [
    'localhost',
    `LOCALHOST:${port}`,
    `[::1]:${port}`,
    'box.local',
    'hub.example.org',
    '127.0.0.1:1',
  ]) {
    expect([host, await statusOf({ host })]).toEqual([host, 200]);
  }
  for (const origin of [
    'null',
    'http://evil.example',
    `http://127.0.0.1:${port + 1}`,
    `https://127.0.0.1:${port}`,
    'app://other',
  ]) {
    expect([origin, await statusOf({ origin })]).toEqual([origin, 403]);
    expect([origin, await statusOf({ origin, method: 'OPTIONS' })]).toEqual([origin, 403]);
  }
  const own = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://box.local:${port}`];
  for (const origin of [...own, 'https://box.local', 'https://hub.example.org']) {
    expect([origin, await statusOf({ origin })]).toEqual([origin, 200]);
  }
  expect(await statusOf({ method: 'OPTIONS' })).toBe(404);
});

test('the desktop app is answered across origins, its preflight included', async () => {
  const agent = await startHttpAgent();
  const preflight = await plain(agent.port, {
    origin: 'app://mooring',
    method: 'OPTIONS',
    url: '/v1/workspaces',
  });
  expect([
    preflight.status,
    preflight.headers['access-control-allow-origin'],
    preflight.headers.vary,
  ]).toEqual([204, 'app://mooring', 'Origin']);
  expect(preflight.headers['access-control-allow-headers']).toContain('If-Match');
  const answer = await plain(agent.port, { origin: 'app://mooring', url: '/v1/workspaces' });
  expect([
    answer.status,
    answer.headers['access-control-allow-origin'],
    answer.headers['access-control-expose-headers'],
  ]).toEqual([401, 'app://mooring', 'ETag, Retry-After']);
  expect((await plain(agent.port, {})).headers).not.toHaveProperty('access-control-allow-origin');
});

test('both loopback addresses reach the agent where the machine has both', async () => {
  const agent = await startHttpAgent();
  const answer = await fetch(`http://[::1]:${agent.port}/health`).catch((error: Error) => error);
  if (answer instanceof Error)
    expect(String(answer.cause)).toMatch(/EADDRNOTAVAIL|EAFNOSUPPORT|ECONNREFUSED/);
  else expect(await answer.json()).toEqual({ status: 'ok' });
});

test('the UI is served with a strict policy, kept by its hashes, and never from outside its folder', async () => {
  const dir = tempFolder();
  mkdirSync(path.join(dir, 'assets'));
  writeFileSync(path.join(dir, 'index.html'), '<!doctype html><title>UI</title>');
  writeFileSync(path.join(dir, 'assets/app-1a2b3c4d.js'), 'run()');
  const agent = await startHttpAgent({ ui: createStaticFiles(dir) });
  const page = (url: string, headers: Record<string, string> = {}) =>
    request(agent, url, { token: null, correlationId: null, headers: { accept: 'text/html', ...headers } });
  const index = await page('/');
  expect([index.status, index.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect(index.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/);
  const script = await page('/assets/app-1a2b3c4d.js');
  expect([script.headers.get('content-type'), script.headers.get('cache-control')]).toEqual([
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ]);
  expect((await page('/', { 'if-none-match': index.headers.get('etag') ?? '' })).status).toBe(304);
  expect((await page('/files')).bytes.toString()).toContain('<title>UI</title>');
  expect(codeOf(await page('/files', { accept: '*/*' }))).toEqual([404, 'not_found']);
  expect(codeOf(await page('/v1/nothing'))).toEqual([404, 'not_found']);
  expect(codeOf(await page('/assets/..%2f..%2fowner.token'))).toEqual([404, 'not_found']);
});

test('a text of the UI is sent as gzip to who takes it, under a tag of its own', async () => {
  const dir = tempFolder();
  mkdirSync(path.join(dir, 'assets'));
  const code = 'run();\n'.repeat(1_000);
  writeFileSync(path.join(dir, 'assets/app-1a2b3c4d.js'), code);
  writeFileSync(path.join(dir, 'assets/short-1a2b3c4d.js'), 'run()');
  writeFileSync(path.join(dir, 'assets/font-1a2b3c4d.woff2'), code);
  const agent = await startHttpAgent({ ui: createStaticFiles(dir) });
  const get = async (name: string, acceptEncoding: string, tag = '') =>
    await request(agent, `/assets/${name}`, {
      token: null,
      correlationId: null,
      headers: { 'accept-encoding': acceptEncoding, ...(tag === '' ? {} : { 'if-none-match': tag }) },
    });
  // The first answer does not wait until it is made.
  expect((await get('app-1a2b3c4d.js', 'gzip')).headers.get('content-encoding')).toBeNull();
  await waitFor('the compressed text', async () => {
    const answer = await get('app-1a2b3c4d.js', 'gzip');
    return answer.headers.get('content-encoding') === 'gzip';
  });
  const asIs = await get('app-1a2b3c4d.js', 'identity');
  const tag = asIs.headers.get('etag') ?? '';
  expect([asIs.headers.get('content-encoding'), asIs.headers.get('vary')]).toEqual([null, 'accept-encoding']);
  for (const taken of ['gzip', 'deflate, gzip, br', 'gzip;q=0.5', 'x-gzip']) {
    const answer = await get('app-1a2b3c4d.js', taken);
    expect([taken, answer.headers.get('content-encoding')]).toEqual([taken, 'gzip']);
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(code.length / 10);
    expect(answer.bytes.toString()).toBe(code);
    const tagOfGzip = answer.headers.get('etag') ?? '';
    expect(tagOfGzip).not.toBe(tag);
    expect((await get('app-1a2b3c4d.js', taken, tagOfGzip)).status).toBe(304);
    expect((await get('app-1a2b3c4d.js', taken, tag)).status).toBe(200);
  }
  for (const refused of ['br', 'gzip;q=0', 'gzip; q=0.0', 'notgzip'])
    expect((await get('app-1a2b3c4d.js', refused)).headers.get('content-encoding'), refused).toBeNull();
  for (const name of ['short-1a2b3c4d.js', 'font-1a2b3c4d.woff2'])
    expect((await get(name, 'gzip')).headers.get('vary'), name).toBeNull();
});

test('HEAD of pages and of what monitors ask answers as GET, without the bytes', async () => {
  const dir = tempFolder();
  writeFileSync(path.join(dir, 'index.html'), '<!doctype html><title>UI</title>');
  const files = createStaticFiles(dir);
  const agent = await startHttpAgent({ ui: files, docsFolder: dir });
  for (const url of ['/', '/index.html', '/docs', '/docs/index.html', '/health', '/ready']) {
    const [head, get] = [await plain(agent.port, { url, method: 'HEAD' }), await plain(agent.port, { url })];
    expect([url, head.status, head.body]).toEqual([url, 200, '']);
    for (const name of ['content-type', 'content-length', 'etag'])
      expect([url, name, head.headers[name]]).toEqual([url, name, get.headers[name]]);
  }
  expect((await plain(agent.port, { url: '/assets/none.js', method: 'HEAD' })).status).toBe(404);
});

test('a UI that was not built says how to build it, and appears once it is', async () => {
  const dir = path.join(tempFolder(), 'dist');
  const agent = await startHttpAgent({ ui: createStaticFiles(dir) });
  const load = () => request(agent, '/', { token: null, correlationId: null });
  const before = await load();
  expect([before.status, before.bytes.toString()]).toEqual([503, expect.stringContaining('npm run build')]);
  mkdirSync(dir);
  writeFileSync(path.join(dir, 'index.html'), 'built');
  expect((await load()).bytes.toString()).toBe('built');
});

test('a fault of the agent is answered without its reasons and logged with the correlation id, never with the query', async () => {
  const lines: object[] = [];
  const log = {
    error: (fields: object) => lines.push(fields),
    warn: () => undefined,
    info: () => undefined,
    debug: (fields: object) => lines.push(fields),
  };
  const agent = await startHttpAgent({
    log,
    maintenance: {
      features: [],
      members: () => Promise.resolve(null),
      lostTails: () => Promise.resolve([]),
      unready: () => Promise.resolve(null),
      epoch: () => Promise.resolve('an epoch'),
      lastRevision: () => Promise.reject(new Error('inner reason')),
      backup: () => Promise.reject(new Error('unused')),
      diagnostics: () => Promise.reject(new Error('unused')),
      bundle: () => Promise.reject(new Error('unused')),
      settings: () => Promise.reject(new Error('unused')),
      changeSettings: () => Promise.reject(new Error('unused')),
    },
  });
  const answer = await request(agent, '/v1/agent/status?secret=1', { correlationId: 'find-me' });
  expect(answer.json).toEqual({
    code: 'internal_error',
    message: 'internal error',
    correlationId: 'find-me',
  });
  const [fault] = lines as { correlationId?: string }[];
  expect(fault?.correlationId).toBe('find-me');
  expect(JSON.stringify(lines)).not.toMatch(/secret|eyJ/);
});

test('a store that does not answer is 503 and may be tried again', async () => {
  const agent = await startHttpAgent();
  const { workspaceId } = await makeWorkspace(agent);
  await request(agent, `/v1/workspaces/${workspaceId}/fs/tree`);
  await agent.store.close();
  const answer = await request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=/a`, {
    method: 'PUT',
    headers: { 'if-match': '*' },
    body: { content: 'x' },
  });
  expect(codeOf(answer)).toEqual([503, 'unavailable']);
});
