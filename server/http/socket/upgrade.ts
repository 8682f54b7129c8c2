// GET W/fs/ws: the live stream's door. The same checks as HTTP, answered as JSON before the upgrade; then each connection
// runs by itself (socket-connection). It holds the connections, and closes them when they are dead, revoked or in the way.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { tokenChainIds } from '../../auth/tokens.ts';
import { normalizeReadPath } from '../../workspaces/model.ts';
import type { Caller } from '../base/access.ts';
import { ApiError, errorText, routeNotFound } from '../base/api-error.ts';
import type { ClientUses } from '../base/client-uses.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import {
  socketCloseGraceMs,
  socketHeartbeatMs,
  socketInboundBytesMax,
  socketPathFiltersMax,
  socketsMax,
} from '../base/limits.ts';
import { Query } from '../base/query.ts';
import { type Auth, bearerOf } from '../plugins/auth.ts';
import type { HostGuard } from '../plugins/host-origin-check.ts';
import { SocketConnection } from './connection.ts';

const socketPath = /^\/v1\/workspaces\/([^/?]+)\/fs\/ws$/;
/** RFC 6455, 7.4.1. */
const goingAway = 1001;
const policyViolation = 1008;
const internalError = 1011;
const tryAgainLater = 1013;

export interface SocketRequest {
  readonly workspaceId: string;
  readonly query: Query;
  readonly headers: IncomingMessage['headers'];
}

export interface SocketServer {
  /** For the server's `upgrade` event. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The checks before the upgrade; throws the ApiError that ranks first. */
  authorize(request: SocketRequest): Promise<Caller>;
  /** Closes every stream of a workspace that was deleted. */
  closeWorkspace(workspaceId: string): void;
  /** Tells every peer that the agent goes away, and waits for them for a moment. */
  close(): Promise<void>;
}

type SocketDependencies = Pick<
  HttpDependencies,
  'feed' | 'workspaces' | 'tokens' | 'clock' | 'log' | 'metrics'
>;

export function createSocketServer(
  dependencies: SocketDependencies,
  auth: Auth,
  guard: HostGuard,
  clients: ClientUses,
): SocketServer {
  const { tokens, clock, log, metrics } = dependencies;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: socketInboundBytesMax,
    perMessageDeflate: false,
  });
  const connections = new Set<SocketConnection>();
  const inline = { held: 0 };
  const closing = new AbortController();
  const stopListening = tokens.onRevoked((tokenId) => {
    for (const connection of connections) {
      if (tokenChainIds(connection.caller.token).includes(tokenId))
        connection.close(policyViolation, 'token revoked');
    }
  });
  // What ws finds wrong with a handshake is answered like everything else.
  server.on('wsClientError', (error, socket) =>
    refuse(socket, new ApiError('bad_request', error.message), ''),
  );

  async function heartbeats(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.delay(socketHeartbeatMs, closing.signal);
      for (const connection of connections) connection.heartbeat();
    }
  }
  heartbeats().catch((error: unknown) => log.error({ err: error }, 'the heartbeat of the streams ended'));

  async function authorize({ workspaceId, query, headers }: SocketRequest): Promise<Caller> {
    const filters = query.all('path');
    return await auth.authorize({
      access: { kind: 'workspace', scope: 'fs:read', path: 'none' },
      bearer: query.text('token') ?? bearerOf({ headers }) ?? '',
      workspaceId,
      scopePaths: filters.length === 0 ? ['/'] : filters.map(normalizeReadPath),
      lists: filters.length === 0,
    });
  }

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const refusal = guard.refuse(request.headers, request.socket);
    if (refusal !== null) throw new ApiError('forbidden', refusal);
    const [path = '', search = ''] = splitUrl(request.url ?? '');
    const workspaceId = workspaceOf(path);
    if (workspaceId === null) throw new ApiError('not_found', routeNotFound);
    const query = new Query(search);
    const asked = { workspaceId, query, headers: request.headers };
    const caller = await authorize(asked);
    if (query.malformed) throw new ApiError('bad_request', 'the query is not valid percent-encoded UTF-8');
    if (query.all('path').length > socketPathFiltersMax) {
      throw new ApiError('bad_request', `more than ${socketPathFiltersMax} path filters`);
    }
    if (connections.size >= socketsMax) {
      const message = `${socketsMax} event streams are open, as many as this agent serves. Close one, or try again later.`;
      throw new ApiError('rate_limited', message, { retryAfterSeconds: 1 });
    }
    if (closing.signal.aborted || socket.destroyed) return void socket.destroy();
    server.handleUpgrade(request, socket, head, (webSocket) => open(webSocket, asked, caller));
  }

  function open(webSocket: WebSocket, asked: SocketRequest, caller: Caller): void {
    const stream = { inline, workspaceId: asked.workspaceId, caller, query: asked.query };
    const connection = new SocketConnection(dependencies, webSocket, stream);
    connections.add(connection);
    clients.streamOpened(caller);
    metrics.socketsOpen(connections.size);
    webSocket.once('close', () => {
      connections.delete(connection);
      clients.streamClosed(caller);
      metrics.socketsOpen(connections.size);
    });
    startIfStillAllowed(connection, asked).catch((error: unknown) => {
      log.error({ err: error }, 'a stream could not be started');
      connection.close(internalError, 'internal error');
    });
  }

  /**
   * A token that is revoked, or a workspace that is deleted, closes the streams that are registered then. What ended between the
   * first check and the registration is found by the same check after it.
   */
  async function startIfStillAllowed(connection: SocketConnection, asked: SocketRequest): Promise<void> {
    try {
      await authorize(asked);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return connection.close(error.code === 'unavailable' ? tryAgainLater : policyViolation, error.message);
    }
    connection.start();
  }

  return {
    authorize,
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      accept(request, socket, head).catch((error: unknown) => {
        const correlationId = request.headers['x-correlation-id'];
        const id = typeof correlationId === 'string' ? correlationId : '';
        if (error instanceof ApiError) return refuse(socket, error, id);
        log.error({ err: error, correlationId: id }, 'a stream could not be opened');
        refuse(socket, new ApiError('internal_error', 'internal error'), id);
      });
    },
    closeWorkspace(workspaceId) {
      for (const connection of connections) {
        if (connection.workspaceId === workspaceId) connection.close(policyViolation, 'workspace deleted');
      }
    },
    async close() {
      closing.abort();
      stopListening();
      const ended = [...connections].map((connection) => connection.ended);
      for (const connection of connections) connection.close(goingAway, 'the agent is stopping');
      const gaveUp = new AbortController();
      await Promise.race([Promise.all(ended), clock.delay(socketCloseGraceMs, gaveUp.signal)]);
      gaveUp.abort();
      for (const connection of connections) connection.terminate();
      await Promise.all(ended);
    },
  };
}

function splitUrl(url: string): readonly [path: string, search: string] {
  const question = url.indexOf('?');
  return question === -1 ? [url, ''] : [url.slice(0, question), url.slice(question + 1)];
}

function workspaceOf(path: string): string | null {
  const segment = socketPath.exec(path)?.[1];
  if (segment === undefined) return null;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** An HTTP answer by hand: the framework never saw this request. */
function refuse(socket: Duplex, error: ApiError, correlationId: string): void {
  if (socket.destroyed) return;
  const body = errorText(error, correlationId);
  const retryAfter = error.retryAfterSeconds === null ? '' : `Retry-After: ${error.retryAfterSeconds}\r\n`;
  socket.end(
    `HTTP/1.1 ${error.status} ${error.code}\r\nContent-Type: application/json\r\n${retryAfter}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
