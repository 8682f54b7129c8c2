// Upgrades GET W/fs/ws to a WebSocket stream. The checks are those of HTTP and are answered as JSON before the upgrade. It owns the
// open connections and closes them when they are dead, revoked, or of a deleted workspace.
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
import type { HostOriginCheck } from '../plugins/host-origin-check.ts';
import { closeCodes } from './close-codes.ts';
import { SocketConnection } from './connection.ts';
import { SharedFrames } from './shared-frames.ts';

const socketPath = /^\/v1\/workspaces\/([^/?]+)\/fs\/ws$/;

export interface SocketRequest {
  readonly workspaceId: string;
  readonly query: Query;
  readonly headers: IncomingMessage['headers'];
}

export interface SocketServer {
  /** For the server's `upgrade` event. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The checks before the upgrade. Throws the ApiError of the first failure. */
  authorize(request: SocketRequest): Promise<Caller>;
  /** Closes every stream of a workspace that was deleted. */
  closeWorkspace(workspaceId: string): void;
  /** Closes every stream with 1001 and waits briefly for the closing handshakes. */
  close(): Promise<void>;
}

type SocketDependencies = Pick<
  HttpDependencies,
  'feed' | 'workspaces' | 'tokens' | 'clock' | 'log' | 'metrics'
>;

export function createSocketServer(
  dependencies: SocketDependencies,
  auth: Auth,
  hostOrigin: HostOriginCheck,
  clients: ClientUses,
): SocketServer {
  return new StreamServer(dependencies, auth, hostOrigin, clients);
}

class StreamServer implements SocketServer {
  readonly #dependencies: SocketDependencies;
  readonly #auth: Auth;
  readonly #hostOrigin: HostOriginCheck;
  readonly #clients: ClientUses;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: socketInboundBytesMax,
    perMessageDeflate: false,
  });
  readonly #connections = new Set<SocketConnection>();
  readonly #inline = { held: 0 };
  readonly #frames: SharedFrames;
  readonly #closing = new AbortController();
  readonly #stopListening: () => void;

  constructor(
    dependencies: SocketDependencies,
    auth: Auth,
    hostOrigin: HostOriginCheck,
    clients: ClientUses,
  ) {
    this.#dependencies = dependencies;
    this.#frames = new SharedFrames(dependencies);
    this.#auth = auth;
    this.#hostOrigin = hostOrigin;
    this.#clients = clients;
    this.#stopListening = dependencies.tokens.onRevoked((tokenId) => this.#closeRevoked(tokenId));
    // Handshake errors of ws are answered like every other refusal.
    this.#server.on('wsClientError', (error, socket) =>
      refuse(socket, new ApiError('bad_request', error.message), ''),
    );
    this.#heartbeats().catch((error: unknown) =>
      dependencies.log.error({ err: error }, 'the heartbeat of the streams ended'),
    );
  }

  async authorize({ workspaceId, query, headers }: SocketRequest): Promise<Caller> {
    const filters = query.all('path');
    return await this.#auth.authorize({
      access: { kind: 'workspace', scope: 'fs:read', path: 'none' },
      bearer: query.text('token') ?? bearerOf({ headers }) ?? '',
      workspaceId,
      scopePaths: filters.length === 0 ? ['/'] : filters.map(normalizeReadPath),
      lists: filters.length === 0,
      forkId: null,
    });
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    this.#accept(request, socket, head).catch((error: unknown) => {
      const correlationId = request.headers['x-correlation-id'];
      const id = typeof correlationId === 'string' ? correlationId : '';
      if (error instanceof ApiError) return refuse(socket, error, id);
      this.#dependencies.log.error({ err: error, correlationId: id }, 'a stream could not be opened');
      refuse(socket, new ApiError('internal_error', 'internal error'), id);
    });
  }

  closeWorkspace(workspaceId: string): void {
    for (const connection of this.#connections) {
      if (connection.workspaceId === workspaceId) {
        connection.close(closeCodes.policyViolation, 'workspace deleted');
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopListening();
    const connections = [...this.#connections];
    const ended = connections.map((connection) => connection.ended);
    for (const connection of connections) connection.close(closeCodes.goingAway, 'the agent is stopping');
    const grace = new AbortController();
    await Promise.race([
      Promise.all(ended),
      this.#dependencies.clock.delay(socketCloseGraceMs, grace.signal),
    ]);
    grace.abort();
    for (const connection of this.#connections) connection.terminate();
    await Promise.all(ended);
  }

  async #heartbeats(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#dependencies.clock.delay(socketHeartbeatMs, signal);
      for (const connection of this.#connections) connection.heartbeat();
    }
  }

  #closeRevoked(tokenId: string): void {
    for (const connection of this.#connections) {
      if (tokenChainIds(connection.caller.token).includes(tokenId)) {
        connection.close(closeCodes.policyViolation, 'token revoked');
      }
    }
  }

  async #accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const refusal = this.#hostOrigin.refuse(request.headers, request.socket);
    if (refusal !== null) throw new ApiError('forbidden', refusal);
    const [path = '', search = ''] = splitUrl(request.url ?? '');
    const workspaceId = workspaceOf(path);
    if (workspaceId === null) throw new ApiError('not_found', routeNotFound);
    const query = new Query(search);
    const opening = { workspaceId, query, headers: request.headers };
    const caller = await this.authorize(opening);
    if (query.malformed) throw new ApiError('bad_request', 'the query is not valid percent-encoded UTF-8');
    if (query.all('path').length > socketPathFiltersMax) {
      throw new ApiError('bad_request', `more than ${socketPathFiltersMax} path filters`);
    }
    if (this.#connections.size >= socketsMax) {
      const message = `${socketsMax} event streams are open, the maximum of this agent. Close one, or try again later.`;
      throw new ApiError('rate_limited', message, { retryAfterSeconds: 1 });
    }
    if (this.#closing.signal.aborted || socket.destroyed) return void socket.destroy();
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#open(webSocket, opening, caller));
  }

  #open(webSocket: WebSocket, opening: SocketRequest, caller: Caller): void {
    const { metrics, log } = this.#dependencies;
    const stream = {
      inline: this.#inline,
      frames: this.#frames,
      workspaceId: opening.workspaceId,
      caller,
      query: opening.query,
    };
    const connection = new SocketConnection(this.#dependencies, webSocket, stream);
    this.#connections.add(connection);
    this.#clients.streamOpened(caller);
    metrics.socketsOpen(this.#connections.size);
    webSocket.once('close', () => {
      this.#connections.delete(connection);
      this.#clients.streamClosed(caller);
      metrics.socketsOpen(this.#connections.size);
    });
    this.#startIfStillAllowed(connection, opening).catch((error: unknown) => {
      log.error({ err: error }, 'a stream could not be started');
      connection.close(closeCodes.internalError, 'internal error');
    });
  }

  /** Repeats the check: a token that was revoked before the connection was registered would otherwise keep its stream. */
  async #startIfStillAllowed(connection: SocketConnection, opening: SocketRequest): Promise<void> {
    try {
      await this.authorize(opening);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const code = error.code === 'unavailable' ? closeCodes.tryAgainLater : closeCodes.policyViolation;
      return connection.close(code, error.message);
    }
    connection.start();
  }
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

/** Writes an HTTP response: the framework does not handle upgrade requests. */
function refuse(socket: Duplex, error: ApiError, correlationId: string): void {
  if (socket.destroyed) return;
  const body = errorText(error, correlationId);
  const retryAfter = error.retryAfterSeconds === null ? '' : `Retry-After: ${error.retryAfterSeconds}\r\n`;
  socket.end(
    `HTTP/1.1 ${error.status} ${error.code}\r\nContent-Type: application/json\r\n${retryAfter}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
