// The path of a grant of ops:read, ops:replay or sync:read confines what is listed, read and replayed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, request } from '../../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../../support/http-agent.ts';

let agent: HttpAgent;
let base: string;
let workspaceId: string;

beforeAll(async () => {
  agent = await openHttpAgent({ externalWriteback: 'all' });
  ({ workspaceId } = await makeWorkspace(agent));
  base = `/v1/workspaces/${workspaceId}`;
  const paths = ['/hub/a', '/mail/secret-1', '/hub/b', '/mail/secret-2', '/hub/deep/c'];
  const files = paths.map((path) => ({ path, content: 'x' }));
  expect((await call(agent.ownerToken, '/fs/bulk', { files })).json.written).toBe(5);
  for (const path of ['/hub/broken', '/mail/secret-broken', '/hub/deep/broken']) {
    const data = { content: '***', encoding: 'base64' };
    const body = { provider: path.split('/')[1], event_type: 'file.updated', path, data };
    expect((await call(agent.ownerToken, '/webhooks/ingest', body)).status).toBe(202);
  }
  await agent.ingest.idle();
});
afterAll(() => agent.close());

const call = (token: string, route: string, body?: unknown) =>
  request(agent, base + route, { token, ...(body === undefined ? {} : { method: 'POST', body }) });

async function tokenOf(...scopes: readonly string[]): Promise<string> {
  return (await agent.tokens.issue({ workspaceId, scopes })).token;
}

const pathOf = (one: { path: string }) => one.path;

test('operations of other paths are neither listed nor read, page by page', async () => {
  const token = await tokenOf('relayfile:ops:read:/hub/**');
  const all = (await call(agent.ownerToken, '/ops')).json.items as { opId: string; path: string }[];
  expect(all).toHaveLength(5);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { items: { path: string }[]; nextCursor: string | null } = (
      await call(token, `/ops?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
    ).json;
    expect(page.items.length).toBeLessThanOrEqual(1);
    seen.push(...page.items.map(pathOf));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(['/hub/deep/c', '/hub/b', '/hub/a']);
  const exact = await tokenOf('relayfile:ops:read:/hub/a');
  expect((await call(exact, '/ops')).json.items.map(pathOf)).toEqual(['/hub/a']);
  for (const { opId, path } of all) {
    const status = path.startsWith('/hub/') ? 200 : 404;
    expect([path, (await call(token, `/ops/${opId}`)).status]).toEqual([path, status]);
    expect([path, (await call(token, `/ops/${opId}/steps`)).status]).toEqual([path, status]);
  }
  const hidden = all.find(({ path }) => path.startsWith('/mail/'))?.opId ?? '';
  const absent = await call(token, '/ops/op_999999');
  const words = (text: string) => text.replaceAll(/op_\d+/g, 'op_N');
  expect(words((await call(token, `/ops/${hidden}`)).bytes.toString())).toBe(words(absent.bytes.toString()));
});

test('items that wait for a provider are listed for the granted paths', async () => {
  const paths = async (token: string) => (await call(token, '/writeback/pending')).json.map(pathOf);
  expect(await paths(await tokenOf('relayfile:sync:read:/hub/**'))).toEqual([
    '/hub/a',
    '/hub/b',
    '/hub/deep/c',
  ]);
  expect(await paths(await tokenOf('relayfile:sync:read:/hub/deep/*'))).toEqual(['/hub/deep/c']);
  expect(await paths(await tokenOf('sync:read'))).toHaveLength(5);
});

test('dead letters of other paths are neither listed nor read', async () => {
  const all = (await call(agent.ownerToken, '/sync/dead-letter')).json.items as { envelopeId: string }[];
  expect(all).toHaveLength(3);
  const token = await tokenOf('relayfile:sync:read:/hub/deep/**', 'fs:read');
  const listed = (await call(token, '/sync/dead-letter')).json;
  expect([listed.items.length, listed.nextCursor]).toEqual([1, null]);
  const own = listed.items[0].envelopeId;
  for (const { envelopeId } of all) {
    const expected = envelopeId === own ? 200 : 404;
    const route = `/sync/dead-letter/${envelopeId}`;
    const answers = [
      await call(token, route),
      await call(token, `${route}/detail`),
      await call(token, `${route}/preview`, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([expected, expected, expected]);
  }
});

test('figures are shown of providers whose whole directory is granted', async () => {
  const providers = async (token: string, query = '') =>
    (await call(token, `/sync/status${query}`)).json.providers.map(
      (one: { provider: string }) => one.provider,
    );
  const hub = await tokenOf('relayfile:sync:read:/hub/**');
  const part = await tokenOf('relayfile:sync:read:/hub/deep/**');
  expect(await providers(await tokenOf('sync:read'))).toEqual(['hub', 'mail']);
  expect(await providers(hub)).toEqual(['hub']);
  expect(await providers(hub, '?provider=mail')).toEqual([]);
  expect(await providers(part)).toEqual([]);
  const ingress = async (token: string) => (await call(token, '/sync/ingress')).json;
  expect(await ingress(hub)).toMatchObject({ acceptedTotal: 2, deadLetterByProvider: { hub: 2 } });
  expect(Object.keys((await ingress(hub)).ingressByProvider)).toEqual(['hub']);
  expect(await ingress(part)).toMatchObject({ acceptedTotal: 0, deadLetterTotal: 0, ingressByProvider: {} });
});

test('a replay needs its operation among the granted paths', async () => {
  const items = (await call(agent.ownerToken, '/writeback/pending')).json as { id: string; path: string }[];
  const idOf = (path: string) => items.find((one) => one.path === path)?.id ?? '';
  for (const path of ['/hub/a', '/mail/secret-1']) {
    const body = { success: false, error: 'no' };
    expect((await call(agent.ownerToken, `/writeback/${idOf(path)}/ack`, body)).status).toBe(200);
  }
  const token = await tokenOf('relayfile:ops:replay:/hub/**');
  const many = await call(token, '/ops/replay', { dryRun: true });
  expect(many.json.results.map(pathOf)).toEqual(['/hub/a']);
  const named = await call(token, '/ops/replay', {
    filter: { opIds: [idOf('/mail/secret-1')] },
    dryRun: true,
  });
  expect(JSON.stringify(named.json)).not.toContain('secret');
  expect(codeOf(await call(token, `/ops/${idOf('/mail/secret-1')}/replay`, {}))).toEqual([404, 'not_found']);
  expect((await call(token, `/ops/${idOf('/hub/a')}/replay`, {})).status).toBe(202);
});
