// What a mirror's loop is at, in memory: its row, its session, its state and what it is to do next. Who drives the loop (loop.ts)
// and who runs its session (session-run.ts) share it. It decides nothing and never looks at a folder.
import type { MirrorState } from '../../contract/workspaces.ts';
import type { ConflictRow, MirrorRow, Store } from '../../store/port/store.ts';
import type { SyncSession } from '../cycle/session.ts';
import type { MirrorDeps } from '../state/context.ts';
import { MirrorRecord } from './mirror-record.ts';
import { PendingWork, type WorkKind } from './pending-work.ts';
import { SyncWaiters } from './sync-waiters.ts';
import { WatchMode } from './watch-mode.ts';

export class LoopState {
  readonly needs: PendingWork;
  readonly wishes = new SyncWaiters();
  readonly stored: MirrorRecord;
  readonly watching: WatchMode;
  readonly #mirrors: Store['mirrors'];
  session: SyncSession | null = null;
  state: MirrorState;
  /** Why the state is `error`. */
  failure: string | null = null;
  retryAtMs: number | null = null;
  /** No cycle runs, and the last one left nothing to do. */
  isResting = false;
  /** What is missing in the folder comes back, once; it is not deleted. */
  restoreWanted = false;
  /** What is due when the sleep ends by itself. */
  timerNeed: WorkKind = 'full';
  /** Files that both sides agreed on when no session ran. */
  filesAtRest = 0;
  #conflicts: readonly ConflictRow[] = [];

  /** `onBaseForgotten`: nothing that was found out of the two sides holds any more. */
  constructor({ clock, logger, store }: MirrorDeps, row: MirrorRow, onBaseForgotten: () => void) {
    this.needs = new PendingWork(clock);
    this.watching = new WatchMode(row.dir, logger, () => this.needs.add('full'));
    this.stored = new MirrorRecord(store, row, onBaseForgotten);
    this.state = row.paused ? 'paused' : 'scanning';
    this.#mirrors = store.mirrors;
  }

  get row(): MirrorRow {
    return this.stored.now;
  }
  get conflicts(): readonly ConflictRow[] {
    return this.session?.conflicts ?? this.#conflicts;
  }
  get files(): number {
    return this.session?.trees.tracked ?? this.filesAtRest;
  }

  async readConflicts(): Promise<void> {
    this.#conflicts = await this.#mirrors.listConflicts(this.row.mirrorId);
    await this.session?.readConflicts();
  }

  /** What it knew stays known until the next one. */
  endSession(): void {
    this.#conflicts = this.conflicts;
    this.filesAtRest = this.files;
    this.isResting = false;
    this.session = null;
  }

  /** Until something is needed, the time is over, or the session ends. null: until then, however long. */
  async sleep(ms: number | null): Promise<void> {
    if (this.needs.any && ms !== null && this.state !== 'halted') return;
    await this.needs.sleep(ms, this.timerNeed);
  }
}
