// The mirror: the first contact of a folder of small files beside `cp -a` of the same folder, in both directions, and how long a
// change takes from one side to the other. What its size costs besides: mirror-size.bench.ts.
import { mkdirSync, readFileSync, renameSync, statSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import WebSocket from 'ws';
import { MooringClient } from '../../sdk/index.ts';
import {
  type BenchAgent,
  benchFolder,
  forgetPeak,
  removeBenchFolder,
  residentMb,
  startBenchAgent,
} from './bench-agent.ts';
import { copyTimed, makeFiles } from './bench-files.ts';
import { printMachine } from './machine.ts';
import { alternate, median, percentile, print, printComparison, roundsMin } from './report.ts';

const filesMax = Number(process.env.MOORING_BENCH_FILES ?? 10_000);
const largeBytes = 64 * 1024 * 1024;
const latencySamples = 60;
const settleMsMax = 300_000;

const scratch = benchFolder('mirror');
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  await printMachine(scratch);
  const agent = await startBenchAgent(path.join(scratch, 'data'));
  try {
    await reportFirstMirrors(agent);
    const { workspaceId, folder } = await mirrorSmall(agent);
    await reportLarge(agent, workspaceId, folder);
    const token = agent.cli('token', 'create', '--workspace', workspaceId).trim();
    await reportLatency(agent.url, workspaceId, token, folder);
  } finally {
    await agent.stop();
  }
}

function ownerOf(agent: BenchAgent): MooringClient {
  return new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
}

/** A mirrored folder of the size that the latencies are measured beside. */
async function mirrorSmall(agent: BenchAgent): Promise<{ workspaceId: string; folder: string }> {
  const folder = path.join(scratch, 'beside');
  makeFiles(folder, filesMax, 'beside ');
  const { workspaceId } = await ownerOf(agent).workspaces.create({ name: 'bench' });
  await mirrorTimed(agent, workspaceId, folder);
  return { workspaceId, folder };
}

/** Each round has contents of its own, which the store does not know yet. */
async function reportFirstMirrors(agent: BenchAgent): Promise<void> {
  const owner = ownerOf(agent);
  const sourceOf = (round: number) => path.join(scratch, `source-${round}`);
  const workspaces: string[] = [];
  const inwards = await alternate(
    roundsMin,
    async (round) => {
      const { workspaceId } = await owner.workspaces.create({ name: `bench ${round}` });
      workspaces.push(workspaceId);
      return await mirrorTimed(agent, workspaceId, sourceOf(round));
    },
    (round) => {
      makeFiles(sourceOf(round), filesMax, `round ${round} `);
      return copyTimed(sourceOf(round), path.join(scratch, `copy-${round}`));
    },
  );
  for (const workspaceId of workspaces)
    for (const { mirrorId } of await owner.mirrors.list(workspaceId))
      await owner.mirrors.remove(workspaceId, mirrorId);
  const outwards = await alternate(
    roundsMin,
    async (round) => {
      const back = path.join(scratch, `back-${round}`);
      mkdirSync(back);
      return await mirrorTimed(agent, workspaces[round] as string, back);
    },
    (round) => copyTimed(sourceOf(round), path.join(scratch, `copy-back-${round}`)),
  );
  const reportWay = (way: string, timed: typeof inwards, ratioMax: number) =>
    printComparison({
      name: `first mirror of ${filesMax} x 1 KiB, ${way}`,
      unit: 's',
      floorName: 'cp -a',
      ...timed,
      reach: { at: 'most', value: ratioMax },
    });
  reportWay('folder to workspace', inwards, 4);
  reportWay('workspace to folder', outwards, 5);
}

/** Seconds until both sides hold the same, durably. */
async function mirrorTimed(agent: BenchAgent, workspaceId: string, folder: string): Promise<number> {
  const owner = ownerOf(agent);
  const start = performance.now();
  await owner.mirrors.add(workspaceId, folder);
  const { settled } = await owner.mirrors.waitUntilSynced({ workspaceId, timeoutMs: settleMsMax });
  if (!settled) throw new Error('the first mirror did not settle');
  return (performance.now() - start) / 1000;
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
    const atomicSeen = nextEvent('/t0/d1/atomic.txt');
    const temp = path.join(folder, 't0/d1/.tmp.swp');
    writeFileSync(temp, `atomic ${n}`);
    let start = performance.now();
    renameSync(temp, path.join(folder, 't0/d1/atomic.txt'));
    await atomicSeen;
    atomic.push(performance.now() - start);

    const inPlaceSeen = nextEvent('/t0/d1/in-place.txt');
    start = performance.now();
    writeFileSync(path.join(folder, 't0/d1/in-place.txt'), `in place ${n} ${'y'.repeat(n)}`);
    await inPlaceSeen;
    inPlace.push(performance.now() - start);
    toDisk.push(await apiToDisk(url, workspaceId, token, folder, n));
  }
  socket.close();
  print({
    name: 'local atomic save to event, p50',
    value: median(atomic),
    unit: 'ms',
    note: `p95 ${percentile(atomic, 0.95).toFixed(1)} ms`,
    reach: { at: 'most', value: 25 },
  });
  print({
    name: 'local save in place to event, p50',
    value: median(inPlace),
    unit: 'ms',
    note: `p95 ${percentile(inPlace, 0.95).toFixed(1)} ms`,
    reach: { at: 'most', value: 130 },
  });
  print({
    name: 'API write (202) to bytes on disk, p50',
    value: median(toDisk),
    unit: 'ms',
    note: `p95 ${percentile(toDisk, 0.95).toFixed(1)} ms`,
    reach: { at: 'most', value: 15 },
  });
}

async function apiToDisk(
  url: string,
  workspaceId: string,
  token: string,
  folder: string,
  n: number,
): Promise<number> {
  const target = path.join(folder, 't0/d2/from-api.txt');
  const content = `from api ${n}`;
  const start = performance.now();
  const arrived = new Promise<number>((resolve) => {
    const watcher = watch(path.join(folder, 't0/d2'), () => {
      if (!statSync(target, { throwIfNoEntry: false }) || readFileSync(target, 'utf8') !== content) return;
      watcher.close();
      resolve(performance.now() - start);
    });
  });
  const answer = await fetch(`${url}/v1/workspaces/${workspaceId}/fs/file?path=/t0/d2/from-api.txt`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'x-correlation-id': 'bench', 'if-match': '*' },
    body: JSON.stringify({ content, contentType: 'text/plain' }),
  });
  if (answer.status !== 202) throw new Error(`PUT answered ${answer.status}`);
  return arrived;
}
