// Gives priority to intake while more envelopes arrive than can be applied: a sender waits for its 202 and retries when it takes
// long. Meanwhile a batch is applied at intervals, until the queue is half full. It decides only when, not what is applied.
import { acceptanceCalmMs, busyRequestsMin, queueShareUnhurried, turnPauseMs } from './context.ts';

export type Backpressure = ReturnType<typeof createBackpressure>;

export function createBackpressure(queueCapacity: number, nowMs: () => number = () => performance.now()) {
  let running = 0;
  let busyUntilMs = Number.NEGATIVE_INFINITY;
  /** When a batch was last let begin. */
  let turnAtMs = Number.NEGATIVE_INFINITY;
  let listener: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;

  // In real time, also under the clock of a test: it is about the load of this machine.
  const askAgainLater = () => {
    timer ??= setTimeout(() => {
      timer = null;
      listener?.();
    }, acceptanceCalmMs);
  };
  return {
    /** The intake of one envelope begins; `ended` follows in every case. */
    began(): void {
      running += 1;
      if (running >= busyRequestsMin) busyUntilMs = nowMs() + acceptanceCalmMs;
    },
    ended(): void {
      running -= 1;
    },
    /** May the worker take a batch now? A yes may use up a turn; after a no the `onRoom` listener is called when to retry. */
    leavesRoom(waiting: number): boolean {
      const now = nowMs();
      const isBusy = now < busyUntilMs && waiting < queueCapacity * queueShareUnhurried;
      if (isBusy && now < turnAtMs + turnPauseMs) {
        askAgainLater();
        return false;
      }
      turnAtMs = now;
      return true;
    },
    onRoom(roomListener: () => void): void {
      listener = roomListener;
    },
    /** Calls no listener any more. */
    stop(): void {
      if (timer !== null) clearTimeout(timer);
      listener = null;
    },
  };
}
