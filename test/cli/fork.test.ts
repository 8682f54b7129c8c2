// `mooring fork`. The staged changes are written with the SDK.
import { expect, it, vi } from 'vitest';
import { GoneError, NotFoundError, ParentMovedError } from '../../sdk/index.ts';
import { agentOfFile, type CommandResult, mooring } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

const agent = agentOfFile();

async function run(...args: readonly string[]): Promise<CommandResult> {
  return await mooring(args, { dataDir: agent.dataDir });
}

it('creates, shows, rebases, commits and discards forks, also over a kill -9 of the agent', async () => {
  const { workspaceId, client } = await freshWorkspace(agent);
  const workspace = ['--workspace', workspaceId];
  await client.writeFile(workspaceId, '/a', 'live');
  const forkId = (await run('fork', 'create', 'tidy up', ...workspace)).stdout.trim();
  expect(forkId).toMatch(/^fork_/);
  await client.writeFile(workspaceId, '/a', 'mine', { forkId });
  await client.files.writeRaw(workspaceId, '/raw', new Uint8Array([1, 2]), { forkId });
  expect(await client.files.stat(workspaceId, '/raw', { forkId })).toEqual({
    revision: `fork:${forkId}:2`,
    size: 2,
  });
  await agent.kill9();
  await agent.start();
  const again = (await freshWorkspace(agent)).owner;
  expect((await again.readFile(workspaceId, '/a', { forkId })).content).toBe('mine');
  expect((await run('fork', 'list', ...workspace)).stdout).toContain('tidy up');

  const theirs = await again.writeFile(workspaceId, '/a', 'theirs');
  const shown = await run('fork', 'show', forkId, ...workspace);
  expect(shown.stdout).toMatch(/^write +4 B +rev_\d+ +rev_\d+ +conflict +\/a$/m);
  expect(shown.stdout).toMatch(/^write +2 B +none +none +\/raw$/m);
  const refused = await run('fork', 'commit', forkId, ...workspace);
  expect([refused.code, refused.stdout]).toMatchObject([1, expect.stringContaining('/a')]);
  const moved = await again.forks.commit(workspaceId, forkId).catch((error: unknown) => error);
  expect(moved).toBeInstanceOf(ParentMovedError);
  expect((moved as ParentMovedError).conflicts).toMatchObject([
    { path: '/a', liveRevision: theirs.targetRevision },
  ]);
  const rebased = JSON.parse((await run('fork', 'rebase', forkId, ...workspace, '--json')).stdout);
  expect(rebased).toMatchObject({ cleanCount: 1, conflicts: [{ path: '/a' }] });
  await again.files.edit(workspaceId, '/new', () => 'made in the fork', { forkId });
  await again.writeFile(workspaceId, '/a', 'both', { forkId, ifMatch: theirs.targetRevision });
  expect((await run('fork', 'commit', forkId, ...workspace)).code).toBe(0);
  expect((await again.readFile(workspaceId, '/a')).content).toBe('both');
  expect((await again.readFile(workspaceId, '/new')).content).toBe('made in the fork');

  const given = (await run('fork', 'create', 'other', ...workspace)).stdout.trim();
  expect((await run('fork', 'discard', given, ...workspace)).code).toBe(0);
  await expect(again.forks.get(workspaceId, given)).rejects.toBeInstanceOf(NotFoundError);
  const short = await again.forks.create(workspaceId, { proposalId: 'short', ttlSeconds: 1 });
  const gone = await waitFor('its end', () =>
    again.forks.get(workspaceId, short.forkId).then(
      () => null,
      (error: unknown) => error,
    ),
  );
  expect(gone).toBeInstanceOf(GoneError);
  expect(await run('fork', 'create', 'x', ...workspace, '--ttl-seconds', 'long')).toMatchObject({ code: 2 });
});

it('shows the changes of a commit as a list and as a patch', async () => {
  const { workspaceId, client } = await freshWorkspace(agent);
  await client.writeFile(workspaceId, '/a', 'live\n');
  await client.writeFile(workspaceId, '/gone', 'gone\n');
  const { forkId } = await client.forks.create(workspaceId, { proposalId: 'diff' });
  await client.writeFile(workspaceId, '/a', 'mine\n', { forkId });
  await client.writeFile(workspaceId, '/raw', new Uint8Array([255]), { forkId });
  await client.deleteFile(workspaceId, '/gone', { forkId });
  await client.writeFile(workspaceId, '/a', 'theirs\n');
  const listed = await run('fork', 'diff', forkId, '--workspace', workspaceId);
  expect(listed.stdout).toMatch(/^change +5 B +\/a\ndelete +\/gone\nadd +1 B +\/raw$/m);
  const patch = await run('fork', 'diff', forkId, '--workspace', workspaceId, '--patch');
  expect(patch.stdout).toMatch(
    /^diff --git a\/a b\/a\n[\s\S]*\n-theirs\n\+mine\ndiff --git a\/gone[\s\S]*\n-gone\n$/,
  );
  expect(patch.stderr).toContain('add /raw: binary file');
});
