// A refresh of a real agent from a provider that means no good: pages without end, pages without size, drops that never fill a page, and
// an agent that is killed in the middle, again and again.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MooringClient, type Provider } from '../../sdk/index.ts';
import { type AgentProcess, startAgent } from '../support/agent-process.ts';
import { startPages } from '../support/page-server.ts';
import { providerSecret } from '../support/provider-process.ts';
import { isLong } from '../support/scale.ts';
import { waitFor } from '../support/wait-for.ts';

const mebibyte = 1024 * 1024;

interface Pulling {
  readonly agent: AgentProcess;
  readonly client: () => MooringClient;
  readonly workspaceId: string;
  readonly provider: () => Promise<Provider>;
  /** The error of a refresh that has ended; null: it has none. */
  readonly ended: () => Promise<string | null>;
}

async function pulling(refreshUrl: string): Promise<Pulling> {
  const agent = await startAgent({ args: ['--no-ui', '--log-level', 'error'] });
  const client = () => new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
  const { workspaceId } = await client().workspaces.create({ name: 'w' });
  await client().providers.add(workspaceId, {
    provider: 'git',
    kind: 'http',
    url: refreshUrl,
    refreshUrl,
    secret: providerSecret,
    allowPlainHttp: true,
    allowPrivateAddresses: true,
    timeoutMs: 30_000,
  });
  const provider = async () => await client().providers.get(workspaceId, 'git');
  const ended = async () => {
    const { refresh } = await waitFor(
      'the end of the refresh',
      async () => {
        const found = await provider();
        return found.refresh?.finishedAt === undefined ? null : found;
      },
      { deadlineMs: isLong ? 600_000 : 60_000, everyMs: 100 },
    );
    return refresh?.error ?? null;
  };
  return { agent, client, workspaceId, provider, ended };
}

const page = (files: readonly object[], nextCursor?: string) => JSON.stringify({ files, nextCursor });
const fileOf = (name: string, bytes: number) => ({ path: `/git/${name}`, content: name.padEnd(bytes, '.') });

function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

test('a page that is too large, and one that drips, end the refresh with their limit; the agent answers all the while', async () => {
  const drips: NodeJS.Timeout[] = [];
  const { url } = await startPages((_cursor, response) => {
    if (drips.length === 0) {
      const block = Buffer.alloc(mebibyte, 'x');
      const flood = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', flood);
      flood();
    } else response.write('{');
    drips.push(setInterval(() => response.write(' '), 20));
    response.on('close', () => clearInterval(drips.at(-1)));
  });
  const { agent, client, workspaceId, ended } = await pulling(url);
  await client().providers.refresh(workspaceId, { provider: 'git' });
  expect(await ended()).toContain('larger than 33554432 bytes');
  await client().providers.update(workspaceId, 'git', { timeoutMs: 1_000 });
  await client().providers.refresh(workspaceId, { provider: 'git' });
  expect(await ended()).toContain('no answer within 1000 ms');
  expect((await fetch(`${agent.url}/health`)).status).toBe(200);
  for (const drip of drips) clearInterval(drip);
});

test('a refresh that the agent does not survive twice is given up with its cause, and starts again by hand', async () => {
  let hangs = true;
  const { url, asked } = await startPages((cursor, response) => {
    if (cursor === '') response.end(page([fileOf('first', 10)], '1'));
    else if (!hangs) response.end(page([fileOf('second', 10)]));
  });
  const { agent, client, workspaceId, ended, provider } = await pulling(url);
  await client().providers.refresh(workspaceId, { provider: 'git' });
  for (let life = 1; life <= 2; life += 1) {
    await waitFor('the second page', () => asked.filter((cursor) => cursor === '1').length === life);
    await agent.kill9();
    await agent.start();
  }
  expect(await ended()).toContain('ended unexpectedly 2 times during this refresh');
  expect(asked).toEqual(['', '1', '', '1']);
  expect(await provider()).toMatchObject({
    state: 'error',
    cause: expect.stringContaining('mooring provider refresh git'),
  });
  // What came before the end is there.
  expect((await client().readFile(workspaceId, '/git/first')).content).toBe('first.....');
  hangs = false;
  await client().providers.refresh(workspaceId, { provider: 'git' });
  expect(await ended()).toBeNull();
  await waitFor('the second file', () => client().readFile(workspaceId, '/git/second'));
});

test('200 MB that are pulled cost a page of memory, and pages without end have one', async ({ skip }) => {
  skip(!isLong, 'it takes minutes: npm run test:long');
  const pages = 50;
  const { url } = await startPages((cursor, response) => {
    const number = Number(cursor);
    response.end(
      page([fileOf(`f${number}`, 4 * mebibyte)], number + 1 < pages ? `${number + 1}` : undefined),
    );
  });
  const { agent, client, workspaceId, ended } = await pulling(url);
  const before = residentBytes(agent.pid);
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, residentBytes(agent.pid))), 50);
  await client().providers.refresh(workspaceId, { provider: 'git' });
  expect(await ended()).toBeNull();
  clearInterval(sampler);
  process.stderr.write(
    `200 MB pulled: ${Math.round(before / mebibyte)} MB before, ${Math.round(peak / mebibyte)} MB at most\n`,
  );
  expect(peak - before).toBeLessThan(300 * mebibyte);
  const endless = await startPages((cursor, response) => response.end(page([], `${Number(cursor) + 1}`)));
  const other = await pulling(endless.url);
  await other.client().providers.refresh(other.workspaceId, { provider: 'git' });
  expect(await other.ended()).toBe('it has more than 10000 pages');
});
