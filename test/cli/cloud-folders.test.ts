// A folder of another sync program: refused with the reason, accepted with --yes, and reported by doctor.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tokenFileFor } from '../support/remote-agents.ts';
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

it('refuses the folder of a new remote, which leaves nothing behind, and mirrors it with --yes', async () => {
  const [agent, server] = await Promise.all([startAgent(), startAgent()]);
  const { owner } = await freshWorkspace(agent);
  const { owner: client, workspaceId } = await freshWorkspace(server);
  const tokenFile = await tokenFileFor({ client, workspaceId }, 'desk');
  const dir = path.join(tempFolder('mooring-cloud'), 'Sync', 'notes');
  mkdirSync(path.join(path.dirname(dir), '.stfolder'), { recursive: true });
  const before = await owner.workspaces.list();
  const add = async (...args: readonly string[]) =>
    await mooring(
      [
        'remote',
        'add',
        '--new',
        'notes',
        '--mirror',
        dir,
        '--url',
        server.url,
        '--token-file',
        tokenFile,
        ...args,
      ],
      { dataDir: agent.dataDir },
    );

  const refused = await add();
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('--yes');
  expect(await owner.workspaces.list()).toEqual(before);
  expect((await owner.agent.status()).remotes).toEqual([]);
  expect(existsSync(dir)).toBe(false);

  expect(await add('--yes')).toMatchObject({ code: 0 });
  const { mirrors, remotes } = await owner.agent.status();
  expect([mirrors.map((mirror) => mirror.dir), remotes.length]).toEqual([[dir], 1]);
});
