// One mirror between opening and closing its folder: its three trees, and one cycle: scan, read the changes of the workspace,
// plan, check the deletion guard, apply, record the base row by row (docs/sync-rules.md#1). It schedules nothing (mirror/loop
// does) and changes nothing before both first scans are complete (docs/sync-rules.md#12).
import type { MirrorMode } from '../../contract/words.ts';
import { comparePaths } from '../../core/paths/path.ts';
import type { Plan } from '../../core/sync/plan.ts';
import type { FolderEntry, ScanScope } from '../../disk/port/folder.ts';
import { stepsInSlices } from '../../platform/event-loop.ts';
import type { ConflictRow, MirrorRow } from '../../store/port/store.ts';
import { conflictRow } from '../actions/download.ts';
import { replayJournal } from '../actions/journal.ts';
import type { UnconfirmedWrites } from '../actions/unconfirmed-writes.ts';
import type { CycleHalt, DeletionGuard, GuardVerdict, PendingDeletion } from '../guard/deletion-guard.ts';
import type { HaltCause } from '../guard/halt-causes.ts';
import type { SyncContext } from '../state/context.ts';
import type { ProblemTable } from '../state/problems.ts';
import { RuleChanges } from '../state/rule-file-changes.ts';
import { inSlices } from '../state/slices.ts';
import type { MirrorTrees } from '../state/trees.ts';
import type { UnsyncableRules } from '../state/unsyncable.ts';
import { WorkspaceReader } from '../state/workspace-reader.ts';
import { type ApplyPartsDeps, applyParts, nothingPending, type PendingCounts } from './apply-parts.ts';
import { CyclePlanner } from './cycle-planner.ts';
import type { FolderState } from './folder-state.ts';
import type { Progress, ProgressMeter } from './progress.ts';

/** A plan that is not empty after so many rounds is a fault (docs/sync-rules.md#anomalies-that-must-never-happen, A5). */
const roundsMax = 200;
/** How often and how long a preview waits for files that are being written. */
const previewScansMax = 20;
const previewWaitMs = 100;

export interface CycleResult {
  readonly halt: HaltCause | null;
  readonly pendingDeletions: readonly PendingDeletion[];
  /** Both sides are in sync, except for what a person has to resolve. */
  readonly settled: boolean;
  /** When a scan is due though nothing requests it. */
  readonly recheckInMs: number | null;
  /** The cycle changed files or base rows. */
  readonly changed: boolean;
}

/** Built by open-session.ts. */
export interface SessionParts {
  readonly row: MirrorRow;
  readonly context: SyncContext;
  readonly unsyncable: UnsyncableRules;
  readonly deletionGuard: DeletionGuard;
  readonly progress: ProgressMeter;
  readonly folderState: FolderState;
  readonly unconfirmed: UnconfirmedWrites;
}

export class SyncSession {
  readonly trees: MirrorTrees;
  readonly problems: ProblemTable;
  readonly unsyncable: UnsyncableRules;
  readonly deletionGuard: DeletionGuard;
  readonly ruleChanges: RuleChanges;
  readonly context: SyncContext;
  readonly folderState: FolderState;
  readonly #row: MirrorRow;
  readonly #reader: WorkspaceReader;
  #conflicts: readonly ConflictRow[] = [];
  readonly #progress: ProgressMeter;
  #pending: PendingCounts = nothingPending;
  readonly #unconfirmed: UnconfirmedWrites;
  readonly #applyDeps: ApplyPartsDeps;
  #observedChanges = 0;
  #hasScanned = false;
  #cycles = 0;
  #isInCycle = false;
  /** The cycle changed files or base rows. */
  #changed = false;
  /** A listed path that waits for its next try keeps another one, which is not listed, from being synced. */
  #isAnyHeldUp = false;
  /** Paths whose base rows are written again when the workspace is listed; null: no listing is due. The first cycle lists. */
  #refreshPaths: readonly string[] | null = [];

  constructor(parts: SessionParts) {
    this.#row = parts.row;
    this.context = parts.context;
    this.folderState = parts.folderState;
    this.trees = parts.context.trees;
    this.problems = parts.context.problems;
    this.unsyncable = parts.unsyncable;
    this.deletionGuard = parts.deletionGuard;
    this.#progress = parts.progress;
    this.#unconfirmed = parts.unconfirmed;
    this.#reader = new WorkspaceReader(this.context);
    this.ruleChanges = new RuleChanges(this.context);
    this.#applyDeps = {
      context: this.context,
      planner: new CyclePlanner(parts),
      folderState: this.folderState,
      deletionGuard: this.deletionGuard,
      progress: this.#progress,
      mustExist: () => this.#reader.mustExist(),
      onConflicts: () => this.readConflicts(),
      check: (plan, haltedCause) => this.#guard(plan, haltedCause),
      onPending: (pending) => {
        this.#pending = pending;
      },
      onApplying: () => {
        this.#changed = true;
        this.#observedChanges += 1;
      },
    };
  }

  /** Grows with each change that is seen or made on either side. */
  get moves(): number {
    return this.#observedChanges;
  }
  /** Equal as long as the list of problems is the same. */
  get problemsVersion(): string {
    return `${this.#observedChanges} ${this.folderState.version} ${this.problems.version}`;
  }
  get progress(): Progress | null {
    return this.#progress.read();
  }
  get conflicts(): readonly ConflictRow[] {
    return this.#conflicts;
  }
  get pendingLocal(): number {
    return this.#pending.toWorkspace + this.folderState.unsettled.size;
  }
  get pendingRemote(): number {
    return this.#pending.toLocal;
  }
  get mode(): MirrorMode {
    return this.#row.mode;
  }
  /** The number of the cycle that is running: the trees change. null: none is. */
  get runningCycle(): number | null {
    return this.#isInCycle ? this.#cycles : null;
  }
  /** Finishes what a crash interrupted; then the root must be the mirrored one. */
  async recover(): Promise<void> {
    const context = this.context;
    const { count, left } = await replayJournal(
      context.store.mirrors,
      context.mirrorId,
      context.folder,
      (path, copyPath, hash) =>
        context.mode === 'to-folder' ? null : conflictRow(context, path, copyPath, hash),
    );
    if (count > 0) context.logger.info({ intents: count }, 'interrupted changes finished');
    this.#unconfirmed.crashed(left);
    await this.readConflicts();
  }

  async readConflicts(): Promise<void> {
    this.#observedChanges += 1;
    this.#conflicts = await this.context.store.mirrors.listConflicts(this.#row.mirrorId);
  }

  /** What a cycle would do, without doing it. Scans until no file is being written, a limited number of times. */
  async previewPlan(
    haltedCause: HaltCause | null,
  ): Promise<{ verdict: GuardVerdict; plan: Plan | null; unsettled: readonly string[] }> {
    const { clock, signal } = this.context;
    for (let scans = 0; scans < previewScansMax; scans += 1) {
      const [halt] = await Promise.all([this.#scan('full'), this.#relistWorkspace()]);
      if (halt !== null) return { verdict: { cause: halt, pendingDeletions: [] }, plan: null, unsettled: [] };
      if (this.folderState.unsettled.size === 0 || signal.aborted) break;
      await clock.delay(previewWaitMs, signal);
    }
    await this.folderState.decide(this.trees.differingPaths());
    const plan = await this.#applyDeps.planner.wholePlan();
    const verdict = await this.#guard(plan, haltedCause);
    return { verdict, plan, unsettled: [...this.folderState.unsettled].sort(comparePaths) };
  }

  /** One cycle, until nothing is left that can be done now. `scope` null: only the workspace changed. */
  async runCycle(scope: ScanScope | null, mirrorHalt: CycleHalt): Promise<CycleResult> {
    this.#changed = false;
    this.#isAnyHeldUp = false;
    this.#cycles += 1;
    this.#isInCycle = true;
    try {
      const stopped = await this.#runRounds(scope, mirrorHalt);
      if (stopped !== null) return this.#result(stopped);
      this.#pending = nothingPending;
      await this.#dropSettledConflicts();
      this.problems.atRest();
      await this.ruleChanges.look();
      this.#isAnyHeldUp = await this.#applyDeps.planner.isAnyHeldUp();
      return this.#result({ cause: null, pendingDeletions: [] });
    } finally {
      this.#isInCycle = false;
      this.#progress.end();
    }
  }

  /** null: no plan is left. Otherwise why the cycle stops. */
  async #runRounds(scope: ScanScope | null, mirrorHalt: CycleHalt): Promise<GuardVerdict | null> {
    let next: ScanScope | null = scope;
    for (let round = 0; round < roundsMax; round += 1) {
      // In parallel: the disk and the store are two threads, and neither reading needs the other.
      const [halted] = await Promise.all([next === null ? null : this.#scan(next), this.#relistWorkspace()]);
      if (halted !== null) return { cause: halted, pendingDeletions: [] };
      this.#hasScanned = true;
      if (await this.#reader.readEvents()) this.#workspaceChanged();
      await this.#unconfirmed.note((path) => this.folderState.unsettled.has(path));
      await this.folderState.decide(this.trees.differingPaths());
      const outcome = await applyParts(this.#applyDeps, mirrorHalt);
      if (outcome.stopped !== null) return outcome.stopped;
      if (outcome.isDone || this.context.signal.aborted) return null;
      next = outcome.next;
    }
    throw new Error(`the plan is not empty after ${roundsMax} rounds`);
  }

  /** In a one-way mirror: whether the path differs and is not synced. */
  isLocalOnly(path: string): boolean {
    if (this.#row.mode === 'two-way') return false;
    const local = this.trees.localAt(path);
    const file = this.trees.workspaceAt(path);
    if (local !== null && local.kind !== 'file') return false;
    if (this.folderState.ignores(path) || this.folderState.unsettled.has(path)) return false;
    if (file !== null && this.unsyncable.reason(path, file) !== null) return false;
    if (this.#row.mode === 'to-folder' && local === null) return false;
    return local?.hash !== file?.hash;
  }

  /** Both sides were scanned; before, only the base is known. */
  get hasScanned(): boolean {
    return this.#hasScanned;
  }

  async #scan(scope: ScanScope): Promise<HaltCause | null> {
    const { halt, changes } = await this.folderState.scan(scope);
    await inSlices(changes, this.context.clock, ({ path, entry }) => this.#applyLocalChange(path, entry));
    if (halt === null) this.#unconfirmed.scanned();
    return halt;
  }

  #applyLocalChange(path: string, entry: FolderEntry | null): void {
    this.#observedChanges += 1;
    this.trees.setLocal(path, entry);
    this.unsyncable.forget();
    // The failed action was for another content, or for a file that is gone.
    if (entry === null) this.problems.gone(path);
    else if (entry.kind === 'file') this.problems.succeed(path);
  }

  #workspaceChanged(): void {
    this.unsyncable.forget();
    this.#observedChanges += 1;
  }

  /** The next cycle lists the whole workspace, and writes the base rows of these paths again. */
  refreshBase(paths: readonly string[]): void {
    this.#refreshPaths = paths;
  }

  async #relistWorkspace(): Promise<void> {
    const paths = this.#refreshPaths;
    if (paths === null) return;
    this.#refreshPaths = null;
    await this.#reader.list();
    this.#workspaceChanged();
    if (paths.length === 0) return;
    const rows = paths.map((path) => this.trees.baseAt(path));
    await this.context.store.mirrors.saveBase({
      mirrorId: this.#row.mirrorId,
      upserts: rows.filter((row) => row !== null),
      removals: paths.filter((_, index) => rows[index] === null),
    });
  }

  #guard(plan: Plan, haltedCause: HaltCause | null): Promise<GuardVerdict> {
    const count = {
      tracked: this.trees.tracked,
      left: this.trees.localFiles + this.folderState.appearing,
      leaving: Math.max(0, this.folderState.unsettled.size - 2 * this.folderState.appearing),
      unmarked: this.folderState.unmarked,
    };
    return stepsInSlices(this.deletionGuard.check(plan, count, haltedCause), this.context.clock);
  }

  /** A conflict ends when its copy is missing on both sides. */
  async #dropSettledConflicts(): Promise<void> {
    if (this.#conflicts.length === 0 || this.folderState.unsettled.size > 0) return;
    const ended = this.#conflicts.filter(
      ({ copyPath }) => !this.trees.isTaken(copyPath) && !this.trees.isUnreadable(copyPath),
    );
    if (ended.length === 0) return;
    for (const row of ended)
      await this.context.store.mirrors.removeConflict({
        mirrorId: this.#row.mirrorId,
        conflictId: row.conflictId,
      });
    await this.readConflicts();
  }

  #result({ cause, pendingDeletions }: GuardVerdict): CycleResult {
    return {
      halt: cause,
      pendingDeletions,
      settled: this.folderState.unsettled.size === 0 && !this.problems.isAnyColliding() && !this.#isAnyHeldUp,
      recheckInMs: this.folderState.recheckInMs,
      changed: this.#changed,
    };
  }
}
