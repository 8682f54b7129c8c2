// One mirror between opening and closing its folder: its three trees, and one cycle: scan, read the changes of the workspace,
// plan, check the deletion guard, apply, record the base row by row (docs/sync-rules.md#1). It schedules nothing (mirror/loop
// does) and changes nothing before both first scans are complete (docs/sync-rules.md#12).
import type { MirrorMode } from '../../contract/words.ts';
import { comparePaths } from '../../core/paths/path.ts';
import type { Plan } from '../../core/sync/plan.ts';
import { reconcile } from '../../core/sync/reconcile.ts';
import type { RuleFault } from '../../disk/names/ignore.ts';
import type { Folder, FolderEntry, IgnoreFile, NameRules, ScanProgress } from '../../disk/port/folder.ts';
import type { BaseRow, ConflictRow, MirrorRow } from '../../store/port/store.ts';
import { conflictRow } from '../actions/download.ts';
import { replayJournal } from '../actions/journal.ts';
import { restoreTruncated } from '../actions/restore.ts';
import { UnconfirmedWrites } from '../actions/unconfirmed-writes.ts';
import {
  type CycleHalt,
  DeletionGuard,
  type GuardVerdict,
  type PendingDeletion,
} from '../guard/deletion-guard.ts';
import { type HaltCause, isDeletionHalt, resolveDeletionLimit } from '../guard/halt-causes.ts';
import { type MirrorDeps, type SyncContext, transferLimits } from '../state/context.ts';
import { isEmpty, mayBePlanned, rulesFirst } from '../state/plan-order.ts';
import { ProblemTable } from '../state/problems.ts';
import { RuleChanges } from '../state/rule-file-changes.ts';
import { scopedWorkspace } from '../state/scoped-workspace.ts';
import { MirrorTrees } from '../state/trees.ts';
import { UnsyncableRules } from '../state/unsyncable.ts';
import { WorkspaceReader } from '../state/workspace-reader.ts';
import { type ApplyPlanDeps, applyPlan } from './apply-plan.ts';
import { FolderState } from './folder-state.ts';
import { type Progress, ProgressMeter } from './progress.ts';
import { removeMissingFromBase } from './record-base.ts';

/** A plan that is not empty after so many rounds is a fault (docs/sync-rules.md, anomaly A5). */
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

export class SyncSession {
  readonly trees: MirrorTrees;
  readonly problems: ProblemTable;
  readonly unsyncable: UnsyncableRules;
  readonly deletionGuard: DeletionGuard;
  readonly ruleChanges: RuleChanges;
  readonly #context: SyncContext;
  readonly #row: MirrorRow;
  readonly #reader: WorkspaceReader;
  #conflicts: readonly ConflictRow[] = [];
  readonly #progress: ProgressMeter;
  #pendingLocal = 0;
  #pendingRemote = 0;
  readonly #look: FolderState;
  readonly #landed: UnconfirmedWrites;
  readonly #carrying: ApplyPlanDeps;
  #moves = 0;
  #hasLooked = false;
  /** Paths whose base rows are written again when the workspace is listed; null: no listing is due. The first cycle lists. */
  #refreshPaths: readonly string[] | null = [];

  constructor(
    parts: MirrorDeps,
    row: MirrorRow,
    folder: Folder,
    base: readonly BaseRow[],
    names: NameRules,
    signal: AbortSignal,
  ) {
    this.#row = row;
    this.trees = new MirrorTrees(base);
    this.unsyncable = new UnsyncableRules(
      names,
      this.trees,
      parts.fileBytesMax,
      (path) => this.problems.at(path)?.failure.kind === 'collision',
    );
    this.problems = new ProblemTable(parts.clock);
    this.#progress = new ProgressMeter(parts.clock);
    this.#look = new FolderState(
      {
        folder,
        clock: parts.clock,
        progress: this.#progress,
        candidates: () => this.trees.candidates(),
      },
      row,
    );
    this.deletionGuard = new DeletionGuard(
      parts.clock,
      this.trees,
      resolveDeletionLimit(row.deletesPerMinuteMax),
    );
    this.#context = {
      ...parts,
      workspaces: scopedWorkspace(parts.workspaces, row.rootPath),
      rootPath: row.rootPath,
      mode: row.mode,
      mirrorId: row.mirrorId,
      workspaceId: row.workspaceId,
      trees: this.trees,
      folder,
      transfer: parts.transfer ?? transferLimits,
      problems: this.problems,
      signal,
      onActionDone: (path, bytes) => this.#progress.stepDone(path, bytes),
      onBytesTransferred: (path, bytes) => this.#progress.carried(path, bytes),
      onUnconfirmed: (rows) => this.#landed.unfinished(rows),
    };
    this.#reader = new WorkspaceReader(this.#context);
    this.ruleChanges = new RuleChanges(this.#context);
    this.#carrying = {
      context: this.#context,
      progress: this.#progress,
      losses: this.deletionGuard,
      mustExist: () => this.#reader.mustExist(),
      onConflicts: () => this.readConflicts(),
    };
    this.#landed = new UnconfirmedWrites(this.#context);
  }

  get context(): SyncContext {
    return this.#context;
  }
  /** Grows with whatever is seen or done on either side: between two equal readings nothing was. */
  get moves(): number {
    return this.#moves;
  }
  /** Between two equal readings the list of problems is the same one. */
  get problemsVersion(): string {
    return `${this.#moves} ${this.#look.version} ${this.problems.version}`;
  }
  /** Resolves when the folder was scanned for the first time. */
  get firstScan(): Promise<void> {
    return this.#look.first;
  }
  get progress(): Progress | null {
    return this.#progress.read();
  }
  get conflicts(): readonly ConflictRow[] {
    return this.#conflicts;
  }
  get pendingLocal(): number {
    return this.#pendingLocal + this.#look.unsettled.size;
  }
  get pendingRemote(): number {
    return this.#pendingRemote;
  }
  get mode(): MirrorMode {
    return this.#row.mode;
  }
  /** Of a one-way mirror: files that differ and stay so, in order. */
  get kept(): readonly string[] {
    if (this.#row.mode === 'two-way') return [];
    return [...this.trees.candidates()].filter((path) => this.isLocalOnly(path)).sort(comparePaths);
  }
  /** Paths that were brought here and that the disk refuses to make durable. */
  get undurable(): ReadonlySet<string> {
    return this.#look.undurable;
  }
  /** When that is tried again. */
  get durableAgainAtMs(): number | null {
    return this.#look.durableAgainAtMs;
  }
  /** How long the last full scan took. */
  get scanMs(): number {
    return this.#look.scanMs;
  }

  /** The folder's side tells how far its running scan is. */
  scanned(progress: ScanProgress): void {
    this.#look.scanned(progress);
  }

  /** Finishes what a crash left open. The root has been found to be the right one. */
  async recover(): Promise<void> {
    const { count, left } = await replayJournal(
      this.#context.store.mirrors,
      this.#row.mirrorId,
      this.#context.folder,
      (path, copy, hash) =>
        this.#row.mode === 'to-folder' ? null : conflictRow(this.#context, path, copy, hash),
    );
    if (count > 0) this.#context.logger.info({ intents: count }, 'finished what was interrupted');
    this.#landed.crashed(left);
    await this.readConflicts();
  }

  async readConflicts(): Promise<void> {
    this.#moves += 1;
    this.#conflicts = await this.#context.store.mirrors.listConflicts(this.#row.mirrorId);
  }

  /** What a cycle would do, without doing it. Scans until no file is being written, a limited number of times. */
  async previewPlan(
    haltedCause: HaltCause | null,
  ): Promise<{ verdict: GuardVerdict; plan: Plan | null; unsettled: readonly string[] }> {
    const { clock, signal } = this.#context;
    for (let scans = 0; scans < previewScansMax; scans += 1) {
      const [halt] = await Promise.all([this.#scan('full'), this.#relistWorkspace()]);
      if (halt !== null) return { verdict: { cause: halt, pendingDeletions: [] }, plan: null, unsettled: [] };
      if (this.#look.unsettled.size === 0 || signal.aborted) break;
      await clock.delay(previewWaitMs, signal);
    }
    await this.#look.decide(this.trees.candidates());
    const plan = this.#plan();
    const verdict = this.#guard(plan, haltedCause);
    return { verdict, plan, unsettled: [...this.#look.unsettled].sort(comparePaths) };
  }

  /** One cycle, until nothing is left that can be done now. `scope` null: only the workspace changed. */
  async runCycle(scope: 'full' | 'dirty' | null, mirrorHalt: CycleHalt): Promise<CycleResult> {
    let changed = false;
    let next: 'full' | 'dirty' | null = scope;
    for (let round = 0; round < roundsMax; round += 1) {
      // In parallel: the disk and the store are two threads, and neither reading needs the other.
      const [halted] = await Promise.all([next === null ? null : this.#scan(next), this.#relistWorkspace()]);
      if (halted !== null) return this.#result({ cause: halted, pendingDeletions: [] }, changed);
      this.#hasLooked = true;
      if (await this.#reader.readEvents()) this.#remoteMoved();
      await this.#landed.note((path) => this.#look.unsettled.has(path));
      await this.#look.decide(this.trees.candidates());
      const plan = this.#plan();
      const verdict = this.#guard(plan, mirrorHalt.guardCause);
      if (mirrorHalt.isRestoreDue && isDeletionHalt(verdict.cause)) {
        await removeMissingFromBase(this.#context);
        await restoreTruncated(this.#context, verdict.pendingDeletions);
        this.deletionGuard.resetWindow();
        mirrorHalt.restoreApplied();
        next = null;
        continue;
      }
      if (verdict.cause !== null) return this.#result(verdict, changed);
      mirrorHalt.planAccepted();
      await this.#look.markAgain();
      if (isEmpty(plan) || this.#context.signal.aborted) break;
      if (round === roundsMax - 1) throw new Error(`the plan is not empty after ${roundsMax} rounds`);
      changed = true;
      this.#moves += 1;
      next = await applyPlan(this.#carrying, plan);
      this.#moves += 1;
    }
    this.#pendingLocal = 0;
    this.#pendingRemote = 0;
    await this.#dropSettledConflicts();
    this.problems.atRest();
    await this.ruleChanges.look();
    return this.#result({ cause: null, pendingDeletions: [] }, changed);
  }

  /** Of a one-way mirror: does this differ, and stay so? */
  isLocalOnly(path: string): boolean {
    if (this.#row.mode === 'two-way') return false;
    const local = this.trees.localAt(path);
    const file = this.trees.workspaceAt(path);
    if (local !== null && local.kind !== 'file') return false;
    if (this.isIgnored(path) || this.#look.unsettled.has(path)) return false;
    if (file !== null && this.unsyncable.reason(path, file) !== null) return false;
    if (this.#row.mode === 'to-folder' && local === null) return false;
    return local?.hash !== file?.hash;
  }

  isUnsettled(path: string): boolean {
    return this.#look.unsettled.has(path);
  }
  get unsettled(): ReadonlySet<string> {
    return this.#look.unsettled;
  }
  /** Both sides were looked at; before, all that is known is what they once agreed on. */
  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  /** The rules that hold now, by directory. */
  get ignoreFiles(): readonly IgnoreFile[] {
    return this.#look.ignoreFiles;
  }

  /** Rule files that are over a limit: nothing below them is synced until they are repaired. */
  get ruleFaults(): readonly RuleFault[] {
    return this.#look.ruleFaults;
  }

  ruleFaultAbove(path: string): RuleFault | null {
    return this.#look.ruleFaultAbove(path);
  }

  /** Before many paths are asked about: the comparison with the rules runs in slices, and is remembered. */
  async decideIgnored(paths: Iterable<string>): Promise<void> {
    await this.#look.decide(paths);
  }

  isIgnored(path: string, isDirectory = false): boolean {
    return this.#look.ignores(path, isDirectory);
  }

  async #scan(scope: 'full' | 'dirty'): Promise<HaltCause | null> {
    const { halt, changes } = await this.#look.scan(scope);
    for (const { path, entry } of changes) this.#see(path, entry);
    if (halt === null) this.#landed.scanned();
    return halt;
  }

  #see(path: string, entry: FolderEntry | null): void {
    this.#moves += 1;
    this.trees.setLocal(path, entry);
    this.unsyncable.forget();
    // It is something else now than what could not be done.
    if (entry?.kind === 'file') this.problems.succeed(path);
  }

  #remoteMoved(): void {
    this.unsyncable.forget();
    this.#moves += 1;
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
    this.#remoteMoved();
    if (paths.length === 0) return;
    const rows = paths.map((path) => this.trees.baseAt(path));
    await this.#context.store.mirrors.saveBase({
      mirrorId: this.#row.mirrorId,
      upserts: rows.filter((row) => row !== null),
      removals: paths.filter((_, index) => rows[index] === null),
    });
  }

  #plan(): Plan {
    this.problems.planned();
    this.unsyncable.forget();
    const isFree = mayBePlanned(new Set([...this.#look.unsettled, ...this.problems.waiting()]));
    const candidates = [...this.trees.candidates()].filter((path) => isFree(path) && !this.isIgnored(path));
    const view = this.trees.forPlanner(
      candidates,
      (path, file) => this.unsyncable.reason(path, file) !== null,
    );
    const plan = reconcile(view, this.#row.mode);
    this.#pendingLocal = plan.toWorkspace.reduce((sum, group) => sum + group.length, 0);
    this.#pendingRemote = plan.toLocal.length + plan.conflicts.length + plan.beside.length;
    return rulesFirst(plan);
  }

  #guard(plan: Plan, haltedCause: HaltCause | null): GuardVerdict {
    const count = {
      tracked: this.trees.tracked,
      left: this.trees.localFiles + this.#look.appearing,
      leaving: Math.max(0, this.#look.unsettled.size - 2 * this.#look.appearing),
      unmarked: this.#look.unmarked,
    };
    return this.deletionGuard.check(plan, count, haltedCause);
  }

  /** A conflict is over when its copy is gone from both sides. */
  async #dropSettledConflicts(): Promise<void> {
    if (this.#conflicts.length === 0 || this.#look.unsettled.size > 0) return;
    const over = this.#conflicts.filter(
      ({ copyPath }) => !this.trees.isTaken(copyPath) && !this.trees.isOutOfSight(copyPath),
    );
    if (over.length === 0) return;
    for (const row of over)
      await this.#context.store.mirrors.removeConflict({
        mirrorId: this.#row.mirrorId,
        conflictId: row.conflictId,
      });
    await this.readConflicts();
  }

  #result({ cause, pendingDeletions }: GuardVerdict, changed: boolean): CycleResult {
    return {
      halt: cause,
      pendingDeletions,
      settled: this.#look.unsettled.size === 0 && !this.problems.isAnyColliding(),
      recheckInMs: this.#look.recheckInMs,
      changed,
    };
  }
}
