// Verifies, lists and revokes tokens. What a verified token may do is decided in core/access/scope; token-issuing.ts issues them.

import type { DeleteLedger, DeleteLimit } from '../core/access/authority.ts';
import type { TokenRow } from '../store/port/store.ts';
import { createDeleteLedger } from './delete-quota.ts';
import { type Jwks, keysFreshMs } from './jwks.ts';
import {
  type Claims,
  everyWorkspace,
  isSignedBy,
  type ParsedJwt,
  parseJwt,
  readClaims,
  type VerifiedToken,
  withoutPrefix,
} from './jwt.ts';
import type { KeyStore } from './key-store.ts';
import { pacedLook } from './paced-look.ts';
import { issueToken, issueUiToken, type TokenIssuing, type TokenRequest } from './token-issuing.ts';
import { makeKeyText, openOwnerToken, signingKeyOf } from './token-keys.ts';
import { createTokenUses, type TokenUses } from './token-uses.ts';
import { noUsers, type UserDirectory } from './user-directory.ts';
import { createUserTokens, type UserTokens } from './user-tokens.ts';

export type { TokenRow } from '../store/port/store.ts';
export type { VerifiedToken } from './jwt.ts';
export { ScopesExceededError, TokenRefusedError } from './token-issuing.ts';

export type Verification =
  | { readonly ok: true; readonly token: VerifiedToken }
  /** `unauthorized`: 401 with this message. `unavailable`: 503, the JWKS endpoint is unreachable. */
  | { readonly ok: false; readonly code: 'unauthorized' | 'unavailable'; readonly message: string };

interface TokenServiceDeps extends TokenIssuing {
  /** External issuer; null: only tokens of the local key are accepted. */
  readonly jwks: Jwks | null;
  readonly ownerToken: string;
  /** Default: those of this process. */
  readonly deletes?: DeleteLedger;
  /** Reports to the other processes of a hub that a token was revoked. */
  readonly announce?: () => void;
  /** Default: there are none. */
  readonly users?: UserDirectory;
}

export interface TokenServiceOptions
  extends Pick<TokenServiceDeps, 'store' | 'clock' | 'ids' | 'jwks' | 'deletes' | 'announce' | 'users'> {
  readonly keys: KeyStore;
}

const revokedMessage = 'token revoked';
/** Many more than the clients of one machine use. */
const cachedTokensMax = 1_000;

/** Creates the key and the owner token on the first start. Throws a SigningKeyError when the key file is unusable. */
export async function createTokenService({ keys, ...options }: TokenServiceOptions): Promise<TokenService> {
  const key = signingKeyOf(await keys.signingKey(makeKeyText), keys.place);
  const { token: ownerToken, tokenId: ownerTokenId } = await openOwnerToken({ ...options, key }, keys);
  const revokedIds = await options.store.revokedIds(options.clock.nowMs());
  return new TokenService({ ...options, key, ownerToken, ownerTokenId }, revokedIds);
}

export class TokenService {
  /** Counts deletions, also those of queued requests. */
  readonly deletes: DeleteLedger;
  readonly #deps: TokenServiceDeps;
  readonly #cache = createVerifiedCache<VerifiedToken>();
  readonly #revoked: Set<string>;
  /** Ids of the sign-in sessions: a UI token of another id is refused. */
  readonly #signedIn = new Set<string>();
  readonly #listeners = new Set<(tokenId: string) => void>();
  readonly #uses: TokenUses;
  /** Another process of a hub may have started the session of a UI token. */
  #lookForSessions: (() => Promise<void>) | null = null;
  readonly #users: UserTokens;
  readonly #lookForUsers: () => Promise<void>;

  constructor(deps: TokenServiceDeps, revokedIds: readonly string[]) {
    this.#deps = deps;
    this.#revoked = new Set(revokedIds);
    this.#uses = createTokenUses(deps.store, deps.clock);
    this.#users = createUserTokens(deps.users ?? noUsers);
    this.#lookForUsers = pacedLook(async () => await deps.users?.refresh(), deps.clock);
    this.deletes = deps.deletes ?? createDeleteLedger(deps.clock);
  }

  /** The bare owner token (also in `<data-dir>/owner.token`). */
  ownerToken(): string {
    return this.#deps.ownerToken;
  }

  /** `bearer` is the token after `Bearer ` or from the query; undefined when the request has none. */
  async verify(bearer: string | undefined): Promise<Verification> {
    const { clock } = this.#deps;
    if (bearer === undefined) return unauthorized('missing or invalid bearer token');
    const compact = withoutPrefix(bearer);
    const cached = this.#cache.get(compact, clock.nowMs());
    if (cached !== null) return await this.#admit(cached);
    const jwt = parseJwt(compact);
    if (!jwt.ok) return unauthorized(jwt.message);
    const checked = await verifySigned(this.#deps, jwt.value);
    if (!checked.ok) return checked;
    const { token } = checked;
    // An issuer may withdraw a key, so its tokens are verified again as often as its keys are fetched.
    this.#cache.put(compact, token, isLocal(jwt.value) ? token.expiresAtMs : clock.nowMs() + keysFreshMs);
    return await this.#admit(token);
  }

  /** Rejects with a TokenRefusedError when scopes, path, agent, lifetime or quota are invalid. */
  issue(request: TokenRequest): Promise<{ token: string; row: TokenRow }> {
    return issueToken(this.#deps, request);
  }

  /** The id of the owner token, with which UI tokens end. */
  ownerTokenId(): string {
    return this.#deps.ownerTokenId;
  }

  /** From now on UI tokens of this sign-in session are valid. */
  admitUi(sessionId: string): void {
    this.#signedIn.add(sessionId);
  }

  /** `look` admits the sessions that others have started; called before a UI token of an unknown session is refused. */
  followSessions(look: () => Promise<void>): void {
    this.#lookForSessions = pacedLook(look, this.#deps.clock);
  }

  /** A token for the UI, valid while `sessionId` is admitted, with the rights of the user or (null) of the owner. */
  issueUi(ttlMs: number, sessionId: string, userId: string | null): { token: string; expiresAtMs: number } {
    return issueUiToken(this.#deps, ttlMs, sessionId, userId);
  }

  /** The rights of a sign-in session of a user in a workspace. Any other token unchanged. */
  inWorkspace(token: VerifiedToken, workspaceId: string): VerifiedToken {
    return this.#users.inWorkspace(token, workspaceId);
  }

  /** A short-lived token with the rights of the owner, which ends with the owner token. */
  issueForOwner(ttlMs: number): { token: string; expiresAtMs: number } {
    return issueUiToken(this.#deps, ttlMs, this.#deps.ownerTokenId);
  }

  /** When it returns, `verify` refuses the UI tokens of the session and the `onRevoked` listeners were called. */
  endUi(sessionId: string): void {
    if (this.#signedIn.delete(sessionId)) this.announceEnd([sessionId]);
  }

  /** Ends what is open under these ids: of sign-in sessions, and of roles that were changed or removed. */
  announceEnd(ids: readonly string[]): void {
    for (const id of ids) for (const listener of this.#listeners) listener(id);
  }

  /** Tokens that a command has revoked with their user's role: refused from now on. */
  refuse(tokenIds: readonly string[]): void {
    for (const tokenId of tokenIds) this.#revoked.add(tokenId);
    this.announceEnd(tokenIds);
  }

  async list(workspaceId: string): Promise<readonly TokenRow[]> {
    return (await this.#deps.store.list(workspaceId)).map((row) => this.#uses.withLastUse(row));
  }

  /** false: unknown, or not of that user. When it resolves, `verify` refuses the token and the `onRevoked` listeners were called. */
  async revoke(workspaceId: string, tokenId: string, ofUserId: string | null = null): Promise<boolean> {
    const { store, clock } = this.#deps;
    if (ofUserId !== null && (await store.get(tokenId))?.userId !== ofUserId) return false;
    if (!(await store.revoke({ workspaceId, tokenId, atMs: clock.nowMs() }))) return false;
    this.refuse([tokenId]);
    this.#deps.announce?.();
    return true;
  }

  onRevoked(listener: (tokenId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** false: the delete quota of this minute does not cover so many; nothing is taken then. */
  async takeDeletes(token: VerifiedToken, count: number): Promise<boolean> {
    return await this.deletes.take(this.deleteLimitsOf(token), count);
  }

  /** The limits that its deletions count against, shared by all tokens that one token issued; empty: unlimited. */
  deleteLimitsOf(token: VerifiedToken): readonly DeleteLimit[] {
    const root = issuedIds(token).at(-1);
    const perMinute = token.deletesPerMinute;
    return root === undefined || perMinute === null ? [] : [{ tokenId: root, perMinute }];
  }

  /** What other processes of a hub have revoked: their tokens are refused, and the `onRevoked` listeners called. */
  async followRevocations(): Promise<void> {
    for (const tokenId of await this.#deps.store.revokedIds(this.#deps.clock.nowMs())) {
      if (!this.#revoked.has(tokenId)) this.refuse([tokenId]);
    }
  }

  /** The last step of a verification: refuses a revoked token and records the use of a valid one. */
  async #admit(token: VerifiedToken): Promise<Verification> {
    if (issuedIds(token).some((tokenId) => this.#revoked.has(tokenId))) return unauthorized(revokedMessage);
    const isOfSession = token.workspaceId === everyWorkspace && token.tokenId !== this.#deps.ownerTokenId;
    if (isOfSession && !(await this.#isSignedIn(token.tokenId))) return unauthorized('signed out');
    let now = this.#users.now(token);
    if (typeof now === 'string') {
      // Another process may have added the user or the role a moment ago.
      await this.#lookForUsers();
      now = this.#users.now(token);
    }
    if (typeof now === 'string') return unauthorized(now);
    if (token.tokenId !== null && token.workspaceId !== everyWorkspace) this.#uses.record(token.tokenId);
    return { ok: true, token: now };
  }

  async #isSignedIn(sessionId: string | null): Promise<boolean> {
    if (sessionId === null) return false;
    if (!this.#signedIn.has(sessionId)) await this.#lookForSessions?.();
    return this.#signedIn.has(sessionId);
  }
}

function isLocal(jwt: ParsedJwt): boolean {
  return jwt.alg === 'HS256';
}

async function verifySigned(deps: TokenServiceDeps, jwt: ParsedJwt): Promise<Verification> {
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
function tokenOf({ ownerTokenId }: TokenServiceDeps, claims: Claims, local: boolean): VerifiedToken | null {
  const { ownerTokenId: issuedBy, ...rest } = claims;
  // Another issuer knows no user of this server.
  const token = { ...rest, userId: local ? claims.userId : null, user: null };
  if (claims.workspaceId !== everyWorkspace) return { ...token, owner: false };
  const isOwner = claims.tokenId === ownerTokenId || issuedBy === ownerTokenId;
  return local && isOwner ? { ...token, owner: claims.userId === null } : null;
}

/** Its own id and those of the tokens that issued it, and that of the role of its user: it ends with any of them. */
export function tokenChainIds(
  token: Pick<VerifiedToken, 'tokenId' | 'parentTokens' | 'user'>,
): readonly string[] {
  const roleId = token.user?.role?.roleId;
  return [...issuedIds(token), ...(roleId === undefined ? [] : [roleId])];
}

function issuedIds({
  tokenId,
  parentTokens,
}: Pick<VerifiedToken, 'tokenId' | 'parentTokens'>): readonly string[] {
  return [tokenId, ...parentTokens.map((parent) => parent.tokenId)].filter((id) => id !== null);
}

function unauthorized(message: string): Verification {
  return { ok: false, code: 'unauthorized', message };
}

/**
 * A bounded cache of verified tokens, so that a request does not repeat the signature check. No entry outlives its token. The caller
 * checks revocation for each request.
 */
export function createVerifiedCache<T extends { readonly expiresAtMs: number }>(
  entriesMax = cachedTokensMax,
) {
  // Least recently used first: a Map keeps insertion order, and a hit is inserted again.
  const entries = new Map<string, { readonly token: T; readonly untilMs: number }>();
  return {
    get(compact: string, nowMs: number): T | null {
      const entry = entries.get(compact);
      if (entry === undefined) return null;
      entries.delete(compact);
      if (nowMs >= entry.untilMs) return null;
      entries.set(compact, entry);
      return entry.token;
    },
    /** `untilMs` limits the entry's lifetime, for a key that its issuer may withdraw. */
    put(compact: string, token: T, untilMs = token.expiresAtMs): void {
      entries.delete(compact);
      entries.set(compact, { token, untilMs: Math.min(untilMs, token.expiresAtMs) });
      if (entries.size <= entriesMax) return;
      const oldest = entries.keys().next();
      if (oldest.done !== true) entries.delete(oldest.value);
    },
  };
}
