import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiRequest, codeOf, request } from '../../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../../support/http-agent.ts';
import { waitFor } from '../../support/wait-for.ts';

const raw = { accept: 'application/octet-stream' };
const sentRaw = { 'content-type': 'application/octet-stream', 'if-match': '*' };
const mebibyte = 1024 * 1024;

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent({ config: { maxBodyBytes: 8 * mebibyte } });
});
afterAll(() => agent.close());

async function workspace(token: Parameters<typeof makeWorkspace>[1] = {}) {
  const made = await makeWorkspace(agent, token);
  const call = (url: string, options: ApiRequest = {}) =>
    request(agent, `/v1/workspaces/${made.workspaceId}${url}`, { token: made.token, ...options });
  const file = (name: string, options: ApiRequest = {}) =>
    call(`/fs/file?path=${encodeURIComponent(name)}`, options);
  const put = (name: string, body: Uint8Array | string, headers: Record<string, string> = {}) =>
    file(name, { method: 'PUT', body, headers: { ...sentRaw, ...headers } });
  return { ...made, call, file, put };
}

const incoming = () => readdirSync(path.join(agent.dataDir, 'blobs', 'incoming'));

describe('reading bare bytes', () => {
  test.for([0, 5, 64 * 1024 + 1, 3 * mebibyte])(
    'of %d gives them all, with digest, and any part',
    async (size) => {
      const { file, put } = await workspace();
      const bytes = randomBytes(size);
      expect((await put('/b.bin', bytes)).status).toBe(202);
      const whole = await file('/b.bin', { headers: raw });
      expect(whole.bytes.equals(bytes)).toBe(true);
      expect(whole.headers.get('content-length')).toBe(String(size));
      const digest = createHash('sha256').update(bytes).digest('base64');
      expect(whole.headers.get('repr-digest')).toBe(`sha-256=:${digest}:`);
      if (size === 0) return;
      for (const [range, start, end] of [
        ['bytes=0-0', 0, 1],
        ['bytes=2-', 2, size],
        ['bytes=-3', size - 3, size],
        [`bytes=1-${size * 2}`, 1, size],
      ] as const) {
        const part = await file('/b.bin', { headers: { ...raw, range } });
        expect([part.status, part.headers.get('content-range')]).toEqual([
          206,
          `bytes ${start}-${end - 1}/${size}`,
        ]);
        expect(part.bytes.equals(bytes.subarray(start, end))).toBe(true);
      }
    },
  );

  test('answers a range behind the end with 416, and several or a broken one with everything', async () => {
    const { file, put } = await workspace();
    const written = await put('/a.txt', 'hello');
    const get = (headers: Record<string, string>) => file('/a.txt', { headers: { ...raw, ...headers } });
    const beyond = await get({ range: 'bytes=5-' });
    expect(codeOf(beyond)).toEqual([416, 'range_not_satisfiable']);
    expect(beyond.headers.get('content-range')).toBe('bytes */5');
    for (const range of ['bytes=0-1,3-4', 'bytes=3-1', 'lines=1-2', 'bytes=-'])
      expect((await get({ range })).bytes.toString()).toBe('hello');
    const revision = written.json.targetRevision;
    expect((await get({ range: 'bytes=0-1', 'if-range': revision })).status).toBe(206);
    expect((await get({ range: 'bytes=0-1', 'if-range': 'rev_1' })).status).toBe(200);
    const known = await get({ 'if-none-match': revision });
    expect([known.status, known.headers.get('etag')]).toEqual([304, revision]);
  });

  test('HEAD tells the same and sends nothing', async () => {
    const { file, put } = await workspace();
    const written = await put('/a.txt', 'hello');
    const head = await file('/a.txt', { method: 'HEAD', headers: raw });
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    expect(head.headers.get('content-length')).toBe('5');
    expect(head.headers.get('etag')).toBe(written.json.targetRevision);
    const plain = await file('/a.txt', { method: 'HEAD' });
    expect([plain.status, plain.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect((await file('/none', { method: 'HEAD' })).status).toBe(404);
    expect((await file('/a.txt', { method: 'HEAD', token: null })).status).toBe(401);
  });

  test('of a kept revision, and never of what the rules hide', async () => {
    const { workspaceId, file, put, call } = await workspace();
    const first = await put('/d/a', 'one');
    await put('/d/a', 'two');
    const old = await call(`/fs/file?path=/d/a&revision=${first.json.targetRevision}`, { headers: raw });
    expect(old.bytes.toString()).toBe('one');
    await file('/d/.relayfile.acl', {
      method: 'PUT',
      headers: { 'if-match': '*' },
      body: { content: '{"semantics":{"permissions":["deny:agent:two","allow:public"]}}' },
    });
    const { token } = await agent.tokens.issue({ workspaceId, agent: 'two' });
    expect(codeOf(await file('/d/a', { headers: raw, token }))).toEqual([403, 'forbidden']);
    const refused = await file('/d/a', { method: 'PUT', headers: sentRaw, body: 'x', token });
    expect(codeOf(refused)).toEqual([403, 'forbidden']);
  });
});

describe('writing bare bytes', () => {
  test('keeps text as text and other bytes as base64, each of its type by its name', async () => {
    const { file, put, call } = await workspace();
    await put('/a.md', 'grüß\n');
    expect((await file('/a.md')).json).toMatchObject({ content: 'grüß\n', contentType: 'text/markdown' });
    await put('/b.png', Buffer.from([0, 1, 255]));
    expect((await file('/b.png')).json).toMatchObject({ encoding: 'base64', contentType: 'image/png' });
    await call('/fs/file?path=/c&contentType=text/x-own', { method: 'PUT', headers: sentRaw, body: 'x' });
    expect((await file('/c')).json).toMatchObject({ contentType: 'text/x-own' });
    const split = Buffer.concat([Buffer.alloc(65_535, 'a'), Buffer.from('é'), Buffer.alloc(65_535, 'b')]);
    await put('/split.txt', split);
    expect((await file('/split.txt')).json.content).toBe(split.toString('utf8'));
    expect(incoming()).toEqual([]);
  });

  test('asks for If-Match, and refuses a stale one, a bad path and too much before it reads the body', async () => {
    const { workspaceId, token, file, put } = await workspace();
    await put('/a', 'one');
    const without = await file('/a', {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'x',
    });
    expect(codeOf(without)).toEqual([412, 'precondition_failed']);
    expect(codeOf(await put('/a', 'x', { 'if-match': 'rev_1' }))).toEqual([409, 'revision_conflict']);
    expect(codeOf(await put('/a', 'x', { 'if-match': '0' }))).toEqual([409, 'revision_conflict']);
    expect(codeOf(await put('/none', 'x', { 'if-match': 'rev_1' }))).toEqual([404, 'not_found']);
    expect(codeOf(await put('/a//b', 'x'))).toEqual([400, 'bad_request']);
    expect(codeOf(await put('/a/b', 'x'))).toEqual([409, 'invalid_state']);
    // Kept as it comes it would be bytes that nobody meant.
    expect(codeOf(await put('/a', 'packed', { 'content-encoding': 'gzip' }))).toEqual([400, 'bad_request']);
    // The body never comes: only an agent that does not wait for it can answer.
    for (const [headers, status] of [
      [{ 'if-match': 'rev_1', 'content-length': '1000' }, 409],
      [{ 'if-match': '*', 'content-length': String(9 * mebibyte) }, 413],
    ] as const) {
      const answered = await new Promise<number | undefined>((resolve, reject) => {
        const sending = httpRequest(`${agent.url}/v1/workspaces/${workspaceId}/fs/file?path=/a`, {
          method: 'PUT',
          headers: {
            authorization: `Bearer ${token}`,
            'x-correlation-id': 'c',
            'content-type': 'application/octet-stream',
            ...headers,
          },
        });
        sending.on('response', (response) => {
          resolve(response.statusCode);
          sending.destroy();
        });
        sending.on('error', reject);
        sending.flushHeaders();
      });
      expect(answered).toBe(status);
    }
    expect((await file('/a')).json.content).toBe('one');
  });

  test('of unannounced length ends at the limit, and one that breaks off leaves nothing behind', async () => {
    const { workspaceId, token, file } = await workspace();
    const url = `${agent.url}/v1/workspaces/${workspaceId}/fs/file?path=/big`;
    const headers = { authorization: `Bearer ${token}`, 'x-correlation-id': 'c', ...sentRaw };
    const chunk = new Uint8Array(mebibyte).fill(1);
    const streamOf = (chunks: number) => {
      let left = chunks;
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          if (left === 0) return controller.close();
          left -= 1;
          controller.enqueue(chunk);
        },
      });
    };
    const init = { method: 'PUT', headers, duplex: 'half' } as const;
    const fits = await fetch(url, { ...init, body: streamOf(7) });
    expect(fits.status).toBe(202);
    const tooMuch = await fetch(url, { ...init, body: streamOf(9) });
    expect(tooMuch.status).toBe(413);
    const broken = httpRequest(url, { method: 'PUT', headers });
    broken.on('error', () => undefined);
    broken.write(chunk);
    await waitFor('the beginning of the body on the disk', () => incoming().length > 0);
    broken.destroy();
    await waitFor('nothing left of it', () => incoming().length === 0);
    const head = await file('/big', { method: 'HEAD', headers: raw });
    expect(head.headers.get('content-length')).toBe(String(7 * mebibyte));
  });

  test('of a marker file brings its rules into force', async () => {
    const { workspaceId, put, file } = await workspace();
    await put('/d/a', 'x');
    await put('/d/.relayfile.acl', '{"semantics":{"permissions":["deny:agent:two","allow:public"]}}');
    const { token } = await agent.tokens.issue({ workspaceId, agent: 'two' });
    expect(codeOf(await file('/d/a', { token }))).toEqual([403, 'forbidden']);
    expect(
      codeOf(await put('/d/.relayfile.acl', '{"semantics":{"permissions":["deny:agent:a b"]}}')),
    ).toEqual([400, 'bad_request']);
  });
});
