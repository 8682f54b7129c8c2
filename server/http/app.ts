// Builds the HTTP server: limits, checks, error handling and routes. It has no content or state of a workspace.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { type DualStackLoopback, openDualStackLoopback } from '../platform/dual-stack-loopback.ts';
import { ApiError, errorText, sendError } from './base/api-error.ts';
import { createClientUses } from './base/client-uses.ts';
import type { HttpDependencies } from './base/dependencies.ts';
import {
  headersTimeoutMs,
  keepAliveTimeoutMs,
  pathParameterCharactersMax,
  requestHeaderBytesMax,
  requestTimeoutMs,
  shutdownGraceMs,
  shutdownSweepMs,
} from './base/limits.ts';
import { Query } from './base/query.ts';
import { ResponseCache } from './base/response-cache.ts';
import type { App } from './base/routing.ts';
import { createAccessChecks } from './plugins/access-checks.ts';
import { createAuth, registerAuth } from './plugins/auth.ts';
import { registerBodies } from './plugins/bodies.ts';
import { registerEpoch } from './plugins/epoch.ts';
import { registerErrors, toApiError } from './plugins/errors.ts';
import { createHostOriginCheck, registerHostOriginCheck } from './plugins/host-origin-check.ts';
import { registerMetrics } from './plugins/metrics.ts';
import { openApiDocument, registerOpenApi } from './plugins/openapi.ts';
import type { SenderWatchLimits } from './plugins/sender-watch.ts';
import { registerAdminReplayEnvelope, registerAdminReplayOperation } from './routes/admin/replay.ts';
import { registerAdminStatus } from './routes/admin/status.ts';
import { registerChangedLists } from './routes/agent/changes.ts';
import { registerLogs } from './routes/agent/logs.ts';
import { registerBackup, registerDiagnostics } from './routes/agent/maintenance.ts';
import { registerOpenIdSignIn } from './routes/agent/openid-sign-in.ts';
import { registerSearchIndex } from './routes/agent/search-index.ts';
import { registerSettle } from './routes/agent/settle.ts';
import { registerSignIn } from './routes/agent/sign-in.ts';
import { registerSignInSessions } from './routes/agent/sign-in-sessions.ts';
import { registerClients, registerSettings, registerStatus } from './routes/agent/status.ts';
import { registerMountSession } from './routes/control/mount-session.ts';
import { registerTokenRefresh } from './routes/control/token-refresh.ts';
import { registerControlIntegrations, registerControlWorkspaces } from './routes/control/workspaces.ts';
import { registerDocs } from './routes/docs.ts';
import { registerHealth, registerMetricsRoute, registerReadiness } from './routes/health.ts';
import { registerInternalEnvelopes } from './routes/internal/webhook-envelopes.ts';
import { registerMcp } from './routes/mcp.ts';
import { registerUi } from './routes/ui.ts';
import { registerInvites } from './routes/users/invites.ts';
import { registerUsers } from './routes/users/users.ts';
import { registerConflicts } from './routes/workspaces/conflicts.ts';
import { registerForks } from './routes/workspaces/forks/forks.ts';
import { registerBulk } from './routes/workspaces/fs/bulk.ts';
import { registerBulkRead } from './routes/workspaces/fs/bulk-read.ts';
import { registerChanges } from './routes/workspaces/fs/changes.ts';
import { registerEvents } from './routes/workspaces/fs/events.ts';
import { registerExport } from './routes/workspaces/fs/export.ts';
import { registerFile } from './routes/workspaces/fs/file.ts';
import { registerFileMirrors } from './routes/workspaces/fs/file-mirrors.ts';
import { registerHistory } from './routes/workspaces/fs/history.ts';
import { registerImport } from './routes/workspaces/fs/import.ts';
import { registerMerge } from './routes/workspaces/fs/merge.ts';
import { registerQuery } from './routes/workspaces/fs/query.ts';
import { registerRestore } from './routes/workspaces/fs/restore.ts';
import { registerSearch } from './routes/workspaces/fs/search.ts';
import { registerTree, registerTreeAt } from './routes/workspaces/fs/tree.ts';
import { registerSocketRoute } from './routes/workspaces/fs/ws.ts';
import { registerExplain, registerPathStates } from './routes/workspaces/mirrors/explain-and-plan.ts';
import { registerMirrorHalts } from './routes/workspaces/mirrors/halt.ts';
import { registerMirrors } from './routes/workspaces/mirrors/mirrors.ts';
import { registerNewFolders } from './routes/workspaces/mirrors/new-folders.ts';
import { registerMirrorProblems } from './routes/workspaces/mirrors/problems.ts';
import { registerMirrorProofs } from './routes/workspaces/mirrors/proof.ts';
import { registerMirrorRules } from './routes/workspaces/mirrors/rules.ts';
import { registerManyOperations } from './routes/workspaces/ops/many.ts';
import { registerOperations } from './routes/workspaces/ops/one.ts';
import { registerWriteback } from './routes/workspaces/ops/writeback.ts';
import { registerProviders } from './routes/workspaces/providers.ts';
import { registerRemotes } from './routes/workspaces/remotes.ts';
import { registerRuns } from './routes/workspaces/runs/runs.ts';
import { registerSubscriptions } from './routes/workspaces/subscriptions/subscriptions.ts';
import { registerDeadLetterRepair } from './routes/workspaces/sync/dead-letter-repair.ts';
import { registerDeadLetters } from './routes/workspaces/sync/dead-letters.ts';
import { registerRefresh } from './routes/workspaces/sync/refresh.ts';
import { registerSyncStatus } from './routes/workspaces/sync/status.ts';
import { registerTokens } from './routes/workspaces/tokens.ts';
import { registerWorkspaceUsers } from './routes/workspaces/users.ts';
import { registerWebhookDeadLetters } from './routes/workspaces/webhooks/dlq.ts';
import { registerOutboundWebhooks } from './routes/workspaces/webhooks/endpoints.ts';
import { registerWebhooks } from './routes/workspaces/webhooks/ingest.ts';
import { registerWorkspaces } from './routes/workspaces/workspaces.ts';
import { createSocketServer } from './socket/upgrade.ts';

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
}

export interface HttpApp {
  /** Rejects with the error of the system (`EADDRINUSE`, ...) when it cannot bind. With 127.0.0.1 it also listens on [::1] where
   * possible. */
  listen(address: HttpAddress): Promise<HttpAddress>;
  /** Stops accepting connections, closes the streams with 1001, and waits up to 10 s for running requests. */
  close(): Promise<void>;
  /** A request without a socket, for tests and `mooring openapi`. */
  readonly inject: FastifyInstance['inject'];
  openApiDocument(): Readonly<Record<string, unknown>>;
}

export interface HttpOptions {
  /** Called for each route before its registration; a bench replaces the handler to measure the overhead of a route. */
  readonly onRoute?: ((route: RouteOptions) => void) | undefined;
  /** Minimum rate of bodies; shorter in tests. */
  readonly senders?: SenderWatchLimits | undefined;
  /** Called after the routes; a test adds one. */
  readonly afterRoutes?: ((app: App, dependencies: HttpDependencies) => void) | undefined;
}

export async function createHttpApp(
  dependencies: HttpDependencies,
  { onRoute, senders, afterRoutes }: HttpOptions = {},
): Promise<HttpApp> {
  const { config, log, metrics } = dependencies;
  const app: App = fastify({
    logger: false,
    bodyLimit: config.maxBodyBytes,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    routerOptions: {
      maxParamLength: pathParameterCharactersMax,
      querystringParser: (text) => new Query(text) as unknown as Record<string, unknown>,
    },
    http: {
      maxHeaderSize: requestHeaderBytesMax,
      headersTimeout: headersTimeoutMs,
      // A request that offers another protocol (h2c) is answered over HTTP/1.1.
      shouldUpgradeCallback: (request: IncomingMessage) =>
        request.headers.upgrade?.toLowerCase() === 'websocket',
    },
    clientErrorHandler,
    frameworkErrors: (error, request, reply) => sendError(request, reply, toApiError(error, request, log)),
  });
  const { allowHosts, publicUrl } = config;
  const publicHosts = publicUrl === null ? [] : [new URL(publicUrl).hostname];
  const hostOrigin = createHostOriginCheck([...allowHosts, ...publicHosts]);
  const auth = createAuth(dependencies);
  const clients = createClientUses(dependencies.clock);
  const sockets = createSocketServer(dependencies, auth, hostOrigin, clients);

  if (onRoute !== undefined) app.addHook('onRoute', onRoute);
  registerMetrics(app, metrics, log, clients);
  registerHostOriginCheck(app, hostOrigin);
  registerErrors(app, log, createAccessChecks(dependencies.workspaces));
  registerAuth(app, auth, dependencies);
  await registerEpoch(app, dependencies);
  registerBodies(app, senders);
  await registerOpenApi(app, dependencies.version);
  registerRoutes(app, dependencies, auth, sockets);
  registerClients(app, clients);
  afterRoutes?.(app, dependencies);
  app.server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
  await app.ready();

  let twin: DualStackLoopback | null = null;
  return {
    async listen({ host, port }) {
      await app.listen({ host, port });
      const bound = app.server.address();
      if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
      if (host === '127.0.0.1') twin = await openDualStackLoopback(app.server, bound.port);
      return { host: bound.address, port: bound.port };
    },
    async close() {
      twin?.close();
      const deadline = setTimeout(() => app.server.closeAllConnections(), shutdownGraceMs);
      // Node closes idle connections only once, when closing begins; a connection that was still in use becomes idle later.
      const sweep = setInterval(() => app.server.closeIdleConnections(), shutdownSweepMs);
      try {
        await Promise.all([sockets.close(), app.close()]);
      } finally {
        clearTimeout(deadline);
        clearInterval(sweep);
      }
    },
    inject: app.inject.bind(app) as FastifyInstance['inject'],
    openApiDocument: () => openApiDocument(app),
  };
}

function registerRoutes(
  app: App,
  dependencies: HttpDependencies,
  auth: ReturnType<typeof createAuth>,
  sockets: ReturnType<typeof createSocketServer>,
): void {
  registerHealth(app);
  registerReadiness(app, dependencies);
  const responses = new ResponseCache(dependencies.workspaces);
  registerTree(app, dependencies, responses);
  registerFile(app, dependencies, responses);
  registerBulk(app, dependencies);
  registerBulkRead(app, dependencies);
  registerMerge(app, dependencies);
  registerEvents(app, dependencies);
  registerChanges(app, dependencies);
  registerQuery(app, dependencies);
  registerSearch(app, dependencies);
  registerExport(app, dependencies);
  registerImport(app, dependencies);
  registerForks(app, dependencies);
  registerRuns(app, dependencies);
  registerHistory(app, dependencies);
  registerTreeAt(app, dependencies, responses);
  registerRestore(app, dependencies);
  registerSocketRoute(app, sockets);
  registerWebhooks(app, dependencies);
  registerOutboundWebhooks(app, dependencies);
  registerWebhookDeadLetters(app, dependencies);
  registerSubscriptions(app, dependencies);
  registerInternalEnvelopes(app, dependencies);
  registerSyncStatus(app, dependencies);
  registerDeadLetters(app, dependencies);
  registerDeadLetterRepair(app, dependencies);
  registerOperations(app, dependencies);
  registerWriteback(app, dependencies);
  registerManyOperations(app, dependencies);
  registerProviders(app, dependencies);
  registerRefresh(app, dependencies);
  registerAdminReplayOperation(app, dependencies);
  registerAdminStatus(app, dependencies);
  registerAdminReplayEnvelope(app, dependencies);
  registerWorkspaces(app, dependencies, auth, sockets);
  registerTokens(app, dependencies);
  registerWorkspaceUsers(app, dependencies);
  registerUsers(app, dependencies);
  registerInvites(app, dependencies);
  registerMirrors(app, dependencies);
  registerNewFolders(app, dependencies);
  registerRemotes(app, dependencies);
  registerFileMirrors(app, dependencies);
  registerMirrorHalts(app, dependencies);
  registerMirrorProblems(app, dependencies);
  registerMirrorRules(app, dependencies);
  registerMirrorProofs(app, dependencies);
  registerExplain(app, dependencies);
  registerPathStates(app, dependencies);
  registerConflicts(app, dependencies);
  registerControlWorkspaces(app, dependencies);
  registerMountSession(app, dependencies);
  registerTokenRefresh(app, dependencies);
  registerControlIntegrations(app);
  registerStatus(app, dependencies);
  registerSettle(app, dependencies);
  registerSearchIndex(app, dependencies);
  registerSignIn(app, dependencies);
  registerSignInSessions(app, dependencies);
  registerOpenIdSignIn(app, dependencies);
  registerBackup(app, dependencies);
  registerDiagnostics(app, dependencies);
  registerLogs(app, dependencies);
  registerChangedLists(app, dependencies);
  registerSettings(app, dependencies);
  registerMetricsRoute(app, dependencies);
  registerDocs(app, dependencies.docs);
  registerMcp(app, dependencies);
  if (dependencies.ui !== null) registerUi(app, dependencies.ui);
}

/** Answers requests that the HTTP parser refuses in the same format as all others. */
function clientErrorHandler(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, `the request headers have more than ${requestHeaderBytesMax} bytes`]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, `the request was not complete within ${requestTimeoutMs / 1000} seconds`]
        : [400, 'the request cannot be read'];
  const body = errorText(new ApiError('bad_request', message), '');
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
