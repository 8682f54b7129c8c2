// One session of a mirror from its beginning to its end: the folder opened once its root is the right one, cycles one after the
// other at their own pace, the folder closed. It owns halt. It never decides about files (core/reconcile does) and never acts
// directly on a hint.
import type { Folder, FolderListener, RootState } from '../../disk/port/folder.ts';
import { packKnownFiles } from '../../disk/tree/known-files.ts';
import type { BaseRow } from '../../store/port/store.ts';
import { SyncSession } from '../cycle/session.ts';
import { checkRoot, type HaltCause } from '../guard/halt-causes.ts';
import type { ProofMeter } from '../proof/proof-meter.ts';
import type { MirrorDeps } from '../state/context.ts';
import type { LoopState } from './loop-state.ts';

const haltedLookMs = 2000;

export interface SessionRunnerDeps extends MirrorDeps {
  readonly openFolder: (listener: FolderListener) => Folder;
  /** Takes the lock of the root; otherwise who holds it, in words. */
  readonly lockRoot: (dir: string) => Promise<string | null>;
}

export class SessionRunner {
  readonly #parts: SessionRunnerDeps;
  readonly #at: LoopState;
  readonly #proof: Pick<ProofMeter, 'rested'>;
  /** Ends it: pause, stop, a new start, a folder that failed. */
  readonly #ending: AbortController;
  #lastScanMonotonicMs = 0;

  constructor(
    parts: SessionRunnerDeps,
    at: LoopState,
    proof: Pick<ProofMeter, 'rested'>,
    ending: AbortController,
  ) {
    this.#parts = parts;
    this.#at = at;
    this.#proof = proof;
    this.#ending = ending;
  }

  /** Resolves when it was ended and the folder is closed; rejects when it cannot go on. */
  async toItsEnd(onHealthy: () => void): Promise<void> {
    const { openFolder, lockRoot, store } = this.#parts;
    const at = this.#at;
    const row = await at.stored.checkEpoch();
    at.state = row.haltedCause === null ? 'scanning' : 'halted';
    let threadFailure: Error | null = null;
    const folder = openFolder({
      onHint: (scope) => at.needs.add(scope),
      onScanProgress: (progress) => at.session?.scanned(progress),
      onWatchState: (state, trouble) => at.watching.told(state, trouble),
      onFailure: (error) => {
        threadFailure = error;
        this.#ending.abort();
        at.needs.wakeUp();
      },
    });
    try {
      const base = await store.mirrors.loadBase(row.mirrorId);
      const opened = await this.#openFit(folder, base);
      if (opened === null) return;
      const owner = await lockRoot(row.dir);
      if (owner !== null) throw new Error(`the folder is mirrored by another agent: ${owner}`);
      const { signal } = this.#ending;
      const session = new SyncSession(this.#parts, row, folder, base, opened.names, signal);
      at.session = session;
      session.deletionGuard.restoreWanted = at.restoreWanted;
      await session.recover();
      // Setting the watches takes longer than a scan, and each would hold up the other. What changes before a directory is
      // watched, the scan finds that is made as soon as all are.
      void session.firstScan.then(() => at.watching.start(folder, signal));
      at.needs.add('full');
      while (!signal.aborted) {
        await this.#cycleOnce(session);
        onHealthy();
      }
      if (threadFailure !== null) throw threadFailure;
    } finally {
      at.endSession();
      await folder.close();
    }
  }

  /** Waits until the root is the one that was mirrored; null: the session ends before. */
  async #openFit(
    folder: Folder,
    base: readonly BaseRow[],
  ): Promise<Awaited<ReturnType<Folder['open']>> | null> {
    const known = packKnownFiles(base);
    const { fileBytesMax } = this.#parts;
    const root = this.#at.row.dir;
    let opened = await folder.open({ root, known, fileBytesMax });
    while (!(await this.#rootIsFit(opened.root))) {
      await this.#at.sleep(haltedLookMs);
      if (this.#ending.signal.aborted) return null;
      const seen = await folder.scan('dirty');
      if (seen.root.kind === 'present') opened = await folder.open({ root, known, fileBytesMax });
    }
    return opened;
  }

  async #cycleOnce(session: SyncSession): Promise<void> {
    const at = this.#at;
    // Only a cycle that begins after the wish may fulfil it: its scan sees all that was there when it was made.
    const wishes = at.wishes.current();
    const scope = at.needs.take();
    at.isResting = false;
    if (scope === 'full') this.#lastScanMonotonicMs = this.#parts.clock.monotonicMs();
    const result = await session.runCycle(scope);
    if (this.#ending.signal.aborted) return;
    if (result.halt !== null) {
      await this.#halt(result.halt);
      await at.sleep(haltedLookMs);
      at.needs.add('full');
      return;
    }
    // A halt is over only when nothing is in motion any more: a file that has just vanished is not planned yet, and is not back.
    if (at.row.haltedCause === null || result.settled) await this.#atRest(session, result.changed);
    at.isResting = result.settled && at.state === 'idle';
    if (at.isResting) this.#proof.rested(scope);
    if (result.settled) for (const wish of wishes) wish.resolve(true);
    await at.sleep(this.#nextLookMs(session, result.recheckInMs));
  }

  async #atRest(session: SyncSession, changed: boolean): Promise<void> {
    const at = this.#at;
    at.state = 'idle';
    at.failure = null;
    at.restoreWanted = false;
    session.deletionGuard.cycleSettled();
    const first = !at.row.established;
    if (at.row.haltedCause !== null) await at.stored.update({ haltedCause: null });
    if (changed || first || at.row.lastSyncAtMs === null) {
      await at.stored.update({ established: true, lastSyncAtMs: this.#parts.clock.nowMs() });
    }
  }

  #nextLookMs(session: SyncSession, recheckInMs: number | null): number {
    const at = this.#at;
    const everyMs = at.watching.lookEveryMs(session.scanMs);
    const rescanInMs = Math.max(0, this.#lastScanMonotonicMs + everyMs - this.#parts.clock.monotonicMs());
    const retryInMs = session.problems.dueInMs() ?? Number.POSITIVE_INFINITY;
    if (recheckInMs !== null && recheckInMs <= rescanInMs) at.timerNeed = 'dirty';
    else at.timerNeed = rescanInMs <= retryInMs ? 'full' : 'remote';
    return Math.min(recheckInMs ?? Number.POSITIVE_INFINITY, rescanInMs, retryInMs);
  }

  async #rootIsFit(root: RootState): Promise<boolean> {
    const verdict = checkRoot(root, this.#at.row);
    if (verdict === 'same' || verdict === 'unmarked') return true;
    await this.#halt(verdict);
    return false;
  }

  async #halt(cause: HaltCause): Promise<void> {
    const at = this.#at;
    // Before anything is waited for: whoever looks now must not see a cause without its state.
    at.state = 'halted';
    if (at.row.haltedCause !== cause) {
      await at.stored.update({ haltedCause: cause });
      this.#parts.logger.warn({ dir: at.row.dir, cause }, 'the mirror halted');
    }
    if (at.session !== null) at.session.deletionGuard.haltedCause = cause;
    at.wishes.answerAll(false);
  }
}
