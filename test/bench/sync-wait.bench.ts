// `sync --wait` after one saved file in a large real folder, the processor at rest, and full scans beside them: a copy of the packages
// of this checkout, with `--large` three of them and /usr/share. Floor of a wait that scans: lstat of every file, in the same round.
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MooringClient } from '../../sdk/index.ts';
import {
  type BenchAgent,
  benchFolder,
  cpuSeconds,
  removeBenchFolder,
  startBenchAgent,
} from './bench-agent.ts';
import { printMachine } from './machine.ts';
import { alternate, percentile, print, printComparison } from './report.ts';

const isLarge = process.argv.includes('--large');
const waitMsMax = 150;
const ratioMax = 0.5;
const settleMsMax = 1_800_000;
const saves = 20;
const restSeconds = 120;
/** The watches are set after the first scan, and a watcher that met a burst is renewed at the next self-test. */
const quietSeconds = 150;

const scratch = benchFolder('sync-wait');
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  const root = path.join(scratch, 'folder');
  const packages = path.resolve(import.meta.dirname, '../../node_modules');
  mkdirSync(root);
  const sources = isLarge ? [packages, packages, packages, '/usr/share'] : [packages];
  for (const [index, source] of sources.entries())
    execFileSync('cp', ['-a', source, path.join(root, `part${index}`)]);
  const { files, directories } = everything(root);
  print({ name: `tree of ${directories.length} directories`, value: files.length, unit: 'files' });
  await printMachine(scratch);
  const agent = await startBenchAgent(path.join(scratch, 'data'));
  try {
    const owner = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
    const { workspaceId } = await owner.workspaces.create({ name: 'bench' });
    await owner.mirrors.add(workspaceId, root);
    if (!(await owner.mirrors.waitUntilSynced({ workspaceId, timeoutMs: settleMsMax })).settled)
      throw new Error('the first mirror did not settle');
    await delay(quietSeconds * 1000);
    await waits(owner, workspaceId, root, files, directories);
    await rest(agent, owner, workspaceId);
  } finally {
    await agent.stop();
  }
}

async function waits(
  owner: MooringClient,
  workspaceId: string,
  root: string,
  files: readonly string[],
  directories: readonly string[],
): Promise<void> {
  const fullScans = new Set<string>();
  const save = async (round: number) => {
    const directory = directories[Math.floor((round * directories.length) / saves)] as string;
    const file = path.join(directory, `saved-${round}.txt`);
    writeFileSync(path.join(directory, '.saved.swp'), `saved ${round}`);
    renameSync(path.join(directory, '.saved.swp'), file);
    const start = performance.now();
    const { settled, mirrors } = await owner.mirrors.waitUntilSynced({ workspaceId, timeoutMs: settleMsMax });
    const tookMs = performance.now() - start;
    fullScans.add(mirrors[0]?.fullScan.lastAt ?? '');
    const saved = await owner.files.read(workspaceId, file.slice(root.length));
    if (!settled || saved.content !== `saved ${round}`) throw new Error(`${file} is not synced`);
    await delay(500);
    return tookMs;
  };
  const { own, floor } = await alternate(saves, save, () =>
    timed(() => {
      for (const file of files) lstatSync(file, { bigint: true });
    }),
  );
  printComparison({
    name: 'wait after one saved file, p50',
    unit: 'ms',
    floorName: 'lstat of every file',
    own,
    floor,
    reach: { at: 'most', value: ratioMax },
  });
  print({
    name: 'wait after one saved file, p95',
    value: percentile(own, 0.95),
    unit: 'ms',
    reach: { at: 'most', value: waitMsMax },
    note: `from ${Math.min(...own).toFixed(0)} to ${Math.max(...own).toFixed(0)}; ${fullScans.size - 1} full scans meanwhile`,
  });
}

async function rest(agent: BenchAgent, owner: MooringClient, workspaceId: string): Promise<void> {
  const before = cpuSeconds(agent.pid);
  await delay(restSeconds * 1000);
  const after = cpuSeconds(agent.pid);
  if (before !== null && after !== null)
    print({
      name: `processor at rest, over ${restSeconds} s`,
      value: ((after - before) / restSeconds) * 100,
      unit: '%',
      reach: { at: 'most', value: 1 },
    });
  const fullScan = (await owner.mirrors.list(workspaceId))[0]?.fullScan;
  const everyMs = Date.parse(fullScan?.nextAt ?? '') - Date.parse(fullScan?.lastAt ?? '');
  print({ name: 'processor time of a full scan', value: fullScan?.cpuMs ?? 0, unit: 'ms' });
  print({ name: 'time between two full scans', value: everyMs / 60_000, unit: 'min' });
  print({ name: 'full scans', value: ((fullScan?.cpuMs ?? 0) / everyMs) * 100, unit: '%' });
}

function timed(act: () => void): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}

function everything(root: string): {
  readonly files: readonly string[];
  readonly directories: readonly string[];
} {
  const files: string[] = [];
  const directories = [root];
  for (const directory of directories) {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.name === '.mooring') continue;
      const at = path.join(directory, entry.name);
      if (entry.isDirectory()) directories.push(at);
      else if (entry.isFile()) files.push(at);
    }
  }
  return { files, directories };
}
