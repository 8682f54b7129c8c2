// The v1 filesystem under load: each route beside its own floor (floor-server.ts), in turn within one run, and beside 1,000,
// 10,000 and 100,000 stored files. Bulk writes beside the same rows inserted raw in grouped transactions.
import path from 'node:path';
import autocannon from 'autocannon';
import Database from 'better-sqlite3';
import { benchFolder, cpuSeconds, removeBenchFolder, residentMb, startBenchAgent } from './bench-agent.ts';
import { headersOf, makeTarget, startFloor, type Target } from './floor.ts';
import type { ConstantAnswer } from './floor-server.ts';
import { median, print, printComparison, roundsMin } from './report.ts';

const connections = 16;
const roundSeconds = Number(process.env.MOORING_BENCH_SECONDS ?? 3);
const rounds = 5;
const batchFiles = 250;
const fileBytes = 1024;
const sampledPaths = 400;
const sizes = [1_000, 10_000, 100_000] as const;

interface Route {
  readonly name: string;
  readonly method: 'GET' | 'PUT';
  readonly pattern: string;
  readonly floorShare: number;
  readonly requests: (workspaceId: string, files: number) => autocannon.Request[];
}

const routes: readonly Route[] = [
  { name: 'GET file', method: 'GET', pattern: 'fs/file', floorShare: 0.8, requests: readRequests },
  {
    name: 'PUT file (durable)',
    method: 'PUT',
    pattern: 'fs/file',
    floorShare: 0.25,
    requests: writeRequests,
  },
  {
    name: 'tree page of 1,000',
    method: 'GET',
    pattern: 'fs/tree',
    floorShare: 0.8,
    requests: (id) => [{ method: 'GET', path: `/v1/workspaces/${id}/fs/tree?path=/&depth=10` }],
  },
  {
    name: 'events page of 1,000',
    method: 'GET',
    pattern: 'fs/events',
    floorShare: 0.8,
    requests: (id) => [{ method: 'GET', path: `/v1/workspaces/${id}/fs/events?limit=1000` }],
  },
];

const scratch = benchFolder('http');
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  const rates = new Map<string, Map<number, number>>();
  for (const files of sizes) {
    const dataDir = path.join(scratch, `data-${files}`);
    const agent = await startBenchAgent(dataDir);
    let bulkSeconds: readonly number[];
    try {
      const target = await makeTarget(agent);
      bulkSeconds = await seed(target, files);
      const withFloor = files === 10_000;
      const floor = withFloor ? await startFloor(await constantAnswers(target, files)) : null;
      try {
        for (const route of routes) {
          const rate = await measure(route, files, { target, pid: agent.pid }, floor);
          const bySize = rates.get(route.name) ?? new Map<number, number>();
          rates.set(route.name, bySize.set(files, rate));
        }
      } finally {
        floor?.stop();
      }
      const memory = residentMb(agent.pid);
      if (memory !== null)
        print({ name: `agent RSS after the load, ${files} files`, value: memory.now, unit: 'MB' });
    } finally {
      await agent.stop();
    }
    if (files === 10_000) reportBulk(files, bulkSeconds, path.join(dataDir, 'mooring.db'));
  }
  for (const [name, bySize] of rates) {
    const [small, , large] = sizes.map((files) => bySize.get(files) ?? Number.NaN);
    print({
      name: `${name}: beside 100,000 files / beside 1,000`,
      value: (large ?? Number.NaN) / (small ?? Number.NaN),
      unit: 'x',
      reach: { at: 'least', value: 0.7 },
    });
  }
}

function filePath(n: number): string {
  return `/d${Math.floor(n / 100)}/file-${n}.txt`;
}

function contentOf(n: number): string {
  return `${n}\n`.padEnd(fileBytes, 'x');
}

/** Seconds that each part of the bulk writes took. */
async function seed({ url, token, workspaceId }: Target, files: number): Promise<readonly number[]> {
  const bodies = Array.from({ length: Math.ceil(files / batchFiles) }, (_, batch) =>
    JSON.stringify({
      files: Array.from({ length: Math.min(batchFiles, files - batch * batchFiles) }, (_item, k) => {
        const n = batch * batchFiles + k;
        return { path: filePath(n), content: contentOf(n), contentType: 'text/plain' };
      }),
    }),
  );
  const seconds: number[] = [];
  for (let part = 0; part < roundsMin; part += 1) {
    const start = performance.now();
    await sendAll(partOf(bodies, part), async (body) => {
      const answer = await fetch(`${url}/v1/workspaces/${workspaceId}/fs/bulk`, {
        method: 'POST',
        headers: headersOf(token),
        body,
      });
      if (answer.status !== 202) throw new Error(`bulk answered ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    });
    seconds.push((performance.now() - start) / 1000);
  }
  return seconds;
}

/** The items of one of `roundsMin` parts of equal size. */
function partOf<T>(items: readonly T[], part: number): readonly T[] {
  const from = Math.floor((part * items.length) / roundsMin);
  return items.slice(from, Math.floor(((part + 1) * items.length) / roundsMin));
}

async function sendAll(bodies: readonly string[], send: (body: string) => Promise<void>): Promise<void> {
  const left = bodies.values();
  const lanes = 4;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const body of left) await send(body);
    }),
  );
}

function samples(files: number): number[] {
  return Array.from({ length: sampledPaths }, (_, n) => Math.floor((n * files) / sampledPaths));
}

function readRequests(workspaceId: string, files: number): autocannon.Request[] {
  return samples(files).map((n) => ({
    method: 'GET',
    path: `/v1/workspaces/${workspaceId}/fs/file?path=${filePath(n)}`,
  }));
}

function writeRequests(workspaceId: string, files: number): autocannon.Request[] {
  return samples(files).map((n) => ({
    method: 'PUT',
    path: `/v1/workspaces/${workspaceId}/fs/file?path=${filePath(n)}`,
    headers: { 'if-match': '*' },
    body: JSON.stringify({ content: contentOf(n + 1), contentType: 'text/plain' }),
  }));
}

/** What the agent answers once, to be repeated by the floor. */
async function constantAnswers(target: Target, files: number): Promise<ConstantAnswer[]> {
  const answers: ConstantAnswer[] = [];
  for (const route of routes) {
    const [request] = route.requests(target.workspaceId, files);
    if (request?.path === undefined) throw new Error('a route without a request');
    const answer = await fetch(target.url + request.path, {
      method: route.method,
      headers: { ...headersOf(target.token), ...(request.headers as Record<string, string> | undefined) },
      ...(typeof request.body === 'string' ? { body: request.body } : {}),
    });
    if (!answer.ok) throw new Error(`${route.name} answered ${answer.status}`);
    answers.push({
      method: route.method,
      url: `/v1/workspaces/:workspaceId/${route.pattern}`,
      status: answer.status,
      body: await answer.text(),
    });
  }
  return answers;
}

/** Requests a second of the agent (median of the rounds); prints it beside the floor of the same rounds. */
async function measure(route: Route, files: number, agent: Loaded, floor: Loaded | null): Promise<number> {
  const own: Load[] = [];
  const below: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (floor !== null) below.push(await load(route, floor, files));
    own.push(await load(route, agent, files));
  }
  const rate = median(own.map((one) => one.rate));
  const note = `p99 ${median(own.map((one) => one.p99))} ms, CPU ${Math.round(median(own.map((one) => one.cpuMicroseconds)))} us per request`;
  const figure = { name: `${route.name}, beside ${files} files`, unit: 'req/s' };
  if (below.length === 0) print({ ...figure, value: rate, note });
  else {
    const floorCpu = Math.round(median(below.map((one) => one.cpuMicroseconds)));
    printComparison({
      ...figure,
      floorName: 'a constant answer',
      own: own.map((one) => one.rate),
      floor: below.map((one) => one.rate),
      reach: { at: 'least', value: route.floorShare },
      note: `${note}; floor CPU ${floorCpu} us`,
    });
  }
  return rate;
}

interface Loaded {
  readonly target: Target;
  readonly pid: number;
}

interface Load {
  readonly rate: number;
  readonly p99: number;
  /** Per request; NaN where the system does not say. */
  readonly cpuMicroseconds: number;
}

async function load(route: Route, { target, pid }: Loaded, files: number): Promise<Load> {
  const cpuBefore = cpuSeconds(pid) ?? Number.NaN;
  const result = await autocannon({
    url: target.url,
    connections,
    duration: roundSeconds,
    headers: headersOf(target.token),
    requests: route.requests(target.workspaceId, files),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${route.name}: ${result.non2xx} refused, ${result.errors} failed`);
  }
  const cpuMicroseconds =
    (((cpuSeconds(pid) ?? Number.NaN) - cpuBefore) * 1e6) / Math.max(1, result.requests.total);
  return { rate: result.requests.average, p99: result.latency.p99, cpuMicroseconds };
}

/** The rows that the bulk writes left behind (and those of the PUTs after them), inserted once more without the agent. */
function reportBulk(files: number, bulkSeconds: readonly number[], databaseFile: string): void {
  const source = new Database(databaseFile, { readonly: true });
  const copy = new Database(path.join(scratch, 'raw.db'));
  copy.pragma('page_size = 8192');
  copy.pragma('journal_mode = WAL');
  copy.pragma('synchronous = FULL');
  // Parents are not copied; the agent's own connection checks them, this one must not.
  copy.pragma('foreign_keys = OFF');
  const objects = source
    .prepare<[], { sql: string }>(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type = 'index'",
    )
    .all();
  for (const { sql } of objects) copy.exec(sql);
  const tables = ['blobs', 'entries', 'history', 'events', 'operations'].map((name) => {
    const limit = name === 'entries' ? '' : `LIMIT ${files}`;
    const rows = source.prepare<[], unknown[]>(`SELECT * FROM ${name} ${limit}`).raw().all() as unknown[][];
    const width = rows[0]?.length ?? 0;
    const insert = copy.prepare(`INSERT INTO ${name} VALUES (${Array(width).fill('?').join(', ')})`);
    return { rows, insert };
  });
  const insertAll = copy.transaction((batch: number, batches: number) => {
    for (const { rows, insert } of tables) {
      const from = Math.floor((batch * rows.length) / batches);
      const to = Math.floor(((batch + 1) * rows.length) / batches);
      for (const row of rows.slice(from, to)) insert.run(...row);
    }
  });
  const all = Array.from({ length: Math.ceil(files / batchFiles) }, (_, batch) => batch);
  const raw = bulkSeconds.map((_seconds, part) => {
    const start = performance.now();
    for (const batch of partOf(all, part)) insertAll(batch, all.length);
    return (performance.now() - start) / 1000;
  });
  source.close();
  copy.close();
  const rateOf = (seconds: number) => files / bulkSeconds.length / seconds;
  printComparison({
    name: `bulk write of ${files} x 1 KiB in batches of ${batchFiles}`,
    unit: 'files/s',
    floorName: 'the same rows inserted raw',
    own: bulkSeconds.map(rateOf),
    floor: raw.map(rateOf),
    reach: { at: 'least', value: 0.4 },
  });
}
