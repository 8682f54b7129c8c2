// What a halted mirror holds back, and its answers, on the wire.
import { expect, test } from 'vitest';
import type { Mirror } from '../../server/contract/workspaces.ts';
import type { MirrorManager } from '../../server/mirror/manager/port.ts';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, noMirrors, startHttpAgent } from '../support/http-agent.ts';

const halt: Mirror['halt'] = {
  reason: 'mass_delete',
  cause: 'Gone.',
  next: 'Say.',
  deletes: 3,
  truncations: 1,
  answers: ['restore', 'delete'],
};
const mirror: Mirror = {
  mirrorId: 'mir_1',
  workspaceId: 'rw_1',
  dir: '/somewhere',
  state: 'syncing',
  pausedUntil: null,
  watch: 'events',
  files: 5,
  pendingLocal: 0,
  pendingRemote: 0,
  conflicts: 0,
  problems: 0,
  kept: 0,
  deletesPerMinuteMax: 1_000,
  mode: 'two-way',
  path: '/',
  problemList: [],
  problemGroups: [],
  warnings: [],
  lastSyncAt: null,
  fullScan: { lastAt: null, nextAt: null, cpuMs: null },
  halt,
  progress: null,
  proof: { state: 'unproven', last: null, beforeRestart: null, alarm: null, rehashedAt: null },
};

async function withHalted(
  answerHalt: MirrorManager['resolveHalt'],
): Promise<{ agent: HttpAgent; url: string }> {
  const deletion = { change: 'deletion' as const, revision: 7, sizeBytes: 1, sizeAfterBytes: null };
  const files = [
    { ...deletion, path: '/a' },
    { path: '/b', change: 'truncation' as const, revision: 7, sizeBytes: 9000, sizeAfterBytes: 12 },
    { ...deletion, path: '/c' },
  ];
  const agent = await startHttpAgent({
    mirrors: {
      ...noMirrors,
      listPendingDeletions: (_workspaceId, mirrorId, { after, limit }) =>
        Promise.resolve(
          mirrorId === 'mir_1'
            ? { halt, files: files.filter(({ path }) => path > after).slice(0, limit) }
            : null,
        ),
      resolveHalt: (workspaceId, mirrorId, answer) =>
        mirrorId === 'mir_1' ? answerHalt(workspaceId, mirrorId, answer) : Promise.resolve(null),
    },
  });
  const { workspaceId } = await makeWorkspace(agent);
  return { agent, url: `/v1/workspaces/${workspaceId}/mirrors` };
}

test('what is held back comes in pages', async () => {
  const { agent, url } = await withHalted(() => Promise.resolve(null));
  const first = (await request(agent, `${url}/mir_1/halt?limit=2`)).json;
  expect(first).toMatchObject({
    halt,
    items: [
      { path: '/a', revision: 'rev_7', change: 'deletion', size: 1, sizeAfter: null },
      { path: '/b', change: 'truncation', size: 9000, sizeAfter: 12 },
    ],
    nextCursor: '/b',
  });
  const second = (await request(agent, `${url}/mir_1/halt?limit=2&cursor=${first.nextCursor}`)).json;
  expect(second).toMatchObject({ items: [{ path: '/c' }], nextCursor: null });
  expect(codeOf(await request(agent, `${url}/mir_2/halt`))).toEqual([404, 'not_found']);
});

test('an answer goes to the mirror, and a refusal says why', async () => {
  const { agent, url } = await withHalted((_workspaceId, _mirrorId, answer) =>
    Promise.resolve({
      mirror,
      answer:
        answer.kind === 'restore'
          ? { kind: 'not_halted' }
          : answer.deletes === 3
            ? { kind: 'done' }
            : { kind: 'changed', deletes: 3 },
    }),
  );
  const answer = async (body: unknown, id = 'mir_1') =>
    await request(agent, `${url}/${id}/halt`, { method: 'POST', body });
  expect((await answer({ answer: 'delete', deletes: 3 })).json).toMatchObject({ mirrorId: 'mir_1' });
  const changed = await answer({ answer: 'delete', deletes: 2 });
  expect(errorOf(changed)).toEqual([
    409,
    'invalid_state',
    'the number of files changed to 3: list the pending deletions again before you confirm',
  ]);
  expect(changed.json.deletes).toBe(3);
  expect(codeOf(await answer({ answer: 'restore' }))).toEqual([409, 'invalid_state']);
  for (const body of [
    {},
    { answer: 'yes' },
    { answer: 'delete' },
    { answer: 'delete', deletes: 0 },
    'no json',
  ]) {
    expect(codeOf(await answer(body))).toEqual([400, 'bad_request']);
  }
  expect(codeOf(await answer({ answer: 'restore' }, 'mir_2'))).toEqual([404, 'not_found']);
});
