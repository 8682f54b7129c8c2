// A disk without room: a real small one, mounted for the test. The agent says what is full and what to do, ends with an exit code, leaves
// no lock behind, and everything is there once there is room again.
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';
import { type AgentProcess, mooring, startAgent } from '../support/agent-process.ts';
import { program } from '../support/program.ts';
import { isLong } from '../support/scale.ts';
import { makeTempFolder, removeFolder, tempFolder } from '../support/temp-folder.ts';

const diskBytes = 6 * 1024 * 1024;
/** Nothing, room for part of the database, for the lock alone, for the database but not for what comes after it. */
const rooms = [0, 96 * 1024, 8 * 1024, 300 * 1024, 600 * 1024, 900 * 1024] as const;
const canMount = findOutWhetherToMount();
const cannotMount = 'this user may not mount a small disk (tmpfs)';

function findOutWhetherToMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = makeTempFolder('mooring-mount');
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0;
  if (mounted) spawnSync('umount', [folder]);
  removeFolder(folder);
  return mounted;
}

function smallDisk(): string {
  const folder = tempFolder('mooring-small-disk');
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', folder]);
  if (status !== 0) throw new Error(`no tmpfs: ${String(stderr)}`);
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

/** Takes all room but `leaveBytes`. Returns how it is given back. */
function fill(disk: string, leaveBytes: number): () => void {
  const file = path.join(disk, 'filler');
  const handle = openSync(file, 'w');
  const { bavail, bsize } = statfsSync(disk);
  const block = Buffer.alloc(4096);
  for (let left = bavail * bsize - leaveBytes; left >= block.length; left -= block.length)
    writeSync(handle, block);
  closeSync(handle);
  return () => rmSync(file);
}

const serve = ['serve', '--no-ui', '--listen', '127.0.0.1:0', '--log-level', 'error'];

async function expectRefused(dataDir: string, ours = /^agent\.|\.tmp$/): Promise<void> {
  const { code, stderr } = await mooring(serve, { dataDir });
  expect(stderr).toMatch(/The disk of .* is full .*free\): /);
  expect(stderr).toContain('Free some space');
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(code).toBe(1);
  const left = existsSync(dataDir) ? readdirSync(dataDir) : [];
  expect(left.filter((name) => ours.test(name))).toEqual([]);
}

async function agentWithFile(dataDir: string): Promise<{ agent: AgentProcess; workspaceId: string }> {
  const agent = await startAgent({ dataDir, args: ['--no-ui', '--log-level', 'error'] });
  const client = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
  const { workspaceId } = await client.workspaces.create({ name: 'w' });
  await client.writeFile(workspaceId, '/kept.txt', 'kept');
  return { agent, workspaceId };
}

test('a first start without room says so at every stage, and works once there is some', async ({ skip }) => {
  skip(!canMount, cannotMount);
  const disk = smallDisk();
  const dataDir = path.join(disk, 'data');
  for (const room of isLong ? rooms : rooms.slice(0, 2)) {
    const giveBack = fill(disk, room);
    await expectRefused(dataDir);
    giveBack();
  }
  const { agent } = await agentWithFile(dataDir);
  expect((await agent.stop()).code).toBe(0);
});

test('a later start without room loses nothing', async ({ skip }) => {
  skip(!canMount, cannotMount);
  const disk = smallDisk();
  const dataDir = path.join(disk, 'data');
  const { agent, workspaceId } = await agentWithFile(dataDir);
  await agent.kill9();
  const giveBack = fill(disk, 0);
  // The lock of the agent that was killed is there: the next one sees that its owner is dead.
  await expectRefused(dataDir, /^agent\.lock\.|\.tmp$/);
  giveBack();
  await agent.start();
  const client = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
  expect((await client.readFile(workspaceId, '/kept.txt')).content).toBe('kept');
});

test('a log on a full disk costs lines of the log, not the agent', async ({ skip }) => {
  skip(!canMount, cannotMount);
  const disk = smallDisk();
  fill(disk, 0);
  mkdirSync(path.join(disk, 'logs'), { recursive: true });
  const log = openSync(path.join(disk, 'logs', 'agent.log'), 'a');
  const dataDir = tempFolder('mooring-data');
  const child = spawn(
    process.execPath,
    [program, 'serve', '--json', '--no-ui', '--listen', '127.0.0.1:0', '--log-level', 'trace'],
    { env: { ...process.env, MOORING_DATA_DIR: dataDir }, stdio: ['ignore', 'pipe', log] },
  );
  closeSync(log);
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (line: Buffer) => resolve((JSON.parse(line.toString()) as { url: string }).url));
    child.once('exit', (code) => reject(new Error(`the agent ended with code ${code}`)));
  });
  for (let round = 0; round < 20; round += 1) expect((await fetch(`${url}/health`)).status).toBe(200);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
