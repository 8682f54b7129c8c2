import { expect, test } from 'vitest';
import { codeOf, request } from '../support/api-request.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { waitFor } from '../support/wait-for.ts';

const resource = '/github/issues/by-id/42.json';
const asked = {
  provider: 'github',
  resourceRef: resource,
  eventTypes: ['file.updated', 'file.deleted', 'issue.closed'],
  terminalEventTypes: ['issue.closed'],
  subscriberId: 'builder-1',
  ttlSeconds: 3_600,
};

async function bench() {
  const clock = createManualClock();
  const agent = await startHttpAgent({ clock });
  const { workspaceId, token } = await makeWorkspace(agent, { agent: 'ann' });
  const w = `/v1/workspaces/${workspaceId}`;
  const post = (url: string, body?: unknown, as = token) =>
    request(agent, `${w}/subscriptions${url}`, { method: 'POST', token: as, body });
  const put = async (path: string, content: string) =>
    await request(agent, `${w}/fs/file?path=${path}`, {
      method: 'PUT',
      token,
      headers: { 'if-match': '*' },
      body: { content },
    });
  const webhook = async (event_type: string, path = resource) =>
    await request(agent, `${w}/webhooks/ingest`, {
      method: 'POST',
      token,
      body: { provider: 'github', event_type, path, delivery_id: crypto.randomUUID() },
    });
  const claim = async (as = token, limit = 100) =>
    (await post('/deliveries/claim', { limit }, as)).json.deliveries;
  const accept = (id: string, claimToken: string, as = token) =>
    post(`/deliveries/${id}/accept`, { claimToken }, as);
  return { agent, clock, workspaceId, token, w, post, put, webhook, claim, accept };
}

test('events of the resource wait until they are claimed and accepted', async () => {
  const { post, put, claim, accept } = await bench();
  const made = await post('', asked);
  expect([made.status, made.json]).toMatchObject([201, { ownerId: 'ann', status: 'active', intent: null }]);
  await put(resource, '1');
  await put('/github/issues/by-id/43.json', 'another');
  await put(resource, '2');
  await put(resource, '3');
  const claimed = await claim();
  expect(claimed).toMatchObject([
    {
      subscriptionId: made.json.id,
      event: { type: 'file.updated', path: resource },
      status: 'claimed',
      terminal: false,
    },
    { event: { type: 'file.updated' } },
  ]);
  expect(await claim()).toEqual([]);
  const [{ id, claimToken }] = claimed;
  expect(codeOf(await accept(id, 'another'))).toEqual([409, 'invalid_state']);
  const accepted = await accept(id, claimToken);
  expect(accepted.json.delivery).toMatchObject({ id, status: 'accepted', claimToken: null });
  expect((await accept(id, claimToken)).json).toEqual(accepted.json);
  expect(codeOf(await accept('sdl_999', claimToken))).toEqual([404, 'not_found']);
});

test('a claim that is not accepted in time can be made again, and the old one does not hold', async () => {
  const { post, put, claim, accept, clock } = await bench();
  await post('', asked);
  await put(resource, '1');
  await put(resource, '2');
  const [first] = await claim();
  clock.advance(60_000);
  expect(codeOf(await accept(first.id, first.claimToken))).toEqual([409, 'invalid_state']);
  const [second] = await claim();
  expect(second.id).toBe(first.id);
  expect(second.claimToken).not.toBe(first.claimToken);
  expect((await accept(second.id, second.claimToken)).status).toBe(200);
});

test('an event that only the provider knows is delivered, too, and a terminal one ends the subscription', async () => {
  const { agent, post, webhook, claim, token, w } = await bench();
  await post('', asked);
  await webhook('issue.labeled');
  await webhook('issue.closed', '/github/issues/by-id/43.json');
  await webhook('issue.closed');
  const [closed, ...others] = await waitFor('the delivery', async () => {
    const deliveries = await claim();
    return deliveries.length > 0 && deliveries;
  });
  expect(closed).toMatchObject({
    terminal: true,
    event: { type: 'issue.closed', provider: 'github', revision: '' },
  });
  expect(others).toEqual([]);
  const list = await request(agent, `${w}/subscriptions`, { token });
  expect(list.json).toEqual({ subscriptions: [] });
});

test('asking again renews, asking for something else is refused, and each owner has its own', async () => {
  const { agent, clock, post, w, token, workspaceId, put, claim } = await bench();
  const made = (await post('', asked)).json;
  clock.advance(1_000);
  const again = await post('', asked);
  expect([again.status, again.json.id]).toEqual([200, made.id]);
  expect(Date.parse(again.json.expiresAt)).toBe(Date.parse(made.expiresAt) + 1_000);
  expect(
    codeOf(await post('', { ...asked, eventTypes: ['file.updated'], terminalEventTypes: undefined })),
  ).toEqual([409, 'invalid_state']);
  const { token: other } = await agent.tokens.issue({ workspaceId, agent: 'bob' });
  const join = { method: 'POST', token: other, body: { agentName: 'ann' } };
  const borrowed = (await request(agent, `/api/v1/workspaces/${workspaceId}/join`, join)).json.token;
  await put(resource, '1');
  await put(resource, '2');
  expect([await claim(other), await claim(borrowed)]).toEqual([[], []]);
  const cancel = (as: string) =>
    request(agent, `${w}/subscriptions/${made.id}`, { method: 'DELETE', token: as });
  expect(codeOf(await cancel(other))).toEqual([404, 'not_found']);
  expect((await cancel(token)).status).toBe(204);
  expect(await claim()).toEqual([]);
  expect((await post('', asked)).status).toBe(201);
  clock.advance(3_600_000);
  expect((await request(agent, `${w}/subscriptions`, { token })).json.subscriptions).toEqual([]);
});

test('what may not be read is neither subscribed to nor claimed', async () => {
  const { agent, post, put, claim, workspaceId } = await bench();
  const narrow = await agent.tokens.issue({
    workspaceId,
    agent: 'bob',
    scopes: ['relayfile:fs:read:/docs/**'],
  });
  expect(codeOf(await post('', asked, narrow.token))).toEqual([403, 'forbidden']);
  await post('', asked);
  await put(resource, '1');
  await put(resource, '2');
  const later = await agent.tokens.issue({
    workspaceId,
    agent: 'ann',
    scopes: ['relayfile:fs:read:/docs/**'],
  });
  expect(await claim(later.token)).toEqual([]);
  expect(await claim()).toHaveLength(1);
});

test('a subscription that cannot be is refused', async () => {
  const { post } = await bench();
  for (const wrong of [
    { resourceRef: '/github/issues/42' },
    { resourceRef: '/gitlab/issues/by-id/42' },
    { resourceRef: '/github/../by-id/42' },
    { eventTypes: [] },
    { eventTypes: ['file.updated', 'file.updated'] },
    { eventTypes: ['file.updated'] },
    { ttlSeconds: 59 },
    { provider: 'Git Hub' },
    { more: true },
  ]) {
    expect([wrong, ...codeOf(await post('', { ...asked, ...wrong }))]).toEqual([wrong, 400, 'bad_request']);
  }
  expect(codeOf(await post('/deliveries/claim', { limit: 251 }))).toEqual([400, 'bad_request']);
});
