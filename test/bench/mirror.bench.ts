// The mirror: the first contact of a folder of small files beside `cp -a` of the same folder, memory and idle CPU afterwards,
// and how long a change takes from one side to the other.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, statSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import {
  type BenchAgent,
  benchFolder,
  cpuSeconds,
  forgetPeak,
  removeBenchFolder,
  residentMb,
  startBenchAgent,
} from './bench-agent.ts';
import { median, percentile, print } from './report.ts';

const filesMax = Number(process.env.MOORING_BENCH_FILES ?? 10_000);
const filesPerFolder = 100;
const fileBytes = 1024;
const largeBytes = 64 * 1024 * 1024;
const latencySamples = 60;
const idleSeconds = 20;
/** What a busy moment leaves behind is given back once the process rests (platform/memory-at-rest.ts). */
const restSeconds = 15;

const scratch = benchFolder('mirror');
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  const source = path.join(scratch, 'source');
  makeFiles(source);
  const copySeconds = median([1, 2, 3].map((n) => copyTimed(source, path.join(scratch, `copy-${n}`))));
  print({ name: `cp -a of ${filesMax} x 1 KiB files`, value: copySeconds, unit: 's' });

  const agent = await startBenchAgent(path.join(scratch, 'data'));
  try {
    const created = JSON.parse(agent.cli('workspace', 'create', '--name', 'bench', '--json')) as {
      workspaceId: string;
    };
    const start = performance.now();
    agent.cli('mirror', 'add', '--workspace', created.workspaceId, '--dir', source);
    agent.cli('sync', '--wait', '--timeout', '300s');
    const seconds = (performance.now() - start) / 1000;
    print({ name: 'first mirror, folder to workspace (with two CLI starts)', value: seconds, unit: 's' });
    print({
      name: 'first mirror / cp -a',
      value: seconds / copySeconds,
      unit: 'x',
      reach: { at: 'most', value: 8 },
    });
    await delay(restSeconds * 1000);
    reportMemory(agent.pid, `at rest, ${restSeconds} s after the first mirror`);

    const back = path.join(scratch, 'back');
    mkdirSync(back);
    const second = await startBenchAgent(path.join(scratch, 'data-2'));
    try {
      await seedOverApi(agent, created.workspaceId, second, back, copySeconds);
    } finally {
      await second.stop();
    }

    const rescanStart = performance.now();
    agent.cli('sync', '--wait', '--timeout', '300s');
    print({
      name: 'sync --wait without change (with one CLI start)',
      value: performance.now() - rescanStart,
      unit: 'ms',
    });
    await reportLarge(agent, created.workspaceId, source);
    await reportIdle(agent.pid);
    const token = agent.cli('token', 'create', '--workspace', created.workspaceId).trim();
    await reportLatency(agent.url, created.workspaceId, token, source);
  } finally {
    await agent.stop();
  }
}

function makeFiles(folder: string): void {
  for (let n = 0; n < filesMax; n += 1) {
    const parent = path.join(folder, `d${Math.floor(n / filesPerFolder)}`);
    if (n % filesPerFolder === 0) mkdirSync(parent, { recursive: true });
    writeFileSync(path.join(parent, `file-${n}.txt`), `${n}\n`.padEnd(fileBytes, 'x'));
  }
}

function copyTimed(from: string, to: string): number {
  const start = performance.now();
  execFileSync('cp', ['-a', from, to]);
  const seconds = (performance.now() - start) / 1000;
  removeBenchFolder(to);
  return seconds;
}

/** The other direction: the same files in a workspace that is then mirrored into an empty folder. */
async function seedOverApi(
  from: { cli(...args: readonly string[]): string; dataDir: string },
  workspaceId: string,
  to: { cli(...args: readonly string[]): string; url: string; ownerToken: string },
  folder: string,
  copySeconds: number,
): Promise<void> {
  const exported = path.join(scratch, 'export.json');
  from.cli('export', '--workspace', workspaceId, '--format', 'json', '--output', exported);
  const files = JSON.parse(readFileSync(exported, 'utf8')) as { path: string; content: string }[];
  const { workspaceId: target } = JSON.parse(to.cli('workspace', 'create', '--name', 'back', '--json')) as {
    workspaceId: string;
  };
  const start = performance.now();
  for (let n = 0; n < files.length; n += 250) {
    const answer = await fetch(`${to.url}/v1/workspaces/${target}/fs/bulk`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${to.ownerToken}`,
        'x-correlation-id': 'bench',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        files: files.slice(n, n + 250).map(({ path: p, content }) => ({ path: p, content })),
      }),
    });
    if (answer.status !== 202) throw new Error(`bulk answered ${answer.status}`);
    await answer.arrayBuffer();
  }
  print({
    name: `bulk write of ${files.length} files in batches of 250`,
    value: files.length / ((performance.now() - start) / 1000),
    unit: 'files/s',
  });
  const mirrorStart = performance.now();
  to.cli('mirror', 'add', '--workspace', target, '--dir', folder);
  to.cli('sync', '--wait', '--timeout', '300s');
  const seconds = (performance.now() - mirrorStart) / 1000;
  print({ name: 'first mirror, workspace to folder (with two CLI starts)', value: seconds, unit: 's' });
  print({
    name: 'first mirror, workspace to folder / cp -a',
    value: seconds / copySeconds,
    unit: 'x',
    reach: { at: 'most', value: 8 },
  });
}

function reportMemory(pid: number, when: string): void {
  const memory = residentMb(pid);
  if (memory === null) {
    console.log('memory: only measured on Linux');
    return;
  }
  print({
    name: `agent RSS ${when}`,
    value: memory.now,
    unit: 'MB',
    reach: { at: 'most', value: 200 },
    note: `peak ${Math.round(memory.peak)} MB`,
  });
}

/** One file as large as may be, each way: what it takes, and what the agent grows by meanwhile. */
async function reportLarge(agent: BenchAgent, workspaceId: string, folder: string): Promise<void> {
  const content = Buffer.alloc(largeBytes, 'a line of a large file\n');
  carryLarge(agent, 'folder to workspace', () => writeFileSync(path.join(folder, 'up.bin'), content));
  // The request is not what is measured: it is over before the mirror goes on.
  agent.cli('mirror', 'pause', '--workspace', workspaceId);
  const answer = await fetch(`${agent.url}/v1/workspaces/${workspaceId}/fs/file?path=/down.bin`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${agent.ownerToken}`,
      'x-correlation-id': 'bench',
      'if-match': '*',
      'content-type': 'application/octet-stream',
    },
    body: content,
  });
  if (answer.status !== 202) throw new Error(`PUT of a large file answered ${answer.status}`);
  carryLarge(agent, 'workspace to folder', () => agent.cli('mirror', 'resume', '--workspace', workspaceId));
  if (statSync(path.join(folder, 'down.bin')).size !== largeBytes) throw new Error('it did not arrive');
}

function carryLarge(agent: BenchAgent, way: string, begin: () => void): void {
  forgetPeak(agent.pid);
  const before = residentMb(agent.pid);
  const start = performance.now();
  begin();
  agent.cli('sync', '--wait', '--timeout', '120s');
  const seconds = (performance.now() - start) / 1000;
  const after = residentMb(agent.pid);
  print({
    name: `64 MiB file, ${way} (with CLI starts)`,
    value: seconds,
    unit: 's',
    ...(before === null || after === null
      ? {}
      : {
          note: `RSS ${before.now.toFixed(0)} MB, peak meanwhile +${(after.peak - before.now).toFixed(0)} MB`,
        }),
  });
}

async function reportIdle(pid: number): Promise<void> {
  const before = cpuSeconds(pid);
  await delay(idleSeconds * 1000);
  const after = cpuSeconds(pid);
  if (before === null || after === null) return console.log('idle CPU: only measured on Linux');
  print({
    name: `idle CPU over ${idleSeconds} s`,
    value: ((after - before) / idleSeconds) * 100,
    unit: '%',
    reach: { at: 'most', value: 1 },
  });
}

async function reportLatency(url: string, workspaceId: string, token: string, folder: string): Promise<void> {
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/v1/workspaces/${workspaceId}/fs/ws?from=now&token=${token}`,
  );
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const nextEvent = (file: string) =>
    new Promise<void>((resolve) => {
      const listen = (data: WebSocket.RawData) => {
        if ((JSON.parse(String(data)) as { path: string }).path !== file) return;
        socket.off('message', listen);
        resolve();
      };
      socket.on('message', listen);
    });
  const atomic: number[] = [];
  const inPlace: number[] = [];
  const toDisk: number[] = [];
  for (let n = 0; n < latencySamples; n += 1) {
    const atomicSeen = nextEvent('/d1/atomic.txt');
    const temp = path.join(folder, 'd1/.tmp.swp');
    writeFileSync(temp, `atomic ${n}`);
    let start = performance.now();
    renameSync(temp, path.join(folder, 'd1/atomic.txt'));
    await atomicSeen;
    atomic.push(performance.now() - start);

    const inPlaceSeen = nextEvent('/d1/in-place.txt');
    start = performance.now();
    writeFileSync(path.join(folder, 'd1/in-place.txt'), `in place ${n} ${'y'.repeat(n)}`);
    await inPlaceSeen;
    inPlace.push(performance.now() - start);
    toDisk.push(await apiToDisk(url, workspaceId, token, folder, n));
  }
  socket.close();
  print({
    name: 'local atomic save to event, p50',
    value: median(atomic),
    unit: 'ms',
    note: `p95 ${percentile(atomic, 0.95).toFixed(1)} ms; to reach later: 25`,
  });
  print({
    name: 'local save in place to event, p50',
    value: median(inPlace),
    unit: 'ms',
    note: `p95 ${percentile(inPlace, 0.95).toFixed(1)} ms; to reach later: 130`,
  });
  print({
    name: 'API write (202) to bytes on disk, p50',
    value: median(toDisk),
    unit: 'ms',
    note: `p95 ${percentile(toDisk, 0.95).toFixed(1)} ms; to reach later: 15`,
  });
}

async function apiToDisk(
  url: string,
  workspaceId: string,
  token: string,
  folder: string,
  n: number,
): Promise<number> {
  const target = path.join(folder, 'd2/from-api.txt');
  const content = `from api ${n}`;
  const start = performance.now();
  const arrived = new Promise<number>((resolve) => {
    const watcher = watch(path.join(folder, 'd2'), () => {
      if (!statSync(target, { throwIfNoEntry: false }) || readFileSync(target, 'utf8') !== content) return;
      watcher.close();
      resolve(performance.now() - start);
    });
  });
  const answer = await fetch(`${url}/v1/workspaces/${workspaceId}/fs/file?path=/d2/from-api.txt`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'x-correlation-id': 'bench', 'if-match': '*' },
    body: JSON.stringify({ content, contentType: 'text/plain' }),
  });
  if (answer.status !== 202) throw new Error(`PUT answered ${answer.status}`);
  return arrived;
}
