// A provider as a process of its own: real HTTP on a port of its own, told over its standard input how to behave, telling over
// its standard output what it got. It checks every signature and remembers idempotency keys as a good provider does. It knows
// nothing of the agent. Run directly it is the process; imported, it is how a test starts one.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

/** `whsec_` and base64 of 32 bytes. */
export const providerSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export type Behaviour =
  | { readonly kind: 'take'; readonly answer?: Readonly<Record<string, unknown>> }
  /** Takes it and answers only when it is told another behaviour. */
  | { readonly kind: 'hang' }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: string;
      readonly body?: string;
      readonly location?: string;
    }
  /** Cuts the connection, before it has taken the item or after. */
  | { readonly kind: 'drop'; readonly after: 'request' | 'taking' | 'half an answer' }
  /** Writes a second answer behind the first. */
  | { readonly kind: 'answer twice' }
  /** A success whose body is nonsense, or says what nobody can keep. */
  | { readonly kind: 'nonsense'; readonly body?: string }
  /** A success that never ends. */
  | { readonly kind: 'flood' };

export interface Told {
  /** For all calls from now on, or, with `next`, for that many. */
  readonly behaviour?: Behaviour;
  readonly next?: number;
  /** What the refresh address answers, page by page. */
  readonly pages?: readonly unknown[];
}

/** Said after each thing that it was told. */
const understood = { understood: true } as const;

export interface ReceivedCall {
  readonly method: string;
  readonly url: string;
  readonly id: string;
  readonly signed: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** false: it had taken this idempotency key before. */
  readonly fresh: boolean;
  /** It took what the call carried. */
  readonly taken: boolean;
}

export class ProviderProcess {
  readonly calls: ReceivedCall[] = [];
  readonly port: number;
  readonly #child: ChildProcess;
  /** Who waits to hear that the process has taken what it was told. */
  readonly #untold: (() => void)[] = [];

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  /** `port`: 0 takes any free one. */
  static async start(port = 0): Promise<ProviderProcess> {
    const child = spawn(process.execPath, [import.meta.filename, String(port)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    const [first] = (await once(lines, 'line')) as [string];
    const provider = new ProviderProcess(child, (JSON.parse(first) as { port: number }).port);
    lines.on('line', (line) => {
      const said = JSON.parse(line) as ReceivedCall | typeof understood;
      if ('understood' in said) provider.#untold.shift()?.();
      else provider.calls.push(said);
    });
    child.once('close', () => {
      for (const go of provider.#untold.splice(0)) go();
    });
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/items`;
  }

  get refreshUrl(): string {
    return `http://127.0.0.1:${this.port}/all`;
  }

  /** Calls with items, without tests and refreshes. */
  get items(): readonly ReceivedCall[] {
    return this.calls.filter((call) => call.type.startsWith('file.'));
  }

  /** What it took, each once, as `path content`; a deletion without content. */
  get taken(): readonly string[] {
    return this.items
      .filter((call) => call.taken && call.fresh)
      .map(({ data }) => (data.content === undefined ? `${data.path}` : `${data.path} ${data.content}`));
  }

  /** Resolves when the next call will be answered so. */
  async tell(told: Told): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((resolve) => {
      this.#untold.push(resolve);
      this.#child.stdin?.write(`${JSON.stringify(told)}\n`);
    });
  }

  /** The outage: nobody listens any more. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'close');
  }

  get #ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

// ---- the process

/** The receiver's half of the Standard Webhooks specification. */
function isSigned(headers: IncomingMessage['headers'], body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  const key = Buffer.from(providerSecret.slice('whsec_'.length), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return one.startsWith('v1,') && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

function serve(port: number): void {
  let behaviour: Behaviour = { kind: 'take' };
  let temporary: { behaviour: Behaviour; left: number } | null = null;
  let pages: readonly unknown[] = [];
  const keys = new Set<string>();
  const hanging: (() => void)[] = [];

  const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const told = JSON.parse(line) as Told;
      if (told.pages !== undefined) pages = told.pages;
      if (told.behaviour !== undefined) {
        if (told.next === undefined) behaviour = told.behaviour;
        else temporary = { behaviour: told.behaviour, left: told.next };
        for (const go of hanging.splice(0)) go();
      }
      say(understood);
    })
    // Whoever started it is gone.
    .on('close', () => process.exit(0));

  function current(): Behaviour {
    if (temporary === null) return behaviour;
    const { behaviour: now } = temporary;
    temporary.left -= 1;
    if (temporary.left <= 0) temporary = null;
    return now;
  }

  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const piece of request) body += String(piece);
      const call = callOf(request, body);
      if (request.method === 'GET') {
        say({ ...call, fresh: true, taken: false });
        const index = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('cursor') ?? 0);
        response.end(JSON.stringify(pages[index] ?? { files: [] }));
        return;
      }
      await act(current(), call, request, response);
    })();
  });

  function callOf(request: IncomingMessage, body: string) {
    const { type = '', data = {} } = (body === '' ? {} : JSON.parse(body)) as {
      type?: string;
      data?: Record<string, unknown>;
    };
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const id = headers['webhook-id'] ?? '';
    const signed = isSigned(request.headers, body);
    return { method: request.method, url: request.url, id, signed, headers, type, data };
  }

  async function act(
    now: Behaviour,
    call: ReturnType<typeof callOf>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const take = () => {
      const fresh = !keys.has(call.id);
      keys.add(call.id);
      say({ ...call, fresh, taken: true });
    };
    const refuse = () => say({ ...call, fresh: !keys.has(call.id), taken: false });
    const json = (value: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(value));
    };
    if (!call.signed) {
      refuse();
      response.statusCode = 401;
      return json({ message: 'the signature is not valid' });
    }
    switch (now.kind) {
      case 'take':
        take();
        return json(now.answer ?? {});
      case 'hang':
        take();
        await new Promise<void>((resolve) => hanging.push(resolve));
        return json({});
      case 'status':
        refuse();
        response.statusCode = now.status;
        if (now.retryAfter !== undefined) response.setHeader('retry-after', now.retryAfter);
        if (now.location !== undefined) response.setHeader('location', now.location);
        response.end(now.body ?? '');
        return;
      case 'drop':
        if (now.after === 'request') refuse();
        else take();
        if (now.after === 'half an answer') response.write('{"externalId":');
        setImmediate(() => request.socket.destroy());
        return;
      case 'answer twice':
        take();
        json({});
        request.socket.write('HTTP/1.1 500 Again\r\ncontent-length: 2\r\n\r\n{}');
        return;
      case 'nonsense':
        take();
        response.end(now.body ?? '<html>all is well</html>');
        return;
      case 'flood':
        take();
        await pipeline(Array(64).fill('x'.repeat(64 * 1024)), response).catch(() => undefined);
        return;
      default:
        now satisfies never;
    }
  }
  server.listen(port, '127.0.0.1', () => say({ port: (server.address() as AddressInfo).port }));
}

if (import.meta.main) serve(Number(process.argv[2] ?? 0));
