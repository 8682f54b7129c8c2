// Issues, verifies and revokes tokens. What a verified token may do is decided in core/access/scope.

import type { DeleteLedger, DeleteLimit } from '../core/access/authority.ts';
import { bareScopes } from '../core/access/scope.ts';
import { scopeOutside } from '../core/access/scope-subset.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/crypto/ids.ts';
import { readPrivateFile, writePrivateFile } from '../platform/files/private-files.ts';
import type { TokenRow, TokenStore } from '../store/port/store.ts';
import { createDeleteLedger } from './delete-quota.ts';
import { type Jwks, keysFreshMs } from './jwks.ts';
import {
  type Claims,
  isSignedBy,
  makeClaims,
  type ParsedJwt,
  parseJwt,
  readClaims,
  type SigningKey,
  signJwt,
  type TokenIssuer,
  tokenCharsMax,
  withoutPrefix,
} from './jwt.ts';
import { openSigningKey } from './signing-key.ts';
import {
  agentDefault,
  checkAgent,
  checkDeletesPerMinute,
  checkTtl,
  delegationsMax,
  grantedScopes,
  ScopesExceededError,
  TokenRefusedError,
  ttlSecondsDefault,
} from './token-grants.ts';
import { createTokenUses } from './token-uses.ts';
import { createVerifiedCache } from './verified-cache.ts';

export type { TokenRow } from '../store/port/store.ts';
export { ScopesExceededError, TokenRefusedError } from './token-grants.ts';

export interface VerifiedToken {
  /** null: a token of an external issuer without `jti`. */
  readonly tokenId: string | null;
  /** `*` only for owner and UI tokens of the local key. */
  readonly workspaceId: string;
  readonly agent: string;
  /** Scope strings of the token, unparsed. */
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
  /** Owner or UI token: may manage workspaces, tokens, mirrors, settings. */
  readonly owner: boolean;
  readonly deletesPerMinute: number | null;
  /** The tokens that issued this one, nearest first. It may do only what each of them may, and is revoked with any of them. */
  readonly parentTokens: readonly TokenIssuer[];
}

export type Verification =
  | { readonly ok: true; readonly token: VerifiedToken }
  /** `unauthorized`: 401 with this message. `unavailable`: 503, the JWKS endpoint is unreachable. */
  | { readonly ok: false; readonly code: 'unauthorized' | 'unavailable'; readonly message: string };

export interface TokenService {
  /** `bearer` is the token after `Bearer ` or from the query; undefined when the request has none. */
  verify(bearer: string | undefined): Promise<Verification>;
  /** Rejects with a TokenRefusedError when scopes, path, agent, lifetime or quota are invalid. `parentToken`: the caller's token; the
   * new one is limited to its scopes, expires with it at the latest, and shares its delete quota. */
  issue(input: {
    parentToken?: VerifiedToken;
    workspaceId: string;
    agent?: string;
    scopes?: readonly string[];
    path?: string;
    ttlSeconds?: number;
    deletesPerMinute?: number;
  }): Promise<{ token: string; row: TokenRow }>;
  list(workspaceId: string): Promise<readonly TokenRow[]>;
  /** false: unknown. When it resolves, `verify` refuses the token and the `onRevoked` listeners were called. */
  revoke(workspaceId: string, tokenId: string): Promise<boolean>;
  onRevoked(listener: (tokenId: string) => void): () => void;
  /** false: the token has used its delete quota of this minute. */
  takeDelete(token: VerifiedToken): boolean;
  /** The limits that its deletions count against; empty: unlimited. */
  deleteLimitsOf(token: VerifiedToken): readonly DeleteLimit[];
  /** Counts deletions, also those of queued requests. */
  readonly deletes: DeleteLedger;
  /** The bare owner token (also in `<data-dir>/owner.token`). */
  ownerToken(): string;
}

/** The service with the method that sign-in needs. */
export interface LocalTokens extends TokenService {
  /** A token for the UI with the rights of the owner. */
  issueUi(ttlMs: number): { token: string; expiresAtMs: number };
}

/** Sign-in of the browser UI: single-use codes of 60 s, exchanged for a UI token that renews itself. */
export interface SignIn {
  createCode(): { code: string; expiresAtMs: number };
  /** null: unknown, used or expired. */
  exchange(code: string): Promise<{ token: string; expiresAtMs: number } | null>;
  /** A new UI token in exchange for a valid one. */
  renew(token: VerifiedToken): Promise<{ token: string; expiresAtMs: number }>;
}

export interface TokenServiceOptions {
  readonly store: TokenStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keyFile: string;
  readonly ownerTokenFile: string;
  /** External issuer; null: only tokens of the local key are accepted. */
  readonly jwks: Jwks | null;
}

/** Workspace claim of owner and UI tokens (docs/wire-contract.md#tokens-and-scopes). */
const everyWorkspace = '*';
const dayMs = 86_400_000;
/** The owner token is replaced at a start less than 30 days before it expires. */
const ownerTtlMs = 3_650 * dayMs;
const ownerRenewBeforeMs = 30 * dayMs;
const revokedMessage = 'token revoked';

/** Creates the key and the owner token on the first start. Throws a SigningKeyError when the key file is unusable. */
export async function createTokenService(options: TokenServiceOptions): Promise<LocalTokens> {
  const { store, clock } = options;
  const key = openSigningKey(options.keyFile);
  const owner = openOwnerToken(options, key);
  const cache = createVerifiedCache<VerifiedToken>();
  const deletes = createDeleteLedger(clock);
  const revoked = new Set(await store.revokedIds(clock.nowMs()));
  const listeners = new Set<(tokenId: string) => void>();
  const uses = createTokenUses(store, clock);
  const signed: SignedTokenDeps = { ...options, key, ownerTokenId: owner.tokenId };

  const isRevoked = (token: VerifiedToken) => tokenChainIds(token).some((tokenId) => revoked.has(tokenId));

  /** The last step of a verification: refuses a revoked token and records the use of a valid one. */
  function admit(token: VerifiedToken): Verification {
    if (isRevoked(token)) return unauthorized(revokedMessage);
    if (token.tokenId !== null && !token.owner) uses.record(token.tokenId);
    return { ok: true, token };
  }

  async function verify(bearer: string | undefined): Promise<Verification> {
    if (bearer === undefined) return unauthorized('missing or invalid bearer token');
    const compact = withoutPrefix(bearer);
    const cached = cache.get(compact, clock.nowMs());
    if (cached !== null) return admit(cached);
    const jwt = parseJwt(compact);
    if (!jwt.ok) return unauthorized(jwt.message);
    const checked = await verifySigned(signed, jwt.value);
    if (!checked.ok) return checked;
    const { token } = checked;
    // An issuer may withdraw a key, so its tokens are verified again as often as its keys are fetched.
    cache.put(compact, token, isLocal(jwt.value) ? token.expiresAtMs : clock.nowMs() + keysFreshMs);
    return admit(token);
  }

  return {
    verify,
    issue: (input) => issueToken(signed, input),
    list: async (workspaceId) => (await store.list(workspaceId)).map(uses.withLastUse),
    async revoke(workspaceId, tokenId) {
      if (!(await store.revoke({ workspaceId, tokenId, atMs: clock.nowMs() }))) return false;
      revoked.add(tokenId);
      for (const listener of listeners) listener(tokenId);
      return true;
    },
    onRevoked(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    takeDelete: (token) => deletes.take(deleteLimitsOf(token), 1),
    deleteLimitsOf,
    deletes,
    ownerToken: () => owner.token,
    issueUi: (ttlMs) => issueUiToken(signed, ttlMs),
  };
}

interface SignedTokenDeps extends Pick<TokenServiceOptions, 'store' | 'clock' | 'ids' | 'jwks'> {
  readonly key: SigningKey;
  readonly ownerTokenId: string;
}

function isLocal(jwt: ParsedJwt): boolean {
  return jwt.alg === 'HS256';
}

async function verifySigned(deps: SignedTokenDeps, jwt: ParsedJwt): Promise<Verification> {
  const { key, jwks, clock } = deps;
  const local = isLocal(jwt);
  if (!local && !(jwt.alg === 'RS256' && jwks !== null)) return unauthorized('unsupported jwt algorithm');
  if (local && !isSignedBy(key, jwt)) return unauthorized('jwt signature mismatch');
  if (!local && jwks !== null) {
    if (jwt.kid === null) return unauthorized('invalid jwt header');
    const outcome = await jwks.verify(jwt);
    if (outcome === 'unavailable') return { ok: false, code: 'unavailable', message: 'jwks unreachable' };
    if (outcome === 'mismatch') return unauthorized('jwt signature mismatch');
  }
  const claims = readClaims(jwt.payload, clock.nowMs());
  if (!claims.ok) return unauthorized(claims.message);
  const token = tokenOf(deps, claims.value, local);
  if (token === null) return unauthorized(local ? revokedMessage : 'missing workspace claim');
  return { ok: true, token };
}

/** null: `*` is accepted only under the local key, for the current owner token and the UI tokens that it issued. */
function tokenOf({ ownerTokenId }: SignedTokenDeps, claims: Claims, local: boolean): VerifiedToken | null {
  const { ownerTokenId: issuedBy, ...token } = claims;
  if (claims.workspaceId !== everyWorkspace) return { ...token, owner: false };
  const isOwner = claims.tokenId === ownerTokenId || issuedBy === ownerTokenId;
  return local && isOwner ? { ...token, owner: true } : null;
}

async function issueToken(
  { store, clock, ids, key }: SignedTokenDeps,
  input: Parameters<TokenService['issue']>[0],
): Promise<{ token: string; row: TokenRow }> {
  if (input.workspaceId === everyWorkspace) {
    throw new TokenRefusedError('An access token belongs to one workspace. Name its id instead of "*".');
  }
  const createdAtMs = clock.nowMs();
  const lifeMs = checkTtl(input.ttlSeconds ?? ttlSecondsDefault) * 1000;
  // The claim has whole seconds; row and claim must be equal.
  const expiresAtMs = Math.ceil((createdAtMs + lifeMs) / 1000) * 1000;
  const parent = input.parentToken?.owner === true ? undefined : input.parentToken;
  const scopes = grantedScopes(input.scopes, input.path);
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
  };
  const token = signJwt(key, makeClaims({ ...row, issuedAtMs: createdAtMs, parentTokens }));
  if (token.length > tokenCharsMax) {
    throw new TokenRefusedError('too many scopes for one token: use fewer or shorter scopes');
  }
  await store.insert(row);
  return { token, row };
}

function issueUiToken(
  { clock, ids, key, ownerTokenId }: SignedTokenDeps,
  ttlMs: number,
): { token: string; expiresAtMs: number } {
  const issuedAtMs = clock.nowMs();
  const expiresAtMs = Math.ceil((issuedAtMs + ttlMs) / 1000) * 1000;
  const claims = makeClaims({
    tokenId: ids.tokenId(),
    workspaceId: everyWorkspace,
    agent: 'ui',
    scopes: bareScopes,
    issuedAtMs,
    expiresAtMs,
    ownerTokenId,
  });
  return { token: signJwt(key, claims), expiresAtMs };
}

/** Its own id and those of the tokens that issued it. */
export function tokenChainIds({
  tokenId,
  parentTokens,
}: Pick<VerifiedToken, 'tokenId' | 'parentTokens'>): readonly string[] {
  return [tokenId, ...parentTokens.map((parent) => parent.tokenId)].filter((id) => id !== null);
}

/** All tokens that one token issued share its quota. */
function deleteLimitsOf(token: VerifiedToken): readonly DeleteLimit[] {
  const root = tokenChainIds(token).at(-1);
  const perMinute = token.deletesPerMinute;
  return root === undefined || perMinute === null ? [] : [{ tokenId: root, perMinute }];
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

function unauthorized(message: string): Verification {
  return { ok: false, code: 'unauthorized', message };
}

/** The token of the file while it is valid, otherwise a new one. Removing the file before a start revokes the old token. */
function openOwnerToken(
  { clock, ids, ownerTokenFile }: TokenServiceOptions,
  key: SigningKey,
): { readonly token: string; readonly tokenId: string } {
  const nowMs = clock.nowMs();
  const stored = readPrivateFile(ownerTokenFile)?.trim() ?? '';
  const jwt = parseJwt(stored);
  if (jwt.ok && isSignedBy(key, jwt.value)) {
    const claims = readClaims(jwt.value.payload, nowMs + ownerRenewBeforeMs);
    if (claims.ok && claims.value.workspaceId === everyWorkspace && claims.value.tokenId !== null) {
      return { token: stored, tokenId: claims.value.tokenId };
    }
  }
  const tokenId = ids.tokenId();
  const expiresAtMs = nowMs + ownerTtlMs;
  const claims = makeClaims({
    tokenId,
    workspaceId: everyWorkspace,
    agent: 'owner',
    scopes: bareScopes,
    issuedAtMs: nowMs,
    expiresAtMs,
  });
  const token = signJwt(key, claims);
  writePrivateFile(ownerTokenFile, `${token}\n`);
  return { token, tokenId };
}
