// One mirror between opening and closing its folder: the knowledge of three trees, and one cycle of it: scan, read what is new
// in the workspace, guard, plan, act, commit the base row by row (sync-engine rule 1). It never waits by itself and never acts
// before both first looks are complete (rule 12). What drives it is mirror/loop.
import { ancestorsOf, nameOf, parentOf } from '../core/path.ts';
import { type Plan, reconcile } from '../core/reconcile.ts';
import type { Folder, FolderEntry, ScanResult } from '../disk/folder.ts';
import { IgnoreRules, ignoreFileName } from '../disk/ignore.ts';
import type { NameRules } from '../disk/names.ts';
import type { BaseRow, ConflictRow, EventRow, MirrorRow } from '../store/port.ts';
import { type MirrorParts, refreshWorkspace, type SyncContext } from './context.ts';
import { conflictRow, download, type TakenNames } from './download.ts';
import { checkLoss, checkRoot, type HaltCause, isHaltCause, lossWindowMs } from './guard.ts';
import { HoldRules } from './held.ts';
import { replayJournal } from './journal.ts';
import { mergeConflicts } from './merging.ts';
import { ProblemTable } from './problems.ts';
import { baseRow, MirrorTrees } from './trees.ts';
import { upload } from './upload.ts';

const listPageFiles = 1000;
const eventPageRows = 1000;
/** More changed paths than this are read as a listing instead of one by one. */
const changedPathsMax = 2000;
const baseRowsPerCommit = 2000;
/** A plan that does not come to rest in so many rounds has a fault (anomaly A5). */
const roundsMax = 200;

export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface CycleResult {
  readonly halt: HaltCause | null;
  /** All that was seen is in step, but for what a person has to look at. */
  readonly settled: boolean;
  /** When to look again by itself. */
  readonly recheckInMs: number | null;
  /** Files or base rows that this cycle brought in step. */
  readonly changed: boolean;
}

/** The workspace was deleted; its folder is left as it is. */
export class WorkspaceGoneError extends Error {
  override readonly name = 'WorkspaceGoneError';
}

export class MirrorSession {
  readonly trees: MirrorTrees;
  readonly problems: ProblemTable;
  readonly held: HoldRules;
  readonly #context: SyncContext;
  readonly #row: MirrorRow;
  /** Set while the mirror is halted: what has to be over before it goes on by itself. */
  haltedCause: HaltCause | null;
  /** The person resumed a mirror that halted for missing files: bring them back instead of deleting or halting. */
  restoreWanted = false;
  readonly #taken: TakenNames = new Set();
  readonly #recentDeletes: { atMs: number; count: number }[] = [];
  #ignore = new IgnoreRules();
  #eventCursor: number | null = null;
  #conflicts: readonly ConflictRow[] = [];
  #progress: Progress | null = null;
  #pendingLocal = 0;
  #pendingRemote = 0;
  /** Paths of the folder that are in motion: they are planned when they are at rest. */
  #unsettled: ReadonlySet<string> = new Set();
  #arriving = 0;
  /** When the disk's side wants to look again at what was not at rest; a cycle without a scan does not change that. */
  #recheckAtMs: number | null = null;
  #scanMs = 0;
  #unmarked = false;

  constructor(
    parts: MirrorParts,
    row: MirrorRow,
    folder: Folder,
    base: readonly BaseRow[],
    names: NameRules,
    signal: AbortSignal,
  ) {
    this.#row = row;
    this.haltedCause = row.haltedCause !== null && isHaltCause(row.haltedCause) ? row.haltedCause : null;
    this.trees = new MirrorTrees(base);
    this.held = new HoldRules(names, this.trees);
    this.problems = new ProblemTable(parts.clock);
    this.#context = {
      ...parts,
      mirrorId: row.mirrorId,
      workspaceId: row.workspaceId,
      trees: this.trees,
      folder,
      problems: this.problems,
      signal,
      onFileDone: () => {
        if (this.#progress !== null) this.#progress = { ...this.#progress, done: this.#progress.done + 1 };
      },
    };
  }

  get progress(): Progress | null {
    return this.#progress;
  }
  get conflicts(): readonly ConflictRow[] {
    return this.#conflicts;
  }
  get pendingLocal(): number {
    return this.#pendingLocal + this.#unsettled.size;
  }
  get pendingRemote(): number {
    return this.#pendingRemote;
  }
  /** How long the last full scan took. */
  get scanMs(): number {
    return this.#scanMs;
  }

  /** Finishes what a crash left open. The root has been found to be the right one. */
  async recover(): Promise<void> {
    const count = await replayJournal(
      this.#context.store.mirrors,
      this.#row.mirrorId,
      this.#context.folder,
      (path, copy, hash) => conflictRow(this.#context, path, copy, hash),
    );
    if (count > 0) this.#context.logger.info({ intents: count }, 'finished what was interrupted');
    await this.readConflicts();
  }

  async readConflicts(): Promise<void> {
    this.#conflicts = await this.#context.store.mirrors.listConflicts(this.#row.mirrorId);
  }

  /** Reads the whole workspace. Throws rather than to take a listing that broke off for a whole one. */
  async listWorkspace(): Promise<void> {
    const { store, workspaces, workspaceId } = this.#context;
    await this.#mustExist();
    // Taken before the listing: what changes meanwhile is read again from its event.
    const cursor = (await store.events.range()).last;
    const seen = new Set<string>();
    for (let after: string | null = null; ; ) {
      const page = await workspaces.listFiles(workspaceId, '/', after, listPageFiles);
      for (const { path, hash, revision, sizeBytes } of page) {
        seen.add(path);
        this.trees.setWorkspace(path, { hash, revision, sizeBytes });
      }
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.path;
    }
    // A workspace that was deleted meanwhile lists nothing, and nothing must follow from that.
    await this.#mustExist();
    for (const path of [...this.trees.basePaths(), ...this.trees.candidates()]) {
      if (!seen.has(path)) this.trees.setWorkspace(path, null);
    }
    this.#eventCursor = cursor;
  }

  /**
   * One cycle, until nothing is left to do that can be done now. `scope` null: only the workspace changed.
   */
  async cycle(scope: 'full' | 'dirty' | null): Promise<CycleResult> {
    let changed = false;
    let next: 'full' | 'dirty' | null = scope;
    for (let round = 0; round < roundsMax; round += 1) {
      if (next !== null) {
        const halt = await this.#scan(next);
        if (halt !== null) return this.#result(halt, changed);
      }
      await this.#readEvents();
      const plan = this.#plan();
      const halt = this.#guard(plan);
      if (this.restoreWanted && (halt === 'emptied' || halt === 'mass_delete')) {
        await this.#forgetMissing();
        next = null;
        continue;
      }
      if (halt !== null) return this.#result(halt, changed);
      if (this.#unmarked) await this.#markAgain();
      if (isEmpty(plan) || this.#context.signal.aborted) break;
      if (round === roundsMax - 1) throw new Error(`the plan did not come to rest in ${roundsMax} rounds`);
      changed = true;
      next = await this.#act(plan);
    }
    this.#pendingLocal = 0;
    this.#pendingRemote = 0;
    await this.#dropSettledConflicts();
    this.problems.atRest();
    return this.#result(null, changed);
  }

  isIgnored(path: string): boolean {
    return this.#ignore.ignores(path);
  }

  /** The base forgets the missing files, so that they are new in the workspace. */
  async #forgetMissing(): Promise<void> {
    const missing = [...this.trees.basePaths()].filter((path) => this.trees.localAt(path) === null);
    for (const path of missing) this.trees.agree(path, null);
    await this.#context.store.mirrors.saveBase(this.#row.mirrorId, [], missing);
    this.#recentDeletes.length = 0;
    this.restoreWanted = false;
    this.haltedCause = null;
  }

  async #mustExist(): Promise<void> {
    const { workspaces, workspaceId } = this.#context;
    if ((await workspaces.get(workspaceId)) === null)
      throw new WorkspaceGoneError('the workspace is deleted');
  }

  async #scan(scope: 'full' | 'dirty'): Promise<HaltCause | null> {
    const result: ScanResult = await this.#context.folder.scan(scope);
    const root = checkRoot(result.root, this.#row);
    if (root !== 'same' && root !== 'unmarked') return root;
    this.#unmarked = root === 'unmarked';
    if (scope === 'full') this.#scanMs = result.durationMs;
    if (result.ignoreFiles !== null) this.#ignore = IgnoreRules.from(result.ignoreFiles);
    for (const { path, entry } of result.changes) this.#see(path, entry);
    this.#unsettled = new Set(result.unsettled);
    this.#arriving = result.arriving;
    this.#recheckAtMs =
      result.recheckInMs === null ? null : this.#context.clock.monotonicMs() + result.recheckInMs;
    return null;
  }

  #see(path: string, entry: FolderEntry | null): void {
    this.trees.setLocal(path, entry);
    this.held.forget();
    // It is something else now than what could not be done.
    if (entry?.kind === 'file') this.problems.succeed(path);
  }

  async #readEvents(): Promise<void> {
    const { store, workspaceId } = this.#context;
    const changed = new Map<string, EventRow>();
    for (let more = true; more; ) {
      const page = await store.events.list(workspaceId, {
        direction: 'asc',
        from: this.#eventCursor,
        limit: eventPageRows,
        pathPrefix: null,
        provider: null,
        access: null,
      });
      for (const event of page.events) if (event.type.startsWith('file.')) changed.set(event.path, event);
      this.#eventCursor = page.scannedTo ?? this.#eventCursor;
      more = page.more;
    }
    const foreign = [...changed.values()].filter((event) => !this.#isOwn(event));
    if (foreign.length === 0) return;
    this.held.forget();
    if (foreign.length > changedPathsMax) await this.listWorkspace();
    else for (const { path } of foreign) await refreshWorkspace(this.#context, path);
  }

  /** What this mirror did itself is known already. */
  #isOwn(event: EventRow): boolean {
    const known = this.trees.workspaceAt(event.path);
    if (event.type === 'file.deleted') return known === null;
    return known !== null && event.revision !== null && known.revision >= event.revision;
  }

  #plan(): Plan {
    const candidates = [...this.trees.candidates()].filter(this.#mayBePlanned());
    const view = this.trees.forPlanner(candidates, (path, file) => this.held.why(path, file) !== null);
    const plan = reconcile(view);
    this.#pendingLocal = plan.toWorkspace.reduce((sum, group) => sum + group.length, 0);
    this.#pendingRemote = plan.toLocal.length + plan.conflicts.length;
    return rulesFirst(plan);
  }

  /** A path waits with whatever stands above or below it: of a file in another's way nothing must follow before its own turn. */
  #mayBePlanned(): (path: string) => boolean {
    const waiting = new Set(this.#unsettled);
    for (const { path } of this.problems.list()) if (this.problems.isWaiting(path)) waiting.add(path);
    const above = new Set([...waiting].flatMap(ancestorsOf));
    return (path) =>
      !waiting.has(path) &&
      !above.has(path) &&
      !ancestorsOf(path).some((ancestor) => waiting.has(ancestor)) &&
      !this.#ignore.ignores(path);
  }

  #guard(plan: Plan): HaltCause | null {
    const nowMs = this.#context.clock.monotonicMs();
    while (this.#recentDeletes[0] !== undefined && this.#recentDeletes[0].atMs < nowMs - lossWindowMs) {
      this.#recentDeletes.shift();
    }
    const deletes = plan.toWorkspace.flat().filter((action) => action.kind === 'delete').length;
    if (this.#unmarked && deletes > 0) return 'root_replaced';
    // A mirror that halted for missing files goes on by itself only when all of them are back.
    const missed = this.haltedCause === 'emptied' || this.haltedCause === 'mass_delete';
    if (missed && deletes > 0) return this.haltedCause;
    return checkLoss({
      tracked: this.trees.tracked,
      left: this.trees.localFiles + this.#arriving,
      deletes,
      leaving: Math.max(0, this.#unsettled.size - 2 * this.#arriving),
      recentDeletes: this.#recentDeletes.reduce((sum, { count }) => sum + count, 0),
    });
  }

  async #markAgain(): Promise<void> {
    await this.#context.folder.mark(this.#row.markerId);
    this.#unmarked = false;
  }

  /** Returns what has to be scanned before the next round. */
  async #act(plan: Plan): Promise<'dirty' | null> {
    const { toWorkspace, toLocal, conflicts } = plan;
    const total =
      toWorkspace.reduce((sum, group) => sum + group.length, 0) + toLocal.length + conflicts.length;
    this.#progress = total === 0 ? null : { done: 0, total };
    try {
      await this.#agree(plan);
      const deletes = toWorkspace.flat().filter((action) => action.kind === 'delete').length;
      if (deletes > 0) this.#recentDeletes.push({ atMs: this.#context.clock.monotonicMs(), count: deletes });
      const up = await upload(this.#context, toWorkspace);
      if (toLocal.some((action) => action.kind === 'remove')) await this.#mustExist();
      const { merged, left } = await mergeConflicts(this.#context, conflicts);
      const down = await download(this.#context, { conflicts: left, actions: toLocal }, this.#taken);
      if (left.length > 0) await this.readConflicts();
      const rules = toLocal.filter(({ path }) => isRuleFile(path));
      for (const { path } of rules) this.#context.folder.markDirty(parentOf(path) ?? '/');
      // Whatever was not as planned was marked dirty by the disk's side; what stepped aside must be found, new rules read.
      return left.length + rules.length > 0 || up + down + merged < total ? 'dirty' : null;
    } finally {
      this.#progress = null;
      this.#taken.clear();
    }
  }

  async #agree(plan: Plan): Promise<void> {
    const upserts: BaseRow[] = [];
    const removals: string[] = [];
    for (const { path, hash } of plan.toBase) {
      const local = this.trees.localAt(path);
      const workspace = this.trees.workspaceAt(path);
      if (hash === null) {
        if (local?.kind === 'directory') this.trees.setLocal(path, null);
        this.trees.agree(path, null);
        removals.push(path);
      } else if (local?.kind === 'file' && workspace !== null) {
        const row = baseRow(path, local, workspace.revision);
        this.trees.agree(path, row);
        upserts.push(row);
      }
      this.problems.succeed(path);
    }
    for (let at = 0; at < Math.max(upserts.length, removals.length); at += baseRowsPerCommit) {
      await this.#context.store.mirrors.saveBase(
        this.#row.mirrorId,
        upserts.slice(at, at + baseRowsPerCommit),
        removals.slice(at, at + baseRowsPerCommit),
      );
    }
  }

  /** A conflict is over when its copy is gone from both sides. */
  async #dropSettledConflicts(): Promise<void> {
    if (this.#conflicts.length === 0 || this.#unsettled.size > 0) return;
    const over = this.#conflicts.filter((row) => !this.trees.isTaken(row.copyPath));
    if (over.length === 0) return;
    for (const row of over)
      await this.#context.store.mirrors.removeConflict(this.#row.mirrorId, row.conflictId);
    await this.readConflicts();
  }

  #result(halt: HaltCause | null, changed: boolean): CycleResult {
    const recheckInMs =
      this.#recheckAtMs === null ? null : Math.max(0, this.#recheckAtMs - this.#context.clock.monotonicMs());
    return {
      halt,
      settled: this.#unsettled.size === 0 && !this.problems.isAnyColliding(),
      recheckInMs,
      changed,
    };
  }
}

/** Rules of what is ignored come first, alone: what they hide must not be written before they are known. */
function rulesFirst(plan: Plan): Plan {
  const rules = plan.toLocal.filter(({ path }) => isRuleFile(path));
  return rules.length === 0 ? plan : { toLocal: rules, toWorkspace: [], toBase: plan.toBase, conflicts: [] };
}

function isRuleFile(path: string): boolean {
  return nameOf(path) === ignoreFileName;
}

function isEmpty(plan: Plan): boolean {
  return plan.toLocal.length + plan.toWorkspace.length + plan.toBase.length + plan.conflicts.length === 0;
}
