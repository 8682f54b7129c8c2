// The deletion limit of a mirror: the commands that set and show it, their former names, and the halt above it.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Mirror } from '../../sdk/index.ts';
import { parseDeletionLimit } from '../../server/cli/commands/mirror-halt.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

it.each(['0', '-1', '1000001', '2.5', '', 'usual'])('refuses the deletion limit %j', (text) => {
  expect(() => parseDeletionLimit(text)).toThrow('a whole number from 1 to 1000000, or "default"');
});

it('sets the deletion limit of a mirror when it is added or later, shows it, and resets it to the default', async () => {
  const agent = await startAgent();
  const { workspaceId, owner } = await freshWorkspace(agent);
  const dir = tempFolder('mooring-mirror');
  for (let file = 0; file < 20; file += 1) writeFileSync(path.join(dir, `f${file}`), `${file}`);
  const run = async (...args: readonly string[]) =>
    await mooring(['mirror', ...args, '--workspace', workspaceId], { dataDir: agent.dataDir });
  const setLimit = async (...args: readonly string[]) => await run('deletion-limit', ...args, '--dir', dir);

  const added = await run('add', '--dir', dir, '--guard', '2', '--json');
  expect(added.stderr).toBe('"--guard" is deprecated. Use "--deletion-limit".\n');
  expect((JSON.parse(added.stdout) as Mirror).deletesPerMinuteMax).toBe(2);
  expect((await owner.mirrors.waitUntilSynced({ workspaceId })).settled).toBe(true);
  expect((await run('list')).stdout).toMatch(/ DELETION LIMIT\n.* 2\n/);

  expect(await setLimit('default')).toMatchObject({ code: 0, stdout: '' });
  expect((await run('list')).stdout).not.toContain('DELETION LIMIT');
  expect((await setLimit('3')).stderr).toContain(
    `${dir} halts above 3 deletions and truncations per minute.`,
  );

  const refused = await setLimit('none');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('a whole number from 1 to 1000000, or "default"');
  const onlyMirror = await run('deletion-limit', '5');
  expect(onlyMirror).toMatchObject({ code: 0, stdout: '' });
  expect(onlyMirror.stderr).toContain(`${dir} halts above 5 deletions and truncations per minute.`);
  const former = await run('guard', '3', '--dir', dir);
  expect(former).toMatchObject({ code: 0, stdout: '' });
  expect(former.stderr).toMatch(/^"mirror guard" is deprecated\. Use "mirror deletion-limit"\.\n/);

  for (const file of ['f0', 'f1', 'f2', 'f3']) rmSync(path.join(dir, file));
  await waitFor('the halt at the fourth deletion', async () => {
    const [mirror] = await owner.mirrors.list(workspaceId);
    return mirror?.state === 'halted';
  });
  expect(await run('restore')).toMatchObject({ code: 0 });
  // Each of the first three may have been carried before the next one was deleted.
  await waitFor('what was held back to be there again', () => existsSync(path.join(dir, 'f3')));
});
