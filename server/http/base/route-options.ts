// Options of a route, derived from its access: security, headers, common errors, and the sentence about who may call it. A route states
// only what is its own, and each deviation.
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { RequiredScope } from '../../auth/scopes.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import {
  CorrelationHeaders,
  OptionalCorrelationHeaders,
  WorkspaceParams,
} from '../../contract/parameters.ts';
import type { RouteAccess } from './access.ts';
import { commandBodyBytesMax } from './limits.ts';
import { type Answer, bearer, describeRoute, errorAnswers } from './routing.ts';

/** A scope alone: that scope in the workspace, with any path. */
type AccessOrName = RouteAccess | 'open' | 'owner' | 'owner-workspace' | RequiredScope;

type AgentWide = 'open' | 'owner' | { readonly kind: 'open' | 'owner' | 'admin' | 'signed' | 'metrics' };
type DefaultParams<Access extends AccessOrName> = Access extends AgentWide ? unknown : typeof WorkspaceParams;

/** `Params`, `Query` and `Body` are schemas; the handler gets their types. */
interface RouteSpec<Params, Query, Body> {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** Replaces the derived sentence about who may call the route. */
  readonly callers?: string;
  /** Further points of the description. */
  readonly points?: readonly string[];
  /** Default of a route for one workspace: `WorkspaceParams`. */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Instead of `body`: a request without a body is valid. */
  readonly optionalBody?: Body;
  /** Replaces the schema of the correlation id. */
  readonly headers?: object;
  readonly security?: FastifySchema['security'];
  readonly answers: Readonly<Record<number, Answer>>;
  /** In addition to those of every route with this access. */
  readonly errors?: readonly ErrorCode[];
  readonly config?: Omit<FastifyContextConfig, 'access'>;
}

interface RouteOptions<Params, Query, Body> {
  readonly config: FastifyContextConfig;
  readonly schema: Omit<FastifySchema, 'params' | 'querystring' | 'body' | 'response'> & {
    readonly params: Params;
    readonly querystring: Query;
    readonly body: Body;
  };
}

/** A route without a body, or with one that only `maxBodyBytes` of the agent limits. */
export function route<
  const Access extends AccessOrName,
  Params = DefaultParams<Access>,
  Query = unknown,
  Body = unknown,
>(accessOrName: Access, spec: RouteSpec<Params, Query, Body>): RouteOptions<Params, Query, Body> {
  const access = accessOf(accessOrName);
  const { operationId, tag, summary, callers = callersOf(access), points = [], query } = spec;
  const params: unknown = spec.params ?? (isForWorkspace(access) ? WorkspaceParams : undefined);
  const body =
    spec.optionalBody === undefined ? spec.body : { ...spec.optionalBody, 'x-body-optional': true };
  const headers = spec.headers ?? headersOf(access);
  const schema = {
    operationId,
    tags: [tag],
    summary,
    description: points.length === 0 ? callers : describeRoute(callers, ...points),
    security: spec.security ?? (access.kind === 'open' || access.kind === 'signed' ? [] : bearer),
    ...(params === undefined ? {} : { params }),
    ...(headers === undefined ? {} : { headers }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
    response: {
      ...spec.answers,
      ...errorAnswers([...errorsOf(access, spec.config, { params, body }), ...(spec.errors ?? [])]),
    },
  };
  return {
    config: { ...spec.config, access },
    // Absent parts are unknown to the handler as well.
    schema: schema as unknown as RouteOptions<Params, Query, Body>['schema'],
  };
}

/** A route whose body has at most `bodyBytesMax` bytes. */
export function commandRoute<
  const Access extends AccessOrName,
  Params = DefaultParams<Access>,
  Query = unknown,
  Body = unknown,
>(
  accessOrName: Access,
  {
    bodyBytesMax = commandBodyBytesMax,
    ...spec
  }: RouteSpec<Params, Query, Body> & { readonly bodyBytesMax?: number },
): RouteOptions<Params, Query, Body> & { readonly bodyLimit: number } {
  const errors = [...(spec.errors ?? []), 'payload_too_large'] as const;
  return {
    bodyLimit: bodyBytesMax,
    ...route<Access, Params, Query, Body>(accessOrName, { ...spec, errors }),
  };
}

function accessOf(access: AccessOrName): RouteAccess {
  if (typeof access !== 'string') return access;
  if (access === 'open' || access === 'owner' || access === 'owner-workspace') return { kind: access };
  return { kind: 'workspace', scope: access, path: 'none' };
}

function isForWorkspace({ kind }: RouteAccess): boolean {
  return kind === 'workspace' || kind === 'owner-workspace' || kind === 'member';
}

function callersOf(access: RouteAccess): string {
  switch (access.kind) {
    case 'open':
      return 'Needs no token and no correlation id.';
    case 'member':
      return 'Owner or UI token, or any token of the workspace.';
    case 'token':
      return 'Any token.';
    case 'admin':
      return `Scope: ${access.scopes.map((scope) => `\`${scope}\``).join(' or ')}, of any workspace.`;
    case 'workspace':
      if (!access.scope.startsWith('fs:')) return `Scope: \`${access.scope}\`.`;
      return access.path === 'none'
        ? `Scope: any grant of \`${access.scope}\`.`
        : `Scope: \`${access.scope}\` on \`path\`.`;
    case 'owner':
      return access.users === true ? 'Owner or UI token, also that of a user.' : 'Owner or UI token.';
    case 'owner-workspace':
      return access.role === undefined
        ? 'Owner or UI token.'
        : `Owner or UI token, or the UI token of a user whose role in the workspace is at least \`${access.role}\`.`;
    default:
      return 'Owner or UI token.';
  }
}

function headersOf(access: RouteAccess): object | undefined {
  if (access.kind === 'open' || access.kind === 'signed' || access.kind === 'metrics') return undefined;
  return 'withoutCorrelationId' in access ? OptionalCorrelationHeaders : CorrelationHeaders;
}

function errorsOf(
  { kind }: RouteAccess,
  { badRequestCode = 'bad_request' }: FastifyContextConfig = {},
  { params, body }: { readonly params: unknown; readonly body: unknown },
): readonly ErrorCode[] {
  if (kind === 'open' && params === undefined && body === undefined) return ['forbidden'];
  const withoutParameters = ['unauthorized', 'forbidden', 'internal_error', 'unavailable'] as const;
  if (kind === 'metrics') return withoutParameters;
  const { workspaceId } = (params as typeof WorkspaceParams | undefined)?.properties ?? {};
  return [
    badRequestCode,
    ...withoutParameters,
    ...(workspaceId === undefined ? [] : (['workspace_not_found', 'precondition_failed'] as const)),
  ];
}
