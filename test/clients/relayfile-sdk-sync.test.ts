// The inbound half through the published SDK of the reference, unmodified: webhooks, status, dead letters, the admin plane.
import { QueueFullError, RelayFileApiError, RelayFileClient } from '@relayfile/sdk';
import { expect, it } from 'vitest';
import { startAgent, type TestAgentOptions } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { waitFor } from '../support/wait-for.ts';

async function connect(options: TestAgentOptions = {}) {
  const agent = await startAgent(options);
  const fresh = await freshWorkspace(agent);
  const make = (token: string) =>
    new RelayFileClient({ baseUrl: agent.url, token, retry: { maxRetries: 0 } });
  const client = make(fresh.token);
  const { workspaceId } = fresh;
  const settled = () =>
    waitFor(
      'the queue to be empty',
      async () => (await client.getSyncIngressStatus(workspaceId)).pendingTotal === 0,
    );
  return { ...fresh, agent, client, make, settled };
}

it('takes webhooks, and tells how the sync is', async () => {
  const { client, workspaceId, settled } = await connect();
  const first = await client.ingestWebhook({
    workspaceId,
    provider: 'github',
    event_type: 'file.created',
    path: '/github/a.md',
    data: { content: 'hello', contentType: 'text/markdown', providerObjectId: 'o1' },
    delivery_id: 'd1',
    timestamp: new Date().toISOString(),
    headers: { 'x-github-event': 'push' },
    correlationId: 'corr-sdk',
  });
  expect(first).toMatchObject({ status: 'queued', correlationId: 'corr-sdk' });
  const again = await client.ingestWebhook({
    workspaceId,
    provider: 'github',
    event_type: 'file.created',
    path: '/github/a.md',
    delivery_id: 'd1',
  });
  expect(again.id).toBe(first.id);
  await settled();
  expect(await client.readFile(workspaceId, '/github/a.md')).toMatchObject({
    content: 'hello',
    providerObjectId: 'o1',
  });
  expect(await client.getSyncIngressStatus(workspaceId, { provider: 'github' })).toMatchObject({
    acceptedTotal: 1,
    dedupedTotal: 1,
    dedupeRate: 0.5,
    ingressByProvider: { github: { acceptedTotal: 1 } },
  });
  const status = await client.getSyncStatus(workspaceId, { provider: 'github' });
  expect(status.providers).toMatchObject([{ provider: 'github', status: 'healthy', cursor: first.id }]);
  const [event] = (await client.getEvents(workspaceId, { limit: 1 })).events;
  expect(event).toMatchObject({ type: 'file.created', origin: 'provider_sync', correlationId: 'corr-sdk' });
});

it('lists, reads, replays and acknowledges dead letters', async () => {
  const { client, workspaceId, settled } = await connect();
  const broken = async (name: string) =>
    (
      await client.ingestWebhook({
        workspaceId,
        provider: 'hub',
        event_type: 'file.created',
        path: `/hub/../${name}`,
        data: { content: 'x' },
      })
    ).id;
  const one = await broken('1');
  const two = await broken('2');
  await settled();
  const page = await client.getSyncDeadLetters(workspaceId, { provider: 'hub', limit: 1 });
  expect(page).toMatchObject({ items: [{ envelopeId: two, attemptCount: 1 }], nextCursor: two });
  expect(await client.getSyncDeadLetter(workspaceId, one)).toMatchObject({
    envelopeId: one,
    lastError: 'path_invalid: the path has a segment ".."',
  });
  expect(await client.replaySyncDeadLetter(workspaceId, one)).toMatchObject({ status: 'queued', id: one });
  await settled();
  expect((await client.getSyncDeadLetter(workspaceId, one)).attemptCount).toBe(2);
  expect(await client.ackSyncDeadLetter(workspaceId, one)).toMatchObject({ status: 'acknowledged', id: one });
  const missing = await client.getSyncDeadLetter(workspaceId, one).catch((error: unknown) => error);
  expect(missing).toBeInstanceOf(RelayFileApiError);
  expect(missing).toMatchObject({ status: 404, code: 'not_found' });
  expect((await client.getSyncStatus(workspaceId)).providers).toMatchObject([
    { provider: 'hub', status: 'error', deadLetteredEnvelopes: 1 },
  ]);
});

it('meets a full queue as its own error', async () => {
  const { client, workspaceId } = await connect({ args: ['--envelope-queue-size', '1'] });
  const full = await waitFor('the queue to be full', async () => {
    const sent = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        client.ingestWebhook({
          workspaceId,
          provider: 'hub',
          event_type: 'file.created',
          path: `/hub/${index}`,
          data: { content: 'x' },
        }),
      ),
    );
    return sent.find((one) => one.status === 'rejected')?.reason as unknown;
  });
  expect(full).toBeInstanceOf(QueueFullError);
  expect(full).toMatchObject({ status: 429, code: 'queue_full', retryAfterSeconds: 1 });
});

it('shows the admin plane, and replays from there', async () => {
  const { agent, owner, client, make, workspaceId, settled } = await connect();
  const { token } = await owner.tokens.create(workspaceId, { scopes: ['admin:read', 'admin:replay'] });
  const admin = make(token);
  const { id } = await client.ingestWebhook({
    workspaceId,
    provider: 'hub',
    event_type: 'file.created',
    path: '/hub/../1',
    data: { content: 'x' },
  });
  await settled();
  expect(await admin.getBackendStatus()).toMatchObject({ stateBackend: 'sqlite', envelopeQueueDepth: 0 });
  expect(
    await admin.getAdminIngressStatus({ alertProfile: 'strict', nonZeroOnly: true, limit: 10 }),
  ).toMatchObject({
    effectiveAlertProfile: 'strict',
    workspaceIds: [workspaceId],
    deadLetterTotal: 1,
    alerts: [{ workspaceId, type: 'dead_letters', severity: 'critical' }],
    workspaces: { [workspaceId]: { deadLetterTotal: 1 } },
  });
  expect(await admin.getAdminSyncStatus({ workspaceId, includeAlerts: true, maxAlerts: 1 })).toMatchObject({
    errorCount: 1,
    alertTotals: { total: 2 },
    alertsTruncated: true,
    failureCodes: { unknown: 1 },
  });
  expect(await admin.replayAdminEnvelope(id)).toMatchObject({ status: 'queued', id });
  await settled();
  expect((await client.getSyncDeadLetter(workspaceId, id)).attemptCount).toBe(2);
  const refused = await client.getBackendStatus().catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 403, code: 'forbidden' });
  const wrong = await admin.getAdminIngressStatus({ limit: 0 }).catch((error: unknown) => error);
  expect(wrong).toMatchObject({ status: 400, message: 'invalid limit' });
  expect(agent.stderr).not.toContain('failed inside the agent');
});
