// Runs one sync session: opens the folder when its root is the mirrored one, runs cycles at their own pace, and closes the folder.
// It decides nothing about files (core/sync/reconcile does), and a hint only wakes it.
import type { Folder, FolderListener, RootState } from '../../disk/port/folder.ts';
import { type OpenSessionOptions, openSession } from '../cycle/open-session.ts';
import type { SyncSession } from '../cycle/session.ts';
import type { PendingDeletion } from '../guard/deletion-guard.ts';
import { checkRoot, type HaltCause } from '../guard/halt-causes.ts';
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
      onHint: (scope) => loop.work.add(scope),
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
      loop.work.add('full');
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
    const result = await session.runCycle(scope, loop.halt);
    if (this.#ending.signal.aborted) return;
    if (result.halt !== null) {
      await this.#halt(result.halt, result.pendingDeletions);
      const scan = session.folderState.lastFullScan;
      const cpuMs = scan === null || scan === before ? 0 : scan.cpuMs;
      // A hint or an answer ends the pause.
      await loop.sleep(loop.watchMode.haltedPauseMs(cpuMs));
      loop.work.add('full');
      return;
    }
    // A halt ends only when no file is unsettled: a file that has just vanished is not planned yet, and is not back.
    if (loop.halt.cause === null || result.settled) await this.#cycleSucceeded(session, result.changed);
    loop.isIdle = result.settled && loop.state === 'idle';
    const wasFull = session.folderState.lastFullScan !== before;
    if (loop.isIdle) this.#proof.rested(wasFull ? 'full' : scope);
    if (result.settled) for (const waiter of waiters) waiter.resolve(true);
    await loop.sleep(this.#nextScanMs(session, result.recheckInMs));
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

  #nextScanMs(session: SyncSession, recheckInMs: number | null): number {
    const loop = this.#loop;
    const { lastFullScan, isWatched } = session.folderState;
    const everyMs = loop.watchMode.scanEveryMs(lastFullScan, isWatched);
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
    return false;
  }

  async #halt(cause: HaltCause, pendingDeletions: readonly PendingDeletion[]): Promise<void> {
    const loop = this.#loop;
    // Before the first await: a reader must not see a halt cause without its state.
    loop.state = 'halted';
    const isNew = await loop.halt.halt({ cause, pendingDeletions });
    if (isNew) this.#deps.logger.warn({ dir: loop.row.dir, cause }, 'mirror halted');
    loop.waiters.answerAll(false);
  }
}
