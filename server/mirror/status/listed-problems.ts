// The list of problems of a mirror, each in its four parts, from everything that knows of some: the loop, the watcher, the proof, the
// conflicts and the trees. It is made anew only when one of them changed. Reads only; no I/O.
import type { MirrorProblem } from '../../contract/workspaces.ts';
import type { RuleFault } from '../../disk/names/ignore.ts';
import type { WatchTrouble } from '../../disk/port/folder.ts';
import type { SyncSession } from '../cycle/session.ts';
import { workspacePath } from '../state/scoped-workspace.ts';
import type { LoopView } from './loop-view.ts';
import { ProblemList } from './problem-list.ts';
import { proofProblems } from './proof-status.ts';
import { localOnlyReason, notDurableReason, problemReason, type StateReason } from './reasons.ts';

export const conflictKind = 'conflict';

type Sources = Omit<LoopView, 'problemList'>;

export class ListedProblems {
  #list = new ProblemList();
  #madeOf: readonly unknown[] = [];

  /** The list as it is now. */
  of(loop: Sources): ProblemList {
    const madeOf = sourcesOf(loop);
    if (madeOf.length !== this.#madeOf.length || madeOf.some((one, index) => one !== this.#madeOf[index])) {
      this.#madeOf = madeOf;
      this.#list = listOf(loop);
    }
    return this.#list;
  }
}

/** Equal readings make equal lists. */
function sourcesOf({
  row,
  session,
  conflicts,
  failure,
  retryAtMs,
  watchTrouble,
  proof,
}: Sources): readonly unknown[] {
  const { alarm, unreadable } = proof;
  const version = session?.problemsVersion ?? null;
  return [row.rootPath, session, version, conflicts, failure, retryAtMs, watchTrouble, alarm, unreadable];
}

function listOf(loop: Sources): ProblemList {
  const { row, session, conflicts } = loop;
  const list = new ProblemList();
  const inWorkspace = (path: string) => workspacePath(row.rootPath, path);
  const add = (one: MirrorProblem) => list.add({ ...one, path: inWorkspace(one.path) });
  for (const { path, copyPath } of conflicts) {
    const cause = `Both sides changed it; the folder's version is ${inWorkspace(copyPath)}.`;
    const next = 'Choose one with "mooring conflicts resolve", or delete the copy.';
    add(problem(conflictKind, path, cause, next));
  }
  for (const one of [...failureOf(loop), ...watchTroubleOf(loop), ...proofProblems(loop.proof)]) add(one);
  if (session === null) return list;
  for (const one of session.ruleFaults.map(ruleFault)) add(one);
  const listed = new Set<string>();
  for (const one of triedAgain(session)) {
    listed.add(one.path);
    add(one);
  }
  for (const { path, reason } of notSynced(session, listed)) {
    const { kind, cause, next } = reason;
    const told = inWorkspace(path);
    list.addOne({ kind, path: told, next }, () => problem(kind, told, cause, next));
  }
  return list;
}

/** What could not be done, and is not durable. */
function* triedAgain(session: SyncSession): IterableIterator<MirrorProblem> {
  for (const { path, failure, retryAtMs } of session.problems.list())
    yield problem(failure.kind, path, failure.cause, failure.next, retryAtMs);
  for (const path of session.undurable) {
    if (session.problems.at(path) !== null) continue;
    yield problem(
      notDurableReason.kind,
      path,
      notDurableReason.cause,
      notDurableReason.next,
      session.durableAgainAtMs,
    );
  }
}

function* notSynced(
  session: SyncSession,
  listed: ReadonlySet<string>,
): IterableIterator<{ readonly path: string; readonly reason: StateReason }> {
  for (const path of session.trees.differingPaths()) {
    const reason = listed.has(path) ? null : problemReason(session, path);
    if (reason !== null && isListed(session, path)) yield { path, reason };
  }
  if (session.mode !== 'to-folder') return;
  for (const path of session.localOnly) yield { path, reason: localOnlyReason };
}

function ruleFault({ path, cause }: RuleFault): MirrorProblem {
  return problem(
    'ignore_rules',
    path,
    `${cause}. Its rules are not applied, and nothing below it is synced or deleted on either side.`,
    'Shorten it, in the folder or in the workspace.',
  );
}

function failureOf({ failure, retryAtMs, row }: Sources): readonly MirrorProblem[] {
  if (failure === null) return [];
  const next = `See the log of the agent; the mirror of ${row.dir} is tried again by itself.`;
  return [problem('mirror_failed', '/', failure, next, retryAtMs)];
}

/** Raising it to less would soon run into it again. */
const watchesAdvisedMin = 524_288;

function watchTroubleOf({ watchTrouble }: Sources): readonly MirrorProblem[] {
  if (watchTrouble === null) return [];
  const { code, limit } = watchTrouble;
  if (code === 'ESILENT') {
    const cause = 'The system tells nothing of what changes in this folder; it is polled.';
    return [
      problem(
        'watch_silent',
        '/',
        cause,
        'Nothing: it is looked at every few seconds, and watched again when it can be.',
      ),
    ];
  }
  const cause =
    limit === null
      ? `The system gives no more watches (${code}); the folder is polled.`
      : `The system gives no more watches (${code}: ${limit.setting} is ${limit.value}); the folder is polled.`;
  const next =
    limit === null
      ? 'Close programs that watch many files, then pause and resume the mirror.'
      : `Raise the limit: sudo sysctl ${limit.setting}=${raised(limit)}, then pause and resume the mirror.`;
  return [problem('watch_limit', '/', cause, next)];
}

function raised({ setting, value }: NonNullable<WatchTrouble['limit']>): number {
  return setting.endsWith('watches') ? Math.max(watchesAdvisedMin, 2 * value) : 2 * value;
}

/** What is ignored and only in the folder is nobody's problem. */
function isListed({ trees }: SyncSession, path: string): boolean {
  return trees.workspaceAt(path) !== null || trees.localAt(path)?.kind === 'blocked';
}

/** `retryAtMs` null: it is not tried again by itself. */
export function problem(
  kind: string,
  path: string,
  cause: string,
  next: string,
  retryAtMs: number | null = null,
): MirrorProblem {
  return { kind, path, cause, next, retryAt: retryAtMs === null ? null : new Date(retryAtMs).toISOString() };
}
