// The published SDK of the reference, unmodified, against this agent: every call that the contract promises it.
import { execFileSync } from 'node:child_process';
import {
  type ChangeEvent,
  InvalidStateError,
  PayloadTooLargeError,
  RelayFileApiError,
  RelayFileClient,
  RevisionConflictError,
} from '@relayfile/sdk';
import { expect, it } from 'vitest';
import { type AgentOptions, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { differences, hashFolder, hashTar, sha256 } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

async function connect(options: AgentOptions = {}) {
  const agent = await startAgent(options);
  const fresh = await freshWorkspace(agent);
  const client = new RelayFileClient({ baseUrl: agent.url, token: fresh.token, retry: { maxRetries: 0 } });
  return { ...fresh, agent, client };
}

const bytes = Buffer.from([0, 255, 1, 254]);

it('writes, reads, lists, queries and deletes files', async () => {
  const { client, workspaceId } = await connect();
  const written = await client.writeFile({
    workspaceId,
    path: '/docs/grün.md',
    baseRevision: '0',
    content: '# Grün\n',
    contentType: 'text/markdown',
    semantics: { properties: { state: 'open' }, relations: ['/docs/b'], comments: ['c1'] },
  });
  expect(written).toMatchObject({ status: 'queued', writeback: { provider: 'docs', state: 'pending' } });
  await client.writeFile({
    workspaceId,
    path: '/docs/b.bin',
    baseRevision: '*',
    content: bytes.toString('base64'),
    encoding: 'base64',
    contentType: 'application/octet-stream',
  });

  expect(await client.readFile(workspaceId, '/docs/grün.md')).toMatchObject({
    path: '/docs/grün.md',
    revision: written.targetRevision,
    contentHash: sha256(Buffer.from('# Grün\n')),
    contentType: 'text/markdown',
    content: '# Grün\n',
    semantics: { properties: { state: 'open' }, relations: ['/docs/b'], comments: ['c1'] },
  });
  expect(await client.readFile(workspaceId, '/docs/b.bin')).toMatchObject({
    content: bytes.toString('base64'),
    encoding: 'base64',
  });
  const tree = await client.listTree(workspaceId, { path: '/', depth: 2 });
  expect(tree.entries.map(({ path, type }) => `${type} ${path}`)).toEqual([
    'dir /docs',
    'file /docs/b.bin',
    'file /docs/grün.md',
  ]);
  const found = await client.queryFiles(workspaceId, { provider: 'docs', properties: { state: 'open' } });
  expect(found.items.map((item) => item.path)).toEqual(['/docs/grün.md']);

  await client.deleteFile({ workspaceId, path: '/docs/grün.md', baseRevision: written.targetRevision });
  const after = await client.listTree(workspaceId, { path: '/docs' });
  expect(after.entries.map((entry) => entry.path)).toEqual(['/docs/b.bin']);
});

it('writes many files at once and tells which were refused', async () => {
  const { client, workspaceId } = await connect();
  const answer = await client.bulkWrite({
    workspaceId,
    correlationId: 'bulk-1',
    files: [
      { path: '/a.txt', content: 'a' },
      { path: '/x/../y', content: 'no' },
      { path: '/b.bin', content: bytes.toString('base64'), encoding: 'base64' },
      { path: '/c.bin', content: '***', encoding: 'base64' },
    ],
  });
  expect(answer).toMatchObject({ written: 2, errorCount: 2, correlationId: 'bulk-1' });
  expect(answer.errors.map(({ path, code }) => `${path} ${code}`)).toEqual([
    '/x/../y invalid_path',
    '/c.bin invalid_encoding',
  ]);
});

it('reads the feed page by page, and each event names its change', async () => {
  const { client, workspaceId } = await connect();
  for (const path of ['/1', '/2', '/3']) {
    await client.writeFile({
      workspaceId,
      path,
      baseRevision: '0',
      content: path,
      correlationId: `c${path}`,
    });
  }
  const first = await client.getEvents(workspaceId, { limit: 2 });
  expect(first.events.map(({ type, path, correlationId }) => [type, path, correlationId])).toEqual([
    ['file.created', '/1', 'c/1'],
    ['file.created', '/2', 'c/2'],
  ]);
  const rest = await client.getEvents(workspaceId, { cursor: first.nextCursor ?? 'none' });
  expect(rest.events.map((event) => event.path)).toEqual(['/3']);
  expect(rest.nextCursor).toBeNull();
});

it('exports as json, tar and patch, each of which gives the same files back', async () => {
  const { client, workspaceId } = await connect();
  const files: Record<string, Buffer> = {
    '/text.md': Buffer.from('no newline at the end'),
    '/deep/er/crlf.txt': Buffer.from('one\r\ntwo\r\n'),
    '/bytes.bin': bytes,
    '/empty': Buffer.alloc(0),
  };
  await client.bulkWrite({
    workspaceId,
    files: Object.entries(files).map(([path, content]) => ({
      path,
      content: content.toString('base64'),
      encoding: 'base64',
    })),
  });
  const expected = new Map(Object.entries(files).map(([path, content]) => [path.slice(1), sha256(content)]));

  const json = await client.exportWorkspace({ workspaceId, format: 'json' });
  if (json instanceof Blob) throw new Error('json came as a blob');
  expect(
    json.files.map((file) => [
      file.path,
      Buffer.from(file.content, file.encoding === 'base64' ? 'base64' : 'utf8'),
    ]),
  ).toEqual(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)));

  const tar = await client.exportWorkspace({ workspaceId, format: 'tar' });
  if (!(tar instanceof Blob)) throw new Error('tar came as json');
  expect(differences(expected, await hashTar(new Uint8Array(await tar.arrayBuffer())))).toEqual([]);

  const patch = await client.exportWorkspace({ workspaceId, format: 'patch' });
  if (!(patch instanceof Blob)) throw new Error('patch came as json');
  const folder = tempFolder('mooring-patch');
  execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
    cwd: folder,
    input: Buffer.from(await patch.arrayBuffer()),
  });
  expect(differences(expected, hashFolder(folder))).toEqual([]);
});

it('is told of every change below its globs', async () => {
  const { client, workspaceId } = await connect();
  const seen: ChangeEvent[] = [];
  const subscription = client.subscribe(['/docs/**'], (event) => seen.push(event), { coalesce: 'none' });
  // The subscription does not say when it listens: write until the first event came.
  let probes = 0;
  await waitFor(
    'the subscription to listen',
    async () => {
      probes += 1;
      await client.writeFile({
        workspaceId,
        path: '/docs/probe',
        baseRevision: '*',
        content: String(probes),
      });
      return seen.length > 0;
    },
    { everyMs: 100 },
  );
  await client.writeFile({ workspaceId, path: '/elsewhere', baseRevision: '*', content: 'x' });
  const written = await client.writeFile({ workspaceId, path: '/docs/a', baseRevision: '0', content: 'a' });
  const ofA = () => seen.filter((event) => event.resource.path === '/docs/a');
  // The client reads the file after the event, so it must still be there.
  await waitFor('the new file', () => ofA().length === 1);
  expect(ofA()[0]).toMatchObject({
    type: 'relayfile.changed',
    workspace: workspaceId,
    digest: `sha256:${sha256(Buffer.from('a'))}`,
  });
  await client.deleteFile({ workspaceId, path: '/docs/a', baseRevision: written.targetRevision });
  await waitFor('its deletion', () => ofA().length === 2);
  expect(seen.filter((event) => event.resource.path === '/elsewhere')).toEqual([]);
  await subscription.unsubscribe();
});

it('follows operations and acknowledges what waits for a provider', async () => {
  const { client, workspaceId } = await connect({ args: ['--external-writeback', 'all'] });
  const one = await client.writeFile({ workspaceId, path: '/p/1', baseRevision: '0', content: '1' });
  const two = await client.writeFile({ workspaceId, path: '/p/2', baseRevision: '0', content: '2' });
  const pending = await client.listPendingWritebacks(workspaceId);
  expect(pending.map(({ id, path }) => `${id} ${path}`)).toEqual([`${one.opId} /p/1`, `${two.opId} /p/2`]);

  expect(await client.ackWriteback({ workspaceId, itemId: one.opId, success: true })).toMatchObject({
    status: 'acknowledged',
    success: true,
  });
  await client.ackWriteback({ workspaceId, itemId: two.opId, success: false, error: 'refused' });
  expect(await client.getOp(workspaceId, one.opId)).toMatchObject({ status: 'succeeded', path: '/p/1' });
  expect(await client.getOp(workspaceId, two.opId)).toMatchObject({
    status: 'dead_lettered',
    lastError: 'refused',
  });
  expect(await client.listPendingWritebacks(workspaceId)).toEqual([]);

  expect(await client.replayOp(workspaceId, two.opId)).toMatchObject({ status: 'queued' });
  const ops = await client.listOps(workspaceId, { limit: 10 });
  expect(ops.items.map(({ opId, status }) => `${opId} ${status}`)).toEqual([
    `${two.opId} pending`,
    `${one.opId} succeeded`,
  ]);
});

it('settles operations at once where no provider waits for them', async () => {
  const { client, workspaceId } = await connect();
  const { opId } = await client.writeFile({ workspaceId, path: '/a', baseRevision: '0', content: 'a' });
  expect(await client.getOp(workspaceId, opId)).toMatchObject({ status: 'succeeded' });
  expect(await client.listPendingWritebacks(workspaceId)).toEqual([]);
});

it('meets each of its error classes', async () => {
  const { client, workspaceId, agent } = await connect({ args: ['--max-body-bytes', '64KiB'] });
  const failure = async (call: Promise<unknown>): Promise<unknown> =>
    await call.catch((error: unknown) => error);
  const { targetRevision, opId } = await client.writeFile({
    workspaceId,
    path: '/a',
    baseRevision: '0',
    content: 'mine',
  });

  const conflict = await failure(
    client.writeFile({ workspaceId, path: '/a', baseRevision: '0', content: 'b' }),
  );
  expect(conflict).toBeInstanceOf(RevisionConflictError);
  expect(conflict).toMatchObject({
    code: 'revision_conflict',
    expectedRevision: '0',
    currentRevision: targetRevision,
    currentContentPreview: 'mine',
  });
  const state = await failure(client.replayOp(workspaceId, opId));
  expect(state).toBeInstanceOf(InvalidStateError);
  const large = await failure(
    client.writeFile({ workspaceId, path: '/b', baseRevision: '0', content: 'x'.repeat(70_000) }),
  );
  expect(large).toBeInstanceOf(PayloadTooLargeError);
  const missing = await failure(client.readFile({ workspaceId, path: '/none', correlationId: 'c-9' }));
  expect(missing).toBeInstanceOf(RelayFileApiError);
  expect(missing).toMatchObject({ status: 404, code: 'not_found', correlationId: 'c-9' });
  const uuid = crypto.randomUUID();
  expect(await failure(client.listTree(uuid))).toMatchObject({ status: 404, code: 'workspace_not_found' });
  const stranger = new RelayFileClient({ baseUrl: agent.url, token: 'a.b.c', retry: { maxRetries: 0 } });
  expect(await failure(stranger.listTree(workspaceId))).toMatchObject({ status: 401, code: 'unauthorized' });
});
