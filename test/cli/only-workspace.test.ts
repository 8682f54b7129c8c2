// --workspace is optional with one workspace. With several the error lists them.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { createProgram } from '../../server/cli/program.ts';
import { type AgentProcess, type CommandResult, mooring, startAgent } from '../support/agent-process.ts';
import { leafCommands } from '../support/cli-commands.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Each command is a process.
vi.setConfig({ testTimeout: 300_000 });

const runOn =
  (agent: AgentProcess) =>
  async (...args: readonly string[]): Promise<CommandResult> =>
    await mooring(args, { dataDir: agent.dataDir });

it('no command requires --workspace', () => {
  const commands = leafCommands(createProgram());
  const options = commands.flatMap((command) => command.options.filter(({ long }) => long === '--workspace'));
  expect(options.length).toBeGreaterThan(30);
  expect(options.filter(({ mandatory }) => mandatory)).toEqual([]);
});

it('uses the only workspace, and prints how to create one when there is none', async () => {
  const agent = await startAgent();
  const run = runOn(agent);
  expect(await run('dead-letters', 'list')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'No workspaces.\nCreate one with "mooring workspace create --name NAME".\n',
  });
  const { workspaceId, client } = await freshWorkspace(agent);
  await client.writeFile(workspaceId, '/a.md', 'a\n');
  const lists = [
    ['dead-letters', 'list'],
    ['ops', 'list'],
    ['writeback', 'list'],
    ['provider', 'list'],
    ['token', 'list'],
    ['fork', 'list'],
    ['log'],
    ['explain', '/a.md'],
    ['export', '--format', 'json'],
  ];
  const answers = await Promise.all(lists.map((args) => run(...args)));
  expect(answers.map(({ code }, index) => [lists[index]?.[0], code])).toEqual(
    lists.map(([name]) => [name, 0]),
  );
  expect(await run('show', '/a.md')).toMatchObject({ code: 0, stdout: 'a\n' });
  const dir = tempFolder('mooring-mirror');
  expect(await run('mirror', 'add', '--dir', dir)).toMatchObject({ code: 0 });
  expect(await run('mirror', 'prove', '--dir', dir)).toMatchObject({ code: 0 });
});

it('never puts a second folder into the only workspace without being told to', async () => {
  const agent = await startAgent();
  const run = runOn(agent);
  const [dir, other] = [tempFolder('mooring-mirror'), tempFolder('mooring-mirror')];
  writeFileSync(path.join(other, 'photo.jpg'), 'x');
  const create = (folder: string) =>
    `"mooring workspace create --name ${path.basename(folder)} --mirror ${folder}"`;
  expect(await run('mirror', 'add', '--dir', dir)).toMatchObject({
    code: 1,
    stderr: `No workspaces.\nCreate one for this folder with ${create(dir)}.\n`,
  });
  expect(await run('workspace', 'create', '--name', 'notes', '--mirror', dir)).toMatchObject({ code: 0 });
  expect(await run('mirror', 'add', '--dir', other)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `notes is mirrored to ${dir} already.\nTo mirror it to this folder too, add --workspace notes. For a workspace of its own: ${create(other)}.\n`,
  });
  const { mirrors } = await ownerClient(agent).agent.status();
  expect(mirrors).toMatchObject([{ dir }]);
  expect(await run('mirror', 'add', '--dir', other, '--workspace', 'notes')).toMatchObject({ code: 0 });
});

it('lists the values of --workspace when there are several', async () => {
  const agent = await startAgent();
  const run = runOn(agent);
  const owner = ownerClient(agent);
  for (const name of ['home', 'my notes']) await owner.workspaces.create({ name });
  expect(await run('ops', 'list')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: "There are 2 workspaces.\nSelect one with --workspace: home, 'my notes'.\n",
  });
  expect(await run('mirror', 'prove', '--dir', '/folder')).toMatchObject({ code: 2 });
  const { workspaceId } = await owner.workspaces.create({ name: 'home' });
  const refused = await run('dead-letters', 'list');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(`${workspaceId} (home)`);
  expect(await run('dead-letters', 'list', '--workspace', 'my notes')).toMatchObject({ code: 0 });
  // Deleted workspaces do not count.
  for (const { workspaceId: id } of (await owner.workspaces.list()).slice(1))
    await owner.workspaces.remove(id);
  expect(await run('dead-letters', 'list')).toMatchObject({ code: 0 });
});

it('lists only some of many workspaces', async () => {
  const agent = await startAgent();
  const owner = ownerClient(agent);
  for (let count = 1; count <= 22; count += 1) await owner.workspaces.create({ name: `w${count}` });
  const { stderr } = await runOn(agent)('writeback', 'list');
  expect(stderr).toMatch(/^There are 22 workspaces\.\nSelect one .* and 2 more\.\n$/);
});
