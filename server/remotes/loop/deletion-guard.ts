// Stops before many files are deleted on either side: an emptied workspace or server, or a foreign one, must never empty the other.
import { reconcile } from '../../core/sync/reconcile.ts';
import { isTruncation } from '../../core/sync/truncation.ts';
import type { Clock } from '../../platform/clock.ts';
import { deletionsPerMinuteMax, massDeletionFilesMin, slicePathsMax } from '../limits.ts';
import type { RemoteContext } from '../state/context.ts';
import { loadSlice } from '../state/slice.ts';

/** Where the files would be deleted. */
export type DeletionSide = 'here' | 'there';

export interface PendingDeletions {
  readonly here: readonly string[];
  readonly there: readonly string[];
}

export interface Halt {
  readonly side: DeletionSide;
  readonly deletions: number;
  readonly files: number;
}

const minuteMs = 60_000;

export class DeletionGuard {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #done: Record<DeletionSide, number[]> = { here: [], there: [] };

  #listedNothing = false;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** true: every deletion here must be confirmed by a person, because the last list of the server was empty. */
  get asksForEach(): boolean {
    return this.#listedNothing;
  }

  /** An empty list is more often a fault than the wish to delete everything, also where few files were there. `files`: of the base. */
  noteList(listed: number, files: number): void {
    this.#listedNothing = listed === 0 && files > 0;
  }

  /** A person has answered for what is pending. */
  answered(): void {
    this.#listedNothing = false;
  }

  /** Why the pending deletions must not be done now; null: they may. `files`: of the base. */
  check(pending: PendingDeletions, files: number): Halt | null {
    for (const side of ['here', 'there'] as const) {
      const deletions = pending[side].length;
      const isMass = files >= massDeletionFilesMin && deletions * 2 > files;
      const isEmptied = side === 'here' && this.#listedNothing && deletions > 0;
      if (isMass || isEmptied || deletions + this.#recent(side) > deletionsPerMinuteMax)
        return { side, deletions, files };
    }
    return null;
  }

  note(side: DeletionSide, deletions: number): void {
    for (let count = 0; count < deletions; count += 1) this.#done[side].push(this.#clock.monotonicMs());
  }

  #recent(side: DeletionSide): number {
    const since = this.#clock.monotonicMs() - minuteMs;
    this.#done[side] = this.#done[side].filter((atMs) => atMs > since);
    return this.#done[side].length;
  }
}

/** The deletions and truncations that a plan for these paths would make. */
export async function pendingDeletions(
  context: RemoteContext,
  paths: readonly string[],
): Promise<PendingDeletions> {
  const here: string[] = [];
  const there: string[] = [];
  for (let start = 0; start < paths.length; start += slicePathsMax) {
    context.signal.throwIfAborted();
    const slice = await loadSlice(context, paths.slice(start, start + slicePathsMax));
    const plan = reconcile(slice.trees);
    for (const { kind, path } of plan.toLocal) if (kind === 'remove') here.push(path);
    for (const { kind, path } of plan.toWorkspace.flat()) {
      const local = slice.localAt(path);
      const base = slice.baseAt(path);
      if (kind === 'delete') there.push(path);
      else if (local !== null && base !== null && isTruncation(base.sizeBytes, local.sizeBytes))
        there.push(path);
    }
  }
  return { here, there };
}
