// Every public method of the published SDK of the reference, unmodified and by its own types, against a running agent: a table
// of method and result. A method that a later version adds does not compile here until it is called.
import { RelayFileApiError, RelayFileClient } from '@relayfile/sdk';
import { expect, it } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { providerSecret, startProvider } from '../support/provider.ts';
import { waitFor } from '../support/wait-for.ts';

type Calls = Readonly<Record<keyof RelayFileClient, () => Promise<unknown>>>;

/** All that a workspace token can carry, and what it must be given explicitly. */
const scopes = [
  ...['fs:read', 'fs:write', 'sync:read', 'sync:trigger', 'ops:read', 'ops:replay'],
  ...['admin:read', 'admin:replay', 'webhooks:read', 'webhooks:write', 'webhooks:replay'],
];

async function connect() {
  const agent = await startAgent();
  const { owner, workspaceId } = await freshWorkspace(agent);
  await owner.providers.add(workspaceId, { provider: 'git', kind: 'external' });
  const { token } = await owner.tokens.create(workspaceId, { agent: 'table', scopes });
  const client = new RelayFileClient({ baseUrl: agent.url, token, retry: { maxRetries: 0 } });
  return { agent, owner, workspaceId, client, token };
}

type Bench = Awaited<ReturnType<typeof connect>>;

function fileCalls({ client, workspaceId, agent, token }: Bench) {
  const write = (path: string) =>
    client.writeFile({
      workspaceId,
      path,
      baseRevision: '*',
      content: '{"a":1}',
      contentType: 'application/json',
    });
  return {
    getToken: async () => expect(await client.getToken()).toBe(token),
    getBaseUrl: async () => expect(client.getBaseUrl()).toBe(agent.url),
    writeFile: () => write('/docs/a.json'),
    readFile: async () => {
      await write('/docs/a.json');
      expect(await client.readFile(workspaceId, '/docs/a.json')).toMatchObject({ content: '{"a":1}' });
    },
    listTree: async () => expect((await client.listTree(workspaceId)).entries).not.toEqual([]),
    queryFiles: async () =>
      expect((await client.queryFiles(workspaceId, { provider: 'docs' })).items).toHaveLength(1),
    bulkWrite: async () =>
      expect(
        await client.bulkWrite({ workspaceId, files: [{ path: '/docs/b', content: 'b' }] }),
      ).toMatchObject({ written: 1, errorCount: 0 }),
    deleteFile: async () => {
      const { targetRevision } = await write('/docs/gone');
      await client.deleteFile({ workspaceId, path: '/docs/gone', baseRevision: targetRevision });
    },
    exportWorkspace: async () =>
      expect(await client.exportWorkspace({ workspaceId, format: 'json' })).toMatchObject({
        files: expect.any(Array),
      }),
    createFork: async () => {
      const { forkId, ...fork } = await client.createFork({ workspaceId, proposalId: 'p1' });
      expect(fork).toMatchObject({ proposalId: 'p1', workspaceId });
      await client.writeFile({ workspaceId, path: '/docs/f', baseRevision: '0', content: 'forked', forkId });
      expect(await client.readFile({ workspaceId, path: '/docs/f', forkId })).toMatchObject({
        content: 'forked',
      });
      expect((await client.listTree(workspaceId, { forkId })).entries.map(({ path }) => path)).toContain(
        '/docs/f',
      );
      await expect(client.readFile(workspaceId, '/docs/f')).rejects.toMatchObject({ status: 404 });
    },
    commitFork: async () => {
      const { forkId } = await client.createFork({ workspaceId, proposalId: 'p2' });
      const files = [{ path: '/docs/committed', content: 'from the fork' }];
      await client.bulkWrite({ workspaceId, forkId, files });
      expect(await client.commitFork({ workspaceId, forkId })).toMatchObject({
        writtenCount: 1,
        deletedCount: 0,
      });
      expect(await client.readFile(workspaceId, '/docs/committed')).toMatchObject({
        content: 'from the fork',
      });
    },
    discardFork: async () => {
      const { forkId } = await client.createFork({ workspaceId, proposalId: 'p3' });
      await client.discardFork({ workspaceId, forkId });
      await expect(client.commitFork({ workspaceId, forkId })).rejects.toMatchObject({ status: 404 });
    },
  } satisfies Partial<Calls>;
}

function eventCalls({ client, workspaceId }: Bench) {
  let files = 0;
  // Each time another file: the client holds changes of one path back until it has been quiet for 200 ms.
  const write = () => {
    files += 1;
    return client.writeFile({ workspaceId, path: `/docs/live-${files}`, baseRevision: '0', content: 'x' });
  };
  /** A subscription does not say when it listens: write until the first event came. */
  const untilTold = (told: () => boolean) =>
    waitFor(
      'an event',
      async () => {
        await write();
        return told();
      },
      { everyMs: 100 },
    );
  return {
    getEvents: async () => expect((await client.getEvents(workspaceId)).events).not.toEqual([]),
    subscribe: async () => {
      let told = false;
      const subscription = client.subscribe(['/docs/**'], () => {
        told = true;
      });
      await untilTold(() => told);
      await subscription.unsubscribe();
    },
    open: async () => {
      const connection = client.open({ workspaceId });
      await connection.ready;
      await connection.unsubscribe();
    },
    connectWebSocket: async () => {
      let told = false;
      const socket = client.connectWebSocket(workspaceId, {
        onEvent: () => {
          told = true;
        },
      });
      await untilTold(() => told);
      socket.close();
    },
    listChangesSince: async () =>
      expect((await client.listChangesSince('1970-01-01T00:00:00Z')).events).not.toEqual([]),
    listLastNChanges: async () => expect((await client.listLastNChanges(2)).events).toHaveLength(2),
    getResourceAtEvent: async () => {
      const file = { workspaceId, path: '/r.json', content: '{"b":2}' };
      await client.writeFile({ ...file, baseRevision: '*', contentType: 'application/json' });
      const { events } = await client.getEvents(workspaceId, { limit: 1000 });
      const eventId = events.findLast((event) => event.path === '/r.json')?.eventId ?? '';
      expect(await client.getResourceAtEvent(eventId)).toMatchObject({ path: '/r.json', data: { b: 2 } });
    },
  } satisfies Partial<Calls>;
}

function outboundCalls({ client, workspaceId }: Bench) {
  const dead = async () => {
    const path = `/git/${crypto.randomUUID()}.md`;
    const { opId } = await client.writeFile({ workspaceId, path, baseRevision: '0', content: 'x' });
    await client.ackWriteback({ workspaceId, itemId: opId, success: false, error: 'no' });
    return opId;
  };
  return {
    getOp: async () =>
      expect(await client.getOp(workspaceId, await dead())).toMatchObject({ status: 'dead_lettered' }),
    listOps: async () => expect((await client.listOps(workspaceId)).items).not.toEqual([]),
    replayOp: async () => client.replayOp(workspaceId, await dead()),
    replayAdminOp: async () => client.replayAdminOp(await dead()),
    listPendingWritebacks: async () =>
      expect(await client.listPendingWritebacks(workspaceId)).not.toEqual([]),
    ackWriteback: async () => {
      const { opId } = await client.writeFile({
        workspaceId,
        path: '/git/ok',
        baseRevision: '*',
        content: 'x',
      });
      expect(await client.ackWriteback({ workspaceId, itemId: opId, success: true })).toMatchObject({
        success: true,
      });
    },
    sweepWritebackDrafts: () => client.sweepWritebackDrafts({ workspaceId }),
  } satisfies Partial<Calls>;
}

function syncCalls({ client, workspaceId }: Bench) {
  const ingest = (path: string) =>
    client.ingestWebhook({
      workspaceId,
      provider: 'hub',
      event_type: 'file.created',
      path,
      data: { content: 'x' },
      delivery_id: crypto.randomUUID(),
    });
  const deadLetter = async () => {
    const { id } = await ingest('/hub/../broken');
    await waitFor('the dead letter', async () =>
      (await client.getSyncDeadLetters(workspaceId)).items.some((item) => item.envelopeId === id),
    );
    return id;
  };
  return {
    ingestWebhook: () => ingest('/hub/a'),
    getSyncStatus: async () => expect((await client.getSyncStatus(workspaceId)).providers).not.toEqual([]),
    waitForData: () => client.waitForData(workspaceId, 'hub', { timeoutMs: 30_000, pollIntervalMs: 50 }),
    getSyncIngressStatus: () => client.getSyncIngressStatus(workspaceId),
    getSyncDeadLetters: async () => {
      await deadLetter();
      expect((await client.getSyncDeadLetters(workspaceId)).items).not.toEqual([]);
    },
    getSyncDeadLetter: async () => client.getSyncDeadLetter(workspaceId, await deadLetter()),
    replaySyncDeadLetter: async () => client.replaySyncDeadLetter(workspaceId, await deadLetter()),
    ackSyncDeadLetter: async () => client.ackSyncDeadLetter(workspaceId, await deadLetter()),
    replayAdminEnvelope: async () => client.replayAdminEnvelope(await deadLetter()),
    triggerSyncRefresh: () => client.triggerSyncRefresh(workspaceId, 'git'),
    getBackendStatus: () => client.getBackendStatus(),
    getAdminIngressStatus: () => client.getAdminIngressStatus(),
    getAdminSyncStatus: () => client.getAdminSyncStatus(),
  } satisfies Partial<Calls>;
}

function webhookCalls({ client, owner, workspaceId }: Bench) {
  const register = () =>
    client.registerWebhook({ workspaceId, url: 'https://example.org/', pathGlobs: ['/none'] });
  const deadLetter = async () => {
    // Only the owner may name an address of this machine.
    const receiver = await startProvider();
    await receiver.tell({ behaviour: { kind: 'status', status: 410 } });
    const { subscriptionId } = await owner.webhooks.register(workspaceId, {
      url: receiver.url,
      pathGlobs: ['/told/**'],
      secret: providerSecret,
      allowPlainHttp: true,
      allowPrivateAddresses: true,
    });
    await client.writeFile({ workspaceId, path: '/told/a', baseRevision: '*', content: 'x' });
    return await waitFor('the dead letter', async () => {
      const { items } = await client.getWebhookDeadLetters(workspaceId, { limit: 10 });
      return items.find((item) => item.subscriptionId === subscriptionId);
    });
  };
  return {
    registerWebhook: async () =>
      expect(await register()).toMatchObject({ secret: expect.stringMatching(/^whsec_/) }),
    listWebhooks: async () =>
      expect((await client.listWebhooks(workspaceId))[0]).toMatchObject({ pathGlobs: ['/none'] }),
    deleteWebhook: async () => client.deleteWebhook(workspaceId, (await register()).subscriptionId),
    getWebhookDeadLetters: async () => expect(await deadLetter()).toMatchObject({ status: 'dead_lettered' }),
    replayWebhookDeadLetter: async () =>
      client.replayWebhookDeadLetter(workspaceId, (await deadLetter()).deliveryId),
  } satisfies Partial<Calls>;
}

async function outcome(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return 'ok';
  } catch (error) {
    if (error instanceof RelayFileApiError) return `${error.status} ${error.code}`;
    return error instanceof Error ? error.message : String(error);
  }
}

it('answers every method of the published SDK', async () => {
  const bench = await connect();
  const calls: Calls = {
    ...fileCalls(bench),
    ...eventCalls(bench),
    ...outboundCalls(bench),
    ...syncCalls(bench),
    ...webhookCalls(bench),
  };
  const table: Record<string, string> = {};
  for (const [method, call] of Object.entries(calls)) table[method] = await outcome(call);
  const width = Math.max(...Object.keys(table).map((method) => method.length));
  const lines = Object.entries(table).map(([method, result]) => `${method.padEnd(width)}  ${result}`);
  process.stdout.write(`--- @relayfile/sdk, method and result\n${lines.join('\n')}\n`);
  expect(Object.entries(table).filter(([, result]) => result !== 'ok')).toEqual([]);
});
