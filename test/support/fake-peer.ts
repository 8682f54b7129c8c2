// A peer that answers as a test tells it: for what the real agent only does on a bad day (429, broken connections, sockets that
// close). Real HTTP and real WebSockets on a port of their own; it knows nothing of the agent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

export interface FakePeer {
  readonly url: string;
  /** Every request, oldest first: `GET /path?query`. */
  readonly requests: readonly string[];
  readonly sockets: readonly WebSocket[];
  close(): Promise<void>;
}

export interface Script {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse, url: URL) => void;
  /** Absent: upgrades are refused with 404. */
  readonly onSocket?: (socket: WebSocket, url: URL) => void;
}

/** Listens on a free port (or the given one) until the test ends. */
export async function startPeer(script: Script, port = 0): Promise<FakePeer> {
  const requests: string[] = [];
  const sockets: WebSocket[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    script.onRequest(request, response, new URL(request.url ?? '/', 'http://peer'));
  });
  const webSockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const { onSocket } = script;
    // A caller that is refused may reset the connection before it has read why.
    socket.on('error', () => undefined);
    if (onSocket === undefined) {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    webSockets.handleUpgrade(request, socket, head, (opened) => {
      sockets.push(opened);
      onSocket(opened, new URL(request.url ?? '/', 'http://peer'));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = async () => {
    for (const socket of sockets) socket.terminate();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(async () => {
    if (server.listening) await close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, sockets, close };
}

/** Answers with JSON. */
export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
