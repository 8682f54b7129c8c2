// The SDK against a real agent, for tests that need its process, folders or options. Tests for Node and browsers are in suite/.
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EventFrame, MooringClient } from '../../sdk/index.ts';
import { AgentProcess } from '../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';
import { makeTempFolder, removeFolder, tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const agent = new AgentProcess(makeTempFolder('mooring-data'), {
  args: ['--external-writeback', 'all', '--max-body-bytes', '2097152'],
});
beforeAll(() => agent.start());
afterAll(async () => {
  await agent.kill9();
  removeFolder(agent.dataDir);
});

it('follows operations until they are acknowledged', async () => {
  const { client, workspaceId } = await freshWorkspace(agent);
  const { opId } = await client.writeFile(workspaceId, '/p/a', 'a');
  expect(await client.writeback.pending(workspaceId)).toMatchObject([{ id: opId, path: '/p/a' }]);
  await client.writeback.acknowledge(workspaceId, opId);
  expect(await client.operations.get(workspaceId, opId)).toMatchObject({ status: 'succeeded' });
  const { items } = await client.operations.list(workspaceId, { status: 'succeeded' });
  expect(items.map((item) => item.opId)).toEqual([opId]);
});

it('moves a file that is longer in base64 than the body of a request may be', async () => {
  const { client, workspaceId } = await freshWorkspace(agent);
  const bytes = new Uint8Array(1_900_000).fill(255);
  await client.files.writeRaw(workspaceId, '/large.bin', bytes);
  const { revision } = await client.files.stat(workspaceId, '/large.bin');
  const { forkId } = await client.forks.create(workspaceId, { proposalId: 'move' });
  await client.files.stageMove(workspaceId, forkId, { from: '/large.bin', revision, to: '/moved.bin' });
  await client.forks.commit(workspaceId, forkId);
  expect(await client.files.stat(workspaceId, '/moved.bin')).toMatchObject({ size: bytes.length });
});

it('manages workspaces, tokens and mirrors, and waits until they are synced', async () => {
  const owner = ownerClient(agent);
  const { workspaceId } = await owner.workspaces.create({ name: 'managed' });
  expect(await owner.workspaces.rename(workspaceId, 'renamed')).toMatchObject({ name: 'renamed' });
  const { accessToken } = await owner.tokens.create(workspaceId, { agent: 'a', ttlSeconds: 60 });
  await owner.tokens.revoke(workspaceId, accessToken.tokenId);
  expect(await owner.tokens.list(workspaceId)).toMatchObject([{ agent: 'a', revokedAt: expect.any(String) }]);
  const dir = tempFolder('mooring-mirror');
  const { mirrorId } = await owner.mirrors.add(workspaceId, dir);
  await owner.writeFile(workspaceId, '/from-api.txt', 'x');
  expect(await owner.mirrors.waitUntilSynced({ workspaceId, timeoutMs: 20_000 })).toMatchObject({
    settled: true,
    mirrors: [{ dir, files: 1 }],
  });
  expect(await owner.mirrors.pathStates(workspaceId, ['/from-api.txt', '/'])).toMatchObject([
    { path: '/from-api.txt', state: 'same', mirrors: [{ mirrorId, state: 'same', next: null }] },
    { path: '/', state: 'same' },
  ]);
  expect(await owner.mirrors.pause(workspaceId, mirrorId)).toMatchObject({ state: 'paused' });
  await owner.mirrors.resume(workspaceId, mirrorId);
  await owner.mirrors.remove(workspaceId, mirrorId);
  expect(await owner.mirrors.list(workspaceId)).toEqual([]);
  await owner.workspaces.remove(workspaceId);
  await expect(owner.listTree(workspaceId)).rejects.toMatchObject({ code: 'workspace_not_found' });
  expect(await owner.workspaces.restore(workspaceId)).toMatchObject({ workspaceId });
  expect(await owner.agent.health()).toEqual({ status: 'ok' });
});

it('signs in with a link, once, and renews its token', async () => {
  const { url } = await ownerClient(agent).agent.signIn.link();
  const code = decodeURIComponent(new URL(url).hash.replace(/^#[^=]+=/, ''));
  const { token } = await new MooringClient({ baseUrl: agent.url }).agent.signIn.exchange(code);
  const signedIn = new MooringClient({ baseUrl: agent.url, token });
  expect((await signedIn.agent.status()).pid).toBe(agent.pid);
  const renewed = await signedIn.agent.signIn.renew();
  const later = new MooringClient({ baseUrl: agent.url, token: async () => renewed.token });
  expect((await later.workspaces.list()).length).toBeGreaterThan(0);
});

it('continues without a gap when the agent restarts at the same port', async () => {
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
    deadlineMs: 90_000,
  });
  await again.writeFile(workspaceId, '/three', '3');
  await waitFor('the last event', () => seen.length >= 3);
  subscription.close();
  await subscription.closed;
  expect(seen.map((event) => event.path)).toEqual(['/one', '/two', '/three']);
  expect(seen[2]).toMatchObject({ content: '3', inlineContent: true });
});

it('returns its settings, and a bundle without secrets, contents, and names of files, folders and hosts', async () => {
  const client = ownerClient(agent);
  const { configFile, settings } = await client.agent.settings();
  expect(configFile).toBe(path.join(agent.dataDir, 'config.json'));
  expect(settings).toContainEqual({
    name: 'externalWriteback',
    value: 'all',
    isDefault: false,
    default: 'auto',
    source: 'flag',
    isEditable: false,
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
  const bundle = await client.agent.diagnosticsBundle();
  const mirror = bundle.mirrors.find((each) => each.workspaceId === workspaceId);
  expect(mirror).toMatchObject({ halted: false, problemKinds: {} });
  expect(bundle.providers).toContainEqual(
    expect.objectContaining({ workspaceId, provider: 'crm', kind: 'http', failureCodes: {} }),
  );
  expect(bundle.checks.map((check) => check.name)).toContain(`mirror <folder of ${mirror?.mirrorId}>`);
  expect(bundle.metrics).toContain('# TYPE');
  expect(bundle.log).toContainEqual(
    expect.objectContaining({ level: 'info', source: 'agent', message: 'agent is ready' }),
  );
  const text = JSON.stringify(bundle);
  for (const hidden of [token, 'whsec_', 'hidden', folder, agent.dataDir, '127.0.0.1']) {
    expect(text.includes(hidden), hidden).toBe(false);
  }
  await client.workspaces.remove(workspaceId);
});
