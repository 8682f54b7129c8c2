// One HTTP call to a checked address, without redirects or proxies, with limits on time and on the size of the answer. It knows no
// operations and no signatures.
import type { Agent as HttpAgent, IncomingMessage } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { pipeline } from 'node:stream';
import type { Clock } from '../platform/clock.ts';
import { joinedInSlices } from '../platform/joined-bytes.ts';
import { AddressRefusedError, type AllowedTargets, checkUrl, guardedLookup } from './address-guard.ts';

/** A large one is in pieces: to make and to send it as one would hold everything else up. */
export type RequestBody = string | readonly Uint8Array[];

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody | null;
  /** Until the whole answer is there. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  readonly signal: AbortSignal;
}

export type Answer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: Buffer;
      readonly retryAfter: string | null;
      /** Where a redirection leads; it is not followed here. */
      readonly location: string | null;
    }
  /** The address may never be called. */
  | { readonly kind: 'not_allowed'; readonly message: string }
  | { readonly kind: 'timeout'; readonly message: string }
  | { readonly kind: 'too_large'; readonly status: number; readonly message: string }
  /** No connection was made: the request did not reach a server. */
  | { readonly kind: 'unreachable'; readonly message: string }
  /** The connection ended before the answer did: what was sent may have been the reason. */
  | { readonly kind: 'broken_off'; readonly message: string }
  | { readonly kind: 'aborted' };

// An `import` of it reads all its names, the ones that load a whole WebSocket and fetch client included: 13 MB, and 30 ms of a start.
const { Agent, request: requestPlain } = process.getBuiltinModule('node:http');
const { Agent: TlsAgent, request: requestTls } = process.getBuiltinModule('node:https');

const idleSocketMs = 15_000;
const socketsMax = 8;

/** Connections of one provider, kept open for a while between calls. */
export function createCaller(allowed: AllowedTargets, clock: Pick<Clock, 'delay'>) {
  const options = { keepAlive: true, timeout: idleSocketMs, maxSockets: socketsMax, maxFreeSockets: 2 };
  const http = new Agent(options);
  const https = new TlsAgent(options);
  return {
    async call(call: Call): Promise<Answer> {
      const checked = checkUrl(call.url, allowed);
      if (!checked.ok) return { kind: 'not_allowed', message: checked.reason };
      const ended = new AbortController();
      const timedOut = clock
        .delay(call.timeoutMs, AbortSignal.any([ended.signal, call.signal]))
        .then((): Answer => {
          if (call.signal.aborted) return { kind: 'aborted' };
          return { kind: 'timeout', message: `no answer within ${call.timeoutMs} ms` };
        });
      try {
        const isTls = checked.url.protocol === 'https:';
        return await Promise.race([
          exchange(checked.url, call, allowed, isTls ? https : http, ended.signal),
          timedOut,
        ]);
      } finally {
        // Ends the timer, and the exchange where the timer won.
        ended.abort();
      }
    },
    close(): void {
      http.destroy();
      https.destroy();
    },
  };
}

function exchange(
  url: URL,
  call: Call,
  allowed: AllowedTargets,
  agent: HttpAgent | HttpsAgent,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((settle) => {
    const make = url.protocol === 'https:' ? requestTls : requestPlain;
    const length = call.body === null ? {} : { 'content-length': String(lengthOf(call.body)) };
    const request = make(url, {
      method: call.method,
      headers: { ...call.headers, ...length },
      agent,
      lookup: guardedLookup(allowed),
      signal,
    });
    let connected = false;
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error instanceof AddressRefusedError) settle({ kind: 'not_allowed', message: error.message });
      else settle({ kind: connected ? 'broken_off' : 'unreachable', message: describe(error) });
    });
    request.on('socket', (socket) => {
      // One from the pool is connected already; one with TLS is connected once both have agreed on keys.
      if (request.reusedSocket) connected = true;
      else {
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
          connected = true;
        });
      }
    });
    request.on('response', (response) => {
      void readAnswer(response, call.answerBytesMax).then(settle);
    });
    if (call.body === null || typeof call.body === 'string') request.end(call.body ?? undefined);
    // The events of the request report its end.
    else pipeline(call.body, request, () => undefined);
  });
}

function lengthOf(body: RequestBody): number {
  return typeof body === 'string'
    ? Buffer.byteLength(body)
    : body.reduce((sum, piece) => sum + piece.length, 0);
}

async function readAnswer(response: IncomingMessage, bytesMax: number): Promise<Answer> {
  const status = response.statusCode ?? 0;
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > bytesMax) {
        response.destroy();
        return { kind: 'too_large', status, message: `its answer is larger than ${bytesMax} bytes` };
      }
      pieces.push(piece);
    }
  } catch (error) {
    return { kind: 'broken_off', message: `its answer broke off: ${describe(error)}` };
  }
  const retryAfter = response.headers['retry-after'] ?? null;
  const location = response.headers.location ?? null;
  return { kind: 'answer', status, body: await joinedInSlices(pieces, bytes), retryAfter, location };
}

/** The system's words without the stack. Several addresses that all failed come as one error without a message. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(describe))].join('; ');
  if (!(error instanceof Error)) return String(error);
  // The parser's words are about its own inside.
  if ('code' in error && String(error.code).startsWith('HPE_'))
    return `its answer is not HTTP (${error.code})`;
  return 'code' in error && typeof error.code === 'string' && !error.message.includes(error.code)
    ? `${error.code}: ${error.message}`
    : error.message;
}
