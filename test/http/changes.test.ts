import { expect, test } from 'vitest';
import { codeOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { createManualClock } from '../support/manual-clock.ts';

async function bench() {
  const clock = createManualClock();
  const agent = await startHttpAgent({ clock });
  const { workspaceId, token } = await makeWorkspace(agent);
  const w = `/v1/workspaces/${workspaceId}`;
  const put = async (path: string, content: string, more: object = {}) => {
    clock.advance(1_000);
    const url = `${w}/fs/file?path=${encodeURIComponent(path)}`;
    const body = { content, ...more };
    await request(agent, url, { method: 'PUT', token, headers: { 'if-match': '*' }, body });
    return new Date(clock.nowMs()).toISOString();
  };
  const changes = async (query: string, as = token) =>
    (await request(agent, `${w}/fs/changes?${query}`, { token: as })).json;
  return { agent, workspaceId, token, w, put, changes, clock };
}

const pathsOf = (list: { events: { resource: { path: string } }[] }) =>
  list.events.map((event) => event.resource.path);

async function remove(agent: HttpAgent, w: string, path: string): Promise<void> {
  await request(agent, `${w}/fs/file?path=${path}`, { method: 'DELETE', headers: { 'if-match': '*' } });
}

test('changes are had since a time, oldest first, and the last ones', async () => {
  const { changes, put, workspaceId } = await bench();
  const times: string[] = [];
  for (const name of ['a', 'b', 'c']) times.push(await put(`/docs/${name}`, name));
  const [, second = ''] = times;
  const since = await changes(`since=${second}`);
  expect(pathsOf(since)).toEqual(['/docs/b', '/docs/c']);
  expect(since.events[0]).toEqual({
    id: expect.stringMatching(/^evt_\d+$/),
    workspace: workspaceId,
    type: 'relayfile.changed',
    occurredAt: second,
    action: 'file.created',
    revision: expect.stringMatching(/^rev_\d+$/),
    resource: { path: '/docs/b', provider: 'docs' },
    summary: { title: 'b' },
    digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
  });
  expect(pathsOf(await changes('last=2'))).toEqual(['/docs/b', '/docs/c']);
  expect(pathsOf(await changes('last=999999'))).toEqual(['/docs/a', '/docs/b', '/docs/c']);
  expect(pathsOf(await changes('since=2999-01-01'))).toEqual([]);
  const first = await changes('since=1970-01-01T00:00:00Z&limit=2');
  expect(pathsOf(first)).toEqual(['/docs/a', '/docs/b']);
  expect(pathsOf(await changes(`since=1970-01-01&cursor=${first.nextCursor}`))).toEqual(['/docs/c']);
});

test('a token sees the changes of its own paths, and none that an access rule hides', async () => {
  const { agent, workspaceId, changes, put, w } = await bench();
  await put('/docs/open', 'x');
  await put('/docs/closed', 'x', { semantics: { permissions: ['allow:agent:somebody'] } });
  await put('/elsewhere', 'x');
  const scopes = ['relayfile:fs:read:/docs/**'];
  const { token: narrow } = await agent.tokens.issue({ workspaceId, scopes });
  expect(pathsOf(await changes('last=10&path=/docs', narrow))).toEqual(['/docs/open']);
  expect(codeOf(await request(agent, `${w}/fs/changes?last=1`, { token: narrow }))).toEqual([
    403,
    'forbidden',
  ]);
  const resource = async (id: string) =>
    codeOf(await request(agent, `${w}/fs/changes/resource?eventId=${id}`, { token: narrow }));
  const { events } = await changes('last=10', agent.ownerToken);
  expect(await Promise.all(events.map((event: { id: string }) => resource(event.id)))).toEqual([
    [200, undefined],
    [404, 'not_found'],
    [404, 'not_found'],
  ]);
});

test('a resource is read as the change left it', async () => {
  const { agent, changes, put, w } = await bench();
  await put('/a.json', '{"state":"open"}');
  await put('/a.json', '{not json');
  await put('/b.bin', 'AP8=', { encoding: 'base64', contentType: 'application/octet-stream' });
  await put('/c.txt', 'text');
  await remove(agent, w, '/c.txt');
  const { events } = await changes('last=10');
  const resources = [];
  for (const { id } of events) {
    resources.push((await request(agent, `${w}/fs/changes/resource?eventId=${id}`)).json.data);
  }
  expect(resources).toEqual([
    { state: 'open' },
    '{not json',
    { contentBase64: 'AP8=', contentType: 'application/octet-stream', encoding: 'base64' },
    'text',
    { path: '/c.txt', deleted: true },
  ]);
  for (const id of ['evt_999999', 'nonsense', 'evt_0']) {
    expect(codeOf(await request(agent, `${w}/fs/changes/resource?eventId=${id}`))).toEqual([
      404,
      'not_found',
    ]);
  }
});

test('a request that names no time, no number or both is refused', async () => {
  const { agent, w } = await bench();
  for (const query of [
    '',
    'since=yesterday',
    'since=2026-13-77',
    'since=2026-01-01&last=1',
    'since=2026-01-01&cursor=x',
  ]) {
    expect([query, ...codeOf(await request(agent, `${w}/fs/changes?${query}`))]).toEqual([
      query,
      400,
      'bad_request',
    ]);
  }
  expect(codeOf(await request(agent, `${w}/fs/changes/resource`))).toEqual([400, 'bad_request']);
});
