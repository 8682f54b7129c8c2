// Which way, and what part: `mooring mirror add` as a shell meets it.
import { readdirSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { Mirror } from '../../sdk/index.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

vi.setConfig({ testTimeout: 60_000 });

it('adds a mirror of a part, in one direction, and lists it so', async () => {
  const agent = await startAgent();
  const { workspaceId, client, owner } = await freshWorkspace(agent);
  await client.writeFile(workspaceId, '/docs/a.md', 'a');
  await client.writeFile(workspaceId, '/other.md', 'o');
  const dir = tempFolder('mooring-mirror');
  const run = async (...args: readonly string[]) =>
    await mooring(['mirror', ...args, '--workspace', workspaceId], { dataDir: agent.dataDir });
  const added = await run('add', '--dir', dir, '--mode', 'to-folder', '--path', '/docs', '--json');
  expect(JSON.parse(added.stdout)).toMatchObject({ mode: 'to-folder', path: '/docs' });
  expect((await owner.settle({ workspaceId })).settled).toBe(true);
  expect(readdirSync(dir).filter((name) => !name.startsWith('.'))).toEqual(['a.md']);
  const { mirrors } = JSON.parse((await run('list', '--json')).stdout) as { mirrors: Mirror[] };
  expect(mirrors).toMatchObject([{ dir, mode: 'to-folder', path: '/docs', kept: 0 }]);
  expect(await run('add', '--dir', dir, '--mode', 'sideways')).toMatchObject({ code: 2 });
});
