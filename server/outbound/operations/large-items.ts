// Large items go one after the other, whatever provider they are for: an item is held as bytes and as text at once, several
// times its size, and many lanes with four calls each would hold more than a machine has. Small ones never wait for them.
import type { Clock } from '../../platform/clock.ts';

const mebibyte = 1024 * 1024;
export const largeOperationBytes = 8 * mebibyte;
/** A provider that does not answer holds up others no longer than this; less than the margin of a lease. */
const waitMsMax = 30_000;

export interface LargeOperations {
  /** Resolves when an item of so many bytes may be read; the answer is called when it is over. Never rejects. */
  enter(bytes: number, signal: AbortSignal): Promise<() => void>;
}

export function createLargeOperations(clock: Pick<Clock, 'delay'>): LargeOperations {
  let last: Promise<void> = Promise.resolve();
  return {
    async enter(bytes, signal) {
      if (bytes < largeOperationBytes) return () => undefined;
      const before = last;
      const own = Promise.withResolvers<void>();
      last = before.then(() => own.promise);
      const over = new AbortController();
      await Promise.race([before, clock.delay(waitMsMax, AbortSignal.any([signal, over.signal]))]);
      over.abort();
      return own.resolve;
    },
  };
}
