// Detects slow senders: each body must reach a minimum number of bytes per window while the agent waits for it. One timer checks all
// bodies, and runs only while there are any.
import { yieldToEventLoop } from '../../platform/event-loop.ts';

/** Maximum interval of the checks, and checks per window. */
const checkMsMax = 1000;
const checksPerWindow = 4;

export interface SenderWatchLimits {
  readonly bytesPerSecondMin: number;
  readonly windowMs: number;
  /** Maximum time that a body waits for memory. */
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

  /** `onSlow`: below the minimum rate. `onWaited`: paused for too long; null: no limit. Each is called at most once. */
  watch(onSlow: () => void, onWaited: (() => void) | null): WatchedSender {
    const sender = new WatchedSender(this.#nowMs, onSlow, onWaited, () => this.#watched.delete(sender));
    this.#watched.add(sender);
    this.#timer ??= setInterval(
      () => void this.#check(),
      Math.min(checkMsMax, this.#limits.windowMs / checksPerWindow),
    ).unref();
    return sender;
  }

  async #check(): Promise<void> {
    // Bytes that arrived while the thread was busy are counted first.
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
  /** Stops watching. */
  readonly end: () => void;
  readonly #nowMs: () => number;
  /** Start of the window, without the time in which the sender was paused. */
  #sinceMs: number;
  #bytes = 0;
  #pausedSinceMs: number | null = null;

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

  /** The agent does not read at the moment; this time does not count. */
  pause(): void {
    this.#pausedSinceMs ??= this.#nowMs();
  }

  /** The agent reads again. */
  resume(): void {
    if (this.#pausedSinceMs !== null) this.#sinceMs += this.#nowMs() - this.#pausedSinceMs;
    this.#pausedSinceMs = null;
  }

  judge({ bytesPerSecondMin, windowMs, waitMsMax }: SenderWatchLimits): 'ok' | 'slow' | 'waited' {
    const nowMs = this.#nowMs();
    if (this.#pausedSinceMs !== null)
      return this.onWaited !== null && nowMs - this.#pausedSinceMs > waitMsMax ? 'waited' : 'ok';
    if (nowMs - this.#sinceMs < windowMs) return 'ok';
    if (this.#bytes < (bytesPerSecondMin * windowMs) / 1000) return 'slow';
    this.#sinceMs = nowMs;
    this.#bytes = 0;
    return 'ok';
  }
}
