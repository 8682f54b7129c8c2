// W/conflicts on the wire, over conflicts that stand in the store.
import { expect, test } from 'vitest';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';

interface Rig {
  readonly agent: HttpAgent;
  readonly workspaceId: string;
  readonly url: string;
}

const copy = '/notes/plan (conflict 2026-11-20 14.03.09).md';

/** A workspace whose `/notes/plan.md` has a conflict `con_1`. */
async function withConflict(): Promise<Rig> {
  const agent = await startHttpAgent();
  const { workspaceId } = await makeWorkspace(agent);
  await agent.store.mirrors.insert({
    mirrorId: 'mir_1',
    workspaceId,
    dir: '/somewhere',
    mode: 'two-way',
    rootPath: '/',
    forkId: null,
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
  });
  const hashes: string[] = [];
  for (const [path, content] of [
    ['/notes/plan.md', 'one\ntwo\nthree\n'],
    ['/notes/plan.md', 'ONE\ntwo\nthree\n'],
    [copy, 'one\ntwo\nTHREE\n'],
  ] as const) {
    await write(agent, workspaceId, path, content);
    hashes.push((await agent.workspaces.getFile(workspaceId, path, null)).entry?.hash ?? '');
  }
  const [baseHash = '', workspaceHash = '', localHash = ''] = hashes;
  await agent.store.mirrors.addConflict({
    mirrorId: 'mir_1',
    row: {
      conflictId: 'con_1',
      path: '/notes/plan.md',
      copyPath: copy,
      localHash,
      workspaceHash,
      baseHash,
      atMs: Date.UTC(2026, 10, 20, 14, 3, 9),
    },
  });
  return { agent, workspaceId, url: `/v1/workspaces/${workspaceId}/conflicts` };
}

async function write(agent: HttpAgent, workspaceId: string, path: string, content: string): Promise<string> {
  const answer = await request(agent, `/v1/workspaces/${workspaceId}/fs/file`, {
    method: 'PUT',
    headers: { 'if-match': '*' },
    body: { path, content },
  });
  expect(answer.status).toBe(202);
  return answer.json.targetRevision;
}

async function files({ agent, workspaceId }: Rig): Promise<Record<string, string>> {
  const answer = await request(agent, `/v1/workspaces/${workspaceId}/fs/export`);
  return Object.fromEntries(
    answer.json.map((file: { path: string; content: string }) => [file.path, file.content]),
  );
}

test('a conflict is listed, and shown with both versions, what they came from, and their merge', async () => {
  const { agent, url } = await withConflict();
  expect((await request(agent, url)).json.conflicts).toEqual([
    {
      conflictId: 'con_1',
      workspaceId: expect.any(String),
      mirrorId: 'mir_1',
      dir: '/somewhere',
      remoteId: null,
      url: null,
      kind: 'both_edited',
      path: '/notes/plan.md',
      copyPath: copy,
      detectedAt: '2026-11-20T14:03:09.000Z',
      choices: ['folder', 'workspace', 'both', 'merged'],
    },
  ]);
  const { base, folder, workspace, merge } = (await request(agent, `${url}/con_1`)).json;
  expect([base, folder, workspace].map((version) => version.content)).toEqual([
    'one\ntwo\nthree\n',
    'one\ntwo\nTHREE\n',
    'ONE\ntwo\nthree\n',
  ]);
  expect([base.revision, folder.revision, workspace.revision].every((one) => /^rev_\d+$/.test(one))).toBe(
    true,
  );
  expect(folder.by.kind).toBe('token');
  expect(merge).toMatchObject({ clean: true, content: 'ONE\ntwo\nTHREE\n', clashes: 0 });
  expect(merge.pieces.map((piece: { kind: string }) => piece.kind)).toEqual(['workspace', 'same', 'folder']);
});

test.for([
  { body: { keep: 'folder' }, left: { '/notes/plan.md': 'one\ntwo\nTHREE\n' } },
  { body: { keep: 'workspace' }, left: { '/notes/plan.md': 'ONE\ntwo\nthree\n' } },
  { body: { keep: 'both' }, left: { '/notes/plan.md': 'ONE\ntwo\nthree\n', [copy]: 'one\ntwo\nTHREE\n' } },
  { body: { merged: 'by hand\n' }, left: { '/notes/plan.md': 'by hand\n' } },
  { body: { merged: 'Ynkg\naGFuZAo=', encoding: 'base64' }, left: { '/notes/plan.md': 'by hand\n' } },
])('a conflict ends with $body', async ({ body, left }) => {
  const rig = await withConflict();
  const { agent, url } = rig;
  const resolved = await request(agent, `${url}/con_1/resolve`, { method: 'POST', body });
  expect(resolved.json).toMatchObject({ conflictId: 'con_1', path: '/notes/plan.md' });
  expect(await files(rig)).toEqual(left);
  expect((await request(agent, url)).json.conflicts).toEqual([]);
  expect(codeOf(await request(agent, `${url}/con_1/resolve`, { method: 'POST', body }))).toEqual([
    404,
    'not_found',
  ]);
});

test.for(['utf-8', 'base64'] as const)(
  'a version of many megabytes as %s is what was sent',
  async (encoding) => {
    const rig = await withConflict();
    const { agent, url } = rig;
    const text = 'a line – of 😀\n'.repeat(200_000);
    const merged = Buffer.from(text).toString(encoding === 'base64' ? encoding : 'utf8');
    const resolve = (body: object) => request(agent, `${url}/con_1/resolve`, { method: 'POST', body });
    const broken = encoding === 'base64' ? `${merged}*` : `${merged}\ud83d`;
    expect(codeOf(await resolve({ merged: broken, encoding }))).toEqual([400, 'bad_request']);
    expect((await resolve({ merged, encoding })).status).toBe(200);
    const left = await files(rig);
    expect(Object.keys(left)).toEqual(['/notes/plan.md']);
    expect(left['/notes/plan.md'] === text).toBe(true);
  },
);

test('a version that has changed since it was looked at is not thrown away', async () => {
  const rig = await withConflict();
  const { agent, workspaceId, url } = rig;
  const seen = (await request(agent, `${url}/con_1`)).json;
  const answer = async (body: object) =>
    await request(agent, `${url}/con_1/resolve`, { method: 'POST', body });
  await write(agent, workspaceId, '/notes/plan.md', 'newer');
  const first = await answer({ keep: 'folder', workspaceRevision: seen.workspace.revision });
  expect(codeOf(first)).toEqual([409, 'revision_conflict']);
  expect(first.json).toMatchObject({
    expectedRevision: seen.workspace.revision,
    currentContentPreview: 'newer',
  });
  await write(agent, workspaceId, copy, 'newer, too');
  const second = await answer({ keep: 'workspace', folderRevision: seen.folder.revision });
  expect(codeOf(second)).toEqual([409, 'revision_conflict']);
  expect(await files(rig)).toEqual({ '/notes/plan.md': 'newer', [copy]: 'newer, too' });
  expect((await request(agent, url)).json.conflicts).toHaveLength(1);
});

test('an answer that says nothing, or two things, or cannot be read, is refused', async () => {
  const { agent, url } = await withConflict();
  for (const body of [
    {},
    { keep: 'mine' },
    { keep: 'both', merged: 'x' },
    { merged: '?', encoding: 'base64' },
    { merged: 'x', encoding: 'latin1' },
    { merged: '\ud800' },
    'no json',
  ]) {
    expect(codeOf(await request(agent, `${url}/con_1/resolve`, { method: 'POST', body }))).toEqual([
      400,
      'bad_request',
    ]);
  }
  expect(codeOf(await request(agent, `${url}/con_none`))).toEqual([404, 'not_found']);
});

test("a folder's version that has not reached the workspace is waited for", async () => {
  const { agent, workspaceId, url } = await withConflict();
  await request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=${encodeURIComponent(copy)}`, {
    method: 'DELETE',
    headers: { 'if-match': '*' },
  });
  const refused = await request(agent, `${url}/con_1/resolve`, { method: 'POST', body: { keep: 'folder' } });
  expect(errorOf(refused).slice(0, 2)).toEqual([409, 'invalid_state']);
  expect((await request(agent, `${url}/con_1`)).json.folder).toBeNull();
});
