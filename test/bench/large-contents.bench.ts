// Files of 32 MiB that are read, written and exported: the longest turn of the agent's main thread, in processor time, and the time of a read
// as JSON beside that of the raw bytes.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MooringClient } from '../../sdk/index.ts';
import { type BenchAgent, benchFolder, removeBenchFolder, startBenchAgent } from './bench-agent.ts';
import { printMachine } from './machine.ts';
import { printComparison, roundsMin } from './report.ts';
import { Turns } from './turns.ts';

const mebibyte = 1024 * 1024;
const sizeMebibytes = 32;
const sizeBytes = sizeMebibytes * mebibyte;
/** What a write has left to do: the search index, an inbound event that is applied. */
const quietSeconds = 3;
const timesRawMax = 3;

const scratch = benchFolder('large-contents');
const turns = new Turns(scratch);
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  await printMachine(scratch);
  const agent = await startBenchAgent(path.join(scratch, 'data'), [], turns.options);
  try {
    const owner = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
    const { workspaceId } = await owner.workspaces.create({ name: 'bench' });
    await measure(agent, `/v1/workspaces/${workspaceId}`);
  } finally {
    await agent.stop();
  }
}

async function measure(agent: BenchAgent, workspace: string): Promise<void> {
  const send = async (url: string, method: string, type: string, body: string | Buffer<ArrayBuffer>) => {
    const headers = { ...headersOf(agent), 'content-type': type, 'if-match': '*' };
    const response = await fetch(`${agent.url}${workspace}${url}`, { method, headers, body });
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  const read = async (url: string, accept = 'application/json') => {
    const headers = { ...headersOf(agent), accept };
    const response = await fetch(`${agent.url}${workspace}${url}`, { headers });
    if (!response.ok || response.body === null) throw new Error(`${url}: ${response.status}`);
    for await (const _ of response.body);
  };
  const raw = 'application/octet-stream';
  const text = Buffer.alloc(sizeBytes, 'a line of "text" in a file of many lines\n');
  await send('/fs/file?path=/random.bin', 'PUT', raw, randomBytes(sizeBytes));
  await send('/fs/file?path=/text.md', 'PUT', raw, text);
  await read('/fs/file?path=/text.md');
  await delay(quietSeconds * 1000);
  turns.longestMs();

  for (const [name, url] of [
    ['text read as JSON', '/fs/file?path=/text.md'],
    ['bytes read as JSON', '/fs/file?path=/random.bin'],
    ['exported as JSON', '/fs/export?format=json'],
    ['exported as patch', '/fs/export?format=patch'],
    ['exported as tar, not compressed', '/fs/export?format=tar&level=0'],
  ] as const) {
    await read(url);
    turns.print(`${sizeMebibytes} MiB ${name}`);
  }
  const content = text.toString('utf8');
  const json = 'application/json';
  await send('/fs/file?path=/written.md', 'PUT', json, JSON.stringify({ content }));
  turns.print(`${sizeMebibytes} MiB written as JSON`);
  const files = [{ path: '/bulk.md', content }];
  await send('/fs/bulk', 'POST', json, JSON.stringify({ files }));
  turns.print(`${sizeMebibytes} MiB in a bulk write`);
  const webhook = (file: string) =>
    JSON.stringify({
      event_type: 'file.updated',
      provider: 'bench',
      path: `/bench/${file}`,
      data: { content },
    });
  await send('/webhooks/ingest', 'POST', json, webhook('x.md'));
  await delay(quietSeconds * 1000);
  turns.print(`${sizeMebibytes} MiB in a webhook, until it is applied`);
  // The second one is not kept in memory, and is read again.
  const two = ['y.md', 'z.md'].map(webhook);
  await Promise.all(two.map((body) => send('/webhooks/ingest', 'POST', json, body)));
  await delay(2 * quietSeconds * 1000);
  turns.print(`two webhooks of ${sizeMebibytes} MiB, until they are applied`);

  await besideRaw('text as JSON', '/fs/file?path=/text.md');
  await besideRaw('bytes as JSON', '/fs/file?path=/random.bin');

  async function besideRaw(name: string, url: string): Promise<void> {
    const ms = { own: [] as number[], floor: [] as number[] };
    for (let round = 0; round < roundsMin; round += 1) {
      ms.own.push(await timed(() => read(url)));
      ms.floor.push(await timed(() => read(url, raw)));
    }
    const floorName = 'raw bytes';
    const reach = { at: 'most', value: timesRawMax } as const;
    printComparison({ name: `${sizeMebibytes} MiB of ${name}`, unit: 'ms', floorName, ...ms, reach });
  }
}

function headersOf({ ownerToken }: BenchAgent): Record<string, string> {
  return { authorization: `Bearer ${ownerToken}`, 'x-correlation-id': 'bench' };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
