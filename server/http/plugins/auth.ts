// Authorizes requests: bearer token, workspace, scope, correlation id, in the order of docs/wire-contract.md#order-of-checks,
// before any byte of the body is read. It decides nothing about single files.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { grantsBelow, type RequiredScope, reachesRole, requireScope } from '../../auth/scopes.ts';
import type { VerifiedToken } from '../../auth/tokens.ts';
import type { TokenUser } from '../../auth/user-directory.ts';
import type { SignedHeaders } from '../../auth/webhook-hmac.ts';
import { normalizeReadPath } from '../../workspaces/model.ts';
import type { Caller, RouteAccess } from '../base/access.ts';
import { ApiError, correlationIdOf, routeNotFound, workspaceNotFound } from '../base/api-error.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import { correlationIdCharactersMax } from '../base/limits.ts';
import { Query } from '../base/query.ts';

type AuthDependencies = Pick<HttpDependencies, 'config' | 'tokens' | 'workspaces'>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const bearerPrefix = /^bearer +/i;

export interface Auth {
  /** The checks from the token to the scope (docs/wire-contract.md#order-of-checks). Throws the ApiError of the first failure. */
  authorize(input: {
    readonly access: Exclude<RouteAccess, { kind: 'open' | 'metrics' | 'signed' }>;
    readonly bearer: string | undefined;
    readonly workspaceId: string | undefined;
    /** null: any grant of the action passes. */
    readonly scopePaths: readonly (string | null)[];
    /** The route also lists the descendants of its path. */
    readonly lists: boolean;
    /** The fork that the request reads or writes; null: the workspace, or the agent. */
    readonly forkId: string | null;
  }): Promise<Caller>;
  /** Removes a deleted workspace from the cache of known ones. */
  forgetWorkspace(workspaceId: string): void;
}

export function createAuth({ config, tokens, workspaces }: AuthDependencies): Auth {
  const known = new Set<string>();
  const callers = new WeakMap<VerifiedToken, Caller>();

  async function verify(bearer: string | undefined): Promise<VerifiedToken> {
    const verification = await tokens.verify(bearer);
    if (verification.ok) return verification.token;
    throw new ApiError(verification.code, verification.message);
  }

  async function requireWorkspace(workspaceId: string, token: VerifiedToken): Promise<void> {
    if (known.has(workspaceId)) return;
    if (!uuid.test(workspaceId)) {
      if ((await workspaces.get(workspaceId)) !== null || (await provision(workspaceId, token))) {
        known.add(workspaceId);
        return;
      }
    }
    throw workspaceNotFound();
  }

  /** Only for the workspace of the token; concurrent first requests all succeed (docs/wire-contract.md#first-use-of-a-workspace). */
  async function provision(workspaceId: string, token: VerifiedToken): Promise<boolean> {
    if (!config.autoProvision || token.workspaceId !== workspaceId) return false;
    return (await workspaces.provision(workspaceId)) !== null;
  }

  function callerOf(token: VerifiedToken): Caller {
    let caller = callers.get(token);
    if (caller === undefined) {
      caller = createCaller(token, token.owner ? [] : tokens.deleteLimitsOf(token));
      callers.set(token, caller);
    }
    return caller;
  }

  return {
    async authorize({ access, bearer, workspaceId, scopePaths, lists, forkId }) {
      const verified = await verify(bearer);
      const token = workspaceId === undefined ? verified : tokens.inWorkspace(verified, workspaceId);
      if (workspaceId !== undefined) {
        if (access.kind === 'owner-workspace' && access.deletedToo) {
          if (uuid.test(workspaceId)) throw workspaceNotFound();
        } else await requireWorkspace(workspaceId, token);
        if (!token.owner && token.workspaceId !== workspaceId)
          throw new ApiError('forbidden', 'workspace mismatch');
      }
      // An MCP request calls the API with its token, where this check follows.
      if (access.kind !== 'token') requireOwnFork(token, forkId);
      if (token.owner || access.kind === 'member' || access.kind === 'token') return callerOf(token);
      if (access.kind === 'admin') {
        requireAnyScope(token, access.scopes);
        return callerOf(token);
      }
      if (access.kind !== 'workspace') {
        requireUser(token, access);
        return callerOf(token);
      }
      for (const path of scopePaths) {
        const decision = requireScope(token.scopes, access.scope, path);
        if (!decision.ok) throw new ApiError('forbidden', decision.message);
        if (lists) await requireBelow(workspaces, token, access.scope, workspaceId, path);
      }
      return callerOf(token);
    },
    forgetWorkspace(workspaceId) {
      known.delete(workspaceId);
    },
  };
}

/** A route of the owner that a signed-in user may use as well. A personal token never may: a program has scopes, not a role. */
function requireUser(
  { user }: VerifiedToken,
  access: Extract<RouteAccess, { kind: 'owner' | 'owner-workspace' }>,
): void {
  const isSignedIn = user !== null && user.agent === null;
  if (access.kind === 'owner') {
    if (access.users === true && isSignedIn) return;
    throw new ApiError('forbidden', 'owner token required');
  }
  if (access.role === undefined || !isSignedIn) throw new ApiError('forbidden', 'owner token required');
  if (user.role !== null && reachesRole(user.role.role, access.role)) return;
  throw new ApiError(
    'forbidden',
    `owner token required, or a role of at least ${access.role} in this workspace`,
  );
}

/** Of the workspace itself such a token reads nothing either: a run sees its own view alone. */
function requireOwnFork(token: VerifiedToken, forkId: string | null): void {
  if (token.forkId === null || token.forkId === forkId) return;
  throw new ApiError(
    'forbidden',
    `this token is confined to ${token.forkId}: send it as forkId, and use only routes that support forkId`,
  );
}

/** A grant of exactly one path permits a listing of a file, and never of the contents of a directory. */
async function requireBelow(
  workspaces: AuthDependencies['workspaces'],
  token: VerifiedToken,
  scope: RequiredScope,
  workspaceId: string | undefined,
  path: string | null,
): Promise<void> {
  if (path === null || workspaceId === undefined || grantsBelow(token.scopes, scope, path)) return;
  const entry = await workspaces.getEntry(workspaceId, path);
  if (entry?.type !== 'file') throw new ApiError('forbidden', `missing required scope: ${scope}`);
}

function createCaller(token: VerifiedToken, deleteLimits: Caller['deleteLimits']): Caller {
  const { workspaceId, agent, scopes, tokenId, owner, user } = token;
  const parents = token.parentTokens.map((parent) => ({
    workspaceId,
    agent: parent.agent,
    scopes: parent.scopes,
  }));
  return {
    token,
    access: owner ? null : { workspaceId, agent, scopes, ...(parents.length === 0 ? {} : { parents }) },
    actor: { kind: 'token', name: user === null ? agent : nameOf(user), tokenId },
    deleteLimits,
  };
}

/** As history shows it: the user, with the agent name of the personal token beside it. No agent name contains a slash. */
function nameOf({ name, agent }: TokenUser): string {
  return agent === null || agent === name ? name : `${name}/${agent}`;
}

function requireAnyScope(token: VerifiedToken, scopes: readonly RequiredScope[]): void {
  const decisions = scopes.map((scope) => requireScope(token.scopes, scope, null));
  const [first] = decisions;
  if (first?.ok === false && decisions.every((decision) => !decision.ok)) {
    throw new ApiError('forbidden', first.message);
  }
}

export function registerAuth(
  app: FastifyInstance,
  auth: Auth,
  {
    config,
    hmac,
    clock,
  }: Pick<HttpDependencies, 'hmac' | 'clock'> & { config: Pick<HttpDependencies['config'], 'metrics'> },
): void {
  const metricsOpen = config.metrics === 'open';
  app.decorateRequest('mooringCaller', null);
  // A route without an access declaration fails at the first start.
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined) throw new Error(`${String(method)} ${url} does not declare its access`);
  });
  app.addHook('onRequest', async (request) => {
    // Before the body is read, like every other refusal.
    if (request.is404) throw new ApiError('not_found', routeNotFound);
    const access = request.routeOptions.config.access;
    if (access === undefined) throw new ApiError('not_found', routeNotFound);
    if (access.kind === 'open' || (access.kind === 'metrics' && metricsOpen)) return;
    if (access.kind === 'signed') {
      // The signature is verified after the body was read; headers that cannot be valid are refused before.
      const refused = hmac.refusalOfHeaders(signedHeadersOf(request), clock.nowMs());
      if (refused !== null) throw new ApiError('unauthorized', refused);
      return;
    }
    const { workspaceId } = request.params as { workspaceId?: string };
    const forks = request.routeOptions.config.forks === true;
    request.mooringCaller = await auth.authorize({
      access: access.kind === 'metrics' ? metricsAccess : access,
      bearer: bearerOf(request),
      workspaceId,
      scopePaths: [scopePathOf(access, request)],
      lists: access.kind === 'workspace' && access.path === 'query-or-root',
      forkId: (forks ? queryOf(request).first('forkId') : null) ?? null,
    });
    if (access.kind === 'metrics') return;
    if ('withoutCorrelationId' in access && correlationIdOf(request) === '') return;
    requireCorrelationId(request);
    if (request.routeOptions.config.forks !== true && access.kind === 'workspace') requireNoFork(request);
  });
}

function requireNoFork(request: FastifyRequest): void {
  if (queryOf(request).first('forkId') === undefined) return;
  throw new ApiError(
    'bad_request',
    'this route does not support forkId, so the request would not apply to the fork: omit forkId',
  );
}

const metricsAccess = { kind: 'workspace', scope: 'admin:read', path: 'none' } as const;

function scopePathOf(access: RouteAccess, request: FastifyRequest): string | null {
  if (access.kind !== 'workspace' || access.path === 'none') return null;
  const path = queryOf(request).first('path');
  if (path === undefined || path === '') return access.path === 'query' ? null : '/';
  return normalizeReadPath(path);
}

export function requireCorrelationId(request: FastifyRequest): void {
  const id = correlationIdOf(request);
  if (id === '') throw new ApiError('bad_request', 'missing X-Correlation-Id header');
  if (id.length > correlationIdCharactersMax) {
    throw new ApiError(
      'bad_request',
      `X-Correlation-Id is longer than ${correlationIdCharactersMax} characters`,
    );
  }
  if (queryOf(request).malformed) {
    throw new ApiError('bad_request', 'the query is not valid percent-encoded UTF-8');
  }
}

/** The signature headers of a request. */
export function signedHeadersOf({ headers }: FastifyRequest): SignedHeaders {
  return { timestamp: textOf(headers['x-relay-timestamp']), signature: textOf(headers['x-relay-signature']) };
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The bare token of the Authorization header; undefined when there is none. */
export function bearerOf(request: { readonly headers: FastifyRequest['headers'] }): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined || !bearerPrefix.test(header)) return undefined;
  return header.replace(bearerPrefix, '').trim();
}

export function queryOf(request: FastifyRequest): Query {
  return request.query instanceof Query ? request.query : new Query('');
}

/** For handlers of routes that are not open. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.mooringCaller === null) throw new Error('an open route has no caller');
  return request.mooringCaller;
}
