// Keys of an external issuer (`--jwks-url`): fetched, cached, and fetched again when a token names an unknown key. RS256 only.
import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import type { Clock } from '../platform/clock.ts';
import type { ParsedJwt } from './jwt.ts';

export interface Jwks {
  /** `unavailable`: the keys cannot be fetched at the moment, so the token cannot be verified. */
  verify(jwt: ParsedJwt): Promise<'valid' | 'mismatch' | 'unavailable'>;
}

/** Cached keys are used for this long without a fetch. */
export const keysFreshMs = 5 * 60_000;
/** After that, cached keys are used only while the issuer does not respond. */
export const keysStaleGraceMs = 60_000;
const fetchTimeoutMsDefault = 5_000;
/** Minimum pause between fetches, so that tokens with invented key ids do not cause a flood of requests to the issuer. */
export const refetchPauseMs = 10_000;
/** After a failed fetch, requests fail immediately for this long instead of each waiting for a timeout. */
export const failurePauseMs = 1_000;
const answerBytesMax = 1024 * 1024;

type KeySet = ReturnType<typeof createLocalJWKSet>;

export function createJwks(options: {
  readonly url: string;
  readonly clock: Clock;
  readonly fetchTimeoutMs?: number;
}): Jwks {
  const { clock, url, fetchTimeoutMs = fetchTimeoutMsDefault } = options;
  let keys: KeySet | null = null;
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  let fetching: Promise<KeySet | null> | null = null;

  /** One fetch at a time; null: no response. */
  function refetch(): Promise<KeySet | null> {
    if (clock.monotonicMs() - failedAtMs < failurePauseMs) return Promise.resolve(null);
    fetching ??= fetchKeys(url, fetchTimeoutMs)
      .then((fetched) => {
        if (fetched === null) failedAtMs = clock.monotonicMs();
        else {
          keys = fetched;
          fetchedAtMs = clock.monotonicMs();
        }
        return fetched;
      })
      .finally(() => {
        fetching = null;
      });
    return fetching;
  }

  async function currentKeys(): Promise<KeySet | null> {
    const ageMs = clock.monotonicMs() - fetchedAtMs;
    if (keys !== null && ageMs < keysFreshMs) return keys;
    const stale = ageMs < keysFreshMs + keysStaleGraceMs ? keys : null;
    return (await refetch()) ?? stale;
  }

  return {
    async verify(jwt) {
      const known = await currentKeys();
      if (known === null) return 'unavailable';
      const first = await check(jwt, known);
      if (first !== 'unknown_key') return first;
      if (clock.monotonicMs() - fetchedAtMs < refetchPauseMs) return 'mismatch';
      const renewed = await refetch();
      if (renewed === null) return 'unavailable';
      return (await check(jwt, renewed)) === 'valid' ? 'valid' : 'mismatch';
    },
  };
}

async function check(jwt: ParsedJwt, keys: KeySet): Promise<'valid' | 'mismatch' | 'unknown_key'> {
  try {
    await compactVerify(jwt.compact, keys, { algorithms: ['RS256'] });
    return 'valid';
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'unknown_key';
    // jose throws a TypeError when a key is unsuitable for the algorithm, such as a short RSA key.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return 'mismatch';
    throw error;
  }
}

/** null: unreachable, too slow, too large, or not a key set. */
async function fetchKeys(url: string, timeoutMs: number): Promise<KeySet | null> {
  try {
    const answer = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!answer.ok) {
      await answer.body?.cancel();
      return null;
    }
    const text = await readBounded(answer);
    return text === null ? null : createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
  } catch (error) {
    // Errors of the network, the timeout, JSON and jose are failed fetches; any other error is a defect.
    if (isFailedFetch(error)) return null;
    throw error;
  }
}

function isFailedFetch(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof SyntaxError ||
    error instanceof DOMException ||
    error instanceof errors.JOSEError
  );
}

async function readBounded(answer: Response): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > answerBytesMax) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
