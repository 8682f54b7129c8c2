// A hub that grows: what single requests and a start take beside 10,000, 100,000 and, with `--files 1000000`, a million files of one
// workspace, and with how many bytes of the database for each.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { noPostgres } from '../../build/postgres.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import {
  type BenchAgent,
  benchFolder,
  removeBenchFolder,
  residentMb,
  startBenchAgent,
} from './bench-agent.ts';
import { headersOf, makeTarget, type Target } from './floor.ts';
import { printMachine } from './machine.ts';
import { median, percentile, print } from './report.ts';

const { values: args } = parseArgs({
  options: { files: { type: 'string', default: '100000' } },
  strict: false,
});
const filesMax = Number(args.files);
const batchFiles = 250;
const writers = 4;
const samples = 200;
const content = 'x'.repeat(1024);
/** Of the median at the largest size by that at 10,000 files. */
const growthMax = 2;

const filePath = (n: number) => `/d${Math.floor(n / 1_000)}/file-${n}.txt`;

interface Rig {
  readonly target: Target;
  readonly start: () => Promise<{ readonly agent: BenchAgent; readonly seconds: number }>;
  readonly database: pg.Client;
}

async function run(): Promise<void> {
  const scratch = benchFolder('hub-size');
  const server = await PostgresServer.start({ syncs: true });
  const database = new pg.Client({ connectionString: server.url });
  await database.connect();
  const keyFile = path.join(scratch, 'master.key');
  writeFileSync(keyFile, `${Buffer.alloc(32, 5).toString('base64')}\n`, { mode: 0o600 });
  const agents: BenchAgent[] = [];
  const start = async () => {
    const begun = performance.now();
    const hub = ['--database', server.url, '--master-key-file', keyFile];
    const agent = await startBenchAgent(path.join(scratch, `hub-${agents.length}`), hub);
    agents.push(agent);
    return { agent, seconds: (performance.now() - begun) / 1000 };
  };
  try {
    await printMachine(scratch);
    const { agent } = await start();
    await measureSizes({ target: await makeTarget(agent), start, database }, agent);
  } finally {
    for (const agent of agents) await agent.stop();
    await database.end();
    await server.close();
    removeBenchFolder(scratch);
  }
}

async function measureSizes(rig: Rig, agent: BenchAgent): Promise<void> {
  const first = new Map<string, number>();
  let files = 0;
  for (const size of [10_000, 100_000, 1_000_000].filter((one) => one <= filesMax)) {
    const beside = `beside ${size.toLocaleString('en')} files`;
    const seconds = await fill(rig.target, files, size);
    print({
      name: `bulk writes up to ${size.toLocaleString('en')} files`,
      value: (size - files) / seconds,
      unit: 'files/s',
    });
    files = size;
    await rig.database.query('ANALYZE');
    for (const [name, medianMs, p95Ms] of await measureRequests(rig.target, size)) {
      const small = first.get(name) ?? medianMs;
      first.set(name, small);
      print({
        name: `${name}, ${beside}, p50`,
        value: medianMs,
        unit: 'ms',
        note: `p95 ${p95Ms.toFixed(1)} ms`,
      });
      if (size > 10_000)
        print({
          name: `${name}: ${beside} / beside 10,000`,
          value: medianMs / small,
          unit: 'x',
          reach: { at: 'most', value: growthMax },
        });
    }
    const started = await rig.start();
    print({ name: `start of a process, ${beside}`, value: started.seconds, unit: 's' });
    await started.agent.stop();
    const { rows } = await rig.database.query<{ bytes: string }>(
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    print({ name: `database for each file, ${beside}`, value: Number(rows[0]?.bytes) / size, unit: 'bytes' });
    print({
      name: `resident memory of a process, ${beside}`,
      value: residentMb(agent.pid)?.now ?? 0,
      unit: 'MB',
    });
  }
}

/** Returns seconds. */
async function fill(target: Target, from: number, upto: number): Promise<number> {
  const begun = performance.now();
  const batches = Array.from(
    { length: (upto - from) / batchFiles },
    (_, n) => from + n * batchFiles,
  ).values();
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (const at of batches) {
        const files = Array.from({ length: batchFiles }, (_, n) => ({
          path: filePath(at + n),
          content: `${at + n}${content}`,
        }));
        await request(target, 'fs/bulk', 202, { method: 'POST', body: JSON.stringify({ files }) });
      }
    }),
  );
  return (performance.now() - begun) / 1000;
}

/** Median and p95 of each request, in milliseconds. */
async function measureRequests(target: Target, size: number): Promise<readonly [string, number, number][]> {
  const at = (n: number) => Math.floor((n / samples) * size);
  const requests: readonly [string, (n: number) => Promise<void>][] = [
    [
      'PUT file',
      (n) =>
        request(target, `fs/file?path=${filePath(at(n))}`, 202, {
          method: 'PUT',
          headers: { 'if-match': '*' },
          body: JSON.stringify({ content: `${size} ${n} ${content}` }),
        }),
    ],
    ['GET file', (n) => request(target, `fs/file?path=${filePath(at(n))}`, 200)],
    ['tree page of the root', () => request(target, 'fs/tree?path=/', 200)],
    [
      'tree page of a folder of 1,000',
      (n) => request(target, `fs/tree?path=/d${Math.floor(at(n) / 1_000)}`, 200),
    ],
    ['events page of 1,000', () => request(target, 'fs/events?limit=1000', 200)],
    ['history of a file', (n) => request(target, `fs/history?path=${filePath(at(n))}`, 200)],
  ];
  const measured: [string, number, number][] = [];
  for (const [name, one] of requests) {
    const times: number[] = [];
    for (let n = 0; n < samples; n += 1) {
      const begun = performance.now();
      await one(n);
      times.push(performance.now() - begun);
    }
    measured.push([name, median(times), percentile(times, 0.95)]);
  }
  return measured;
}

async function request(
  { url, token, workspaceId }: Target,
  route: string,
  status: number,
  init: RequestInit = {},
): Promise<void> {
  const answer = await fetch(`${url}/v1/workspaces/${workspaceId}/${route}`, {
    ...init,
    headers: { ...headersOf(token), ...init.headers },
  });
  if (answer.status !== status) throw new Error(`${route} answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

if (noPostgres === null) await run();
else console.log(noPostgres);
