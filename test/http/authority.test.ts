// On whose authority queued requests are carried out: what an agent may not do by direct calls it may not do through ingest,
// sweep, draft placement, acknowledgements, replays or a refresh either.
import { describe, expect, test } from 'vitest';
import { codeOf, request } from '../support/api-request.ts';
import { type HttpAgentOptions, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';

const uuid = '0e89a031-65f0-480e-a823-ab1d94b324ea';
const denyMallory = '{"semantics":{"permissions":["deny:agent:mallory","allow:public"]}}';
const defaults = ['fs:read', 'fs:write', 'sync:read', 'sync:trigger', 'ops:read', 'ops:replay'];

/** A workspace with a secret that `mallory` may not see, and calls as any token. */
async function withSecret(options: HttpAgentOptions = {}) {
  const agent = await startHttpAgent({ externalWriteback: 'all', ...options });
  const { workspaceId } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  const issue = async (
    name: string,
    scopes: readonly string[] = defaults,
    more: { readonly deletesPerMinute?: number } = {},
  ) => (await agent.tokens.issue({ workspaceId, agent: name, scopes, ...more })).token;
  const call = (token: string, method: string, route: string, body?: unknown, headers = {}) =>
    request(agent, w + route, { method, token, headers, ...(body === undefined ? {} : { body }) });
  const put = async (path: string, content: string, token = agent.ownerToken) => {
    const answer = await call(
      token,
      'PUT',
      `/fs/file?path=${encodeURIComponent(path)}`,
      { content },
      {
        'if-match': '*',
      },
    );
    expect([path, answer.status]).toEqual([path, 202]);
    return answer.json.opId as string;
  };
  const ingest = async (token: string, path: string, more: Readonly<Record<string, unknown>> = {}) => {
    const { provider = 'hub', event_type = 'file.updated', ...rest } = more;
    const sent = await call(token, 'POST', '/webhooks/ingest', { provider, event_type, path, ...rest });
    expect(sent.status).toBe(202);
    await agent.ingest.idle();
    return sent.json.id as string;
  };
  const paths = async () =>
    (await agent.workspaces.listFiles(workspaceId, '/', null, 1_000)).map(({ path }) => path);
  const letter = async (id: string) => (await call(agent.ownerToken, 'GET', `/sync/dead-letter/${id}`)).json;
  await put('/secret/.relayfile.acl', denyMallory);
  await put('/secret/plan.json', 'the plan');
  return { agent, workspaceId, issue, call, put, ingest, paths, letter, owner: agent.ownerToken };
}

describe('a webhook is applied as whoever sent it', () => {
  test('a denied agent cannot rewrite the access rules that deny it', async () => {
    const { issue, call, ingest, letter, owner } = await withSecret();
    const mallory = await issue('mallory');
    const read = () => call(mallory, 'GET', '/fs/file?path=/secret/plan.json');
    expect(codeOf(await read())).toEqual([403, 'forbidden']);
    const id = await ingest(mallory, '/secret/.relayfile.acl', {
      data: { content: '{"semantics":{"permissions":["allow:public"]}}' },
    });
    expect(codeOf(await read())).toEqual([403, 'forbidden']);
    const rules = await call(owner, 'GET', '/fs/file?path=/secret/.relayfile.acl');
    expect(rules.json.content).toBe(denyMallory);
    expect((await letter(id)).lastError).toMatch(/^access_rules_refused: /);
  });

  test('nobody writes, moves or deletes a file of access rules, neither the owner nor a signed envelope', async () => {
    const { ingest, letter, owner, paths } = await withSecret();
    const before = await paths();
    const ids = [
      await ingest(owner, '/open/.relayfile.acl', { data: { content: '{}' } }),
      await ingest(owner, '/secret/.relayfile.acl', { event_type: 'file.deleted' }),
    ];
    for (const id of ids) expect((await letter(id)).lastError).toMatch(/^access_rules_refused: /);
    expect(await paths()).toEqual(before);
  });

  test('a denied path is a dead letter that says who is denied and what to do; what happened there is not told', async () => {
    const { issue, ingest, letter, put, call, owner } = await withSecret();
    const mallory = await issue('mallory');
    await put('/hub/free.md', 'free');
    const written = await ingest(mallory, '/secret/plan.json', { data: { content: 'mine' } });
    const deleted = await ingest(mallory, '/secret/plan.json', { event_type: 'file.deleted' });
    const unknown = await ingest(mallory, '/secret/none', { event_type: 'file.deleted' });
    const other = await ingest(mallory, '/secret/plan.json', { event_type: 'job.done' });
    for (const id of [written, deleted, unknown, other]) {
      expect((await letter(id)).lastError).toMatch(/^access_denied: .*mallory/);
    }
    expect((await call(owner, 'GET', '/fs/file?path=/secret/plan.json')).json.content).toBe('the plan');
    await ingest(mallory, '/hub/free.md', { data: { content: 'changed' } });
    expect((await call(owner, 'GET', '/fs/file?path=/hub/free.md')).json.content).toBe('changed');
  });

  test('an object that lies at a hidden path is not moved away from it', async () => {
    const { agent, issue, ingest, letter, paths, call } = await withSecret();
    await ingest(agent.ownerToken, '/secret/o.md', {
      provider: 'hub',
      data: { content: 'o', providerObjectId: 'o1' },
    });
    const mallory = await issue('mallory');
    const id = await ingest(mallory, '/hub/o.md', { data: { content: 'x', providerObjectId: 'o1' } });
    expect((await letter(id)).lastError).toMatch(/^access_denied: /);
    expect((await letter(id)).lastError).not.toContain('/secret/');
    expect(await paths()).toContain('/secret/o.md');
    expect((await call(agent.ownerToken, 'GET', '/fs/file?path=/secret/o.md')).json.content).toBe('o');
  });

  test('a path grant confines: of sync:trigger itself, and that of the files of a token with both', async () => {
    const { issue, ingest, letter, paths } = await withSecret();
    const ofTrigger = await issue('bot', ['relayfile:sync:trigger:/hub/**']);
    const ofFiles = await issue('bot', ['relayfile:fs:write:/hub/**', 'sync:trigger']);
    const forwarder = await issue('bot', ['sync:trigger']);
    for (const [name, token] of Object.entries({ ofTrigger, ofFiles })) {
      const id = await ingest(token, `/other/${name}.md`, { data: { content: 'x' } });
      expect((await letter(id)).lastError).toMatch(/^access_denied: /);
      await ingest(token, `/hub/${name}.md`, { data: { content: 'x' } });
    }
    await ingest(forwarder, '/any/where.md', { data: { content: 'x' } });
    expect(await paths()).toEqual([
      '/any/where.md',
      '/hub/ofFiles.md',
      '/hub/ofTrigger.md',
      '/secret/.relayfile.acl',
      '/secret/plan.json',
    ]);
  });

  test('a token that was made under a confined one is as confined', async () => {
    const { agent, workspaceId, ingest, letter } = await withSecret();
    const parent = await agent.tokens.issue({
      workspaceId,
      agent: 'mallory',
      scopes: ['relayfile:fs:write:/hub/**', 'sync:trigger'],
    });
    const verified = await agent.tokens.verify(parent.token);
    if (!verified.ok) throw new Error(verified.message);
    const { token } = await agent.tokens.issue({
      workspaceId,
      agent: 'alice',
      scopes: ['sync:trigger'],
      parentToken: verified.token,
    });
    const outside = await ingest(token, '/other/a.md', { data: { content: 'x' } });
    const denied = await ingest(token, '/secret/plan.json', { data: { content: 'x' } });
    for (const id of [outside, denied]) expect((await letter(id)).lastError).toMatch(/^access_denied: /);
  });

  test('ingested deletions count against the quota; what it stops is a dead letter and can be replayed', async () => {
    const { issue, put, ingest, paths, letter, call } = await withSecret();
    for (const name of ['a', 'b', 'c']) await put(`/hub/${name}.md`, name);
    const token = await issue('bot', defaults, { deletesPerMinute: 1 });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.push(await ingest(token, `/hub/${name}.md`, { event_type: 'file.deleted' }));
    expect((await paths()).filter((path) => path.startsWith('/hub'))).toEqual(['/hub/b.md', '/hub/c.md']);
    for (const id of ids.slice(1)) {
      expect((await letter(id)).lastError).toMatch(/^delete_quota_exceeded: .*1 deletion.*[Rr]eplay/);
    }
    // The same quota as that of direct deletes.
    expect(
      codeOf(await call(token, 'DELETE', '/fs/file?path=/hub/b.md', undefined, { 'if-match': '*' })),
    ).toEqual([429, 'delete_storm_rejected']);
  });

  test('a deletion of nothing does not use the quota up', async () => {
    const { issue, put, ingest, paths } = await withSecret();
    await put('/hub/a.md', 'a');
    const token = await issue('bot', defaults, { deletesPerMinute: 1 });
    await ingest(token, '/hub/none.md', { event_type: 'file.deleted' });
    await ingest(token, '/hub/a.md', { event_type: 'file.deleted' });
    expect(await paths()).not.toContain('/hub/a.md');
  });

  test('a denied agent does not make the waiting webhook of another one superfluous', async () => {
    const { agent, issue, call } = await withSecret({ applies: false });
    const forwarder = await issue('bot', ['sync:trigger']);
    const mallory = await issue('mallory');
    const send = (token: string, content: string) =>
      call(token, 'POST', '/webhooks/ingest', {
        provider: 'hub',
        event_type: 'file.updated',
        path: '/secret/news.md',
        data: { content },
      });
    await send(forwarder, 'true');
    await send(mallory, 'false');
    await agent.ingest.start();
    await agent.ingest.idle();
    expect((await call(agent.ownerToken, 'GET', '/fs/file?path=/secret/news.md')).json.content).toBe('true');
  });
});

describe('a dead letter is replayed as whoever sent it and as whoever replays it', () => {
  const hub = { data: { content: 'x' } };

  test('as it is, or patched, it may only what both may; with a payload of its own it is the replayer’s', async () => {
    const { agent, issue, ingest, letter, call, paths } = await withSecret();
    const mallory = await issue('mallory');
    const alice = await issue('alice');
    const replay = async (id: string, token: string, body?: unknown) => {
      const answer = await call(token, 'POST', `/sync/dead-letter/${id}/replay`, body);
      await agent.ingest.idle();
      return answer.status;
    };
    const id = await ingest(mallory, '/secret/new.md', hub);
    for (const token of [alice, agent.ownerToken]) {
      expect(await replay(id, token)).toBe(202);
      expect((await letter(id)).lastError).toMatch(/^access_denied: .*mallory/);
      expect(await replay(id, token, { patch: { data: { content: 'y' } } })).toBe(202);
      expect((await letter(id)).lastError).toMatch(/^access_denied: .*mallory/);
    }
    const payload = { event_type: 'file.updated', path: '/secret/new.md', data: { content: 'z' } };
    expect(await replay(id, alice, { payload })).toBe(202);
    expect(await paths()).toContain('/secret/new.md');
    const broken = await ingest(alice, '/a/../b', hub);
    expect(await replay(broken, mallory, { payload: { ...payload, path: '/secret/b.md' } })).toBe(202);
    expect((await letter(broken)).lastError).toMatch(/^access_denied: .*mallory/);
  });

  test('many at once, and by the admin plane, too', async () => {
    const { agent, workspaceId, issue, ingest, letter, call } = await withSecret();
    const { token: mallory } = await agent.tokens.issue({
      workspaceId,
      agent: 'mallory',
      scopes: [...defaults, 'admin:replay'],
    });
    const bot = await issue('bot');
    const id = await ingest(bot, '/hub/../b', hub);
    await call(mallory, 'POST', '/sync/dead-letter/replay', {
      filter: { envelopeIds: [id] },
      patch: { path: '/secret/c.md' },
    });
    await agent.ingest.idle();
    expect((await letter(id)).lastError).toMatch(/^access_denied: .*mallory/);
    const theirs = await ingest(mallory, '/secret/d.md', hub);
    const { status } = await request(agent, `/v1/admin/replay/envelope/${theirs}`, {
      method: 'POST',
      token: mallory,
    });
    expect(status).toBe(404);
  });

  test('one about a hidden path is not found, neither to be read, replayed, looked ahead nor put away', async () => {
    const { agent, issue, ingest, letter, call } = await withSecret();
    const mallory = await issue('mallory');
    const id = await ingest(agent.ownerToken, 'secret/plan.json', { data: [] });
    const at = `/sync/dead-letter/${id}`;
    for (const [method, route] of [
      ['GET', at],
      ['GET', `${at}/detail`],
      ['POST', `${at}/preview`],
      ['POST', `${at}/replay`],
      ['POST', `${at}/ack`],
    ] as const) {
      const answer = await call(mallory, method, route);
      expect([route, [403, 404].includes(answer.status)]).toEqual([route, true]);
    }
    expect((await call(mallory, 'GET', '/sync/dead-letter')).json.items).toEqual([]);
    expect((await call(mallory, 'POST', '/sync/dead-letter/ack', {})).json).toMatchObject({ matched: 0 });
    expect((await call(mallory, 'POST', '/sync/dead-letter/replay', {})).json).toMatchObject({ matched: 0 });
    expect((await letter(id)).envelopeId).toBe(id);
  });

  test('looking ahead shows nothing of a hidden file', async () => {
    const { issue, ingest, call } = await withSecret();
    const mallory = await issue('mallory');
    const id = await ingest(mallory, '/hub/../b', hub);
    const answer = await call(mallory, 'POST', `/sync/dead-letter/${id}/preview`, {
      payload: { event_type: 'file.deleted', path: '/secret/plan.json' },
    });
    expect(answer.json).toMatchObject({ outcome: 'fails', cause: 'access_denied' });
    expect(answer.json.before).toBeUndefined();
  });
});

describe('operations are acted on only by those who may see and change their files', () => {
  test('the ack of a hidden file’s operation is not found, and moves nothing', async () => {
    const { issue, put, call, paths, owner } = await withSecret();
    const opId = await put('/secret/draft.json', 'hidden');
    const mallory = await issue('mallory');
    const before = await paths();
    const ack = (token: string) =>
      call(token, 'POST', `/writeback/${opId}/ack`, {
        success: true,
        canonicalPath: '/secret/../open/x.json',
      });
    expect(codeOf(await ack(mallory))).toEqual([404, 'not_found']);
    expect(
      codeOf(
        await call(mallory, 'POST', `/writeback/${opId}/ack`, {
          success: true,
          canonicalPath: '/secret/x.json',
        }),
      ),
    ).toEqual([404, 'not_found']);
    for (const act of ['cancel', 'send']) {
      expect(codeOf(await call(mallory, 'POST', `/writeback/${opId}/${act}`))).toEqual([404, 'not_found']);
    }
    expect(await paths()).toEqual(before);
    await call(owner, 'POST', `/writeback/${opId}/ack`, { success: false, error: 'no' });
    expect(codeOf(await call(mallory, 'POST', `/ops/${opId}/replay`))).toEqual([404, 'not_found']);
    expect((await call(mallory, 'POST', '/ops/replay', {})).json).toMatchObject({ matched: 0 });
    expect((await call(owner, 'GET', `/ops/${opId}`)).json.status).toBe('dead_lettered');
  });

  test('a draft moves only where its consumer may write, and never to a file of access rules', async () => {
    const { issue, put, call, paths } = await withSecret();
    await put('/linear/secret/.relayfile.acl', denyMallory);
    const mallory = await issue('mallory');
    for (const to of ['/linear/secret/a.json', '/linear/b/.relayfile.acl']) {
      const opId = await put('/linear/draft.json', '{"semantics":{"permissions":["allow:public"]}}');
      const acked = await call(mallory, 'POST', `/writeback/${opId}/ack`, {
        success: true,
        canonicalPath: to,
      });
      expect(acked.json).toMatchObject({ success: true, draft: { action: 'none' } });
      expect(await paths()).toContain('/linear/draft.json');
    }
    const out = await put('/linear/secret/draft.json', 'hidden');
    expect(
      codeOf(
        await call(mallory, 'POST', `/writeback/${out}/ack`, {
          canonicalPath: '/linear/x.json',
          success: true,
        }),
      ),
    ).toEqual([404, 'not_found']);
    expect(await paths()).toContain('/linear/secret/draft.json');
  });

  test('a draft that moves or goes counts against the delete quota of whoever acknowledges', async () => {
    const { issue, put, call, paths } = await withSecret();
    const bot = await issue('bot', defaults, { deletesPerMinute: 1 });
    const first = await put('/linear/one.json', '1');
    const second = await put('/linear/two.json', '2');
    const ack = (opId: string, name: string) =>
      call(bot, 'POST', `/writeback/${opId}/ack`, { success: true, externalId: name });
    expect((await ack(first, 'L-1')).json.draft).toMatchObject({ action: 'renamed' });
    expect(codeOf(await ack(second, 'L-2'))).toEqual([429, 'delete_storm_rejected']);
    expect(await paths()).toContain('/linear/two.json');
  });
});

describe('sweeping drafts', () => {
  async function withDrafts() {
    const given = await withSecret();
    const { put, call, owner } = given;
    const ack = async (path: string) => {
      const opId = await put(path, 'x');
      await call(owner, 'POST', `/writeback/${opId}/ack`, { success: true });
    };
    return { ...given, ack };
  }

  test('a token that is confined, with a quota of one, does not empty the workspace', async () => {
    const { agent, workspaceId, put, call, paths } = await withDrafts();
    await put('/a/one.md', '1');
    await put('/b/two.md', '2');
    // Nobody waits for the operations of these: they were never carried anywhere.
    for (const { opId } of (await agent.outbound.operations.list(workspaceId, { cursor: null, limit: 100 }))
      ?.items ?? [])
      await call(agent.ownerToken, 'POST', `/writeback/${opId}/cancel`);
    const before = await paths();
    const { token } = await agent.tokens.issue({
      workspaceId,
      agent: 'mallory',
      scopes: ['relayfile:fs:read:/a/**', 'relayfile:fs:write:/a/**', 'sync:trigger'],
      deletesPerMinute: 1,
    });
    const swept = await call(token, 'POST', '/writeback/sweep-drafts', { patterns: ['*'], apply: true });
    expect(swept.json.removed).toEqual([]);
    expect(await paths()).toEqual(before);
  });

  test('goes only where the caller may delete, over drafts alone, and never over the quota', async () => {
    const { issue, ack, put, call, paths } = await withDrafts();
    for (const path of [`/a/issue ${uuid}.json`, `/b/issue ${uuid}.json`, `/secret/issue ${uuid}.json`])
      await ack(path);
    await ack('/a/wb-1.json');
    const edited = '/a/edited.md';
    await ack(edited);
    await ack(edited);
    const mallory = await issue('mallory', ['relayfile:fs:write:/a/**', 'sync:trigger'], {
      deletesPerMinute: 2,
    });
    const sweep = (body: object) =>
      call(mallory, 'POST', '/writeback/sweep-drafts', { patterns: ['*'], ...body });
    const looked = await sweep({});
    expect(looked.json.removed.map((one: { path: string }) => one.path)).toEqual([
      `/a/issue ${uuid}.json`,
      '/a/wb-1.json',
    ]);
    expect(JSON.stringify(looked.json)).not.toContain('secret');
    await put('/a/mine.md', 'x');
    expect((await sweep({ apply: true })).json.removed).toHaveLength(2);
    expect(await paths()).toEqual([
      edited,
      '/a/mine.md',
      `/b/issue ${uuid}.json`,
      '/secret/.relayfile.acl',
      `/secret/issue ${uuid}.json`,
      '/secret/plan.json',
    ]);
    await ack('/a/wb-2.json');
    expect(codeOf(await sweep({ apply: true }))).toEqual([429, 'delete_storm_rejected']);
    expect(await paths()).toContain('/a/wb-2.json');
  });
});
