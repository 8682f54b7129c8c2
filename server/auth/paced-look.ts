// Looks that refused requests ask for, at most one in each interval: a flood of tokens of unknown users costs no more queries than one of them.
import type { Clock } from '../platform/clock.ts';

/** A request that waits for a look waits no longer than this before it begins. */
const lookEveryMs = 100;

/** `look` begins after each call, so it shows what was stored before the call. Rejects as `look` does. */
export function pacedLook(
  look: () => Promise<void>,
  clock: Pick<Clock, 'monotonicMs' | 'delay'>,
): () => Promise<void> {
  let next: Promise<void> | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let earliestMs = 0;
  const begin = async () => {
    await running;
    const waitMs = earliestMs - clock.monotonicMs();
    if (waitMs > 0) await clock.delay(waitMs);
    // Who asks from now on needs a later one.
    next = null;
    earliestMs = clock.monotonicMs() + lookEveryMs;
    const looking = look();
    running = looking.catch(() => undefined);
    await looking;
  };
  return () => {
    next ??= begin();
    return next;
  };
}
