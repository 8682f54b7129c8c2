// How many deletions a mirror believes, as a shell sets and sees it; and that the mirror holds to it.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Mirror } from '../../sdk/index.ts';
import { parseGuard } from '../../server/cli/commands/mirror-guard.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 60_000 });

it.each(['0', '-1', '1000001', '2.5', '', 'usual'])('takes no guard of %j', (text) => {
  expect(() => parseGuard(text)).toThrow('a whole number from 1 to 1000000, or "default"');
});

it('sets the guard of a mirror with it or later, shows it, and takes it back to the usual number', async () => {
  const agent = await startAgent();
  const { workspaceId, owner } = await freshWorkspace(agent);
  const dir = tempFolder('mooring-mirror');
  for (let file = 0; file < 20; file += 1) writeFileSync(path.join(dir, `f${file}`), `${file}`);
  const run = async (...args: readonly string[]) =>
    await mooring(['mirror', ...args, '--workspace', workspaceId], { dataDir: agent.dataDir });
  const guard = async (...args: readonly string[]) => await run('guard', ...args, '--dir', dir);

  const added = await run('add', '--dir', dir, '--guard', '2', '--json');
  expect((JSON.parse(added.stdout) as Mirror).deletesPerMinuteMax).toBe(2);
  expect((await owner.settle({ workspaceId })).settled).toBe(true);
  expect((await run('list')).stdout).toMatch(/ GUARD .*\n.* two-way +2 /);

  expect(await guard('default')).toMatchObject({ code: 0, stdout: '' });
  expect((await run('list')).stdout).toMatch(/ two-way +1000 /);
  expect((await guard('3')).stderr).toContain(`${dir} halts beyond 3 deletions and truncations per minute.`);

  const refused = await guard('none');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('a whole number from 1 to 1000000, or "default"');
  // What protects files is never set for a folder that was not named.
  expect(await run('guard', '5')).toMatchObject({ code: 2 });

  for (const file of ['f0', 'f1', 'f2', 'f3']) rmSync(path.join(dir, file));
  await waitFor('the mirror to hold back the fourth deletion', async () => {
    const [mirror] = await owner.mirrors.list(workspaceId);
    return mirror?.state === 'halted';
  });
  expect(await run('restore')).toMatchObject({ code: 0 });
  await waitFor('the files to be back', () => existsSync(path.join(dir, 'f0')));
});
