// The problems of a mirror, page by page, on the wire.
import { expect, test } from 'vitest';
import { ProblemList } from '../../server/mirror/status/problem-list.ts';
import { codeOf, request } from '../support/api-request.ts';
import { makeWorkspace, noMirrors, startHttpAgent } from '../support/http-agent.ts';

test('problems come in pages, of every cause or of one, and a cursor of something else is refused', async () => {
  const list = new ProblemList();
  const problem = { cause: 'Why.', next: 'What.', retryAt: null };
  for (const path of ['/b', '/a', '/c']) list.add({ ...problem, kind: 'symlink', path });
  list.add({ ...problem, kind: 'name', path: '/z' });
  const agent = await startHttpAgent({
    mirrors: {
      ...noMirrors,
      problems: (_workspaceId, mirrorId, { kind, cursor, limit }) =>
        Promise.resolve(
          mirrorId === 'mir_1'
            ? { ...list.page(kind, cursor, limit), count: kind === null ? list.count : list.countOf(kind) }
            : null,
        ),
    },
  });
  const { workspaceId } = await makeWorkspace(agent);
  const ask = async (query: string, mirrorId = 'mir_1') =>
    await request(agent, `/v1/workspaces/${workspaceId}/mirrors/${mirrorId}/problems${query}`);
  const first = (await ask('?limit=2')).json;
  expect(first).toMatchObject({
    mirrorId: 'mir_1',
    count: 4,
    items: [
      { kind: 'name', path: '/z' },
      { kind: 'symlink', path: '/a' },
    ],
  });
  const cursor = encodeURIComponent(String(first.nextCursor));
  expect((await ask(`?limit=2&cursor=${cursor}`)).json).toMatchObject({
    items: [{ path: '/b' }, { path: '/c' }],
    nextCursor: null,
  });
  expect((await ask('?kind=name')).json).toMatchObject({ count: 1, items: [{ path: '/z' }] });
  expect((await ask('?kind=none')).json).toMatchObject({ count: 0, items: [] });
  expect(codeOf(await ask('?cursor=nonsense'))).toEqual([400, 'bad_request']);
  expect(codeOf(await ask('', 'mir_2'))).toEqual([404, 'not_found']);
});
