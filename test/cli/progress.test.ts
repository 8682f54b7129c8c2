// Progress of long commands: one line of a terminal that never wraps, lines of a log where they are asked for, nothing elsewhere.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import stringWidth from 'string-width';
import { expect, it, vi } from 'vitest';
import type { Mirror } from '../../sdk/index.ts';
import { activityLine } from '../../server/cli/shared/follow.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { program } from '../support/program.ts';
import { tempFolder } from '../support/temp-folder.ts';

vi.setConfig({ testTimeout: 300_000 });

const fileCount = 400;

function folderOfFiles(): string {
  const dir = path.join(tempFolder('mooring-mirror'), `${'a folder with a long name '.repeat(4)}日本語`);
  mkdirSync(dir);
  for (let n = 0; n < fileCount; n += 1) writeFileSync(path.join(dir, `f${n}.md`), `content ${n}`);
  return dir;
}

it('prints lines with --progress where there is no terminal, and none without it', async () => {
  const agent = await startAgent();
  await freshWorkspace(agent, 'logged');
  const run = async (...args: readonly string[]) => await mooring(args, { dataDir: agent.dataDir });
  const dir = folderOfFiles();
  const added = await run('mirror', 'add', '--dir', dir, '--progress');
  expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mir_\w+\n$/) });
  expect(added.stderr).toMatch(/(?:scanning|reading|syncing|up to date)/);
  expect(added.stderr).toMatch(/: up to date, 400 files\.\n$/);
  expect(added.stderr).not.toContain('\u001b');
  expect((await run('sync', '--wait', '--progress')).stderr).toMatch(/^\S.*: up to date, 400 files\n/);
  expect((await run('sync', '--wait')).stderr).not.toMatch(/: up to date, 400 files\n/);

  const rebuilt = await run('search', 'reindex', '--wait', '--progress', '--json');
  expect(JSON.parse(rebuilt.stdout)).toMatchObject({ state: 'current', files: fileCount });
  expect((await run('search', 'reindex', '--wait')).stderr).toMatch(/^Rebuilt the search index: 400 files, /);
  const copy = path.join(tempFolder('mooring-backup'), 'copy');
  expect(await run('backup', copy, '--progress')).toMatchObject({ code: 0 });
  const created = await run(
    'workspace',
    'create',
    '--name',
    'two',
    '--mirror',
    folderOfFiles(),
    '--progress',
  );
  expect(created.stderr).toMatch(/^Mirroring two to .*\n[\s\S]*: up to date, 400 files\.\n$/);
});

/** `script` of util-linux gives a program a terminal. */
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

it('overwrites one line of a narrow terminal, which never wraps', async ({ skip }) => {
  skip(!hasTerminal, 'there is no `script` of util-linux');
  const agent = await startAgent();
  await freshWorkspace(agent, 'narrow');
  const columns = 60;
  const words = [process.execPath, program, 'mirror', 'add', '--dir', folderOfFiles()];
  const command = words.map((word) => `'${word}'`).join(' ');
  const terminal = spawn('script', ['-qec', `stty cols ${columns}; ${command}`, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', MOORING_DATA_DIR: agent.dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const screen = await text(terminal.stdout);
  const [, ...overwritten] = screen.split('\r\u001b[K');
  expect(overwritten.length).toBeGreaterThan(1);
  const lines = overwritten.slice(0, -1);
  for (const line of lines) {
    expect(stringWidth(line)).toBeLessThan(columns);
    expect(line).toMatch(/^\S.*….*: /);
  }
  // At its end the line is removed, and the result is a line of its own.
  expect(overwritten.at(-1)).toMatch(/: up to date, 400 files\.\r\n$/);
});

it('shows the first of several that works, and how many more there are', () => {
  const mirror = (dir: string, pendingLocal: number) =>
    ({
      dir,
      state: pendingLocal === 0 ? 'idle' : 'syncing',
      progress: null,
      files: 7,
      pendingLocal,
      pendingRemote: 0,
    }) as Mirror;
  expect(activityLine([])).toBe('');
  expect(activityLine([mirror('/a', 0), mirror('/b', 0)])).toBe('/a: up to date, 7 files');
  expect(activityLine([mirror('/a', 0), mirror('/b', 1_200), mirror('/c', 1)])).toBe(
    '/b: syncing, 1,200 to the workspace, 0 to the folder (and 1 more)',
  );
});
