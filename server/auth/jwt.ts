// Parses, signs and verifies tokens and reads their claims (docs/wire-contract.md#tokens-and-scopes). The messages of a 401 are
// here. It never decides what a token may do, and never trusts a claim before the signature.
//
// The agent's own tokens use HS256: only this agent issues and verifies them, so a secret is as good as a key pair. Verification
// takes 4 µs, against 113 µs for EdDSA, 82 µs for ES256 and 25 µs for RS256 (Node 24, 600 bytes, 2 cores).
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { parseRecord } from '../platform/json/json.ts';
import type { TokenUser } from './user-directory.ts';

export interface SigningKey {
  readonly kid: string;
  readonly secret: KeyObject;
}

/** At least the size of a SHA-256 hash (RFC 7518, 3.2). */
export const secretBytes = 32;
/** Longer tokens are rejected before they are parsed; 64 scopes with paths fit. */
export const tokenCharsMax = 16_384;
const tokenPrefixes = ['relay_pa_', 'relay_ws_', 'relay_id_', 'relay_ag_'];
const audience = 'relayfile';

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

function fail(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}

// ---- parsing

export interface ParsedJwt {
  readonly compact: string;
  readonly alg: string;
  readonly kid: string | null;
  readonly payload: Buffer;
  readonly signature: Buffer;
  readonly signedText: string;
}

/** Issuers add a prefix to their tokens; the signature does not cover it. */
export function withoutPrefix(bearer: string): string {
  const token = bearer.trim();
  const prefix = tokenPrefixes.find((known) => token.startsWith(known));
  return prefix === undefined ? token : token.slice(prefix.length);
}

/** `compact`: without a prefix. */
export function parseJwt(compact: string): Checked<ParsedJwt> {
  const segments = compact.split('.');
  const [headerText, payloadText, signatureText] = segments;
  if (segments.length !== 3 || compact.length > tokenCharsMax) return fail('invalid jwt format');
  const header = parseClaims(decode(headerText));
  // A critical extension that is not supported makes a token invalid (RFC 7515, 4.1.11); this agent supports none.
  if (header === null || 'crit' in header) return fail('invalid jwt header');
  if (typeof header.alg !== 'string') return fail('unsupported jwt algorithm');
  const payload = decode(payloadText);
  if (payload === null) return fail('invalid jwt payload');
  const signature = decode(signatureText);
  if (signature === null) return fail('invalid jwt signature');
  const kid = typeof header.kid === 'string' ? header.kid : null;
  const signedText = `${headerText}.${payloadText}`;
  return { ok: true, value: { compact, alg: header.alg, kid, payload, signature, signedText } };
}

/** null unless the text is canonical base64url: two different tokens must not decode to the same bytes. */
function decode(text: string | undefined): Buffer | null {
  if (text === undefined) return null;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

function parseClaims(bytes: Buffer | null): Readonly<Record<string, unknown>> | null {
  return bytes === null ? null : parseRecord(bytes.toString('utf8'));
}

// ---- the local key

export function signingKey(kid: string, secret: Uint8Array): SigningKey {
  return { kid, secret: createSecretKey(secret) };
}

export function signJwt(key: SigningKey, claims: Readonly<Record<string, unknown>>): string {
  const header = encode({ alg: 'HS256', typ: 'JWT', kid: key.kid });
  const signedText = `${header}.${encode(claims)}`;
  return `${signedText}.${macOf(key, signedText).toString('base64url')}`;
}

export function isSignedBy(key: SigningKey, jwt: ParsedJwt): boolean {
  if (jwt.alg !== 'HS256' || jwt.kid !== key.kid) return false;
  const expected = macOf(key, jwt.signedText);
  return jwt.signature.length === expected.length && timingSafeEqual(jwt.signature, expected);
}

function macOf(key: SigningKey, text: string): Buffer {
  return createHmac('sha256', key.secret).update(text).digest();
}

function encode(value: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

// ---- claims

export interface Claims {
  /** null: a token of an external issuer without `jti`. */
  readonly tokenId: string | null;
  /** `*` only for owner and UI tokens of the local key. */
  readonly workspaceId: string;
  readonly agent: string;
  /** Scope strings, unparsed. */
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
  readonly deletesPerMinute: number | null;
  /** The owner token that issued a UI token; null for every other token. */
  readonly ownerTokenId: string | null;
  /** The tokens that issued this one, nearest first. It may do only what each of them may, and is revoked with any of them. */
  readonly parentTokens: readonly TokenIssuer[];
  /** The only fork that it may read and write; null: not confined to one. */
  readonly forkId: string | null;
  /** The user to whom it belongs; null: to none. Only of the local key. */
  readonly userId: string | null;
}

/** Workspace claim of owner and UI tokens (docs/wire-contract.md#tokens-and-scopes). */
export const everyWorkspace = '*';

export interface VerifiedToken extends Omit<Claims, 'ownerTokenId'> {
  /** Owner or UI token: may manage workspaces, tokens, mirrors, settings. */
  readonly owner: boolean;
  /** null: it belongs to no user. */
  readonly user: TokenUser | null;
}

/** A token with which another one was issued. */
export interface TokenIssuer {
  readonly tokenId: string | null;
  readonly agent: string;
  readonly scopes: readonly string[];
}

/** Call only after the signature was verified. A token is expired from the moment of `exp` on. */
export function readClaims(payload: Buffer, nowMs: number): Checked<Claims> {
  const claims = parseClaims(payload);
  if (claims === null) return fail('invalid jwt payload');
  const workspaceId = textOf(claims.wks) ?? textOf(claims.workspace_id);
  if (workspaceId === null) return fail('missing workspace claim');
  const agent = textOf(claims.sub) ?? textOf(claims.agent_name);
  if (agent === null) return fail('missing subject claim');
  const { exp } = claims;
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return fail('invalid exp claim');
  const expiresAtMs = Math.floor(exp) * 1000;
  if (nowMs >= expiresAtMs) return fail('token expired');
  if (!holdsAudience(claims.aud)) return fail('invalid aud claim');
  const parentTokens = issuersOf(claims.under);
  if (parentTokens === null) return fail('invalid jwt payload');
  const forkId = textOf(claims.fork_id);
  // A confinement that cannot be read must not be none.
  if (forkId === null && claims.fork_id !== undefined) return fail('invalid jwt payload');
  const quota = claims.deletes_per_minute;
  return {
    ok: true,
    value: {
      tokenId: textOf(claims.jti),
      workspaceId,
      agent,
      scopes: scopesOf(claims.scopes),
      expiresAtMs,
      deletesPerMinute: typeof quota === 'number' && quota >= 0 ? quota : null,
      ownerTokenId: textOf(claims.owner_token),
      parentTokens,
      forkId,
      userId: textOf(claims.user_id),
    },
  };
}

/** null: the claim is malformed, so the limits of the token are unknown. */
function issuersOf(claim: unknown): readonly TokenIssuer[] | null {
  if (claim === undefined) return [];
  if (!Array.isArray(claim)) return null;
  const issuers: TokenIssuer[] = [];
  for (const item of claim as readonly unknown[]) {
    const { jti, sub, scopes } = (item ?? {}) as Readonly<Record<string, unknown>>;
    const agent = textOf(sub);
    if (agent === null) return null;
    issuers.push({ tokenId: textOf(jti), agent, scopes: scopesOf(scopes) });
  }
  return issuers;
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim !== '' ? claim : null;
}

function holdsAudience(claim: unknown): boolean {
  const audiences: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return audiences.some((value) => typeof value === 'string' && value.trim() === audience);
}

/** A list of strings, or one string separated by white space. A token without scopes is valid: its requests get 403, not 401. */
function scopesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(/\s+/).filter((scope) => scope !== '');
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string' && scope !== '') : [];
}

/** Includes both claim names that clients read for the workspace and for the agent. */
export function makeClaims(input: {
  readonly tokenId: string;
  readonly workspaceId: string;
  readonly agent: string;
  readonly scopes: readonly string[];
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  readonly deletesPerMinute?: number | null;
  readonly ownerTokenId?: string;
  readonly parentTokens?: readonly TokenIssuer[];
  readonly forkId?: string | null;
  readonly userId?: string | null;
}): Readonly<Record<string, unknown>> {
  return {
    wks: input.workspaceId,
    workspace_id: input.workspaceId,
    sub: input.agent,
    agent_name: input.agent,
    aud: audience,
    iat: Math.floor(input.issuedAtMs / 1000),
    exp: Math.floor(input.expiresAtMs / 1000),
    jti: input.tokenId,
    scopes: input.scopes,
    ...(input.deletesPerMinute == null ? {} : { deletes_per_minute: input.deletesPerMinute }),
    ...(input.forkId == null ? {} : { fork_id: input.forkId }),
    ...(input.userId == null ? {} : { user_id: input.userId }),
    ...(input.ownerTokenId === undefined ? {} : { owner_token: input.ownerTokenId }),
    ...(input.parentTokens === undefined || input.parentTokens.length === 0
      ? {}
      : {
          under: input.parentTokens.map(({ tokenId, agent, scopes }) => ({
            jti: tokenId,
            sub: agent,
            scopes,
          })),
        }),
  };
}
