// Shared by the control-plane routes: the token for a caller, and the URL of this agent.
import type { FastifyRequest } from 'fastify';
import { ScopesExceededError, TokenRefusedError, type TokenRow } from '../../../auth/tokens.ts';
import { ApiError, refusingAs } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { callerOf } from '../../plugins/auth.ts';
import { wireTime } from '../../wire/records.ts';

/** Share of a token's lifetime after which a client refreshes it. */
const refreshAfterShare = 0.8;

interface Asked {
  readonly agentName?: string;
  readonly scopes?: readonly string[];
  readonly ttlSeconds?: number;
  readonly permissions?: { readonly readonly?: readonly string[]; readonly ignored?: readonly string[] };
}

/** The URL of this agent as the caller uses it; the Host check has accepted the name. */
export function baseUrlOf(request: FastifyRequest): string {
  return `http://${request.headers.host}`;
}

export function streamUrlOf(request: FastifyRequest, workspaceId: string): string {
  return `ws://${request.headers.host}/v1/workspaces/${encodeURIComponent(workspaceId)}/fs/ws`;
}

/** Permissions other than scopes are not supported; ignoring them would grant more than requested. */
export function refusePermissions({ permissions }: Pick<Asked, 'permissions'>): void {
  const paths = [...(permissions?.readonly ?? []), ...(permissions?.ignored ?? [])];
  if (paths.length === 0) return;
  throw new ApiError(
    'invalid_request',
    'permissions are not supported: use scopes with paths, such as relayfile:fs:read:/docs/**',
  );
}

/** Issues a token of the workspace within the rights of the caller. `ownerScopes`: the default for the owner. */
export async function issueToken(
  request: FastifyRequest,
  tokens: HttpDependencies['tokens'],
  workspaceId: string,
  asked: Asked & { readonly defaultAgent: string; readonly ownerScopes: readonly string[] },
): Promise<{ readonly token: string; readonly row: TokenRow }> {
  const { agentName, scopes = [], ttlSeconds } = asked;
  const { token: caller } = callerOf(request);
  const defaultScopes = caller.owner ? asked.ownerScopes : caller.scopes;
  return await tokens
    .issue({
      workspaceId,
      parentToken: caller,
      agent: agentName ?? asked.defaultAgent,
      scopes: scopes.length === 0 ? defaultScopes : scopes,
      ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    })
    .catch(refusingAs([ScopesExceededError, 'forbidden'], [TokenRefusedError, 'invalid_scopes']));
}

export function timesOf({ createdAtMs, expiresAtMs }: TokenRow) {
  return {
    tokenIssuedAt: wireTime(createdAtMs),
    expiresAt: wireTime(expiresAtMs),
    suggestedRefreshAt: wireTime(createdAtMs + (expiresAtMs - createdAtMs) * refreshAfterShare),
  };
}
