// The SDK against the real agent: what the scripted peer cannot show, above all that both mean the same.
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EventFrame, MooringClient, NotFoundError, RevisionConflictError } from '../../sdk/index.ts';
import { AgentProcess } from '../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';
import { makeTempFolder, removeFolder, tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const agent = new AgentProcess(makeTempFolder('mooring-data'), { args: ['--external-writeback', 'all'] });
beforeAll(() => agent.start());
afterAll(async () => {
  await agent.kill9();
  removeFolder(agent.dataDir);
});

it('writes with a revision, is told of a conflict, reads many at once and deletes', async () => {
  const { client, workspaceId } = await freshWorkspace(agent);
  const { targetRevision } = await client.writeFile(workspaceId, '/a', 'one', { ifMatch: '0' });
  const conflict: unknown = await client
    .writeFile(workspaceId, '/a', 'two', { ifMatch: '0' })
    .catch((error: unknown) => error);
  expect(conflict).toBeInstanceOf(RevisionConflictError);
  expect(conflict).toMatchObject({ currentRevision: targetRevision, currentContentPreview: 'one' });
  const bulk = await client.bulkWrite(workspaceId, [{ path: '/b', content: new Uint8Array([255]) }]);
  expect(bulk).toMatchObject({ written: 1, errorCount: 0 });
  const { files } = await client.bulkRead(workspaceId, ['/b', '/none', '/a']);
  expect(files).toMatchObject([
    { path: '/b', content: '/w==', encoding: 'base64' },
    { path: '/none', error: { status: 404 } },
    { path: '/a', content: 'one' },
  ]);
  await client.deleteFile(workspaceId, '/a', { ifMatch: targetRevision });
  await expect(client.readFile(workspaceId, '/a')).rejects.toBeInstanceOf(NotFoundError);
});

it('finds files by their metadata', async () => {
  const { client, workspaceId } = await freshWorkspace(agent);
  const semantics = { properties: { state: 'open', size: 3 }, relations: ['/x'], comments: ['c'] };
  await client.writeFile(workspaceId, '/tickets/1', 'one', { semantics });
  await client.writeFile(workspaceId, '/tickets/2', 'two');
  const found = await client.queryFiles(workspaceId, {
    provider: 'tickets',
    relation: '/x',
    properties: { state: 'open', size: '3' },
  });
  expect(found.items.map((item) => item.path)).toEqual(['/tickets/1']);
});

it('walks a tree of several pages and a feed of several pages, each entry once', async () => {
  const { client, workspaceId } = await freshWorkspace(agent);
  const paths = Array.from({ length: 1_500 }, (_, at) => `/many/${String(at).padStart(4, '0')}`);
  await client.bulkWrite(
    workspaceId,
    paths.map((path) => ({ path, content: path })),
  );
  const listed: string[] = [];
  for await (const page of client.treePages(workspaceId, { path: '/many' })) {
    listed.push(...page.entries.map((entry) => entry.path));
  }
  expect(listed).toEqual(paths);
  const happened: string[] = [];
  for await (const event of client.events(workspaceId, { limit: 400, path: '/many' })) {
    if (event.type === 'file.created') happened.push(event.path);
  }
  expect(happened).toEqual(paths);
});

it('follows operations until they are acknowledged', async () => {
  const { client, workspaceId } = await freshWorkspace(agent);
  const { opId } = await client.writeFile(workspaceId, '/p/a', 'a');
  expect(await client.listPendingWriteback(workspaceId)).toMatchObject([{ id: opId, path: '/p/a' }]);
  await client.ackWriteback(workspaceId, opId);
  expect(await client.getOperation(workspaceId, opId)).toMatchObject({ status: 'succeeded' });
  const { items } = await client.listOperations(workspaceId, { status: 'succeeded' });
  expect(items.map((item) => item.opId)).toEqual([opId]);
});

it('manages workspaces, tokens and mirrors, and settles', async () => {
  const owner = ownerClient(agent);
  const { workspaceId } = await owner.workspaces.create({ name: 'managed' });
  expect(await owner.workspaces.rename(workspaceId, 'renamed')).toMatchObject({ name: 'renamed' });
  const { accessToken } = await owner.tokens.create(workspaceId, { agent: 'a', ttlSeconds: 60 });
  await owner.tokens.revoke(workspaceId, accessToken.tokenId);
  expect(await owner.tokens.list(workspaceId)).toMatchObject([{ agent: 'a', revokedAt: expect.any(String) }]);
  const dir = tempFolder('mooring-mirror');
  const { mirrorId } = await owner.mirrors.add(workspaceId, dir);
  await owner.writeFile(workspaceId, '/from-api.txt', 'x');
  expect(await owner.settle({ workspaceId, timeoutMs: 20_000 })).toMatchObject({
    settled: true,
    mirrors: [{ dir, files: 1 }],
  });
  expect(await owner.mirrors.pause(workspaceId, mirrorId)).toMatchObject({ state: 'paused' });
  await owner.mirrors.resume(workspaceId, mirrorId);
  await owner.mirrors.remove(workspaceId, mirrorId);
  expect(await owner.mirrors.list(workspaceId)).toEqual([]);
  await owner.workspaces.remove(workspaceId);
  await expect(owner.listTree(workspaceId)).rejects.toMatchObject({ code: 'workspace_not_found' });
  expect(await owner.workspaces.restore(workspaceId)).toMatchObject({ workspaceId });
  expect(await owner.health()).toEqual({ status: 'ok' });
});

it('signs in with a link, once, and renews its token', async () => {
  const { url } = await ownerClient(agent).signIn.link();
  const code = decodeURIComponent(new URL(url).hash.replace(/^#[^=]+=/, ''));
  const { token } = await new MooringClient({ baseUrl: agent.url }).signIn.exchange(code);
  const signedIn = new MooringClient({ baseUrl: agent.url, token });
  expect((await signedIn.agentStatus()).pid).toBe(agent.pid);
  const renewed = await signedIn.signIn.renew();
  const later = new MooringClient({ baseUrl: agent.url, token: async () => renewed.token });
  expect((await later.workspaces.list()).length).toBeGreaterThan(0);
});

it('goes on without a gap when the agent is restarted at the same port', async () => {
  const { client, workspaceId, token } = await freshWorkspace(agent);
  await client.writeFile(workspaceId, '/before', 'x');
  const seen: EventFrame[] = [];
  const states: string[] = [];
  const subscription = client.subscribe(workspaceId, {
    onEvent: (event) => seen.push(event),
    onState: (state) => states.push(state.kind),
  });
  await waitFor('live', () => states.includes('live'));
  await client.writeFile(workspaceId, '/one', '1');
  await agent.restart(new URL(agent.url).host);
  const again = new MooringClient({ baseUrl: agent.url, token });
  await again.writeFile(workspaceId, '/two', '2');
  await waitFor('live again', () => subscription.state.kind === 'live' && seen.length >= 2, {
    deadlineMs: 20_000,
  });
  await again.writeFile(workspaceId, '/three', '3');
  await waitFor('the last event', () => seen.length >= 3);
  subscription.close();
  await subscription.closed;
  expect(seen.map((event) => event.path)).toEqual(['/one', '/two', '/three']);
  expect(seen[2]).toMatchObject({ content: '3', inlineContent: true });
});

it('is told at once when its token is revoked', async () => {
  const { workspaceId, owner } = await freshWorkspace(agent);
  const { token, accessToken } = await owner.tokens.create(workspaceId, { agent: 'short-lived' });
  const client = new MooringClient({ baseUrl: agent.url, token });
  const subscription = client.subscribe(workspaceId, { onEvent: () => undefined });
  await waitFor('live', () => subscription.state.kind === 'live');
  await owner.tokens.revoke(workspaceId, accessToken.tokenId);
  await subscription.closed;
  expect(subscription.state).toMatchObject({ kind: 'closed', error: { code: 'unauthorized' } });
});

it('tells its settings, and makes a bundle that names no secret, content, file, folder or host', async () => {
  const client = ownerClient(agent);
  const { configFile, settings } = await client.agentSettings();
  expect(configFile).toBe(path.join(agent.dataDir, 'config.json'));
  expect(settings).toContainEqual({
    name: 'externalWriteback',
    value: 'all',
    isDefault: false,
    flag: '--external-writeback',
    variable: 'MOORING_EXTERNAL_WRITEBACK',
  });
  const { workspaceId } = await freshWorkspace(agent);
  const folder = tempFolder('private-folder');
  await client.mirrors.add(workspaceId, folder);
  const { token } = await client.tokens.create(workspaceId, { agent: 'helper' });
  await client.providers.add(workspaceId, {
    provider: 'crm',
    kind: 'http',
    url: 'https://hidden-host.example/in',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  });
  await client.writeFile(workspaceId, '/hidden-name.md', 'hidden words');
  const bundle = await client.diagnosticsBundle();
  const mirror = bundle.mirrors.find((each) => each.workspaceId === workspaceId);
  expect(mirror).toMatchObject({ halted: false, problemKinds: {} });
  expect(bundle.providers).toContainEqual(
    expect.objectContaining({ workspaceId, provider: 'crm', kind: 'http', failureCodes: {} }),
  );
  expect(bundle.checks.map((check) => check.name)).toContain(`mirror <folder of ${mirror?.mirrorId}>`);
  expect(bundle.metrics).toContain('# TYPE');
  const text = JSON.stringify(bundle);
  for (const hidden of [token, 'whsec_', 'hidden', folder, agent.dataDir, '127.0.0.1']) {
    expect(text.includes(hidden), hidden).toBe(false);
  }
  await client.workspaces.remove(workspaceId);
});
