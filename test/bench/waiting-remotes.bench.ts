// A server that comes back while 100 remotes wait for it, each with a change: how long until all are in step, and what it answered.
import { chmodSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MooringClient } from '../../sdk/index.ts';
import { type BenchAgent, benchFolder, removeBenchFolder, startBenchAgent } from './bench-agent.ts';
import { printMachine } from './machine.ts';
import { print } from './report.ts';

const remotes = 100;
const inStepSecondsMax = 30;
const waitMsMax = 120_000;
const lookMs = 100;
/** Of a server that is asked by many at once; all others of 4xx and 5xx are faults. */
const expectedRefusals = new Set([409, 429, 503]);

const scratch = benchFolder('waiting-remotes');
const agents: BenchAgent[] = [];
const refusals = new Map<number, number>();
let serverPort = 0;
const line = http.createServer(relay);
line.on('upgrade', tunnel);
try {
  await run();
} finally {
  line.closeAllConnections();
  line.close();
  for (const agent of agents) await agent.stop();
  removeBenchFolder(scratch);
}

async function run(): Promise<void> {
  await printMachine(scratch);
  const linePort = await new Promise<number>((resolve) => {
    line.listen(0, '127.0.0.1', () => resolve((line.address() as net.AddressInfo).port));
  });
  const first = await startBenchAgent(path.join(scratch, 'server'));
  serverPort = Number(new URL(first.url).port);
  const server = new MooringClient({ baseUrl: first.url, token: first.ownerToken });
  const { workspaceId } = await server.workspaces.create({ name: 'team' });
  const { token } = await server.tokens.create(workspaceId, { agent: 'bench' });
  const tokenFile = path.join(scratch, 'token');
  writeFileSync(tokenFile, token);
  chmodSync(tokenFile, 0o600);

  const desktop = await startBenchAgent(path.join(scratch, 'desktop'));
  agents.push(desktop);
  const client = new MooringClient({ baseUrl: desktop.url, token: desktop.ownerToken });
  const workspaces: string[] = [];
  for (let number = 0; number < remotes; number += 1) {
    const created = await client.workspaces.create({ name: `desktop ${number}` });
    workspaces.push(created.workspaceId);
    await client.remotes.add(created.workspaceId, {
      url: `http://127.0.0.1:${linePort}`,
      remoteWorkspaceId: workspaceId,
      tokenFile,
    });
  }
  const states = async () =>
    await Promise.all(workspaces.map(async (id) => (await client.remotes.list(id))[0]?.state));
  await until(async () => (await states()).every((state) => state === 'idle'));
  serverPort = 0;
  await first.stop();
  await until(async () => (await states()).every((state) => state === 'offline'));
  for (const [number, id] of workspaces.entries())
    await client.files.write(id, `/from-${number}.txt`, `text ${number}`);

  refusals.clear();
  const second = await startBenchAgent(path.join(scratch, 'server'));
  agents.push(second);
  serverPort = Number(new URL(second.url).port);
  const start = performance.now();
  const again = new MooringClient({ baseUrl: second.url, token: second.ownerToken });
  await until(async () => {
    const counts = [await filesOf(again, workspaceId)];
    if (counts[0] === remotes) for (const id of workspaces) counts.push(await filesOf(client, id));
    return counts.length === remotes + 1 && counts.every((count) => count === remotes);
  });
  print({
    name: `${remotes} waiting remotes in step after the server is back`,
    value: (performance.now() - start) / 1000,
    unit: 's',
    reach: { at: 'most', value: inStepSecondsMax },
  });
  const faults = [...refusals].filter(([status]) => !expectedRefusals.has(status));
  console.log(
    `refusals: ${[...refusals].map(([status, count]) => `${count} x ${status}`).join(', ') || 'none'}`,
  );
  print({
    name: 'answers other than 2xx, 409, 429 and 503',
    value: faults.reduce((sum, [, count]) => sum + count, 0),
    unit: '',
    reach: { at: 'most', value: 0 },
  });
}

async function filesOf(client: MooringClient, workspaceId: string): Promise<number> {
  let count = 0;
  for await (const _file of client.files.all(workspaceId)) count += 1;
  return count;
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await isReached())) {
    if (performance.now() - start > waitMsMax) throw new Error('not reached in time');
    await delay(lookMs);
  }
}

/** The address that the remotes know; the server behind it comes back at another port. Its answers are counted. */
function relay(request: http.IncomingMessage, response: http.ServerResponse): void {
  const { method, url, headers } = request;
  if (serverPort === 0) {
    request.socket.destroy();
    return;
  }
  const passed = http.request(
    { host: '127.0.0.1', port: serverPort, method, path: url, headers },
    (answer) => {
      const status = answer.statusCode ?? 0;
      if (status >= 400) refusals.set(status, (refusals.get(status) ?? 0) + 1);
      response.writeHead(status, answer.headers);
      answer.pipe(response);
    },
  );
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}

function tunnel(request: http.IncomingMessage, socket: net.Socket, head: Buffer): void {
  if (serverPort === 0) {
    socket.destroy();
    return;
  }
  const passed = net.connect(serverPort, '127.0.0.1', () => {
    const lines = request.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : [],
    );
    passed.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    passed.write(head);
    passed.pipe(socket);
    socket.pipe(passed);
  });
  for (const end of [socket, passed]) end.on('error', () => [socket, passed].map((other) => other.destroy()));
}
