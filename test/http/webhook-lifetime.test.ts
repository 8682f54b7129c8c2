// Endpoints and subscriptions end with the token that registered them; what the owner registered stays.
import { expect, test } from 'vitest';
import { codeOf, request } from '../support/api-request.ts';
import {
  type HttpAgent,
  type HttpAgentOptions,
  makeWorkspace,
  startHttpAgent,
} from '../support/http-agent.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { providerSecret, startProvider } from '../support/provider.ts';
import { waitFor } from '../support/wait-for.ts';

const ttlSeconds = 60;
const lifeMs = ttlSeconds * 1000;
const hourMs = 3_600_000;
const webhookScopes = ['fs:read', 'webhooks:read', 'webhooks:write', 'webhooks:replay'];

async function bench(options: HttpAgentOptions = {}) {
  const clock = createManualClock();
  const agent = await startHttpAgent({ sends: true, clock, ...options });
  const { workspaceId } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  const put = async (path: string, more: object = {}) => {
    const url = `${w}/fs/file?path=${encodeURIComponent(path)}`;
    const headers = { 'if-match': '*' };
    expect(
      (await request(agent, url, { method: 'PUT', headers, body: { content: 'x', ...more } })).status,
    ).toBe(202);
  };
  const post = (url: string, body?: unknown, token = agent.ownerToken) =>
    request(agent, `${w}/${url}`, { method: 'POST', body, token });
  const list = async () => (await request(agent, `${w}/webhooks`)).json;
  const dead = async () => (await request(agent, `${w}/webhooks/dlq`)).json.items;
  const deliveries = async (status: 'pending' | 'running') => {
    const { bytes } = await request(agent, '/metrics');
    return new RegExp(`^mooring_webhook_deliveries\\{status="${status}"\\} (\\d+)$`, 'm').exec(
      bytes.toString(),
    )?.[1];
  };
  const pending = () => deliveries('pending');
  const running = () => deliveries('running');
  return { agent, clock, workspaceId, w, put, post, list, dead, pending, running };
}

/** Only the owner may register an address of this machine: it is added as if that token had been allowed to. */
async function register(agent: HttpAgent, workspaceId: string, url: string, agentName = 'ann') {
  const issued = await agent.tokens.issue({
    workspaceId,
    ttlSeconds,
    scopes: webhookScopes,
    agent: agentName,
  });
  const { webhookId } = await agent.outbound.webhooks.add(workspaceId, {
    url,
    globs: ['/**'],
    secret: providerSecret,
    allowed: { plainHttp: true, privateAddresses: true },
    access: { workspaceId, agent: agentName, scopes: webhookScopes },
    tokenIds: [issued.row.tokenId],
    expiresAtMs: issued.row.expiresAtMs,
  });
  return { ...issued, webhookId };
}

/** Of the owner: its event arrives after those of the others would have. */
async function registerOwner(agent: HttpAgent, workspaceId: string, url: string) {
  const body = {
    url,
    pathGlobs: ['/**'],
    secret: providerSecret,
    allowPlainHttp: true,
    allowPrivateAddresses: true,
  };
  const answer = await request(agent, `/v1/workspaces/${workspaceId}/webhooks`, { method: 'POST', body });
  expect(answer.status).toBe(201);
  return answer.json.subscriptionId as string;
}

test('an endpoint is called no more once its token has expired, and says why; what waited for it is dropped', async () => {
  const { agent, clock, workspaceId, put, post, list, dead, pending, running } = await bench();
  const [receiver, ownReceiver] = [await startProvider(), await startProvider()];
  const { webhookId, row } = await register(agent, workspaceId, receiver.url);
  const ownId = await registerOwner(agent, workspaceId, ownReceiver.url);
  await put('/delivered');
  await waitFor(
    'the event before the end',
    () => receiver.items.length === 1 && ownReceiver.items.length === 1,
  );
  await receiver.tell({ behaviour: { kind: 'status', status: 410 } });
  await put('/dead');
  await waitFor('the dead letter', async () => (await dead()).length === 1);
  await receiver.tell({ behaviour: { kind: 'status', status: 503 } });
  await put('/waits');
  // A call that is under way would end with the clock, and then wait for it.
  await waitFor(
    'a delivery that waits for its next attempt, and the end of that of the owner',
    async () =>
      ownReceiver.items.some((item) => item.data.path === '/waits') &&
      (await running()) === '0' &&
      (await pending()) === '1',
  );
  const calls = receiver.items.length;

  clock.advance(lifeMs);
  await waitFor('the queue to be dropped', async () => (await pending()) === '0');
  await receiver.tell({ behaviour: { kind: 'take' } });
  await put('/after');
  clock.advance(hourMs);
  await waitFor('the event of the owner’s endpoint', () =>
    ownReceiver.items.some((item) => item.data.path === '/after'),
  );
  expect(receiver.items).toHaveLength(calls);
  const endedAt = expect.stringMatching(/^2026-11-20T12:01:0/);
  const [ended, own] = [webhookId, ownId].map((id) =>
    list().then((all) => all.find((one: { id: string }) => one.id === id)),
  );
  expect(await ended).toMatchObject({
    status: 'ended',
    endCause: 'token_expired',
    endedAt,
    expiresAt: endedAt,
  });
  expect(await own).toMatchObject({ status: 'active', endCause: null, endedAt: null, expiresAt: null });
  expect(row.expiresAtMs).toBeLessThan(clock.nowMs());
  const [letter] = await dead();
  expect(codeOf(await post(`webhooks/dlq/${letter.deliveryId}/replay`))).toEqual([409, 'invalid_state']);
});

test('an endpoint whose token was revoked says so and is called no more', async () => {
  const { agent, workspaceId, put, list } = await bench();
  const [receiver, ownReceiver] = [await startProvider(), await startProvider()];
  const { row, webhookId } = await register(agent, workspaceId, receiver.url);
  await registerOwner(agent, workspaceId, ownReceiver.url);
  await put('/before');
  await waitFor('the event before', () => receiver.items.length === 1);
  await agent.tokens.revoke(workspaceId, row.tokenId);
  await put('/after');
  await waitFor('the owner’s event', () => ownReceiver.items.length === 2);
  expect(receiver.items).toHaveLength(1);
  const revoked = (await list()).find((one: { id: string }) => one.id === webhookId);
  expect(revoked).toMatchObject({ status: 'ended', endCause: 'token_revoked' });
});

test('what ended while the agent did not run is not sent at its next start', async () => {
  const { agent, clock, workspaceId, put, list, pending } = await bench({ sends: false });
  const [receiver, ownReceiver] = [await startProvider(), await startProvider()];
  await register(agent, workspaceId, receiver.url, 'ann');
  const revoked = await register(agent, workspaceId, receiver.url, 'bob');
  await registerOwner(agent, workspaceId, ownReceiver.url);
  await put('/while-away');
  await agent.tokens.revoke(workspaceId, revoked.row.tokenId);
  clock.advance(lifeMs);
  await agent.outbound.start();
  await put('/after');
  await waitFor('both events of the owner', () => ownReceiver.items.length === 2);
  expect(receiver.items).toEqual([]);
  expect(await pending()).toBe('0');
  const causes = (await list()).map((one: { endCause: string | null }) => one.endCause);
  expect(causes.toSorted()).toEqual(['token_expired', 'token_revoked', null].toSorted());
});

test('a delivery that waits is dropped when its path is hidden from the token meanwhile', async () => {
  const { agent, clock, workspaceId, put, pending } = await bench();
  const receiver = await startProvider();
  await receiver.tell({ behaviour: { kind: 'status', status: 503 } });
  await register(agent, workspaceId, receiver.url);
  await put('/docs/a');
  await put('/open/b');
  await waitFor(
    'two deliveries that wait',
    async () => (await pending()) === '2' && receiver.items.length >= 2,
  );
  await put('/docs/.relayfile.acl', { content: '{"semantics":{"permissions":["deny:agent:ann"]}}' });
  await receiver.tell({ behaviour: { kind: 'take' } });
  const taken = () => receiver.items.filter((item) => item.taken).map((item) => item.data.path);
  await waitFor('the other one to arrive', () => {
    // Less than the life of the token, more than the pause before the second attempt.
    clock.advance(3_000);
    return taken().length > 0;
  });
  await waitFor('nothing to wait any more', async () => (await pending()) === '0');
  expect(taken()).toEqual(['/open/b']);
});

test('an endpoint and a subscription of a token that was revoked while they were registered do not begin', async () => {
  const { agent, workspaceId, list } = await bench();
  const { token, row } = await agent.tokens.issue({ workspaceId, ttlSeconds, scopes: webhookScopes });
  const add = () =>
    agent.outbound.webhooks.add(workspaceId, {
      url: 'https://example.org/',
      globs: ['/**'],
      allowed: { plainHttp: false, privateAddresses: false },
      access: { workspaceId, agent: 'ann', scopes: webhookScopes },
      tokenIds: [row.tokenId],
      expiresAtMs: row.expiresAtMs,
    });
  await agent.tokens.revoke(workspaceId, row.tokenId);
  await expect(add()).rejects.toThrow('revoked');
  expect(await list()).toEqual([]);
  expect(codeOf(await request(agent, `/v1/workspaces/${workspaceId}/webhooks`, { token }))[0]).toBe(401);
});

const resource = '/github/issues/by-id/7.json';

async function subscribe(agent: HttpAgent, w: string, token: string) {
  const body = {
    provider: 'github',
    resourceRef: resource,
    eventTypes: ['file.created', 'file.updated'],
    subscriberId: 'me',
    ttlSeconds: 86_400,
  };
  const answer = await request(agent, `${w}/subscriptions`, { method: 'POST', body, token });
  expect([200, 201]).toContain(answer.status);
  return answer.json;
}

test('a subscription ends with its token, keeps what came before for the same agent, and is renewed by its next token', async () => {
  const { agent, clock, workspaceId, w, put, post } = await bench();
  const issue = () => agent.tokens.issue({ workspaceId, ttlSeconds, scopes: ['fs:read'], agent: 'ann' });
  const first = await issue();
  const made = await subscribe(agent, w, first.token);
  expect(Date.parse(made.expiresAt)).toBe(first.row.expiresAtMs);
  expect(Date.parse((await subscribe(agent, w, agent.ownerToken)).expiresAt)).toBe(
    clock.nowMs() + 86_400_000,
  );
  await put(resource);
  clock.advance(lifeMs);
  await put(resource);
  const second = await issue();
  const active = await request(agent, `${w}/subscriptions`, { token: second.token });
  expect(active.json.subscriptions).toEqual([]);
  const claim = async (token: string) =>
    (await post('subscriptions/deliveries/claim', {}, token)).json.deliveries;
  const types = (deliveries: readonly { event: { type: string } }[]) =>
    deliveries.map(({ event }) => event.type);
  expect(types(await claim(second.token))).toEqual(['file.created']);
  expect(types(await claim(agent.ownerToken))).toEqual(['file.created', 'file.updated']);
  const renewed = await subscribe(agent, w, second.token);
  expect(Date.parse(renewed.expiresAt)).toBe(second.row.expiresAtMs);
});

test('a revoked token cancels its subscriptions with what waits, also those of tokens made under it', async () => {
  const { agent, workspaceId, w, put, post } = await bench();
  const parent = await agent.tokens.issue({ workspaceId, scopes: ['fs:read'], agent: 'ann' });
  const verified = await agent.tokens.verify(parent.token);
  if (!verified.ok) throw new Error('the token is good');
  const child = await agent.tokens.issue({
    parentToken: verified.token,
    workspaceId,
    scopes: ['fs:read'],
    agent: 'helper',
  });
  await subscribe(agent, w, parent.token);
  await subscribe(agent, w, child.token);
  await put(resource);
  await agent.tokens.revoke(workspaceId, parent.row.tokenId);
  await put(resource);
  const next = await agent.tokens.issue({ workspaceId, scopes: ['fs:read'], agent: 'ann' });
  const claimed = await post('subscriptions/deliveries/claim', {}, next.token);
  expect(claimed.json.deliveries).toEqual([]);
  const rows = await agent.store.subscriptions.list(workspaceId, 'ann/helper', 0);
  expect(rows).toEqual([]);
});
