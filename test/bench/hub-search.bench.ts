// The search of a hub on a PostgreSQL of this machine, beside an agent with SQLite, in turn within one run: how soon new files are found,
// and how long a search takes.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { noPostgres } from '../../build/postgres.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type BenchAgent, benchFolder, removeBenchFolder, startBenchAgent } from './bench-agent.ts';
import { headersOf, makeTarget, type Target } from './floor.ts';
import { printMachine } from './machine.ts';
import { alternate, percentile, printComparison } from './report.ts';

const rounds = 5;
const newFiles = 2_000;
const batchFiles = 250;
const searches = 60;
/** Of each file. Half of the words are in many files. */
const wordsInFile = 150;

let written = 0;

/** Of `n`, always the same. */
function text(n: number): string {
  const words = Array.from({ length: wordsInFile }, (_, at) => {
    const seed = (n * 7919 + at * 104_729) % 1_000_003;
    return at % 2 === 0 ? `common${seed % 997}` : `rare${seed}`;
  });
  return `file${n}end ${words.join(' ')}\n`;
}

async function bulk({ url, token, workspaceId }: Target, from: number): Promise<void> {
  const files = Array.from({ length: batchFiles }, (_, n) => ({
    path: `/d${Math.floor((from + n) / 100)}/file-${from + n}.txt`,
    content: text(from + n),
  }));
  const answer = await fetch(`${url}/v1/workspaces/${workspaceId}/fs/bulk`, {
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify({ files }),
  });
  if (answer.status !== 202) throw new Error(`bulk answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function search({ url, token, workspaceId }: Target, q: string, waitMs = 0): Promise<number> {
  const answer = await fetch(`${url}/v1/workspaces/${workspaceId}/fs/search?q=${q}&limit=50&wait=${waitMs}`, {
    headers: headersOf(token),
  });
  if (answer.status !== 200) throw new Error(`search answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { items: readonly object[] }).items.length;
}

/** Files a second, from the first write until the last file is found. */
async function indexRate(target: Target): Promise<number> {
  const from = written;
  written += newFiles;
  const begun = performance.now();
  for (let at = from; at < from + newFiles; at += batchFiles) await bulk(target, at);
  while ((await search(target, `file${from + newFiles - 1}end`, 10_000)) === 0);
  return newFiles / ((performance.now() - begun) / 1000);
}

async function searchTimes(target: Target): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < searches; n += 1) {
    const begun = performance.now();
    await search(target, `common${(n * 37) % 997}`);
    times.push(performance.now() - begun);
  }
  return times;
}

async function run(): Promise<void> {
  const scratch = benchFolder('hub-search');
  const database = await PostgresServer.start({ syncs: true });
  const keyFile = path.join(scratch, 'master.key');
  writeFileSync(keyFile, `${Buffer.alloc(32, 5).toString('base64')}\n`, { mode: 0o600 });
  const agents: BenchAgent[] = [];
  const start = async (name: string, args: readonly string[]) => {
    const agent = await startBenchAgent(path.join(scratch, name), args);
    agents.push(agent);
    return await makeTarget(agent);
  };
  try {
    await printMachine(scratch);
    const hub = await start('hub', ['--database', database.url, '--master-key-file', keyFile]);
    const alone = await start('agent', []);
    const floorName = 'the agent with SQLite';
    const rate = await alternate(
      rounds,
      () => indexRate(hub),
      () => indexRate(alone),
    );
    printComparison({
      name: `${newFiles} new files, until the last one is found`,
      unit: 'files/s',
      floorName,
      ...rate,
      reach: { at: 'least', value: 0.3 },
    });
    const times = await alternate(
      rounds,
      async () => percentile(await searchTimes(hub), 0.95),
      async () => percentile(await searchTimes(alone), 0.95),
    );
    printComparison({
      name: 'search for a word, p95',
      unit: 'ms',
      floorName,
      ...times,
      reach: { at: 'most', value: 5 },
    });
  } finally {
    for (const agent of agents) await agent.stop();
    await database.close();
    removeBenchFolder(scratch);
  }
}

if (noPostgres === null) await run();
else console.log(noPostgres);
