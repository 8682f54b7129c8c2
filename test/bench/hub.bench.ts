// Two processes of a hub on a PostgreSQL of this machine, beside an agent with SQLite, in turn within one run: single and bulk writes, in
// one workspace and in sixteen, reads, pages, an event to the other process, and starts.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import autocannon from 'autocannon';
import { WebSocket } from 'ws';
import { noPostgres } from '../../build/postgres.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type BenchAgent, benchFolder, removeBenchFolder, startBenchAgent } from './bench-agent.ts';
import { headersOf, makeTarget, type Target } from './floor.ts';
import { printMachine } from './machine.ts';
import { PostgresFloor } from './postgres-floor.ts';
import { alternate, median, percentile, print, printComparison, type Reach } from './report.ts';

const rounds = 5;
const roundSeconds = Number(process.env.MOORING_BENCH_SECONDS ?? 3);
const connections = 32;
const files = 10_000;
const batchFiles = 250;
const bulkFiles = 2_500;
const manyWorkspaces = 16;
const notices = 200;
const content = 'x'.repeat(1024);

const least = (value: number): Reach => ({ at: 'least', value });
const most = (value: number): Reach => ({ at: 'most', value });
const filePath = (n: number) => `/d${Math.floor(n / 100)}/file-${n}.txt`;

interface Side {
  readonly agent: BenchAgent;
  readonly target: Target;
  /** Targets of further workspaces. */
  readonly more: readonly Target[];
}

async function run(): Promise<void> {
  const scratch = benchFolder('hub');
  const database = await PostgresServer.start({ syncs: true });
  const agents: BenchAgent[] = [];
  const keyFile = path.join(scratch, 'master.key');
  writeFileSync(keyFile, `${Buffer.alloc(32, 5).toString('base64')}\n`, { mode: 0o600 });
  const hubArgs = ['--database', database.url, '--master-key-file', keyFile];
  const start = async (name: string, args: readonly string[] = []) => {
    const begun = performance.now();
    const agent = await startBenchAgent(path.join(scratch, name), args);
    agents.push(agent);
    return { agent, seconds: (performance.now() - begun) / 1000 };
  };
  try {
    await printMachine(scratch);
    const first = await start('hub-1', hubArgs);
    print({ name: 'start on an empty database', value: first.seconds, unit: 's', reach: most(2) });
    const second = await start('hub-2', hubArgs);
    print({ name: 'start on a migrated database', value: second.seconds, unit: 's', reach: most(0.7) });
    const { agent } = await start('agent');
    const hub = await sideOf(first.agent);
    const alone = await sideOf(agent);
    await measureLoads(hub, alone);
    await measureBareWrites(hub, database.url);
    await measureOneClient(hub);
    await measureNotice(hub.target, second.agent);
  } finally {
    for (const agent of agents) await agent.stop();
    await database.close();
    removeBenchFolder(scratch);
  }
}

async function sideOf(agent: BenchAgent): Promise<Side> {
  const target = await makeTarget(agent);
  for (let from = 0; from < files; from += batchFiles) await bulk(target, from, batchFiles);
  const more: Target[] = [];
  for (let made = 0; made < manyWorkspaces; made += 1) more.push(await namedTarget(agent, `bench-${made}`));
  return { agent, target, more };
}

async function namedTarget(agent: BenchAgent, name: string): Promise<Target> {
  const post = async <T>(route: string, body: object): Promise<T> => {
    const answer = await fetch(agent.url + route, {
      method: 'POST',
      headers: headersOf(agent.ownerToken),
      body: JSON.stringify(body),
    });
    return (await answer.json()) as T;
  };
  const { workspaceId } = await post<{ workspaceId: string }>('/v1/workspaces', { name });
  const { token } = await post<{ token: string }>(`/v1/workspaces/${workspaceId}/tokens`, { agent: 'bench' });
  return { url: agent.url, workspaceId, token };
}

async function bulk({ url, token, workspaceId }: Target, from: number, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, n) => ({ path: filePath(from + n), content }));
  const answer = await fetch(`${url}/v1/workspaces/${workspaceId}/fs/bulk`, {
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify({ files: items }),
  });
  if (answer.status !== 202) throw new Error(`bulk answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Requests a second. */
async function load(
  targets: readonly Target[],
  request: (target: Target, n: number) => autocannon.Request,
): Promise<number> {
  const results = await Promise.all(
    targets.map(
      async (target) =>
        await autocannon({
          url: target.url,
          connections: connections / targets.length,
          duration: roundSeconds,
          headers: headersOf(target.token),
          // Each connection begins at another file: all at once at one file would be a load of its own.
          setupClient(client) {
            const first = Math.floor(Math.random() * 400);
            client.setRequests(Array.from({ length: 400 }, (_, n) => request(target, (first + n) % 400)));
          },
        }),
    ),
  );
  for (const { non2xx, errors } of results)
    if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} refused, ${errors} failed`);
  return results.reduce((sum, { requests }) => sum + requests.average, 0);
}

let written = 0;
const put = ({ workspaceId }: Target, n: number): autocannon.Request => {
  written += 1;
  return {
    method: 'PUT',
    path: `/v1/workspaces/${workspaceId}/fs/file?path=${filePath(n * 25)}`,
    headers: { 'if-match': '*' },
    body: JSON.stringify({ content: `${written}`.padEnd(content.length, 'y') }),
  };
};
const get =
  (route: (n: number) => string) =>
  ({ workspaceId }: Target, n: number): autocannon.Request => ({
    method: 'GET',
    path: `/v1/workspaces/${workspaceId}/fs/${route(n)}`,
  });

async function measureLoads(hub: Side, alone: Side): Promise<void> {
  const loads = [
    { name: 'PUT, one workspace', min: 1_000, share: 0.4, of: (side: Side) => load([side.target], put) },
    {
      name: `PUT, ${manyWorkspaces} workspaces`,
      min: 1_250,
      share: 0.5,
      of: (side: Side) => load(side.more, put),
    },
    {
      name: 'bulk write of 250 files, one workspace',
      min: 4_000,
      share: 0.2,
      of: (side: Side) => bulkRate(side.target),
    },
    {
      name: 'GET file',
      min: 3_000,
      share: 0.2,
      of: (side: Side) =>
        load(
          [side.target],
          get((n) => `file?path=${filePath(n * 25)}`),
        ),
    },
    {
      name: 'tree page of 1,000',
      min: 200,
      share: 0.02,
      of: (side: Side) =>
        load(
          [side.target],
          get(() => 'tree?path=/&depth=10'),
        ),
    },
    {
      name: 'events page of 1,000',
      min: 200,
      share: 0.02,
      of: (side: Side) =>
        load(
          [side.target],
          get(() => 'events?limit=1000'),
        ),
    },
  ];
  for (const { name, min, share, of } of loads) {
    const values = await alternate(
      rounds,
      () => of(hub),
      () => of(alone),
    );
    const unit = name.startsWith('bulk') ? 'files/s' : 'req/s';
    printComparison({ name, unit, floorName: 'the agent with SQLite', ...values, reach: least(share) });
    print({ name: `${name}, median`, value: median(values.own), unit, reach: least(min) });
  }
}

/** While a group is written the next one arrives, so half of the connections wait for each. */
async function measureBareWrites(hub: Side, url: string): Promise<void> {
  const floor = await PostgresFloor.start(url);
  try {
    const { own, floor: bare } = await alternate(
      rounds,
      () => load([hub.target], put),
      () => floor.rate(roundSeconds, connections / 2, (n) => filePath((n * 25) % files)),
    );
    printComparison({
      name: 'PUT, one workspace',
      unit: 'req/s',
      floorName: 'statements alone, 16 files in each transaction',
      own,
      floor: bare,
      reach: least(0.3),
    });
  } finally {
    await floor.close();
  }
}

async function bulkRate(target: Target): Promise<number> {
  const begun = performance.now();
  const batches = Array.from({ length: bulkFiles / batchFiles }, (_, n) => n * batchFiles);
  const next = batches.values();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const from of next) await bulk(target, 100_000 + from, batchFiles);
    }),
  );
  return bulkFiles / ((performance.now() - begun) / 1000);
}

async function measureOneClient({ target }: Side): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < 500; n += 1) {
    const { path: route = '', ...request } = put(target, n % 400);
    const begun = performance.now();
    const answer = await fetch(target.url + route, {
      method: 'PUT',
      headers: { ...headersOf(target.token), 'if-match': '*' },
      body: String(request.body),
    });
    await answer.arrayBuffer();
    times.push(performance.now() - begun);
  }
  print({ name: 'PUT, one client, p50', value: percentile(times, 0.5), unit: 'ms', reach: most(6) });
  print({ name: 'PUT, one client, p95', value: percentile(times, 0.95), unit: 'ms', reach: most(15) });
}

/** From the request to one process to the frame on a WebSocket of the other. */
async function measureNotice(target: Target, other: BenchAgent): Promise<void> {
  const url = `${other.url.replace('http', 'ws')}/v1/workspaces/${target.workspaceId}/fs/ws?token=${target.token}`;
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const times: number[] = [];
  try {
    for (let n = 0; n < notices; n += 1) {
      const name = `/notice/${n}`;
      const frame = new Promise<void>((resolve) => {
        const look = (data: Buffer) => {
          if (!data.toString('utf8').includes(`"${name}"`)) return;
          socket.off('message', look);
          resolve();
        };
        socket.on('message', look);
      });
      const begun = performance.now();
      const answer = await fetch(`${target.url}/v1/workspaces/${target.workspaceId}/fs/file?path=${name}`, {
        method: 'PUT',
        headers: { ...headersOf(target.token), 'if-match': '*' },
        body: JSON.stringify({ content }),
      });
      await answer.arrayBuffer();
      await frame;
      times.push(performance.now() - begun);
    }
  } finally {
    socket.terminate();
  }
  print({
    name: 'PUT to the frame of another process, p50',
    value: percentile(times, 0.5),
    unit: 'ms',
    reach: most(10),
  });
  print({
    name: 'PUT to the frame of another process, p95',
    value: percentile(times, 0.95),
    unit: 'ms',
    reach: most(30),
  });
}

if (noPostgres === null) await run();
else console.log(noPostgres);
