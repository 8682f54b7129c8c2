// A folder of another sync program: refused with the reason, accepted with --yes, and reported by doctor.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

vi.setConfig({ testTimeout: 300_000 });

it('refuses a folder of Syncthing, mirrors it with --yes, and reports it in doctor', async () => {
  const agent = await startAgent();
  const { workspaceId, owner } = await freshWorkspace(agent);
  const shared = path.join(tempFolder('mooring-cloud'), 'Sync');
  mkdirSync(path.join(shared, '.stfolder'), { recursive: true });
  const dir = path.join(shared, 'notes');
  const run = async (...args: readonly string[]) => await mooring(args, { dataDir: agent.dataDir });
  const add = ['mirror', 'add', '--workspace', workspaceId, '--dir', dir] as const;

  const refused = await run(...add);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain(`${dir} is inside the Syncthing folder ${shared}`);
  expect(refused.stderr).toContain('--yes');
  expect(existsSync(dir)).toBe(false);
  const started = await run('start', dir);
  expect(started).toMatchObject({ code: 1 });
  expect(started.stderr).toContain('Syncthing');
  expect(await owner.workspaces.list()).toHaveLength(1);

  expect(await run(...add, '--yes')).toMatchObject({ code: 0 });
  const examined = await run('doctor');
  expect(examined.stdout).toContain(`warning  mirror ${dir}: `);
  expect(examined.stdout).toContain(`inside the Syncthing folder ${shared}`);

  const around = tempFolder('mooring-cloud');
  mkdirSync(path.join(around, 'team'));
  writeFileSync(path.join(around, 'team', '.sync_0123456789ab.db'), '');
  const other = await run('mirror', 'add', '--workspace', workspaceId, '--dir', around);
  expect(other).toMatchObject({ code: 1 });
  expect(other.stderr).toContain(`${around} contains the Nextcloud folder ${path.join(around, 'team')}`);
});
