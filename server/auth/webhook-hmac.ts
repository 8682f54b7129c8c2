// Requests of trusted services, signed with a shared secret instead of a token (contract 1.4). It checks who signed and when;
// that a signature is taken only once is kept with what the request brought (store, `accept`).
import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '../platform/crypto/hashes.ts';
import { yieldToEventLoop } from '../platform/event-loop.ts';

export interface SignedHeaders {
  /** `X-Relay-Timestamp`, RFC 3339. */
  readonly timestamp: string | undefined;
  /** `X-Relay-Signature`, lower-case hex of HMAC-SHA256 over timestamp, line feed and raw body. */
  readonly signature: string | undefined;
}

export interface SignedRequest extends SignedHeaders {
  readonly body: Uint8Array;
}

export type HmacVerification =
  /** `signature` names this request; it must not be taken twice before `expiresAtMs`. */
  | { readonly ok: true; readonly signature: string; readonly expiresAtMs: number }
  /** 401 with this message. */
  | { readonly ok: false; readonly message: string };

export interface HmacVerifier {
  /** Why no body can make the request a right one; null: its body decides. */
  refusalOfHeaders(headers: SignedHeaders, nowMs: number): string | null;
  /** Large bodies are hashed in slices. `nowMs`: when the request came. */
  verify(request: SignedRequest, nowMs: number): Promise<HmacVerification>;
}

/** How far a sender's clock may be from ours, either way. */
export const hmacSkewMs = 5 * 60_000;
/** The secret of a service is at least as long as half of what the hash gives. */
export const hmacSecretBytesMin = 16;
const hexOfSha256 = /^[0-9a-f]{64}$/;
/** Bytes that are hashed before others get their turn. */
const sliceBytes = 2 * 1024 * 1024;
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** `secret` null: none is configured, and nothing is accepted. */
export function createHmacVerifier(secret: string | null): HmacVerifier {
  function check({ timestamp, signature }: SignedHeaders, nowMs: number) {
    if (secret === null) return refused('internal requests are off: no HMAC secret is configured');
    if (!timestamp || !signature) return refused('missing internal auth headers');
    const atMs = parseTimestamp(timestamp);
    if (atMs === null) return refused('invalid internal timestamp');
    if (Math.abs(nowMs - atMs) > hmacSkewMs) return refused('internal request outside replay window');
    if (!hexOfSha256.test(signature)) return mismatch;
    return { ok: true, secret, timestamp, signature, atMs } as const;
  }
  return {
    refusalOfHeaders(headers, nowMs) {
      const checked = check(headers, nowMs);
      return checked.ok ? null : checked.message;
    },
    async verify(request, nowMs) {
      const checked = check(request, nowMs);
      if (!checked.ok) return checked;
      const { timestamp, signature, atMs } = checked;
      const hash = createHmac('sha256', checked.secret).update(`${timestamp}\n`);
      for (let from = 0; from < request.body.length; from += sliceBytes) {
        if (from > 0) await yieldToEventLoop();
        hash.update(request.body.subarray(from, from + sliceBytes));
      }
      if (!equalInConstantTime(signature, hash.digest('hex'))) return mismatch;
      return { ok: true, signature: `${timestamp}|${signature}`, expiresAtMs: atMs + hmacSkewMs + 1 };
    },
  };
}

/** RFC 3339 -> milliseconds; null: something else. */
export function parseTimestamp(text: string): number | null {
  if (!rfc3339.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs;
}

function refused(message: string) {
  return { ok: false, message } as const;
}

const mismatch = refused('internal signature mismatch');
