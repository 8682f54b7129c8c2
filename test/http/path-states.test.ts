// Where paths stand in their mirrors, on the wire.
import { expect, test } from 'vitest';
import { codeOf, request } from '../support/api-request.ts';
import { makeWorkspace, noMirrors, startHttpAgent } from '../support/http-agent.ts';

const same = { state: 'same', why: 'Both sides hold the same bytes.', next: null, retryAtMs: null } as const;

test('each path comes in its order with the worst of its mirrors, which are all named', async () => {
  const asked: (readonly string[])[] = [];
  const agent = await startHttpAgent({
    mirrors: {
      ...noMirrors,
      pathStates: (_workspaceId, paths) => {
        asked.push(paths);
        return Promise.resolve(
          paths.map((path) =>
            path === '/none'
              ? []
              : [
                  { mirrorId: 'mir_1', ...same },
                  {
                    mirrorId: 'mir_2',
                    state: 'refused',
                    why: 'No room.',
                    next: 'Make room.',
                    retryAtMs: 0,
                  },
                ],
          ),
        );
      },
    },
  });
  const { workspaceId, token } = await makeWorkspace(agent);
  const url = `/v1/workspaces/${workspaceId}/mirrors/path-states`;
  const post = (body: unknown, more: object = {}) => request(agent, url, { method: 'POST', body, ...more });
  const { status, json } = await post({ paths: ['/b/', '/none'] });
  expect(status).toBe(200);
  expect(json.states).toEqual([
    {
      path: '/b/',
      state: 'refused',
      mirrors: [
        { mirrorId: 'mir_1', state: 'same', why: same.why, next: null, retryAt: null },
        {
          mirrorId: 'mir_2',
          state: 'refused',
          why: 'No room.',
          next: 'Make room.',
          retryAt: '1970-01-01T00:00:00.000Z',
        },
      ],
    },
    { path: '/none', state: null, mirrors: [] },
  ]);
  expect(asked).toEqual([['/b', '/none']]);
  expect(codeOf(await post({}))).toEqual([400, 'bad_request']);
  expect(codeOf(await post({ paths: [] }))).toEqual([400, 'bad_request']);
  const many = Array.from({ length: 1_001 }, (_, index) => `/f${index}`);
  expect(codeOf(await post({ paths: many }))).toEqual([400, 'bad_request']);
  expect((await post({ paths: many.slice(1) })).json.states).toHaveLength(1_000);
  expect(codeOf(await post({ paths: ['/a'] }, { token }))).toEqual([403, 'forbidden']);
});
