// Counts the deletions of each token per minute, to stop a faulty client (429 `delete_storm_rejected`).
import type { DeleteLedger } from '../core/access/authority.ts';
import type { Clock } from '../platform/clock.ts';

const windowMs = 60_000;
/** Above this number of tokens, expired windows are removed. */
const windowsMax = 10_000;

/** The minute of a token starts with its first deletion. */
export function createDeleteLedger(clock: Clock): DeleteLedger {
  const windows = new Map<string, { readonly endsAtMs: number; taken: number }>();
  const openWindow = (tokenId: string) => {
    const nowMs = clock.monotonicMs();
    let window = windows.get(tokenId);
    if (window === undefined || nowMs >= window.endsAtMs) {
      if (windows.size >= windowsMax) dropOver(windows, nowMs);
      window = { endsAtMs: nowMs + windowMs, taken: 0 };
      windows.set(tokenId, window);
    }
    return window;
  };
  return {
    async take(limits, count) {
      const all = limits.map(({ tokenId, perMinute }) => ({ window: openWindow(tokenId), perMinute }));
      if (all.some(({ window, perMinute }) => window.taken + count > perMinute)) return false;
      for (const { window } of all) window.taken += count;
      return true;
    },
    async giveBack(limits, count) {
      for (const { tokenId } of limits) {
        const window = windows.get(tokenId);
        if (window !== undefined) window.taken = Math.max(0, window.taken - count);
      }
    },
  };
}

function dropOver(windows: Map<string, { readonly endsAtMs: number }>, nowMs: number): void {
  for (const [tokenId, window] of windows) {
    if (nowMs >= window.endsAtMs) windows.delete(tokenId);
  }
}
