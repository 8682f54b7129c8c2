// Errors of the system and of the agent: a sentence that names the file or the id, what to do, and no stack.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { program } from '../support/program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

it('names what cannot be written or found, and where the existing ones are listed', async () => {
  const agent = await startAgent();
  const { client, workspaceId } = await freshWorkspace(agent, 'with errors');
  await client.writeFile(workspaceId, '/a.md', 'a');
  const run = async (...args: readonly string[]) => await mooring(args, { dataDir: agent.dataDir });
  const folder = tempFolder('mooring-out');
  const missing = path.join(folder, 'missing', 'x');
  for (const args of [
    ['openapi', '--output', missing],
    ['export', '--workspace', 'with errors', '--output', missing],
  ])
    expect(await run(...args)).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `Cannot write ${missing}: the file or its folder does not exist.\nChoose another file, or correct the cause.\n`,
    });
  expect((await run('export', '--workspace', 'with errors', '--output', folder)).stderr).toContain(
    `Cannot write ${folder}: it is a folder, not a file.`,
  );
  expect(readdirSync(folder)).toEqual([]);

  const where = ['--workspace', 'with errors'];
  expect((await run('run', 'show', 'run_x', ...where)).stderr).toBe(
    'The agent refused run_x: run not found (404 not_found).\nList the ids with "mooring run list --workspace \'with errors\'".\n',
  );
  expect((await run('show', '/b.md', ...where)).stderr).toMatch(
    /^The agent refused \/b\.md: no file at this path \(404 not_found\)\.\nCheck the path/,
  );
  expect(await run('log', '/b.md', ...where)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('No history of /b.md is retained.'),
  });
});

it('an interrupted export leaves no file', async () => {
  const agent = await startAgent();
  const { client, workspaceId } = await freshWorkspace(agent, 'large');
  const content = 'x'.repeat(8 * 1024 * 1024);
  for (const name of ['a', 'b', 'c', 'd']) await client.writeFile(workspaceId, `/${name}.txt`, content);
  const folder = tempFolder('mooring-out');
  const output = path.join(folder, 'large.json');
  const exporting = spawn(process.execPath, [
    program,
    ...['export', '--format', 'json', '--output', output, '--data-dir', agent.dataDir],
  ]);
  const ended = once(exporting, 'exit');
  await waitFor('the output', () => readdirSync(folder).length > 0);
  exporting.kill('SIGINT');
  const [code] = await ended;
  // 0: it was complete before the signal. null: the signal ended the process when its work was done.
  expect([130, 0, null]).toContain(code);
  expect(readdirSync(folder)).toEqual(existsSync(output) && code !== 130 ? ['large.json'] : []);
});

it('a run that is interrupted while its folder is filled is discarded, and its command does not run', async () => {
  const agent = await startAgent();
  const { client, workspaceId } = await freshWorkspace(agent, 'many');
  const files = Array.from({ length: 8_000 }, (_, at) => ({
    path: `/d${at % 100}/${at}.md`,
    content: `${at}`,
  }));
  await client.bulkWrite(workspaceId, files);
  const dir = path.join(tempFolder('mooring-run'), 'copy');
  const running = spawn(process.execPath, [
    program,
    ...['run', '--dir', dir, '--data-dir', agent.dataDir, '--', 'sh', '-c', `touch ${dir}/ran; sleep 60`],
  ]);
  const ended = once(running, 'exit');
  await waitFor('the folder', () => existsSync(path.join(dir, 'd0')));
  running.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect((await client.runs.list(workspaceId)).runs).toEqual([]);
  expect(existsSync(path.join(dir, 'ran'))).toBe(false);
});
