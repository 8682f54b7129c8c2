// A bounded cache of verified tokens, so that a request does not repeat the signature check. No entry outlives its token. The caller
// checks revocation for each request.

/** Many more than the clients of one machine use. */
const cachedTokensMax = 1_000;

export interface VerifiedCache<T> {
  get(compact: string, nowMs: number): T | null;
  /** `untilMs` limits the entry's lifetime, for a key that its issuer may withdraw. */
  put(compact: string, token: T, untilMs?: number): void;
}

export function createVerifiedCache<T extends { readonly expiresAtMs: number }>(
  entriesMax = cachedTokensMax,
): VerifiedCache<T> {
  // Least recently used first: a Map keeps insertion order, and a hit is inserted again.
  const entries = new Map<string, { readonly token: T; readonly untilMs: number }>();
  return {
    get(compact, nowMs) {
      const entry = entries.get(compact);
      if (entry === undefined) return null;
      entries.delete(compact);
      if (nowMs >= entry.untilMs) return null;
      entries.set(compact, entry);
      return entry.token;
    },
    put(compact, token, untilMs = token.expiresAtMs) {
      entries.delete(compact);
      entries.set(compact, { token, untilMs: Math.min(untilMs, token.expiresAtMs) });
      if (entries.size <= entriesMax) return;
      const oldest = entries.keys().next();
      if (oldest.done !== true) entries.delete(oldest.value);
    },
  };
}
