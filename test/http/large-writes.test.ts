// Contents of many megabytes that come as JSON: each becomes what it is, and no turn of the agent's thread is long. The agent runs in this
// process, so the time that its turns take can be measured.
import { createHash, randomBytes } from 'node:crypto';
import { request as post } from 'node:http';
import { expect, test } from 'vitest';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { leastLongestTurnMs } from '../support/longest-turn.ts';

const mebibyte = 1024 * 1024;
/** It was 4 to 6 ms for each MiB when each content was one text, and 25 for a webhook that was read again. */
const turnMsMax = 50;
const sizeBytes = 12 * mebibyte;
/** A character of two UTF-16 units is split wherever the pieces end. */
const text = Buffer.alloc(sizeBytes, 'a "quoted" line – of 😀 text\n');
const random = randomBytes(sizeBytes);
const contents = {
  '/text.md': { content: text.toString(), encoding: 'utf-8' },
  '/random.bin': { content: random.toString('base64'), encoding: 'base64' },
};
const paths = Object.keys(contents) as (keyof typeof contents)[];
const hashes = { '/text.md': hashOf(text), '/random.bin': hashOf(random) };

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function start() {
  const agent = await startHttpAgent();
  const { workspaceId } = await makeWorkspace(agent);
  const url = `/v1/workspaces/${workspaceId}`;
  const hashAt = async (path: string) => {
    const { bytes } = await request(agent, `${url}/fs/file?path=${path}`, {
      headers: { accept: 'application/octet-stream' },
    });
    return hashOf(bytes);
  };
  return { agent, url, hashAt };
}

interface Sent {
  readonly status: number;
  /** To join and to parse them would take longer than what is measured. */
  readonly pieces: readonly Buffer[];
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of a body is that of its route
function bodyOf({ pieces }: Sent): any {
  return JSON.parse(Buffer.concat(pieces).toString());
}

/** Sends bytes that are made already: to make them would take longer than what is measured. */
function sent(agent: HttpAgent, method: string, url: string, json?: Buffer): Promise<Sent> {
  const headers = {
    authorization: `Bearer ${agent.ownerToken}`,
    'x-correlation-id': 'large',
    'if-match': '*',
    ...(json === undefined ? {} : { 'content-length': json.length }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = post(`${agent.url}${url}`, { method, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, pieces }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(json);
  });
}

async function holdsUpNothing(what: string, work: () => Promise<void>): Promise<void> {
  const longestMs = await leastLongestTurnMs(work, turnMsMax);
  expect(longestMs, `milliseconds of the longest turn of ${what}`).toBeLessThan(turnMsMax);
}

test.each(paths)('%s is written alone and among others', async (path) => {
  const { agent, url, hashAt } = await start();
  const alone = Buffer.from(JSON.stringify({ path, ...contents[path] }));
  await holdsUpNothing(`PUT ${path}`, async () => {
    expect((await sent(agent, 'PUT', `${url}/fs/file`, alone)).status).toBe(202);
  });
  expect(await hashAt(path)).toBe(hashes[path]);
  const files = [
    { path: '/small.md', content: 'small' },
    { path: `/many${path}`, ...contents[path] },
    { path: 'not//a path', ...contents[path] },
  ];
  const many = Buffer.from(JSON.stringify({ files }));
  await holdsUpNothing(`bulk write with ${path}`, async () => {
    const answer = await sent(agent, 'POST', `${url}/fs/bulk`, many);
    expect([answer.status, bodyOf(answer)]).toMatchObject([202, { written: 2, errorCount: 1 }]);
  });
  expect(await hashAt(`/many${path}`)).toBe(hashes[path]);
  expect(await hashAt('/small.md')).toBe(hashOf(Buffer.from('small')));
});

test('what is no text of its encoding is refused, wherever it is wrong', async () => {
  const { agent, url } = await start();
  const refusal = async (content: string, encoding: string) => {
    const json = Buffer.from(JSON.stringify({ path: '/refused.bin', content, encoding }));
    const answer = await sent(agent, 'PUT', `${url}/fs/file`, json);
    return [answer.status, bodyOf(answer).message];
  };
  const plain = 'a'.repeat(2 * mebibyte);
  const unpaired = 'invalid input: content contains an unpaired surrogate';
  expect(await refusal(`${plain}\ud83d`, 'utf-8')).toEqual([400, unpaired]);
  expect(await refusal(`${plain}\ude00${plain}`, 'utf-8')).toEqual([400, unpaired]);
  expect(await refusal(`${plain}*`, 'base64')).toEqual([400, 'invalid input: content is not base64']);
  expect(await refusal(plain, 'latin1')).toEqual([400, 'invalid input: encoding must be utf-8 or base64']);
  // A long text where none is expected is checked like a short one.
  const path = Buffer.from(JSON.stringify({ path: `/${plain}`, content: plain }));
  expect((await sent(agent, 'PUT', `${url}/fs/file`, path)).status).toBe(400);
});

test('webhooks are taken in and applied, also one that is read again', async () => {
  const { agent, url, hashAt } = await start();
  const webhook = (path: string) => ({
    provider: 'github',
    event_type: 'file.updated',
    path: `/github${path}`,
    data: contents[path as (typeof paths)[number]],
  });
  const bodies = paths.map((path) => Buffer.from(JSON.stringify(webhook(path))));
  await holdsUpNothing('webhooks', async () => {
    // The second one is not kept in memory beside the first.
    const answers = await Promise.all(
      bodies.map((body) => sent(agent, 'POST', `${url}/webhooks/ingest`, body)),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    await agent.ingest.idle();
  });
  for (const path of paths) expect(await hashAt(`/github${path}`), path).toBe(hashes[path]);
});

test('a dead letter is read, previewed, mended and replayed', async () => {
  const { agent, url, hashAt } = await start();
  const payload = {
    event_type: 'file.updated',
    path: '/github/text.md',
    data: { ...contents['/text.md'], encoding: 'latin1' },
  };
  const body = Buffer.from(JSON.stringify({ provider: 'github', ...payload }));
  const { id } = bodyOf(await sent(agent, 'POST', `${url}/webhooks/ingest`, body));
  await agent.ingest.idle();
  const letter = `${url}/sync/dead-letter/${id}`;
  const detail = async () => await sent(agent, 'GET', `${letter}/detail`);
  await holdsUpNothing('the detail of a dead letter', async () => {
    expect((await detail()).status).toBe(200);
  });
  expect(bodyOf(await detail())).toMatchObject({ cause: 'content_undecodable', payload });
  const patch = Buffer.from(JSON.stringify({ patch: { data: { encoding: 'utf-8' } } }));
  await holdsUpNothing('a preview', async () => {
    const answer = await sent(agent, 'POST', `${letter}/preview`, patch);
    expect(bodyOf(answer)).toMatchObject({ outcome: 'applied', effect: 'create' });
  });
  await holdsUpNothing('a replay as it is', async () => {
    expect((await sent(agent, 'POST', `${letter}/replay`)).status).toBe(202);
    await agent.ingest.idle();
  });
  const whole = Buffer.from(JSON.stringify({ payload: { ...payload, data: contents['/text.md'] } }));
  await holdsUpNothing('a preview of another payload', async () => {
    expect((await sent(agent, 'POST', `${letter}/preview`, whole)).status).toBe(200);
  });
  const { status } = await sent(agent, 'POST', `${letter}/replay`, patch);
  expect(status).toBe(202);
  await agent.ingest.idle();
  expect(await hashAt('/github/text.md')).toBe(hashes['/text.md']);
  expect(bodyOf(await detail())).toMatchObject({ state: 'settled', outcome: 'applied' });
});
