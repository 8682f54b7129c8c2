// `RelayfileSetup` of the published SDK of the reference, unmodified, with its `cloudApiUrl` at this agent: it creates, joins,
// invites, refreshes and mounts.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CloudApiError } from '@relayfile/sdk';
import { createDefaultMountLauncher, RelayfileSetup } from '@relayfile/sdk/cli';
import { expect, it, onTestFinished } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import {
  mountProgram,
  mountRunsHere,
  mountSkipReason,
  untilMountWatches,
} from '../support/relayfile-mount.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { putFile } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

const noRetries = { retry: { maxRetries: 0, baseDelayMs: 1 } };

async function connect() {
  const agent = await startAgent();
  const setup = new RelayfileSetup({
    cloudApiUrl: agent.url,
    accessToken: agent.ownerToken,
    ...noRetries,
  });
  return { agent, setup };
}

it('creates a workspace, joins it, and its handle works', async () => {
  const { agent, setup } = await connect();
  const created = await setup.createWorkspace({ name: 'Docs', agentName: 'ann' });
  expect(created.info).toMatchObject({
    relayfileUrl: agent.url,
    name: 'Docs',
    relaycastApiKey: 'not-provided',
  });
  const { workspaceId } = created;
  await created.client().writeFile({ workspaceId, path: '/a.md', baseRevision: '0', content: 'by ann' });
  const joined = await setup.joinWorkspace(workspaceId, { agentName: 'bob', scopes: ['fs:read'] });
  expect(await joined.client().readFile(workspaceId, '/a.md')).toMatchObject({ content: 'by ann' });
  const refused = joined.client().writeFile({ workspaceId, path: '/b', baseRevision: '0', content: 'x' });
  await expect(refused).rejects.toMatchObject({ status: 403 });
  const before = joined.getToken();
  await joined.refreshToken();
  expect(joined.getToken()).not.toBe(before);
  expect(joined.mountEnv({ localDir: '/x' })).toMatchObject({
    RELAYFILE_BASE_URL: agent.url,
    RELAYFILE_WORKSPACE: workspaceId,
  });
  await expect(setup.joinWorkspace('rw_unknown1')).rejects.toThrow(CloudApiError);
});

it('invites another agent with less than its own rights, and not with more', async () => {
  const { agent, setup } = await connect();
  const handle = await setup.createWorkspace({ agentName: 'ann' });
  const { workspaceId } = handle;
  expect(handle.agentInvite()).toMatchObject({ workspaceId, relayfileToken: handle.getToken() });
  const invite = await handle.agentInviteScoped({
    agentName: 'summarizer',
    scopes: ['relayfile:fs:read:/pages/**'],
  });
  const tree = (where: string) =>
    fetch(`${agent.url}/v1/workspaces/${workspaceId}/fs/tree?path=${where}`, {
      headers: { authorization: `Bearer ${invite.relayfileToken}`, 'x-correlation-id': 'c' },
    });
  expect([(await tree('/pages')).status, (await tree('/')).status]).toEqual([200, 403]);
  await expect(handle.agentInviteScoped({ scopes: ['admin:read'] })).rejects.toMatchObject({
    httpStatus: 403,
  });
  await expect(handle.connectNotion()).rejects.toMatchObject({ httpStatus: 404 });
});

it('comes to its access tokens by a refresh token', async () => {
  const { agent } = await connect();
  const seen: string[] = [];
  const setup = RelayfileSetup.fromCloudTokens(
    {
      apiUrl: agent.url,
      accessToken: 'none yet',
      refreshToken: agent.ownerToken,
      accessTokenExpiresAt: new Date(0).toISOString(),
    },
    { ...noRetries, onTokens: ({ accessToken }) => void seen.push(accessToken) },
  );
  const handle = await setup.createWorkspace({ name: 'By refresh' });
  expect(handle.info.name).toBe('By refresh');
  expect(seen).toHaveLength(1);
});

it('mounts with the published program', async ({ skip }) => {
  const { setup } = await connect();
  const handle = await setup.createWorkspace({
    agentName: 'ann',
    scopes: ['fs:read', 'fs:write', 'ops:read'],
  });
  const { workspaceId } = handle;
  skip(!mountRunsHere, mountSkipReason);
  await handle
    .client()
    .writeFile({ workspaceId, path: '/a.md', baseRevision: '0', content: 'from the agent' });
  const program = mountProgram();
  const home = tempFolder('mooring-mount-home');
  const localDir = tempFolder('mooring-mount');
  const started: ChildProcess[] = [];
  const launcher = createDefaultMountLauncher({
    // The program of the package, with state that is the test's own.
    spawnImpl: ((_command: string, args: readonly string[], options: { env: NodeJS.ProcessEnv }) => {
      const child = spawn(program, [...args, '--interval', '5s'], {
        ...options,
        env: { ...options.env, HOME: home },
      });
      started.push(child);
      return child;
    }) as typeof spawn,
  });
  const mounted = await setup.mountWorkspace({ workspace: handle, localDir, launcher });
  onTestFinished(() => mounted.stop());
  expect(mounted.ready).toBe(true);
  const waits = { deadlineMs: 60_000, everyMs: 100 };
  const local = path.join(localDir, 'a.md');
  await waitFor('the file of the workspace', () => existsSync(local), waits);
  expect(readFileSync(local, 'utf8')).toBe('from the agent');
  const child = started.at(-1);
  if (child === undefined) throw new Error('nothing was started');
  await untilMountWatches(child, localDir, waits.deadlineMs);
  putFile(localDir, 'b.md', 'from the folder');
  await waitFor(
    'the file of the folder',
    async () => (await handle.client().readFile(workspaceId, '/b.md')).content === 'from the folder',
    waits,
  );
});
