// The line between a desktop and its server: forwards HTTP and WebSockets to wherever the server is now, can be cut, and can answer in
// the server's place. Its own address stays the same, so that a server may be restarted on another port.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** true: it has answered, and the server is not asked. */
export type Answerer = (incoming: IncomingMessage, response: ServerResponse) => boolean;

export class ServerLine {
  /** Answers in the place of the server; WebSockets are refused meanwhile. null: the server answers. */
  answerer: Answerer | null = null;
  /** true: the server has answered, and its answer is lost. */
  losesAnswer: (incoming: IncomingMessage) => boolean = () => false;
  /** What is asked of the server; a test may lead it to another workspace. */
  rewrite: (incoming: IncomingMessage) => { readonly url: string; readonly authorization?: string } = (
    incoming,
  ) => ({ url: incoming.url ?? '/' });
  requests = 0;
  /** Bytes of bodies that the server has sent, and that it was sent. */
  answeredBytes = 0;
  askedBytes = 0;
  readonly #target: () => string | null;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((incoming, response) => this.#forward(incoming, response));
  #isCut = false;

  /** `target`: where the server is; null: it is not running. */
  constructor(target: () => string | null) {
    this.#target = target;
    this.#server.on('connection', (socket) => {
      if (this.#isCut) socket.destroy();
      else this.#hold(socket);
    });
    this.#server.on('upgrade', (incoming, socket) => this.#upgrade(incoming, socket as Socket));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      this.#endAll();
      await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    });
  }

  /** Nothing passes any more, and what was open breaks. */
  cut(): void {
    this.#isCut = true;
    this.#endAll();
  }

  mend(): void {
    this.#isCut = false;
  }

  /** What was open breaks, so that a new connection meets what has changed. */
  interrupt(): void {
    this.#endAll();
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    this.requests += 1;
    if (this.answerer?.(incoming, response) === true) return;
    const { url, authorization } = this.rewrite(incoming);
    const target = this.#target();
    if (target === null) {
      response.destroy();
      return;
    }
    const { hostname, port } = new URL(target);
    const headers = { ...incoming.headers, host: `${hostname}:${port}` };
    if (authorization !== undefined) headers.authorization = authorization;
    const forwarded = request({ hostname, port, path: url, method: incoming.method, headers }, (answer) => {
      if (this.losesAnswer(incoming)) {
        response.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (chunk: Buffer) => (this.answeredBytes += chunk.length));
      answer.pipe(response);
      answer.on('error', () => response.destroy());
      // Who counts keeps it flowing: what the asker no longer reads would be counted as well.
      response.on('close', () => answer.destroy());
    });
    forwarded.on('error', () => response.destroy());
    incoming.on('data', (chunk: Buffer) => (this.askedBytes += chunk.length));
    incoming.pipe(forwarded);
  }

  #upgrade(incoming: IncomingMessage, socket: Socket): void {
    if (this.answerer !== null) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const target = this.#target();
    if (target === null) {
      socket.destroy();
      return;
    }
    const { url, authorization } = this.rewrite(incoming);
    const { hostname, port } = new URL(target);
    const headers = { ...incoming.headers, host: `${hostname}:${port}` };
    if (authorization !== undefined) headers.authorization = authorization;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    const there = connect(Number(port), hostname, () => {
      there.write(`${incoming.method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      there.pipe(socket);
      socket.pipe(there);
    });
    this.#hold(there);
    there.on('close', () => socket.destroy());
    socket.on('close', () => there.destroy());
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
