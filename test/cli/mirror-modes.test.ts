// `mooring mirror add` with mode and path, `mirror plan` and `explain`.
import { readdirSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { Mirror } from '../../sdk/index.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

vi.setConfig({ testTimeout: 300_000 });

it('adds a one-way mirror of a directory, lists it, and explains its actions', async () => {
  const agent = await startAgent();
  const { workspaceId, client, owner } = await freshWorkspace(agent);
  await client.writeFile(workspaceId, '/docs/a.md', 'a');
  await client.writeFile(workspaceId, '/other.md', 'o');
  const dir = tempFolder('mooring-mirror');
  const run = async (...args: readonly string[]) =>
    await mooring(['mirror', ...args, '--workspace', workspaceId], { dataDir: agent.dataDir });
  const added = await run('add', '--dir', dir, '--mode', 'to-folder', '--path', '/docs', '--json');
  expect(JSON.parse(added.stdout)).toMatchObject({ mode: 'to-folder', path: '/docs' });
  expect((await owner.mirrors.waitUntilSynced({ workspaceId })).settled).toBe(true);
  expect(readdirSync(dir).filter((name) => !name.startsWith('.'))).toEqual(['a.md']);
  const { mirrors } = JSON.parse((await run('list', '--json')).stdout) as { mirrors: Mirror[] };
  expect(mirrors).toMatchObject([{ dir, mode: 'to-folder', path: '/docs', kept: 0 }]);
  // With exactly one folder --dir is optional.
  const planned = await run('plan');
  expect(planned).toMatchObject({ code: 0, stdout: '' });
  expect(planned.stderr).toContain('Up to date.');
  const explained = await mooring(['explain', '/docs/a.md', '--workspace', workspaceId], {
    dataDir: agent.dataDir,
  });
  expect(explained.stdout).toContain(': up to date. ');
  expect(explained.stdout).toMatch(/^rev_1 +write +tester .* op_1$/m);
  expect(await run('add', '--dir', dir, '--mode', 'sideways')).toMatchObject({ code: 2 });
  const second = tempFolder('mooring-mirror');
  await run('add', '--dir', second, '--mode', 'to-folder');
  const unclear = await run('plan');
  expect(unclear).toMatchObject({ code: 2, stdout: '' });
  expect(unclear.stderr).toContain(second);
  expect(await run('plan', '--dir', second)).toMatchObject({ code: 0 });
  // A removal always names its folder.
  expect(await run('remove')).toMatchObject({ code: 2 });
});

it('mirrors files up to the size limit of the agent', async () => {
  const agent = await startAgent({ args: ['--mirror-file-bytes', '1KiB'] });
  const { workspaceId, client, owner } = await freshWorkspace(agent);
  await client.writeFile(workspaceId, '/fits', 'x'.repeat(1024));
  await client.writeFile(workspaceId, '/large', 'x'.repeat(1025));
  const dir = tempFolder('mooring-mirror');
  await mooring(['mirror', 'add', '--dir', dir, '--workspace', workspaceId], { dataDir: agent.dataDir });
  const { mirrors } = await owner.mirrors.waitUntilSynced({ workspaceId });
  expect(readdirSync(dir).filter((name) => !name.startsWith('.'))).toEqual(['fits']);
  expect(mirrors[0]?.problemList).toMatchObject([{ kind: 'too_large', path: '/large' }]);
});
