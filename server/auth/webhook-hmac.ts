// Verifies requests of trusted services that are signed with a shared secret instead of a token. It checks signature and time; the
// store rejects a repeated signature (`accept`).
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
  /** `signature` identifies the request and must not be accepted twice before `expiresAtMs`. */
  | { readonly ok: true; readonly signature: string; readonly expiresAtMs: number }
  /** 401 with this message. */
  | { readonly ok: false; readonly message: string };

export type HmacVerifier = ReturnType<typeof createHmacVerifier>;

/** Accepted difference between the clocks of sender and agent. */
export const hmacSkewMs = 5 * 60_000;
/** At least half of the output of SHA-256. */
export const hmacSecretBytesMin = 16;
const hexOfSha256 = /^[0-9a-f]{64}$/;
/** Bytes hashed before control returns to the event loop. */
const sliceBytes = 2 * 1024 * 1024;
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** `secret` null: none is configured, and every request is refused. */
export function createHmacVerifier(secret: string | null) {
  function check({ timestamp, signature }: SignedHeaders, nowMs: number) {
    if (secret === null)
      return refused(
        'internal requests are disabled: no HMAC secret is configured; start the agent with --internal-hmac-secret-file',
      );
    if (!timestamp || !signature) return refused('missing internal auth headers');
    const atMs = parseTimestamp(timestamp);
    if (atMs === null) return refused('invalid internal timestamp');
    if (Math.abs(nowMs - atMs) > hmacSkewMs) return refused('internal request outside replay window');
    if (!hexOfSha256.test(signature)) return mismatch;
    return { ok: true, secret, timestamp, signature, atMs } as const;
  }
  return {
    /** Why the headers are invalid for any body; null: the body decides. */
    refusalOfHeaders(headers: SignedHeaders, nowMs: number): string | null {
      const checked = check(headers, nowMs);
      return checked.ok ? null : checked.message;
    },
    /** Large bodies are hashed in slices. `nowMs`: arrival of the request. */
    async verify(request: SignedRequest, nowMs: number): Promise<HmacVerification> {
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

/** Milliseconds of an RFC 3339 time; null: not one. */
export function parseTimestamp(text: string): number | null {
  if (!rfc3339.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs;
}

function refused(message: string) {
  return { ok: false, message } as const;
}

const mismatch = refused('internal signature mismatch');
