// The whole way out and back with real processes: an edit in the folder reaches its provider, the provider's echo makes no loop,
// and a registered consumer, the command line and the folder agree on what a draft became.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type AgentProcess, mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { type ProviderProcess, providerSecret, startProvider } from '../support/provider.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { putFile } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

async function command(agent: AgentProcess, ...args: string[]) {
  const result = await mooring(args, { dataDir: agent.dataDir });
  if (result.code !== 0) throw new Error(`mooring ${args.join(' ')}: ${result.stderr}`);
  return result.stdout;
}

async function connected() {
  const [agent, provider] = await Promise.all([startAgent(), startProvider()]);
  const fresh = await freshWorkspace(agent);
  const dir = tempFolder('mooring-folder');
  await fresh.owner.mirrors.add(fresh.workspaceId, dir);
  const secretFile = path.join(tempFolder(), 'secret');
  putFile(path.dirname(secretFile), 'secret', providerSecret);
  const add = ['provider', 'add', 'git', '--workspace', fresh.workspaceId, '--url', provider.url];
  await command(agent, ...add, '--secret-file', secretFile, '--allow-http', '--allow-private');
  return { ...fresh, agent, provider, dir };
}

/** What a provider that tells everybody about every change does: it says what it just took, in its own words. */
async function echo(
  agent: AgentProcess,
  workspaceId: string,
  call: ProviderProcess['items'][number],
  more: object = {},
): Promise<void> {
  const { path: file, content } = call.data;
  const body = {
    provider: 'git',
    event_type: 'file.updated',
    path: file,
    data: { content, contentType: 'text/plain', ...more },
    delivery_id: `echo-${call.id}-${JSON.stringify(more).length}`,
  };
  const response = await agent.fetch(`/v1/workspaces/${workspaceId}/webhooks/ingest`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(202);
}

it('an edit in the folder reaches its provider once, and its echo makes no loop', async () => {
  const { agent, provider, dir, workspaceId, client } = await connected();
  putFile(dir, 'git/a.md', 'from the folder\n');
  await waitFor('the item', () => provider.taken.length === 1);
  expect(provider.taken).toEqual(['/git/a.md from the folder\n']);
  const [call] = provider.items;
  if (call === undefined) throw new Error('there is a call');
  const opId = String(call.data.opId);
  await waitFor(
    'its end',
    async () => (await client.operations.get(workspaceId, opId)).status === 'succeeded',
  );

  // One that names the operation, as it came along with the item, and one that says nothing about where it comes from.
  await echo(agent, workspaceId, call, { origin: call.data.origin, opId });
  await echo(agent, workspaceId, call);
  const { revision } = await client.readFile(workspaceId, '/git/a.md');
  const settled = await client.events.page(workspaceId, { limit: 1000 });
  await waitFor('both echoes to be taken in', async () => {
    const { events } = await client.events.page(workspaceId, { limit: 1000 });
    return events.filter((event) => event.origin === 'provider_sync' || event.type.startsWith('sync.'))
      .length >= 2
      ? events
      : undefined;
  });
  await agent.fetch('/v1/agent/settle', { method: 'POST', body: JSON.stringify({ workspaceId }) });
  expect(readFileSync(path.join(dir, 'git/a.md'), 'utf8')).toBe('from the folder\n');
  expect(provider.items).toHaveLength(1);
  expect(await client.writeback.pending(workspaceId)).toEqual([]);
  expect((await client.operations.list(workspaceId)).items).toHaveLength(1);
  expect(settled.events.length).toBeGreaterThan(0);
  expect(revision).toMatch(/^rev_/);

  // News from the provider comes into the folder, and does not go back.
  await echo(
    agent,
    workspaceId,
    { ...call, data: { ...call.data, content: 'from the provider\n' } },
    { n: 1 },
  );
  await waitFor(
    'the news in the folder',
    () => readFileSync(path.join(dir, 'git/a.md'), 'utf8') === 'from the provider\n',
  );
  expect(provider.items).toHaveLength(1);
});

it('a draft in the folder takes the name that its provider gives it', async () => {
  const { provider, dir } = await connected();
  await provider.tell({ behaviour: { kind: 'take', answer: { externalId: 'ISSUE-7' } } });
  putFile(dir, 'git/issues/new.md', 'text');
  await waitFor('the new name', () => existsSync(path.join(dir, 'git/issues/ISSUE-7.md')));
  await waitFor('the old name to go', () => !existsSync(path.join(dir, 'git/issues/new.md')));
  // The report of the provider's process about the call may arrive after the call's effect.
  await waitFor('the report of the call', () => provider.items.length > 0);
  expect(provider.items).toHaveLength(1);
});

it('what failed is seen and replayed from the command line', async () => {
  const { agent, provider, workspaceId, client } = await connected();
  await provider.tell({ behaviour: { kind: 'status', status: 422, body: '{"message":"title is missing"}' } });
  for (const name of ['a', 'b', 'c']) await client.writeFile(workspaceId, `/git/${name}.md`, name);
  const filter = ['--workspace', workspaceId, '--status', 'dead_lettered', '--provider', 'git'];
  await waitFor('three dead letters', async () => {
    const { items } = JSON.parse(await command(agent, 'ops', 'list', ...filter, '--json')) as {
      items: unknown[];
    };
    return items.length === 3;
  });
  expect(await command(agent, 'ops', 'show', 'op_1', '--workspace', workspaceId)).toContain(
    'title is missing',
  );
  const listed = JSON.parse(
    await command(agent, 'provider', 'list', '--workspace', workspaceId, '--json'),
  ) as {
    providers: { deadLettered: number; state: string }[];
  };
  expect(listed.providers).toMatchObject([{ deadLettered: 3, state: 'error' }]);
  const dry = await command(agent, 'ops', 'replay', '--all', ...filter, '--dry-run');
  expect(dry.trim().split('\n')).toEqual(['op_1 /git/a.md', 'op_2 /git/b.md', 'op_3 /git/c.md']);
  expect(provider.taken).toEqual([]);

  await provider.tell({ behaviour: { kind: 'take' } });
  await command(agent, 'ops', 'replay', '--all', ...filter);
  await waitFor('all three', () => provider.taken.length === 3);
  expect([...provider.taken].sort()).toEqual(['/git/a.md a', '/git/b.md b', '/git/c.md c']);
  expect(await command(agent, 'provider', 'test', 'git', '--workspace', workspaceId)).toMatch(
    /took the test/,
  );

  await command(agent, 'provider', 'pause', 'git', '--workspace', workspaceId);
  const { opId } = await client.writeFile(workspaceId, '/git/d.md', 'd');
  expect(await command(agent, 'writeback', 'list', '--workspace', workspaceId)).toContain('/git/d.md');
  await command(agent, 'writeback', 'cancel', opId, '--workspace', workspaceId);
  const { opId: acked } = await client.writeFile(workspaceId, '/git/e.md', 'e');
  await command(agent, 'writeback', 'ack', acked, '--workspace', workspaceId, '--external-id', 'E1');
  expect((await client.readFile(workspaceId, '/git/E1.md')).content).toBe('e');
  await command(agent, 'provider', 'remove', 'git', '--workspace', workspaceId, '--yes');
  expect(await client.operations.get(workspaceId, opId)).toMatchObject({ status: 'canceled' });
});

it('after a kill -9 while the provider is slow, the item arrives once by its key', async () => {
  const { agent, provider, workspaceId, client } = await connected();
  await provider.tell({ behaviour: { kind: 'hang' } });
  const { opId } = await client.writeFile(workspaceId, '/git/a.md', 'x');
  await waitFor('the call', () => provider.items.length === 1);
  await agent.kill9();
  await provider.tell({ behaviour: { kind: 'take' } });
  await agent.start();
  await waitFor('the second call', () => provider.items.length === 2);
  expect(provider.items.map(({ id, fresh }) => [id, fresh])).toEqual([
    [opId, true],
    [opId, false],
  ]);
});
