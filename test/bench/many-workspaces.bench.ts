// What one agent costs with many workspaces and many mirrors: the first sync, memory, threads, watches, rest, and a cold start. 200 workspaces, 20 of
// them mirrored with 20 files each; with `--large` 1,000 workspaces, 100 of them mirrored.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MooringClient } from '../../sdk/index.ts';
import { benchFolder, cpuSeconds, removeBenchFolder, residentMb, startBenchAgent } from './bench-agent.ts';
import { printMachine } from './machine.ts';
import { print } from './report.ts';

const isLarge = process.argv.includes('--large');
const workspaces = isLarge ? 1_000 : 200;
const mirrors = isLarge ? 100 : 20;
const filesEach = 20;
const settleMsMax = 600_000;
const idleSeconds = 60;
/** What a busy moment leaves behind is given back once the process rests (platform/process/idle-memory.ts). */
const restSeconds = 20;
const lookEveryMs = 50;

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
  const start = performance.now();
  await withAgent(dataDir, async (owner, pid) => {
    const readySeconds = (performance.now() - start) / 1000;
    while ((await owner.agent.status()).mirrors.some(({ state }) => state !== 'idle'))
      await delay(lookEveryMs);
    print({
      name: `cold start until all ${mirrors} mirrors are in sync`,
      value: (performance.now() - start) / 1000,
      unit: 's',
      note: `its API answered after ${readySeconds.toFixed(2)} s`,
    });
    await delay(restSeconds * 1000);
    reportProcess(pid, `${restSeconds} s after a cold start`);
    await reportIdle(pid);
  });
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

async function makeWorkspaces(owner: MooringClient): Promise<void> {
  const start = performance.now();
  for (let number = 0; number < workspaces; number += 1)
    await owner.workspaces.create({ name: `w${number}` });
  print({
    name: `creation of ${workspaces} workspaces`,
    value: (performance.now() - start) / 1000,
    unit: 's',
  });
}

async function makeMirrors(owner: MooringClient): Promise<void> {
  const all = await owner.workspaces.list();
  const start = performance.now();
  for (const [number, { workspaceId }] of all.slice(0, mirrors).entries()) {
    const folder = path.join(scratch, 'folders', `m${number}`);
    mkdirSync(path.join(folder, 'docs'), { recursive: true });
    for (let file = 0; file < filesEach; file += 1) {
      writeFileSync(path.join(folder, 'docs', `f${file}.txt`), `${number} ${file}`);
    }
    await owner.mirrors.add(workspaceId, folder);
  }
  print({ name: `addition of ${mirrors} mirrors`, value: (performance.now() - start) / 1000, unit: 's' });
  const { settled } = await owner.mirrors.waitUntilSynced({ timeoutMs: settleMsMax });
  if (!settled) throw new Error('the first sync did not end');
  const seconds = (performance.now() - start) / 1000;
  print({ name: `first sync of ${mirrors} mirrors, ${filesEach} files each`, value: seconds, unit: 's' });
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
