// POST /mcp: the Model Context Protocol on the agent's port, and the 404 answers that keep clients from starting an OAuth flow. The tools are in
// server/mcp.
import { createHash } from 'node:crypto';
import { MooringClient } from '../../../sdk/index.ts';
import { grantedRoots, grantsScope } from '../../auth/scopes.ts';
import { tokenChainIds, type VerifiedToken } from '../../auth/tokens.ts';
import type { McpCaller, McpEndpoint, ServerFactory } from '../../mcp/http-endpoint.ts';
import type { McpSession } from '../../mcp/session.ts';
import { ApiError, routeNotFound } from '../base/api-error.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import type { App } from '../base/routing.ts';
import { bearerOf, callerOf } from '../plugins/auth.ts';

/** A page, a redirect or `{}` here makes clients drop the configured token. */
const wellKnownUrls = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/mcp',
];
const tagCharacters = 8;

export function registerMcp(app: App, dependencies: HttpDependencies): void {
  mountMcp(app, dependencies, '/mcp');
  for (const url of wellKnownUrls) {
    app.get(url, { config: { access: { kind: 'open' } }, schema: { hide: true } }, () => {
      throw new ApiError('not_found', routeNotFound);
    });
  }
}

/** Mounts a server: guard, token, body and both eras of the protocol. A test mounts another factory. */
export function mountMcp(
  app: App,
  dependencies: Pick<HttpDependencies, 'tokens' | 'workspaces' | 'clock'>,
  url: string,
  createServer?: ServerFactory,
): void {
  const { tokens, workspaces, clock } = dependencies;
  let endpoint: McpEndpoint | null = null;
  let loading: Promise<McpEndpoint> | null = null;
  // Loaded by the first request: the protocol's packages cost an agent without MCP clients memory and time at its start.
  const load = async () => {
    const { McpEndpoint } = await import('../../mcp/http-endpoint.ts');
    endpoint = new McpEndpoint(() => clock.nowMs(), createServer);
    return endpoint;
  };
  const stopListening = tokens.onRevoked((tokenId) => endpoint?.revoked(tokenId));
  const api = injectedFetch(app);
  void app.register((scope, _options, done) => {
    scope.addHook('preClose', async () => {
      stopListening();
      await (await loading)?.close();
    });
    // The handler of the protocol reads the body itself, for errors in the form of JSON-RPC.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.setErrorHandler((error, request, reply) => {
      if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error;
      const { authorization } = request.headers;
      const isEmpty = authorization !== undefined && /^bearer\s*$/i.test(authorization);
      const given = authorization === undefined || isEmpty ? '' : ', error="invalid_token"';
      reply.header('www-authenticate', `Bearer realm="mooring"${given}`);
      throw isEmpty
        ? new ApiError('unauthorized', 'the token is empty: check the variable in the client configuration')
        : error;
    });
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url,
      config: { access: { kind: 'token', withoutCorrelationId: true }, unreadBody: true },
      schema: { hide: true },
      handler: async (request, reply) => {
        const { token } = callerOf(request);
        const bearer = bearerOf(request) ?? '';
        const workspaceId = await workspaceOf(token, workspaces);
        const caller: McpCaller = {
          bearer,
          tokenIds: tokenChainIds(token),
          expiresAtMs: token.expiresAtMs,
          session: () => sessionOf(token, bearer, workspaceId, api),
        };
        loading ??= load();
        const mcp = await loading;
        if (!mcp.hasCapacity(caller))
          throw new ApiError('rate_limited', 'too many open MCP requests', { retryAfterSeconds: 1 });
        reply.hijack();
        await mcp.handle(caller, request.raw, reply.raw);
      },
    });
    done();
  });
}

/** The owner's token is not for one workspace. */
async function workspaceOf(
  token: VerifiedToken,
  workspaces: HttpDependencies['workspaces'],
): Promise<string> {
  if (!token.owner) return token.workspaceId;
  const [first, ...others] = await workspaces.list();
  if (first !== undefined && others.length === 0) return first.workspaceId;
  throw new ApiError(
    'bad_request',
    'the owner token is not for one workspace: create a token with "mooring token create --workspace WORKSPACE"',
  );
}

function sessionOf(token: VerifiedToken, bearer: string, workspaceId: string, api: typeof fetch): McpSession {
  const id = createHash('sha256').update(token.tokenId ?? bearer);
  const tag = id.digest('hex').slice(0, tagCharacters);
  const canWrite = token.owner || grantsScope(token.scopes, 'fs:write', null);
  const roots = token.owner ? ['/'] : grantedRoots(token.scopes, 'fs:read');
  const session = { workspaceId, roots, canWrite, tag };
  return {
    canWrite,
    tag,
    connect: async (correlationId) => {
      const client = new MooringClient({
        baseUrl: 'http://localhost',
        token: bearer,
        correlationId,
        fetch: api,
      });
      return { client, session };
    },
  };
}

/** Requests of this API without a socket, with all its checks. */
function injectedFetch(app: App): typeof fetch {
  const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);
  return async (input, init) => {
    const url = new URL(String(input));
    const headers = Object.fromEntries(new Headers(init?.headers));
    const answer = await app.inject({
      method: (init?.method ?? 'GET') as 'GET',
      url: url.pathname + url.search,
      headers: { ...headers, host: 'localhost' },
      ...(init?.body === undefined || init.body === null ? {} : { payload: init.body as string }),
      ...(init?.signal === undefined || init.signal === null ? {} : { signal: init.signal }),
    });
    const answerHeaders = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) answerHeaders.set(name, String(value));
    }
    const hasBody = !withoutBody.has(answer.statusCode) && init?.method !== 'HEAD';
    const body = hasBody ? new Uint8Array(answer.rawPayload) : null;
    return new Response(body, { status: answer.statusCode, headers: answerHeaders });
  };
}
