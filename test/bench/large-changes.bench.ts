// The longest turn of the agent's main thread, in processor time, while a large folder is mirrored, renamed, deleted, held back and exported, and
// the processor time of a halted mirror into whose folder a program writes. A request that arrives in such a turn waits for its end.
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
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
import { print } from './report.ts';
import { Turns } from './turns.ts';

const files = process.argv.includes('--large') ? 100_000 : 30_000;
const perDirectory = 100;
const settleMsMax = 1_800_000;
const writerSeconds = 20;
/** What is not about the halt has ended: the search index, for one. */
const quietSeconds = 15;

const scratch = benchFolder('large-changes');
const turns = new Turns(scratch);
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  const root = path.join(scratch, 'folder');
  fill(path.join(root, 'moved'), files);
  fill(path.join(root, 'stays'), files / 2);
  await printMachine(scratch);
  const agent = await startBenchAgent(path.join(scratch, 'data'), [], turns.options);
  try {
    const owner = new MooringClient({ baseUrl: agent.url, token: agent.ownerToken });
    const { workspaceId } = await owner.workspaces.create({ name: 'bench' });
    await delay(1000);
    turns.longestMs();
    await owner.mirrors.add(workspaceId, root);
    await settled(owner);
    turns.print(`first mirror of ${files * 1.5} files`);
    renameSync(path.join(root, 'moved'), path.join(root, 'renamed'));
    await settled(owner);
    turns.print(`rename of a directory of ${files}`);
    const response = await fetch(`${agent.url}/v1/workspaces/${workspaceId}/fs/export?format=json`, {
      headers: { authorization: `Bearer ${agent.ownerToken}`, 'x-correlation-id': 'bench' },
    });
    await response.arrayBuffer();
    turns.print(`export of ${files * 1.5} as JSON`);
    renameSync(path.join(root, 'renamed'), path.join(scratch, 'away'));
    while ((await owner.mirrors.list(workspaceId))[0]?.halt?.deletes !== files) await delay(200);
    turns.print(`deletion of ${files}, until it is held back`);
    await writtenWhileHalted(agent, owner, workspaceId, root);
    const [mirror] = await owner.mirrors.list(workspaceId);
    await owner.mirrors.resolveHalt(workspaceId, mirror?.mirrorId ?? '', {
      answer: 'delete',
      deletes: files,
    });
    await settled(owner);
    turns.print(`the same deletion, confirmed`);
  } finally {
    await agent.stop();
  }
}

async function writtenWhileHalted(
  agent: BenchAgent,
  owner: MooringClient,
  workspaceId: string,
  root: string,
): Promise<void> {
  const log = path.join(root, 'stays', 'log');
  await delay(quietSeconds * 1000);
  const before = cpuSeconds(agent.pid);
  for (let line = 0; line < writerSeconds * 10; line += 1) {
    appendFileSync(log, 'a line\n');
    await delay(100);
  }
  const after = cpuSeconds(agent.pid);
  for (let view = 0; view < 5; view += 1) {
    await owner.mirrors.list(workspaceId);
    appendFileSync(log, 'a line\n');
    await delay(1000);
  }
  turns.print(`halted for ${files} deletions, written to, and viewed`);
  if (before !== null && after !== null)
    print({
      name: 'processor, halted, a file written ten times per second',
      value: ((after - before) / writerSeconds) * 100,
      unit: '%',
    });
}

function fill(folder: string, count: number): void {
  for (let n = 0; n < count; n += 1) {
    const directory = path.join(folder, `d${Math.floor(n / perDirectory)}`);
    if (n % perDirectory === 0) mkdirSync(directory, { recursive: true });
    writeFileSync(path.join(directory, `${n}.md`), `# ${n}\n`);
  }
}

async function settled(owner: MooringClient): Promise<void> {
  const { settled: isSettled } = await owner.mirrors.waitUntilSynced({ timeoutMs: settleMsMax });
  if (!isSettled) throw new Error('the mirror did not settle');
}
