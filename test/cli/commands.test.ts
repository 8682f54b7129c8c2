// Commands as real processes: exit codes, stdout and stderr.
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  AgentProcess,
  type CommandResult,
  mooring,
  mooringProcess,
  startAgent,
} from '../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';
import { makeTempFolder, removeFolder, tempFolder } from '../support/temp-folder.ts';
import { putFile } from '../support/trees.ts';

// Every command is a process. Some of these tests start ten.
vi.setConfig({ testTimeout: 300_000 });

/** One agent for all tests that do not stop it. Each test has its own workspace. */
const agent = new AgentProcess(makeTempFolder('mooring-data'), {});
beforeAll(() => agent.start());
afterAll(async () => {
  await agent.kill9();
  removeFolder(agent.dataDir);
});

async function run(...args: readonly string[]): Promise<CommandResult> {
  return await mooring(args, { dataDir: agent.dataDir });
}

function jsonOf(result: CommandResult): unknown {
  expect(result).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout);
}

interface ListedWorkspace {
  readonly workspaceId: string;
  readonly name: string;
  readonly files: number;
}

async function listed(
  workspaceId: string,
  ...flags: readonly string[]
): Promise<ListedWorkspace | undefined> {
  const { workspaces } = jsonOf(await run('workspace', 'list', '--json', ...flags)) as {
    workspaces: ListedWorkspace[];
  };
  return workspaces.find((workspace) => workspace.workspaceId === workspaceId);
}

it('gives the same exit code and output in a process of its own as in that of many commands', async () => {
  await freshWorkspace(agent, 'in-two-processes');
  for (const args of [
    ['workspace', 'list'],
    ['workspace', 'list', '--help'],
    ['workspace', 'rename'],
    ['log', '/unknown.md', '--workspace', 'in-two-processes'],
    ['mirror', 'list', '--workspace', 'unknown'],
  ]) {
    const own = await mooringProcess(args, { dataDir: agent.dataDir });
    expect(await run(...args)).toEqual(own);
  }
});

it('creates, lists, renames, deletes and restores workspaces', async () => {
  const created = jsonOf(await run('workspace', 'create', '--name', 'My docs', '--json'));
  expect(created).toEqual({
    workspaceId: expect.stringMatching(/^rw_[a-z0-9]{8}$/),
    name: 'My docs',
    mirrorDir: null,
  });
  const { workspaceId } = created as { workspaceId: string };
  expect(await run('workspace', 'rename', 'My docs', 'Papers')).toMatchObject({ code: 0, stdout: '' });
  expect(await listed(workspaceId)).toMatchObject({ name: 'Papers', files: 0 });

  const unsure = await run('workspace', 'delete', workspaceId);
  expect(unsure.code).toBe(2);
  expect(unsure.stderr).toContain('--yes');
  expect(await run('workspace', 'delete', workspaceId, '--yes')).toMatchObject({ code: 0 });
  expect(await listed(workspaceId)).toBeUndefined();
  expect(await listed(workspaceId, '--deleted')).toMatchObject({ deletedAt: expect.any(String) });
  expect(await run('workspace', 'restore', workspaceId)).toMatchObject({ code: 0 });
  expect(await listed(workspaceId)).toMatchObject({ name: 'Papers' });
});

it('prints only the token, which works until it is revoked', async () => {
  const { workspaceId } = await freshWorkspace(agent, 'with-tokens');
  const made = await run(
    'token',
    'create',
    '--workspace',
    'with-tokens',
    '--agent',
    'reader',
    '--scopes',
    'fs:read',
    '--ttl',
    '1h',
  );
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n$/) });
  const ask = async () =>
    await fetch(`${agent.url}/v1/workspaces/${workspaceId}/fs/tree`, {
      headers: { authorization: `Bearer ${made.stdout.trim()}`, 'x-correlation-id': 'c' },
    });
  expect((await ask()).status).toBe(200);
  const { tokens } = jsonOf(await run('token', 'list', '--workspace', 'with-tokens', '--json')) as {
    tokens: { tokenId: string; agent: string; scopes: string[] }[];
  };
  const reader = tokens.find((token) => token.agent === 'reader');
  expect(reader?.scopes).toEqual(['fs:read']);
  expect(await run('token', 'revoke', reader?.tokenId ?? '', '--workspace', 'with-tokens')).toMatchObject({
    code: 0,
  });
  expect((await ask()).status).toBe(401);
});

it('limits a token to a path', async () => {
  const { client, workspaceId } = await freshWorkspace(agent);
  await client.bulkWrite(workspaceId, [
    { path: '/docs/a', content: 'a' },
    { path: '/private/b', content: 'b' },
  ]);
  const made = await run('token', 'create', '--workspace', workspaceId, '--path', '/docs/**');
  const read = async (file: string) =>
    await agent.fetch(`/v1/workspaces/${workspaceId}/fs/file?path=${file}`, {
      headers: { authorization: `Bearer ${made.stdout.trim()}` },
    });
  expect((await read('/docs/a')).status).toBe(200);
  expect((await read('/private/b')).status).toBe(403);
});

it('adds, lists, pauses, resumes and removes a mirror, and keeps the files of its folder', async () => {
  const dir = tempFolder('mooring-mirror');
  putFile(dir, 'a.txt', 'a');
  const created = jsonOf(await run('workspace', 'create', '--name', 'docs', '--mirror', dir, '--json'));
  expect(created).toMatchObject({ mirrorDir: dir });
  expect(await run('sync', '--wait')).toMatchObject({ code: 0, stdout: '' });
  expect(jsonOf(await run('mirror', 'list', '--json'))).toMatchObject({
    mirrors: [{ dir, state: 'idle', pendingLocal: 0, pendingRemote: 0, conflicts: 0, problems: 0 }],
  });
  expect(jsonOf(await run('status', '--json'))).toMatchObject({
    mirrors: [
      {
        dir,
        state: 'idle',
        watch: expect.stringMatching(/^(events|polling)$/),
        lastSyncAt: expect.any(String),
      },
    ],
    workspaces: expect.arrayContaining([expect.objectContaining({ name: 'docs', files: 1 })]),
  });

  expect(await run('mirror', 'pause', '--workspace', 'docs', '--dir', dir)).toMatchObject({ code: 0 });
  const paused = await run('sync', '--wait', '--timeout', '5s');
  expect(paused.code).toBe(4);
  expect(paused.stderr).toContain('mooring mirror resume');
  expect(await run('mirror', 'resume', '--workspace', 'docs', '--dir', dir)).toMatchObject({ code: 0 });
  expect(await run('sync', '--wait', '--workspace', 'docs')).toMatchObject({ code: 0 });

  expect(await run('mirror', 'remove', '--workspace', 'docs', '--dir', dir)).toMatchObject({ code: 0 });
  expect(jsonOf(await run('mirror', 'list', '--json'))).toEqual({ mirrors: [] });
  expect(readFileSync(path.join(dir, 'a.txt'), 'utf8')).toBe('a');
  expect(existsSync(path.join(dir, '.mooring'))).toBe(false);
});

it('removes the mirror of a deleted workspace, and deletes only .mooring in its folder', async () => {
  const dir = tempFolder('mooring-mirror');
  putFile(dir, 'kept.txt', 'kept');
  await run('workspace', 'create', '--name', 'short-lived', '--mirror', dir);
  expect(await run('sync', '--wait', '--workspace', 'short-lived')).toMatchObject({ code: 0 });
  expect(await run('workspace', 'delete', 'short-lived', '--yes')).toMatchObject({ code: 0 });
  const { mirrors } = await ownerClient(agent).agent.status();
  expect(mirrors.filter((mirror) => mirror.dir === dir)).toEqual([]);
  expect(readdirSync(dir)).toEqual(['kept.txt']);
  expect(readFileSync(path.join(dir, 'kept.txt'), 'utf8')).toBe('kept');
});

it('deletes the new workspace when its folder is refused', async () => {
  const file = path.join(tempFolder('mooring-mirror'), 'a-file');
  writeFileSync(file, 'not a folder');
  const refused = await run('workspace', 'create', '--name', 'refused', '--mirror', file);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('invalid_state');
  const workspaces = await ownerClient(agent).workspaces.list();
  expect(workspaces.filter((workspace) => workspace.name === 'refused')).toEqual([]);
});

it('exports to stdout and to a file', async () => {
  const { client, workspaceId } = await freshWorkspace(agent);
  await client.bulkWrite(workspaceId, [
    { path: '/a/1.txt', content: 'one' },
    { path: '/b/2.txt', content: 'two' },
  ]);
  const json = await run('export', '--workspace', workspaceId, '--format', 'json', '--path', '/a');
  expect(jsonOf(json)).toMatchObject([{ path: '/a/1.txt', content: 'one' }]);
  const target = path.join(tempFolder('mooring-export'), 'all.tar.gz');
  expect(await run('export', '--workspace', workspaceId, '--output', target)).toMatchObject({
    code: 0,
    stdout: '',
  });
  expect(gunzipSync(readFileSync(target)).includes('one')).toBe(true);
});

it('exports an uncompressed tar, with progress on stderr only where it is asked for', async () => {
  const { client, workspaceId } = await freshWorkspace(agent);
  await client.bulkWrite(workspaceId, [{ path: '/a.txt', content: 'one' }]);
  const own = ['export', '--workspace', workspaceId];
  const target = path.join(tempFolder('mooring-export'), 'all.tar');
  expect(await run(...own, '--level', '0', '--output', target)).toMatchObject({ code: 0, stdout: '' });
  const tar = readFileSync(target);
  expect(tar.subarray(257, 262).toString()).toBe('ustar');
  const json = await run(...own, '--format', 'json', '--progress');
  expect(jsonOf(json)).toMatchObject([{ path: '/a.txt', content: 'one' }]);
  const silent = await run(...own, '--format', 'json');
  expect([silent.stderr, silent.stdout]).toEqual(['', json.stdout]);
  const packed = path.join(tempFolder('mooring-export'), 'all.tar.gz');
  expect(await run(...own, '--level', '9', '--progress', '--output', packed)).toMatchObject({ code: 0 });
  expect(gunzipSync(readFileSync(packed)).equals(tar)).toBe(true);
});

it('checks the machine with and without an agent', async () => {
  const own = await startAgent();
  const runOwn = async (...args: readonly string[]) => await mooring(args, { dataDir: own.dataDir });
  const online = jsonOf(await runOwn('doctor', '--json')) as {
    checks: { name: string; state: string }[];
  };
  expect(online.checks.map((check) => check.name)).toEqual(
    expect.arrayContaining(['agent', 'node', 'disk space', 'store']),
  );
  await own.stop();
  const offline = jsonOf(await runOwn('doctor', '--json')) as typeof online;
  expect(offline.checks.filter((check) => check.state === 'failed')).toEqual([]);
  expect(offline.checks.map((check) => check.name)).toEqual(expect.arrayContaining(['agent', 'store']));
});

it('prints a failed check with its next step, and ends with 1', async () => {
  const own = await startAgent();
  await own.stop();
  const token = path.join(own.dataDir, 'owner.token');
  chmodSync(token, 0o644);
  const result = await mooring(['doctor'], { dataDir: own.dataDir });
  expect(result.code).toBe(1);
  expect(result.stdout).toContain(`chmod 600 "${token}"`);
});

it('creates a backup that can be restored into another data directory', async () => {
  const own = await startAgent();
  const runOwn = async (...args: readonly string[]) => await mooring(args, { dataDir: own.dataDir });
  const { client, workspaceId } = await freshWorkspace(own);
  await client.writeFile(workspaceId, '/kept.txt', 'kept');
  const before = await ownerClient(own).agent.status();
  const backup = path.join(tempFolder('mooring-backup'), 'one');
  expect(jsonOf(await runOwn('backup', backup, '--json'))).toMatchObject({
    dir: backup,
    epoch: before.epoch,
  });
  expect((await runOwn('backup', backup)).code).toBe(1);
  const busy = await runOwn('backup', 'restore', backup);
  expect(busy.code).toBe(1);
  expect(busy.stderr).toContain(String(own.pid));

  const elsewhere = tempFolder('mooring-data');
  expect(await mooring(['backup', 'restore', backup, '--data-dir', elsewhere])).toMatchObject({ code: 0 });
  const restored = await startAgent({ dataDir: elsewhere });
  const owner = ownerClient(restored);
  expect((await owner.readFile(workspaceId, '/kept.txt')).content).toBe('kept');
  expect((await owner.agent.status()).epoch).not.toBe(before.epoch);
});

it('refuses a backup in a mirrored folder or in the data directory', async () => {
  const own = await startAgent();
  const runOwn = async (...args: readonly string[]) => await mooring(args, { dataDir: own.dataDir });
  const { workspaceId } = await freshWorkspace(own);
  const folder = tempFolder('mooring-mirror');
  expect(await runOwn('mirror', 'add', '--workspace', workspaceId, '--dir', folder)).toMatchObject({
    code: 0,
  });
  for (const [dir, reason] of [
    [path.join(folder, 'backups/one'), 'overlaps a mirrored folder'],
    [path.join(own.dataDir, 'backups'), 'the data directory'],
  ] as const) {
    const refused = await runOwn('backup', dir);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect(existsSync(dir)).toBe(false);
  }
});

it('prints a sign-in link that can be exchanged once', async () => {
  const link = await run('open', '--print');
  expect(link.code).toBe(0);
  const code = decodeURIComponent(new URL(link.stdout.trim()).hash.replace(/^#[^=]+=/, ''));
  const owner = ownerClient(agent);
  const { token } = await owner.agent.signIn.exchange(code);
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  await expect(owner.agent.signIn.exchange(code)).rejects.toMatchObject({ status: 401 });
});

it.runIf(process.platform === 'linux')(
  'prints the link when the program that opens links finds no browser',
  async () => {
    const programs = tempFolder('mooring-programs');
    const open = async (exitCode: number) => {
      writeFileSync(
        path.join(programs, 'xdg-open'),
        `#!/bin/sh\necho "$1" > ${programs}/opened\nexit ${exitCode}\n`,
        {
          mode: 0o700,
        },
      );
      return await mooringProcess(['open'], {
        dataDir: agent.dataDir,
        env: { DISPLAY: ':99', PATH: `${programs}:${process.env.PATH}` },
      });
    };
    const failed = await open(3);
    expect(failed).toMatchObject({ code: 0, stderr: 'xdg-open cannot open the link: exit code 3.\n' });
    expect(failed.stdout).toBe(readFileSync(path.join(programs, 'opened'), 'utf8'));
    expect(await open(0)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  },
);

it('prints the OpenAPI document without an agent', async () => {
  const target = path.join(tempFolder('mooring-openapi'), 'openapi.json');
  const printed = await mooring(['openapi']);
  expect(jsonOf(printed)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
  expect(await mooring(['openapi', '--output', target])).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(target, 'utf8')).toBe(printed.stdout);
});

it.each([
  [['status']],
  [['sync', '--wait']],
  [['workspace', 'list']],
  [['open', '--print']],
  [['backup', 'somewhere']],
])('ends with 5 and prints how to start an agent when none is running: %j', async (args) => {
  const result = await mooring(args, { dataDir: tempFolder('mooring-data') });
  expect(result.code).toBe(5);
  expect(result.stdout).toBe('');
  expect(result.stderr).toContain('mooring serve');
});

it('ends with 5 without sending its token when the agent was killed', async () => {
  const own = await startAgent();
  const runOwn = async (...args: readonly string[]) => await mooring(args, { dataDir: own.dataDir });
  await own.kill9();
  expect(existsSync(path.join(own.dataDir, 'agent.json'))).toBe(true);
  expect(await runOwn('status')).toMatchObject({ code: 5 });
});

it.each([
  [['nonsense'], 'nonsense'],
  [['serve', '--bogus'], '--bogus'],
  [['serve', '--listen', 'nowhere'], '--listen'],
  [['serve', '--max-body-bytes', 'many'], '--max-body-bytes'],
  [['serve', '--listen', '0.0.0.0:0'], '--allow-remote'],
  [['sync'], '--wait'],
  [['sync', '--wait', '--timeout', 'soon'], '--timeout'],
  [['token', 'create', '--ttl', 'soon'], '--ttl'],
  [['workspace', 'create'], '--name'],
  [['export', '--workspace', 'w', '--format', 'zip'], '--format'],
  [['export', '--workspace', 'w', '--level', '10'], '--level'],
  [['export', '--workspace', 'w', '--format', 'json', '--level', '0'], '--level'],
])('ends with 2 and names the invalid argument: %j', async (args, named) => {
  const result = await mooring(args, { dataDir: tempFolder('mooring-data') });
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(named);
});

it('reports an unsupported Node version before it loads other modules', async () => {
  const older = '{ value: { ...process.versions, napi: "9", node: "20.1.0" } }';
  const result = await mooring(['status'], {
    env: {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`Object.defineProperty(process,"versions",${older})`)}`,
    },
  });
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('Mooring needs Node 24, and this is Node 20.1.0');
});

it('reports an unknown variable or setting', async () => {
  const dataDir = tempFolder('mooring-data');
  const variable = await mooring(['serve'], { dataDir, env: { MOORING_LISTN: 'x' } });
  expect(variable.code).toBe(2);
  expect(variable.stderr).toContain('MOORING_LISTN');
  putFile(dataDir, 'config.json', '{"lissten": 1}');
  const file = await mooring(['serve'], { dataDir });
  expect(file.code).toBe(2);
  expect(file.stderr).toContain('lissten');
});

it('reports an unknown workspace', async () => {
  const result = await run('token', 'create', '--workspace', 'rw_nothere');
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('rw_nothere');
});

it('lists, prints and restores revisions of a file', async () => {
  const { workspaceId, client } = await freshWorkspace(agent, 'with-history');
  const first = await client.writeFile(workspaceId, '/a.md', 'one\n');
  await client.writeFile(workspaceId, '/a.md', 'two\n');
  const inWorkspace = ['--workspace', 'with-history'];
  const { entries } = jsonOf(await run('log', '/a.md', ...inWorkspace, '--json')) as {
    entries: { revision: string; batch: string }[];
  };
  expect(entries).toMatchObject([{ path: '/a.md' }, { revision: first.targetRevision }]);
  const listing = await run('log', ...inWorkspace);
  expect(listing.stdout).toContain(first.targetRevision);
  const old = await run('show', '/a.md', ...inWorkspace, '--revision', first.targetRevision);
  expect(old).toMatchObject({ code: 0, stdout: 'one\n' });
  expect((await run('show', '/a.md', ...inWorkspace, '--diff')).stdout).toContain('-one\n+two\n');
  const target = ['restore', '/a.md', ...inWorkspace, '--revision', first.targetRevision];
  expect(jsonOf(await run(...target, '--dry-run', '--json'))).toMatchObject({ dryRun: true, updated: 1 });
  expect((await client.readFile(workspaceId, '/a.md')).content).toBe('two\n');
  const done = await run(...target);
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('--batch batch_') });
  expect((await client.readFile(workspaceId, '/a.md')).content).toBe('one\n');
  const refused = await run('restore', ...inWorkspace, '--batch', entries[0]?.batch ?? '');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('/a.md');
  expect((await run('restore', '/a.md', ...inWorkspace)).code).toBe(2);
  expect((await run('restore', '/a.md', ...inWorkspace, '--at', 'soon')).code).toBe(2);
});
