// The pause after a failed connection: it ends when the next attempt is due or requested, or when a refused token was replaced.
import type { Clock } from '../../platform/clock.ts';
import { tokenLookMs } from '../limits.ts';
import type { RemoteFailure } from './remote-state.ts';
import type { Wake } from './wake.ts';

export interface PauseParts {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly wake: Wake;
  /** Another text after each change of the token's file. */
  readonly tokenState: () => Promise<string>;
  /** Marks what changed here, so that the status counts it. Answers how many paths are marked. */
  readonly countLocal: () => Promise<number>;
  /** true: the pause is over, as a person asked for the next attempt or for none. */
  readonly isEnded: () => boolean;
}

export async function pauseAfter(
  { kind, nextTryAtMs, earliestTryAtMs }: RemoteFailure,
  { clock, wake, tokenState, countLocal, isEnded }: PauseParts,
  signal: AbortSignal,
): Promise<void> {
  const refused = kind === 'unauthorized' ? await tokenState() : null;
  const markedBefore = await countLocal();
  let marked = markedBefore;
  while (!signal.aborted && !isEnded()) {
    // A change here is a reason to try earlier.
    const dueAtMs = marked > markedBefore ? earliestTryAtMs : nextTryAtMs;
    const waitMs = dueAtMs - clock.nowMs();
    if (waitMs <= 0) return;
    const isWoken = await wake.wait(refused === null ? waitMs : Math.min(waitMs, tokenLookMs), signal);
    if (isWoken) marked = await countLocal();
    else if (refused !== null && (await tokenState()) !== refused) return;
  }
}
