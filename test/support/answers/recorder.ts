// Notes every answer that an agent gives while a test runs, whoever asked: the SDK, the CLI, another's client, curl, a browser.
// Loaded into each process that a test starts (NODE_OPTIONS) and into the tests' own; what is not an agent it leaves alone.
// An answer is on the disk before its last byte leaves, so that neither a fast client nor kill -9 outruns it.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { openSync, writeSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { isMainThread } from 'node:worker_threads';

export interface RecordedAnswer {
  /** Empty where the request could not be read. */
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** The content type; empty without one. */
  readonly type: string;
  readonly bytes: number;
  /** The text of a JSON body; absent for other bodies, and for what is too long to be noted. */
  readonly body?: string;
}

/** Longer JSON is counted, not checked: only exports and contents of large files are. */
const bodyBytesMax = 1024 * 1024;
/** From here on a process notes no bodies any more: the tests in their long form run for hours. */
const fileBytesMax = 256 * 1024 * 1024;
/** Fastify tells of each instance that is made, also from within a bundle. */
const madeChannel = 'fastify.initialization';
/** Of the address under which a process loads this file: where it notes what its agent answers. */
export const folderParameter = 'folder';

/** From now on answers of agents in this process are noted, too. Returns what ends that for agents that are made later. */
export function recordAnswers(folder: string): () => void {
  const note = noteInto(path.join(folder, `${process.pid}-${crypto.randomUUID()}.jsonl`));
  const watchAgent = (message: unknown) => {
    const { server } = (message as { readonly fastify: { readonly server: Server } }).fastify;
    server.prependListener('request', (request, response) => watchResponse(request, response, note));
    server.prependListener('upgrade', (request, socket) => watchSocket(request, socket, note));
    server.prependListener('clientError', (_error, socket) => watchSocket(null, socket, note));
  };
  subscribe(madeChannel, watchAgent);
  return () => {
    unsubscribe(madeChannel, watchAgent);
  };
}

function noteInto(file: string): (answer: RecordedAnswer) => void {
  let opened: number | null = null;
  let written = 0;
  return ({ body, ...answer }) => {
    opened ??= openSync(file, 'a');
    const kept = body === undefined || written > fileBytesMax ? answer : { ...answer, body };
    written += writeSync(opened, `${JSON.stringify(kept)}\n`);
  };
}

function watchResponse(
  request: IncomingMessage,
  response: ServerResponse,
  note: (answer: RecordedAnswer) => void,
): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let type = '';
  const { writeHead, write, end } = response;
  const take = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const piece =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : chunk;
    bytes += piece.length;
    type ||= String(response.getHeader('content-type') ?? '');
    // Copied: a stream may use its buffer again.
    if (isJson(type) && bytes <= bodyBytesMax) pieces.push(Buffer.from(piece));
  };
  response.writeHead = function (this: ServerResponse, ...args: readonly unknown[]) {
    type = typeOf(args.at(-1)) ?? type;
    return Reflect.apply(writeHead, this, args);
  } as typeof writeHead;
  response.write = function (this: ServerResponse, ...args: readonly unknown[]) {
    take(args[0], args[1]);
    return Reflect.apply(write, this, args);
  } as typeof write;
  response.end = function (this: ServerResponse, ...args: readonly unknown[]) {
    take(args[0], args[1]);
    type ||= String(response.getHeader('content-type') ?? '');
    // A caller that has gone gets nothing more of what was begun.
    const whole = isJson(type) && bytes <= bodyBytesMax && !request.socket.destroyed;
    note({
      method: request.method ?? '',
      url: request.url ?? '',
      status: response.statusCode,
      type,
      bytes,
      ...(whole ? { body: Buffer.concat(pieces).toString('utf8') } : {}),
    });
    return Reflect.apply(end, this, args);
  } as typeof end;
}

/** What is answered past Node's HTTP: refused and accepted upgrades, and requests that cannot be read. */
function watchSocket(
  request: IncomingMessage | null,
  socket: Duplex,
  note: (answer: RecordedAnswer) => void,
): void {
  const { write, end } = socket;
  const watched = (call: typeof write | typeof end) =>
    function (this: Duplex, ...args: readonly unknown[]) {
      if (typeof args[0] === 'string' || args[0] instanceof Uint8Array) {
        // The first piece is the whole answer; what follows an accepted upgrade are frames.
        Object.assign(socket, { write, end });
        const answer = readAnswer(Buffer.from(args[0] as string).toString('utf8'));
        if (answer !== null) note({ method: request?.method ?? '', url: request?.url ?? '', ...answer });
      }
      return Reflect.apply(call as () => unknown, this, args);
    };
  Object.assign(socket, { write: watched(write), end: watched(end) });
}

function readAnswer(text: string): Omit<RecordedAnswer, 'method' | 'url'> | null {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
  if (status === undefined) return null;
  const body = rest.join('\r\n\r\n');
  const type = /^content-type: *(.*)$/im.exec(head)?.[1]?.trim() ?? '';
  return {
    status: Number(status),
    type,
    bytes: Buffer.byteLength(body),
    ...(isJson(type) ? { body } : {}),
  };
}

export function isJson(type: string): boolean {
  return type.startsWith('application/json');
}

function typeOf(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return undefined;
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'content-type');
  return name === undefined ? undefined : String((headers as OutgoingHttpHeaders)[name]);
}

const folder = new URL(import.meta.url).searchParams.get(folderParameter);
if (folder !== null && isMainThread) recordAnswers(folder);
