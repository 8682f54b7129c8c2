// The one control loop of a mirror: runs its sessions one after the other, tries again what failed, and takes what people and
// programs want of it: pause, resume, the answers to a halt, "is everything settled". It never decides about files (core/reconcile
// does); hints only wake it.
import type { Mirror, MirrorState } from '../../contract/workspaces.ts';
import type { FolderListener, WatchState, WatchTrouble } from '../../disk/port/folder.ts';
import { packKnownFiles } from '../../disk/tree/known-files.ts';
import type { ConflictRow, MirrorRow } from '../../store/port/store.ts';
import type { SyncSession } from '../cycle/session.ts';
import { checkRoot, isDeletionHalt, isHaltCause, resolveDeletionLimit } from '../guard/halt-causes.ts';
import { ProofMeter, type ProofOutcome, type ProofPace, type ProofReading } from '../proof/proof-meter.ts';
import { WorkspaceGoneError } from '../state/workspace-reader.ts';
import { ListedProblems } from '../status/listed-problems.ts';
import type { LoopView } from '../status/loop-view.ts';
import { viewOf } from '../status/mirror-status.ts';
import type { ProblemList } from '../status/problem-list.ts';
import {
  confirmDeletions,
  type HaltResolution,
  listPendingDeletions,
  type PendingFile,
} from './halt-resolution.ts';
import { LoopState } from './loop-state.ts';
import { SessionRunner, type SessionRunnerDeps } from './run-session.ts';

const failureFirstMs = 1000;
const failureMsMax = 60_000;

export interface SyncLoopDeps extends SessionRunnerDeps {
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

export class SyncLoop implements LoopView {
  readonly #parts: SyncLoopDeps;
  readonly #at: LoopState;
  readonly #proof: ProofMeter;
  readonly #problems = new ListedProblems();
  #stopping = false;
  /** Ends the session that runs: pause, stop, a new start. */
  #ending = new AbortController();
  #sessionEnd: Promise<void> = Promise.resolve();
  /** No session begins before this resolves. */
  #held: Promise<void> = Promise.resolve();
  #done: Promise<void> = Promise.resolve();

  constructor(parts: SyncLoopDeps, row: MirrorRow) {
    this.#parts = parts;
    const at = new LoopState(parts, row, () => this.#proof.forget());
    this.#at = at;
    const { mirrors } = parts.store;
    this.#proof = new ProofMeter(parts, row.dir, {
      memory: {
        keep: (proof) => mirrors.keepProof(row.mirrorId, proof),
        last: () => mirrors.lastProof(row.mirrorId),
      },
      get session() {
        return at.session;
      },
      get isAtRest() {
        return at.isResting;
      },
      settle: (signal) => this.settle(signal),
      lookAnew: (paths) => {
        at.session?.lookAnew(paths);
        at.needs.add('full');
      },
    });
  }

  get row(): MirrorRow {
    return this.#at.row;
  }
  get session(): SyncSession | null {
    return this.#at.session;
  }
  get conflicts(): readonly ConflictRow[] {
    return this.#at.conflicts;
  }
  get files(): number {
    return this.#at.files;
  }
  get state(): MirrorState {
    return this.#at.state;
  }
  get watch(): WatchState {
    return this.#at.watching.state;
  }
  get watchTrouble(): WatchTrouble | null {
    return this.#at.watching.trouble;
  }
  get failure(): string | null {
    return this.#at.failure;
  }
  get retryAtMs(): number | null {
    return this.#at.retryAtMs;
  }
  get proof(): ProofReading {
    return this.#proof.read();
  }

  get problemList(): ProblemList {
    return this.#problems.of(this);
  }

  view(): Mirror {
    return viewOf(this);
  }

  start(): void {
    this.#done = this.#run();
    if (this.#parts.provesByItself) this.#proof.start();
  }

  /** Somebody chose a version: the list is another one now. */
  readConflicts(): Promise<void> {
    return this.#at.readConflicts();
  }

  /** Finishes the batch that runs, then closes the folder. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#ending.abort();
    this.#at.needs.wakeUp();
    await this.#proof.stop();
    await this.#done;
    this.#at.wishes.answerAll(false);
  }

  /** Something was committed in the workspace. */
  hintRemote(): void {
    this.#at.needs.add('remote');
  }

  /** Resolves when the batch that ran is finished and the folder is closed. */
  async pause(): Promise<void> {
    await this.#at.stored.update({ paused: true });
    await this.#endSession();
    if (!this.#stopping) this.#at.state = 'paused';
  }

  /** Holds from the next look on. null: as many as it believes by itself. */
  async believe(deletesPerMinuteMax: number | null): Promise<void> {
    await this.#at.stored.update({ deletesPerMinuteMax });
    if (this.session !== null)
      this.session.deletionGuard.deletesPerMinuteMax = resolveDeletionLimit(deletesPerMinuteMax);
  }

  /** Ends a pause; lifts a halt the safe way: nothing that is missing is deleted, it is restored (mirror/guard). */
  async resume(): Promise<void> {
    const halted = this.row.haltedCause;
    this.#at.restoreWanted = halted !== null && isHaltCause(halted) && isDeletionHalt(halted);
    if (this.session !== null) this.session.deletionGuard.restoreWanted = this.#at.restoreWanted;
    if (halted === 'root_replaced') await this.#takeNewRoot();
    if (this.row.paused) await this.#at.stored.update({ paused: false });
    this.session?.problems.retryNow();
    this.#at.needs.add('full');
  }

  /** What a halted mirror holds back: files that would be deleted in the workspace, in order, after a path. */
  heldBack(after: string, limit: number): readonly PendingFile[] {
    return listPendingDeletions(this.session, after, limit);
  }

  /** No: what is missing comes back from the workspace. */
  async restoreMissing(): Promise<HaltResolution> {
    const cause = this.row.haltedCause;
    if (cause === null || !isHaltCause(cause) || !isDeletionHalt(cause)) return { kind: 'not_halted' };
    await this.resume();
    return { kind: 'done' };
  }

  /** Yes, delete them: as many as were shown, and those very ones. They stay in the history of the workspace. */
  acceptDeletes(deletes: number): HaltResolution {
    const answer = confirmDeletions(this.session, deletes);
    if (answer.kind !== 'done') return answer;
    this.#parts.logger.warn({ dir: this.row.dir, deletes }, 'the deletions that were held back are accepted');
    this.#at.needs.add('full');
    return answer;
  }

  /** Scans first. true: everything that either side held when this was called was seen and is in step. */
  settle(signal: AbortSignal): Promise<boolean> {
    if (this.#stopping || this.row.paused || signal.aborted) return Promise.resolve(false);
    const settled = this.#at.wishes.wait(signal);
    this.#at.needs.add('full');
    return settled;
  }

  /** Hashes everything on both sides, once it is at rest. */
  prove(signal: AbortSignal): Promise<ProofOutcome> {
    return this.#proof.prove(signal);
  }

  async #run(): Promise<void> {
    const at = this.#at;
    let failures = 0;
    await this.readConflicts();
    at.filesAtRest = await this.#parts.store.mirrors.countBase(this.row.mirrorId);
    await this.#proof.recall();
    while (!this.#stopping) {
      this.#ending = new AbortController();
      if (this.row.paused) {
        at.state = 'paused';
        at.wishes.answerAll(false);
        await at.sleep(null);
        continue;
      }
      await this.#held;
      if (this.row.paused) continue;
      const end = Promise.withResolvers<void>();
      this.#sessionEnd = end.promise;
      try {
        await new SessionRunner(this.#parts, at, this.#proof, this.#ending).toItsEnd(() => {
          failures = 0;
        });
      } catch (error) {
        failures += 1;
        this.#fail(error);
      } finally {
        end.resolve();
      }
      const waitMs = Math.min(failureMsMax, failureFirstMs * 2 ** (failures - 1));
      at.retryAtMs = failures > 0 ? this.#parts.clock.nowMs() + waitMs : null;
      if (failures > 0) await this.#parts.clock.delay(waitMs, this.#ending.signal);
      at.retryAtMs = null;
    }
  }

  #fail(error: unknown): void {
    const at = this.#at;
    at.state = 'error';
    at.failure = error instanceof Error ? error.message : String(error);
    this.#parts.logger.error({ err: error, dir: this.row.dir }, 'the mirror stopped and will start again');
    if (error instanceof WorkspaceGoneError)
      at.failure = 'The workspace is deleted; the folder is left as it is.';
    at.wishes.answerAll(false);
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
      // Put back before anybody looked again: it is the mirrored one, and all that is known of it holds.
      if (root.kind !== 'present' || checkRoot(root, this.row) === 'same') return;
      const { stored } = this.#at;
      await stored.resetBase({});
      await folder.mark(this.row.markerId);
      await stored.update({ haltedCause: null, rootDevice: root.device, rootInode: root.inode });
    } finally {
      released.resolve();
      await folder.close();
    }
  }

  /** Resolves when the batch that ran is finished and the folder is closed. */
  async #endSession(): Promise<void> {
    this.#ending.abort();
    this.#at.needs.wakeUp();
    await this.#sessionEnd;
  }
}
