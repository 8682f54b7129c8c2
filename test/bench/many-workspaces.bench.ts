// What one agent costs with many workspaces and many mirrors: the first sync, memory, threads, watches, rest, and a cold start. 200 workspaces, 20 of
// them mirrored with 20 files each; with `--large` 1,000 workspaces, 100 of them mirrored.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MooringClient } from '../../sdk/index.ts';
import { benchFolder, cpuSeconds, removeBenchFolder, residentMb, startBenchAgent } from './bench-agent.ts';
import { copyTimed } from './bench-files.ts';
import { printMachine } from './machine.ts';
import { alternate, print, printComparison, roundsMin } from './report.ts';

const isLarge = process.argv.includes('--large');
const workspaces = isLarge ? 1_000 : 200;
const mirrors = isLarge ? 100 : 20;
const filesEach = 20;
const settleMsMax = 600_000;
const idleSeconds = 60;
/** What a busy moment leaves behind is given back once the process rests (platform/process/idle-memory.ts). */
const restSeconds = 20;
const lookEveryMs = 50;
const creationRatioMax = 10;
const syncRatioMax = 60;
const coldRatioMax = 4;

const scratch = benchFolder('many');
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  const dataDir = path.join(scratch, 'data');
  await printMachine(scratch);
  await withAgent(dataDir, async (owner, pid) => {
    reportProcess(pid, 'empty');
    await makeWorkspaces(owner);
    reportProcess(pid, `with ${workspaces} workspaces`);
    await makeMirrors(owner);
    await delay(restSeconds * 1000);
    reportProcess(pid, `with ${mirrors} mirrors, ${restSeconds} s after`);
    await reportIdle(pid);
  });
  await coldStarts(dataDir);
  await withAgent(dataDir, async (owner, pid) => {
    await untilInSync(owner);
    await delay(restSeconds * 1000);
    reportProcess(pid, `${restSeconds} s after a cold start`);
    await reportIdle(pid);
  });
}

/** Until all mirrors are in sync; floor: until an agent without workspaces answers. */
async function coldStarts(dataDir: string): Promise<void> {
  const cold = (folder: string) => async () => {
    const start = performance.now();
    let seconds = 0;
    await withAgent(folder, async (owner) => {
      await untilInSync(owner);
      seconds = (performance.now() - start) / 1000;
    });
    return seconds;
  };
  printComparison({
    name: `cold start until all ${mirrors} mirrors are in sync`,
    unit: 's',
    floorName: 'an agent without workspaces',
    ...(await alternate(roundsMin, cold(dataDir), cold(path.join(scratch, 'empty')))),
    reach: { at: 'most', value: coldRatioMax },
  });
}

async function untilInSync(owner: MooringClient): Promise<void> {
  while ((await owner.agent.status()).mirrors.some(({ state }) => state !== 'idle')) await delay(lookEveryMs);
}

async function withAgent(
  dataDir: string,
  use: (owner: MooringClient, pid: number) => Promise<void>,
): Promise<void> {
  const agent = await startBenchAgent(dataDir);
  try {
    await use(new MooringClient({ baseUrl: agent.url, token: agent.ownerToken }), agent.pid);
  } finally {
    await agent.stop();
  }
}

/** Floor: as many durable writes of 1 KiB. */
async function makeWorkspaces(owner: MooringClient): Promise<void> {
  const perRound = workspaces / roundsMin;
  const create = async (round: number) => {
    const start = performance.now();
    for (let number = 0; number < perRound; number += 1)
      await owner.workspaces.create({ name: `w${round * perRound + number}` });
    return (performance.now() - start) / 1000;
  };
  printComparison({
    name: `creation of ${perRound} workspaces`,
    unit: 's',
    floorName: '1 KiB written and fsynced for each',
    ...(await alternate(roundsMin, create, () => durableWrites(perRound))),
    reach: { at: 'most', value: creationRatioMax },
  });
}

function durableWrites(count: number): number {
  const file = openSync(path.join(scratch, 'durable-writes'), 'w');
  try {
    const start = performance.now();
    for (let n = 0; n < count; n += 1) {
      writeSync(file, Buffer.alloc(1024, 'x'));
      fsyncSync(file);
    }
    return (performance.now() - start) / 1000;
  } finally {
    closeSync(file);
  }
}

/** Addition and first sync of a part of the mirrors; floor: `cp -a` of their folders. */
async function makeMirrors(owner: MooringClient): Promise<void> {
  const all = await owner.workspaces.list();
  const perRound = mirrors / roundsMin;
  const part = (round: number) => path.join(scratch, 'folders', `part${round}`);
  const folderOf = (round: number, number: number) => path.join(part(round), `m${number}`);
  for (let round = 0; round < roundsMin; round += 1)
    for (let number = 0; number < perRound; number += 1) makeFolder(folderOf(round, number));
  const sync = async (round: number) => {
    const start = performance.now();
    for (let number = 0; number < perRound; number += 1) {
      const { workspaceId } = all[round * perRound + number] ?? {};
      if (workspaceId === undefined) throw new Error('no such workspace');
      await owner.mirrors.add(workspaceId, folderOf(round, number));
    }
    if (!(await owner.mirrors.waitUntilSynced({ timeoutMs: settleMsMax })).settled)
      throw new Error('the first sync did not end');
    return (performance.now() - start) / 1000;
  };
  printComparison({
    name: `first sync of ${perRound} mirrors, ${filesEach} files each`,
    unit: 's',
    floorName: 'cp -a of each',
    ...(await alternate(roundsMin, sync, (round) => copyEach(part(round)))),
    reach: { at: 'most', value: syncRatioMax },
  });
}

function copyEach(folder: string): number {
  return readdirSync(folder).reduce(
    (sum, name) => sum + copyTimed(path.join(folder, name), `${folder}-${name}-copy`),
    0,
  );
}

function makeFolder(folder: string): void {
  mkdirSync(path.join(folder, 'docs'), { recursive: true });
  for (let file = 0; file < filesEach; file += 1)
    writeFileSync(path.join(folder, 'docs', `f${file}.txt`), `${folder} ${file}`);
}

function reportProcess(pid: number, when: string): void {
  const memory = residentMb(pid);
  if (memory === null) {
    console.log('memory and threads: only measured on Linux');
    return;
  }
  print({
    name: `agent RSS ${when}`,
    value: memory.now,
    unit: 'MB',
    note: `${readdirSync(`/proc/${pid}/task`).length} threads, ${readdirSync(`/proc/${pid}/fd`).length} descriptors, ${watchesOf(pid)} watches`,
  });
}

/** proc_pid_fdinfo(5): a line for each inotify watch. */
function watchesOf(pid: number): number {
  let watches = 0;
  for (const descriptor of readdirSync(`/proc/${pid}/fdinfo`)) {
    const info = readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8');
    watches += info.split('\n').filter((line) => line.startsWith('inotify ')).length;
  }
  return watches;
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
