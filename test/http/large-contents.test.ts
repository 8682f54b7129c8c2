// Contents of many megabytes as JSON: each answer is what a small one is, and no turn of the agent's thread is long. The agent runs in
// this process, so the time that its turns take can be measured.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { get, request as post } from 'node:http';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { leastLongestTurnMs } from '../support/longest-turn.ts';
import { waitFor } from '../support/wait-for.ts';

const mebibyte = 1024 * 1024;
/** It was 20 ms for each MiB when each content was one text. */
const turnMsMax = 50;
const sizeBytes = 6 * mebibyte;
const contents = {
  '/text.md': Buffer.alloc(sizeBytes, 'a "quoted" line – of a text\n'),
  '/random.bin': randomBytes(sizeBytes),
  '/data.json': Buffer.from(JSON.stringify(Array.from({ length: 200_000 }, (_, n) => ({ n, t: 'é' })))),
  '/broken.json': Buffer.alloc(sizeBytes, '{"n": 1}'),
} as const;
const paths = Object.keys(contents) as (keyof typeof contents)[];

let agent: HttpAgent;
let url: string;
let token: string;

beforeAll(async () => {
  agent = await openHttpAgent();
  const made = await makeWorkspace(agent);
  token = made.token;
  url = `/v1/workspaces/${made.workspaceId}/fs`;
  for (const file of paths) await put(file, contents[file]);
  return () => agent.close();
});

async function put(file: string, body: Buffer): Promise<void> {
  const answer = await request(agent, `${url}/file?path=${file}`, {
    method: 'PUT',
    token,
    headers: { 'if-match': '*', 'content-type': 'application/octet-stream' },
    body,
  });
  expect(answer.status).toBe(202);
}

/** Asks and forgets what is answered: to put it together would take longer than what is measured. Resolves to its length. */
function received(asked: string, body?: object): Promise<number> {
  const json = body === undefined ? null : JSON.stringify(body);
  const options = {
    method: json === null ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'x-correlation-id': 'large' },
  };
  return new Promise((resolve, reject) => {
    const outgoing = (json === null ? get : post)(`${agent.url}${asked}`, options, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve(bytes));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    if (json !== null) outgoing.end(json);
  });
}

async function holdsUpNothing(asked: string, body?: object): Promise<void> {
  await received(asked, body);
  let bytes = 0;
  const longestMs = await leastLongestTurnMs(async () => {
    bytes = await received(asked, body);
  }, turnMsMax);
  expect(bytes).toBeGreaterThan(sizeBytes / 2);
  expect(longestMs, `milliseconds of the longest turn of ${asked}`).toBeLessThan(turnMsMax);
}

function contentOf({ content, encoding }: { content: string; encoding?: 'base64' }): Buffer {
  return Buffer.from(content, encoding ?? 'utf8');
}

async function changeOf(file: string): Promise<string> {
  const { json } = await request(agent, `${url}/events`, { token });
  const event = json.events.find((one: { path: string }) => one.path === file);
  return `${url}/changes/resource?eventId=${event.eventId}`;
}

test.each(paths)('%s is read, now and at its revision', async (file) => {
  const now = await request(agent, `${url}/file?path=${file}`, { token });
  expect([now.status, now.json.path, now.headers.get('etag')]).toEqual([200, file, now.json.revision]);
  expect(contentOf(now.json).equals(contents[file])).toBe(true);
  const past = await request(agent, `${url}/file?path=${file}&revision=${now.json.revision}`, { token });
  expect(past.json).toEqual(now.json);
  const known = { 'if-none-match': now.json.revision };
  expect((await request(agent, `${url}/file?path=${file}`, { token, headers: known })).status).toBe(304);
  await holdsUpNothing(`${url}/file?path=${file}`);
});

test('several are read at once, beside small and missing ones', async () => {
  await put('/small.md', Buffer.from('small'));
  const asked = ['/text.md', '/none.md', '/small.md', '/random.bin'];
  const options = { method: 'POST', token, body: { paths: asked } };
  const { json } = await request(agent, `${url}/bulk-read`, options);
  expect(json.files.map(({ path: file }: { path: string }) => file)).toEqual(asked);
  expect(json.files.map((file: { error?: { status: number } }) => file.error?.status)).toEqual([
    undefined,
    404,
    undefined,
    undefined,
  ]);
  expect(contentOf(json.files[0]).equals(contents['/text.md'])).toBe(true);
  expect(json.files[2].content).toBe('small');
  expect(contentOf(json.files[3]).equals(contents['/random.bin'])).toBe(true);
  await holdsUpNothing(`${url}/bulk-read`, { paths: ['/text.md', '/random.bin'] });
});

test('an export has all of them', async () => {
  const { json } = await request(agent, `${url}/export?format=json`, { token });
  for (const file of paths) {
    const found = json.find((one: { path: string }) => one.path === file);
    expect(contentOf(found).equals(contents[file]), file).toBe(true);
  }
  for (const format of ['json', 'tar&level=0', 'patch'])
    await holdsUpNothing(`${url}/export?format=${format}`);
});

test('a changed resource has the form of its content', async () => {
  const dataOf = async (file: string) => (await request(agent, await changeOf(file), { token })).json.data;
  expect((await dataOf('/text.md')) === contents['/text.md'].toString('utf8')).toBe(true);
  const { contentBase64, ...random } = await dataOf('/random.bin');
  expect(random).toEqual({ contentType: 'application/octet-stream', encoding: 'base64' });
  expect(Buffer.from(contentBase64, 'base64').equals(contents['/random.bin'])).toBe(true);
  expect(await dataOf('/data.json')).toHaveLength(200_000);
  // It is named JSON, and is text.
  expect((await dataOf('/broken.json')) === contents['/broken.json'].toString('utf8')).toBe(true);
  for (const file of paths) await holdsUpNothing(await changeOf(file));
});

/** Asks, and goes away with the first bytes of the answer, or `atOnce`. */
function givenUp(asked: string, atOnce: boolean, body?: object): Promise<void> {
  const json = body === undefined ? null : JSON.stringify(body);
  const headers = { authorization: `Bearer ${token}`, 'x-correlation-id': 'given-up' };
  const outgoing = post(`${agent.url}${asked}`, { method: json === null ? 'GET' : 'POST', headers });
  outgoing.on('response', (response) => response.once('data', () => outgoing.destroy()));
  outgoing.on('error', () => undefined);
  outgoing.end(json ?? undefined);
  if (atOnce) setImmediate(() => outgoing.destroy());
  return new Promise((resolve) => {
    outgoing.on('close', resolve);
  });
}

/** Without an end of their reading they are closed when their memory is collected, which takes longer. */
const closedWithinMs = 5_000;
const systemListsOpenFiles = existsSync('/proc/self/fd');

test('who goes away leaves no file open', async ({ skip }) => {
  skip(!systemListsOpenFiles, 'this system does not list the open files of a process');
  const blobs = path.join(agent.dataDir, 'blobs');
  const openBlobs = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      const link = `/proc/self/fd/${fd}`;
      // The descriptor that lists them is closed by now.
      return existsSync(link) && readlinkSync(link).startsWith(blobs);
    });
  const resource = await changeOf('/text.md');
  for (const atOnce of [false, true]) {
    for (let round = 0; round < 8; round += 1) {
      await givenUp(`${url}/file?path=/text.md`, atOnce);
      await givenUp(resource, atOnce);
      await givenUp(`${url}/export?format=json`, atOnce);
      await givenUp(`${url}/bulk-read`, atOnce, { paths: ['/random.bin', '/text.md'] });
    }
  }
  await waitFor('the files are closed', () => openBlobs().length === 0, { deadlineMs: closedWithinMs });
});

test('one that is corrupted breaks the connection', async () => {
  const bytes = Buffer.alloc(2 * mebibyte, 'bytes of a disk that changes them\n');
  await put('/corrupted.md', bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const stored = path.join(agent.dataDir, 'blobs', hash.slice(0, 2), hash);
  const changed = readFileSync(stored);
  changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1;
  writeFileSync(stored, changed);
  const read = () => request(agent, `${url}/file?path=/corrupted.md`, { token });
  await expect(read()).rejects.toThrow('terminated');
  expect((await request(agent, `${url}/file?path=/text.md`, { token })).status).toBe(200);
});
