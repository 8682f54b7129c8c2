// What a new token may carry: the defaults of contract ruling 24, and what is refused before anything is signed.

import { parseScopePath } from '../core/access/path-scope.ts';
import { bareScopes } from '../core/access/scope.ts';

/** Refusal of a request for a token; the message says what is wrong and goes to the caller. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';
}

/** Refusal: a token may hand out only what it may do itself. */
export class ScopesExceededError extends Error {
  override readonly name = 'ScopesExceededError';
}

/** Tokens that may be made one under the other. */
export const delegationsMax = 4;
export const ttlSecondsDefault = 86_400;
const ttlSecondsMax = 315_360_000;
export const agentDefault = 'agent';
const scopesMax = 64;
const scopeCharsMax = 5_000;
/** As an access rule can name it (contract 1.3). */
const agentPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The bare scopes less `admin:*` and `sync:trigger`: what a webhook brings is trusted as its provider's, so only who is to send any may. */
const scopesDefault: readonly string[] = bareScopes.filter(
  (scope) => !scope.startsWith('admin:') && scope !== 'sync:trigger',
);

export function checkAgent(agent: string): string {
  if (agentPattern.test(agent)) return agent;
  throw new TokenRefusedError(
    'an agent name has letters, digits, ".", "_" and "-", at most 128, and starts with one of the first two',
  );
}

export function checkTtl(ttlSeconds: number): number {
  if (Number.isSafeInteger(ttlSeconds) && ttlSeconds >= 1 && ttlSeconds <= ttlSecondsMax) return ttlSeconds;
  throw new TokenRefusedError('a token lives from 1 second to 10 years');
}

export function checkDeletesPerMinute(quota: number | undefined): number | null {
  if (quota === undefined) return null;
  if (Number.isSafeInteger(quota) && quota >= 1) return quota;
  throw new TokenRefusedError('the delete quota is a whole number from 1');
}

/** A path alone grants reading and writing below it; with scopes it narrows those of them that are about files. */
export function grantedScopes(
  scopes: readonly string[] | undefined,
  path: string | undefined,
): readonly string[] {
  if (path !== undefined) checkPath(path);
  if (scopes === undefined)
    return path === undefined ? scopesDefault : narrowed(['fs:read', 'fs:write'], path);
  if (scopes.length === 0 || scopes.length > scopesMax) {
    throw new TokenRefusedError(`a token has 1 to ${scopesMax} scopes`);
  }
  for (const scope of scopes) checkScope(scope);
  return path === undefined ? scopes : narrowed(scopes, path);
}

function narrowed(scopes: readonly string[], path: string): readonly string[] {
  const bareFiles = (scope: string) => scope === 'fs:read' || scope === 'fs:write';
  if (!scopes.some(bareFiles)) {
    throw new TokenRefusedError('a path narrows fs:read and fs:write, and neither is among the scopes');
  }
  return scopes.map((scope) => (bareFiles(scope) ? `relayfile:${scope}:${path}` : scope));
}

function checkScope(scope: string): void {
  const parts = scope.split(':');
  if (
    parts.length < 2 ||
    scope.length > scopeCharsMax ||
    scope !== scope.trim() ||
    parts.slice(0, 3).includes('')
  ) {
    throw new TokenRefusedError(
      `"${scope.slice(0, 100)}" is not a scope; one looks like fs:read or relayfile:fs:read:/docs/**`,
    );
  }
  if (parts.length > 3) checkPath(parts.slice(3).join(':'));
}

function checkPath(path: string): void {
  if (path === path.trim() && parseScopePath(path) !== null) return;
  throw new TokenRefusedError(
    `"${path.slice(0, 100)}" is not a path of a scope; it starts with / and may end with /**, /* or a prefix and *`,
  );
}
