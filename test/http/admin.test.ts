import { expect, test } from 'vitest';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';

async function withTwoWorkspaces() {
  const agent = await startHttpAgent();
  const one = await makeWorkspace(agent, { scopes: ['admin:read'] });
  const two = await makeWorkspace(agent, { scopes: ['admin:replay'] });
  const three = await makeWorkspace(agent);
  const hook = async (workspaceId: string, body: object = {}) => {
    const sent = await request(agent, `/v1/workspaces/${workspaceId}/webhooks/ingest`, {
      method: 'POST',
      body: { provider: 'hub', event_type: 'file.updated', path: '/hub/a', data: { content: 'x' }, ...body },
    });
    await agent.ingest.idle();
    return sent.json.id as string;
  };
  const admin = (route: string, options: object = {}) =>
    request(agent, `/v1/admin/${route}`, { token: one.token, ...options });
  const ids = [one, two, three].map(({ workspaceId }) => workspaceId).sort();
  return { agent, one, two, three, ids, hook, admin };
}

const broken = { data: { content: '*', encoding: 'base64' } };

test('the backends name the queues with their depth', async () => {
  const { admin } = await withTwoWorkspaces();
  expect((await admin('backends')).json).toEqual({
    backendProfile: 'durable-local',
    stateBackend: 'sqlite',
    envelopeQueue: 'sqlite',
    envelopeQueueDepth: 0,
    envelopeQueueCapacity: 10_000,
    writebackQueue: 'sqlite',
    writebackQueueDepth: 0,
    writebackQueueCapacity: 0,
  });
});

test('ingress adds up all workspaces, pages through them and raises alerts, worst first', async () => {
  const { admin, hook, one, two, ids } = await withTwoWorkspaces();
  await hook(one.workspaceId, { delivery_id: 'd' });
  await hook(one.workspaceId, { delivery_id: 'd' });
  await hook(two.workspaceId, broken);
  const all = (await admin('ingress')).json;
  expect(all).toMatchObject({
    alertProfile: 'balanced',
    effectiveAlertProfile: 'balanced',
    workspaceCount: 3,
    returnedWorkspaceCount: 3,
    workspaceIds: ids,
    nextCursor: null,
    acceptedTotal: 2,
    dedupedTotal: 1,
    deadLetterTotal: 1,
    thresholds: { pending: 100, deadLetter: 1, stale: 10, dropRate: 0.05 },
    alertTotals: { total: 1, critical: 1, warning: 0, byType: { dead_letters: 1 } },
    alertsTruncated: false,
    alerts: [
      { workspaceId: two.workspaceId, type: 'dead_letters', severity: 'critical', value: 1, threshold: 1 },
    ],
  });
  expect(Object.keys(all.workspaces).sort()).toEqual(ids);

  expect((await admin('ingress?nonZeroOnly=true')).json.workspaceCount).toBe(2);
  expect((await admin(`ingress?workspaceId=${one.workspaceId}`)).json).toMatchObject({
    workspaceCount: 1,
    acceptedTotal: 1,
  });
  expect((await admin('ingress?workspaceId=rw_none')).json.workspaceCount).toBe(0);
  expect((await admin('ingress?provider=mail')).json.acceptedTotal).toBe(0);
  const page = (await admin('ingress?limit=2')).json;
  expect(page).toMatchObject({ workspaceCount: 3, returnedWorkspaceCount: 2, nextCursor: ids[1] });
  expect((await admin(`ingress?limit=2&cursor=${ids[1]}`)).json).toMatchObject({
    workspaceIds: [ids[2]],
    nextCursor: null,
  });
  expect((await admin('ingress?includeWorkspaces=false')).json.workspaces).toEqual({});
  expect((await admin('ingress?includeAlerts=false')).json).toMatchObject({
    alerts: [],
    alertsTruncated: false,
  });
  expect((await admin('ingress?maxAlerts=0')).json).toMatchObject({ alerts: [], alertsTruncated: true });
  expect((await admin('ingress?alertProfile=relaxed')).json).toMatchObject({
    effectiveAlertProfile: 'relaxed',
    alertTotals: { total: 0 },
  });
  expect((await admin('ingress?alertProfile=relaxed&deadLetterThreshold=1')).json).toMatchObject({
    alertProfile: 'relaxed',
    effectiveAlertProfile: 'custom',
    thresholds: { pending: 500, deadLetter: 1 },
    alertTotals: { total: 1 },
  });
});

test('sync adds up the providers of all workspaces', async () => {
  const { admin, hook, one, two } = await withTwoWorkspaces();
  await hook(one.workspaceId);
  await hook(two.workspaceId, broken);
  const all = (await admin('sync')).json;
  expect(all).toMatchObject({
    workspaceCount: 3,
    providerStatusCount: 2,
    healthyCount: 1,
    errorCount: 1,
    laggingCount: 0,
    pausedCount: 0,
    deadLetteredEnvelopesTotal: 1,
    deadLetteredOpsTotal: 0,
    thresholds: { statusError: 1, lagSeconds: 30, deadLetteredEnvelopes: 1, deadLetteredOps: 1 },
    alertTotals: { total: 2, critical: 2 },
    failureCodes: { unknown: 1 },
  });
  expect(all.alerts.map((alert: { type: string }) => alert.type)).toEqual([
    'dead_lettered_envelopes',
    'status_error',
  ]);
  expect((await admin('sync?nonZeroOnly=true')).json).toMatchObject({
    workspaceCount: 1,
    providerStatusCount: 1,
  });
  expect(
    (await admin('sync?deadLetteredEnvelopesThreshold=2&statusErrorThreshold=2')).json.alertTotals.total,
  ).toBe(0);
});

test('a parameter that is not as described is refused by its name', async () => {
  const { admin } = await withTwoWorkspaces();
  const routes = [
    'ingress?alertProfile=calm',
    'ingress?limit=0',
    'ingress?limit=5001',
    'ingress?limit=x',
    'ingress?maxAlerts=10001',
    'ingress?pendingThreshold=0',
    'ingress?dropRateThreshold=1.1',
    'ingress?dropRateThreshold=-1',
    'ingress?nonZeroOnly=maybe',
    'ingress?includeAlerts=2',
    'sync?lagSecondsThreshold=0',
    'sync?limit=1.5',
  ];
  for (const route of routes) {
    const name = /\?(\w+)=/.exec(route)?.[1];
    expect(errorOf(await admin(route))).toEqual([400, 'bad_request', `invalid ${name}`]);
  }
});

test('a dead letter of any workspace is replayed by its id, under both spellings', async () => {
  const { agent, one, two, hook } = await withTwoWorkspaces();
  const id = await hook(one.workspaceId, broken);
  const replay = (route: string, token: string) =>
    request(agent, `/v1/admin/replay/${route}`, { method: 'POST', token });
  expect(codeOf(await replay(`envelope/${id}`, one.token))).toEqual([403, 'forbidden']);
  const first = await replay(`envelope/${id}`, two.token);
  expect(first.status).toBe(202);
  expect(first.json).toEqual({ status: 'queued', id, correlationId: 'test-1' });
  await agent.ingest.idle();
  expect((await replay(`envelopes/${id}`, two.token)).status).toBe(202);
  await agent.ingest.idle();
  const detail = await request(agent, `/v1/workspaces/${one.workspaceId}/sync/dead-letter/${id}/detail`);
  expect(detail.json.attempts).toHaveLength(3);
  expect(codeOf(await replay('envelope/env_none', two.token))).toEqual([404, 'not_found']);
});

test('an id that dead letters of two workspaces have is not guessed at', async () => {
  const { agent, one, two } = await withTwoWorkspaces();
  for (const { workspaceId } of [one, two]) {
    await agent.ingest.receive({
      workspaceId,
      provider: 'hub',
      envelopeId: 'env_same',
      deliveryId: null,
      occurredAtMs: null,
      correlationId: 'c',
      headers: null,
      payload: {},
      signature: null,
      authority: null,
    });
  }
  await agent.ingest.idle();
  const replayed = await request(agent, '/v1/admin/replay/envelope/env_same', {
    method: 'POST',
    token: two.token,
  });
  expect(codeOf(replayed)).toEqual([409, 'invalid_state']);
});

test('reading needs either admin scope, whatever the token’s workspace; a correlation id is needed, too', async () => {
  const { agent, two, three, admin } = await withTwoWorkspaces();
  expect((await admin('ingress', { token: two.token })).status).toBe(200);
  expect(errorOf(await admin('ingress', { token: three.token }))).toEqual([
    403,
    'forbidden',
    'missing required scope: admin:read',
  ]);
  expect((await admin('sync', { token: agent.ownerToken })).status).toBe(200);
  expect(codeOf(await admin('backends', { token: null }))).toEqual([401, 'unauthorized']);
  expect(codeOf(await admin('backends', { correlationId: null }))).toEqual([400, 'bad_request']);
});
