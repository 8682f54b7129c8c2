// Tokens: issue, verify, revoke. What a verified token may do is decided in core/scope.

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
  /** null for tokens of an external issuer without `jti`. */
  readonly tokenId: string | null;
  /** `*` only for owner and UI tokens of the local key. */
  readonly workspaceId: string;
  readonly agent: string;
  /** Scope strings as they stand in the token. */
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
  /** Owner or UI token: may manage workspaces, tokens, mirrors, settings. */
  readonly owner: boolean;
  readonly deletesPerMinute: number | null;
  /** The tokens under which it was made, the nearest first: with any of them it is revoked, and it may no more than each. */
  readonly under: readonly TokenIssuer[];
}

export type Verification =
  | { readonly ok: true; readonly token: VerifiedToken }
  /** `unauthorized` -> 401 with this message; `unavailable` -> 503 (JWKS endpoint unreachable). */
  | { readonly ok: false; readonly code: 'unauthorized' | 'unavailable'; readonly message: string };

export interface TokenService {
  /** `bearer` is the bare token (after `Bearer ` or from the query); undefined when there was none. */
  verify(bearer: string | undefined): Promise<Verification>;
  /** Rejects with a TokenRefusedError: scopes, path, agent, life or quota cannot be. `under`: the token of whoever asks; what is
   * made may then no more than it, ends with it at the latest, and counts its deletes as its own. */
  issue(input: {
    under?: VerifiedToken;
    workspaceId: string;
    agent?: string;
    scopes?: readonly string[];
    path?: string;
    ttlSeconds?: number;
    deletesPerMinute?: number;
  }): Promise<{ token: string; row: TokenRow }>;
  list(workspaceId: string): Promise<readonly TokenRow[]>;
  /** false: unknown. From this moment on `verify` refuses it and `onRevoked` listeners were told. */
  revoke(workspaceId: string, tokenId: string): Promise<boolean>;
  onRevoked(listener: (tokenId: string) => void): () => void;
  /** false: the quota of this token is used up for this minute. */
  takeDelete(token: VerifiedToken): boolean;
  /** What its deletions count against; none: they are not limited. */
  deleteLimitsOf(token: VerifiedToken): readonly DeleteLimit[];
  /** Where deletions are counted, also those of queues. */
  readonly deletes: DeleteLedger;
  /** The bare owner token (also in `<data-dir>/owner.token`). */
  ownerToken(): string;
}

/** What the composition root gets: also what sign-in makes its tokens with. */
export interface LocalTokens extends TokenService {
  /** For the UI: may do what the owner may, for that long. */
  issueUi(ttlMs: number): { token: string; expiresAtMs: number };
}

/** Sign-in of the browser UI: single-use codes of 60 s, exchanged for a UI token that renews itself. */
export interface SignIn {
  createCode(): { code: string; expiresAtMs: number };
  /** null: unknown, used or expired. */
  exchange(code: string): Promise<{ token: string; expiresAtMs: number } | null>;
  /** A fresh UI token for a still valid one. */
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

/** Every workspace (contract ruling 24). */
const everyWorkspace = '*';
const dayMs = 86_400_000;
/** A file that is rewritten in time: at a start less than a month before its end. */
const ownerTtlMs = 3_650 * dayMs;
const ownerRenewBeforeMs = 30 * dayMs;
const revokedMessage = 'token revoked';

/** Makes key and owner token on the first start. Throws a SigningKeyError when the key file cannot be used. */
export async function createTokenService(options: TokenServiceOptions): Promise<LocalTokens> {
  const { store, clock, ids, jwks } = options;
  const key = openSigningKey(options.keyFile);
  const owner = openOwnerToken(options, key);
  const cache = createVerifiedCache<VerifiedToken>();
  const deletes = createDeleteLedger(clock);
  const revoked = new Set(await store.revokedIds(clock.nowMs()));
  const listeners = new Set<(tokenId: string) => void>();
  const uses = createTokenUses(store, clock);

  const isRevoked = (token: VerifiedToken) => tokenChainIds(token).some((tokenId) => revoked.has(tokenId));

  /** `*` counts under the local key only, and only for the owner token in force and the UI tokens made under it. */
  function accept(claims: Claims, local: boolean): VerifiedToken | null {
    const { ownerTokenId, ...token } = claims;
    if (claims.workspaceId !== everyWorkspace) return { ...token, owner: false };
    const ofOwner = claims.tokenId === owner.tokenId || ownerTokenId === owner.tokenId;
    return local && ofOwner ? { ...token, owner: true } : null;
  }

  async function check(jwt: ParsedJwt): Promise<Verification> {
    const local = jwt.alg === 'HS256';
    if (!local && !(jwt.alg === 'RS256' && jwks !== null)) return unauthorized('unsupported jwt algorithm');
    if (local && !isSignedBy(key, jwt)) return unauthorized('jwt signature mismatch');
    if (!local && jwks !== null) {
      if (jwt.kid === null) return unauthorized('invalid jwt header');
      const outcome = await jwks.verify(jwt);
      if (outcome === 'unavailable') return { ok: false, code: 'unavailable', message: 'jwks unreachable' };
      if (outcome === 'mismatch') return unauthorized('jwt signature mismatch');
    }
    const nowMs = clock.nowMs();
    const claims = readClaims(jwt.payload, nowMs);
    if (!claims.ok) return unauthorized(claims.message);
    const token = accept(claims.value, local);
    if (token === null) return unauthorized(local ? revokedMessage : 'missing workspace claim');
    // An issuer may withdraw a key: its tokens are checked again as often as its keys are.
    cache.put(jwt.compact, token, local ? token.expiresAtMs : nowMs + keysFreshMs);
    return { ok: true, token };
  }

  /** The last step of a verification: what was revoked is refused, what is good counts as used. */
  function admit(token: VerifiedToken): Verification {
    if (isRevoked(token)) return unauthorized(revokedMessage);
    if (token.tokenId !== null && !token.owner) uses.note(token.tokenId);
    return { ok: true, token };
  }

  async function verify(bearer: string | undefined): Promise<Verification> {
    if (bearer === undefined) return unauthorized('missing or invalid bearer token');
    const compact = withoutPrefix(bearer);
    const known = cache.get(compact, clock.nowMs());
    if (known !== null) return admit(known);
    const jwt = parseJwt(compact);
    if (!jwt.ok) return unauthorized(jwt.message);
    const checked = await check(jwt.value);
    return checked.ok ? admit(checked.token) : checked;
  }

  async function issue(
    input: Parameters<TokenService['issue']>[0],
  ): Promise<{ token: string; row: TokenRow }> {
    if (input.workspaceId === everyWorkspace) throw new TokenRefusedError('a token is for one workspace');
    const createdAtMs = clock.nowMs();
    const lifeMs = checkTtl(input.ttlSeconds ?? ttlSecondsDefault) * 1000;
    // The claim has whole seconds; both say the same.
    const expiresAtMs = Math.ceil((createdAtMs + lifeMs) / 1000) * 1000;
    const grantor = input.under?.owner === true ? undefined : input.under;
    const scopes = grantedScopes(input.scopes, input.path);
    const under = grantor === undefined ? [] : issuersAbove(grantor, scopes);
    const row: TokenRow = {
      tokenId: ids.tokenId(),
      workspaceId: input.workspaceId,
      agent: checkAgent(input.agent ?? agentDefault),
      scopes,
      createdAtMs,
      expiresAtMs: Math.min(expiresAtMs, grantor?.expiresAtMs ?? expiresAtMs),
      revokedAtMs: null,
      deletesPerMinute: grantor?.deletesPerMinute ?? checkDeletesPerMinute(input.deletesPerMinute),
      lastUsedAtMs: null,
    };
    const token = signJwt(key, makeClaims({ ...row, issuedAtMs: createdAtMs, under }));
    if (token.length > tokenCharsMax) throw new TokenRefusedError('so many scopes do not fit into a token');
    await store.insert(row);
    return { token, row };
  }

  return {
    verify,
    issue,
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
    issueUi(ttlMs) {
      const issuedAtMs = clock.nowMs();
      const expiresAtMs = Math.ceil((issuedAtMs + ttlMs) / 1000) * 1000;
      const claims = makeClaims({
        tokenId: ids.tokenId(),
        workspaceId: everyWorkspace,
        agent: 'ui',
        scopes: bareScopes,
        issuedAtMs,
        expiresAtMs,
        ownerTokenId: owner.tokenId,
      });
      return { token: signJwt(key, claims), expiresAtMs };
    },
  };
}

/** Its own id and those of the tokens under which it was made. */
export function tokenChainIds({
  tokenId,
  under,
}: Pick<VerifiedToken, 'tokenId' | 'under'>): readonly string[] {
  return [tokenId, ...under.map((grantor) => grantor.tokenId)].filter((id) => id !== null);
}

/** All tokens that were made under one share its quota. */
function deleteLimitsOf(token: VerifiedToken): readonly DeleteLimit[] {
  const root = tokenChainIds(token).at(-1);
  const perMinute = token.deletesPerMinute;
  return root === undefined || perMinute === null ? [] : [{ tokenId: root, perMinute }];
}

/** What a token made under this one carries with it. */
function issuersAbove(grantor: VerifiedToken, scopes: readonly string[]): readonly TokenIssuer[] {
  const uncovered = scopeOutside(grantor.scopes, scopes);
  if (uncovered !== null)
    throw new ScopesExceededError(`"${uncovered}" is more than the token that asks may do`);
  if (grantor.under.length >= delegationsMax) {
    throw new TokenRefusedError(`at most ${delegationsMax} tokens are made one under the other`);
  }
  const { tokenId, agent } = grantor;
  return [{ tokenId, agent, scopes: grantor.scopes }, ...grantor.under];
}

function unauthorized(message: string): Verification {
  return { ok: false, code: 'unauthorized', message };
}

/** The token in the file while it serves; else a new one. Removing the file before a start ends the old one. */
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
