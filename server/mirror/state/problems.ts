// Paths whose actions failed: cause, next step and retry time (docs/sync-rules.md#21). One failing path never stops the others;
// retries back off. Memory only: after a restart every path is tried again.
import type { Clock } from '../../platform/clock.ts';

const retryFirstMs = 1000;
const retryMaxMs = 5 * 60_000;
/** A path that changes under our hands is planned again at once, but not for ever. */
const quickTriesMax = 5;

export interface MirrorProblem {
  readonly kind: string;
  readonly cause: string;
  readonly next: string;
  /** Another path that must wait with it: the old name of a file whose move is refused is not simply gone. */
  readonly holds?: string;
  /** It can be done when something else is removed. */
  readonly awaitsRoom?: true;
}

const noAction = 'No action needed; Mooring retries automatically.';

/** It keeps changing, or waits: it is planned again. */
export function busy(cause: string): MirrorProblem {
  return { kind: 'busy', cause, next: noAction };
}

/** The content was replaced since it was planned. */
export const contentMissing: MirrorProblem = {
  kind: 'content_missing',
  cause: 'The workspace does not hold the content any more.',
  next: noAction,
};

interface Entry {
  readonly attempts: number;
  readonly failure: MirrorProblem;
  /** Nothing is wrong with it, it only keeps changing. */
  readonly colliding: boolean;
  readonly retryAtMs: number;
  readonly retryMonotonicMs: number;
}

export class ProblemTable {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #quick = new Map<string, number>();
  #plannedMonotonicMs = 0;
  #version = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Grows with every change of the list. */
  get version(): number {
    return this.#version;
  }

  /**
   * A plan is made: until the next one, what waits now counts as waiting. What comes due meanwhile was not in the plan, so it is
   * neither solved by it nor forgotten.
   */
  planned(): void {
    this.#plannedMonotonicMs = this.#clock.monotonicMs();
  }

  /** Must this path wait? */
  isWaiting(path: string): boolean {
    const entry = this.#entries.get(path);
    return entry !== undefined && entry.retryMonotonicMs > this.#plannedMonotonicMs;
  }

  fail(path: string, failure: MirrorProblem): void {
    this.#wait(path, failure, false);
  }

  #wait(path: string, failure: MirrorProblem, colliding: boolean): void {
    const attempts = (this.#entries.get(path)?.attempts ?? 0) + 1;
    const waitMs = Math.min(retryMaxMs, retryFirstMs * 2 ** (attempts - 1));
    this.#version += 1;
    this.#entries.set(path, {
      attempts,
      failure,
      colliding,
      retryAtMs: this.#clock.nowMs() + waitMs,
      retryMonotonicMs: this.#clock.monotonicMs() + waitMs,
    });
  }

  /** It was not as planned any more: plan again at once, unless that happens over and over. */
  collide(path: string, failure: MirrorProblem): void {
    const quick = (this.#quick.get(path) ?? 0) + 1;
    this.#quick.set(path, quick);
    if (quick > quickTriesMax) this.#wait(path, failure, true);
  }

  isAnyColliding(): boolean {
    return [...this.#entries.values()].some((entry) => entry.colliding);
  }

  succeed(path: string): void {
    if (this.#entries.delete(path)) this.#version += 1;
    this.#quick.delete(path);
  }

  /** Its file is gone: nothing is left to do, and what was refused with it for want of room may fit without it. */
  gone(path: string): void {
    const awaitedRoom = this.at(path)?.failure.awaitsRoom === true;
    this.succeed(path);
    if (awaitedRoom) this.roomMade();
  }

  /** Something was removed: what waits for room is tried within a second, however often that failed before. */
  roomMade(): void {
    const soonMs = this.#clock.monotonicMs() + retryFirstMs;
    for (const [path, entry] of this.#entries) {
      if (entry.failure.awaitsRoom !== true || entry.retryMonotonicMs <= soonMs) continue;
      const retryAtMs = this.#clock.nowMs() + retryFirstMs;
      this.#entries.set(path, { ...entry, retryAtMs, retryMonotonicMs: soonMs });
      this.#version += 1;
    }
  }

  /** Nothing is left to plan: what does not wait for its next try is solved, or needs nothing any more. */
  atRest(): void {
    for (const path of [...this.#entries.keys()]) {
      if (this.isWaiting(path)) continue;
      this.#entries.delete(path);
      this.#version += 1;
    }
    this.#quick.clear();
  }

  /** Everything is tried again at once: the person resumed. */
  retryNow(): void {
    this.#version += 1;
    this.#entries.clear();
    this.#quick.clear();
  }

  /** Milliseconds until the first path may be tried again; null: none waits. */
  dueInMs(): number | null {
    const nowMs = this.#clock.monotonicMs();
    let due: number | null = null;
    for (const { retryMonotonicMs } of this.#entries.values()) {
      if (retryMonotonicMs <= this.#plannedMonotonicMs) continue;
      due = Math.min(due ?? Number.POSITIVE_INFINITY, Math.max(0, retryMonotonicMs - nowMs));
    }
    return due;
  }

  /** Paths that must wait right now. */
  *waiting(): IterableIterator<string> {
    for (const [path, { failure }] of this.#entries) {
      if (!this.isWaiting(path)) continue;
      yield path;
      if (failure.holds !== undefined) yield failure.holds;
    }
  }

  /** What is known of a path that could not be done; null: nothing is in its way. */
  at(path: string): { readonly failure: MirrorProblem; readonly retryAtMs: number } | null {
    return this.#entries.get(path) ?? null;
  }

  *list(): IterableIterator<{
    readonly path: string;
    readonly failure: MirrorProblem;
    readonly retryAtMs: number;
  }> {
    for (const [path, { failure, retryAtMs }] of this.#entries) yield { path, failure, retryAtMs };
  }
}
