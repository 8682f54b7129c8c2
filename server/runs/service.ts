// The life of a run: it is created with a fork, its changes are reviewed there, and it ends with a commit or a discard. A committed
// run is undone as one change. commit.ts and undo.ts decide on files that others changed meanwhile.
import type { AccessSubject, Actor } from '../core/entry.ts';
import { choiceOf } from '../core/paths/path-choice.ts';
import type { RunRow } from '../store/port/store.ts';
import { ForkGoneError } from '../workspaces/forks.ts';
import { type CommitChoice, type CommitRunResult, commitRun } from './commit.ts';
import type { Decision } from './decisions.ts';
import { runTtlSeconds } from './limits.ts';
import { type RunCaller, RunMissingError, type RunServiceDeps, RunStateError } from './run.ts';
import { stagedChanges } from './staged.ts';
import { type RunSummary, summarize } from './summary.ts';
import { type UndoRunResult, undoRun } from './undo.ts';

export { InvalidGlobError } from '../core/paths/path-choice.ts';
export type { RunRow } from '../store/port/store.ts';
export type { CommitRunResult } from './commit.ts';
export type { Decision, UndecidedConflict } from './decisions.ts';
export { type RunCaller, RunMissingError, RunStateError } from './run.ts';
export type { RunSummary } from './summary.ts';
export type { UndoRunResult } from './undo.ts';

export interface NewRun {
  readonly workspaceId: string;
  readonly name: string;
  readonly path: string;
  readonly command: readonly string[];
  readonly by: Actor;
  /** The token of `by` and the tokens that issued it; empty: the owner. */
  readonly creatorTokens: readonly string[];
}

/** `expired`: it was open for too long, and its changes are deleted. */
export type RunStateNow = RunRow['state'] | 'expired';

export interface RunNow {
  readonly run: RunRow;
  readonly state: RunStateNow;
  /** Of an open run; null: it has ended. */
  readonly expiresAtMs: number | null;
  /** Staged changes that the caller may read; 0 after the end. */
  readonly staged: { readonly writes: number; readonly deletes: number; readonly bytes: number };
  /** Increases with each staged change. */
  readonly stagedRevision: number;
}

export type CreatedRun =
  | { readonly kind: 'open'; readonly run: RunNow }
  | { readonly kind: 'too_many' | 'workspace_not_found' };

export class RunService {
  readonly #deps: RunServiceDeps;

  constructor(deps: RunServiceDeps) {
    this.#deps = deps;
  }

  async create({ workspaceId, name, path, command, by, creatorTokens }: NewRun): Promise<CreatedRun> {
    const { store, clock, uuid } = this.#deps;
    const runId = `run_${uuid()}`;
    const atMs = clock.nowMs();
    const created = await store.runs.create({
      workspaceId,
      runId,
      name,
      rootPath: path,
      command,
      fork: {
        workspaceId,
        forkId: `fork_${uuid()}`,
        proposalId: runId,
        createdBy: by.name,
        creatorTokens,
        expiresAtMs: atMs + runTtlSeconds * 1000,
        atMs,
      },
    });
    this.#deps.atKillPoint?.('run.created');
    if (created.kind === 'open') return { kind: 'open', run: await this.#now(created.run, null) };
    if (created.kind === 'taken') throw new Error('the id of a new run is taken');
    return created;
  }

  /** Those that the caller created and those with staged changes that it may read, newest first; the owner sees all. */
  async list(
    workspaceId: string,
    caller: Pick<RunCaller, 'access' | 'tokenId'>,
    { before, limit }: { readonly before: number | null; readonly limit: number },
  ): Promise<{ readonly runs: readonly RunNow[]; readonly next: number | null }> {
    const rows = await this.#deps.store.runs.list(workspaceId, before, limit + 1);
    const page = rows.slice(0, limit);
    const runs: RunNow[] = [];
    for (const row of page) {
      const now = await this.#now(row, caller.access);
      if (isVisible(now, caller)) runs.push(now);
    }
    return { runs, next: rows.length > limit ? (page.at(-1)?.number ?? null) : null };
  }

  /** Throws a RunMissingError. */
  async get(
    workspaceId: string,
    runId: string,
    caller: Pick<RunCaller, 'access' | 'tokenId'>,
  ): Promise<RunNow> {
    const now = await this.current(workspaceId, runId, caller.access);
    if (!isVisible(now, caller)) throw new RunMissingError('run not found');
    return now;
  }

  /** The same for a caller that knows the run: it has just ended it, and the run shows no staged path to it any more. */
  async current(workspaceId: string, runId: string, access: AccessSubject | null): Promise<RunNow> {
    const row = await this.#deps.store.runs.find(workspaceId, runId);
    if (row === null) throw new RunMissingError('run not found');
    return await this.#now(row, access);
  }

  /** What a commit of all changes, or of those that a glob matches, would change, in numbers. */
  async summary(
    workspaceId: string,
    runId: string,
    caller: RunCaller,
    globs: readonly string[],
  ): Promise<RunSummary & { readonly stagedRevision: number }> {
    const now = await this.get(workspaceId, runId, caller);
    requireOpen(now);
    const summary = await summarize(this.#deps, now.run, caller.access, choiceOf(globs));
    return { ...summary, stagedRevision: now.stagedRevision };
  }

  /** Number of staged deletions that a commit with these globs makes. */
  async deletions(workspaceId: string, runId: string, globs: readonly string[]): Promise<number> {
    const { run, staged } = await this.current(workspaceId, runId, null);
    const isChosen = choiceOf(globs);
    if (isChosen === null || staged.deletes === 0) return staged.deletes;
    let count = 0;
    for await (const { file } of stagedChanges(this.#deps, run, null, isChosen))
      if (file === null) count += 1;
    return count;
  }

  /** Commits all staged changes, or those that a glob matches, as one change. Conflicts are listed, and nothing is committed. */
  async commit(
    workspaceId: string,
    runId: string,
    caller: RunCaller,
    {
      globs,
      ...choice
    }: Omit<CommitChoice, 'isChosen'> & {
      readonly globs: readonly string[];
    },
  ): Promise<CommitRunResult> {
    const now = await this.get(workspaceId, runId, caller);
    requireOpen(now);
    const isChosen = choiceOf(globs);
    this.#deps.atKillPoint?.('run.commit');
    const committed = await commitRun(this.#deps, now.run, caller, { ...choice, isChosen });
    this.#deps.atKillPoint?.('run.committed');
    return committed;
  }

  /** Ends the run without a change of the workspace. Of an ended run it does nothing. Throws a ForkForbiddenError. */
  async discard(workspaceId: string, runId: string, caller: RunCaller): Promise<'discarded' | 'forbidden'> {
    const { run } = await this.get(workspaceId, runId, caller);
    const { access, actor } = caller;
    const { kind } = await this.#deps.forks.discard({ workspaceId, forkId: run.forkId, access, actor });
    return kind === 'forbidden' ? 'forbidden' : 'discarded';
  }

  /** Reverts all commits of the run as one change. Files that were changed since are merged, or listed and nothing is changed. */
  async undo(
    workspaceId: string,
    runId: string,
    caller: RunCaller,
    options: { readonly decisions: readonly Decision[]; readonly dryRun: boolean },
  ): Promise<UndoRunResult> {
    const now = await this.get(workspaceId, runId, caller);
    if (now.state === 'undone') throw new RunStateError('the run is undone already');
    if (now.state === 'open' && now.run.commits.length > 0)
      throw new RunStateError('the run is still open: commit or discard its other changes, then undo it');
    if (now.run.commits.length === 0) throw new RunStateError('the run has committed no changes');
    this.#deps.atKillPoint?.('run.undo');
    const undone = await undoRun(this.#deps, now.run, caller, options);
    this.#deps.atKillPoint?.('run.undone');
    return undone;
  }

  async #now(run: RunRow, access: AccessSubject | null): Promise<RunNow> {
    const none = { writes: 0, deletes: 0, bytes: 0 };
    const ended = { expiresAtMs: null, staged: none, stagedRevision: 0 };
    if (run.state !== 'open') return { run, state: run.state, ...ended };
    try {
      const fork = await this.#deps.forks.get(run.workspaceId, run.forkId, access);
      const { writes, deletes, bytes, expiresAtMs, stagedRevision } = fork;
      return { run, state: 'open', expiresAtMs, staged: { writes, deletes, bytes }, stagedRevision };
    } catch (error) {
      if (!(error instanceof ForkGoneError)) throw error;
      // It ended between the two reads, or it has expired.
      const again = await this.#deps.store.runs.find(run.workspaceId, run.runId);
      const state = again?.state ?? 'discarded';
      return { run: again ?? run, state: state === 'open' ? 'expired' : state, ...ended };
    }
  }
}

function isVisible(
  { run, staged }: RunNow,
  { access, tokenId }: Pick<RunCaller, 'access' | 'tokenId'>,
): boolean {
  if (access === null || (tokenId !== null && run.creatorTokens.includes(tokenId))) return true;
  return staged.writes + staged.deletes > 0;
}

function requireOpen({ state }: RunNow): void {
  if (state === 'open') return;
  throw new RunStateError(
    state === 'expired'
      ? 'the run has expired: its staged changes are deleted; start a new run'
      : `the run is ${state}: it has no staged changes any more`,
  );
}
