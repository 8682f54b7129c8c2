// When each token was last used. Kept in memory with every request, and written for each token once a minute at most: what the
// store says after a crash is at most that much behind. Never holds up a request, nor refuses one because it could not be noted.
import type { Clock } from '../platform/clock.ts';
import type { TokenRow, TokenStore } from '../store/port/store.ts';

const writtenEveryMs = 60_000;
/** A store that cannot write at the moment is asked again sooner. */
const retriedAfterMs = 10_000;
/** Of more tokens than any agent here has, those that were used longest ago are forgotten: the store knows them. */
const tokensHeldMax = 10_000;

interface Use {
  lastAtMs: number;
  writeFromMs: number;
}

export interface TokenUses {
  note(tokenId: string): void;
  /** The row with the last use that is known here, which may be later than the stored one. */
  withLastUse(row: TokenRow): TokenRow;
}

export function createTokenUses(store: Pick<TokenStore, 'noteUse'>, clock: Clock): TokenUses {
  const uses = new Map<string, Use>();

  function entryOf(tokenId: string): Use {
    const known = uses.get(tokenId);
    if (known !== undefined) return known;
    const [oldest] = uses.keys();
    if (uses.size >= tokensHeldMax && oldest !== undefined) uses.delete(oldest);
    const fresh = { lastAtMs: 0, writeFromMs: 0 };
    uses.set(tokenId, fresh);
    return fresh;
  }

  return {
    note(tokenId) {
      const nowMs = clock.nowMs();
      const use = entryOf(tokenId);
      use.lastAtMs = nowMs;
      // A clock that was set back must not keep the next use from being written.
      if (nowMs < use.writeFromMs && use.writeFromMs - nowMs <= writtenEveryMs) return;
      use.writeFromMs = nowMs + writtenEveryMs;
      store.noteUse({ tokenId, atMs: nowMs }).catch(() => {
        use.writeFromMs = nowMs + retriedAfterMs;
      });
    },
    withLastUse(row) {
      const lastAtMs = uses.get(row.tokenId)?.lastAtMs;
      return lastAtMs === undefined
        ? row
        : { ...row, lastUsedAtMs: Math.max(lastAtMs, row.lastUsedAtMs ?? 0) };
    },
  };
}
