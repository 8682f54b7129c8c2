// The limit of event streams with real sockets: as many as are allowed all work and cost little, one more is refused in words, and
// its place is free again as soon as another one closes.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { socketsMax } from '../../server/http/base/limits.ts';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { waitFor } from '../support/wait-for.ts';

/** Handshakes under way at once: a machine that opens them all at once measures its own queue. */
const openingMax = 64;
/** Resident bytes for each open stream, far above what was measured (about 20 KiB). */
const bytesPerSocketMax = 200 * 1024;
/** What streams without an event may take of a processor, far above what was measured (about 1 %). */
const idleShareMax = 0.25;
const idleMs = 3000;

interface Stream {
  readonly socket: WebSocket;
  readonly paths: string[];
}

const clockTicksPerSecond = 100;

function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
}

function residentBytes(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) * 1024;
}

it('serves as many streams as are allowed, refuses one more, and lets the next in when one closes', async ({
  skip,
}) => {
  skip(process.platform !== 'linux', 'memory and processor time are read from /proc');
  const agent = await startAgent();
  const { client, token, workspaceId } = await freshWorkspace(agent);
  const url = `${agent.url.replace('http', 'ws')}/v1/workspaces/${workspaceId}/fs/ws?token=${token}`;
  const streams: Stream[] = [];
  const open = async (): Promise<Stream> => {
    const stream: Stream = { socket: new WebSocket(url), paths: [] };
    stream.socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as { type?: string; path?: string };
      if (frame.path !== undefined) stream.paths.push(frame.path);
    });
    await new Promise((resolve, reject) => stream.socket.once('open', resolve).once('error', reject));
    return stream;
  };

  await client.agent.health();
  const bytesBefore = residentBytes(agent.pid);
  const openedMs = performance.now();
  while (streams.length < socketsMax) {
    const count = Math.min(openingMax, socketsMax - streams.length);
    streams.push(...(await Promise.all(Array.from({ length: count }, open))));
  }
  const openingMs = performance.now() - openedMs;

  const refused = await upgrade(url.replace('ws', 'http'));
  expect(refused).toMatchObject({ status: 429, retryAfter: '1', body: { code: 'rate_limited' } });
  expect(refused.body.message).toBe(
    `${socketsMax} event streams are open, the maximum of this agent. Close one, or try again later.`,
  );

  const wroteMs = performance.now();
  await client.writeFile(workspaceId, '/hello.md', 'hello');
  await waitFor('every stream to get the event', () =>
    streams.every(({ paths }) => paths.includes('/hello.md')),
  );
  const fanOutMs = performance.now() - wroteMs;
  const healthMs = performance.now();
  await client.agent.health();
  const answeredMs = performance.now() - healthMs;

  const secondsBefore = processorSeconds(agent.pid);
  const idleSinceMs = performance.now();
  await waitFor('a while without events', () => performance.now() - idleSinceMs >= idleMs);
  const share = ((processorSeconds(agent.pid) - secondsBefore) * 1000) / (performance.now() - idleSinceMs);
  const bytesPerSocket = (residentBytes(agent.pid) - bytesBefore) / socketsMax;
  process.stdout.write(
    `${socketsMax} streams: opened in ${Math.round(openingMs)} ms, ${Math.round(bytesPerSocket / 1024)} KiB each, an event to all in ${Math.round(fanOutMs)} ms, /health then ${answeredMs.toFixed(1)} ms, idle ${(100 * share).toFixed(1)} % of a processor\n`,
  );
  expect(bytesPerSocket).toBeLessThan(bytesPerSocketMax);
  expect(share).toBeLessThan(idleShareMax);

  const closed = new Promise((resolve) => streams[0]?.socket.once('close', resolve));
  streams[0]?.socket.close();
  await closed;
  const next = await open();
  await client.writeFile(workspaceId, '/again.md', 'again');
  await waitFor('the newest stream to get the event', () => next.paths.includes('/again.md'));
  for (const { socket } of [...streams, next]) socket.terminate();
});

/** The answer to a handshake that is refused. */
async function upgrade(
  url: string,
): Promise<{ status: number; retryAfter: string | undefined; body: { code: string; message: string } }> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };
  return await new Promise((resolve, reject) => {
    const asked = request(url, { headers });
    asked.once('error', reject);
    asked.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('the stream was opened'));
    });
    asked.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          body: JSON.parse(text),
        }),
      );
    });
    asked.end();
  });
}
