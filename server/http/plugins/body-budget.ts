// How many bytes of request bodies are in memory. Bytes count as they arrive; a body keeps its share until its answer is out. The oldest
// large body is always read to its end, so that of several which wait for room one goes on; the others follow in their order.

export interface BodyBudgetLimits {
  /** Beyond it a body is large. */
  readonly smallBytes: number;
  readonly smallBodiesBytesMax: number;
  /** Of all large bodies but the oldest. */
  readonly largeBodiesBytesMax: number;
  readonly waitingMax: number;
}

export type Room =
  /** Read on. */
  | 'go_on'
  /** Read nothing before `onRoom` is called. */
  | 'wait'
  /** Too many wait already. */
  | 'full';

export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  /** The oldest first. */
  readonly #large = new Set<BodyShare>();
  readonly #waiting = new Set<BodyShare>();
  #smallBytes = 0;
  #largeBytes = 0;

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits;
  }

  /** `onRoom` is called once after each `wait`. */
  open(onRoom: () => void): BodyShare {
    return new BodyShare(this, onRoom);
  }

  /** Bytes that are counted now. */
  get bytes(): number {
    return this.#smallBytes + this.#largeBytes;
  }

  /** For shares only: `bytes` came to the `before` that it had. */
  take(share: BodyShare, before: number, bytes: number): Room {
    const { smallBytes, smallBodiesBytesMax, waitingMax } = this.#limits;
    const isLarge = this.#large.has(share);
    if (!isLarge && share.bytes <= smallBytes && this.#smallBytes + bytes <= smallBodiesBytesMax) {
      this.#smallBytes += bytes;
      return 'go_on';
    }
    if (isLarge) this.#largeBytes += bytes;
    else {
      this.#smallBytes -= before;
      this.#largeBytes += share.bytes;
      this.#large.add(share);
    }
    if (this.#mayGoOn(share)) return 'go_on';
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
      if (!this.#mayGoOn(waiting)) break;
      this.#waiting.delete(waiting);
      waiting.onRoom();
    }
  }

  #mayGoOn(share: BodyShare): boolean {
    const [oldest] = this.#large;
    if (share === oldest || oldest === undefined) return true;
    return this.#largeBytes - oldest.bytes < this.#limits.largeBodiesBytesMax;
  }
}

/** Of one body. */
export class BodyShare {
  bytes = 0;
  readonly onRoom: () => void;
  readonly #budget: BodyBudget;
  #released = false;

  constructor(budget: BodyBudget, onRoom: () => void) {
    this.#budget = budget;
    this.onRoom = onRoom;
  }

  /** Counts bytes that have come. */
  take(bytes: number): Room {
    // A body whose request is over is nobody's any more.
    if (this.#released) return 'go_on';
    const before = this.bytes;
    this.bytes += bytes;
    return this.#budget.take(this, before, bytes);
  }

  /** May be called again. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#budget.release(this);
  }
}
