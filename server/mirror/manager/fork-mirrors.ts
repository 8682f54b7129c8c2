// The mirrors of forks among all loops: found by their fork, waited for, and whether their fork has ended. It starts and ends none.
import type { Mirror } from '../../contract/workspaces.ts';
import { type Clock, withTimeLimit } from '../../platform/clock.ts';
import type { MirrorRow } from '../../store/port/store.ts';
import { ForkGoneError, type ForkService } from '../../workspaces/forks.ts';
import type { SyncLoop } from '../loop/loop.ts';

export class ForkMirrors {
  readonly #forks: ForkService;
  readonly #clock: Clock;
  readonly #loops: ReadonlyMap<string, SyncLoop>;

  constructor(forks: ForkService, clock: Clock, loops: ReadonlyMap<string, SyncLoop>) {
    this.#forks = forks;
    this.#clock = clock;
    this.#loops = loops;
  }

  /** null: the fork has no mirror. */
  view(forkId: string): Mirror | null {
    return this.#of(forkId)?.view() ?? null;
  }

  /** As `settle` of all mirrors. null: the fork has none. */
  async settle(
    forkId: string,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<{ settled: boolean; mirror: Mirror } | null> {
    const loop = this.#of(forkId);
    if (loop === null) return null;
    const settled = await withTimeLimit(this.#clock, timeoutMs, signal, (ended) =>
      loop.waitUntilSynced(ended),
    );
    return { settled, mirror: loop.view() };
  }

  /** The mirror shows a fork that was committed, discarded or has expired. */
  async isEnded({ workspaceId, forkId }: MirrorRow): Promise<boolean> {
    if (forkId === null) return false;
    try {
      await this.#forks.open(workspaceId, forkId);
      return false;
    } catch (error) {
      if (error instanceof ForkGoneError) return true;
      throw error;
    }
  }

  #of(forkId: string): SyncLoop | null {
    return [...this.#loops.values()].find(({ row }) => row.forkId === forkId) ?? null;
  }
}
