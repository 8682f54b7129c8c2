// Bodies that are sent to do harm: announced and never sent, sent too slowly, too many at once, or with too much in them. Whoever sends
// them, others are answered.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bulkFilesMax, jsonDepthMax, jsonMembersMax, jsonValuesMax } from '../../server/http/base/limits.ts';
import { type ApiRequest, codeOf, request } from '../support/api-request.ts';
import { hmacSignature } from '../support/hmac-signature.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent, startHttpAgent } from '../support/http-agent.ts';
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts';

const mebibyte = 1024 * 1024;
const secret = 'a secret of some length';
const signedUrl = '/v1/internal/webhook-envelopes';

const folder = makeTempFolder('mooring-bodies');
const ingest = { internalHmacSecretFile: path.join(folder, 'secret') };
let agent: HttpAgent;
let w: string;
let token: string;
beforeAll(async () => {
  writeFileSync(ingest.internalHmacSecretFile, `${secret}\n`);
  agent = await openHttpAgent({ ingest });
  const made = await makeWorkspace(agent);
  w = `/v1/workspaces/${made.workspaceId}`;
  token = made.token;
});
afterAll(async () => {
  await agent.close();
  removeFolder(folder);
});

const call = (url: string, options: ApiRequest = {}) => request(agent, w + url, { token, ...options });
const put = (name: string, body: unknown) =>
  call(`/fs/file?path=/${name}`, { method: 'PUT', headers: { 'if-match': '*' }, body });

/** A connection of the test; `answer` is all that comes back until the agent closes it, or until it holds `until`. */
async function open(
  port = agent.port,
): Promise<{ readonly socket: Socket; answer(until?: string): Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return {
    socket,
    answer: async (until) => {
      while (!socket.closed && (until === undefined || !text.includes(until)))
        await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return text;
    },
  };
}

function head(method: string, url: string, headers: Readonly<Record<string, string | number>>): string {
  const all = { Host: '127.0.0.1', 'X-Correlation-Id': 'test-1', ...headers };
  return `${method} ${url} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
}

const authorized = () => ({ Authorization: `Bearer ${token}`, 'If-Match': '*' });

function signed(more: Readonly<Record<string, string | number>> = {}) {
  const timestamp = new Date().toISOString();
  const signature = hmacSignature(secret, timestamp, Buffer.from('another body'));
  return { 'X-Relay-Timestamp': timestamp, 'X-Relay-Signature': signature, ...more };
}

describe('bodies that are announced and not sent', () => {
  test('keep nobody else from sending a large one, signed or not', async () => {
    const length = { 'Content-Length': 96 * mebibyte };
    for (const one of [
      head('POST', signedUrl, signed(length)),
      head('POST', signedUrl, signed(length)),
      head('POST', signedUrl, signed({ 'Transfer-Encoding': 'chunked' })),
      head('PUT', `${w}/fs/file?path=/x`, { ...authorized(), ...length }),
      head('PUT', `${w}/fs/file?path=/x`, { ...authorized(), 'Transfer-Encoding': 'chunked' }),
      head('PUT', `${w}/fs/file?path=/x`, {
        ...authorized(),
        ...length,
        'Content-Type': 'application/octet-stream',
      }),
      head('POST', `${w}/fs/import/github-tarball?owner=a&repo=b&headSha=c`, { ...authorized(), ...length }),
    ]) {
      const { socket } = await open();
      socket.write(one);
    }
    expect((await put('large.md', { content: 'x'.repeat(mebibyte) })).status).toBe(202);
  });

  test('are answered 408 and their connections closed when they come too slowly', async () => {
    const senders = { bytesPerSecondMin: 16 * 1024, windowMs: 400, waitMsMax: 30_000 };
    const impatient = await startHttpAgent({ ingest, http: { senders } });
    const made = await makeWorkspace(impatient);
    const slow = `/v1/workspaces/${made.workspaceId}/fs/file?path=/slow`;
    const tarball = `/v1/workspaces/${made.workspaceId}/fs/import/github-tarball?owner=a&repo=b&headSha=c`;
    const authorized = { Authorization: `Bearer ${made.token}`, 'If-Match': '*' };
    const length = { 'Content-Length': mebibyte };
    const answers = [
      ['PUT', slow, { ...authorized, ...length }],
      ['PUT', slow, { ...authorized, 'Transfer-Encoding': 'chunked' }],
      ['PUT', slow, { ...authorized, ...length, 'Content-Type': 'application/octet-stream' }],
      ['POST', signedUrl, signed({ 'Content-Length': 100 })],
      ['POST', tarball, { ...authorized, ...length }],
    ] as const;
    await Promise.all(
      answers.map(async ([method, url, headers]) => {
        const { socket, answer } = await open(impatient.port);
        socket.write(head(method, url, headers));
        // A byte now and then is not enough.
        const chunked = 'Transfer-Encoding' in headers;
        const drip = setInterval(() => socket.writable && socket.write(chunked ? '1\r\n{\r\n' : '{'), 50);
        onTestFinished(() => clearInterval(drip));
        const text = await answer();
        expect(text).toMatch(/^HTTP\/1\.1 408 /);
        expect(text).toContain('"code":"request_timeout"');
        expect(text.toLowerCase()).toContain('connection: close');
      }),
    );
  });
});

describe('a signed request that cannot be right', () => {
  const stale = new Date(Date.now() - 3_600_000).toISOString();
  test.each([
    ['without a timestamp', { 'X-Relay-Signature': '0'.repeat(64) }],
    ['without a signature', { 'X-Relay-Timestamp': new Date().toISOString() }],
    ['from an hour ago', { 'X-Relay-Timestamp': stale, 'X-Relay-Signature': '0'.repeat(64) }],
    ['with a time that is none', { 'X-Relay-Timestamp': 'now', 'X-Relay-Signature': '0'.repeat(64) }],
    ['with a signature that is none', { ...signed(), 'X-Relay-Signature': 'secret' }],
  ])('%s is refused before its body comes', async (_name, headers) => {
    const { socket, answer } = await open();
    socket.write(head('POST', signedUrl, { ...headers, 'Content-Length': 96 * mebibyte }));
    expect(await answer('\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('is refused at once where no secret is set', async () => {
    const other = await openHttpAgent();
    onTestFinished(() => other.close());
    const socket = connect(other.port, '127.0.0.1');
    socket.write(head('POST', signedUrl, { ...signed(), 'Content-Length': 96 * mebibyte }));
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('many bodies at once', () => {
  test('that together need more memory than there is are all read, one after the other', async () => {
    const noJson = 'x'.repeat(48 * mebibyte);
    const answers = await Promise.all(Array.from({ length: 5 }, () => put('big.txt', noJson)));
    expect(answers.map(codeOf)).toEqual(Array.from({ length: 5 }, () => [400, 'bad_request']));
  });

  test('that are sent without waiting for answers are taken in their order', async () => {
    const { socket, answer } = await open();
    const body = JSON.stringify({ content: 'y'.repeat(100_000) });
    for (let index = 0; index < 40; index += 1) {
      const headers = { ...authorized(), 'Content-Length': body.length };
      socket.write(head('PUT', `${w}/fs/file?path=/pipelined-${index}`, headers) + body);
    }
    socket.write(head('GET', '/health', { Connection: 'close' }));
    const text = await answer();
    expect(text.match(/HTTP\/1\.1 202 /g)).toHaveLength(40);
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(1);
  });

  test('of single bytes in chunks are read as one', async () => {
    const { socket, answer } = await open();
    socket.write(
      head('PUT', `${w}/fs/file?path=/bytes`, {
        ...authorized(),
        'Transfer-Encoding': 'chunked',
        Connection: 'close',
      }),
    );
    const body = JSON.stringify({ content: 'é'.repeat(20_000) });
    for (const byte of Buffer.from(body)) socket.write(Buffer.from([0x31, 13, 10, byte, 13, 10]));
    socket.write('0\r\n\r\n');
    expect(await answer()).toMatch(/^HTTP\/1\.1 202 /);
    expect((await call('/fs/file?path=/bytes')).json.content).toBe('é'.repeat(20_000));
  });
});

describe('a body with too much in it', () => {
  const refused = (answer: Awaited<ReturnType<typeof call>>, limit: number) => {
    expect(codeOf(answer)).toEqual([413, 'payload_too_large']);
    expect(answer.json.message).toContain(String(limit));
  };

  test('is refused before it is worked on, whatever the route', async () => {
    const empty = '{},'.repeat((10 * mebibyte) / 3);
    const startedMs = performance.now();
    refused(await call('/fs/bulk', { method: 'POST', body: `{"files":[${empty}{}]}` }), jsonValuesMax);
    const hook = `{"provider":"hub","event_type":"file.created","path":"/hub/a","data":[${empty}{}]}`;
    refused(await call('/webhooks/ingest', { method: 'POST', body: hook }), jsonValuesMax);
    const timestamp = new Date().toISOString();
    const headers = {
      'x-relay-timestamp': timestamp,
      'x-relay-signature': hmacSignature(secret, timestamp, Buffer.from(hook)),
    };
    refused(
      await request(agent, signedUrl, { method: 'POST', token: null, headers, body: hook }),
      jsonValuesMax,
    );
    // It was half a minute for the first of them alone.
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });

  test('at the limits is taken, one more is not', async () => {
    const files = Array.from({ length: bulkFilesMax }, (_, index) => ({
      path: `/many/${index}`,
      content: '',
    }));
    refused(
      await call('/fs/bulk', { method: 'POST', body: { files: [...files, { path: '/one-more' }] } }),
      bulkFilesMax,
    );
    expect((await call('/fs/bulk', { method: 'POST', body: { files } })).json).toMatchObject({
      written: bulkFilesMax,
      errorCount: 0,
    });
    // The object, its content, its metadata, the list and the properties are values, too.
    const properties = (count: number) =>
      `{"content":"x","semantics":{"properties":{"p":[${'1,'.repeat(count - 6)}1]}}}`;
    expect((await put('values', properties(jsonValuesMax))).status).toBe(400);
    refused(await put('values', properties(jsonValuesMax + 1)), jsonValuesMax);
    const nested = (levels: number) =>
      `{"content":"x","semantics":{"properties":{"p":${'['.repeat(levels - 3)}${']'.repeat(levels - 3)}}}}`;
    expect((await put('nested', nested(jsonDepthMax))).status).toBe(202);
    refused(await put('nested', nested(jsonDepthMax + 1)), jsonDepthMax);
    const members = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
    const withMembers = (count: number) => ({ content: 'x', semantics: { properties: members(count) } });
    expect((await put('members', withMembers(jsonMembersMax))).status).toBe(202);
    refused(await put('members', withMembers(jsonMembersMax + 1)), jsonMembersMax);
    // Each of many objects may have so many, and what is closed too often is no JSON.
    expect((await put('closed', '}:'.repeat(100))).status).toBe(400);
  });

  test('is refused by its announced length, and the connection can be used again', async () => {
    const { socket, answer } = await open();
    socket.write(head('PUT', `${w}/fs/file?path=/x`, { ...authorized(), 'Content-Length': 97 * mebibyte }));
    expect(await answer('configured limit')).toMatch(/^HTTP\/1\.1 413 /);
  });
});
