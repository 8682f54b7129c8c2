// `mooring run -- COMMAND`, as a user runs it: a real agent, a mirrored folder, real programs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { agentOfFile, mooringProcess } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { program } from '../support/program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const agent = agentOfFile();
let client: MooringClient;
let workspaceId: string;
let live: string;

beforeAll(() => {
  client = ownerClient(agent);
});

beforeEach(async () => {
  live = tempFolder('mooring-run-live');
  for (const name of ['a', 'b']) {
    mkdirSync(path.join(live, `d/${name}`), { recursive: true });
    writeFileSync(path.join(live, `d/${name}/text.md`), `first\nof ${name}\nlast\n`);
  }
  ({ workspaceId } = await client.workspaces.create({ name: crypto.randomUUID() }));
  await client.mirrors.add(workspaceId, live);
  await synced();
});

async function synced(): Promise<void> {
  expect((await client.mirrors.waitUntilSynced({ workspaceId })).settled).toBe(true);
}

/** Path -> text, or target of a link. */
function filesIn(dir: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(dir, file);
    if (name.startsWith('.mooring')) continue;
    if (entry.isFile()) files[name] = readFileSync(file, 'utf8');
    if (entry.isSymbolicLink()) files[name] = `-> ${readlinkSync(file)}`;
  }
  return files;
}

async function run(...args: readonly string[]) {
  return await mooringProcess(['run', '--workspace', workspaceId, ...args], { dataDir: agent.dataDir });
}

const newest = async () => {
  const { runs } = await client.runs.list(workspaceId);
  const [first] = runs;
  if (first === undefined) return expect.unreachable('there is no run');
  return first;
};

const script =
  'echo more >> d/a/text.md; mv d/b e; echo new > new.txt; rm d/a/../a/text.md; printf x > d/a/text.md; exit 7';

test('its changes are staged, reviewed, committed and undone, and its exit code is passed on', async () => {
  const before = filesIn(live);
  const ended = await run('--name', 'tidy', '--', 'sh', '-c', `${script}`);
  expect([ended.code, ended.stderr]).toEqual([7, expect.stringContaining('mooring run commit run_')]);
  await synced();
  expect(filesIn(live)).toEqual(before);
  const { runId, name, command } = await newest();
  expect([name, command.slice(0, 2)]).toEqual(['tidy', ['sh', '-c']]);
  const { dir } = await client.runs.folder(workspaceId, runId);
  const after = filesIn(dir);
  expect(after).toEqual({ 'd/a/text.md': 'x', 'e/text.md': 'first\nof b\nlast\n', 'new.txt': 'new\n' });
  writeFileSync(path.join(live, 'unrelated'), 'live edit');
  await synced();
  await client.runs.commit(workspaceId, runId);
  await synced();
  expect(filesIn(live)).toEqual({ ...after, unrelated: 'live edit' });
  await client.runs.undo(workspaceId, runId);
  await synced();
  expect(filesIn(live)).toEqual({ ...before, unrelated: 'live edit' });
});

test('--discard and --commit end the run at once; one without changes is discarded', async () => {
  const before = filesIn(live);
  expect((await run('--discard', '--', 'rm', '-rf', 'd')).stderr).toContain('2 deleted');
  expect((await newest()).state).toBe('discarded');
  await synced();
  expect(filesIn(live)).toEqual(before);
  const idle = await run('--commit', '--', 'true');
  expect([idle.code, idle.stderr]).toEqual([0, expect.stringContaining('No changes')]);
  expect((await newest()).state).toBe('discarded');
  const committed = await run('--commit', '--', 'sh', '-c', 'echo list > list');
  expect([committed.code, committed.stderr]).toEqual([0, expect.stringContaining('1 written, 0 deleted')]);
  await synced();
  expect(filesIn(live)).toEqual({ ...before, list: 'list\n' });
  const failed = await run('--commit', '--', 'sh', '-c', 'echo half > list; exit 3');
  expect([failed.code, failed.stderr]).toEqual([
    3,
    expect.stringContaining('the command failed (exit code 3)'),
  ]);
  const { state, runId } = await newest();
  expect(state).toBe('open');
  await synced();
  expect(filesIn(live)).toEqual({ ...before, list: 'list\n' });
  await client.runs.discard(workspaceId, runId);
});

test('a change that the run refuses is named, is not committed unseen, and stays in the folder', async () => {
  const before = filesIn(live);
  const rules = 'no rules';
  const script = `echo kept > kept; printf %s '${rules}' > d/.relayfile.acl`;
  const ended = await run('--commit', '--', 'sh', '-c', script);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(
    /^Not synced: 1 \(refused\): \/d\/\.relayfile\.acl: The workspace refused it: /m,
  );
  expect(ended.stderr).toContain('Nothing was committed, because the run does not contain all changes.');
  await synced();
  expect(filesIn(live)).toEqual(before);
  const { runId } = await newest();
  const { dir } = await client.runs.folder(workspaceId, runId);
  expect(await client.runs.commit(workspaceId, runId)).toMatchObject({
    writtenCount: 1,
    folderUnsynced: true,
  });
  await synced();
  expect(filesIn(live)).toEqual({ ...before, kept: 'kept\n' });
  expect(filesIn(dir)).toMatchObject({ kept: 'kept\n', 'd/.relayfile.acl': rules });
});

test('a command with the name of a verb, of a program that is missing, and in a folder of the caller', async () => {
  const bin = tempFolder('mooring-run-bin');
  writeFileSync(path.join(bin, 'list'), '#!/bin/sh\npwd > where\n');
  chmodSync(path.join(bin, 'list'), 0o755);
  const dir = path.join(tempFolder('mooring-run-dir'), 'work');
  const own = await mooringProcess(['run', '--workspace', workspaceId, '--dir', dir, '--', 'list'], {
    dataDir: agent.dataDir,
    env: { PATH: `${bin}:${process.env.PATH}` },
  });
  expect([own.code, filesIn(dir).where]).toEqual([0, `${dir}\n`]);
  const missing = await run('--', 'no-such-program');
  expect([missing.code, missing.stderr]).toEqual([127, expect.stringContaining('was not found')]);
  const used = await run('--dir', live, '--', 'true');
  expect([used.code, used.stderr]).toEqual([1, expect.stringContaining('Choose an empty folder')]);
  expect((await newest()).state).toBe('discarded');
});

test('the token of the command reads and writes its run, and nothing of the workspace', async () => {
  const code = `
    const { MOORING_URL: url, MOORING_TOKEN: token, MOORING_WORKSPACE: workspace, MOORING_FORK: fork } = process.env;
    const call = async (path, init) => (await fetch(url + '/v1/workspaces/' + workspace + path, {
      ...init, headers: { authorization: 'Bearer ' + token, 'x-correlation-id': 'c', 'if-match': '*', 'content-type': 'application/json' } })).status;
    const body = JSON.stringify({ content: 'by api' });
    console.log(JSON.stringify([
      await call('/fs/file?path=/d/a/text.md&forkId=' + fork),
      await call('/fs/file?path=/api.txt&forkId=' + fork, { method: 'PUT', body }),
      await call('/fs/file?path=/d/a/text.md'),
      await call('/fs/file?path=/api.txt', { method: 'PUT', body }),
      await call('/tokens'),
    ]));`;
  const ended = await run('--', process.execPath, '-e', code);
  expect(JSON.parse(ended.stdout)).toEqual([200, 202, 403, 403, 403]);
  expect((await client.tokens.list(workspaceId)).filter(({ revokedAt }) => revokedAt === undefined)).toEqual(
    [],
  );
  const { dir } = await client.runs.folder(workspaceId, (await newest()).runId);
  expect(filesIn(dir)['api.txt']).toBe('by api');
});

test('a signal is passed on, and after kill -9 of command and agent the run is there again', async () => {
  const before = filesIn(live);
  const start = () =>
    spawn(
      process.execPath,
      [program, 'run', '--workspace', workspaceId, '--', 'sh', '-c', 'echo made > made; exec sleep 60'],
      {
        env: { ...process.env, MOORING_DATA_DIR: agent.dataDir },
        stdio: ['ignore', 'ignore', 'pipe'],
        detached: true,
      },
    );
  const made = async () => {
    const { runs } = await client.runs.list(workspaceId).catch(() => ({ runs: [] }));
    return runs[0]?.state === 'open' && runs[0].writtenCount === 1 ? runs[0] : false;
  };
  const ended = start();
  await waitFor('the staged change', made);
  ended.kill('SIGTERM');
  expect(await once(ended, 'exit')).toEqual([128 + 15, null]);
  await client.runs.discard(workspaceId, (await newest()).runId);

  const left = start();
  const said = text(left.stderr);
  const { runId: leftId } = await waitFor('the staged change', made);
  await agent.kill9();
  left.kill('SIGTERM');
  expect(await once(left, 'exit')).toEqual([5, null]);
  expect(await said).toMatch(/ended with exit code 143.*kept.*\n.*"mooring run show run_/);
  await agent.start();
  client = ownerClient(agent);
  await client.runs.discard(workspaceId, leftId);

  const killed = start();
  const { runId } = await waitFor('the staged change', made);
  process.kill(-(killed.pid ?? 0), 'SIGKILL');
  await agent.kill9();
  await agent.start();
  client = ownerClient(agent);
  const again = await mooringProcess(
    ['run', 'open', runId, '--workspace', workspaceId, '--', 'sh', '-c', 'cat made; echo twice >> made'],
    { dataDir: agent.dataDir },
  );
  expect([again.code, again.stdout]).toEqual([0, 'made\n']);
  await synced();
  expect(filesIn(live)).toEqual(before);
  await client.runs.commit(workspaceId, runId);
  await synced();
  expect(filesIn(live)).toEqual({ ...before, made: 'made\ntwice\n' });
});
