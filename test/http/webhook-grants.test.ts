// A token sees, removes and replays the endpoints whose globs its grant covers, and those that it registered itself.
import { expect, test } from 'vitest';
import { codeOf, request } from '../support/api-request.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { providerSecret, startProvider } from '../support/provider.ts';
import { waitFor } from '../support/wait-for.ts';

const confined = ['read', 'write', 'replay'].map((action) => `relayfile:webhooks:${action}:/p/**`);
const endpoints = { inside: ['/p/**'], beside: ['/q/**'], both: ['/p/**', '/q/**'] } as const;
type Name = keyof typeof endpoints;

async function bench() {
  const agent = await startHttpAgent({ sends: true });
  const { workspaceId } = await makeWorkspace(agent);
  const call = (token: string, method: string, url: string, body?: unknown) =>
    request(agent, `/v1/workspaces/${workspaceId}/webhooks${url}`, { method, token, body });
  const issue = async (scopes: readonly string[]) =>
    (await agent.tokens.issue({ workspaceId, scopes, agent: 'bob' })).token;
  const seenBy = async (token: string) =>
    (await call(token, 'GET', '')).json.map(({ id }: { id: string }) => id);
  const lettersOf = async (token: string, query = '') => (await call(token, 'GET', `/dlq${query}`)).json;
  return { agent, workspaceId, call, issue, seenBy, lettersOf };
}

/** Endpoints of the owner, each with one dead letter, newest first. */
async function benchWithLetters() {
  const made = await bench();
  const { agent, workspaceId, call, lettersOf } = made;
  const receiver = await startProvider();
  await receiver.tell({ behaviour: { kind: 'status', status: 410 } });
  const local = { secret: providerSecret, allowPlainHttp: true, allowPrivateAddresses: true };
  const ids: Record<string, string> = {};
  for (const [name, pathGlobs] of Object.entries(endpoints)) {
    const { json } = await call(agent.ownerToken, 'POST', '', { url: receiver.url, pathGlobs, ...local });
    ids[name] = json.subscriptionId;
  }
  for (const path of ['/p/a', '/q/a']) {
    const url = `/v1/workspaces/${workspaceId}/fs/file?path=${path}`;
    await request(agent, url, { method: 'PUT', headers: { 'if-match': '*' }, body: { content: 'x' } });
  }
  const letters = await waitFor('a dead letter of each event and endpoint', async () => {
    const { items } = await lettersOf(agent.ownerToken);
    return items.length === 4 && items;
  });
  const letterOf = (name: Name) =>
    letters.find((one: { subscriptionId: string }) => one.subscriptionId === ids[name]).deliveryId as string;
  return { ...made, ids: ids as Record<Name, string>, letterOf };
}

test.each([
  ['of webhooks', confined],
  ['of files alone', ['webhooks:read', 'webhooks:write', 'webhooks:replay', 'relayfile:fs:read:/p/**']],
])('a path grant %s shows and removes no endpoint with a glob elsewhere', async (_name, scopes) => {
  const { agent, call, issue, seenBy, lettersOf, ids, letterOf } = await benchWithLetters();
  const token = await issue(scopes);
  expect(await seenBy(token)).toEqual([ids.inside]);
  const letters = await lettersOf(token);
  expect(letters.items.map((one: { subscriptionId: string }) => one.subscriptionId)).toEqual([ids.inside]);
  expect(letters.nextCursor).toBeNull();
  const unknown = codeOf(await call(token, 'DELETE', '/whk_none'));
  for (const name of ['beside', 'both'] as const) {
    expect(codeOf(await call(token, 'DELETE', `/${ids[name]}`))).toEqual(unknown);
    expect(codeOf(await call(token, 'POST', `/dlq/${letterOf(name)}/replay`))).toEqual([404, 'not_found']);
  }
  expect((await call(token, 'POST', `/dlq/${letterOf('inside')}/replay`)).status).toBe(202);
  expect((await call(token, 'DELETE', `/${ids.inside}`)).status).toBe(204);
  expect(await seenBy(agent.ownerToken)).toEqual([ids.beside, ids.both]);
});

test('without any path in its grants a token sees all endpoints; pages hold only what it sees', async () => {
  const { issue, seenBy, lettersOf, ids } = await benchWithLetters();
  expect(await seenBy(await issue(['webhooks:read', 'fs:read']))).toHaveLength(3);
  const token = await issue(['relayfile:webhooks:read:/q/**']);
  const first = await lettersOf(token, '?limit=1');
  expect(first.items.map((one: { subscriptionId: string }) => one.subscriptionId)).toEqual([ids.beside]);
  const rest = first.nextCursor === null ? [] : (await lettersOf(token, `?cursor=${first.nextCursor}`)).items;
  expect(rest).toEqual([]);
});

test('a token sees and removes what it registered, whatever its other grants cover; one made beside it does not', async () => {
  const { call, issue, seenBy } = await bench();
  const scopes = [
    'relayfile:webhooks:write:/p/**',
    'relayfile:webhooks:read:/q/**',
    'relayfile:webhooks:replay:/q/**',
  ];
  const [token, other] = [await issue(scopes), await issue(scopes)];
  const { json } = await call(token, 'POST', '', { url: 'https://example.org/hook', pathGlobs: ['/p/**'] });
  expect(await seenBy(token)).toEqual([json.subscriptionId]);
  expect(await seenBy(other)).toEqual([]);
  expect((await call(token, 'DELETE', `/${json.subscriptionId}`)).status).toBe(204);
});

test('what the token above may not see, a token made under it does not see', async () => {
  const { agent, workspaceId, issue, seenBy, ids } = await benchWithLetters();
  const parent = await agent.tokens.verify(await issue(confined));
  if (!parent.ok) throw new Error('the token is good');
  const scopes = ['relayfile:webhooks:read:/p/a'];
  const child = await agent.tokens.issue({ parentToken: parent.token, workspaceId, scopes, agent: 'child' });
  expect(await seenBy(child.token)).toEqual([]);
  const wide = await agent.tokens.issue({
    parentToken: parent.token,
    workspaceId,
    scopes: confined,
    agent: 'c',
  });
  expect(await seenBy(wide.token)).toEqual([ids.inside]);
});
