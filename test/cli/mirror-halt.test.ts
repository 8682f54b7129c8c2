// The commands for a halted mirror.
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { HeldDeletions } from '../../sdk/index.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

it('lists the pending deletions, refuses a changed number, and restores the files', async () => {
  const agent = await startAgent();
  const { workspaceId, owner } = await freshWorkspace(agent);
  const dir = tempFolder('mooring-mirror');
  for (let n = 0; n < 12; n += 1) writeFileSync(path.join(dir, `f${n}`), `content ${n}`);
  const { mirrorId } = await owner.mirrors.add(workspaceId, dir);
  expect((await owner.mirrors.waitUntilSynced({ workspaceId })).settled).toBe(true);
  // Paused, so that the mirror sees all deletions at once.
  await owner.mirrors.pause(workspaceId, mirrorId);
  for (let n = 0; n < 10; n += 1) rmSync(path.join(dir, `f${n}`));
  truncateSync(path.join(dir, 'f10'));
  await owner.mirrors.resume(workspaceId, mirrorId);

  const run = async (...args: readonly string[]) =>
    await mooring(['mirror', ...args, '--workspace', workspaceId, '--dir', dir], { dataDir: agent.dataDir });
  await waitFor('the halt of the mirror', async () => {
    const [mirror] = await owner.mirrors.list(workspaceId);
    return mirror?.halt?.deletes === 11;
  });
  const shown = await run('pending-deletions', '--limit', '3');
  expect(shown.stdout.trim().split('\n')).toHaveLength(4);
  expect(shown.stdout).toMatch(/f10 +rev_\d+ +truncation +10 B +0 B/);
  expect(shown.stderr).toContain('10 files would be deleted and 1 truncated in the workspace.');
  // As printed, it can be pasted.
  expect(shown.stderr).toMatch(/: mooring mirror delete-missing --workspace \S+ --dir \S+ --deletes 11\n/);
  expect((JSON.parse((await run('pending-deletions', '--json')).stdout) as HeldDeletions).items).toHaveLength(
    11,
  );

  const other = await run('delete-missing', '--deletes', '10');
  expect(other).toMatchObject({ code: 1 });
  expect(other.stderr).toContain('changed to 11');
  expect(await run('delete-missing')).toMatchObject({ code: 2 });
  const former = await run('deletions', '--limit', '1');
  expect(former.stderr).toMatch(/^"mirror deletions" is deprecated\. Use "mirror pending-deletions"\.\n/);
  expect((await run('accept', '--deletes', '10')).stderr).toContain('Use "mirror delete-missing".');
  expect(await run('restore')).toMatchObject({ code: 0 });
  const truncated = () => readFileSync(path.join(dir, 'f10'), 'utf8');
  await waitFor(
    'the files to be back',
    () => existsSync(path.join(dir, 'f0')) && truncated() === 'content 10',
  );
});
