// The floor of the event stream: a process that sends one constant frame to each of its WebSocket clients, as often as the count in a
// line of stdin says. Started by sockets.bench.ts.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocketServer } from 'ws';

const frame = Buffer.from(process.argv[2] ?? '');
/** As many events as the agent reads at once. */
const batchEvents = 256;

const server = http.createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `ws://127.0.0.1:${port}/`, pid: process.pid }));
});
createInterface({ input: process.stdin }).on('line', (line) => void send(Number(line)));

async function send(count: number): Promise<void> {
  for (let from = 0; from < count; from += batchEvents) {
    for (let n = from; n < Math.min(count, from + batchEvents); n += 1) {
      for (const socket of sockets.clients) socket.send(frame, { binary: false });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
