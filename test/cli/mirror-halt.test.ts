// A halted mirror as a shell meets it.
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { HeldDeletions } from '../../sdk/index.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 60_000 });

it('shows what would be deleted, takes no for another number, and then does what it was told', async () => {
  const agent = await startAgent();
  const { workspaceId, owner } = await freshWorkspace(agent);
  const dir = tempFolder('mooring-mirror');
  for (let n = 0; n < 12; n += 1) writeFileSync(path.join(dir, `f${n}`), `content ${n}`);
  const { mirrorId } = await owner.mirrors.add(workspaceId, dir);
  expect((await owner.settle({ workspaceId })).settled).toBe(true);
  // At once for the mirror, however slow this machine is.
  await owner.mirrors.pause(workspaceId, mirrorId);
  for (let n = 0; n < 10; n += 1) rmSync(path.join(dir, `f${n}`));
  truncateSync(path.join(dir, 'f10'));
  await owner.mirrors.resume(workspaceId, mirrorId);

  const run = async (...args: readonly string[]) =>
    await mooring(['mirror', ...args, '--workspace', workspaceId, '--dir', dir], { dataDir: agent.dataDir });
  await waitFor('the mirror to hold back the deletions', async () => {
    const [mirror] = await owner.mirrors.list(workspaceId);
    return mirror?.halt?.deletes === 11;
  });
  const shown = await run('deletions', '--limit', '3');
  expect(shown.stdout.trim().split('\n')).toHaveLength(4);
  expect(shown.stdout).toMatch(/f10 +rev_\d+ +truncation +10 B +0 B/);
  expect(shown.stderr).toContain('10 files would be deleted and 1 truncated in the workspace.');
  expect(shown.stderr).toContain('mooring mirror accept --deletes 11');
  expect((JSON.parse((await run('deletions', '--json')).stdout) as HeldDeletions).items).toHaveLength(11);

  const other = await run('accept', '--deletes', '10');
  expect(other).toMatchObject({ code: 1 });
  expect(other.stderr).toContain('11 files');
  expect(await run('accept')).toMatchObject({ code: 2 });
  expect(await run('restore')).toMatchObject({ code: 0 });
  const truncated = () => readFileSync(path.join(dir, 'f10'), 'utf8');
  await waitFor(
    'the files to be back',
    () => existsSync(path.join(dir, 'f0')) && truncated() === 'content 10',
  );
});
