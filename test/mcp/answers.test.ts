// What tools answer at their limits: long conflicts, texts, files and lists, an old cursor, and dry runs that would be refused.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  conflictCharactersMax,
  diffLinesMax,
  errorCharactersMax,
  readBytesMax,
} from '../../server/mcp/limits.ts';
import { unifiedDiff } from '../../server/mcp/text-diff.ts';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { call, connect, refusal } from './mcp-client.ts';

let agent: HttpAgent;

beforeAll(async () => {
  agent = await openHttpAgent({ feedRowsMin: 3 });
});
afterAll(() => agent.close());

const dayMs = 86_400_000;

async function put(workspaceId: string, token: string, path: string, content: Buffer): Promise<void> {
  const answer = await request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=${path}`, {
    method: 'PUT',
    token,
    headers: { 'if-match': '*', 'content-type': 'application/octet-stream' },
    body: content,
  });
  expect(answer.status).toBe(202);
}

test('a conflict shows the beginning of the current text, and whole characters', async () => {
  const { token } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  const content = '😀"'.repeat(20_000);
  const { revision } = await call(client, 'write_file', { path: '/long.txt', content });
  const error = await refusal(client, 'write_file', { path: '/long.txt', content: 'x' });
  expect(error).toMatchObject({ code: 'revision_conflict', currentRevision: revision });
  expect(error.currentText.length).toBeGreaterThan(1_000);
  expect(error.currentText.length).toBeLessThanOrEqual(conflictCharactersMax);
  expect(error.currentText.isWellFormed()).toBe(true);
  expect(content.startsWith(error.currentText)).toBe(true);
  expect(JSON.stringify(error).length).toBeLessThanOrEqual(errorCharactersMax);
});

test('a cursor that history no longer holds is refused, and the remedy works', async () => {
  const { token } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  await call(client, 'write_file', { path: '/first.txt', content: 'x' });
  const { cursor } = await call(client, 'wait_for_changes', { timeoutSeconds: 0 });
  for (let index = 0; index < 10; index += 1)
    await call(client, 'write_file', { path: `/${index}.txt`, content: 'x' });
  await agent.store.maintenance.applyRetention(Date.now() + 60 * dayMs);
  const error = await refusal(client, 'wait_for_changes', { cursor, timeoutSeconds: 0 });
  expect(error.code).toBe('cursor_expired');
  expect(error.remedy).toContain('list_files');
  const fresh = await call(client, 'wait_for_changes', { timeoutSeconds: 0 });
  await call(client, 'write_file', { path: '/last.txt', content: 'x' });
  const { changes } = await call(client, 'wait_for_changes', { cursor: fresh.cursor, timeoutSeconds: 20 });
  expect(changes).toMatchObject([{ path: '/last.txt' }]);
});

test('a binary file has a size, a type and a hash; as a resource it is a blob', async () => {
  const { token, workspaceId } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  await put(workspaceId, token, '/a.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]));
  const { revision } = await call(client, 'read_file', { path: '/a.png' });
  await put(workspaceId, token, '/a.png', Buffer.from([0]));
  for (const args of [{ path: '/a.png' }, { path: '/a.png', revision }]) {
    const read = await call(client, 'read_file', args);
    expect(read).toMatchObject({
      binary: true,
      contentType: 'image/png',
      sha256: expect.stringMatching(/^\w{64}$/),
    });
    expect(read).not.toHaveProperty('base64');
  }
  const { contents } = await client.readResource({ uri: `mooring://${workspaceId}/files/a.png` });
  expect(contents).toMatchObject([{ blob: 'AA==', mimeType: 'application/octet-stream' }]);
});

test('a text that is too long to be read is not called binary; the search finds its lines', async () => {
  const { token, workspaceId } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  // The limit is in the middle of a character.
  const text = `a${'é'.repeat(readBytesMax / 2)}`;
  await put(workspaceId, token, '/long.txt', Buffer.from(text));
  const error = await refusal(client, 'read_file', { path: '/long.txt' });
  expect(error).toMatchObject({ code: 'payload_too_large', size: readBytesMax + 1 });
  expect(error.remedy).toContain('search');
  const edits = [{ oldText: 'a', newText: 'b' }];
  expect((await refusal(client, 'edit_file', { path: '/long.txt', edits })).message).toContain('at most');
  await put(workspaceId, token, '/long.bin', Buffer.alloc(readBytesMax + 1));
  expect(await call(client, 'read_file', { path: '/long.bin' })).toMatchObject({
    binary: true,
    size: readBytesMax + 1,
    truncated: true,
  });
  const uri = `mooring://${workspaceId}/files/long.bin`;
  await expect(client.readResource({ uri })).rejects.toThrow(/too large/);
});

test('a dry run of a move and of a deletion names what would refuse it', async () => {
  const { token } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  for (const path of ['/from/a.txt', '/from/b.txt', '/from/c.txt', '/to/a.txt'])
    await call(client, 'write_file', { path, content: path });
  const { revision } = await call(client, 'write_file', { path: '/to/c.txt', content: 'x' });
  const dryRun = true;
  const moved = await call(client, 'move_file', { from: '/from', to: '/to', dryRun });
  expect([moved.count, moved.conflict]).toEqual([
    3,
    expect.stringMatching(/^\/to\/a\.txt: .*rev_\d+.*; and 1 more$/),
  ]);
  for (const args of [
    { from: '/from', to: '/new' },
    { from: '/from', to: '/to', baseRevision: '*' },
    { from: '/from/c.txt', to: '/to/c.txt', baseRevision: revision },
  ])
    expect(await call(client, 'move_file', { ...args, dryRun })).not.toHaveProperty('conflict');
  const stale = { path: '/to/c.txt', baseRevision: 'rev_1' };
  expect((await call(client, 'delete_file', { ...stale, dryRun })).conflict).toContain(revision);
  expect(await refusal(client, 'delete_file', stale)).toMatchObject({
    code: 'revision_conflict',
    currentRevision: revision,
  });
  expect(await call(client, 'delete_file', { ...stale, baseRevision: revision, dryRun })).not.toHaveProperty(
    'conflict',
  );
});

test('a diff of many lines is one hunk between what is equal', () => {
  const lines = Array.from({ length: diffLinesMax }, (_, index) => `line ${index}`);
  const changed = lines.with(200, 'changed').join('\n');
  expect(unifiedDiff(lines.join('\n'), changed, 10_000)).toEqual({
    diff: '@@ -198,7 +198,7 @@\n line 197\n line 198\n line 199\n-line 200\n+changed\n line 201\n line 202\n line 203\n',
    truncated: false,
  });
  expect(unifiedDiff('', '😀'.repeat(100), 21)).toEqual({
    diff: expect.stringMatching(/^@@/),
    truncated: true,
  });
});
