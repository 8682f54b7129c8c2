// Issues tokens under the local signing key: validates the request and applies its defaults (docs/wire-contract.md#tokens-and-scopes).
import { parseScopePath } from '../core/access/path-scope.ts';
import { type Role, scopesOfRole, withinRole } from '../core/access/roles.ts';
import { bareScopes } from '../core/access/scope.ts';
import { scopeOutside } from '../core/access/scope-subset.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/crypto/ids.ts';
import type { TokenRow, TokenStore } from '../store/port/store.ts';
import {
  everyWorkspace,
  makeClaims,
  type SigningKey,
  signJwt,
  type TokenIssuer,
  tokenCharsMax,
  type VerifiedToken,
} from './jwt.ts';

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
const ttlSecondsDefault = 86_400;
const ttlSecondsMax = 315_360_000;
const agentDefault = 'agent';
const scopesMax = 64;
const scopeCharsMax = 5_000;
/** The form of an agent name in access rules. */
const agentPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** All bare scopes except `admin:*` and `sync:trigger`: inbound events are trusted as their provider's, so only a sender gets that scope. */
const scopesDefault: readonly string[] = bareScopes.filter(
  (scope) => !scope.startsWith('admin:') && scope !== 'sync:trigger',
);

export interface TokenIssuing {
  readonly store: TokenStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly key: SigningKey;
  readonly ownerTokenId: string;
}

export interface TokenRequest {
  /** The caller's token: the new one is limited to its scopes, expires with it at the latest, and shares its delete quota. */
  readonly parentToken?: VerifiedToken;
  readonly workspaceId: string;
  readonly agent?: string;
  readonly scopes?: readonly string[];
  readonly path?: string;
  readonly ttlSeconds?: number;
  readonly deletesPerMinute?: number;
  /** The only fork that it may read and write. A token that is confined to one issues only such tokens. */
  readonly forkId?: string;
  /** A personal token of this user: it never exceeds the user's role, at the issue and at each use. */
  readonly user?: { readonly userId: string; readonly role: Role };
}

/** Rejects with a TokenRefusedError when scopes, path, agent, lifetime or quota are invalid. */
export async function issueToken(
  { store, clock, ids, key }: TokenIssuing,
  input: TokenRequest,
): Promise<{ token: string; row: TokenRow }> {
  if (input.workspaceId === everyWorkspace) {
    throw new TokenRefusedError('An access token belongs to one workspace. Name its id instead of "*".');
  }
  const createdAtMs = clock.nowMs();
  const lifeMs = checkTtl(input.ttlSeconds ?? ttlSecondsDefault) * 1000;
  // The claim has whole seconds; row and claim must be equal.
  const expiresAtMs = Math.ceil((createdAtMs + lifeMs) / 1000) * 1000;
  const parent = input.parentToken?.owner === true ? undefined : input.parentToken;
  const scopes = grantedScopes(input);
  const parentTokens = parent === undefined ? [] : parentTokensOf(parent, scopes);
  const row: TokenRow = {
    tokenId: ids.tokenId(),
    workspaceId: input.workspaceId,
    agent: checkAgent(input.agent ?? agentDefault),
    scopes,
    createdAtMs,
    expiresAtMs: Math.min(expiresAtMs, parent?.expiresAtMs ?? expiresAtMs),
    revokedAtMs: null,
    deletesPerMinute: parent?.deletesPerMinute ?? checkDeletesPerMinute(input.deletesPerMinute),
    lastUsedAtMs: null,
    forkId: parent?.forkId ?? input.forkId ?? null,
    userId: parent?.userId ?? input.user?.userId ?? null,
  };
  const token = signJwt(key, makeClaims({ ...row, issuedAtMs: createdAtMs, parentTokens }));
  if (token.length > tokenCharsMax) {
    throw new TokenRefusedError('too many scopes for one token: use fewer or shorter scopes');
  }
  await store.insert(row);
  return { token, row };
}

/** A token for the UI with the rights of the owner. `tokenId`: that of its sign-in session. */
export function issueUiToken(
  { clock, key, ownerTokenId }: TokenIssuing,
  ttlMs: number,
  tokenId: string,
  userId: string | null = null,
): { token: string; expiresAtMs: number } {
  const issuedAtMs = clock.nowMs();
  const expiresAtMs = Math.ceil((issuedAtMs + ttlMs) / 1000) * 1000;
  const claims = makeClaims({
    tokenId,
    workspaceId: everyWorkspace,
    agent: 'ui',
    scopes: bareScopes,
    issuedAtMs,
    expiresAtMs,
    ownerTokenId,
    userId,
  });
  return { token: signJwt(key, claims), expiresAtMs };
}

/** The chain of a token that `parent` issues. */
function parentTokensOf(parent: VerifiedToken, scopes: readonly string[]): readonly TokenIssuer[] {
  const outside = scopeOutside(parent.scopes, scopes);
  if (outside !== null) {
    throw new ScopesExceededError(`scope "${outside}" exceeds the scopes of the requesting token`);
  }
  if (parent.parentTokens.length >= delegationsMax) {
    throw new TokenRefusedError(
      `a chain of delegated tokens has at most ${delegationsMax} levels: issue this one with a token higher in the chain`,
    );
  }
  const { tokenId, agent } = parent;
  return [{ tokenId, agent, scopes: parent.scopes }, ...parent.parentTokens];
}

function checkAgent(agent: string): string {
  if (agentPattern.test(agent)) return agent;
  throw new TokenRefusedError(
    'invalid agent name: use 1 to 128 letters, digits, ".", "_" or "-", starting with a letter or digit',
  );
}

function checkTtl(ttlSeconds: number): number {
  if (Number.isSafeInteger(ttlSeconds) && ttlSeconds >= 1 && ttlSeconds <= ttlSecondsMax) return ttlSeconds;
  throw new TokenRefusedError(`invalid ttlSeconds: use 1 to ${ttlSecondsMax} (10 years)`);
}

function checkDeletesPerMinute(quota: number | undefined): number | null {
  if (quota === undefined) return null;
  if (Number.isSafeInteger(quota) && quota >= 1) return quota;
  throw new TokenRefusedError('invalid deletesPerMinute: use a whole number of at least 1');
}

/** A path alone grants `fs:read` and `fs:write` on it; with scopes it confines those of them that concern files. What is granted without
 * scopes is what the role of a user includes of that. */
function grantedScopes({ scopes: wanted, path, user }: TokenRequest): readonly string[] {
  if (path !== undefined) checkPath(path);
  const within = (scopes: readonly string[]) => (user === undefined ? scopes : withinRole(scopes, user.role));
  if (wanted === undefined)
    return within(path === undefined ? scopesDefault : confined(['fs:read', 'fs:write'], path));
  const scopes = checkedScopes(wanted, path);
  const outside = user === undefined ? null : scopeOutside(scopesOfRole(user.role), scopes);
  if (outside !== null) throw new ScopesExceededError(`scope "${outside}" exceeds the role of the user`);
  return scopes;
}

function checkedScopes(scopes: readonly string[], path: string | undefined): readonly string[] {
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
  const segments = scope.split(':');
  if (
    segments.length < 2 ||
    scope.length > scopeCharsMax ||
    scope !== scope.trim() ||
    segments.slice(0, 3).includes('')
  ) {
    throw new TokenRefusedError(
      `invalid scope "${scope.slice(0, 100)}": use a form such as fs:read or relayfile:fs:read:/docs/**`,
    );
  }
  if (segments.length > 3) checkPath(segments.slice(3).join(':'));
}

function checkPath(path: string): void {
  if (path === path.trim() && parseScopePath(path) !== null) return;
  throw new TokenRefusedError(
    `invalid scope path "${path.slice(0, 100)}": start it with /; it may end with /**, /* or a prefix and *`,
  );
}
