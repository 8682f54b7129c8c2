// The deletion guard of one mirror: checks each plan against the limits, with the deletions and truncations of the last minute
// (docs/sync-rules.md#11, docs/sync-rules.md#27). It returns a verdict and keeps no halt: mirror/loop/halt-state.ts does. A
// confirmation applies to the deletions that were shown, and ends with the session. No I/O.
import { sortInSteps } from '../../core/paths/steps.ts';
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
  /** Files in the base. */
  readonly tracked: number;
  /** Files in the folder, with those that are still being written. */
  readonly left: number;
  /** Files that have just vanished and are not stable yet, less those that have just appeared. */
  readonly leaving: number;
  /** The root's marker is gone. */
  readonly unmarked: boolean;
}

/** A planned change that would delete or truncate a file of the workspace. */
export interface PendingDeletion {
  readonly path: string;
  readonly change: 'deletion' | 'truncation';
  /** Of the workspace's file, which would be deleted or replaced. */
  readonly sizeBytes: number;
  /** Of the file that would replace it; null: none would. */
  readonly sizeAfterBytes: number | null;
}

export interface GuardVerdict {
  /** null: the plan may be applied. */
  readonly cause: HaltCause | null;
  /** In the order of paths; empty when the plan may be applied. */
  readonly pendingDeletions: readonly PendingDeletion[];
}

/** The halt of a mirror as its status shows it; mirror/loop/halt-state.ts owns it. */
export interface HaltView {
  /** Until both sides are in sync again. */
  readonly cause: HaltCause | null;
  readonly pendingDeletions: readonly PendingDeletion[];
  readonly pendingCounts: PendingCounts;
}

/** What a cycle needs of the halt of its mirror. */
export interface CycleHalt {
  /** The cause of a halt that continues while a file is missing; null: none, or the missing files are being restored. */
  readonly guardCause: HaltCause | null;
  /** Missing files are restored instead of deleted. */
  readonly isRestoreDue: boolean;
  restoreApplied(): void;
  planAccepted(): void;
}

/** Contents of both sides at a path. */
export interface LossSizes {
  localAt(
    path: string,
  ):
    | { readonly kind: 'file'; readonly sizeBytes: number }
    | { readonly kind: 'blocked' | 'directory' }
    | null;
  workspaceAt(path: string): { readonly sizeBytes: number } | null;
  /** Those of the paths whose content the folder holds under another name, in steps. */
  movedAway(paths: readonly string[]): Generator<void, ReadonlySet<string>>;
}

const none: ReadonlySet<string> = new Set();

export class DeletionGuard {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #sizes: LossSizes;
  readonly #recentDeletes: { atMs: number; count: number }[] = [];
  /** Path -> when its truncation was applied, and the size before. At most as many as the limit per minute. */
  readonly #recentTruncations = new Map<string, { readonly atMs: number; readonly sizeBytes: number }>();
  #confirmed: readonly PendingDeletion[] = [];
  /** Their keys; made by the next check. */
  #confirmedKeys: ReadonlySet<string> | null = none;
  /** In the plan that was checked last: deletions of files that the folder still has under another name. */
  #moved: ReadonlySet<string> = none;
  /** Those of that plan that were not confirmed. */
  #open: readonly PendingDeletion[] = [];
  deletesPerMinuteMax: number;
  readonly #allowsAll: boolean;

  /** `allowsAll`: in a fork a deletion is staged, and reviewed before it is committed. */
  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    sizes: LossSizes,
    deletesPerMinuteMax: number,
    allowsAll = false,
  ) {
    this.#allowsAll = allowsAll;
    this.#clock = clock;
    this.#sizes = sizes;
    this.deletesPerMinuteMax = deletesPerMinuteMax;
  }

  /** In steps: a plan may delete a hundred thousand files. `haltedCause`: of the halt that continues while a file is missing. */
  *check(plan: Plan, count: FolderCount, haltedCause: HaltCause | null): Generator<void, GuardVerdict> {
    if (this.#allowsAll) return { cause: null, pendingDeletions: [] };
    const losses = yield* lossesOf(plan, this.#sizes);
    const open = yield* this.#withoutConfirmed(losses);
    this.#open = open;
    const suspected = this.#causeOf(open, count, haltedCause);
    this.#moved = suspected === null ? none : yield* this.#movedOf(open);
    const cause =
      this.#moved.size === 0
        ? suspected
        : this.#causeOf(
            open.filter(({ path }) => !this.#moved.has(path)),
            count,
            haltedCause,
          );
    const pendingDeletions =
      cause === null ? [] : yield* sortInSteps(losses, (left, right) => (left.path < right.path ? -1 : 1));
    return { cause, pendingDeletions };
  }

  *#withoutConfirmed(losses: readonly PendingDeletion[]): Generator<void, readonly PendingDeletion[]> {
    const keys = this.#confirmedKeys ?? (yield* this.#keysOfConfirmed());
    if (keys.size === 0) return losses;
    const open: PendingDeletion[] = [];
    for (const loss of losses) {
      yield;
      if (!keys.has(keyOf(loss))) open.push(loss);
    }
    return open;
  }

  *#keysOfConfirmed(): Generator<void, ReadonlySet<string>> {
    const confirmed = this.#confirmed;
    const keys = new Set<string>();
    for (const loss of confirmed) {
      yield;
      keys.add(keyOf(loss));
    }
    // A person may confirm others meanwhile.
    if (this.#confirmed === confirmed) this.#confirmedKeys = keys;
    return keys;
  }

  /** Where the new name of a directory was seen first, its files were uploaded as new ones: their old names are not losses. */
  #movedOf(open: readonly PendingDeletion[]): Generator<void, ReadonlySet<string>> {
    return this.#sizes.movedAway(open.filter(({ change }) => change === 'deletion').map(({ path }) => path));
  }

  #causeOf(
    open: readonly PendingDeletion[],
    count: FolderCount,
    haltedCause: HaltCause | null,
  ): HaltCause | null {
    this.#forgetOld();
    const truncations = open.filter(({ change }) => change === 'truncation').length;
    // Only missing files indicate another folder: a truncated file was edited.
    if (count.unmarked && open.length > truncations) return 'root_replaced';
    // A mirror that halted for missing files continues automatically only when all of them are back.
    if (isDeletionHalt(haltedCause) && open.length > 0) return haltedCause;
    const recentTruncations = this.#stillTruncated();
    return checkDeletions({
      tracked: count.tracked,
      left: count.left - truncations - recentTruncations,
      deletes: open.length,
      leaving: count.leaving,
      recentDeletes: this.#recentDeletes.reduce((sum, { count: deletes }) => sum + deletes, 0),
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

  /** A file that has content again lost nothing: a log that is rotated every second is only written. */
  #stillTruncated(): number {
    let count = 0;
    for (const [path, { sizeBytes }] of this.#recentTruncations) {
      const local = this.#sizes.localAt(path);
      if (local?.kind === 'file' && isTruncation(sizeBytes, local.sizeBytes)) count += 1;
    }
    return count;
  }

  confirm(deletions: readonly PendingDeletion[]): void {
    this.#confirmed = deletions;
    this.#confirmedKeys = null;
  }

  /** The plan that was checked last is applied now. Confirmed deletions do not count against later ones. */
  recordApplied(): void {
    const atMs = this.#clock.monotonicMs();
    let deletes = 0;
    for (const loss of this.#open) {
      if (this.#moved.has(loss.path)) continue;
      if (loss.change === 'deletion') deletes += 1;
      else {
        const before = this.#recentTruncations.get(loss.path)?.sizeBytes ?? 0;
        const sizeBytes = Math.max(before, loss.sizeBytes);
        this.#recentTruncations.set(loss.path, { atMs, sizeBytes });
      }
    }
    if (deletes > 0) this.#recentDeletes.push({ atMs, count: deletes });
    this.#open = [];
  }

  /** The missing files are being restored. */
  resetWindow(): void {
    this.#recentDeletes.length = 0;
    this.#recentTruncations.clear();
  }

  /** Both sides are in sync: a confirmation ends. */
  cycleSettled(): void {
    this.#confirmed = [];
    this.#confirmedKeys = none;
  }
}

export function countPending(pending: readonly PendingDeletion[]): PendingCounts {
  const truncations = pending.filter(({ change }) => change === 'truncation').length;
  return { truncations, deletions: pending.length - truncations };
}

/** A confirmed truncation does not confirm the deletion of the file. */
function keyOf({ change, path }: PendingDeletion): string {
  return `${change} ${path}`;
}

function* lossesOf(plan: Plan, sizes: LossSizes): Generator<void, readonly PendingDeletion[]> {
  const losses: PendingDeletion[] = [];
  for (const action of plan.toWorkspace.flat()) {
    yield;
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
