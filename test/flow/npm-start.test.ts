// `npm start` as real processes: npm, its shell, the start script and the agent. Whichever of them ends, and however, no agent stays
// behind without them, and it ends in order. An agent that nobody's terminal owns (`serve` under nohup) stays.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFailed, onTestFinished, test } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';
import { startAgent } from '../support/agent-process.ts';
import { program } from '../support/program.ts';
import { isLong } from '../support/scale.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const deadlineMs = 60_000;
const noProc = 'the processes are found in /proc';

interface Started {
  readonly npm: ChildProcess;
  readonly agentPid: number;
  readonly dataDir: string;
  readonly workspaceId: string;
}

/** In a process group of its own, as a shell with job control starts it. */
async function npmStart(): Promise<Started> {
  const dataDir = path.join(tempFolder('mooring-npm'), 'data');
  const folder = tempFolder('mooring-npm-folder');
  const npm = spawn('npm', ['start', '--', '--data-dir', dataDir, '--listen', '127.0.0.1:0', folder], {
    cwd: projectRoot,
    env: userEnvironment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  onTestFailed(() => void process.stderr.write(`--- npm start said\n${said}---\n`));
  onTestFinished(() => endGroup(npm));
  const agent = await waitFor('the agent of npm start', () => agentOf(dataDir), { deadlineMs });
  const client = clientOf(dataDir);
  const [workspace] = (await client.agent.status()).workspaces;
  const workspaceId = workspace?.workspaceId ?? (await client.workspaces.create({ name: 'w' })).workspaceId;
  await client.writeFile(workspaceId, '/acknowledged.txt', 'kept');
  return { npm, agentPid: agent.pid, dataDir, workspaceId };
}

/** Of a person at a terminal without a display: nothing of the tests, of npm's own variables, and of the checkout's own Node. */
function userEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(DISPLAY|WAYLAND_DISPLAY|NODE_OPTIONS|MOORING_.*|npm_.*)$/i;
  const own = path.join(projectRoot, 'node_modules');
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((one) => !one.startsWith(own));
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name))),
    PATH: folders.join(path.delimiter),
  };
}

/** null: no agent listens. */
function agentOf(dataDir: string): { pid: number; url: string } | null {
  const file = path.join(dataDir, 'agent.json');
  if (!existsSync(file)) return null;
  const { pid, url } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number; url?: string };
  return url === undefined ? null : { pid, url };
}

function clientOf(dataDir: string): MooringClient {
  const token = readFileSync(path.join(dataDir, 'owner.token'), 'utf8').trim();
  return new MooringClient({ baseUrl: agentOf(dataDir)?.url ?? '', token });
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

type End = (started: Started) => void;
const npmPid = ({ npm }: Started) => npm.pid ?? 0;
const startScript = ({ agentPid }: Started) => parentOf(agentPid);

const ends: Readonly<Record<string, End>> = {
  'SIGTERM to npm': (started) => process.kill(npmPid(started), 'SIGTERM'),
  'SIGKILL to npm': (started) => process.kill(npmPid(started), 'SIGKILL'),
  'Ctrl-C, which every process of the terminal gets': (started) => process.kill(-npmPid(started), 'SIGINT'),
  'the end of the terminal, which every process of it is told': (started) =>
    process.kill(-npmPid(started), 'SIGHUP'),
  'SIGHUP to npm': (started) => process.kill(npmPid(started), 'SIGHUP'),
  'SIGTERM to the start script': (started) => process.kill(startScript(started), 'SIGTERM'),
  'SIGKILL to the start script': (started) => process.kill(startScript(started), 'SIGKILL'),
};
const shortForm = Object.keys(ends).filter((how) => /^SIGTERM to npm|^Ctrl-C/.test(how));

test.for(isLong ? Object.keys(ends) : shortForm)(
  'npm start: %s ends the agent in order',
  async (how, { skip }) => {
    skip(process.platform !== 'linux', noProc);
    const started = await npmStart();
    ends[how]?.(started);
    await waitFor('the end of the agent', () => !isAlive(started.agentPid), { deadlineMs: 90_000 });
    // In order: it took its files along, and the log was folded back into the database.
    expect(existsSync(path.join(started.dataDir, 'agent.json'))).toBe(false);
    expect(existsSync(path.join(started.dataDir, 'mooring.db-wal'))).toBe(false);
    const again = await startAgent({ dataDir: started.dataDir, args: ['--no-ui'] });
    const client = new MooringClient({ baseUrl: again.url, token: again.ownerToken });
    expect((await client.readFile(started.workspaceId, '/acknowledged.txt')).content).toBe('kept');
  },
);

test('serve outlives its parent, and a terminal that is not its own', async ({ skip }) => {
  skip(process.platform !== 'linux', noProc);
  const dataDir = tempFolder('mooring-serve');
  const sink = openSync('/dev/null', 'w');
  // The shell ends at once, and leaves the agent behind as `nohup mooring serve &` does.
  const command = `nohup "${process.execPath}" "${program}" serve --no-ui --listen 127.0.0.1:0 --data-dir "${dataDir}" &`;
  const shell = spawn('sh', ['-c', command], {
    cwd: projectRoot,
    detached: true,
    stdio: ['ignore', sink, sink],
  });
  closeSync(sink);
  onTestFinished(() => endGroup(shell));
  const { pid, url } = await waitFor('the agent', () => agentOf(dataDir), { deadlineMs });
  process.kill(pid, 'SIGHUP');
  await waitFor('the end of its parent', () => shell.exitCode === 0);
  await clientOf(dataDir).agent.status();
  expect((await fetch(`${url}/health`)).status).toBe(200);
  process.kill(pid, 'SIGTERM');
  await waitFor('the end of the agent', () => !isAlive(pid));
  expect(agentOf(dataDir)).toBeNull();
});
