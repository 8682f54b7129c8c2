// What a mirror costs by the number of its files: the first time, memory, rest, a cold start, the routes of the screens, one save, and
// a rescan without a change. 10,000 files in 100 directories; with `--large` 100,000 in 1,000; with `--files N` any number.
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MooringClient } from '../../sdk/index.ts';
import { WorkerFolder } from '../../server/disk/worker/worker-folder.ts';
import {
  type BenchAgent,
  benchFolder,
  cpuSeconds,
  removeBenchFolder,
  residentMb,
  startBenchAgent,
} from './bench-agent.ts';
import { copyTimed, directoriesOf, makeFiles } from './bench-files.ts';
import { printMachine } from './machine.ts';
import { alternate, print, printComparison, roundsMin } from './report.ts';
import { measureRoutes, measureSaves, type SizedMirror } from './size-routes.ts';

const isLarge = process.argv.includes('--large');
const filesFlag = process.argv.indexOf('--files');
const files = filesFlag === -1 ? (isLarge ? 100_000 : 10_000) : Number(process.argv[filesFlag + 1]);
if (!Number.isSafeInteger(files) || files < 1) throw new Error('--files needs a number of files');
const rescanRatioMost = 3;
/** What an agent may have resident at rest: a fixed part, and a part for each mirrored file. */
const restMbMost = 120 + files / 1024;
const bytesPerFileMost = 1024;
/** Of what it may have at rest. */
const peakRatioMost = 1.5;
/** A larger tree is mirrored and rescanned once. */
const filesRepeatedMax = 10_000;
const rounds = files > filesRepeatedMax ? 1 : roundsMin;
const settleMsMax = 3_600_000;
const lookEveryMs = 10;
const idleSeconds = 60;
/** Until a new mirror rests: the first scan is followed by one beside the watches. */
const untilRestSeconds = 100;
/** What a busy moment leaves behind is given back once the process rests (platform/process/idle-memory.ts). */
const restSeconds = 20;
/** Until the watches are set; a watcher that met a burst is renewed at the next self-test. */
const watchedSeconds = 60;
const fileBytesMax = 64 * 1024 * 1024;

const scratch = benchFolder('mirror-size');
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  const source = path.join(scratch, 'source');
  makeFiles(source, files);
  await printMachine(scratch);
  const first = { own: [] as number[], floor: [] as number[] };
  for (let round = 1; round < rounds; round += 1) {
    const copy = path.join(scratch, `copy-${round}`);
    first.floor.push(copyTimed(source, copy));
    await withAgent(path.join(scratch, `data-${round}`), async (agent) => {
      first.own.push((await firstMirror(agent, copy)).seconds);
    });
  }
  first.floor.push(copyTimed(source, path.join(scratch, 'copy')));
  const dataDir = path.join(scratch, 'data');
  let workspaceId = '';
  await withAgent(dataDir, async (agent) => {
    await delay(restSeconds * 1000);
    const emptyMb = residentMb(agent.pid)?.now ?? null;
    const mirrored = await firstMirror(agent, source);
    workspaceId = mirrored.workspaceId;
    first.own.push(mirrored.seconds);
    reportFirst(first);
    print({
      name: 'processor time of the first mirror',
      value: (mirrored.cpuSeconds * 1000) / files,
      unit: 'ms/file',
    });
    await delay(restSeconds * 1000);
    reportMemory(agent.pid, `at rest, ${restSeconds} s after the first mirror`);
    reportPerFile(agent.pid, emptyMb);
    await delay(untilRestSeconds * 1000);
    await reportIdle(agent.pid);
    await measureRoutes(sizedMirror(agent, workspaceId, source));
  });
  await coldStart(dataDir, workspaceId, source);
  await rescan(source);
}

async function withAgent(dataDir: string, use: (agent: BenchAgent) => Promise<void>): Promise<void> {
  const agent = await startBenchAgent(dataDir);
  try {
    await use(agent);
  } finally {
    await agent.stop();
  }
}

function sizedMirror(agent: BenchAgent, workspaceId: string, folder: string): SizedMirror {
  const owner = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
  return { agent, owner, workspaceId, folder, directories: directoriesOf(files) };
}

/** The folder's own thread, as the agent runs it; how long the calling thread was held up meanwhile. */
async function rescan(source: string): Promise<void> {
  const folder = new WorkerFolder({
    onHint: () => undefined,
    onWatchState: () => undefined,
    onFailure: (error) => {
      throw error;
    },
  });
  try {
    await folder.open({ root: source, known: [], fileBytesMax });
    // The first scan reads everything; what was touched just before it is read again by the next.
    await folder.scan('full');
    await delay(3000);
    await folder.scan('full');
    let heldMs = 0;
    const { own, floor } = await alternate(
      rounds,
      async () => {
        const lag = longestHold();
        const { durationMs } = await folder.scan('full');
        heldMs = Math.max(heldMs, lag.stop());
        return durationMs / 1000;
      },
      () => lstatOfAll(source),
    );
    printComparison({
      name: `rescan of ${files} files without a change`,
      unit: 's',
      floorName: 'lstat of every file',
      own,
      floor,
      reach: { at: 'most', value: rescanRatioMost },
      note: `the calling thread was held up for at most ${heldMs.toFixed(0)} ms`,
    });
  } finally {
    await folder.close();
  }
}

function lstatOfAll(source: string): number {
  const start = performance.now();
  for (const { directory } of directoriesOf(files)) {
    const at = path.join(source, directory);
    for (const name of readdirSync(at)) lstatSync(path.join(at, name), { bigint: true });
  }
  return (performance.now() - start) / 1000;
}

function longestHold(): { stop(): number } {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 5);
    last = now;
  }, 5);
  return {
    stop: () => {
      clearInterval(timer);
      return longest;
    },
  };
}

interface FirstMirror {
  readonly workspaceId: string;
  readonly seconds: number;
  /** NaN where the system does not say. */
  readonly cpuSeconds: number;
}

async function firstMirror(agent: BenchAgent, folder: string): Promise<FirstMirror> {
  const owner = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
  const { workspaceId } = await owner.workspaces.create({ name: 'bench' });
  const cpuBefore = cpuSeconds(agent.pid);
  const start = performance.now();
  await owner.mirrors.add(workspaceId, folder);
  const { settled } = await owner.mirrors.waitUntilSynced({ workspaceId, timeoutMs: settleMsMax });
  if (!settled) throw new Error('the first mirror did not settle');
  const seconds = (performance.now() - start) / 1000;
  const cpuAfter = cpuSeconds(agent.pid);
  return { workspaceId, seconds, cpuSeconds: (cpuAfter ?? Number.NaN) - (cpuBefore ?? Number.NaN) };
}

function reportFirst(took: { readonly own: readonly number[]; readonly floor: readonly number[] }): void {
  printComparison({
    name: `first mirror of ${files} files, folder to workspace`,
    unit: 's',
    floorName: 'cp -a',
    ...took,
    reach: { at: 'most', value: 4 },
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
    reach: { at: 'most', value: Math.round(restMbMost) },
    note: `peak ${Math.round(memory.peak)} MB; ${Math.round(memory.files)} MB are pages of files`,
  });
}

/** What each file adds at rest, and how far the first mirror rose above what is allowed at rest. */
function reportPerFile(pid: number, emptyMb: number | null): void {
  const memory = residentMb(pid);
  if (memory === null || emptyMb === null) return;
  print({
    name: 'bytes for each file at rest',
    value: ((memory.now - emptyMb) * 1024 * 1024) / files,
    unit: 'bytes',
    reach: { at: 'most', value: bytesPerFileMost },
    note: `an agent without files has ${Math.round(emptyMb)} MB`,
  });
  print({
    name: 'peak of the first mirror / most at rest',
    value: memory.peak / restMbMost,
    unit: 'x',
    reach: { at: 'most', value: peakRatioMost },
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

/** From the start of the process until its mirror has scanned the folder and found both sides equal. */
async function coldStart(dataDir: string, workspaceId: string, source: string): Promise<void> {
  const start = performance.now();
  const agent = await startBenchAgent(dataDir);
  try {
    const readySeconds = (performance.now() - start) / 1000;
    const owner = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
    while ((await owner.mirrors.list(workspaceId))[0]?.state !== 'idle') await delay(lookEveryMs);
    print({
      name: 'cold start to trusted state',
      value: (performance.now() - start) / 1000,
      unit: 's',
      reach: { at: 'most', value: 2 },
      note: `its API answered after ${readySeconds.toFixed(2)} s`,
    });
    await delay(restSeconds * 1000);
    reportMemory(agent.pid, `at rest, ${restSeconds} s after a cold start`);
    await delay(watchedSeconds * 1000);
    await measureSaves(sizedMirror(agent, workspaceId, source));
  } finally {
    await agent.stop();
  }
}
