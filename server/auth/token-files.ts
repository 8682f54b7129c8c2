// Opens the signing key and the owner token in the data directory, readable by this user only; creates both on the first start.
import { hash, randomBytes } from 'node:crypto';
import { bareScopes } from '../core/access/scope.ts';
import { readPrivateFile, writePrivateFile } from '../platform/files/private-files.ts';
import {
  everyWorkspace,
  isSignedBy,
  makeClaims,
  parseJwt,
  readClaims,
  type SigningKey,
  secretBytes,
  signingKey,
  signJwt,
} from './jwt.ts';
import type { TokenIssuing } from './token-issuing.ts';

/** The key file exists but is unusable. A new key would silently invalidate every issued token. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

const kidChars = 16;
const dayMs = 86_400_000;
/** The owner token is replaced at a start less than 30 days before it expires. */
const ownerTtlMs = 3_650 * dayMs;
const ownerRenewBeforeMs = 30 * dayMs;

/** JSON Web Key (RFC 7518, 6.4). */
interface KeyFile {
  readonly kty: 'oct';
  readonly alg: 'HS256';
  readonly kid: string;
  readonly k: string;
}

export function openSigningKey(file: string): SigningKey {
  const text = readPrivateFile(file);
  if (text === null) return makeKey(file);
  const stored = parseKeyFile(text);
  const secret = stored === null ? null : Buffer.from(stored.k, 'base64url');
  if (stored === null || secret === null || secret.length < secretBytes) {
    throw new SigningKeyError(
      `${file} does not contain a signing key. Restore it from a backup, or remove it: the next start creates a new key, and every existing token becomes invalid.`,
    );
  }
  return signingKey(stored.kid, secret);
}

function makeKey(file: string): SigningKey {
  const secret = randomBytes(secretBytes);
  const kid = hash('sha256', secret, 'hex').slice(0, kidChars);
  const content: KeyFile = { kty: 'oct', alg: 'HS256', kid, k: secret.toString('base64url') };
  writePrivateFile(file, `${JSON.stringify(content)}\n`);
  return signingKey(kid, secret);
}

function parseKeyFile(text: string): KeyFile | null {
  try {
    const value = JSON.parse(text) as Partial<KeyFile> | null;
    const isComplete =
      value?.kty === 'oct' &&
      value.alg === 'HS256' &&
      typeof value.kid === 'string' &&
      typeof value.k === 'string';
    return isComplete ? (value as KeyFile) : null;
  } catch {
    return null;
  }
}

/** The token of the file while it is valid, otherwise a new one. Removing the file before a start revokes the old token. */
export function openOwnerToken(
  { clock, ids, key }: Pick<TokenIssuing, 'clock' | 'ids' | 'key'>,
  ownerTokenFile: string,
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
