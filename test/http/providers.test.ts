import { expect, test } from 'vitest';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { type ProviderProcess, providerSecret, startProvider } from '../support/provider.ts';
import { waitFor } from '../support/wait-for.ts';

interface Rig {
  readonly agent: HttpAgent;
  readonly provider: ProviderProcess;
  readonly token: string;
  readonly w: string;
  put(path: string, content: string): Promise<string>;
  reaches(opId: string, status: string): Promise<Record<string, unknown>>;
}

async function rig(): Promise<Rig> {
  const [agent, provider] = await Promise.all([startHttpAgent({ sends: true }), startProvider()]);
  const { workspaceId, token } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  return {
    agent,
    provider,
    token,
    w,
    async put(path, content) {
      const answer = await request(agent, `${w}/fs/file?path=${encodeURIComponent(path)}`, {
        method: 'PUT',
        token,
        headers: { 'if-match': '*' },
        body: { content },
      });
      return answer.json.opId;
    },
    reaches: async (opId, status) =>
      await waitFor(`${opId} to be ${status}`, async () => {
        const { json } = await request(agent, `${w}/ops/${opId}`, { token });
        return json.status === status ? json : undefined;
      }),
  };
}

const add = (one: Rig, more: object = {}) =>
  request(one.agent, `${one.w}/providers`, {
    method: 'POST',
    body: {
      provider: 'Git',
      kind: 'http',
      url: one.provider.url,
      secret: providerSecret,
      allowPlainHttp: true,
      allowPrivateAddresses: true,
      ...more,
    },
  });

test('a provider is registered, changed, paused, tested and removed by the owner; its secret is never answered', async () => {
  const one = await rig();
  const { agent, w } = one;
  const added = await add(one);
  expect(added.status).toBe(201);
  expect(added.json).toMatchObject({
    provider: 'git',
    kind: 'http',
    hasSecret: true,
    state: 'healthy',
    circuit: 'closed',
    pending: 0,
  });
  expect(codeOf(await add(one))).toEqual([409, 'invalid_state']);
  const answers = [
    added,
    await request(agent, `${w}/providers`),
    await request(agent, `${w}/providers/GIT`),
    await request(agent, `${w}/providers/git`, { method: 'PATCH', body: { timeoutMs: 5_000 } }),
    await request(agent, `${w}/providers/git/pause`, { method: 'POST' }),
    await request(agent, `${w}/providers/git/resume`, { method: 'POST' }),
    await request(agent, `${w}/providers/git/test`, { method: 'POST' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200, 200]);
  expect(answers[3]?.json).toMatchObject({ timeoutMs: 5_000, url: one.provider.url });
  expect(answers[4]?.json.state).toBe('paused');
  expect(answers[6]?.json).toMatchObject({ ok: true, httpStatus: 200 });
  expect(answers.map(({ bytes }) => bytes.toString()).join('')).not.toContain('whsec');
  const removed = await request(agent, `${w}/providers/git`, { method: 'DELETE' });
  expect(removed.json).toEqual({ provider: 'git', canceled: 0 });
  expect((await request(agent, `${w}/providers`)).json).toEqual({ providers: [], senders: [] });
});

test('only the owner manages providers and sees contents in previews', async () => {
  const one = await rig();
  await add(one);
  const opId = await one.put('/git/a.md', 'x');
  for (const [method, path] of [
    ['GET', '/providers'],
    ['POST', '/providers'],
    ['GET', '/providers/git'],
    ['PATCH', '/providers/git'],
    ['DELETE', '/providers/git'],
    ['POST', '/providers/git/pause'],
    ['POST', '/providers/git/test'],
    ['GET', `/writeback/${opId}/preview`],
    ['GET', `/ops/${opId}/preview`],
  ] as const) {
    const answer = await request(one.agent, `${one.w}${path}`, { method, token: one.token });
    expect([path, ...errorOf(answer)]).toEqual([path, 403, 'forbidden', 'owner token required']);
  }
});

test('a word that is none of those that are taken is refused with these', async () => {
  const agent = await startHttpAgent();
  const { workspaceId } = await makeWorkspace(agent);
  const answer = await request(agent, `/v1/workspaces/${workspaceId}/providers`, {
    method: 'POST',
    body: { provider: 'git', kind: 'webdav' },
  });
  expect(errorOf(answer)).toEqual([400, 'bad_request', 'invalid body: kind must be one of: external, http']);
});

test('what cannot be called or is unknown is refused with the reason', async () => {
  const one = await rig();
  const { agent, w } = one;
  expect(errorOf(await add(one, { allowPrivateAddresses: false }))).toEqual([
    400,
    'bad_request',
    'url: 127.0.0.1 is a loopback or private address, which is only called with allowPrivateAddresses',
  ]);
  expect(codeOf(await add(one, { provider: 'a/b' }))).toEqual([400, 'bad_request']);
  expect(codeOf(await add(one, { timeoutMs: 1 }))).toEqual([400, 'bad_request']);
  for (const [method, path] of [
    ['GET', '/providers/none'],
    ['PATCH', '/providers/none'],
    ['DELETE', '/providers/none'],
    ['POST', '/providers/none/resume'],
    ['POST', '/providers/none/test'],
    ['GET', '/writeback/op_99/preview'],
    ['POST', '/writeback/op_99/cancel'],
    ['GET', '/ops/op_99/preview'],
    ['GET', '/ops/op_99/steps'],
  ] as const) {
    const body = method === 'PATCH' ? { body: {} } : {};
    expect([path, ...codeOf(await request(agent, `${w}${path}`, { method, ...body }))]).toEqual([
      path,
      404,
      'not_found',
    ]);
  }
});

test('a change goes to its provider, and its operation tells the story', async () => {
  const one = await rig();
  const { agent, w, token, provider } = one;
  await add(one);
  await provider.tell({ behaviour: { kind: 'status', status: 403 }, next: 1 });
  const opId = await one.put('/git/a.md', 'hello\n');
  await one.reaches(opId, 'dead_lettered');
  const preview = await request(agent, `${w}/ops/${opId}/preview?send=original`);
  expect(preview.json).toMatchObject({ opId, sizeBytes: 6, warnings: [], request: { url: provider.url } });
  expect(codeOf(await request(agent, `${w}/ops/${opId}/preview?send=both`))).toEqual([400, 'bad_request']);
  const replay = (body?: unknown) =>
    request(agent, `${w}/ops/${opId}/replay`, { method: 'POST', token, body });
  expect(codeOf(await replay({ send: 'nonsense' }))).toEqual([400, 'bad_request']);
  expect((await replay({ send: 'original' })).json).toEqual({
    status: 'queued',
    id: opId,
    correlationId: 'test-1',
  });
  expect(codeOf(await replay())).toEqual([409, 'invalid_state']);
  await one.reaches(opId, 'succeeded');
  const { json } = await request(agent, `${w}/ops/${opId}/steps`, { token });
  expect(json).toMatchObject({ opId, status: 'succeeded', actor: { kind: 'token' } });
  expect(json.steps.map((step: { kind: string; outcome?: string }) => [step.kind, step.outcome])).toEqual([
    ['written', undefined],
    ['attempt', 'refused'],
    ['replayed', 'original'],
    ['attempt', 'delivered'],
    ['settled', 'succeeded'],
  ]);
  const { json: page } = await request(agent, `${w}/fs/events`, { token });
  expect(page.events.map((event: { type: string }) => event.type)).toEqual([
    'file.created',
    'writeback.failed',
    'writeback.succeeded',
  ]);
});

test('an item is canceled while it is pending', async () => {
  const one = await rig();
  const { agent, w, token } = one;
  await add(one);
  await request(agent, `${w}/providers/git/pause`, { method: 'POST' });
  const opId = await one.put('/git/a.md', 'x');
  const cancel = () => request(agent, `${w}/writeback/${opId}/cancel`, { method: 'POST', token });
  expect((await cancel()).json).toEqual({ status: 'canceled', id: opId, correlationId: 'test-1' });
  expect(codeOf(await cancel())).toEqual([409, 'invalid_state']);
  expect((await request(agent, `${w}/writeback/pending`, { token })).json).toEqual([]);
});

test('drafts are swept only when that is asked for', async () => {
  const one = await rig();
  const { agent, w, token } = one;
  const path = '/git/messages 0e89a031-65f0-480e-a823-ab1d94b324ea.json';
  await add(one);
  await one.reaches(await one.put(path, '{}'), 'succeeded');
  const sweep = (body?: unknown) =>
    request(agent, `${w}/writeback/sweep-drafts`, { method: 'POST', token, body });
  const removed = [{ path, reason: 'space-uuid-draft' }];
  expect((await sweep()).json).toEqual({ dryRun: true, scanned: 1, removed, skipped: [] });
  expect((await sweep({ apply: true })).json).toEqual({ dryRun: false, scanned: 1, removed, skipped: [] });
  expect((await sweep({ apply: true })).json).toMatchObject({ scanned: 0, removed: [] });
  expect(errorOf(await sweep({ patterns: ['a/b'] }))).toEqual([
    400,
    'bad_request',
    'a/b is not a pattern for file names',
  ]);
});

test('a refresh pulls what the provider has into the workspace; without a body every provider is asked', async () => {
  const one = await rig();
  const { agent, w, token, provider } = one;
  await add(one, { refreshUrl: provider.refreshUrl });
  await provider.tell({
    pages: [{ files: [{ path: '/git/a.md', content: 'from there', providerObjectId: 'a1' }] }],
  });
  const answer = await request(agent, `${w}/sync/refresh`, { method: 'POST', token });
  expect([answer.status, answer.json]).toEqual([
    202,
    { status: 'queued', id: expect.stringMatching(/^sync_/), correlationId: 'test-1' },
  ]);
  const file = await waitFor('the file', async () => {
    const { status, json } = await request(agent, `${w}/fs/file?path=/git/a.md`, { token });
    return status === 200 ? json : undefined;
  });
  expect(file).toMatchObject({ content: 'from there', providerObjectId: 'a1' });
  expect((await request(agent, `${w}/writeback/pending`, { token })).json).toEqual([]);
  expect(
    codeOf(await request(agent, `${w}/sync/refresh`, { method: 'POST', token, body: { reason: 1 } })),
  ).toEqual([400, 'bad_request']);
});

test('the admin plane replays an operation of any workspace, in both spellings', async () => {
  const one = await rig();
  const { agent, w, token } = one;
  await request(agent, `${w}/providers`, { method: 'POST', body: { provider: 'git', kind: 'external' } });
  const { token: admin } = await agent.tokens.issue({
    workspaceId: w.split('/')[3] ?? '',
    scopes: ['admin:replay'],
  });
  for (const segment of ['op', 'ops']) {
    const opId = await one.put(`/git/${segment}.md`, 'x');
    const replay = (bearer: string) =>
      request(agent, `/v1/admin/replay/${segment}/${opId}`, { method: 'POST', token: bearer });
    expect(codeOf(await replay(token))).toEqual([403, 'forbidden']);
    expect(codeOf(await replay(admin))).toEqual([409, 'invalid_state']);
    await request(agent, `${w}/writeback/${opId}/ack`, { method: 'POST', token, body: { success: false } });
    expect((await replay(admin)).status).toBe(202);
    expect((await one.reaches(opId, 'pending')).attemptCount).toBe(0);
    expect(
      codeOf(await request(agent, `/v1/admin/replay/${segment}/op_99`, { method: 'POST', token: admin })),
    ).toEqual([404, 'not_found']);
  }
});

test('the metrics count items, calls and dead letters without naming anybody', async () => {
  const one = await rig();
  await add(one);
  await one.reaches(await one.put('/git/a.md', 'x'), 'succeeded');
  await one.provider.tell({ behaviour: { kind: 'status', status: 503 }, next: 1 });
  await one.reaches(await one.put('/git/c.md', 'x'), 'succeeded');
  await one.provider.tell({ behaviour: { kind: 'status', status: 404 } });
  await one.reaches(await one.put('/git/b.md', 'x'), 'dead_lettered');
  const text = (await request(one.agent, '/metrics')).bytes.toString();
  expect(text).toMatch(/mooring_writeback_attempt_duration_seconds_count\{outcome="delivered"\} 2/);
  expect(text).toMatch(/mooring_writeback_retries_total 1/);
  expect(text).toMatch(/mooring_writeback_dead_letters_total\{cause="not_found"\} 1/);
  expect(text).toMatch(/mooring_writeback_items\{status="dead_lettered"\} 1/);
  expect(text).toMatch(/mooring_writeback_oldest_pending_seconds 0/);
  expect(text).not.toContain('git');
});

test('a provider has one state with its cause, in its own list, in sync/status and in admin/sync', async () => {
  const one = await rig();
  const { agent, provider, w, token } = one;
  await add(one);
  const read = async () => {
    const [own, sync, admin] = await Promise.all([
      request(agent, `${w}/providers/git`),
      request(agent, `${w}/sync/status?provider=git`, { token }),
      request(agent, '/v1/admin/sync?provider=git'),
    ]);
    const wire = sync.json.providers[0].status;
    expect([own.json.state, admin.json.workspaces[sync.json.workspaceId].providers[0].status]).toEqual([
      wire,
      wire,
    ]);
    return [own.json.state, own.json.cause];
  };
  const hook = async (path: string) => {
    const event = { provider: 'git', event_type: 'file.updated', path, data: { content: 'x' } };
    await request(agent, `${w}/webhooks/ingest`, { method: 'POST', body: event });
    await agent.ingest.idle();
  };
  expect(await read()).toEqual(['healthy', undefined]);
  await provider.tell({ behaviour: { kind: 'status', status: 422 }, next: 1 });
  await one.reaches(await one.put('/git/a.md', 'one'), 'dead_lettered');
  expect(await read()).toEqual([
    'error',
    'The last call failed: it answered 422. 1 operation is dead-lettered.',
  ]);
  // A later call that succeeds does not settle what is dead-lettered.
  await one.reaches(await one.put('/git/b.md', 'two'), 'succeeded');
  expect(await read()).toEqual(['error', '1 operation is dead-lettered.']);
  await hook('/git/../c.md');
  await hook('/git/../d.md');
  expect(await read()).toEqual(['error', '1 operation is dead-lettered. 2 inbound events are dead letters.']);
  await request(agent, `${w}/providers/git/pause`, { method: 'POST' });
  expect(await read()).toEqual(['paused', 'Sending is paused.']);
  // Who only sends webhooks is known to the sync alone.
  await request(agent, `${w}/webhooks/ingest`, {
    method: 'POST',
    body: { provider: 'slack', event_type: 'file.updated', path: '/slack/../x' },
  });
  await agent.ingest.idle();
  const listed = (await request(agent, `${w}/providers`)).json;
  expect(listed.providers).toHaveLength(1);
  expect(listed.senders).toEqual([
    {
      provider: 'slack',
      state: 'error',
      cause: '1 inbound event is a dead letter.',
      lastReceivedAt: expect.any(String),
    },
  ]);
  expect((await request(agent, `${w}/sync/status?provider=slack`, { token })).json.providers).toMatchObject([
    { provider: 'slack', status: 'error', deadLetteredEnvelopes: 1 },
  ]);
});
