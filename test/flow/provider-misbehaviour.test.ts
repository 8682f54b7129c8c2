// A provider that behaves badly, seen from the folder: the real agent, a real provider process, and edits on disk. Whatever it does
// at first, each edit reaches it in the end, in the order of its file, with its effect once; and the folder stays as it was.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { providerSecret, startProvider } from '../support/provider.ts';
import type { Behaviour } from '../support/provider-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { putFile } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

/** An answer that takes longer than this is none. Long enough for a machine under load to give a good one. */
const timeoutMs = 4_000;
const deadlineMs = 90_000;

interface Trouble {
  readonly name: string;
  readonly behaviour: Behaviour;
  /** Whether the call that meets it fails; the item then comes again, under the same key. */
  readonly fails: boolean;
}

const troubles: readonly Trouble[] = [
  { name: 'asks for time', behaviour: { kind: 'status', status: 429, retryAfter: '1' }, fails: true },
  { name: 'is broken', behaviour: { kind: 'status', status: 503 }, fails: true },
  { name: 'drops what comes', behaviour: { kind: 'drop', after: 'request' }, fails: true },
  { name: 'takes it and hangs up', behaviour: { kind: 'drop', after: 'taking' }, fails: true },
  { name: 'breaks off its answer', behaviour: { kind: 'drop', after: 'half an answer' }, fails: true },
  { name: 'takes it and is too slow', behaviour: { kind: 'hang' }, fails: true },
  { name: 'answers without end', behaviour: { kind: 'flood' }, fails: true },
  { name: 'answers twice', behaviour: { kind: 'answer twice' }, fails: false },
  { name: 'answers nonsense', behaviour: { kind: 'nonsense' }, fails: false },
  {
    name: 'answers deeper than anything can be kept',
    behaviour: {
      kind: 'nonsense',
      body: `{"providerResult":{"deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`,
    },
    fails: false,
  },
  {
    name: 'lies about the place',
    behaviour: { kind: 'take', answer: { canonicalPath: '/elsewhere/stolen.md' } },
    fails: false,
  },
];

async function connected() {
  const [agent, provider] = await Promise.all([startAgent(), startProvider()]);
  const fresh = await freshWorkspace(agent);
  const dir = tempFolder('mooring-folder');
  await fresh.owner.mirrors.add(fresh.workspaceId, dir);
  await fresh.owner.providers.add(fresh.workspaceId, {
    provider: 'git',
    kind: 'http',
    url: provider.url,
    secret: providerSecret,
    timeoutMs,
    allowPlainHttp: true,
    allowPrivateAddresses: true,
  });
  return { ...fresh, provider, dir };
}

async function settled(client: MooringClient, workspaceId: string, count: number) {
  return await waitFor(
    `${count} operations to be settled`,
    async () => {
      const { items } = await client.operations.list(workspaceId, { limit: 1000 });
      return items.length === count && items.every(({ status }) => status === 'succeeded') && items;
    },
    { deadlineMs },
  );
}

it('each edit in the folder reaches it, in order, with its effect once', async () => {
  const { client, workspaceId, provider, dir } = await connected();
  let count = 0;
  for (const [index, { name, behaviour, fails }] of troubles.entries()) {
    const file = `git/${index}.md`;
    const before = provider.items.length;
    await provider.tell({ behaviour, next: 1 });
    putFile(dir, file, `${name}: one`);
    await waitFor(`a call (${name})`, () => provider.items.length > before, { deadlineMs });
    count += 1;
    const items = await settled(client, workspaceId, count);
    const { opId } = items.find((item) => item.path === `/${file}`) ?? {};
    const calls = provider.items.slice(before);
    expect([name, calls.length > (fails ? 1 : 0)]).toEqual([name, true]);
    expect([name, [...new Set(calls.map((call) => call.id))]]).toEqual([name, [opId]]);
    // And again, now that all is well.
    putFile(dir, file, `${name}: two`);
    count += 1;
    await settled(client, workspaceId, count);
  }
  for (const [index, { name }] of troubles.entries()) {
    const file = `/git/${index}.md`;
    expect(provider.taken.filter((one) => one.startsWith(`${file} `))).toEqual([
      `${file} ${name}: one`,
      `${file} ${name}: two`,
    ]);
    expect(readFileSync(path.join(dir, file), 'utf8')).toBe(`${name}: two`);
  }
  expect(provider.items.every((call) => call.signed)).toBe(true);
});

it('what it refuses is a dead letter with its words, and everything else goes on', async () => {
  const { client, workspaceId, provider, dir } = await connected();
  await provider.tell({
    behaviour: { kind: 'status', status: 422, body: '{"message":"no title"}' },
    next: 1,
  });
  putFile(dir, 'git/refused.md', 'x');
  const refused = await waitFor(
    'the refusal',
    async () => (await client.operations.list(workspaceId, { status: 'dead_lettered' })).items[0],
    { deadlineMs },
  );
  expect(refused).toMatchObject({ path: '/git/refused.md', attemptCount: 1 });
  expect(refused.lastError).toContain('no title');
  putFile(dir, 'git/taken.md', 'y');
  await waitFor('the next one', () => provider.taken.includes('/git/taken.md y'), { deadlineMs });
  expect(readFileSync(path.join(dir, 'git/refused.md'), 'utf8')).toBe('x');
});
