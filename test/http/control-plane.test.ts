import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createMirrorManager } from '../../server/mirror/manager/manager.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';
import { createForks } from '../../server/workspaces/forks.ts';
import { codeOf, errorOf, request } from '../support/api-request.ts';
import { makeWorkspace, noMirrors, startHttpAgent } from '../support/http-agent.ts';
import { inlineCompute } from '../support/inline-compute.ts';
import { tempFolder } from '../support/temp-folder.ts';

const create = '/api/v1/workspaces';
/** Nothing is started in the test that makes one. */
const unusedParts = {
  clock: systemClock,
  ids: createIds(),
  logger: createLogger({ level: 'error' }),
  cloudMachine: { platform: process.platform, home: '/', env: {} },
};

test('the owner creates a workspace and joins it, without a correlation id', async () => {
  const agent = await startHttpAgent();
  const plain = { method: 'POST', correlationId: null } as const;
  const made = await request(agent, create, { ...plain, body: { name: 'Docs' } });
  expect([made.status, made.json]).toEqual([
    201,
    {
      workspaceId: expect.stringMatching(/^rw_[a-z0-9]{8}$/),
      name: 'Docs',
      createdAt: expect.any(String),
      relayfileUrl: agent.url,
      relaycastApiKey: 'not-provided',
    },
  ]);
  const { workspaceId } = made.json;
  const joined = await request(agent, `${create}/${workspaceId}/join`, {
    ...plain,
    body: { agentName: 'ann' },
  });
  expect(joined.json).toMatchObject({
    workspaceId,
    agentName: 'ann',
    scopes: ['fs:read', 'fs:write'],
    relayfileUrl: agent.url,
    wsUrl: `${agent.url.replace('http', 'ws')}/v1/workspaces/${workspaceId}/fs/ws`,
  });
  const { tokenIssuedAt, suggestedRefreshAt, expiresAt, token } = joined.json;
  expect([tokenIssuedAt, suggestedRefreshAt, expiresAt].map(Date.parse)).toEqual(
    [tokenIssuedAt, suggestedRefreshAt, expiresAt].map(Date.parse).sort((one, other) => one - other),
  );
  expect((await request(agent, `/v1/workspaces/${workspaceId}/fs/tree`, { token })).status).toBe(200);
  expect((await request(agent, create, { ...plain })).json.name).toBe('Workspace');
});

test('a token of the workspace hands out less, never more', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent, { scopes: ['fs:read'], agent: 'ann' });
  const join = (body?: object) =>
    request(agent, `${create}/${workspaceId}/join`, { method: 'POST', token, body });
  const scopes = ['relayfile:fs:read:/docs/**'];
  const narrow = await join({ agentName: 'bob', scopes });
  expect(narrow.json).toMatchObject({ agentName: 'bob', scopes });
  const read = (file: string) =>
    request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=${file}`, { token: narrow.json.token });
  expect([codeOf(await read('/docs/a')), codeOf(await read('/a'))]).toEqual([
    [404, 'not_found'],
    [403, 'forbidden'],
  ]);
  expect((await join()).json.scopes).toEqual(['fs:read']);
  expect(errorOf(await join({ scopes: ['fs:write'] }))).toEqual([
    403,
    'forbidden',
    'scope "fs:write" exceeds the scopes of the requesting token',
  ]);
});

test('what the control plane cannot do is refused in its own words', async () => {
  const agent = await startHttpAgent();
  const { workspaceId, token } = await makeWorkspace(agent);
  const other = await makeWorkspace(agent);
  const post = async (url: string, body?: unknown, as: string | null = agent.ownerToken) =>
    codeOf(await request(agent, url, { method: 'POST', correlationId: null, token: as, body }));
  const join = `${create}/${workspaceId}/join`;
  expect(await post(create, { name: '' })).toEqual([400, 'invalid_request']);
  expect(await post(create, '{')).toEqual([400, 'invalid_request']);
  expect(await post(create, { permissions: { readonly: ['/a/**'] } })).toEqual([400, 'invalid_request']);
  expect(await post(create, { permissions: { readonly: [], ignored: [] } })).toEqual([201, undefined]);
  expect(await post(create, {}, token)).toEqual([403, 'forbidden']);
  expect(await post(create, {}, null)).toEqual([401, 'unauthorized']);
  expect(await post(join, { permissions: { ignored: ['/a/**'] } })).toEqual([400, 'invalid_request']);
  expect(await post(join, { agentName: 'two words' })).toEqual([400, 'invalid_request']);
  expect(await post(join, { scopes: ['nonsense'] })).toEqual([400, 'invalid_scopes']);
  expect(await post(join, {}, other.token)).toEqual([403, 'forbidden']);
  expect(await post(`${create}/rw_unknown1/join`)).toEqual([404, 'workspace_not_found']);
  expect(await post(`${create}/${crypto.randomUUID()}/join`)).toEqual([404, 'workspace_not_found']);
  expect(await post(`${create}/${workspaceId}/integrations/connect-session`, {})).toEqual([404, 'not_found']);
  expect(await post(`${create}/${workspaceId}/nothing`)).toEqual([404, 'not_found']);
});

test('a mount session says all that a mount program needs, and takes no folder that is taken', async () => {
  const taken = new Map([['/home/ann/mirror/sub', 'it lies in a mirror']]);
  const agent = await startHttpAgent({
    mirrors: { ...noMirrors, rootRefusal: (dir) => taken.get(dir) ?? null },
  });
  const { workspaceId, token } = await makeWorkspace(agent, { scopes: ['fs:read', 'ops:read'] });
  const post = (body: unknown, as = agent.ownerToken) =>
    request(agent, `${create}/${workspaceId}/relayfile/mount-session`, { method: 'POST', token: as, body });
  const session = await post({ localDir: '/home/ann/notes', remotePath: 'docs/', mode: 'fuse' });
  expect(session.json).toMatchObject({
    workspaceId,
    relayfileBaseUrl: agent.url,
    remotePath: '/docs',
    localDir: '/home/ann/notes',
    mode: 'fuse',
    scopes: ['fs:read', 'fs:write', 'ops:read', 'sync:read'],
    relaycastApiKey: 'not-provided',
  });
  const tree = `/v1/workspaces/${workspaceId}/fs/tree`;
  expect((await request(agent, tree, { token: session.json.relayfileToken })).status).toBe(200);
  const { json: narrow } = await post({ localDir: '/x', agentName: 'ann' }, token);
  expect([narrow.scopes, narrow.mode, narrow.remotePath]).toEqual([['fs:read', 'ops:read'], 'poll', '/']);
  expect(errorOf(await post({ localDir: '/home/ann/mirror/sub' }))).toEqual([
    400,
    'invalid_local_dir',
    'it lies in a mirror',
  ]);
  const codes = [
    await post({ localDir: '/x', mode: 'nfs' }),
    await post({ localDir: '/x', remotePath: '/a/../b' }),
    await post({ localDir: '/x', scopes: ['nonsense'] }),
    await post({}),
  ].map((answer) => codeOf(answer)[1]);
  expect(codes).toEqual(['invalid_mode', 'invalid_remote_path', 'invalid_scopes', 'invalid_request']);
});

test('no token but the owner’s learns from a mount session which folders the agent has', async () => {
  const why = 'Cannot mirror /: it overlaps the data directory /home/ann/.local/share/mooring.';
  const agent = await startHttpAgent({ mirrors: { ...noMirrors, rootRefusal: () => why } });
  const { workspaceId, token } = await makeWorkspace(agent);
  const begin = async (as: string, body: object) =>
    errorOf(
      await request(agent, `/api/v1/workspaces/${workspaceId}/relayfile/mount-session`, {
        method: 'POST',
        token: as,
        body,
      }),
    );
  for (const body of [{ localDir: '/' }, { localDir: '/', remotePath: '/' }, { localDir: 'relative' }]) {
    const [status, code, message] = await begin(token, body);
    expect([status, code]).toEqual([400, 'invalid_local_dir']);
    expect(message).not.toMatch(/data directory|\/home|\/ and/);
    expect(message).toContain('Choose another');
  }
  expect((await begin(agent.ownerToken, { localDir: '/' }))[2]).toBe(why);
});

test('a folder within a mirror or the data directory, or around one, is taken, also behind a link', async () => {
  const folder = tempFolder();
  const agent = await startHttpAgent();
  const dataDir = path.join(folder, 'data');
  mkdirSync(dataDir);
  symlinkSync(dataDir, path.join(folder, 'link'));
  const mirrors = createMirrorManager({
    compute: inlineCompute,
    ...unusedParts,
    store: agent.store,
    workspaces: agent.workspaces,
    forks: createForks({ store: agent.store, clock: systemClock, uuid: () => crypto.randomUUID() }),
    dataDir,
  });
  const takes = (name: string) => mirrors.rootRefusal(path.join(folder, name)) === null;
  expect(mirrors.rootRefusal('relative')).toBe('Cannot mirror relative: it is not an absolute path.');
  expect(mirrors.rootRefusal(path.join(folder, 'a\0b'))).toContain('it is not an absolute path');
  expect(['data', 'data/new/deep', 'link/new', '.', 'data2', 'new'].map(takes)).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
  ]);
});

test('a short-lived token is had for a long-lived one and ends with it', async () => {
  const agent = await startHttpAgent();
  const { workspaceId } = await makeWorkspace(agent);
  const refresh = (refreshToken: string) =>
    request(agent, '/api/v1/auth/token/refresh', {
      method: 'POST',
      token: null,
      correlationId: null,
      body: { refreshToken },
    });
  const owner = await refresh(agent.ownerToken);
  expect(owner.json).toMatchObject({ apiUrl: agent.url, refreshToken: agent.ownerToken });
  expect((await request(agent, '/v1/workspaces', { token: owner.json.accessToken })).status).toBe(200);
  const long = await agent.tokens.issue({ workspaceId, scopes: ['fs:read'], ttlSeconds: 60 });
  const short = await refresh(long.token);
  expect(short.json.accessTokenExpiresAt).toBe(short.json.refreshTokenExpiresAt);
  const tree = () =>
    request(agent, `/v1/workspaces/${workspaceId}/fs/tree`, { token: short.json.accessToken });
  expect((await tree()).status).toBe(200);
  await agent.tokens.revoke(workspaceId, long.row.tokenId);
  expect([codeOf(await tree()), codeOf(await refresh(long.token)), codeOf(await refresh('x'))]).toEqual(
    Array.from({ length: 3 }, () => [401, 'unauthorized']),
  );
});
