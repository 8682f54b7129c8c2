// Remotes over loopback: the first push and the first replica of many small files, a save in one folder until its bytes are in the folder
// of another desktop, and the memory and processor of a desktop at rest. `--large`: 100,000 files, for the memory at rest.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MooringClient } from '../../sdk/index.ts';
import {
  type BenchAgent,
  benchFolder,
  cpuSeconds,
  removeBenchFolder,
  residentMb,
  startBenchAgent,
} from './bench-agent.ts';
import { makeFiles } from './bench-files.ts';
import { printMachine } from './machine.ts';
import { percentile, print } from './report.ts';

const isLarge = process.argv.includes('--large');
const files = isLarge ? 100_000 : 10_000;
const pushSecondsMax = 5;
const replicaSecondsMax = 3;
const saves = 40;
const saveMsMax = 100;
/** Before it: what follows a replica, as the index of its words, is work and no rest. */
const afterMs = isLarge ? 40_000 : 0;
const restSeconds = 20;
const restMbMax = 60;
const settleMsMax = 300_000;
const lookMs = 1;

interface Side {
  readonly agent: BenchAgent;
  readonly client: MooringClient;
  readonly workspaceId: string;
}

const scratch = benchFolder('remotes');
const agents: BenchAgent[] = [];
try {
  await run();
} finally {
  for (const agent of agents) await agent.stop();
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  await printMachine(scratch);
  const [server, one, two] = [await sideOf('server'), await sideOf('one'), await sideOf('two')];
  const folders = [path.join(scratch, 'folder-one'), path.join(scratch, 'folder-two')] as const;
  for (const folder of folders) mkdirSync(folder);
  makeFiles(folders[0], files);
  await one.client.mirrors.add(one.workspaceId, folders[0]);
  await settled(one);
  const tokenFile = await tokenFileOf(server);
  const push = await seconds(async () => await connected(one, server, tokenFile));
  print({
    name: `first push of ${files} files of 1 KiB`,
    value: push,
    unit: 's',
    ...(isLarge ? {} : { reach: most(pushSecondsMax) }),
  });
  const before = residentMb(two.agent.pid)?.now ?? 0;
  const replica = await seconds(async () => await connected(two, server, tokenFile));
  print({
    name: `first replica of ${files} files of 1 KiB`,
    value: replica,
    unit: 's',
    ...(isLarge ? {} : { reach: most(replicaSecondsMax) }),
  });
  await measureRest(two, before, 'the replica adds');
  if (isLarge) return;
  await two.client.mirrors.add(two.workspaceId, folders[1]);
  await settled(two);
  await measureSaves(folders);
  await measureRest(two, before, 'the replica and its folder add');
}

async function sideOf(name: string): Promise<Side> {
  const agent = await startBenchAgent(path.join(scratch, name));
  agents.push(agent);
  const client = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
  const { workspaceId } = await client.workspaces.create({ name });
  return { agent, client, workspaceId };
}

async function tokenFileOf({ client, workspaceId }: Side): Promise<string> {
  const { token } = await client.tokens.create(workspaceId, { agent: 'bench' });
  const file = path.join(scratch, 'token');
  writeFileSync(file, token);
  chmodSync(file, 0o600);
  return file;
}

async function connected(desktop: Side, server: Side, tokenFile: string): Promise<void> {
  await desktop.client.remotes.add(desktop.workspaceId, {
    url: server.agent.url,
    remoteWorkspaceId: server.workspaceId,
    tokenFile,
  });
  await settled(desktop);
}

async function settled({ client, workspaceId }: Side): Promise<void> {
  const { settled: isSettled } = await client.mirrors.waitUntilSynced({
    workspaceId,
    timeoutMs: settleMsMax,
  });
  if (!isSettled) throw new Error('it did not settle');
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** From the end of a write on one disk to the same bytes on the other. */
async function measureSaves([from, to]: readonly [string, string]): Promise<void> {
  const times: number[] = [];
  for (let save = 0; save < saves; save += 1) {
    const text = `save ${save}\n`;
    const start = performance.now();
    writeFileSync(path.join(from, 'saved.txt'), text);
    const target = path.join(to, 'saved.txt');
    while (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
      if (performance.now() - start > settleMsMax) throw new Error('a save did not arrive');
      await delay(lookMs);
    }
    times.push(performance.now() - start);
    // Editors do not save without a pause.
    await delay(saveMsMax);
  }
  const name = `save on one disk to the other, beside ${files} files`;
  print({ name: `${name}: p50`, value: percentile(times, 0.5), unit: 'ms' });
  print({ name: `${name}: p95`, value: percentile(times, 0.95), unit: 'ms', reach: most(saveMsMax) });
}

async function measureRest({ agent }: Side, before: number, what: string): Promise<void> {
  await delay(afterMs);
  const start = cpuSeconds(agent.pid) ?? 0;
  await delay(restSeconds * 1000);
  const used = (cpuSeconds(agent.pid) ?? 0) - start;
  print({ name: `processor at rest, where ${what} memory`, value: (used / restSeconds) * 100, unit: '%' });
  print({
    name: `memory that ${what}, ${files} files at rest`,
    value: (residentMb(agent.pid)?.now ?? 0) - before,
    unit: 'MiB',
    reach: most(restMbMax),
  });
}

function most(value: number) {
  return { at: 'most', value } as const;
}
