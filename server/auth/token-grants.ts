// Validates the request for a token and applies its defaults (docs/wire-contract.md#tokens-and-scopes).
import { parseScopePath } from '../core/access/path-scope.ts';
import { bareScopes } from '../core/access/scope.ts';

/** Refusal of a request for a token; the message is sent to the caller. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';
}

/** Refusal: a delegated token may not exceed the scopes of its parent. */
export class ScopesExceededError extends Error {
  override readonly name = 'ScopesExceededError';
}

/** Levels of a chain of delegated tokens. */
export const delegationsMax = 4;
export const ttlSecondsDefault = 86_400;
const ttlSecondsMax = 315_360_000;
export const agentDefault = 'agent';
const scopesMax = 64;
const scopeCharsMax = 5_000;
/** The form of an agent name in access rules. */
const agentPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** All bare scopes except `admin:*` and `sync:trigger`: inbound events are trusted as their provider's, so only a sender gets that scope. */
const scopesDefault: readonly string[] = bareScopes.filter(
  (scope) => !scope.startsWith('admin:') && scope !== 'sync:trigger',
);

export function checkAgent(agent: string): string {
  if (agentPattern.test(agent)) return agent;
  throw new TokenRefusedError(
    'invalid agent name: use 1 to 128 letters, digits, ".", "_" or "-", starting with a letter or digit',
  );
}

export function checkTtl(ttlSeconds: number): number {
  if (Number.isSafeInteger(ttlSeconds) && ttlSeconds >= 1 && ttlSeconds <= ttlSecondsMax) return ttlSeconds;
  throw new TokenRefusedError(`invalid ttlSeconds: use 1 to ${ttlSecondsMax} (10 years)`);
}

export function checkDeletesPerMinute(quota: number | undefined): number | null {
  if (quota === undefined) return null;
  if (Number.isSafeInteger(quota) && quota >= 1) return quota;
  throw new TokenRefusedError('invalid deletesPerMinute: use a whole number of at least 1');
}

/** A path alone grants `fs:read` and `fs:write` on it; with scopes it confines those of them that concern files. */
export function grantedScopes(
  scopes: readonly string[] | undefined,
  path: string | undefined,
): readonly string[] {
  if (path !== undefined) checkPath(path);
  if (scopes === undefined)
    return path === undefined ? scopesDefault : confined(['fs:read', 'fs:write'], path);
  if (scopes.length === 0 || scopes.length > scopesMax) {
    throw new TokenRefusedError(`invalid scopes: a token has 1 to ${scopesMax} scopes`);
  }
  for (const scope of scopes) checkScope(scope);
  return path === undefined ? scopes : confined(scopes, path);
}

function confined(scopes: readonly string[], path: string): readonly string[] {
  const bareFiles = (scope: string) => scope === 'fs:read' || scope === 'fs:write';
  if (!scopes.some(bareFiles)) {
    throw new TokenRefusedError(
      'path confines fs:read and fs:write, but scopes contains neither: add one of them or omit path',
    );
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
      `invalid scope "${scope.slice(0, 100)}": use a form such as fs:read or relayfile:fs:read:/docs/**`,
    );
  }
  if (parts.length > 3) checkPath(parts.slice(3).join(':'));
}

function checkPath(path: string): void {
  if (path === path.trim() && parseScopePath(path) !== null) return;
  throw new TokenRefusedError(
    `invalid scope path "${path.slice(0, 100)}": start it with /; it may end with /**, /* or a prefix and *`,
  );
}
