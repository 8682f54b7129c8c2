// Comparisons and merges of the largest texts that are compared: answered soon, or refused with the reason, and nothing else
// waits for them. The agent runs in this process, so the time that its main thread takes can be measured.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ComputeError } from '../../server/compute/port.ts';
import { codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent, startHttpAgent } from '../support/http-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Processor time of the agent's main thread for one answer, with the requests and the answer of a megabyte as this test reads it. */
const mainThreadMsMax = 250;
const answerMsMax = 15_000;
const textBytes = 510_000;

let agent: HttpAgent;
let workspaceId: string;
let token: string;

beforeAll(async () => {
  agent = await openHttpAgent({ externalWriteback: 'all' });
  ({ workspaceId, token } = await makeWorkspace(agent));
  return () => agent.close();
});

async function call(
  url: string,
  options: { method?: string; body?: unknown; ifMatch?: string; as?: string } = {},
) {
  const { method = 'GET', body, ifMatch, as = token } = options;
  return await request(agent, `/v1/workspaces/${workspaceId}${url}`, {
    method,
    token: as,
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
    ...(body === undefined ? {} : { body }),
  });
}

async function put(file: string, content: string, query = ''): Promise<string> {
  const url = `/fs/file?path=${file}${query}`;
  const answer = await call(url, { method: 'PUT', body: { content }, ifMatch: '*' });
  expect(answer.status).toBe(202);
  return answer.json.targetRevision;
}

/** A busy machine makes one of them longer; work in the main thread does so in each. */
const repetitions = 3;

/** The answer, once it is clear that the agent's main thread had next to nothing to do with it, whatever else the machine does. */
async function unhindered(asked: () => ReturnType<typeof call>): ReturnType<typeof call> {
  // What is compiled or read for the first time is not what is measured.
  await call('/fs/tree');
  for (let run = 1; ; run += 1) {
    const startMs = performance.now();
    const before = process.threadCpuUsage();
    const answer = await asked();
    const { user, system } = process.threadCpuUsage(before);
    expect(performance.now() - startMs, 'milliseconds of the answer').toBeLessThan(answerMsMax);
    const threadMs = (user + system) / 1000;
    if (run < repetitions && threadMs >= mainThreadMsMax) continue;
    expect(threadMs, 'milliseconds of the main thread').toBeLessThan(mainThreadMsMax);
    return answer;
  }
}

/** Lines of two characters, or of `width`, that depend on their number only through `of`. */
function lines(width: number, of: (line: number) => number | string): string {
  const count = Math.floor(textBytes / width);
  return Array.from({ length: count }, (_, at) => `${String(of(at)).padEnd(width - 1, '.')}\n`).join('');
}

const prime = 46_349;
const pairs: Readonly<Record<string, readonly [string, string]>> = {
  'different everywhere': [lines(11, (at) => `a${at}`), lines(11, (at) => `b${at}`)],
  'the same lines in another order': [lines(11, (at) => at), lines(11, (at) => (at * 7919) % prime)],
  'few different short lines': [lines(2, (at) => (at * at) % 7), lines(2, (at) => (at * at * at) % 5)],
  'alternating lines': [lines(2, (at) => at % 2), lines(2, (at) => (at + Math.floor(at / 1000)) % 2)],
  'equal lines, one more here and there': [lines(2, () => 1), lines(2, (at) => (at % 300 === 0 ? 2 : 1))],
  'one line': ['x'.repeat(textBytes), `${'x'.repeat(textBytes - 1)}y`],
};

test.each(Object.entries(pairs))('a diff of %s', async (name, [before, after]) => {
  const file = `/diff/${name.replaceAll(/\W/g, '-')}`;
  await put(file, before);
  await put(file, after);
  const answer = await unhindered(() => call(`/fs/diff?path=${file}`));
  expect(answer.json).toMatchObject({ from: { size: before.length }, to: { size: after.length } });
  expect(['text', 'too_different']).toContain(answer.json.kind);
  const folder = tempFolder('mooring-patch');
  execFileSync('git', ['init', '-q', folder]);
  execFileSync('mkdir', ['-p', path.join(folder, 'diff')]);
  writeFileSync(path.join(folder, file), before);
  execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: answer.json.patch });
  expect(execFileSync('git', ['hash-object', path.join(folder, file)]).toString()).toBe(
    execFileSync('git', ['hash-object', '--stdin'], { input: after }).toString(),
  );
});

const shuffledPair = pairs['the same lines in another order'] ?? ['', ''];

test('a page of changes of a fork as patches says which are too different', async () => {
  const [before, after] = shuffledPair;
  await put('/fork/a', before);
  const made = await call('/forks', { method: 'POST', body: { proposalId: 'compared' } });
  const { forkId } = made.json;
  await put('/fork/a', after, `&forkId=${forkId}`);
  const answer = await unhindered(() => call(`/forks/${forkId}/changes?patch=true`));
  expect(answer.json.changes).toMatchObject([
    { size: after.length, diff: { kind: 'too_different', liveSize: before.length } },
  ]);
});

test('a page of patches ends after 4 MiB; its cursor leads to the others, and none is missing', async () => {
  const [before, after] = shuffledPair;
  const files = Array.from({ length: 5 }, (_, at) => `/page/${at}`);
  for (const file of files) await put(file, before);
  const { forkId } = (await call('/forks', { method: 'POST', body: { proposalId: 'paged' } })).json;
  for (const file of files) await put(file, after, `&forkId=${forkId}`);
  const paths: string[] = [];
  const pages: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { json } = await call(`/forks/${forkId}/changes?patch=true${from}`);
    pages.push(json.changes.length);
    paths.push(...json.changes.map((change: { path: string }) => change.path));
    cursor = json.nextCursor;
  }
  expect(paths).toEqual(files);
  expect(pages).toEqual([4, 1]);
});

test('the preview of what is sent says with both sizes that there are no lines to show', async () => {
  const [before, after] = shuffledPair;
  await put('/notion/page', before);
  const first = (await call('/ops')).json.items.find(
    (item: { path: string }) => item.path === '/notion/page',
  );
  await call(`/writeback/${first.opId}/ack`, { method: 'POST', body: { success: true } });
  await put('/notion/page', after);
  const items = (await call('/ops')).json.items as { path: string; opId: string; status: string }[];
  const item = items.find(({ path: at, opId }) => at === '/notion/page' && opId !== first.opId);
  const answer = await unhindered(() => call(`/writeback/${item?.opId}/preview`, { as: agent.ownerToken }));
  expect(answer.json).toMatchObject({
    diffOmitted: 'too_different',
    sizeBytes: after.length,
    providerSizeBytes: before.length,
  });
  expect(answer.json).not.toHaveProperty('diff');
});

const merged = ['the same lines in another order', 'few different short lines', 'one line'];

test.each(Object.entries(pairs).filter(([name]) => merged.includes(name)))(
  'a merge of %s',
  async (name, [base, content]) => {
    const file = `/merge/${name.replaceAll(/\W/g, '-')}`;
    const baseRevision = await put(file, base);
    await put(file, `${base}theirs\n`);
    const body = { strategy: 'three-way-lines-v1', baseRevision, baseContent: base, content };
    const answer = await unhindered(() => call(`/fs/merge?path=${file}`, { method: 'POST', body }));
    expect([
      [200, undefined],
      [409, 'merge_conflict'],
      [422, 'merge_ineligible'],
    ]).toContainEqual([answer.status, answer.json.code]);
  },
);

test('while all compute threads are busy the answer is 429 with a Retry-After', async () => {
  const busy = new ComputeError('busy', 'all compute threads are busy; try again later');
  const other = await startHttpAgent({ compute: { run: () => Promise.reject(busy) } });
  const made = await makeWorkspace(other);
  const url = `/v1/workspaces/${made.workspaceId}/fs`;
  const headers = { 'if-match': '*' };
  const body = { content: 'text' };
  await request(other, `${url}/file?path=/a`, { method: 'PUT', token: made.token, headers, body });
  const answer = await request(other, `${url}/diff?path=/a`, { token: made.token });
  expect(codeOf(answer)).toEqual([429, 'rate_limited']);
  expect(answer.headers.get('retry-after')).toBe('1');
});
