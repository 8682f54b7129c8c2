// Paths that cannot be synced now: cause, next step and retry time. One of them never stops the others. Memory only: after a restart
// each path is tried again.
import type { Clock } from '../../platform/clock.ts';
import { pathRetryMsFirst, pathRetryMsLast } from '../limits.ts';

export interface PathProblem {
  /** `conflicting`: it keeps changing. `held`: only a change of the path helps. */
  readonly kind: 'refused' | 'held' | 'too_large' | 'no_access' | 'conflicting' | 'read_failed';
  readonly cause: string;
  readonly next: string;
}

interface Entry {
  readonly problem: PathProblem;
  readonly attempts: number;
  readonly retryAtMonotonicMs: number;
  readonly retryAtMs: number;
}

/** A path that only lost a race is tried again at once, so many times. */
const quickTriesMax = 5;

export class PathProblems {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #races = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size;
  }

  *list(): IterableIterator<PathProblem & { readonly path: string; readonly retryAtMs: number }> {
    for (const [path, { problem, retryAtMs }] of this.#entries) yield { ...problem, path, retryAtMs };
  }

  fail(path: string, problem: PathProblem): void {
    const attempts = (this.#entries.get(path)?.attempts ?? 0) + 1;
    const delayMs = Math.min(pathRetryMsFirst * 2 ** (attempts - 1), pathRetryMsLast);
    this.#entries.set(path, {
      problem,
      attempts,
      retryAtMonotonicMs: this.#clock.monotonicMs() + delayMs,
      retryAtMs: this.#clock.nowMs() + delayMs,
    });
  }

  /** Another writer was faster. true: the path may be planned again at once. */
  lostRace(path: string): boolean {
    const races = (this.#races.get(path) ?? 0) + 1;
    this.#races.set(path, races);
    if (races <= quickTriesMax) return true;
    this.fail(path, {
      kind: 'conflicting',
      cause: 'The file keeps changing on both sides.',
      next: 'No action needed; Mooring retries automatically.',
    });
    return false;
  }

  solve(path: string): void {
    this.#entries.delete(path);
    this.#races.delete(path);
  }

  /** true: the path waits for its next attempt. */
  waits(path: string): boolean {
    const entry = this.#entries.get(path);
    return entry !== undefined && entry.retryAtMonotonicMs > this.#clock.monotonicMs();
  }

  /** Paths whose next attempt is due. */
  due(): readonly string[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#entries].flatMap(([path, entry]) => (entry.retryAtMonotonicMs <= nowMs ? [path] : []));
  }

  /** Milliseconds until the next attempt; null: none waits. `isBusy`: of a path that is being tried. */
  nextDueMs(isBusy: (path: string) => boolean): number | null {
    let soonest: number | null = null;
    for (const [path, { retryAtMonotonicMs }] of this.#entries)
      if (!isBusy(path))
        soonest = soonest === null ? retryAtMonotonicMs : Math.min(soonest, retryAtMonotonicMs);
    return soonest === null ? null : Math.max(0, soonest - this.#clock.monotonicMs());
  }

  clear(): void {
    this.#entries.clear();
    this.#races.clear();
  }
}
