// One WebSocket from opening to close: URL, heartbeat and frames. It has no state over reconnects.
import { segment } from './call-group.ts';
import type { EventFrame } from './types.ts';

/** Time limit for opening a socket. */
const openTimeoutMs = 10_000;
/** The browser's WebSocket has no API for protocol pings, so the heartbeat is an application ping. */
const pingEveryMs = 30_000;
/** After this time without a message the connection counts as lost. */
const silenceMsMax = 65_000;
/** Close code for a cursor that is no longer retained. */
const closeCursorExpired = 4410;

/** Creates a WebSocket of the browser, of Node or of the `ws` package. */
export type SocketFactory = (url: string) => WebSocket;

export interface SocketInput {
  readonly connection: {
    readonly baseUrl: string;
    token(): Promise<string | undefined>;
    readonly webSocket?: SocketFactory;
  };
  readonly workspaceId: string;
  readonly cursor: string | null;
  readonly paths: readonly string[];
  readonly signal: AbortSignal;
  readonly onOpen: () => Promise<void>;
  readonly onFrame: (frame: EventFrame) => void;
}

export interface SocketEnd {
  readonly opened: boolean;
  readonly livedMs: number;
  readonly reason: string;
  /** true: events after the cursor are no longer retained. */
  readonly gap: boolean;
}

/** Resolves when the socket has ended. Rejects with an error of `onOpen` or `onFrame`, or with the signal's reason. */
export async function openSocket(input: SocketInput): Promise<SocketEnd> {
  const create = input.connection.webSocket ?? globalSocketFactory();
  if (create === null) return { opened: false, livedMs: 0, reason: 'no WebSocket available', gap: false };
  const url = await socketUrl(input);
  input.signal.throwIfAborted();
  const socket = create(url);
  return await new Promise((resolve, reject) => {
    let openedAtMs: number | null = null;
    let lastMessageAtMs = Date.now();
    const end = (reason: string, code?: number) => {
      finish();
      const livedMs = openedAtMs === null ? 0 : Date.now() - openedAtMs;
      resolve({ opened: openedAtMs !== null, livedMs, reason, gap: code === closeCursorExpired });
    };
    const fail = (error: unknown) => {
      finish();
      reject(error);
    };
    const finish = () => {
      clearTimeout(opening);
      clearInterval(heartbeat);
      input.signal.removeEventListener('abort', onAbort);
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    };
    const onAbort = () => fail(input.signal.reason);
    const opening = setTimeout(() => end(`not open within ${openTimeoutMs} ms`), openTimeoutMs);
    const heartbeat = setInterval(() => {
      if (openedAtMs === null) return;
      if (Date.now() - lastMessageAtMs > silenceMsMax) end(`no message for ${silenceMsMax} ms`);
      else socket.send('{"type":"ping"}');
    }, pingEveryMs);
    input.signal.addEventListener('abort', onAbort, { once: true });
    socket.onopen = () => {
      clearTimeout(opening);
      openedAtMs = lastMessageAtMs = Date.now();
      input.onOpen().catch(fail);
    };
    socket.onmessage = (message) => {
      lastMessageAtMs = Date.now();
      try {
        const frame = parseFrame(message.data);
        if (frame !== null) input.onFrame(frame);
      } catch (error) {
        fail(error);
      }
    };
    socket.onclose = (event) =>
      end(event.reason === '' ? `closed with ${event.code}` : event.reason, event.code);
    // Scripts get no reason here. `close` follows and ends the socket.
    socket.onerror = () => undefined;
  });
}

/** null: not an event, for example the answer to a ping. */
function parseFrame(data: unknown): EventFrame | null {
  const value: unknown = JSON.parse(String(data));
  if (typeof value !== 'object' || value === null || !('eventId' in value)) return null;
  return value as EventFrame;
}

async function socketUrl(input: SocketInput): Promise<string> {
  const { baseUrl } = input.connection;
  const url = new URL(`${baseUrl}/v1/workspaces/${segment(input.workspaceId)}/fs/ws`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const token = await input.connection.token();
  if (token !== undefined) url.searchParams.set('token', token);
  if (input.cursor !== null) url.searchParams.set('cursor', input.cursor);
  for (const path of input.paths) url.searchParams.append('path', path);
  return url.href;
}

function globalSocketFactory(): SocketFactory | null {
  return typeof WebSocket === 'undefined' ? null : (url) => new WebSocket(url);
}
