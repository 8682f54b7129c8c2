// The folder of a run has copies of what no mirror syncs: a repository that works there, ignored files, links. They are no part of the changes,
// nothing that is done to them reaches the live folder, and they are deleted with the folder.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { agentOfFile, mooringProcess } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { findPrograms } from '../support/run-scripts.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { entriesBelow } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

const hasGit = findPrograms().git;
const agent = agentOfFile();
let client: MooringClient;
let workspaceId: string;
let live: string;

beforeAll(() => {
  client = ownerClient(agent);
});

const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
function git(dir: string, ...args: readonly string[]): string {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'gc.auto=0'];
  return execFileSync('git', [...who, ...args], { cwd: dir, env, encoding: 'utf8' });
}

function put(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(live, name)), { recursive: true });
  writeFileSync(path.join(live, name), text);
}

beforeEach(async () => {
  live = tempFolder('mooring-copies-live');
  put('.mooringignore', 'node_modules/\n');
  put('src/main.ts', 'main\n');
  put('build.sh', '#!/bin/sh\ncat node_modules/dep/index.js > out.txt\n');
  chmodSync(path.join(live, 'build.sh'), 0o755);
  put('node_modules/dep/index.js', 'dep\n');
  symlinkSync('src/main.ts', path.join(live, 'main-link'));
  symlinkSync(path.join(live, 'src'), path.join(live, 'absolute-link'));
  ({ workspaceId } = await client.workspaces.create({ name: crypto.randomUUID() }));
  await client.mirrors.add(workspaceId, live);
  await synced();
});

async function synced(): Promise<void> {
  expect((await client.mirrors.waitUntilSynced({ workspaceId })).settled).toBe(true);
}

function filesIn(dir: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { entry, at, name } of entriesBelow(dir))
    if (!entry.isDirectory()) files[name] = entry.isFile() ? readFileSync(at, 'latin1') : readlinkSync(at);
  return files;
}

async function run(...args: readonly string[]) {
  return await mooringProcess(['run', '--workspace', workspaceId, ...args], { dataDir: agent.dataDir });
}

async function newest() {
  const [first] = (await client.runs.list(workspaceId)).runs;
  if (first === undefined) return expect.unreachable('there is no run');
  return first;
}

test('a repository works in the folder of a run: its status is clean, and a commit there stays there', async ({
  skip,
}) => {
  skip(!hasGit, 'git is not installed');
  put('.gitignore', 'node_modules/\nabsolute-link\n');
  git(live, 'init', '-q', '.');
  // The private folder is not of the repository.
  git(live, 'add', '-A');
  git(live, 'commit', '-q', '-m', 'first');
  writeFileSync(path.join(live, '.git/index.lock'), '');
  await synced();
  const before = filesIn(live);
  const script =
    'git status --porcelain && git log --format=%s && echo more >> src/main.ts && git -c user.name=t -c user.email=t@example.org commit -q -a -m second';
  const ended = await mooringProcess(['run', '--workspace', workspaceId, '--', 'sh', '-c', script], {
    dataDir: agent.dataDir,
    env,
  });
  expect([ended.code, ended.stdout]).toEqual([0, 'first\n']);
  const { runId, forkId } = await newest();
  const changed = (await client.forks.changes(workspaceId, forkId)).changes.map(({ path: name }) => name);
  expect(changed).toEqual(['/src/main.ts']);
  await synced();
  expect(filesIn(live)).toEqual(before);
  await client.runs.commit(workspaceId, runId);
  await synced();
  expect(filesIn(live)).toEqual({ ...before, 'src/main.ts': 'main\nmore\n' });
});

test('a build finds its ignored files, permissions and links; what it does to them stays in the folder', async () => {
  const before = filesIn(live);
  const script =
    './build.sh && cat main-link && echo spoilt > node_modules/dep/index.js && echo by-link > absolute-link/new.ts';
  const ended = await run('--', 'sh', '-c', script);
  expect([ended.code, ended.stdout]).toEqual([0, 'main\n']);
  expect(ended.stderr).toContain(`Copied from ${live}, not part of the changes: 1 file (4 B`);
  const { runId, forkId } = await newest();
  const { dir, copied } = await client.runs.folder(workspaceId, runId);
  expect(copied).toMatchObject({ from: live, fileCount: 1, linkCount: 2, bytes: 4, skippedCount: 0 });
  expect(readlinkSync(path.join(dir, 'absolute-link'))).toBe(path.join(dir, 'src'));
  const changed = (await client.forks.changes(workspaceId, forkId)).changes.map(({ path: name }) => name);
  expect(changed.sort()).toEqual(['/out.txt', '/src/new.ts']);
  const shown = await mooringProcess(['run', 'show', runId, '--workspace', workspaceId], {
    dataDir: agent.dataDir,
  });
  expect(shown.stderr).toContain(`Folder: ${dir}`);
  expect(shown.stderr).toContain('1 file (4 B');
  await synced();
  expect(filesIn(live)).toEqual(before);
  // What a program removed does not come back.
  const open = (command: string) =>
    mooringProcess(['run', 'open', runId, '--workspace', workspaceId, '--', 'sh', '-c', command], {
      dataDir: agent.dataDir,
    });
  const again = await open('rm -rf node_modules');
  expect(again.code).toBe(0);
  await agent.kill9();
  await agent.start();
  client = ownerClient(agent);
  expect((await open('test ! -e node_modules')).code).toBe(0);
});

test('the folder is deleted after a commit, with what was changed in it just before, and kept after a discard', async () => {
  await run('--', 'sh', '-c', 'echo one > one.txt');
  const committed = await newest();
  const { dir } = await client.runs.folder(workspaceId, committed.runId);
  writeFileSync(path.join(dir, 'two.txt'), 'two\n');
  await client.runs.commit(workspaceId, committed.runId);
  await synced();
  expect(filesIn(live)).toMatchObject({ 'one.txt': 'one\n', 'two.txt': 'two\n' });
  await waitFor('the folder to be deleted', () => !existsSync(dir));
  await run('--discard', '--', 'sh', '-c', 'echo three > three.txt');
  const { runId, state } = await newest();
  expect(state).toBe('discarded');
  const kept = path.join(agent.dataDir, 'runs', workspaceId, runId);
  expect(filesIn(kept)).toMatchObject({ 'three.txt': 'three\n', 'node_modules/dep/index.js': 'dep\n' });
});

test('what a command did to ignored files is reviewed, is in no commit, and is kept with the folder on request', async () => {
  put('.git/config', '[core]\n');
  const script =
    'echo more > node_modules/dep/index.js && mkdir .git/hooks && echo evil > .git/hooks/pre-commit && echo new > new.txt';
  const counted = await run('--', 'sh', '-c', script);
  expect(counted.stderr).toContain(
    'Ignored files, not part of the changes: 1 created, 1 updated, 0 deleted. --include-ignored lists them.',
  );
  const { runId, forkId } = await newest();
  const changed = (await client.forks.changes(workspaceId, forkId)).changes.map(({ path: name }) => name);
  expect(changed).toEqual(['/new.txt']);
  const show = async (...args: readonly string[]) =>
    await mooringProcess(['run', 'show', runId, '--workspace', workspaceId, '--include-ignored', ...args], {
      dataDir: agent.dataDir,
    });
  const shown = await show();
  expect(shown.stdout).toContain(
    'created ignored  /.git/hooks/pre-commit\nupdated ignored  /node_modules/dep/index.js\n',
  );
  expect((await show('--diff')).stdout).toContain('-dep\n+more\n');
  const { dir } = await client.runs.folder(workspaceId, runId);
  const before = filesIn(live);
  const committed = await mooringProcess(
    ['run', 'commit', runId, '--keep-folder', '--workspace', workspaceId],
    { dataDir: agent.dataDir },
  );
  expect(committed.code).toBe(0);
  await synced();
  expect(filesIn(live)).toEqual({ ...before, 'new.txt': 'new\n' });
  expect(filesIn(dir)).toMatchObject({ '.git/hooks/pre-commit': 'evil\n' });
});

test('hostile links of the live folder lead neither the copy nor its contents out', async () => {
  const outside = tempFolder('mooring-copies-outside');
  writeFileSync(path.join(outside, 'secret'), 'secret\n');
  symlinkSync(outside, path.join(live, 'node_modules/out'));
  symlinkSync(path.join(outside, 'secret'), path.join(live, 'node_modules/secret'));
  symlinkSync(outside, path.join(live, '.git'));
  const ended = await run(
    '--',
    'sh',
    '-c',
    'find . -type f -not -path "./.mooring/*" | sort; test ! -e .git',
  );
  expect([ended.code, ended.stdout]).toEqual([
    0,
    './.mooringignore\n./build.sh\n./node_modules/dep/index.js\n./src/main.ts\n',
  ]);
  expect(ended.stderr).toContain('Not copied: /.git: the repository is a link');
  expect(filesIn(outside)).toEqual({ secret: 'secret\n' });
});
