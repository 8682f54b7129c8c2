// The shared state of one mirror's loop: its record, its session, its halt and its pending work. loop.ts and run-session.ts use it.
// It decides nothing and reads no folder.
import type { MirrorState } from '../../contract/workspaces.ts';
import type { Folder } from '../../disk/port/folder.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ConflictRow, MirrorRow, MirrorStore } from '../../store/port/store.ts';
import type { FullScan } from '../cycle/folder-state.ts';
import type { SyncSession } from '../cycle/session.ts';
import type { MirrorDeps, MirrorStores } from '../state/context.ts';
import type { ProcessorShares } from '../state/processor-shares.ts';
import type { FullScanTimes } from '../status/loop-view.ts';
import { HaltState } from './halt-state.ts';
import { PendingWork, SyncWaiters, type WorkKind } from './pending-work.ts';
import { WatchMode } from './watch-mode.ts';

export interface LoopStateDeps extends MirrorDeps {
  readonly processorShares: ProcessorShares;
  /** What a view of the mirror answers may have changed. */
  readonly onChange?: (mirrorId: string) => void;
}

export type RowPatch = Partial<Omit<MirrorRow, 'mirrorId' | 'workspaceId'>>;

/** The mirror's row, in memory and in the store. */
export class MirrorRecord {
  readonly #store: MirrorStores;
  readonly #onBaseReset: () => void;
  #row: MirrorRow;

  /** `onBaseReset`: earlier results of comparing the two sides no longer apply. */
  constructor(store: MirrorStores, row: MirrorRow, onBaseReset: () => void) {
    this.#store = store;
    this.#row = row;
    this.#onBaseReset = onBaseReset;
  }

  get now(): MirrorRow {
    return this.#row;
  }

  async update(patch: RowPatch): Promise<void> {
    this.#row = { ...this.#row, ...patch };
    await this.#store.mirrors.update({ mirrorId: this.#row.mirrorId, patch });
  }

  /** Deletes the base: the next contact only adds (docs/sync-rules.md#12). */
  async resetBase(patch: RowPatch): Promise<void> {
    await this.#store.mirrors.clearBase({ mirrorId: this.#row.mirrorId });
    this.#onBaseReset();
    await this.update({ ...patch, established: false });
  }

  /** A restored store has another epoch: the base of the former one does not apply (ARCHITECTURE.md, invariant 5). */
  async checkEpoch(): Promise<MirrorRow> {
    const epoch = await this.#store.maintenance.epoch();
    if (this.#row.epoch !== epoch) await this.resetBase({ epoch });
    return this.#row;
  }
}

export class LoopState {
  readonly work: PendingWork;
  readonly waiters = new SyncWaiters();
  readonly record: MirrorRecord;
  readonly halt: HaltState;
  readonly watchMode: WatchMode;
  readonly #mirrors: MirrorStore;
  session: SyncSession | null = null;
  /** While a session runs, from before its root is checked. */
  folder: Folder | null = null;
  #state: MirrorState;
  #isIdle = false;
  /** Why the state is `error`. */
  failure: string | null = null;
  retryAtMs: number | null = null;
  /** When the next full scan is due that nothing requests; null: no session is running. */
  fullScanDueMonotonicMs: number | null = null;
  #lastFullScan: FullScan | null = null;
  readonly #clock: Clock;
  /** The work that is due when a sleep times out. */
  timerWork: WorkKind = 'full';
  /** Files in the base while no session is running. */
  filesWithoutSession = 0;
  #conflicts: readonly ConflictRow[] = [];

  readonly #onChange: () => void;

  constructor(
    { clock, logger, store, processorShares, onChange }: LoopStateDeps,
    row: MirrorRow,
    onBaseReset: () => void,
  ) {
    this.#clock = clock;
    this.#onChange = () => onChange?.(row.mirrorId);
    this.work = new PendingWork(clock);
    this.watchMode = new WatchMode(row, logger, processorShares.scans, () => this.work.hint('full'));
    this.record = new MirrorRecord(store, row, onBaseReset);
    this.halt = new HaltState(this.record);
    this.#state = row.paused ? 'paused' : 'scanning';
    this.#mirrors = store.mirrors;
  }

  get row(): MirrorRow {
    return this.record.now;
  }
  get state(): MirrorState {
    return this.#state;
  }
  set state(state: MirrorState) {
    if (this.#state === state) return;
    this.#state = state;
    this.changed();
  }
  /** No cycle is running, and the last one left nothing to do. */
  get isIdle(): boolean {
    return this.#isIdle;
  }
  set isIdle(isIdle: boolean) {
    if (this.#isIdle === isIdle) return;
    this.#isIdle = isIdle;
    this.changed();
  }
  get fullScan(): FullScanTimes {
    const last = this.session?.folderState.lastFullScan ?? this.#lastFullScan;
    const dueInMs =
      this.fullScanDueMonotonicMs === null ? null : this.fullScanDueMonotonicMs - this.#clock.monotonicMs();
    return {
      lastAtMs: last?.startedAtMs ?? null,
      nextAtMs: dueInMs === null ? null : this.#clock.nowMs() + Math.max(0, dueInMs),
      cpuMs: last === null ? null : last.cpuMs,
    };
  }
  get conflicts(): readonly ConflictRow[] {
    return this.session?.conflicts ?? this.#conflicts;
  }
  get files(): number {
    return this.session?.trees.tracked ?? this.filesWithoutSession;
  }

  async readConflicts(): Promise<void> {
    this.#conflicts = await this.#mirrors.listConflicts(this.row.mirrorId);
    await this.session?.readConflicts();
    this.changed();
  }

  /** A view of the mirror may be another one than before. */
  changed(): void {
    this.#onChange();
  }

  /** Conflicts and the number of files stay known until the next session. */
  endSession(): void {
    this.#conflicts = this.conflicts;
    this.filesWithoutSession = this.files;
    this.#lastFullScan = this.session?.folderState.lastFullScan ?? this.#lastFullScan;
    this.fullScanDueMonotonicMs = null;
    this.isIdle = false;
    this.session = null;
    this.folder = null;
    this.halt.sessionEnded();
    this.watchMode.sessionEnded();
    this.changed();
  }

  /** Until there is work, the time is over, or the session ends. null: without a time limit. */
  async sleep(ms: number | null): Promise<void> {
    if (this.work.any && ms !== null && this.state !== 'halted') return;
    await this.work.sleep(ms, this.timerWork);
  }
}
