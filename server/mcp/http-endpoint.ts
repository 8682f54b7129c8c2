// MCP over HTTP: one handler for each token, because the subscriptions of a handler know no caller. A handler is closed, and its streams with it,
// when its token is revoked or expires.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpHttpHandler, type McpServer } from '@modelcontextprotocol/server';
import { ClientNames } from './client-names.ts';
import { mcpBodyBytesMax, mcpRequestsPerTokenMax, mcpSubscriptionsMax, mcpTokensMax } from './limits.ts';
import { refuseSubscription } from './refused-subscription.ts';
import { ResourceUpdates } from './resource-updates.ts';
import { createMooringServer, type ServerOptions } from './server-factory.ts';
import type { McpSession } from './session.ts';

const timerMsMax = 24 * 60 * 60_000;

/** An authorized caller. */
export interface McpCaller {
  /** The bearer token; only in memory. */
  readonly bearer: string;
  /** Ids of the token and of its parents. */
  readonly tokenIds: readonly string[];
  readonly expiresAtMs: number;
  session(): McpSession;
}

type NodeRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

export type ServerFactory = (session: McpSession, options: ServerOptions) => McpServer;

export class McpEndpoint {
  readonly #handlers = new Map<string, TokenHandler>();
  readonly #nowMs: () => number;
  readonly #createServer: ServerFactory;

  /** `createServer` differs in tests only. */
  constructor(nowMs: () => number, createServer: ServerFactory = createMooringServer) {
    this.#nowMs = nowMs;
    this.#createServer = createServer;
  }

  /** Answers the request. false: too many open requests; nothing was answered. */
  async handle(caller: McpCaller, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const handler = this.#handlerOf(caller);
    if (handler === null || !handler.hasCapacity) return false;
    await handler.handle(request, response);
    return true;
  }

  /** true: `handle` would answer. */
  hasCapacity(caller: McpCaller): boolean {
    return this.#handlerOf(caller)?.hasCapacity ?? false;
  }

  revoked(tokenId: string): void {
    for (const [bearer, handler] of this.#handlers) {
      if (handler.caller.tokenIds.includes(tokenId)) this.#end(bearer, handler);
    }
  }

  async close(): Promise<void> {
    const handlers = [...this.#handlers.values()];
    this.#handlers.clear();
    await Promise.all(handlers.map((handler) => handler.close()));
  }

  #handlerOf(caller: McpCaller): TokenHandler | null {
    const known = this.#handlers.get(caller.bearer);
    if (known !== undefined) {
      // Least recently used first: a Map keeps insertion order.
      this.#handlers.delete(caller.bearer);
      this.#handlers.set(caller.bearer, known);
      return known;
    }
    if (this.#handlers.size >= mcpTokensMax && !this.#endOldestIdle()) return null;
    const handler = new TokenHandler(caller, this.#createServer);
    this.#handlers.set(caller.bearer, handler);
    this.#endAtExpiry(handler);
    return handler;
  }

  #endOldestIdle(): boolean {
    for (const [bearer, handler] of this.#handlers) {
      if (!handler.isIdle) continue;
      this.#end(bearer, handler);
      return true;
    }
    return false;
  }

  #endAtExpiry(handler: TokenHandler): void {
    const { bearer, expiresAtMs } = handler.caller;
    const leftMs = expiresAtMs - this.#nowMs();
    if (leftMs <= 0) {
      this.#end(bearer, handler);
      return;
    }
    handler.timer = setTimeout(() => this.#endAtExpiry(handler), Math.min(leftMs, timerMsMax));
    handler.timer.unref();
  }

  #end(bearer: string, handler: TokenHandler): void {
    if (this.#handlers.get(bearer) === handler) this.#handlers.delete(bearer);
    void handler.close();
  }
}

/** One request, and the server that answers it. */
interface Exchange {
  readonly userAgent: string;
  server: McpServer | null;
}

/** The handler of one token, with its open requests. */
class TokenHandler {
  readonly caller: McpCaller;
  timer: NodeJS.Timeout | null = null;
  readonly #mcp: McpHttpHandler;
  readonly #node: ReturnType<typeof toNodeHandler>;
  readonly #updates: ResourceUpdates;
  readonly #open = new Set<ServerResponse>();
  readonly #names = new ClientNames();
  #listening = 0;

  constructor(caller: McpCaller, createServer: ServerFactory) {
    this.caller = caller;
    const session = caller.session();
    this.#mcp = createMcpHandler(
      ({ era, authInfo }) => {
        const exchange = authInfo?.extra?.exchange as Exchange;
        exchange.server = createServer(session, {
          canSubscribe: era === 'modern',
          knownClientName: () => this.#names.of(exchange.userAgent),
        });
        return exchange.server;
      },
      { maxRequestBodySize: mcpBodyBytesMax, maxSubscriptions: mcpSubscriptionsMax },
    );
    this.#node = toNodeHandler(this.#mcp);
    this.#updates = new ResourceUpdates(session, (uri) => this.#mcp.notify.resourceUpdated(uri));
  }

  get hasCapacity(): boolean {
    return this.#open.size < mcpRequestsPerTokenMax;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open.add(response);
    const exchange: Exchange = { userAgent: request.headers['user-agent'] ?? '', server: null };
    response.once('finish', () => {
      const name = exchange.server?.server.getClientVersion()?.name;
      if (name !== undefined) this.#names.remember(exchange.userAgent, name);
    });
    response.once('close', () => this.#open.delete(response));
    // The handler refuses a request whose header and body name different methods.
    if (request.headers['mcp-method'] === 'subscriptions/listen' && !(await this.#listen(response)))
      return await refuseSubscription(request, response);
    const auth = { token: '', clientId: '', scopes: [], extra: { exchange } };
    await this.#node(Object.assign(request, { auth }) as NodeRequest, response);
  }

  async close(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.#updates.stop();
    await this.#mcp.close();
    // What still waits for an answer gets none: its token has ended.
    for (const response of this.#open) response.destroy();
  }

  /** false: the token has nothing to follow. */
  async #listen(response: ServerResponse): Promise<boolean> {
    this.#listening += 1;
    response.once('close', () => {
      this.#listening -= 1;
      if (this.#listening === 0) this.#updates.stop();
    });
    return await this.#updates.start();
  }
}
