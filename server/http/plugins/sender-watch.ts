// Notices senders that are too slow: each body must bring a number of bytes in each stretch of time in which the agent waits for it.
// One timer looks at all of them, and only while there are any.
import { yieldToEventLoop } from '../../platform/event-loop.ts';

/** How often is looked; at least a few times in a window. */
const lookMsMax = 1000;
const looksPerWindow = 4;

export interface SenderWatchLimits {
  readonly bytesPerSecondMin: number;
  readonly windowMs: number;
  /** How long a body may wait for room. */
  readonly waitMsMax: number;
}

export class SenderWatch {
  readonly #limits: SenderWatchLimits;
  readonly #watched = new Set<WatchedSender>();
  readonly #nowMs: () => number;
  #timer: NodeJS.Timeout | null = null;

  constructor(limits: SenderWatchLimits, nowMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  /** `onSlow`: it brought too little. `onWaited`: it was held for too long; null: it may be. Either is called once at most. */
  watch(onSlow: () => void, onWaited: (() => void) | null): WatchedSender {
    const sender = new WatchedSender(this.#nowMs, onSlow, onWaited, () => this.#watched.delete(sender));
    this.#watched.add(sender);
    this.#timer ??= setInterval(
      () => void this.#look(),
      Math.min(lookMsMax, this.#limits.windowMs / looksPerWindow),
    ).unref();
    return sender;
  }

  async #look(): Promise<void> {
    // What came while the thread was busy is counted first.
    await yieldToEventLoop();
    for (const sender of this.#watched) {
      const verdict = sender.judge(this.#limits);
      if (verdict === 'ok') continue;
      this.#watched.delete(sender);
      if (verdict === 'slow') sender.onSlow();
      else sender.onWaited?.();
    }
    if (this.#watched.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

export class WatchedSender {
  readonly onSlow: () => void;
  readonly onWaited: (() => void) | null;
  /** Nothing is expected of it any more. */
  readonly end: () => void;
  readonly #nowMs: () => number;
  /** Start of the window, moved on by the time in which it was held. */
  #sinceMs: number;
  #bytes = 0;
  #heldSinceMs: number | null = null;

  constructor(nowMs: () => number, onSlow: () => void, onWaited: (() => void) | null, end: () => void) {
    this.#nowMs = nowMs;
    this.onSlow = onSlow;
    this.onWaited = onWaited;
    this.end = end;
    this.#sinceMs = nowMs();
  }

  received(bytes: number): void {
    this.#bytes += bytes;
  }

  /** The agent does not read: it has no room, or is busy with what it has read. */
  hold(): void {
    this.#heldSinceMs ??= this.#nowMs();
  }

  /** The agent reads again: the time in between does not count. */
  go(): void {
    if (this.#heldSinceMs !== null) this.#sinceMs += this.#nowMs() - this.#heldSinceMs;
    this.#heldSinceMs = null;
  }

  judge({ bytesPerSecondMin, windowMs, waitMsMax }: SenderWatchLimits): 'ok' | 'slow' | 'waited' {
    const nowMs = this.#nowMs();
    if (this.#heldSinceMs !== null)
      return this.onWaited !== null && nowMs - this.#heldSinceMs > waitMsMax ? 'waited' : 'ok';
    if (nowMs - this.#sinceMs < windowMs) return 'ok';
    if (this.#bytes < (bytesPerSecondMin * windowMs) / 1000) return 'slow';
    this.#sinceMs = nowMs;
    this.#bytes = 0;
    return 'ok';
  }
}
