// The outbound half as the published SDK of the reference sees it, unmodified: pending items, its consumer, acknowledgements,
// operations, refresh, and replay of the admin plane.
import { InvalidStateError, RelayFileClient, WritebackConsumer, type WritebackItem } from '@relayfile/sdk';
import { expect, it } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { providerSecret, startProvider } from '../support/provider.ts';
import { waitFor } from '../support/wait-for.ts';

async function connect() {
  const agent = await startAgent();
  const fresh = await freshWorkspace(agent);
  await fresh.owner.providers.add(fresh.workspaceId, { provider: 'git', kind: 'external' });
  const options = { baseUrl: agent.url, retry: { maxRetries: 0 } };
  const client = new RelayFileClient({ ...options, token: fresh.token });
  const admin = new RelayFileClient({ ...options, token: agent.ownerToken });
  const write = async (path: string, content: string) =>
    await client.writeFile({ workspaceId: fresh.workspaceId, path, baseRevision: '*', content });
  return { ...fresh, agent, client, admin, write };
}

type Provider = ConstructorParameters<typeof WritebackConsumer>[0]['provider'];

it('its consumer carries what waits and acknowledges each, also what it cannot carry', async () => {
  const { client, workspaceId, write } = await connect();
  const carried: string[] = [];
  const consumer = new WritebackConsumer({
    client,
    workspaceId,
    pollIntervalMs: 20,
    provider: {} as Provider,
    handlers: [
      {
        canHandle: (path) => path.startsWith('/git/'),
        async execute({ path }: WritebackItem) {
          if (path === '/git/bad.md') throw new Error('no such repository');
          carried.push(path);
        },
      },
    ],
  });
  void consumer.start();
  const good = await write('/git/good.md', 'x');
  const bad = await write('/git/bad.md', 'x');
  const elsewhere = await write('/docs/a.md', 'x');
  await waitFor('both to be acknowledged', async () => {
    const { items } = await client.listOps(workspaceId, { limit: 10 });
    return items.every(({ status }) => status !== 'pending');
  });
  consumer.stop();
  expect(carried).toEqual(['/git/good.md']);
  expect(await client.getOp(workspaceId, good.opId)).toMatchObject({ status: 'succeeded', attemptCount: 1 });
  expect(await client.getOp(workspaceId, bad.opId)).toMatchObject({
    status: 'dead_lettered',
    lastError: expect.stringContaining('no such repository'),
  });
  expect(await client.getOp(workspaceId, elsewhere.opId)).toMatchObject({ status: 'succeeded' });
  const dead = await client.listOps(workspaceId, { status: 'dead_lettered', provider: 'git' });
  expect(dead.items.map(({ opId }) => opId)).toEqual([bad.opId]);
});

it('an acknowledgement renames a draft and keeps what the provider answered', async () => {
  const { client, workspaceId, write } = await connect();
  const { opId } = await write('/git/issues/issue 0e89a031-65f0-480e-a823-ab1d94b324ea.json', '{}');
  expect(await client.listPendingWritebacks(workspaceId)).toMatchObject([{ id: opId, workspaceId }]);
  const answer = await client.ackWriteback({
    workspaceId,
    itemId: opId,
    success: true,
    externalId: '42',
    providerResult: { ts: '1.5' },
  });
  expect(answer).toMatchObject({
    status: 'acknowledged',
    draft: { action: 'renamed', to: '/git/issues/42.json' },
  });
  expect(await client.getOp(workspaceId, opId)).toMatchObject({
    status: 'succeeded',
    providerResult: { externalId: '42', ts: '1.5' },
  });
  expect(await client.listPendingWritebacks(workspaceId)).toEqual([]);
  const left = await write('/git/issues/issue 15250fcf-de54-44b0-a808-c8e514480647.json', '{}');
  await client.ackWriteback({ workspaceId, itemId: left.opId, success: true });
  expect(await client.sweepWritebackDrafts({ workspaceId, apply: true })).toMatchObject({
    dryRun: false,
    removed: [{ reason: 'space-uuid-draft' }],
  });
});

it('replays a dead letter, by the workspace and by the admin plane, and nothing else', async () => {
  const { client, admin, workspaceId, write } = await connect();
  const { opId } = await write('/git/a.md', 'x');
  const fail = async () =>
    await client.ackWriteback({ workspaceId, itemId: opId, success: false, error: 'no' });
  await expect(client.replayOp(workspaceId, opId)).rejects.toBeInstanceOf(InvalidStateError);
  await fail();
  expect(await client.replayOp(workspaceId, opId)).toMatchObject({ status: 'queued', id: opId });
  expect(await client.getOp(workspaceId, opId)).toMatchObject({ status: 'pending', attemptCount: 0 });
  await fail();
  expect(await admin.replayAdminOp(opId)).toMatchObject({ status: 'queued', id: opId });
  await expect(admin.replayAdminOp(opId)).rejects.toBeInstanceOf(InvalidStateError);
});

it('asks for a refresh, which pulls what the provider has', async () => {
  const { client, owner, workspaceId } = await connect();
  const provider = await startProvider();
  await owner.providers.add(workspaceId, {
    provider: 'notes',
    kind: 'http',
    url: provider.url,
    refreshUrl: provider.refreshUrl,
    secret: providerSecret,
    allowPlainHttp: true,
    allowPrivateAddresses: true,
  });
  await provider.tell({ pages: [{ files: [{ path: '/notes/a.md', content: 'theirs' }], complete: true }] });
  expect(await client.triggerSyncRefresh(workspaceId, 'notes', 'test')).toMatchObject({
    status: 'queued',
    id: expect.stringMatching(/^sync_/),
  });
  await waitFor(
    'the file',
    async () => (await client.readFile(workspaceId, '/notes/a.md')).content === 'theirs',
  );
  expect(await client.triggerSyncRefresh(workspaceId, 'nobody')).toMatchObject({ status: 'queued' });
});
