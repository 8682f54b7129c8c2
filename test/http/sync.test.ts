import { describe, expect, test } from 'vitest';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { createManualClock } from '../support/manual-clock.ts';

async function withWorkspace(options: Parameters<typeof startHttpAgent>[0] = {}) {
  const clock = createManualClock();
  const agent = await startHttpAgent({ clock, ...options });
  const { workspaceId, token } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  const call = (method: string, route: string, body?: unknown, by: string | null = token) =>
    request(agent, route.startsWith('/v1') ? route : `${w}${route}`, {
      method,
      token: by,
      ...(body === undefined ? {} : { body }),
    });
  const hook = async (body: object) => {
    const taken = await call('POST', '/webhooks/ingest', {
      provider: 'hub',
      event_type: 'file.updated',
      path: '/hub/a.md',
      data: { content: 'x' },
      ...body,
    });
    if (options.applies !== false) await agent.ingest.idle();
    clock.advance(1);
    return taken.json.id as string;
  };
  const broken = (more: object = {}) => hook({ data: { content: '***', encoding: 'base64' }, ...more });
  return { agent, clock, workspaceId, token, w, call, hook, broken };
}

describe('sync/status', () => {
  test('knows providers by their files, envelopes and errors; an unknown one is healthy', async () => {
    const { call, hook, broken } = await withWorkspace();
    const id = await hook({ provider: 'Mail', path: '/mail/a' });
    await broken();
    const { json } = await call('GET', '/sync/status');
    expect(json.providers).toMatchObject([
      {
        provider: 'hub',
        status: 'error',
        lastError: 'content is not base64',
        deadLetteredEnvelopes: 1,
        failureCodes: { unknown: 1 },
      },
      { provider: 'mail', status: 'healthy', cursor: id, lagSeconds: 0, lastError: null },
    ]);
    expect((await call('GET', '/sync/status?provider=MAIL')).json.providers).toHaveLength(1);
    expect((await call('GET', '/sync/status?provider=none')).json.providers).toMatchObject([
      { provider: 'none', status: 'healthy', cursor: null, watermarkTs: null },
    ]);
  });

  test('says who lags, and how old what waits is', async () => {
    const { call, hook, clock } = await withWorkspace({ applies: false });
    await hook({});
    clock.advance(31_000);
    expect((await call('GET', '/sync/status')).json.providers).toMatchObject([
      { provider: 'hub', status: 'lagging', lagSeconds: 31 },
    ]);
    expect((await call('GET', '/sync/ingress?provider=hub')).json).toMatchObject({
      pendingTotal: 1,
      oldestPendingAgeSeconds: 31,
    });
    expect((await call('GET', '/sync/ingress?provider=other')).json).toMatchObject({
      pendingTotal: 0,
      queueDepth: 1,
      ingressByProvider: {},
    });
  });
});

describe('dead letters over HTTP', () => {
  test('are listed, read, replayed with an edit, and acknowledged', async () => {
    const { agent, call, broken, workspaceId } = await withWorkspace();
    const first = await broken({ delivery_id: 'd1', headers: { a: 'b' } });
    const second = await broken({ path: '/hub/b.md' });
    const page = (await call('GET', '/sync/dead-letter?limit=1')).json;
    expect(page).toMatchObject({ items: [{ envelopeId: second }], nextCursor: second });
    expect((await call('GET', `/sync/dead-letter?cursor=${second}`)).json).toEqual({
      items: [
        {
          envelopeId: first,
          workspaceId,
          provider: 'hub',
          deliveryId: 'd1',
          correlationId: 'test-1',
          failedAt: expect.any(String),
          attemptCount: 1,
          lastError: 'content_undecodable: content is not base64',
        },
      ],
      nextCursor: null,
    });
    expect((await call('GET', '/sync/dead-letter?cause=path_invalid')).json.items).toEqual([]);
    expect((await call('GET', '/sync/dead-letter?cause=nonsense')).json.items).toEqual([]);
    expect((await call('GET', '/sync/dead-letter?provider=HUB&text=b.md')).json.items).toHaveLength(1);
    expect(codeOf(await call('GET', '/sync/dead-letter?cursor=env_none'))).toEqual([400, 'bad_request']);

    expect((await call('GET', `/sync/dead-letter/${first}`)).json.envelopeId).toBe(first);
    const detail = (await call('GET', `/sync/dead-letter/${first}/detail`)).json;
    expect(detail).toMatchObject({
      state: 'dead_letter',
      cause: 'content_undecodable',
      headers: { a: 'b' },
      payload: { path: '/hub/a.md', data: { content: '***' } },
      attempts: [{ attempt: 1, cause: 'content_undecodable' }],
    });
    const payload = { ...detail.payload, data: { content: 'mended' } };
    expect((await call('POST', `/sync/dead-letter/${first}/preview`)).json).toMatchObject({
      outcome: 'fails',
    });
    expect((await call('POST', `/sync/dead-letter/${first}/preview`, { payload })).json).toMatchObject({
      outcome: 'applied',
      effect: 'create',
      path: '/hub/a.md',
      after: { size: 6 },
    });
    const replayed = await call('POST', `/sync/dead-letter/${first}/replay`, { payload });
    expect(replayed.status).toBe(202);
    expect(replayed.json).toEqual({ status: 'queued', id: first, correlationId: 'test-1' });
    await agent.ingest.idle();
    expect((await call('GET', '/fs/file?path=/hub/a.md')).json.content).toBe('mended');
    expect((await call('GET', `/sync/dead-letter/${first}/detail`)).json).toMatchObject({
      state: 'settled',
      outcome: 'applied',
      payload: detail.payload,
      editedPayload: payload,
    });

    const acknowledged = await call('POST', `/sync/dead-letter/${second}/ack`);
    expect(acknowledged.json).toEqual({ status: 'acknowledged', id: second, correlationId: 'test-1' });
    for (const route of ['', '/replay', '/ack', '/preview', '/detail']) {
      const method = route === '' || route === '/detail' ? 'GET' : 'POST';
      expect(codeOf(await call(method, `/sync/dead-letter/env_none${route}`))).toEqual([404, 'not_found']);
    }
  });

  test('previews a move, an update, a delete, an event of no file and what is stale', async () => {
    const { call, hook, broken, clock } = await withWorkspace();
    await hook({ path: '/hub/old', data: { content: 'x', objectId: 'o1' } });
    const id = await broken({ path: '/hub/other' });
    const preview = async (payload: object) =>
      (await call('POST', `/sync/dead-letter/${id}/preview`, { payload })).json;
    const at = { event_type: 'file.updated', path: '/hub/old' };
    expect(await preview({ ...at, path: '/hub/new', data: { content: 'y', objectId: 'o1' } })).toMatchObject({
      effect: 'move',
      path: '/hub/new',
      movedFrom: '/hub/old',
    });
    expect(await preview({ ...at, data: { content: 'y' } })).toMatchObject({
      effect: 'update',
      before: { size: 1 },
    });
    expect(await preview({ ...at, event_type: 'file.deleted' })).toMatchObject({ effect: 'delete' });
    expect(await preview({ ...at, event_type: 'file.deleted', path: '/hub/none' })).toMatchObject({
      effect: 'none',
    });
    expect(await preview({ ...at, event_type: 'push' })).toEqual({ outcome: 'ignored', effect: 'none' });
    clock.advance(1_000);
    await hook({ path: '/hub/old', data: { content: 'newer' } });
    expect(await preview({ ...at, data: { content: 'y' } })).toMatchObject({
      outcome: 'stale',
      newerAppliedAt: expect.any(String),
    });
  });

  test('many at once, counted before', async () => {
    const { agent, call, broken } = await withWorkspace();
    for (const path of ['/hub/1', '/hub/2', '/hub/3']) await broken({ path });
    const filter = { cause: 'content_undecodable', text: '/hub/' };
    const patch = { data: { encoding: null } };
    expect(
      (await call('POST', '/sync/dead-letter/replay', { filter, patch, dryRun: true })).json,
    ).toMatchObject({
      matched: 3,
      done: 0,
    });
    const one = { filter: { ...filter, text: '/hub/1' }, patch };
    expect((await call('POST', '/sync/dead-letter/replay', one)).json).toMatchObject({
      matched: 1,
      done: 1,
      more: false,
    });
    await agent.ingest.idle();
    expect((await call('GET', '/fs/file?path=/hub/1')).json.content).toBe('***');
    expect((await call('POST', '/sync/dead-letter/ack', { filter })).json).toMatchObject({
      matched: 2,
      done: 2,
    });
    expect((await call('POST', '/sync/dead-letter/ack')).json).toMatchObject({ matched: 0, done: 0 });
    expect(codeOf(await call('POST', '/sync/dead-letter/ack', { filter: { failedBefore: 'x' } }))).toEqual([
      400,
      'bad_request',
    ]);
    expect(codeOf(await call('POST', '/sync/dead-letter/ack', { filter: { cause: 'x' } }))).toEqual([
      400,
      'bad_request',
    ]);
  });

  test('a misspelled filter puts nothing away and replays nothing', async () => {
    const { call, broken } = await withWorkspace();
    const id = await broken();
    for (const route of ['replay', 'ack']) {
      for (const body of [{ filters: {} }, { filter: { providr: 'none' } }, { dry_run: true }]) {
        const answer = await call('POST', `/sync/dead-letter/${route}`, body);
        expect(codeOf(answer)).toEqual([400, 'bad_request']);
        expect(answer.json.message).toMatch(
          /^invalid body: (?:filters|filter\/providr|dry_run) is an unknown member$/,
        );
      }
    }
    expect((await call('GET', `/sync/dead-letter/${id}`)).status).toBe(200);
  });

  test('show their content only to who may read the file', async () => {
    const { agent, workspaceId, broken, w } = await withWorkspace();
    const id = await broken({ path: '/hub/secret.md' });
    const { token } = await agent.tokens.issue({
      workspaceId,
      scopes: ['sync:read', 'relayfile:fs:read:/docs/**'],
    });
    const get = (route: string) => request(agent, `${w}/sync/dead-letter/${id}${route}`, { token });
    expect(codeOf(await get(''))).toEqual([404, 'not_found']);
    expect(codeOf(await get('/detail'))).toEqual([403, 'forbidden']);
    const rules = { content: '{"semantics":{"permissions":["deny:agent:spy"]}}' };
    await request(agent, `${w}/fs/file?path=/hub/.relayfile.acl`, {
      method: 'PUT',
      headers: { 'if-match': '*' },
      body: rules,
    });
    const spy = await agent.tokens.issue({ workspaceId, agent: 'spy', scopes: ['sync:read', 'fs:read'] });
    const seen = await request(agent, `${w}/sync/dead-letter/${id}/detail`, { token: spy.token });
    expect(errorOf(seen)).toEqual([403, 'forbidden', 'access denied by ACL']);
  });

  test('need the scopes of the contract', async () => {
    const { agent, workspaceId, w, broken } = await withWorkspace();
    const id = await broken();
    const { token } = await agent.tokens.issue({ workspaceId, scopes: ['sync:read', 'fs:read'] });
    const as = (method: string, route: string) => request(agent, `${w}/sync${route}`, { method, token });
    expect((await as('GET', '/dead-letter')).status).toBe(200);
    for (const route of [`/dead-letter/${id}/replay`, `/dead-letter/${id}/ack`, '/dead-letter/replay']) {
      expect(errorOf(await as('POST', route))).toEqual([
        403,
        'forbidden',
        'missing required scope: sync:trigger',
      ]);
    }
  });
});

describe('the metrics', () => {
  test('tell of the queue, of what came of it, and of dead letters by cause', async () => {
    const { agent, hook, broken } = await withWorkspace();
    await hook({});
    await broken();
    const response = await fetch(`${agent.url}/metrics`, {
      headers: { authorization: `Bearer ${agent.ownerToken}` },
    });
    const text = await response.text();
    for (const line of [
      'mooring_ingest_queue_depth 0',
      'mooring_ingest_queue_capacity 10000',
      'mooring_ingest_oldest_pending_seconds 0',
      'mooring_ingest_envelopes_total{outcome="accepted"} 2',
      'mooring_ingest_envelopes_total{outcome="applied"} 1',
      'mooring_ingest_envelopes_total{outcome="deadLettered"} 1',
      'mooring_ingest_dead_letters{cause="content_undecodable"} 1',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
  });
});
