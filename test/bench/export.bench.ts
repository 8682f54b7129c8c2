// A tar export beside `tar c | gzip -1` of the same folder, in alternating rounds: a real tree, /usr/share by default
// (MOORING_BENCH_TREE), of which the mirror takes all but links.
import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { MooringClient } from '../../sdk/index.ts';
import { type BenchAgent, benchFolder, removeBenchFolder, startBenchAgent } from './bench-agent.ts';
import { printMachine } from './machine.ts';
import { median, print, printComparison } from './report.ts';

const tree = process.env.MOORING_BENCH_TREE ?? '/usr/share';
const rounds = 5;
const settleMsMax = 600_000;

const scratch = benchFolder('export');
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  const source = path.join(scratch, 'source');
  mkdirSync(source);
  cpSync(tree, path.join(source, 'tree'), { recursive: true, filter: isPlain });
  await printMachine(scratch);
  const agent = await startBenchAgent(path.join(scratch, 'data'));
  try {
    const owner = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
    const { workspaceId } = await owner.workspaces.create({ name: 'bench' });
    await owner.mirrors.add(workspaceId, source);
    const { settled } = await owner.mirrors.waitUntilSynced({ workspaceId, timeoutMs: settleMsMax });
    if (!settled) throw new Error('the first mirror did not settle');
    agent.cli('mirror', 'pause', '--workspace', workspaceId);
    measure(agent, source, workspaceId);
  } finally {
    await agent.stop();
  }
}

function measure(agent: BenchAgent, source: string, workspaceId: string): void {
  const target = path.join(scratch, 'export');
  const exported = (level: string) =>
    timed(() => {
      agent.cli('export', '--workspace', workspaceId, '--level', level, '--output', target);
    });
  const floor = (pipe: string) =>
    timed(() =>
      execFileSync('bash', ['-o', 'pipefail', '-c', `tar -C "$0" -c . ${pipe} > "$1"`, source, target]),
    );
  const ways = [
    { name: 'tar c | gzip -1', take: () => floor('| gzip -1') },
    { name: 'tar c', take: () => floor('') },
    { name: 'export, level 1', take: () => exported('1'), floor: 'tar c | gzip -1', most: 1 },
    { name: 'export, level 6', take: () => exported('6') },
    { name: 'export, level 0', take: () => exported('0'), floor: 'tar c', most: 6 },
  ];
  const seconds = new Map<string, number[]>();
  const sizes = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, take } of ways) {
      seconds.set(name, [...(seconds.get(name) ?? []), take()]);
      sizes.set(name, statSync(target).size);
    }
  }
  for (const { name, floor: beside, most } of ways) {
    const own = seconds.get(name) ?? [];
    const mebibytes = ((sizes.get(name) ?? 0) / 1024 / 1024).toFixed(0);
    const figure = { name, unit: 's', note: `${mebibytes} MiB (with the start of the command)` };
    if (beside === undefined) print({ ...figure, value: median(own) });
    else
      printComparison({
        ...figure,
        floorName: beside,
        own,
        floor: seconds.get(beside) ?? [],
        reach: { at: 'most', value: most },
      });
  }
}

function timed(act: () => void): number {
  const start = performance.now();
  act();
  return (performance.now() - start) / 1000;
}

function isPlain(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat !== undefined && (stat.isFile() || stat.isDirectory());
}
