// The signing key and the owner token: both are made on the first start, and kept in a KeyStore.
import { hash, randomBytes } from 'node:crypto';
import { bareScopes } from '../core/access/scope.ts';
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
import type { KeyStore } from './key-store.ts';
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

/** Throws a SigningKeyError. `place`: where the text is from. */
export function signingKeyOf(text: string, place: string): SigningKey {
  const stored = parseKeyFile(text);
  const secret = stored === null ? null : Buffer.from(stored.k, 'base64url');
  if (stored === null || secret === null || secret.length < secretBytes) {
    throw new SigningKeyError(
      `${place} does not contain a signing key. Restore it from a backup, or remove it: the next start creates a new key, and every existing token becomes invalid.`,
    );
  }
  return signingKey(stored.kid, secret);
}

export function makeKeyText(): string {
  const secret = randomBytes(secretBytes);
  const kid = hash('sha256', secret, 'hex').slice(0, kidChars);
  const content: KeyFile = { kty: 'oct', alg: 'HS256', kid, k: secret.toString('base64url') };
  return `${JSON.stringify(content)}\n`;
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

/** The stored token while it is valid, otherwise a new one. Removing its file before a start revokes the old token. */
export async function openOwnerToken(
  deps: Pick<TokenIssuing, 'clock' | 'ids' | 'key'>,
  keys: Pick<KeyStore, 'ownerToken'>,
): Promise<{ readonly token: string; readonly tokenId: string }> {
  const { clock, key } = deps;
  const isValid = (stored: string) => ownerTokenId(key, stored, clock.nowMs() + ownerRenewBeforeMs) !== null;
  const token = await keys.ownerToken(isValid, () => makeOwnerToken(deps));
  const tokenId = ownerTokenId(key, token, clock.nowMs());
  if (tokenId === null) throw new SigningKeyError('The owner token was signed with another key.');
  return { token, tokenId };
}

/** null: it is no owner token of this key, or not valid at that time. */
function ownerTokenId(key: SigningKey, stored: string, atMs: number): string | null {
  const jwt = parseJwt(stored);
  if (!jwt.ok || !isSignedBy(key, jwt.value)) return null;
  const claims = readClaims(jwt.value.payload, atMs);
  return claims.ok && claims.value.workspaceId === everyWorkspace ? claims.value.tokenId : null;
}

function makeOwnerToken({ clock, ids, key }: Pick<TokenIssuing, 'clock' | 'ids' | 'key'>): string {
  const nowMs = clock.nowMs();
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
  return signJwt(key, claims);
}
