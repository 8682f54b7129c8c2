// What an event costs for each of many WebSocket clients of one busy workspace: CPU of the agent with the clients, less its CPU for
// the same writes without any, beside a process that sends one constant frame (socket-floor.ts), in turn within one run.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { benchFolder, cpuSeconds, removeBenchFolder, startBenchAgent } from './bench-agent.ts';
import { headersOf, makeTarget, type Target } from './floor.ts';
import { median, print, printComparison } from './report.ts';

const clients = 100;
const rounds = Number(process.env.MOORING_BENCH_ROUNDS ?? 5);
/** File events of a round, written in bulks. */
const events = 2_000;
const bulkFiles = 100;
const fileBytes = 256;
const microsecondsPerSecond = 1e6;

/** Rounds of writes so far. */
let written = 0;

const scratch = benchFolder('sockets');
try {
  await run();
} finally {
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  const agent = await startBenchAgent(path.join(scratch, 'data'));
  try {
    const target = await makeTarget(agent);
    // The files exist in every round, so that each write is one event.
    await writeAll(target);
    const floor = await startFloor(await sampleFrame(target));
    try {
      const own: number[] = [];
      const one: number[] = [];
      const below: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const alone = await agentSeconds(agent.pid, target, 0);
        const single = await agentSeconds(agent.pid, target, 1);
        const shared = await agentSeconds(agent.pid, target, clients);
        const each = microsecondsPerSecond / events;
        one.push((single - alone) * each);
        own.push(((shared - alone) * each) / clients);
        below.push(((await floorSeconds(floor)) * each) / clients);
      }
      print({ name: 'CPU per event with one client', value: median(one), unit: 'us' });
      printComparison({
        name: `CPU per event and client, ${clients} clients`,
        unit: 'us',
        floorName: 'one constant frame',
        own,
        floor: below,
        reach: { at: 'most', value: 2 },
      });
    } finally {
      floor.child.kill();
    }
  } finally {
    await agent.stop();
  }
}

interface SocketFloor {
  readonly child: ChildProcess;
  readonly url: string;
  readonly pid: number;
}

async function startFloor(frame: string): Promise<SocketFloor> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'socket-floor.ts'), frame], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  return { child, ...(JSON.parse(line) as { url: string; pid: number }) };
}

async function agentSeconds(pid: number, target: Target, count: number): Promise<number> {
  const url = `${target.url.replace('http', 'ws')}/v1/workspaces/${target.workspaceId}/fs/ws?token=${target.token}&from=now`;
  const streams = await open(url, count);
  const before = seconds(pid);
  await Promise.all([writeAll(target), ...streams.map(({ received }) => received)]);
  const used = seconds(pid) - before;
  for (const { socket } of streams) socket.terminate();
  return used;
}

async function floorSeconds({ child, url, pid }: SocketFloor): Promise<number> {
  const streams = await open(url, clients);
  const before = seconds(pid);
  child.stdin?.write(`${events}\n`);
  await Promise.all(streams.map(({ received }) => received));
  const used = seconds(pid) - before;
  for (const { socket } of streams) socket.terminate();
  return used;
}

/** Open streams, each with the promise of its last event. */
async function open(url: string, count: number): Promise<{ socket: WebSocket; received: Promise<void> }[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = new WebSocket(url, { perMessageDeflate: false });
      const received = new Promise<void>((resolve, reject) => {
        let frames = 0;
        socket.on('message', () => {
          frames += 1;
          if (frames === events) resolve();
        });
        socket.once('error', reject);
        socket.once('close', (code) => reject(new Error(`a stream was closed with ${code}`)));
      });
      // Awaited after the writes; a stream that ends early fails then.
      received.catch(() => undefined);
      await new Promise<void>((resolve) => socket.once('open', () => resolve()));
      return { socket, received };
    }),
  );
}

async function writeAll({ url, token, workspaceId }: Target): Promise<void> {
  written += 1;
  for (let from = 0; from < events; from += bulkFiles) {
    const files = Array.from({ length: bulkFiles }, (_, n) => ({
      path: `/busy/${from + n}.txt`,
      content: `${written} ${from + n}`.padEnd(fileBytes, 'x'),
      contentType: 'text/plain',
    }));
    const answer = await fetch(`${url}/v1/workspaces/${workspaceId}/fs/bulk`, {
      method: 'POST',
      headers: headersOf(token),
      body: JSON.stringify({ files }),
    });
    if (answer.status !== 202) throw new Error(`bulk answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

async function sampleFrame({ url, token, workspaceId }: Target): Promise<string> {
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/v1/workspaces/${workspaceId}/fs/ws?token=${token}`,
  );
  const frame = await new Promise<string>((resolve, reject) => {
    socket.once('message', (data) => resolve(String(data)));
    socket.once('error', reject);
  });
  socket.terminate();
  return frame;
}

function seconds(pid: number): number {
  const used = cpuSeconds(pid);
  if (used === null) throw new Error('this bench reads /proc');
  return used;
}
