// How many deletions a token has left in this minute: a brake on a tool that runs wild (429 `delete_storm_rejected`).
import type { Clock } from '../platform/clock.ts';

const windowMs = 60_000;
/** Beyond that many tokens the windows that are over are let go. */
const windowsMax = 10_000;

export interface DeleteQuota {
  /** false: used up. The minute begins with the first deletion. */
  take(tokenId: string, perMinute: number): boolean;
}

export function createDeleteQuota(clock: Clock): DeleteQuota {
  const windows = new Map<string, { readonly endsAtMs: number; taken: number }>();
  return {
    take(tokenId, perMinute) {
      const nowMs = clock.monotonicMs();
      let window = windows.get(tokenId);
      if (window === undefined || nowMs >= window.endsAtMs) {
        if (windows.size >= windowsMax) dropOver(windows, nowMs);
        window = { endsAtMs: nowMs + windowMs, taken: 0 };
        windows.set(tokenId, window);
      }
      if (window.taken >= perMinute) return false;
      window.taken += 1;
      return true;
    },
  };
}

function dropOver(windows: Map<string, { readonly endsAtMs: number }>, nowMs: number): void {
  for (const [tokenId, window] of windows) {
    if (nowMs >= window.endsAtMs) windows.delete(tokenId);
  }
}
