// The first minute of a new user: one command, then what it printed is pasted.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it, onTestFailed, onTestFinished } from 'vitest';
import { type EventFrame, MooringClient } from '../../sdk/index.ts';
import { mooring } from '../support/agent-process.ts';
import { program } from '../support/program.ts';
import { makeTempFolder, removeFolder, tempFolder } from '../support/temp-folder.ts';
import { putFile } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

const homeDir = makeTempFolder('mooring-home');
afterAll(() => removeFolder(homeDir));

/** `mooring start` as a terminal without a display sees it, in a home directory of its own. */
function start(dataDir: string, ...args: readonly string[]): Started {
  const env = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(MOORING_|DISPLAY$|WAYLAND_DISPLAY$)/.test(name)),
    ),
    HOME: homeDir,
    USERPROFILE: homeDir,
  };
  const child = spawn(process.execPath, [program, 'start', ...args, '--data-dir', dataDir], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  onTestFailed(() => {
    process.stderr.write(`--- mooring start\n${text}---\n`);
  });
  return { child, output: () => text, ended };
}

function lineAfter(output: string, label: string): string {
  const line = output.split('\n').find((one) => one.startsWith(label));
  if (line === undefined) throw new Error(`no line begins with ${label}:\n${output}`);
  return line.slice(label.length).trim();
}

it('mirrors a folder, prints what works as pasted, and carries changes both ways', async () => {
  const dataDir = tempFolder('mooring-data');
  const dir = path.join(tempFolder('mooring-first'), "My folder's files");
  putFile(dir, 'notes.md', 'first\n');
  const started = start(dataDir, dir, '--listen', '127.0.0.1:0');
  await waitFor('the last line', () => started.output().includes('Ctrl-C'), { deadlineMs: 90_000 });
  const output = started.output();
  const url = lineAfter(output, 'Address');
  expect(lineAfter(output, 'Folder')).toBe(dir);

  const curl = lineAfter(output, 'curl');
  const synced = await mooring(['sync', '--wait'], { dataDir });
  expect(synced.code).toBe(0);
  const { stdout } = await promisify(execFile)('sh', ['-c', `curl -s ${curl}`]);
  expect(JSON.parse(stdout)).toMatchObject({ entries: [{ path: '/notes.md', type: 'file' }] });

  const workspaceId = /workspaces\/([^/]+)\//.exec(curl)?.[1] ?? '';
  const code = decodeURIComponent(new URL(lineAfter(output, 'Sign in')).hash.replace(/^#[^=]+=/, ''));
  const { token } = await new MooringClient({ baseUrl: url }).agent.signIn.exchange(code);
  const client = new MooringClient({ baseUrl: url, token });

  const seen: EventFrame[] = [];
  const states: string[] = [];
  const subscription = client.subscribe(workspaceId, {
    onEvent: (event) => seen.push(event),
    onState: (state) => states.push(state.kind),
  });
  onTestFinished(() => subscription.close());
  await waitFor('the WebSocket', () => states.includes('live'));
  appendFileSync(path.join(dir, 'notes.md'), 'second\n');
  const event = await waitFor('the event of the echo', () => seen.find((one) => one.path === '/notes.md'));
  expect(event).toMatchObject({ type: 'file.updated', content: 'first\nsecond\n' });

  await client.writeFile(workspaceId, '/notes.md', 'third\n', { ifMatch: event.revision });
  await waitFor('the file on disk', () => readFileSync(path.join(dir, 'notes.md'), 'utf8') === 'third\n');

  started.child.kill('SIGINT');
  expect(await started.ended).toBe(0);
  // A person reads this terminal: no line of the log, as long as nothing is wrong.
  expect(started.output()).not.toMatch(/^\{/m);
});

it('makes a folder of its own when none is named, once', async () => {
  const dataDir = tempFolder('mooring-data');
  const home = path.join(homeDir, 'Mooring', 'home');
  for (let time = 0; time < 2; time += 1) {
    const started = start(dataDir, '--listen', '127.0.0.1:0');
    await waitFor('the last line', () => started.output().includes('Ctrl-C'), { deadlineMs: 90_000 });
    expect(lineAfter(started.output(), 'Folder')).toBe(home);
    const { stdout } = await mooring(['status', '--json'], { dataDir });
    expect(JSON.parse(stdout)).toMatchObject({ mirrors: [{ dir: home }], workspaces: [{ name: 'home' }] });
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
  }
});

it('uses the agent that already runs, and mirrors another folder there', async () => {
  const dataDir = tempFolder('mooring-data');
  const first = tempFolder('mooring-one');
  const started = start(dataDir, first, '--listen', '127.0.0.1:0');
  await waitFor('the first agent', () => started.output().includes('Ctrl-C'), { deadlineMs: 90_000 });
  const second = tempFolder('mooring-two');
  const other = start(dataDir, second);
  expect(await other.ended).toBe(0);
  expect(lineAfter(other.output(), 'Address')).toBe(lineAfter(started.output(), 'Address'));
  expect(lineAfter(other.output(), 'Folder')).toBe(second);
  const again = start(dataDir, second);
  expect(await again.ended).toBe(0);
  const { stdout } = await mooring(['mirror', 'list', '--json'], { dataDir });
  const { mirrors } = JSON.parse(stdout) as { mirrors: { dir: string }[] };
  expect(mirrors.map((mirror) => mirror.dir).sort()).toEqual([first, second].sort());
});

it('uses the next free port when its own is in use, and prints it', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => await new Promise<void>((resolve) => taken.close(() => resolve())));
  const address = taken.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const started = start(
    tempFolder('mooring-data'),
    tempFolder('mooring-dir'),
    '--listen',
    `127.0.0.1:${address.port}`,
  );
  await waitFor('the agent', () => started.output().includes('Ctrl-C'), { deadlineMs: 90_000 });
  expect(started.output()).toContain(`Port ${address.port} is in use`);
  const port = Number(new URL(lineAfter(started.output(), 'Address')).port);
  expect(port).toBeGreaterThan(address.port);
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
});
