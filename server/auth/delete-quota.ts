// How many deletions a token has left in this minute: a brake on a tool that runs wild (429 `delete_storm_rejected`).
import type { DeleteLedger } from '../core/access/authority.ts';
import type { Clock } from '../platform/clock.ts';

const windowMs = 60_000;
/** Beyond that many tokens the windows that are over are let go. */
const windowsMax = 10_000;

/** The minute of a token begins with its first deletion. */
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
    take(limits, count) {
      const all = limits.map(({ tokenId, perMinute }) => ({ window: openWindow(tokenId), perMinute }));
      if (all.some(({ window, perMinute }) => window.taken + count > perMinute)) return false;
      for (const { window } of all) window.taken += count;
      return true;
    },
    giveBack(limits, count) {
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
