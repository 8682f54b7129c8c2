// The proof that a request comes from a signed-in browser: an ES256 signature by a key that the browser cannot export. Pure functions; the
// sessions and their challenges are in sign-in-sessions.ts.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** A public key of P-256 (RFC 7518, 6.2). */
export interface BrowserKey {
  readonly x: string;
  readonly y: string;
}

export interface SignedRefresh {
  /** Of the page: scheme, host and port. */
  readonly origin: string;
  readonly sessionId: string;
  readonly challenge: string;
}

/** The bytes that the browser signs. The first line keeps the signature from being one of another purpose. */
export function refreshText({ origin, sessionId, challenge }: SignedRefresh): Buffer {
  return Buffer.from(`mooring sign-in refresh v1\n${origin}\n${sessionId}\n${challenge}`);
}

/** null: not a point of the curve. */
export function publicKeyOf({ x, y }: BrowserKey): KeyObject | null {
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return null;
  }
}

/** `signature`: base64url of the 64 bytes that WebCrypto returns. */
export function isProof(key: BrowserKey, signed: SignedRefresh, signature: string): boolean {
  const publicKey = publicKeyOf(key);
  const bytes = Buffer.from(signature, 'base64url');
  if (publicKey === null || bytes.toString('base64url') !== signature) return false;
  return verify('sha256', refreshText(signed), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes);
}
