// Requests of trusted services, signed with a shared secret instead of a token (contract 1.4). It checks who signed and when;
// that a signature is taken only once is kept with what the request brought (store, `accept`).
import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '../platform/crypto.ts';

export interface SignedRequest {
  /** `X-Relay-Timestamp`, RFC 3339. */
  readonly timestamp: string | undefined;
  /** `X-Relay-Signature`, lower-case hex of HMAC-SHA256 over timestamp, line feed and raw body. */
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

export type HmacVerification =
  /** `signature` names this request; it must not be taken twice before `expiresAtMs`. */
  | { readonly ok: true; readonly signature: string; readonly expiresAtMs: number }
  /** 401 with this message. */
  | { readonly ok: false; readonly message: string };

export interface HmacVerifier {
  verify(request: SignedRequest, nowMs: number): HmacVerification;
}

/** How far a sender's clock may be from ours, either way. */
export const hmacSkewMs = 5 * 60_000;
/** The secret of a service is at least as long as half of what the hash gives. */
export const hmacSecretBytesMin = 16;
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** `secret` null: none is configured, and nothing is accepted. */
export function createHmacVerifier(secret: string | null): HmacVerifier {
  return {
    verify({ timestamp, signature, body }, nowMs) {
      if (secret === null) return refused('internal requests are off: no HMAC secret is configured');
      if (!timestamp || !signature) return refused('missing internal auth headers');
      const atMs = parseTimestamp(timestamp);
      if (atMs === null) return refused('invalid internal timestamp');
      if (Math.abs(nowMs - atMs) > hmacSkewMs) return refused('internal request outside replay window');
      if (!equalInConstantTime(signature, hmacSignature(secret, timestamp, body))) {
        return refused('internal signature mismatch');
      }
      return { ok: true, signature: `${timestamp}|${signature}`, expiresAtMs: atMs + hmacSkewMs + 1 };
    },
  };
}

export function hmacSignature(secret: string, timestamp: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}\n`).update(body).digest('hex');
}

/** RFC 3339 -> milliseconds; null: something else. */
export function parseTimestamp(text: string): number | null {
  if (!rfc3339.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs;
}

function refused(message: string): HmacVerification {
  return { ok: false, message };
}
