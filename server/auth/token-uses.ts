// Records the last use of each token: in memory for every request, in the store at most once per minute and token. After a crash
// the stored time is at most one minute old. It never delays or refuses a request.
import type { Clock } from '../platform/clock.ts';
import type { TokenRow, TokenStore } from '../store/port/store.ts';

const writtenEveryMs = 60_000;
/** Delay after a failed write. */
const retriedAfterMs = 10_000;
/** Above this number, the tokens used longest ago are dropped; the store has their last use. */
const tokensHeldMax = 10_000;

interface Use {
  lastAtMs: number;
  writeFromMs: number;
}

export type TokenUses = ReturnType<typeof createTokenUses>;

export function createTokenUses(store: Pick<TokenStore, 'noteUse'>, clock: Clock) {
  const uses = new Map<string, Use>();

  function entryOf(tokenId: string): Use {
    const known = uses.get(tokenId);
    // A Map keeps insertion order: the token used longest ago is first.
    if (known !== undefined) uses.delete(tokenId);
    const [oldest] = uses.keys();
    if (uses.size >= tokensHeldMax && oldest !== undefined) uses.delete(oldest);
    const use = known ?? { lastAtMs: 0, writeFromMs: 0 };
    uses.set(tokenId, use);
    return use;
  }

  return {
    record(tokenId: string): void {
      const nowMs = clock.nowMs();
      const use = entryOf(tokenId);
      use.lastAtMs = nowMs;
      // A clock that was set back must not block the next write.
      if (nowMs < use.writeFromMs && use.writeFromMs - nowMs <= writtenEveryMs) return;
      use.writeFromMs = nowMs + writtenEveryMs;
      store.noteUse({ tokenId, atMs: nowMs }).catch(() => {
        use.writeFromMs = nowMs + retriedAfterMs;
      });
    },
    /** The row with the last use in memory, which may be later than the stored one. */
    withLastUse(row: TokenRow): TokenRow {
      const lastAtMs = uses.get(row.tokenId)?.lastAtMs;
      return lastAtMs === undefined
        ? row
        : { ...row, lastUsedAtMs: Math.max(lastAtMs, row.lastUsedAtMs ?? 0) };
    },
  };
}
