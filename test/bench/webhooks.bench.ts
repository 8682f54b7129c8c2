// Webhooks under load: how many a second are taken in durably beside the floor of the same route (floor-server.ts), how many a
// second are applied to files beside what bulk writes of the same contents reach, and how long the 202 takes while 2,000 a
// second arrive and a mirror writes them to disk. Each pair in turn within one run.
import { mkdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import {
  type BenchAgent,
  benchFolder,
  cpuSeconds,
  removeBenchFolder,
  residentMb,
  startBenchAgent,
} from './bench-agent.ts';
import { headersOf, makeTarget, startFloor, type Target } from './floor.ts';
import { median, percentile, print, printComparison, roundsMin } from './report.ts';

const connections = 16;
const roundSeconds = Number(process.env.MOORING_BENCH_SECONDS ?? 3);
const rounds = Number(process.env.MOORING_BENCH_ROUNDS ?? roundsMin);
const fileBytes = 1024;
const filesPerFolder = 100;
const bulkFiles = 5_000;
const bulkBatch = 250;
const bulkLanes = 4;
/** Room for everything that a round sends. */
const queueSize = 1_000_000;
const steadyRate = 2_000;
const steadySeconds = Number(process.env.MOORING_BENCH_STEADY_SECONDS ?? 10);
/** Each of these files is written again and again. */
const steadyFiles = 2_000;
const tickMs = 5;
const pollMs = 20;
const drainSecondsMax = 600;

const scratch = benchFolder('webhooks');
let made = 0;
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  const agent = await startBenchAgent(path.join(scratch, 'data'), [
    '--envelope-queue-size',
    String(queueSize),
  ]);
  try {
    const target = await makeTarget(agent);
    const floor = await startFloor([
      {
        method: 'POST',
        url: '/v1/workspaces/:workspaceId/webhooks/ingest',
        status: 202,
        body: await sendOne(target),
      },
    ]);
    try {
      await reportRates(target, floor.target);
    } finally {
      floor.stop();
    }
    const memory = residentMb(agent.pid);
    if (memory !== null) {
      const note = `peak ${Math.round(memory.peak)} MB`;
      print({ name: 'agent RSS after the load', value: memory.now, unit: 'MB', note });
    }
  } finally {
    await agent.stop();
  }
  const second = await startBenchAgent(path.join(scratch, 'data-2'));
  try {
    await reportSteady(second, await makeTarget(second));
  } finally {
    await second.stop();
  }
}

// ---- taking in, and applying

async function reportRates(target: Target, floor: Target): Promise<void> {
  const accepted: number[] = [];
  const floors: number[] = [];
  const applied: number[] = [];
  const bulks: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await takeIn(floor));
    accepted.push(await takeIn(target));
    applied.push(await drain(target));
    bulks.push(await bulk(target));
  }
  printComparison({
    name: `webhooks accepted, ${connections} connections`,
    unit: '1/s',
    floorName: 'the same route with a constant answer',
    own: accepted,
    floor: floors,
    reach: { at: 'least', value: 0.35 },
  });
  printComparison({
    name: 'files applied from the queue',
    unit: 'files/s',
    floorName: 'bulk write',
    own: applied,
    floor: bulks,
    reach: { at: 'least', value: 0.5 },
  });
}

function content(n: number): string {
  return `${n}\n`.padEnd(fileBytes, 'x');
}

/** Every one another delivery; of another file when `files` is not given. */
function nextWebhook(files: number = Number.MAX_SAFE_INTEGER): string {
  const n = made;
  made += 1;
  const file = n % files;
  return JSON.stringify({
    provider: 'bench',
    event_type: 'file.updated',
    delivery_id: `delivery-${n}`,
    path: `/bench/d${Math.floor(file / filesPerFolder)}/file-${file}.txt`,
    data: { content: content(n), contentType: 'text/plain' },
  });
}

function ingestPath({ workspaceId }: Target): string {
  return `/v1/workspaces/${workspaceId}/webhooks/ingest`;
}

async function sendOne(target: Target): Promise<string> {
  const answer = await fetch(target.url + ingestPath(target), {
    method: 'POST',
    headers: headersOf(target.token),
    body: nextWebhook(),
  });
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`a webhook was answered ${answer.status}: ${text}`);
  return text;
}

/** 202s a second. */
async function takeIn(target: Target): Promise<number> {
  const result = await autocannon({
    url: target.url,
    connections,
    duration: roundSeconds,
    headers: headersOf(target.token),
    requests: [
      {
        method: 'POST',
        path: ingestPath(target),
        setupRequest: (request) => ({ ...request, body: nextWebhook() }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} webhooks were refused, ${result.errors} failed`);
  }
  return result.requests.total / result.duration;
}

async function pendingOf(target: Target): Promise<number> {
  const answer = await fetch(`${target.url}/v1/workspaces/${target.workspaceId}/sync/ingress`, {
    headers: headersOf(target.token),
  });
  const { pendingTotal, deadLetterTotal } = (await answer.json()) as {
    pendingTotal: number;
    deadLetterTotal: number;
  };
  if (deadLetterTotal > 0) throw new Error(`${deadLetterTotal} webhooks failed`);
  return pendingTotal;
}

/** Files a second, of what still waits when nothing more comes in. */
async function drain(target: Target): Promise<number> {
  const start = performance.now();
  const waiting = await pendingOf(target);
  for (;;) {
    const seconds = (performance.now() - start) / 1000;
    if ((await pendingOf(target)) === 0) return waiting / seconds;
    if (seconds > drainSecondsMax) throw new Error('the queue does not empty');
    await delay(pollMs);
  }
}

/** Files a second. */
async function bulk(target: Target): Promise<number> {
  const bodies = Array.from({ length: bulkFiles / bulkBatch }, () =>
    JSON.stringify({
      files: Array.from({ length: bulkBatch }, () => {
        const n = made;
        made += 1;
        const folder = Math.floor(n / filesPerFolder);
        return { path: `/bulk/d${folder}/file-${n}.txt`, content: content(n), contentType: 'text/plain' };
      }),
    }),
  );
  const start = performance.now();
  await Promise.all(
    Array.from({ length: bulkLanes }, async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        const answer = await fetch(`${target.url}/v1/workspaces/${target.workspaceId}/fs/bulk`, {
          method: 'POST',
          headers: headersOf(target.token),
          body,
        });
        if (answer.status !== 202) throw new Error(`bulk answered ${answer.status}: ${await answer.text()}`);
        await answer.arrayBuffer();
      }
    }),
  );
  return bulkFiles / ((performance.now() - start) / 1000);
}

// ---- a steady stream, mirrored

/** An open loop: each webhook has its time, and its wait counts from then, however late it could be sent. */
async function reportSteady(agent: BenchAgent, target: Target): Promise<void> {
  const folder = path.join(scratch, 'mirror');
  mkdirSync(folder);
  agent.cli('mirror', 'add', '--workspace', target.workspaceId, '--dir', folder);
  const sockets = new http.Agent({ keepAlive: true, maxSockets: connections * 4 });
  const waitsMs: number[] = [];
  const sent: Promise<void>[] = [];
  const cpuBefore = cpuSeconds(agent.pid);
  const start = performance.now();
  for (let count = 0; count < steadyRate * steadySeconds; ) {
    const dueBy = Math.floor(((performance.now() - start) / 1000) * steadyRate);
    for (; count < Math.min(dueBy, steadyRate * steadySeconds); count += 1) {
      const dueAt = start + (count * 1000) / steadyRate;
      sent.push(
        post(target, sockets, nextWebhook(steadyFiles)).then(
          () => void waitsMs.push(performance.now() - dueAt),
        ),
      );
    }
    await delay(tickMs);
  }
  await Promise.all(sent);
  const seconds = (performance.now() - start) / 1000;
  const cpuAfter = cpuSeconds(agent.pid);
  sockets.destroy();
  print({
    name: `202 at ${steadyRate}/s with a mirror, p95`,
    value: percentile(waitsMs, 0.95),
    unit: 'ms',
    note: `p50 ${median(waitsMs).toFixed(1)}, p99 ${percentile(waitsMs, 0.99).toFixed(1)} ms; ${Math.round(sent.length / seconds)}/s arrived`,
  });
  if (cpuBefore !== null && cpuAfter !== null) {
    print({ name: 'CPU of the agent meanwhile', value: ((cpuAfter - cpuBefore) / seconds) * 100, unit: '%' });
  }
  const drained = performance.now();
  while ((await pendingOf(target)) > 0) await delay(pollMs);
  agent.cli('sync', '--wait', '--timeout', '300s');
  print({
    name: 'until the folder held all of it (with one CLI start)',
    value: performance.now() - drained,
    unit: 'ms',
  });
}

function post(target: Target, sockets: http.Agent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      target.url + ingestPath(target),
      {
        method: 'POST',
        agent: sockets,
        headers: { ...headersOf(target.token), 'content-length': Buffer.byteLength(body) },
      },
      (answer) => {
        answer.resume();
        answer.once('end', () =>
          answer.statusCode === 202
            ? resolve()
            : reject(new Error(`a webhook was answered ${answer.statusCode ?? 'nothing'}`)),
        );
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}
