import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { jsonDepthMax } from '../../server/http/base/limits.ts';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { hmacSignature } from '../support/hmac-signature.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function withWorkspace(options: Parameters<typeof startHttpAgent>[0] = {}) {
  const agent = await startHttpAgent(options);
  const { workspaceId, token } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  const send = (body: unknown, more: object = {}) =>
    request(agent, `${w}/webhooks/ingest`, { method: 'POST', token, body, ...more });
  const get = async (route: string) => (await request(agent, `${w}${route}`, { token })).json;
  return { agent, workspaceId, token, w, send, get };
}

const hook = (more: object = {}) => ({
  provider: 'GitHub',
  event_type: 'file.created',
  path: '/github/a.md',
  data: { content: 'hello', contentType: 'text/markdown', properties: { n: 1 } },
  ...more,
});

describe('webhooks/ingest', () => {
  test('answers 202 with the envelope, and the file follows', async () => {
    const { agent, send, get } = await withWorkspace();
    const taken = await send(hook(), { correlationId: 'hook-1' });
    expect(taken.status).toBe(202);
    expect(taken.json).toEqual({
      status: 'queued',
      id: expect.stringMatching(/^env_\d+$/),
      correlationId: 'hook-1',
    });
    await agent.ingest.idle();
    expect(await get('/fs/file?path=/github/a.md')).toMatchObject({
      content: 'hello',
      contentType: 'text/markdown',
      semantics: { properties: { n: '1' } },
    });
    expect((await get('/fs/events')).events).toMatchObject([
      { type: 'file.created', origin: 'provider_sync', provider: 'github', correlationId: 'hook-1' },
    ]);
    expect((await get('/writeback/pending')).length).toBe(0);
  });

  test('refuses a packed body by what it is, not by the bytes in it', async () => {
    const { agent, token, w } = await withWorkspace();
    const post = (coding: string, body: NonNullable<RequestInit['body']>) =>
      fetch(`${agent.url}${w}/webhooks/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'x-correlation-id': 'c', 'content-encoding': coding },
        body,
      });
    const text = JSON.stringify(hook());
    const packed = await post('gzip', gzipSync(text));
    expect(packed.status).toBe(400);
    expect(await packed.json()).toMatchObject({ message: expect.stringContaining('Content-Encoding') });
    expect((await post('identity', text)).status).toBe(202);
  });

  test('refuses what lacks a field that it needs, and names it', async () => {
    const { send } = await withWorkspace();
    const cases: readonly (readonly [string, unknown])[] = [
      ['provider', hook({ provider: '' })],
      ['provider', hook({ provider: 5 })],
      ['provider', hook({ provider: 'x'.repeat(129) })],
      ['event_type', hook({ event_type: undefined })],
      ['path', hook({ path: '' })],
      ['delivery_id', hook({ delivery_id: 5 })],
      ['timestamp', hook({ timestamp: 'yesterday' })],
      ['headers', hook({ headers: [] })],
    ];
    for (const [field, body] of cases) {
      expect(errorOf(await send(body))).toEqual([400, 'bad_request', `missing or invalid '${field}' field`]);
    }
  });

  test('takes anything else that is wrong, as a dead letter', async () => {
    const { agent, send, get } = await withWorkspace();
    expect((await send(hook({ path: '/a/../b' }))).status).toBe(202);
    expect((await send(hook({ data: [] }))).status).toBe(202);
    await agent.ingest.idle();
    expect((await get('/sync/dead-letter')).items.map((one: { lastError: string }) => one.lastError)).toEqual(
      ['payload_malformed: "data" is not an object', 'path_invalid: the path has a segment ".."'],
    );
  });

  test('needs the scope sync:trigger', async () => {
    const { agent, workspaceId, w } = await withWorkspace();
    const { token } = await agent.tokens.issue({ workspaceId, scopes: ['sync:read', 'fs:write'] });
    const refused = await request(agent, `${w}/webhooks/ingest`, { method: 'POST', token, body: hook() });
    expect(errorOf(refused)).toEqual([403, 'forbidden', 'missing required scope: sync:trigger']);
  });

  test('answers a repeated delivery with the first envelope', async () => {
    const { agent, send, get } = await withWorkspace();
    const first = await send(hook({ delivery_id: 'd1' }));
    const again = await send(hook({ delivery_id: 'd1', path: '/github/b.md' }));
    expect(again.json.id).toBe(first.json.id);
    await agent.ingest.idle();
    expect(await get('/sync/ingress')).toMatchObject({ acceptedTotal: 1, dedupedTotal: 1, dedupeRate: 0.5 });
  });

  test('says when the queue is full, and when to come back', async () => {
    const { send, get } = await withWorkspace({ applies: false, ingest: { envelopeQueueSize: 1 } });
    expect((await send(hook())).status).toBe(202);
    const full = await send(hook({ path: '/github/b.md' }));
    expect(codeOf(full)).toEqual([429, 'queue_full']);
    expect(full.headers.get('retry-after')).toBe('1');
    expect(await get('/sync/ingress')).toMatchObject({
      queueDepth: 1,
      queueCapacity: 1,
      queueUtilization: 1,
      pendingTotal: 1,
      droppedTotal: 1,
      ingressByProvider: { github: { acceptedTotal: 1, droppedTotal: 1, pendingTotal: 1 } },
    });
  });
});

test.each([
  ['arrays', '[', ']'],
  ['objects', '{"a":', '}'],
])('a body of %s nested too deep is refused, one at the limit is taken', async (_name, open, close) => {
  const { agent, send } = await withWorkspace();
  // The body itself is the first level.
  const nested = (levels: number) =>
    `{"provider":"hub","event_type":"file.created","path":"/hub/a","extra":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`;
  for (const levels of [jsonDepthMax + 1, 10_000, 1_000_000]) {
    expect(codeOf(await send(nested(levels)))).toEqual([413, 'payload_too_large']);
  }
  expect((await send(nested(jsonDepthMax))).status).toBe(202);
  await agent.ingest.idle();
});

describe('internal/webhook-envelopes', () => {
  const secret = 'a secret of some length';
  const url = '/v1/internal/webhook-envelopes';

  async function withSecret() {
    const secretFile = path.join(tempFolder(), 'secret');
    writeFileSync(secretFile, `${secret}\n`);
    const clock = createManualClock();
    const given = await withWorkspace({ clock, ingest: { internalHmacSecretFile: secretFile } });
    const post = (
      body: unknown,
      more: { at?: number; signature?: string; headers?: object; correlationId?: null } = {},
    ) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const timestamp = new Date(more.at ?? clock.nowMs()).toISOString();
      return request(given.agent, url, {
        method: 'POST',
        token: null,
        body: text,
        ...(more.correlationId === null ? { correlationId: null } : {}),
        headers: {
          'x-relay-timestamp': timestamp,
          'x-relay-signature': more.signature ?? hmacSignature(secret, timestamp, Buffer.from(text)),
          ...more.headers,
        },
      });
    };
    const envelope = (more: object = {}) => ({
      envelopeId: 'env_internal',
      workspaceId: given.workspaceId,
      provider: 'GitHub',
      deliveryId: 'd1',
      receivedAt: new Date(clock.nowMs()).toISOString(),
      headers: { 'x-github-event': 'push' },
      payload: { event_type: 'file.created', path: '/github/a.md', content: 'hello' },
      correlationId: 'corr-env',
      ...more,
    });
    return { ...given, clock, post, envelope };
  }

  test('takes what the secret signed', async () => {
    const { agent, post, envelope, get } = await withSecret();
    const taken = await post(envelope());
    expect(taken.status).toBe(202);
    expect(taken.json).toEqual({ status: 'queued', id: 'env_internal', correlationId: 'corr-env' });
    await agent.ingest.idle();
    expect(await get('/fs/file?path=/github/a.md')).toMatchObject({ content: 'hello' });
  });

  test('takes a signature once, also after the agent has forgotten it, and a repeated delivery under a new one', async () => {
    const { post, envelope, clock } = await withSecret();
    const first = await post(envelope());
    expect(errorOf(await post(envelope()))).toEqual([
      401,
      'unauthorized',
      'internal request replay detected',
    ]);
    const again = await post(envelope({ envelopeId: 'env_other' }), { at: clock.nowMs() - 1_000 });
    expect(again.json.id).toBe(first.json.id);
  });

  test('lets a request come again that found no room', async () => {
    const secretFile = path.join(tempFolder(), 'secret');
    writeFileSync(secretFile, secret);
    const agent = await startHttpAgent({
      applies: false,
      ingest: { internalHmacSecretFile: secretFile, envelopeQueueSize: 1 },
    });
    const { workspaceId } = await makeWorkspace(agent);
    const timestamp = new Date().toISOString();
    const send = (deliveryId: string) => {
      const body = JSON.stringify({
        workspaceId,
        provider: 'p',
        deliveryId,
        payload: { event_type: 'push' },
      });
      const headers = {
        'x-relay-timestamp': timestamp,
        'x-relay-signature': hmacSignature(secret, timestamp, Buffer.from(body)),
      };
      return request(agent, url, { method: 'POST', token: null, headers, body });
    };
    expect((await send('1')).status).toBe(202);
    expect(codeOf(await send('2'))).toEqual([429, 'queue_full']);
    await agent.ingest.start();
    await agent.ingest.idle();
    expect((await send('2')).status).toBe(202);
  });

  test('refuses every other signature before it looks at anything else', async () => {
    const { post, envelope, clock } = await withSecret();
    const refused = async (...args: Parameters<typeof post>) => errorOf(await post(...args));
    expect(await refused(envelope(), { signature: 'f'.repeat(64) })).toEqual([
      401,
      'unauthorized',
      'internal signature mismatch',
    ]);
    expect(await refused(envelope(), { at: clock.nowMs() - 301_000 })).toEqual([
      401,
      'unauthorized',
      'internal request outside replay window',
    ]);
    expect(await refused('{', { headers: { 'x-relay-timestamp': '' } })).toEqual([
      401,
      'unauthorized',
      'missing internal auth headers',
    ]);
    expect((await post('{', { signature: 'f'.repeat(64) })).status).toBe(401);
  });

  test('then looks at correlation id, body and workspace', async () => {
    const { post, envelope } = await withSecret();
    expect(errorOf(await post(envelope(), { correlationId: null }))).toEqual([
      400,
      'bad_request',
      'missing X-Correlation-Id header',
    ]);
    expect(codeOf(await post('{'))).toEqual([400, 'bad_request']);
    expect(codeOf(await post(envelope({ payload: undefined })))).toEqual([400, 'bad_request']);
    expect(codeOf(await post(envelope({ receivedAt: 'now' })))).toEqual([400, 'bad_request']);
    expect(codeOf(await post(envelope({ workspaceId: 'rw_none' })))).toEqual([404, 'workspace_not_found']);
  });

  test('is off without a secret', async () => {
    const { agent } = await withWorkspace();
    expect(codeOf(await request(agent, url, { method: 'POST', body: {} }))).toEqual([401, 'unauthorized']);
  });
});
