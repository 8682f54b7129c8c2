// The control loop of one mirror: runs sync sessions one after the other, retries failed ones, and serves the requests of people and
// programs: pause, resume, the answer to a halt, waiting until synced. It decides nothing about files (core/sync/reconcile does).
import type { Mirror, MirrorState } from '../../contract/workspaces.ts';
import { onFolder } from '../../disk/port/confined-file-system.ts';
import type { FolderListener, FolderNote, WatchState, WatchTrouble } from '../../disk/port/folder.ts';
import { inspectRoot, writeNotes } from '../../disk/root/root.ts';
import type { ConflictRow, MirrorRow } from '../../store/port/store.ts';
import type { SyncSession } from '../cycle/session.ts';
import { checkRoot, resolveDeletionLimit } from '../guard/halt-causes.ts';
import { ProofMeter, type ProofOutcome, type ProofPace, type ProofReading } from '../proof/proof-meter.ts';
import { WorkspaceGoneError } from '../state/workspace-reader.ts';
import type { FullScanTimes, LoopView } from '../status/loop-view.ts';
import { viewOf } from '../status/mirror-status.ts';
import { PathSummaries } from '../status/path-summary.ts';
import type { ProblemList } from '../status/problem-list.ts';
import type { HaltResolution, HaltState, PendingFile } from './halt-state.ts';
import { LoopState, type LoopStateDeps } from './loop-state.ts';
import { SessionRunner, type SessionRunnerDeps } from './run-session.ts';

const failureFirstMs = 1000;
const failureMsMax = 60_000;
/** The system clock may jump, so the end of a pause is looked at this often. */
const pauseCheckMs = 60_000;

export interface SyncLoopDeps extends SessionRunnerDeps, LoopStateDeps {
  /** Whether proofs run automatically while both sides are idle; a requested proof always runs. */
  readonly provesByItself: boolean;
  readonly onProofAlarm?: () => void;
  /** The workspace was deleted, or the fork has ended; the folder stays unchanged. */
  readonly onGone?: () => void;
  readonly proofPace?: ProofPace;
}

/** For a folder that is only looked at. */
export const silentListener: FolderListener = {
  onHint: () => undefined,
  onWatchState: () => undefined,
  onFailure: () => undefined,
};

export class SyncLoop implements LoopView {
  readonly #deps: SyncLoopDeps;
  readonly #state: LoopState;
  readonly #proof: ProofMeter;
  readonly #summaries: PathSummaries;
  #stopping = false;
  /** Aborts the running session: pause, stop, another root. */
  #ending = new AbortController();
  #sessionEnd: Promise<void> = Promise.resolve();
  /** The next session starts after this. */
  #startBlocked: Promise<void> = Promise.resolve();
  #done: Promise<void> = Promise.resolve();

  constructor(deps: SyncLoopDeps, row: MirrorRow) {
    this.#deps = deps;
    const state = new LoopState(deps, row, () => this.#proof.forget());
    this.#state = state;
    this.#summaries = new PathSummaries(deps.clock);
    const { mirrors } = deps.store;
    this.#proof = new ProofMeter(deps, row, {
      memory: {
        keep: (proof) => mirrors.saveProof({ mirrorId: row.mirrorId, row: proof }),
        last: () => mirrors.lastProof(row.mirrorId),
      },
      get session() {
        return state.session;
      },
      get isAtRest() {
        return state.isIdle;
      },
      waitUntilSynced: (signal) => this.#waitFor('full', signal),
      rescan: (paths) => {
        state.session?.refreshBase(paths);
        state.work.hint('full');
      },
    });
  }

  get row(): MirrorRow {
    return this.#state.row;
  }
  get halt(): HaltState {
    return this.#state.halt;
  }
  get session(): SyncSession | null {
    return this.#state.session;
  }
  get conflicts(): readonly ConflictRow[] {
    return this.#state.conflicts;
  }
  get files(): number {
    return this.#state.files;
  }
  get state(): MirrorState {
    return this.#state.state;
  }
  get watch(): WatchState {
    return this.#state.watchMode.state;
  }
  get watchTrouble(): WatchTrouble | null {
    return this.#state.watchMode.trouble;
  }
  get fullScan(): FullScanTimes {
    return this.#state.fullScan;
  }
  get failure(): string | null {
    return this.#state.failure;
  }
  get retryAtMs(): number | null {
    return this.#state.retryAtMs;
  }
  get proof(): ProofReading {
    return this.#proof.read();
  }

  async problemList(): Promise<ProblemList> {
    return (await this.#summaries.of(this)).problems;
  }

  async view(): Promise<Mirror> {
    return viewOf(this, await this.#summaries.of(this));
  }

  start(): void {
    this.#done = this.#run();
    if (this.#deps.provesByItself) this.#proof.start();
  }

  /** Replaces notes in the private folder, also of a paused mirror. false: it cannot now: the root is not there, or no session has
   * opened it yet. Rejects where the disk refuses. */
  async writeNotes(notes: readonly FolderNote[]): Promise<boolean> {
    const { folder, state } = this.#state;
    if (folder !== null) return await folder.writeNotes(notes);
    if (state !== 'paused') return false;
    // Not with a folder of its own: opening one tests which names the disk can hold, and a session that starts does the same.
    return onFolder(this.row.dir, (fs) => {
      const root = inspectRoot(fs, this.row.dir);
      if (root.kind !== 'present' || checkRoot(root, this.row) !== 'same') return false;
      writeNotes(fs, this.row.dir, notes, process.platform === 'win32');
      return true;
    });
  }

  /** A conflict was resolved: reads the list again. */
  readConflicts(): Promise<void> {
    return this.#state.readConflicts();
  }

  /** Finishes the running batch, then closes the folder. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#ending.abort();
    this.#state.work.wakeUp();
    await this.#proof.stop();
    await this.#done;
    this.#state.waiters.answerAll(false);
  }

  /** The workspace has changed. */
  hintRemote(): void {
    this.#state.work.hint('remote');
  }

  /** Resolves when the running batch is finished and the folder is closed. `untilMs` null: until resumed. */
  async pause(untilMs: number | null): Promise<void> {
    await this.#state.record.update({ paused: true, pausedUntilMs: untilMs });
    await this.#endSession();
    if (!this.#stopping) this.#state.state = 'paused';
    this.#state.changed();
    this.#state.work.wakeUp();
  }

  /** Applies from the next cycle on. null: the default limit. */
  async setDeletionLimit(deletesPerMinuteMax: number | null): Promise<void> {
    await this.#state.record.update({ deletesPerMinuteMax });
    if (this.session !== null)
      this.session.deletionGuard.deletesPerMinuteMax = resolveDeletionLimit(deletesPerMinuteMax);
  }

  /** Ends a pause, and a halt without deletions: missing files are restored, another root is merged. */
  async resume(): Promise<void> {
    this.halt.resumed();
    if (this.halt.cause === 'root_replaced') await this.#adoptNewRoot();
    if (this.row.paused) await this.#endPause();
    this.session?.problems.retryNow();
    this.#state.work.request('full');
  }

  /** Files of the workspace that a halted mirror would delete or truncate, in order, after a path. */
  listPendingDeletions(after: string, limit: number): readonly PendingFile[] {
    return this.session === null ? [] : this.halt.listPending(this.session.trees, after, limit);
  }

  async restoreMissing(): Promise<HaltResolution> {
    if (!this.halt.isDeletionHalt) return { kind: 'not_halted' };
    await this.resume();
    return { kind: 'done' };
  }

  /** Deletes the files that were shown, if their number is still the same. They stay in the history of the workspace. */
  confirmDeletions(deletes: number): HaltResolution {
    if (this.session === null) return { kind: 'not_halted' };
    const resolution = this.halt.checkConfirmation(deletes);
    if (resolution.kind !== 'done') return resolution;
    this.session.deletionGuard.confirm(this.halt.pendingDeletions);
    this.#deps.logger.warn({ dir: this.row.dir, deletes }, 'pending deletions confirmed');
    this.#state.work.request('full');
    return resolution;
  }

  /** true: every change that either side had before the call is synced (docs/sync-rules.md#25). */
  waitUntilSynced(signal: AbortSignal): Promise<boolean> {
    return this.#waitFor('barrier', signal);
  }

  /** Hashes every file, once both sides are idle. */
  prove(signal: AbortSignal): Promise<ProofOutcome> {
    return this.#proof.prove(signal);
  }

  /** Only a scan that begins after the call answers it. */
  #waitFor(scan: 'full' | 'barrier', signal: AbortSignal): Promise<boolean> {
    if (this.#stopping || this.row.paused || signal.aborted) return Promise.resolve(false);
    const isSynced = this.#state.waiters.wait(signal);
    this.#state.work.request(scan);
    return isSynced;
  }

  async #run(): Promise<void> {
    const loop = this.#state;
    let failures = 0;
    await this.readConflicts();
    loop.filesWithoutSession = await this.#deps.store.mirrors.countBase(this.row.mirrorId);
    await this.#proof.load();
    while (!this.#stopping) {
      this.#ending = new AbortController();
      if (this.row.paused) {
        await this.#stayPaused();
        continue;
      }
      await this.#startBlocked;
      if (this.row.paused) continue;
      const end = Promise.withResolvers<void>();
      this.#sessionEnd = end.promise;
      try {
        await new SessionRunner(this.#deps, loop, this.#proof, this.#ending).run(() => {
          failures = 0;
        });
      } catch (error) {
        failures += 1;
        this.#fail(error);
      } finally {
        end.resolve();
      }
      const waitMs = Math.min(failureMsMax, failureFirstMs * 2 ** (failures - 1));
      loop.retryAtMs = failures > 0 ? this.#deps.clock.nowMs() + waitMs : null;
      if (failures > 0) await this.#deps.clock.delay(waitMs, this.#ending.signal);
      loop.retryAtMs = null;
    }
  }

  /** Until a request or the end of a timed pause. A halt outlives it: only a person resolves one. */
  async #stayPaused(): Promise<void> {
    const loop = this.#state;
    const { pausedUntilMs, dir } = this.row;
    const leftMs = pausedUntilMs === null ? null : pausedUntilMs - this.#deps.clock.nowMs();
    if (leftMs !== null && leftMs <= 0) {
      await this.#endPause();
      this.#deps.logger.info({ dir }, 'the pause has ended');
      return;
    }
    loop.state = 'paused';
    loop.waiters.answerAll(false);
    await loop.work.sleep(leftMs === null ? null : Math.min(leftMs, pauseCheckMs), loop.timerWork);
  }

  async #endPause(): Promise<void> {
    await this.#state.record.update({ paused: false, pausedUntilMs: null });
  }

  #fail(error: unknown): void {
    const loop = this.#state;
    loop.state = 'error';
    loop.failure = error instanceof Error ? error.message : String(error);
    const { logger, onGone } = this.#deps;
    const { dir } = this.row;
    const isGone = error instanceof WorkspaceGoneError;
    if (isGone && onGone !== undefined)
      logger.info({ dir }, 'the fork of the folder has ended, and its mirror with it');
    else logger.error({ err: error, dir }, 'mirror failed; restarting automatically');
    if (isGone) loop.failure = 'The workspace was deleted. The folder is unchanged.';
    loop.changed();
    loop.waiters.answerAll(false);
    if (isGone) onGone?.();
  }

  /** Mirrors the folder that replaced the root; the base is deleted. */
  async #adoptNewRoot(): Promise<void> {
    const released = Promise.withResolvers<void>();
    this.#startBlocked = released.promise;
    const folder = this.#deps.openFolder(silentListener);
    try {
      await this.#endSession();
      const { root } = await folder.open({
        root: this.row.dir,
        known: [],
        fileBytesMax: this.#deps.fileBytesMax,
      });
      // The mirrored folder was put back before the next scan: its base still applies.
      if (root.kind !== 'present' || checkRoot(root, this.row) === 'same') return;
      await this.#state.record.resetBase({});
      await folder.mark(this.row.markerId);
      await this.halt.clear({ rootDevice: root.device, rootInode: root.inode });
    } finally {
      released.resolve();
      await folder.close();
    }
  }

  /** Resolves when the running batch is finished and the folder is closed. */
  async #endSession(): Promise<void> {
    this.#ending.abort();
    this.#state.work.wakeUp();
    await this.#sessionEnd;
  }
}
