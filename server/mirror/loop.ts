// The one control loop of a mirror: waits for hints, timers and wishes, and runs cycles of its session one after the other. It
// owns pause, halt, failure and the answer to "is everything settled". It never decides about files (core/reconcile does) and
// never acts directly on a hint: it runs at its own pace.
import type { Mirror, MirrorState } from '../contract/workspaces.ts';
import type { Folder, FolderListener, RootState, WatchState, WatchTrouble } from '../disk/folder.ts';
import { packKnownFiles } from '../disk/known-files.ts';
import type { BaseRow, ConflictRow, MirrorRow } from '../store/port.ts';
import type { MirrorParts } from './context.ts';
import { believedDeletes, checkRoot, type HaltCause, isHaltCause, isLoss } from './guard.ts';
import { acceptDeletes, type HaltAnswer, type HeldFile, heldBack } from './halt-answers.ts';
import { type Need, Needs } from './needs.ts';
import { ProofMeter, type ProofOutcome, type ProofPace, type ProofReading } from './proof.ts';
import { MirrorSession } from './session.ts';
import { StoredRow } from './stored-row.ts';
import { type LoopView, viewOf } from './view.ts';
import { Watching } from './watching.ts';
import { SettleWishes } from './wishes.ts';
import { WorkspaceGoneError } from './workspace-reader.ts';

const haltedLookMs = 2000;
const failureFirstMs = 1000;
const failureMsMax = 60_000;

export interface LoopParts extends MirrorParts {
  readonly openFolder: (listener: FolderListener) => Folder;
  /** Takes the lock of the root; otherwise who holds it, in words. */
  readonly lockRoot: (dir: string) => string | null;
  /** Whether it proves by itself, when nothing moves, that both sides are equal; it always does when it is asked. */
  readonly provesByItself: boolean;
  readonly onProofAlarm?: () => void;
  readonly proofPace?: ProofPace;
}

const deafListener: FolderListener = {
  onHint: () => undefined,
  onWatchState: () => undefined,
  onFailure: () => undefined,
};

export class MirrorLoop implements LoopView {
  readonly #parts: LoopParts;
  readonly #needs: Needs;
  readonly #wishes = new SettleWishes();
  readonly #stored: StoredRow;
  #session: MirrorSession | null = null;
  #state: MirrorState;
  readonly #watching: Watching;
  readonly #proof: ProofMeter;
  /** No cycle runs, and the last one left nothing to do. */
  #isResting = false;
  #failure: string | null = null;
  #retryAtMs: number | null = null;
  #lastScanMonotonicMs = 0;
  /** What is due when the sleep ends by itself. */
  #timerNeed: Need = 'full';
  #stopping = false;
  /** Ends the session that runs: pause, stop, a new start. */
  #ending = new AbortController();
  #sessionEnd: Promise<void> = Promise.resolve();
  /** No session begins before this resolves. */
  #held: Promise<void> = Promise.resolve();
  #conflicts: readonly ConflictRow[] = [];
  #files = 0;
  #restoreWanted = false;
  #done: Promise<void> = Promise.resolve();

  constructor(parts: LoopParts, row: MirrorRow) {
    this.#parts = parts;
    this.#needs = new Needs(parts.clock);
    this.#watching = new Watching(row.dir, parts.logger, () => this.#needs.add('full'));
    this.#state = row.paused ? 'paused' : 'scanning';
    this.#stored = new StoredRow(parts.store, row, () => this.#proof.forget());
    const loop = this;
    const { mirrors } = parts.store;
    this.#proof = new ProofMeter(parts, row.dir, {
      memory: {
        keep: (proof) => mirrors.keepProof(row.mirrorId, proof),
        last: () => mirrors.lastProof(row.mirrorId),
      },
      get session() {
        return loop.#session;
      },
      get isAtRest() {
        return loop.#isResting;
      },
      settle: (signal) => this.settle(signal),
      lookAnew: (paths) => {
        this.#session?.lookAnew(paths);
        this.#needs.add('full');
      },
    });
  }

  get row(): MirrorRow {
    return this.#stored.now;
  }
  get session(): MirrorSession | null {
    return this.#session;
  }
  get conflicts(): readonly ConflictRow[] {
    return this.#session?.conflicts ?? this.#conflicts;
  }
  get files(): number {
    return this.#session?.trees.tracked ?? this.#files;
  }
  get state(): MirrorState {
    return this.#state;
  }
  get watch(): WatchState {
    return this.#watching.state;
  }
  get watchTrouble(): WatchTrouble | null {
    return this.#watching.trouble;
  }
  get failure(): string | null {
    return this.#failure;
  }
  get retryAtMs(): number | null {
    return this.#retryAtMs;
  }
  get proof(): ProofReading {
    return this.#proof.read();
  }

  view(): Mirror {
    return viewOf(this);
  }

  start(): void {
    this.#done = this.#run();
    if (this.#parts.provesByItself) this.#proof.start();
  }

  /** Somebody chose a version: the list is another one now. */
  async readConflicts(): Promise<void> {
    this.#conflicts = await this.#parts.store.mirrors.listConflicts(this.row.mirrorId);
    await this.#session?.readConflicts();
  }

  /** Finishes the batch that runs, then closes the folder. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#ending.abort();
    this.#needs.wakeUp();
    await this.#proof.stop();
    await this.#done;
    this.#wishes.answerAll(false);
  }

  /** Something was committed in the workspace. */
  hintRemote(): void {
    this.#needs.add('remote');
  }

  /** Resolves when the batch that ran is finished and the folder is closed. */
  async pause(): Promise<void> {
    await this.#stored.update({ paused: true });
    await this.#endSession();
    if (!this.#stopping) this.#state = 'paused';
  }

  /** Holds from the next look on. null: as many as it believes by itself. */
  async believe(deletesPerMinuteMax: number | null): Promise<void> {
    await this.#stored.update({ deletesPerMinuteMax });
    if (this.#session !== null)
      this.#session.losses.deletesPerMinuteMax = believedDeletes(deletesPerMinuteMax);
  }

  /** Ends a pause; lifts a halt the safe way: nothing that is missing is deleted, it is restored (mirror/guard). */
  async resume(): Promise<void> {
    const halted = this.row.haltedCause;
    this.#restoreWanted = halted !== null && isHaltCause(halted) && isLoss(halted);
    if (this.#session !== null) this.#session.losses.restoreWanted = this.#restoreWanted;
    if (halted === 'root_replaced') await this.#takeNewRoot();
    if (this.row.paused) await this.#stored.update({ paused: false });
    this.#session?.problems.retryNow();
    this.#needs.add('full');
  }

  /** What a halted mirror holds back: files that would be deleted in the workspace, in order, after a path. */
  heldBack(after: string, limit: number): readonly HeldFile[] {
    return heldBack(this.#session, after, limit);
  }

  /** No: what is missing comes back from the workspace. */
  async restoreMissing(): Promise<HaltAnswer> {
    const cause = this.row.haltedCause;
    if (cause === null || !isHaltCause(cause) || !isLoss(cause)) return { kind: 'not_halted' };
    await this.resume();
    return { kind: 'done' };
  }

  /** Yes, delete them: as many as were shown, and those very ones. They stay in the history of the workspace. */
  acceptDeletes(deletes: number): HaltAnswer {
    const answer = acceptDeletes(this.#session, deletes);
    if (answer.kind !== 'done') return answer;
    this.#parts.logger.warn({ dir: this.row.dir, deletes }, 'the deletions that were held back are accepted');
    this.#needs.add('full');
    return answer;
  }

  /** Scans first. true: everything that either side held when this was called was seen and is in step. */
  settle(signal: AbortSignal): Promise<boolean> {
    if (this.#stopping || this.row.paused || signal.aborted) return Promise.resolve(false);
    const settled = this.#wishes.make(signal);
    this.#needs.add('full');
    return settled;
  }

  /** Hashes everything on both sides, once it is at rest. */
  prove(signal: AbortSignal): Promise<ProofOutcome> {
    return this.#proof.prove(signal);
  }

  // ---- the loop

  async #run(): Promise<void> {
    let failures = 0;
    await this.readConflicts();
    this.#files = await this.#parts.store.mirrors.countBase(this.row.mirrorId);
    await this.#proof.recall();
    while (!this.#stopping) {
      this.#ending = new AbortController();
      if (this.row.paused) {
        this.#state = 'paused';
        this.#wishes.answerAll(false);
        await this.#sleep(null);
        continue;
      }
      await this.#held;
      if (this.row.paused) continue;
      const end = Promise.withResolvers<void>();
      this.#sessionEnd = end.promise;
      try {
        await this.#runSession(() => {
          failures = 0;
        });
      } catch (error) {
        failures += 1;
        this.#fail(error);
      } finally {
        end.resolve();
      }
      const waitMs = Math.min(failureMsMax, failureFirstMs * 2 ** (failures - 1));
      this.#retryAtMs = failures > 0 ? this.#parts.clock.nowMs() + waitMs : null;
      if (failures > 0) await this.#parts.clock.delay(waitMs, this.#ending.signal);
      this.#retryAtMs = null;
    }
  }

  async #runSession(onHealthy: () => void): Promise<void> {
    const { openFolder, lockRoot, store } = this.#parts;
    const row = await this.#stored.ofThisEpoch();
    this.#state = row.haltedCause === null ? 'scanning' : 'halted';
    let threadFailure: Error | null = null;
    const folder = openFolder({
      onHint: (scope) => this.#needs.add(scope),
      onScanProgress: (progress) => this.#session?.scanned(progress),
      onWatchState: (state, trouble) => this.#watching.told(state, trouble),
      onFailure: (error) => {
        threadFailure = error;
        this.#ending.abort();
        this.#needs.wakeUp();
      },
    });
    try {
      const base = await store.mirrors.loadBase(row.mirrorId);
      const opened = await this.#openFit(folder, base);
      if (opened === null) return;
      const owner = lockRoot(row.dir);
      if (owner !== null) throw new Error(`the folder is mirrored by another agent: ${owner}`);
      const { signal } = this.#ending;
      const session = new MirrorSession(this.#parts, row, folder, base, opened.names, signal);
      this.#session = session;
      session.losses.restoreWanted = this.#restoreWanted;
      await session.recover();
      // Setting the watches takes longer than a scan, and each would hold up the other. What changes before a directory is
      // watched, the scan finds that is made as soon as all are.
      void session.firstScan.then(() => this.#watching.start(folder, signal));
      this.#needs.add('full');
      while (!signal.aborted) {
        await this.#cycleOnce(session);
        onHealthy();
      }
      if (threadFailure !== null) throw threadFailure;
    } finally {
      this.#conflicts = this.conflicts;
      this.#files = this.files;
      this.#isResting = false;
      this.#session = null;
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
    let opened = await folder.open({ root: this.row.dir, known, fileBytesMax });
    while (!(await this.#rootIsFit(opened.root))) {
      await this.#sleep(haltedLookMs);
      if (this.#ending.signal.aborted) return null;
      const { root } = await folder.scan('dirty');
      if (root.kind === 'present') opened = await folder.open({ root: this.row.dir, known, fileBytesMax });
    }
    return opened;
  }

  async #cycleOnce(session: MirrorSession): Promise<void> {
    // Only a cycle that begins after the wish may fulfil it: its scan sees all that was there when it was made.
    const wishes = this.#wishes.current();
    const scope = this.#needs.take();
    this.#isResting = false;
    if (scope === 'full') this.#lastScanMonotonicMs = this.#parts.clock.monotonicMs();
    const result = await session.cycle(scope);
    if (this.#ending.signal.aborted) return;
    if (result.halt !== null) {
      await this.#halt(result.halt);
      await this.#sleep(haltedLookMs);
      this.#needs.add('full');
      return;
    }
    // A halt is over only when nothing is in motion any more: a file that has just vanished is not planned yet, and is not back.
    if (this.row.haltedCause === null || result.settled) await this.#atRest(session, result.changed);
    this.#isResting = result.settled && this.#state === 'idle';
    if (this.#isResting) this.#proof.rested(scope);
    if (result.settled) for (const wish of wishes) wish.resolve(true);
    await this.#sleep(this.#nextLookMs(session, result.recheckInMs));
  }

  async #atRest(session: MirrorSession, changed: boolean): Promise<void> {
    this.#state = 'idle';
    this.#failure = null;
    this.#restoreWanted = false;
    session.losses.atRest();
    const first = !this.row.established;
    if (this.row.haltedCause !== null) await this.#stored.update({ haltedCause: null });
    if (changed || first || this.row.lastSyncAtMs === null) {
      await this.#stored.update({ established: true, lastSyncAtMs: this.#parts.clock.nowMs() });
    }
  }

  #nextLookMs(session: MirrorSession, recheckInMs: number | null): number {
    const { clock } = this.#parts;
    const everyMs = this.#watching.lookEveryMs(session.scanMs);
    const rescanInMs = Math.max(0, this.#lastScanMonotonicMs + everyMs - clock.monotonicMs());
    const retryInMs = session.problems.dueInMs();
    if (recheckInMs !== null && recheckInMs <= rescanInMs) this.#timerNeed = 'dirty';
    else this.#timerNeed = rescanInMs <= (retryInMs ?? Number.POSITIVE_INFINITY) ? 'full' : 'remote';
    return Math.min(
      recheckInMs ?? Number.POSITIVE_INFINITY,
      rescanInMs,
      retryInMs ?? Number.POSITIVE_INFINITY,
    );
  }

  /** Until something is needed, the time is over, or the session ends. null: until then, however long. */
  async #sleep(ms: number | null): Promise<void> {
    if (this.#needs.any && ms !== null && this.#state !== 'halted') return;
    await this.#needs.sleep(ms, this.#timerNeed);
  }

  // ---- halt, failure, rows

  async #rootIsFit(root: RootState): Promise<boolean> {
    const verdict = checkRoot(root, this.row);
    if (verdict === 'same' || verdict === 'unmarked') return true;
    await this.#halt(verdict);
    return false;
  }

  async #halt(cause: HaltCause): Promise<void> {
    // Before anything is waited for: whoever looks now must not see a cause without its state.
    this.#state = 'halted';
    if (this.row.haltedCause !== cause) {
      await this.#stored.update({ haltedCause: cause });
      this.#parts.logger.warn({ dir: this.row.dir, cause }, 'the mirror halted');
    }
    if (this.#session !== null) this.#session.losses.haltedCause = cause;
    this.#wishes.answerAll(false);
  }

  #fail(error: unknown): void {
    this.#state = 'error';
    this.#failure = error instanceof Error ? error.message : String(error);
    this.#parts.logger.error({ err: error, dir: this.row.dir }, 'the mirror stopped and will start again');
    if (error instanceof WorkspaceGoneError)
      this.#failure = 'The workspace is deleted; the folder is left as it is.';
    this.#wishes.answerAll(false);
  }

  /** Another folder in place of the mirrored one: from now on it is the one, and nothing is known of it. */
  async #takeNewRoot(): Promise<void> {
    const released = Promise.withResolvers<void>();
    this.#held = released.promise;
    const folder = this.#parts.openFolder(deafListener);
    try {
      await this.#endSession();
      const { root } = await folder.open({
        root: this.row.dir,
        known: packKnownFiles([]),
        fileBytesMax: this.#parts.fileBytesMax,
      });
      if (root.kind !== 'present') return;
      await this.#stored.forgetBase({});
      await folder.mark(this.row.markerId);
      await this.#stored.update({ haltedCause: null, rootDevice: root.device, rootInode: root.inode });
    } finally {
      released.resolve();
      await folder.close();
    }
  }

  /** Resolves when the batch that ran is finished and the folder is closed. */
  async #endSession(): Promise<void> {
    this.#ending.abort();
    this.#needs.wakeUp();
    await this.#sessionEnd;
  }
}
