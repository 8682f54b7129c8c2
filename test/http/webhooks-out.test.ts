import { expect, test } from 'vitest';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { type HttpAgentOptions, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { providerSecret, startProvider } from '../support/provider.ts';
import { waitFor } from '../support/wait-for.ts';

const local = { allowPlainHttp: true, allowPrivateAddresses: true };
const hourMs = 3_600_000;

async function bench(options: HttpAgentOptions = {}) {
  const agent = await startHttpAgent({ sends: true, ...options });
  const { workspaceId, token } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  const post = (url: string, body?: unknown, as = agent.ownerToken) =>
    request(agent, `${w}/${url}`, { method: 'POST', token: as, body });
  const put = async (path: string, content = 'x', more: object = {}) =>
    await request(agent, `${w}/fs/file?path=${encodeURIComponent(path)}`, {
      method: 'PUT',
      headers: { 'if-match': '*' },
      body: { content, ...more },
    });
  const register = async (url: string, pathGlobs: readonly string[], more: object = {}) =>
    (await post('webhooks', { url, pathGlobs, secret: providerSecret, ...local, ...more })).json;
  const list = async () => (await request(agent, `${w}/webhooks`)).json;
  const dead = async (query = '') => (await request(agent, `${w}/webhooks/dlq${query}`)).json;
  return { agent, workspaceId, token, w, post, put, register, list, dead };
}

test('an address is told of each change of its paths, signed, without content', async () => {
  const { put, register, workspaceId, list } = await bench();
  const receiver = await startProvider();
  await put('/docs/before');
  const { subscriptionId, secret } = await register(receiver.url, ['/docs/**', '/one']);
  expect(secret).toBeUndefined();
  await put('/docs/a', 'content');
  await put('/elsewhere');
  await put('/one');
  await put('/docs/deep/b');
  await waitFor('three events', () => receiver.items.length === 3);
  const byPath = new Map(receiver.items.map((call) => [call.data.path, call]));
  expect([...byPath.keys()].sort()).toEqual(['/docs/a', '/docs/deep/b', '/one']);
  expect(byPath.get('/docs/a')).toMatchObject({
    signed: true,
    id: expect.stringMatching(/^dlv_\d+$/),
    type: 'file.created',
    data: { workspaceId, subscriptionId, eventId: expect.any(String), correlationId: 'test-1' },
  });
  expect(JSON.stringify(receiver.items)).not.toContain('content"');
  const health = await waitFor('its health', async () => {
    const [one] = await list();
    return one.health.lastSuccessAt !== null && one;
  });
  expect(health).toMatchObject({
    id: subscriptionId,
    pathGlobs: ['/docs/**', '/one'],
    health: { lastError: null },
  });
});

test('what cannot be told is tried again, then is a dead letter, and can be told after all', async () => {
  const clock = createManualClock();
  const { agent, put, register, dead, list, post, w } = await bench({ clock });
  const receiver = await startProvider();
  await receiver.tell({ behaviour: { kind: 'status', status: 500 } });
  const { subscriptionId } = await register(receiver.url, ['/**']);
  await put('/a');
  await put('/b');
  const page = await waitFor('two dead letters', async () => {
    clock.advance(hourMs);
    const found = await dead();
    return found.items.length === 2 && found;
  });
  expect(page.items[0]).toMatchObject({
    subscriptionId,
    attemptCount: 16,
    replayCount: 0,
    status: 'dead_lettered',
    url: receiver.url,
  });
  expect((await list())[0].health.consecutiveFailures).toBeGreaterThan(16);
  const first = await dead('?limit=1');
  expect(first.nextCursor).toBe(first.items[0].deliveryId);
  const second = await dead(`?cursor=${first.nextCursor}`);
  expect(second).toMatchObject({ items: [{ deliveryId: page.items[1].deliveryId }], nextCursor: null });

  await receiver.tell({ behaviour: { kind: 'take' } });
  const { deliveryId } = page.items[0];
  // The pause of an address that failed is over, while nothing is on its way that could take too long by this clock.
  clock.advance(hourMs);
  expect((await post(`webhooks/dlq/${deliveryId}/replay`)).status).toBe(202);
  const taken = await waitFor('the replayed event', () => receiver.items.find((call) => call.taken));
  expect(taken.id).toBe(deliveryId);
  await waitFor('its new status', async () => (await dead()).items[0].status === 'delivered');
  expect(codeOf(await post(`webhooks/dlq/${deliveryId}/replay`))).toEqual([409, 'invalid_state']);
  expect(codeOf(await post('webhooks/dlq/dlv_999/replay'))).toEqual([404, 'not_found']);
  expect(codeOf(await request(agent, `${w}/webhooks/dlq?cursor=x`))).toEqual([400, 'bad_request']);
});

test('an address that says that it is gone gets one call', async () => {
  const { put, register, dead } = await bench();
  const receiver = await startProvider();
  await receiver.tell({ behaviour: { kind: 'status', status: 410 } });
  await register(receiver.url, ['/**']);
  await put('/a');
  const { items } = await waitFor('the dead letter', async () => {
    const page = await dead();
    return page.items.length === 1 && page;
  });
  expect(items[0]).toMatchObject({ attemptCount: 1, lastError: expect.stringContaining('410') });
  expect(receiver.items).toHaveLength(1);
});

test('the metrics tell what waits and for how long, what goes again and what was given up, without naming anybody', async () => {
  const clock = createManualClock();
  const { agent, put, register, dead } = await bench({ clock });
  const receiver = await startProvider();
  const figures = async () => {
    const text = (await request(agent, '/metrics')).bytes.toString();
    expect(text).not.toContain(receiver.url);
    return (name: string) =>
      text
        .split('\n')
        .find((line) => line.startsWith(`mooring_webhook_${name} `))
        ?.split(' ')[1];
  };
  await receiver.tell({ behaviour: { kind: 'status', status: 410 } });
  await register(receiver.url, ['/**']);
  await put('/a');
  await waitFor('the dead letter', async () => (await dead()).items.length === 1);
  const gone = await figures();
  expect(gone('deliveries{status="dead_lettered"}')).toBe('1');
  expect(gone('attempt_duration_seconds_count{outcome="refused"}')).toBe('1');
  expect(gone('oldest_pending_seconds')).toBe('0');

  await receiver.tell({ behaviour: { kind: 'status', status: 500 } });
  await put('/b');
  await waitFor('a try to have failed', async () => (await figures())('retries_total') === '1');
  clock.advance(500);
  const waiting = await figures();
  expect(waiting('deliveries{status="pending"}')).toBe('1');
  expect(waiting('oldest_pending_seconds')).toBe('0.5');

  await receiver.tell({ behaviour: { kind: 'take' } });
  await waitFor('the event', async () => {
    clock.advance(60_000);
    return (await figures())('attempt_duration_seconds_count{outcome="delivered"}') === '1';
  });
  expect((await figures())('deliveries{status="pending"}')).toBe('0');
});

test('private addresses, plain http and names that mean this machine are refused, unless the owner allows them', async () => {
  const { agent, post, workspaceId } = await bench();
  const { token } = await agent.tokens.issue({ workspaceId, scopes: ['webhooks:write', 'fs:read'] });
  const register = async (url: string, more: object = {}, as = token) =>
    codeOf(await post('webhooks', { url, pathGlobs: ['/**'], ...more }, as));
  for (const url of [
    'http://example.org/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://10.1.2.3/',
    'https://[::1]/',
    'https://[::ffff:192.168.1.1]/',
    'https://169.254.169.254/latest',
    'https://user:password@example.org/',
    'ftp://example.org/',
    'nonsense',
  ]) {
    expect([url, ...(await register(url))]).toEqual([url, 400, 'invalid_webhook_url']);
  }
  expect(await register('https://127.0.0.1/', local)).toEqual([403, 'forbidden']);
  expect(await register('https://127.0.0.1/', local, agent.ownerToken)).toEqual([201, undefined]);
  expect(await register('https://example.org/', { secret: 'whsec_short' })).toEqual([400, 'bad_request']);
  expect(await register('https://example.org/', { secret: 'too short' })).toEqual([400, 'bad_request']);
  expect(await register('https://example.org/', { secret: 'long enough for a key' })).toEqual([
    201,
    undefined,
  ]);
});

test('it needs scopes of its own, and may be told only what its token may read', async () => {
  const { agent, post, put, workspaceId, w, token, list } = await bench();
  const receiver = await startProvider();
  expect(errorOf(await post('webhooks', { url: 'https://example.org', pathGlobs: ['/**'] }, token))).toEqual([
    403,
    'forbidden',
    'missing required scope: webhooks:write',
  ]);
  const scopes = ['webhooks:write', 'relayfile:fs:read:/docs/**'];
  const narrow = await agent.tokens.issue({ workspaceId, scopes, agent: 'ann' });
  const register = async (glob: string) =>
    codeOf(await post('webhooks', { url: 'https://example.org', pathGlobs: [glob] }, narrow.token))[0];
  expect(await Promise.all(['/**', '/*/a', '/elsewhere', '/doc*/a', '/docs2'].map(register))).toEqual(
    Array.from({ length: 5 }, () => 403),
  );
  expect(await Promise.all(['/docs/**', '/docs/*/x', '/docs'].map(register))).toEqual([201, 201, 201]);
  expect(codeOf(await request(agent, `${w}/webhooks`, { token: narrow.token }))).toEqual([403, 'forbidden']);

  // The one that calls this machine is made under the token's eyes, as the owner would have allowed it.
  await agent.outbound.webhooks.add(workspaceId, {
    url: receiver.url,
    globs: ['/docs/**'],
    secret: providerSecret,
    allowed: { plainHttp: true, privateAddresses: true },
    access: { workspaceId, agent: 'ann', scopes },
    tokenIds: [narrow.row.tokenId],
    expiresAtMs: narrow.row.expiresAtMs,
  });
  await put('/docs/hidden', 'x', { semantics: { permissions: ['allow:agent:somebody'] } });
  await put('/docs/shown');
  await waitFor('the event that it may see', () => receiver.items.length === 1);
  expect(receiver.items.map((call) => call.data.path)).toEqual(['/docs/shown']);
  await agent.tokens.revoke(workspaceId, narrow.row.tokenId);
  await put('/docs/later');
  const statuses = (await list()).map((one: { status: string }) => one.status);
  expect(statuses).toEqual(Array.from({ length: 4 }, () => 'ended'));
  expect(receiver.items).toHaveLength(1);
});

test('webhooks:write over every glob is enough to register, and reading is not', async () => {
  const { agent, post, workspaceId } = await bench();
  const register = async (scopes: readonly string[], pathGlobs: readonly string[]) => {
    const { token } = await agent.tokens.issue({ workspaceId, scopes });
    return codeOf(await post('webhooks', { url: 'https://example.org', pathGlobs }, token));
  };
  const writer = ['relayfile:fs:write:/p/**', 'relayfile:webhooks:write:/p/**'];
  expect(await register(writer, ['/p/**'])).toEqual([201, undefined]);
  expect(await register(writer, ['/p/a', '/p/*/b'])).toEqual([201, undefined]);
  expect(await register(writer, ['/p/a', '/q/a'])).toEqual([403, 'forbidden']);
  expect(await register(['fs:read', 'relayfile:webhooks:write:/p/**'], ['/**'])).toEqual([403, 'forbidden']);
});

test('one that is removed is told nothing more, and its dead letters go', async () => {
  const { agent, put, register, list, dead, w } = await bench();
  const receiver = await startProvider();
  const { subscriptionId } = await register(receiver.url, ['/**']);
  await put('/a');
  await waitFor('the first event', () => receiver.items.length === 1);
  const remove = () => request(agent, `${w}/webhooks/${subscriptionId}`, { method: 'DELETE' });
  expect((await remove()).status).toBe(204);
  expect(codeOf(await remove())).toEqual([404, 'not_found']);
  const other = await register(receiver.url, ['/**']);
  await put('/b');
  await waitFor('the event of the other', () => receiver.items.length === 2);
  expect(receiver.items[1]?.data.subscriptionId).toBe(other.subscriptionId);
  expect([(await list()).length, (await dead()).items]).toEqual([1, []]);
});
