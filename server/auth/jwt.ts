// The form of a token (contract 1.1): taking it apart, signing and checking it under the local key, reading its claims. Every
// message of a 401 is made here. It never decides what a token may do, and never trusts a claim before the signature.
//
// HS256 for our own tokens: this agent alone makes and checks them, so a secret serves as well as a key pair, and a check costs
// 4 us, where EdDSA takes 113, ES256 82 and RS256 25 (Node 24, 600 bytes, 2 cores).
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

export interface SigningKey {
  readonly kid: string;
  readonly secret: KeyObject;
}

/** At least the output of SHA-256 (RFC 7518, 3.2). */
export const secretBytes = 32;
/** Longer ones are not looked at; 64 scopes with paths fit. */
export const tokenCharsMax = 16_384;
const tokenPrefixes = ['relay_pa_', 'relay_ws_', 'relay_id_', 'relay_ag_'];
const audience = 'relayfile';

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

function fail(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}

// ---- taking apart

export interface ParsedJwt {
  readonly compact: string;
  readonly alg: string;
  readonly kid: string | null;
  readonly payload: Buffer;
  readonly signature: Buffer;
  readonly signedText: string;
}

/** Issuers put a prefix before their tokens (contract 1.1); it is not part of them. */
export function withoutPrefix(bearer: string): string {
  const token = bearer.trim();
  const prefix = tokenPrefixes.find((one) => token.startsWith(one));
  return prefix === undefined ? token : token.slice(prefix.length);
}

/** `compact`: without a prefix. */
export function parseJwt(compact: string): Checked<ParsedJwt> {
  const parts = compact.split('.');
  const [headerText, payloadText, signatureText] = parts;
  if (parts.length !== 3 || compact.length > tokenCharsMax) return fail('invalid jwt format');
  const header = parseObject(decode(headerText));
  // A critical extension that is not understood makes a token invalid (RFC 7515, 4.1.11); this agent understands none.
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

/** Base64url in its one canonical spelling, so that no changed letter of a token means the same; null for any other. */
function decode(text: string | undefined): Buffer | null {
  if (text === undefined) return null;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

function parseObject(bytes: Buffer | null): Readonly<Record<string, unknown>> | null {
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
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
  readonly tokenId: string | null;
  readonly workspaceId: string;
  readonly agent: string;
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
  readonly deletesPerMinute: number | null;
  /** The owner token under which a UI token was made; null for every other. */
  readonly ownerTokenId: string | null;
  /** The tokens under which it was made, the nearest first. */
  readonly under: readonly TokenIssuer[];
}

/** A token under which another one was made. */
export interface TokenIssuer {
  readonly tokenId: string | null;
  readonly agent: string;
  readonly scopes: readonly string[];
}

/** Only after the signature was found good. Expired is what ends at this very moment. */
export function readClaims(payload: Buffer, nowMs: number): Checked<Claims> {
  const claims = parseObject(payload);
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
  const under = issuersOf(claims.under);
  if (under === null) return fail('invalid jwt payload');
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
      under,
    },
  };
}

/** null: it is there and cannot be read; then nobody knows what the token may not do. */
function issuersOf(claim: unknown): readonly TokenIssuer[] | null {
  if (claim === undefined) return [];
  if (!Array.isArray(claim)) return null;
  const grantors: TokenIssuer[] = [];
  for (const one of claim as readonly unknown[]) {
    const { jti, sub, scopes } = (one ?? {}) as Readonly<Record<string, unknown>>;
    const agent = textOf(sub);
    if (agent === null) return null;
    grantors.push({ tokenId: textOf(jti), agent, scopes: scopesOf(scopes) });
  }
  return grantors;
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim !== '' ? claim : null;
}

function holdsAudience(claim: unknown): boolean {
  const audiences: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return audiences.some((one) => typeof one === 'string' && one.trim() === audience);
}

/** A list of texts or one text with white space between them; no scopes at all is not a fault of the token (403, not 401). */
function scopesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(/\s+/).filter((scope) => scope !== '');
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string' && scope !== '') : [];
}

/** All four names under which clients look for workspace and agent (contract 1.1). */
export function makeClaims(input: {
  readonly tokenId: string;
  readonly workspaceId: string;
  readonly agent: string;
  readonly scopes: readonly string[];
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  readonly deletesPerMinute?: number | null;
  readonly ownerTokenId?: string;
  readonly under?: readonly TokenIssuer[];
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
    ...(input.ownerTokenId === undefined ? {} : { owner_token: input.ownerTokenId }),
    ...(input.under === undefined || input.under.length === 0
      ? {}
      : { under: input.under.map(({ tokenId, agent, scopes }) => ({ jti: tokenId, sub: agent, scopes })) }),
  };
}
