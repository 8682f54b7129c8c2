// A preview of ignore rules on the wire.
import { expect, test } from 'vitest';
import { codeOf, request } from '../support/api-request.ts';
import { makeWorkspace, noMirrors, startHttpAgent } from '../support/http-agent.ts';

test('counts all, names the first thousand, and says why there is none', async () => {
  const many = Array.from({ length: 1_200 }, (_, index) => `/f${index}`);
  const agent = await startHttpAgent({
    mirrors: {
      ...noMirrors,
      previewRules: (_workspaceId, mirrorId, text) =>
        Promise.resolve(
          mirrorId === 'mir_1'
            ? { looked: 1_300, leftOut: text === '' ? [] : many, carried: ['/old'], fault: null }
            : mirrorId === 'mir_2'
              ? 'asleep'
              : null,
        ),
    },
  });
  const { workspaceId } = await makeWorkspace(agent);
  const post = (mirrorId: string, body: unknown) =>
    request(agent, `/v1/workspaces/${workspaceId}/mirrors/${mirrorId}/rule-preview`, {
      method: 'POST',
      body,
    });
  const { status, json } = await post('mir_1', { rules: '*' });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    looked: 1_300,
    leftOut: { count: 1_200 },
    carried: { count: 1, paths: ['/old'] },
  });
  expect((json as { leftOut: { paths: string[] } }).leftOut.paths).toHaveLength(1_000);
  expect(codeOf(await post('mir_1', {}))).toEqual([400, 'bad_request']);
  expect(codeOf(await post('mir_2', { rules: '' }))).toEqual([409, 'invalid_state']);
  expect(codeOf(await post('mir_3', { rules: '' }))).toEqual([404, 'not_found']);
});

test('the guard is set, and refuses what is no number of files', async () => {
  const asked: unknown[] = [];
  const agent = await startHttpAgent({
    mirrors: {
      ...noMirrors,
      setDeletionLimit: (_workspaceId, mirrorId, max) => {
        asked.push([mirrorId, max]);
        return Promise.resolve(null);
      },
    },
  });
  const { workspaceId } = await makeWorkspace(agent);
  const patch = (body: unknown) =>
    request(agent, `/v1/workspaces/${workspaceId}/mirrors/mir_1`, { method: 'PATCH', body });
  for (const wrong of [
    {},
    { deletesPerMinuteMax: 0 },
    { deletesPerMinuteMax: 1.5 },
    { deletesPerMinuteMax: 'many' },
  ])
    expect(codeOf(await patch(wrong))).toEqual([400, 'bad_request']);
  expect(codeOf(await patch({ deletesPerMinuteMax: 20 }))).toEqual([404, 'not_found']);
  expect(codeOf(await patch({ deletesPerMinuteMax: null }))).toEqual([404, 'not_found']);
  expect(asked).toEqual([
    ['mir_1', 20],
    ['mir_1', null],
  ]);
});
