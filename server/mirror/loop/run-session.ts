// Runs one sync session: opens the folder when its root is the mirrored one, runs cycles at their own pace, and closes the folder.
// It decides nothing about files (core/sync/reconcile does), and a hint only wakes it.
import type { Folder, FolderListener, RootState } from '../../disk/port/folder.ts';
import { type OpenSessionOptions, openSession } from '../cycle/open-session.ts';
import type { CycleResult, SyncSession } from '../cycle/session.ts';
import type { PendingDeletion } from '../guard/deletion-guard.ts';
import { checkRoot, type HaltCause, isDeletionHalt } from '../guard/halt-causes.ts';
import type { ProofMeter } from '../proof/proof-meter.ts';
import type { MirrorDeps } from '../state/context.ts';
import { loadBase } from './load-base.ts';
import type { LoopState } from './loop-state.ts';

export interface SessionRunnerDeps extends MirrorDeps {
  readonly openFolder: (listener: FolderListener) => Folder;
  /** Takes the root lock; null when it is taken, otherwise its owner for people. */
  readonly lockRoot: (dir: string) => Promise<string | null>;
}

export class SessionRunner {
  readonly #deps: SessionRunnerDeps;
  readonly #loop: LoopState;
  readonly #proof: Pick<ProofMeter, 'rested' | 'sessionEnded'>;
  /** Aborted by pause, stop, another root, or a failure of the folder's thread. */
  readonly #ending: AbortController;
  #lastScanMonotonicMs = 0;
  /** Of the last cycle that scanned everything. */
  #fullCycleMs = 0;

  constructor(
    deps: SessionRunnerDeps,
    loop: LoopState,
    proof: Pick<ProofMeter, 'rested' | 'sessionEnded'>,
    ending: AbortController,
  ) {
    this.#deps = deps;
    this.#loop = loop;
    this.#proof = proof;
    this.#ending = ending;
  }

  /** Resolves when the session ended and the folder is closed; rejects when the session failed. */
  async run(onHealthy: () => void): Promise<void> {
    const { openFolder, lockRoot } = this.#deps;
    const loop = this.#loop;
    const row = await loop.record.checkEpoch();
    loop.state = row.haltedCause === null ? 'scanning' : 'halted';
    let threadFailure: Error | null = null;
    const folder = openFolder({
      onHint: (scope) => loop.work.hint(scope),
      onScanProgress: (progress) => loop.session?.folderState.scanned(progress),
      onWatchState: (state, trouble) => loop.watchMode.changed(state, trouble),
      onFailure: (error) => {
        threadFailure = error;
        this.#ending.abort();
        loop.work.wakeUp();
      },
    });
    loop.folder = folder;
    try {
      const opened = await this.#openMirroredRoot(folder, row.mirrorId);
      if (opened === null) return;
      const owner = await lockRoot(row.dir);
      if (owner !== null) throw new Error(`another agent mirrors this folder: ${owner}`);
      const { signal } = this.#ending;
      const session = openSession(this.#deps, { row, folder, ...opened, signal });
      loop.session = session;
      await session.recover();
      // Setting the watches takes longer than a scan, and each would delay the other. A change before a directory is watched is
      // found by the scan that follows when all watches are set.
      void session.folderState.firstScan.then(() => loop.watchMode.start(folder, signal));
      loop.work.hint('full');
      while (!signal.aborted) {
        await this.#cycleOnce(session);
        onHealthy();
      }
      if (threadFailure !== null) throw threadFailure;
    } finally {
      loop.endSession();
      this.#proof.sessionEnded();
      await folder.close();
    }
  }

  /**
   * Waits until the root is the mirrored one; null: the session ended first. What the folder's side had to know is not held on to
   * while the session runs.
   */
  async #openMirroredRoot(
    folder: Folder,
    mirrorId: string,
  ): Promise<Pick<OpenSessionOptions, 'names' | 'trees'> | null> {
    const { trees, known } = await loadBase(this.#deps.store, mirrorId);
    const { fileBytesMax } = this.#deps;
    const root = this.#loop.row.dir;
    let opened = await folder.open({ root, known, fileBytesMax });
    while (!(await this.#isMirroredRoot(opened.root))) {
      await this.#loop.sleep(this.#loop.watchMode.haltedPauseMs(0));
      if (this.#ending.signal.aborted) return null;
      const scan = await folder.scan('dirty');
      if (scan.root.kind === 'present') opened = await folder.open({ root, known, fileBytesMax });
    }
    return { names: opened.names, trees };
  }

  async #cycleOnce(session: SyncSession): Promise<void> {
    const loop = this.#loop;
    // Only a cycle that begins after the call answers it: its scan sees every change made before the call.
    const waiters = loop.waiters.current();
    const scope = loop.work.take();
    loop.isIdle = false;
    if (scope === 'full') this.#lastScanMonotonicMs = this.#deps.clock.monotonicMs();
    const before = session.folderState.lastFullScan;
    const begunMs = this.#deps.clock.monotonicMs();
    const result = await session.runCycle(scope, loop.halt);
    if (this.#ending.signal.aborted) return;
    const wasFull = session.folderState.lastFullScan !== before;
    const cycleMs = this.#deps.clock.monotonicMs() - begunMs;
    if (wasFull) this.#fullCycleMs = cycleMs;
    if (result.halt !== null) {
      await this.#halt(result.halt, result.pendingDeletions);
      for (const waiter of waiters) waiter.resolve(false);
      await this.#stayHalted(session, result, cycleMs);
      return;
    }
    // A halt ends only when no file is unsettled: a file that has just vanished is not planned yet, and is not back.
    if (loop.halt.cause === null || result.settled) await this.#cycleSucceeded(session, result.changed);
    loop.isIdle = result.settled && loop.state === 'idle';
    if (loop.isIdle) this.#proof.rested(wasFull ? 'full' : scope);
    loop.changed();
    if (result.settled) for (const waiter of waiters) waiter.resolve(true);
    const { lastFullScan, isWatched } = session.folderState;
    const everyMs = loop.watchMode.scanEveryMs(lastFullScan, isWatched);
    await loop.sleep(this.#nextScanMs(session, result.recheckInMs, everyMs));
  }

  /** Until the next look at a halted folder. Programs may write into it for days. */
  async #stayHalted(
    session: SyncSession,
    { halt, recheckInMs }: CycleResult,
    cycleMs: number,
  ): Promise<void> {
    const loop = this.#loop;
    if (isDeletionHalt(halt)) {
      await loop.work.rest(loop.watchMode.haltedRestMs(cycleMs));
      const everyMs = loop.watchMode.haltedPauseMs(this.#fullCycleMs);
      await loop.sleep(this.#nextScanMs(session, recheckInMs, everyMs));
    } else {
      await loop.sleep(loop.watchMode.haltedPauseMs(cycleMs));
      // Of a root that is back nothing is known.
      loop.work.hint('full');
    }
  }

  async #cycleSucceeded(session: SyncSession, changed: boolean): Promise<void> {
    const loop = this.#loop;
    loop.state = 'idle';
    loop.failure = null;
    session.deletionGuard.cycleSettled();
    const first = !loop.row.established;
    await loop.halt.clear();
    if (changed || first || loop.row.lastSyncAtMs === null) {
      await loop.record.update({ established: true, lastSyncAtMs: this.#deps.clock.nowMs() });
    }
  }

  /** `everyMs`: between two full scans that nothing requests. */
  #nextScanMs(session: SyncSession, recheckInMs: number | null, everyMs: number): number {
    const loop = this.#loop;
    const { lastFullScan } = session.folderState;
    const lastMonotonicMs = Math.max(this.#lastScanMonotonicMs, lastFullScan?.startedMonotonicMs ?? 0);
    loop.fullScanDueMonotonicMs = lastMonotonicMs + everyMs;
    const rescanInMs = Math.max(0, loop.fullScanDueMonotonicMs - this.#deps.clock.monotonicMs());
    const retryInMs = session.problems.dueInMs() ?? Number.POSITIVE_INFINITY;
    if (recheckInMs !== null && recheckInMs <= rescanInMs) loop.timerWork = 'dirty';
    else loop.timerWork = rescanInMs <= retryInMs ? 'full' : 'remote';
    return Math.min(recheckInMs ?? Number.POSITIVE_INFINITY, rescanInMs, retryInMs);
  }

  async #isMirroredRoot(root: RootState): Promise<boolean> {
    const identity = checkRoot(root, this.#loop.row);
    if (identity === 'same' || identity === 'unmarked') return true;
    await this.#halt(identity, []);
    this.#loop.waiters.answerAll(false);
    return false;
  }

  async #halt(cause: HaltCause, pendingDeletions: readonly PendingDeletion[]): Promise<void> {
    const loop = this.#loop;
    // Before the first await: a reader must not see a halt cause without its state.
    loop.state = 'halted';
    const shown = loop.halt.pendingDeletions;
    const isNew = await loop.halt.halt({ cause, pendingDeletions });
    if (isNew || !areSame(shown, pendingDeletions)) loop.changed();
    if (isNew) this.#deps.logger.warn({ dir: loop.row.dir, cause }, 'mirror halted');
  }
}

function areSame(one: readonly PendingDeletion[], other: readonly PendingDeletion[]): boolean {
  return (
    one.length === other.length &&
    one.every(
      ({ path, change, sizeBytes, sizeAfterBytes }, index) =>
        path === other[index]?.path &&
        change === other[index].change &&
        sizeBytes === other[index].sizeBytes &&
        sizeAfterBytes === other[index].sizeAfterBytes,
    )
  );
}
