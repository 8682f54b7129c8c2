// One correlation id, from a webhook to its file, from the file's edit to its provider, and from there to its end: whoever looks
// for it in the log finds every step.
import { expect, it } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';
import { providerSecret, startProvider } from '../support/provider.ts';
import { waitFor } from '../support/wait-for.ts';

it('stands in the log at the webhook, at its file, at what is sent, and at its acknowledgement', async () => {
  const [agent, provider] = await Promise.all([
    startAgent({ args: ['--log-level', 'debug'] }),
    startProvider(),
  ]);
  const owner = ownerClient(agent);
  const { client, workspaceId } = await freshWorkspace(agent);
  await owner.providers.add(workspaceId, {
    provider: 'git',
    kind: 'http',
    url: provider.url,
    secret: providerSecret,
    allowPlainHttp: true,
    allowPrivateAddresses: true,
  });
  await owner.providers.add(workspaceId, { provider: 'docs', kind: 'external' });
  const correlationId = 'corr-story-7';
  await client.sync.ingestWebhook(
    workspaceId,
    { provider: 'git', event_type: 'file.created', path: '/git/a.md', data: { content: 'theirs' } },
    { correlationId },
  );
  await waitFor(
    'the file',
    async () => (await client.readFile(workspaceId, '/git/a.md')).content === 'theirs',
  );
  const sent = await client.writeFile(workspaceId, '/git/a.md', 'ours', { correlationId });
  await waitFor(
    'the delivery',
    async () => (await client.operations.get(workspaceId, sent.opId)).status === 'succeeded',
  );
  const carried = await client.writeFile(workspaceId, '/docs/b.md', 'ours', { correlationId });
  await client.writeback.acknowledge(workspaceId, carried.opId, {}, { correlationId: 'corr-consumer' });

  const events = await client.events.page(workspaceId, { limit: 10 });
  expect(events.events.map(({ type, path, correlationId: id }) => `${type} ${path} ${id}`)).toEqual([
    `file.created /git/a.md ${correlationId}`,
    `file.updated /git/a.md ${correlationId}`,
    `writeback.succeeded /git/a.md ${correlationId}`,
    `file.created /docs/b.md ${correlationId}`,
  ]);
  expect(provider.items.map((item) => item.headers['x-correlation-id'])).toEqual([correlationId]);
  const expected = [
    'answered POST /v1/workspaces/:workspaceId/webhooks/ingest',
    'a webhook was settled applied /git/a.md',
    'answered PUT /v1/workspaces/:workspaceId/fs/file',
    `attempt finished delivered ${sent.opId}`,
    'answered PUT /v1/workspaces/:workspaceId/fs/file',
    `operation acknowledged succeeded ${carried.opId}`,
  ];
  // What an answer sets off may be logged before the answer is.
  const lines = await waitFor('the last line of the log', () => {
    const found = linesWith(agent.stderr, correlationId);
    return found.length < expected.length ? undefined : found;
  });
  expect(lines.toSorted()).toEqual(expected.toSorted());
});

/** What was logged with this id, in short. */
function linesWith(log: string, correlationId: string): readonly string[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter((line) => line.correlationId === correlationId)
    .map(({ msg, method, route, outcome, path, opId }) =>
      [msg, method, route, outcome, path, opId].filter((part) => part !== undefined).join(' '),
    );
}
