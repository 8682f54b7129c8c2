// What the guard remembers of one mirror: deletions and truncations of the last minute, those that wait for an answer, and those
// that a person has said yes to (sync-engine rules 11, 27). A yes holds for the very changes that were shown; whatever is lost
// besides halts the mirror again, and a restart forgets it: then it is asked again. No I/O.
import type { Plan } from '../../core/sync/plan.ts';
import { isTruncation } from '../../core/sync/truncation.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  checkDeletions,
  deletionWindowMs,
  type HaltCause,
  isDeletionHalt,
  type PendingCounts,
} from './halt-causes.ts';

export interface FolderCount {
  /** Files that both sides once agreed on, and those that the folder still holds or is about to. */
  readonly tracked: number;
  readonly left: number;
  /** Files that have just vanished and are not at rest yet, less those that have just appeared. */
  readonly leaving: number;
  /** The root's marker is gone. */
  readonly unmarked: boolean;
}

/** A planned change that would take a file's content from the workspace. */
export interface PendingDeletion {
  readonly path: string;
  readonly change: 'deletion' | 'truncation';
  /** Of the workspace's file, which would be deleted or replaced. */
  readonly sizeBytes: number;
  /** Of the file that would replace it; null: none would. */
  readonly sizeAfterBytes: number | null;
}

/** What both sides hold at a path, as the loop knows it. */
export interface LossSizes {
  localAt(
    path: string,
  ):
    | { readonly kind: 'file'; readonly sizeBytes: number }
    | { readonly kind: 'blocked' | 'directory' }
    | null;
  workspaceAt(path: string): { readonly sizeBytes: number } | null;
  /** Those of the paths whose content the folder holds under another name. */
  movedAway(paths: readonly string[]): ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

export class DeletionGuard {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #sizes: LossSizes;
  readonly #recentDeletes: { atMs: number; count: number }[] = [];
  /** Path -> when its truncation was carried, and how large it was before. At most as many as are allowed in a minute. */
  readonly #recentTruncations = new Map<string, { readonly atMs: number; readonly sizeBytes: number }>();
  #accepted: ReadonlySet<string> = new Set();
  #waiting: readonly PendingDeletion[] = [];
  #waitingTruncations = 0;
  /** Of the plan that was checked last: deletions of files that the folder still has under another name. */
  #moved: ReadonlySet<string> = none;
  /** Set while the mirror is halted: what has to be over before it goes on by itself. */
  haltedCause: HaltCause | null;
  /** More than so many within a minute are asked about. */
  deletesPerMinuteMax: number;
  /** The person wants the missing files back: bring them back instead of deleting or halting. */
  restoreWanted = false;

  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    sizes: LossSizes,
    haltedCause: HaltCause | null,
    deletesPerMinuteMax: number,
  ) {
    this.#clock = clock;
    this.#sizes = sizes;
    this.deletesPerMinuteMax = deletesPerMinuteMax;
    this.haltedCause = haltedCause;
  }

  /** What would be lost in the workspace if the mirror were not halted, in the order of paths. */
  get pending(): readonly PendingDeletion[] {
    return this.#waiting;
  }
  get pendingCounts(): PendingCounts {
    const truncations = this.#waitingTruncations;
    return { truncations, deletions: this.#waiting.length - truncations };
  }

  /** null: the plan may be carried out. */
  check(plan: Plan, count: FolderCount): HaltCause | null {
    const losses = lossesOf(plan, this.#sizes);
    const open = losses.filter((loss) => !this.#accepted.has(keyOf(loss)));
    const suspected = this.#causeOf(open, count);
    this.#moved = suspected === null ? none : this.#movedOf(open);
    const cause =
      this.#moved.size === 0
        ? suspected
        : this.#causeOf(
            open.filter(({ path }) => !this.#moved.has(path)),
            count,
          );
    this.#wait(cause === null ? [] : losses.sort((left, right) => (left.path < right.path ? -1 : 1)));
    return cause;
  }

  /** Where the new name of a directory was seen first, its files were sent as new ones: what is missing under the old name is no loss. */
  #movedOf(open: readonly PendingDeletion[]): ReadonlySet<string> {
    return this.#sizes.movedAway(open.filter(({ change }) => change === 'deletion').map(({ path }) => path));
  }

  #causeOf(open: readonly PendingDeletion[], count: FolderCount): HaltCause | null {
    this.#forgetOld();
    const truncations = open.filter(({ change }) => change === 'truncation').length;
    // Only what is missing tells of another folder: a truncated file is an edited one.
    if (count.unmarked && open.length > truncations) return 'root_replaced';
    // A mirror that halted for missing files goes on by itself only when all of them are back.
    if (isDeletionHalt(this.haltedCause) && open.length > 0) return this.haltedCause;
    const recentTruncations = this.#stillTruncated();
    return checkDeletions({
      tracked: count.tracked,
      left: count.left - truncations - recentTruncations,
      deletes: open.length,
      leaving: count.leaving,
      recentDeletes: this.#recentDeletes.reduce((sum, one) => sum + one.count, 0),
      recentTruncations,
      deletesPerMinuteMax: this.deletesPerMinuteMax,
    });
  }

  #forgetOld(): void {
    const sinceMs = this.#clock.monotonicMs() - deletionWindowMs;
    while (this.#recentDeletes[0] !== undefined && this.#recentDeletes[0].atMs < sinceMs)
      this.#recentDeletes.shift();
    for (const [path, { atMs }] of this.#recentTruncations)
      if (atMs < sinceMs) this.#recentTruncations.delete(path);
  }

  /** A file that has a content again lost nothing: a log that is rotated every second is one that is written. */
  #stillTruncated(): number {
    let count = 0;
    for (const [path, { sizeBytes }] of this.#recentTruncations) {
      const local = this.#sizes.localAt(path);
      if (local?.kind === 'file' && isTruncation(sizeBytes, local.sizeBytes)) count += 1;
    }
    return count;
  }

  /** Yes, carry what waits. */
  confirm(): void {
    this.#accepted = new Set(this.#waiting.map(keyOf));
  }

  /** These are carried out now. What was said yes to does not count against what comes after it. */
  recordApplied(plan: Plan): void {
    const atMs = this.#clock.monotonicMs();
    let deletes = 0;
    for (const loss of lossesOf(plan, this.#sizes)) {
      if (this.#accepted.has(keyOf(loss)) || this.#moved.has(loss.path)) continue;
      if (loss.change === 'deletion') deletes += 1;
      else {
        const before = this.#recentTruncations.get(loss.path)?.sizeBytes ?? 0;
        const sizeBytes = Math.max(before, loss.sizeBytes);
        this.#recentTruncations.set(loss.path, { atMs, sizeBytes });
      }
    }
    if (deletes > 0) this.#recentDeletes.push({ atMs, count: deletes });
  }

  /** What was missing is on its way back. */
  reset(): void {
    this.#recentDeletes.length = 0;
    this.#recentTruncations.clear();
    this.#end();
  }

  /** Nothing is left to do: a yes is used up. */
  cycleSettled(): void {
    this.#accepted = new Set();
    this.#end();
  }

  #end(): void {
    this.#wait([]);
    this.restoreWanted = false;
    this.haltedCause = null;
  }

  #wait(losses: readonly PendingDeletion[]): void {
    this.#waiting = losses;
    this.#waitingTruncations = losses.filter(({ change }) => change === 'truncation').length;
  }
}

/** A yes to a truncation is none to the deletion of the file. */
function keyOf({ change, path }: PendingDeletion): string {
  return `${change} ${path}`;
}

function lossesOf(plan: Plan, sizes: LossSizes): PendingDeletion[] {
  const losses: PendingDeletion[] = [];
  for (const action of plan.toWorkspace.flat()) {
    const { path } = action;
    const sizeBytes = sizes.workspaceAt(path)?.sizeBytes ?? 0;
    if (action.kind === 'delete') losses.push({ path, change: 'deletion', sizeBytes, sizeAfterBytes: null });
    if (action.kind !== 'write' || action.expected === null) continue;
    const local = sizes.localAt(path);
    if (local?.kind === 'file' && isTruncation(sizeBytes, local.sizeBytes))
      losses.push({ path, change: 'truncation', sizeBytes, sizeAfterBytes: local.sizeBytes });
  }
  return losses;
}
