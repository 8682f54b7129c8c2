// Builds the list of problems of a mirror from the loop, the watcher, the proof, the conflicts and the trees. It is rebuilt only when
// one of them changed. Reads only; no I/O.
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
  #sources: readonly unknown[] = [];

  of(loop: Sources): ProblemList {
    const sources = sourcesOf(loop);
    if (
      sources.length !== this.#sources.length ||
      sources.some((each, index) => each !== this.#sources[index])
    ) {
      this.#sources = sources;
      this.#list = listOf(loop);
    }
    return this.#list;
  }
}

/** Equal sources give equal lists. */
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
  const add = (each: MirrorProblem) => list.add({ ...each, path: inWorkspace(each.path) });
  for (const { path, copyPath } of conflicts) {
    const cause = `Both sides changed it. The folder's version is the conflict copy ${inWorkspace(copyPath)}.`;
    const next = 'Choose a version with "mooring conflicts resolve", or delete the conflict copy.';
    add(problem(conflictKind, path, cause, next));
  }
  for (const each of [...failureOf(loop), ...watchTroubleOf(loop), ...proofProblems(loop.proof)]) add(each);
  if (session === null) return list;
  for (const each of session.folderState.ruleFaults.map(ruleFault)) add(each);
  const listed = new Set<string>();
  for (const each of retried(session)) {
    listed.add(each.path);
    add(each);
  }
  for (const { path, reason } of notSynced(session, listed)) {
    const { kind, cause, next } = reason;
    const shownPath = inWorkspace(path);
    list.addLazily({ kind, path: shownPath, next }, () => problem(kind, shownPath, cause, next));
  }
  return list;
}

/** Failed actions, and changes that are not durable. */
function* retried(session: SyncSession): IterableIterator<MirrorProblem> {
  for (const { path, failure, retryAtMs } of session.problems.list())
    yield problem(failure.kind, path, failure.cause, failure.next, retryAtMs);
  for (const path of session.folderState.undurable) {
    if (session.problems.at(path) !== null) continue;
    yield problem(
      notDurableReason.kind,
      path,
      notDurableReason.cause,
      notDurableReason.next,
      session.folderState.durableAgainAtMs,
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
    `${cause}. Its rules are not applied, so nothing below it is synced.`,
    'Shorten the file, in the folder or in the workspace.',
  );
}

function failureOf({ failure, retryAtMs, row }: Sources): readonly MirrorProblem[] {
  if (failure === null) return [];
  const next = `See the log of the agent. The mirror of ${row.dir} restarts automatically.`;
  return [problem('mirror_failed', '/', failure, next, retryAtMs)];
}

/** A smaller limit would soon be reached again. */
const watchesAdvisedMin = 524_288;

function watchTroubleOf({ watchTrouble }: Sources): readonly MirrorProblem[] {
  if (watchTrouble === null) return [];
  const { code, limit } = watchTrouble;
  if (code === 'ESILENT') {
    const cause = 'File watching is unavailable here; Mooring polls this folder.';
    return [
      problem(
        'watch_silent',
        '/',
        cause,
        'No action needed. The folder is scanned every few seconds, and watched again when that works.',
      ),
    ];
  }
  const cause =
    limit === null
      ? `The system's watch limit is reached (${code}); Mooring polls this folder.`
      : `The system's watch limit is reached (${code}: ${limit.setting} is ${limit.value}); Mooring polls this folder.`;
  const next =
    limit === null
      ? 'Close programs that watch many files, then pause and resume the mirror.'
      : `Raise the limit: sudo sysctl ${limit.setting}=${raised(limit)}, then pause and resume the mirror.`;
  return [problem('watch_limit', '/', cause, next)];
}

function raised({ setting, value }: NonNullable<WatchTrouble['limit']>): number {
  return setting.endsWith('watches') ? Math.max(watchesAdvisedMin, 2 * value) : 2 * value;
}

/** A file that is ignored and only in the folder is not listed. */
function isListed({ trees }: SyncSession, path: string): boolean {
  return trees.workspaceAt(path) !== null || trees.localAt(path)?.kind === 'blocked';
}

/** `retryAtMs` null: no automatic retry. */
export function problem(
  kind: string,
  path: string,
  cause: string,
  next: string,
  retryAtMs: number | null = null,
): MirrorProblem {
  return { kind, path, cause, next, retryAt: retryAtMs === null ? null : new Date(retryAtMs).toISOString() };
}
