// The plan of a mirror and the explanation of a path, on the wire.
import { expect, test } from 'vitest';
import type { MirrorRow } from '../../server/store/port/store.ts';
import { codeOf, request } from '../support/api-request.ts';
import { makeWorkspace, noMirrors, startHttpAgent } from '../support/http-agent.ts';

const row: MirrorRow = {
  mirrorId: 'mir_1',
  workspaceId: 'rw_1',
  forkId: null,
  dir: '/somewhere',
  mode: 'two-way',
  rootPath: '/docs',
  markerId: 'm',
  rootDevice: '1',
  rootInode: '1',
  paused: false,
  pausedUntilMs: null,
  deletesPerMinuteMax: null,
  haltedCause: null,
  epoch: 'e',
  established: true,
  lastSyncAtMs: null,
  createdAtMs: 1,
};
const hash = 'a'.repeat(64);

test('a plan tells its steps by the paths of the workspace, and why nothing is done of them', async () => {
  const agent = await startHttpAgent({
    mirrors: {
      ...noMirrors,
      plan: (_workspaceId, mirrorId) =>
        Promise.resolve(
          mirrorId !== 'mir_1'
            ? null
            : {
                row,
                run: {
                  halt: 'emptied',
                  held: { deletions: 2, truncations: 0 },
                  unsettled: ['/busy'],
                  steps: [
                    {
                      side: 'workspace',
                      action: 'move',
                      path: '/b',
                      from: '/a',
                      rule: 'renamed',
                      why: 'Moved.',
                    },
                  ],
                },
              },
        ),
    },
  });
  const { workspaceId } = await makeWorkspace(agent);
  const url = `/v1/workspaces/${workspaceId}/mirrors`;
  expect((await request(agent, `${url}/mir_1/plan`)).json).toMatchObject({
    halt: { reason: 'emptied', cause: 'All files in /somewhere are missing.' },
    steps: [{ side: 'workspace', action: 'move', path: '/docs/b', from: '/docs/a', rule: 'renamed' }],
    total: 1,
    unsettled: ['/docs/busy'],
  });
  expect(codeOf(await request(agent, `${url}/mir_2/plan`))).toEqual([404, 'not_found']);
});

test('an explanation joins what the mirrors see with what was done, by whom and when', async () => {
  const agent = await startHttpAgent({
    mirrors: {
      ...noMirrors,
      explain: () => [
        {
          row,
          state: 'waiting',
          rule: 'workspace_edited',
          text: 'The disk refused it.',
          base: { hash, revision: 1 },
          folder: {
            kind: 'file',
            hash,
            sizeBytes: 3,
            mtimeNs: '1795184278269123456',
            ctimeNs: '1',
            inode: '1',
            mode: 0o644,
            trusted: true,
          },
          workspace: { hash, revision: 2, sizeBytes: 3 },
          problem: { kind: 'write_failed', cause: 'The disk refused it.', next: 'Make room.', retryAtMs: 0 },
        },
        {
          row,
          state: 'unknown',
          rule: null,
          text: 'The mirror is paused.',
          base: null,
          folder: { kind: 'blocked', reason: 'symlink', detail: 'A link.' },
          workspace: null,
          problem: null,
        },
      ],
    },
  });
  const { workspaceId, token } = await makeWorkspace(agent, { agent: 'writer' });
  const files = `/v1/workspaces/${workspaceId}/fs/file?path=/docs/a`;
  await request(agent, files, {
    method: 'PUT',
    token,
    headers: { 'if-match': '*' },
    body: { content: 'one' },
  });
  await request(agent, files, { method: 'DELETE', headers: { 'if-match': '*' } });
  const url = `/v1/workspaces/${workspaceId}/explain`;
  const { json } = await request(agent, `${url}?path=/docs/a`);
  expect(json.mirrors).toMatchObject([
    {
      state: 'waiting',
      observed: { folder: { kind: 'file', modifiedAt: '2026-11-20T14:17:58.269Z' } },
      problem: { retryAt: '1970-01-01T00:00:00.000Z' },
    },
    { state: 'unknown', rule: null, observed: { folder: { kind: 'symlink' } } },
  ]);
  expect(json.history).toMatchObject([
    { action: 'delete' },
    { action: 'write', by: { kind: 'token', name: 'writer' } },
  ]);
  expect(codeOf(await request(agent, url))).toEqual([400, 'bad_request']);
  expect((await request(agent, `${url}?path=/none`)).json.history).toEqual([]);
});
