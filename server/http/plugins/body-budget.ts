// Limits the bytes of request bodies in memory. Bytes count as they arrive; a body keeps its share until its response is sent. The
// oldest large body is always read to its end, so that one of several waiting bodies makes progress; the others follow in order.

export interface BodyBudgetLimits {
  /** A body with more bytes is large. */
  readonly smallBytes: number;
  readonly smallBodiesBytesMax: number;
  /** Of all large bodies except the oldest. */
  readonly largeBodiesBytesMax: number;
  readonly waitingMax: number;
}

export type ReadDecision =
  /** Continue reading. */
  | 'read'
  /** Pause until `onCapacity` is called. */
  | 'wait'
  /** Too many bodies are waiting. */
  | 'full';

export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  /** Oldest first. */
  readonly #large = new Set<BodyShare>();
  readonly #waiting = new Set<BodyShare>();
  #smallBytes = 0;
  #largeBytes = 0;

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits;
  }

  /** `onCapacity` is called once after each `wait`. */
  open(onCapacity: () => void): BodyShare {
    return new BodyShare(this, onCapacity);
  }

  /** Bytes counted at the moment. */
  get bytes(): number {
    return this.#smallBytes + this.#largeBytes;
  }

  /** For shares only: `bytes` were added to the `before` bytes of the share. */
  take(share: BodyShare, before: number, bytes: number): ReadDecision {
    const { smallBytes, smallBodiesBytesMax, waitingMax } = this.#limits;
    const isLarge = this.#large.has(share);
    if (!isLarge && share.bytes <= smallBytes && this.#smallBytes + bytes <= smallBodiesBytesMax) {
      this.#smallBytes += bytes;
      return 'read';
    }
    if (isLarge) this.#largeBytes += bytes;
    else {
      this.#smallBytes -= before;
      this.#largeBytes += share.bytes;
      this.#large.add(share);
    }
    if (this.#mayRead(share)) return 'read';
    if (this.#waiting.size >= waitingMax) return 'full';
    this.#waiting.add(share);
    return 'wait';
  }

  /** For shares only. */
  release(share: BodyShare): void {
    this.#waiting.delete(share);
    if (!this.#large.delete(share)) {
      this.#smallBytes -= share.bytes;
      return;
    }
    this.#largeBytes -= share.bytes;
    for (const waiting of this.#waiting) {
      if (!this.#mayRead(waiting)) break;
      this.#waiting.delete(waiting);
      waiting.onCapacity();
    }
  }

  #mayRead(share: BodyShare): boolean {
    const [oldest] = this.#large;
    if (share === oldest || oldest === undefined) return true;
    return this.#largeBytes - oldest.bytes < this.#limits.largeBodiesBytesMax;
  }
}

/** The share of one body. */
export class BodyShare {
  bytes = 0;
  readonly onCapacity: () => void;
  readonly #budget: BodyBudget;
  #released = false;

  constructor(budget: BodyBudget, onCapacity: () => void) {
    this.#budget = budget;
    this.onCapacity = onCapacity;
  }

  /** Counts received bytes. */
  take(bytes: number): ReadDecision {
    // The request has ended.
    if (this.#released) return 'read';
    const before = this.bytes;
    this.bytes += bytes;
    return this.#budget.take(this, before, bytes);
  }

  /** Idempotent. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#budget.release(this);
  }
}
