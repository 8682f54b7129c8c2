// What the guard remembers of one mirror: deletions of the last minute, those that wait for an answer, and those that a person
// has said yes to (sync-engine rule 11). A yes holds for the very paths that were shown; whatever is missing besides halts the
// mirror again, and a restart forgets it: then it is asked again. No I/O.
import type { Plan } from '../core/plan.ts';
import type { Clock } from '../platform/clock.ts';
import { checkLoss, type HaltCause, isLoss, lossWindowMs } from './guard.ts';

export interface FolderCount {
  /** Files that both sides once agreed on, and those that the folder still holds or is about to. */
  readonly tracked: number;
  readonly left: number;
  /** Files that have just vanished and are not at rest yet, less those that have just appeared. */
  readonly leaving: number;
  /** The root's marker is gone. */
  readonly unmarked: boolean;
}

export class LossWatch {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #recent: { atMs: number; count: number }[] = [];
  #accepted: ReadonlySet<string> = new Set();
  #waiting: readonly string[] = [];
  /** Set while the mirror is halted: what has to be over before it goes on by itself. */
  haltedCause: HaltCause | null;
  /** More than so many within a minute are asked about. */
  deletesPerMinuteMax: number;
  /** The person wants the missing files back: bring them back instead of deleting or halting. */
  restoreWanted = false;

  constructor(clock: Pick<Clock, 'monotonicMs'>, haltedCause: HaltCause | null, deletesPerMinuteMax: number) {
    this.#clock = clock;
    this.deletesPerMinuteMax = deletesPerMinuteMax;
    this.haltedCause = haltedCause;
  }

  /** Paths that would be deleted in the workspace if the mirror were not halted, in order. */
  get waiting(): readonly string[] {
    return this.#waiting;
  }

  /** null: the plan may be carried out. */
  check(plan: Plan, count: FolderCount): HaltCause | null {
    const deletes = deletionsOf(plan);
    const open = deletes.filter((path) => !this.#accepted.has(path));
    const cause = this.#causeOf(open, count);
    this.#waiting = cause === null ? [] : deletes.sort();
    return cause;
  }

  #causeOf(open: readonly string[], count: FolderCount): HaltCause | null {
    const nowMs = this.#clock.monotonicMs();
    while (this.#recent[0] !== undefined && this.#recent[0].atMs < nowMs - lossWindowMs) this.#recent.shift();
    if (count.unmarked && open.length > 0) return 'root_replaced';
    // A mirror that halted for missing files goes on by itself only when all of them are back.
    if (isLoss(this.haltedCause) && open.length > 0) return this.haltedCause;
    return checkLoss({
      tracked: count.tracked,
      left: count.left,
      deletes: open.length,
      leaving: count.leaving,
      recentDeletes: this.#recent.reduce((sum, one) => sum + one.count, 0),
      deletesPerMinuteMax: this.deletesPerMinuteMax,
    });
  }

  /** Yes, delete what waits. */
  accept(): void {
    this.#accepted = new Set(this.#waiting);
  }

  /** These are carried out now. What was said yes to does not count against what comes after it. */
  carriedOut(plan: Plan): void {
    const count = deletionsOf(plan).filter((path) => !this.#accepted.has(path)).length;
    if (count > 0) this.#recent.push({ atMs: this.#clock.monotonicMs(), count });
  }

  /** What was missing is on its way back. */
  forgive(): void {
    this.#recent.length = 0;
    this.#waiting = [];
    this.restoreWanted = false;
    this.haltedCause = null;
  }

  /** Nothing is left to do: a yes is used up. */
  atRest(): void {
    this.#accepted = new Set();
    this.#waiting = [];
    this.restoreWanted = false;
    this.haltedCause = null;
  }
}

function deletionsOf(plan: Plan): string[] {
  return plan.toWorkspace.flat().flatMap((action) => (action.kind === 'delete' ? [action.path] : []));
}
