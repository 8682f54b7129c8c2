// The problems of a mirror by their source: the loop, the watcher, the proof, the conflicts, and its paths. Reads only; no I/O.
import type { MirrorProblem } from '../../contract/workspaces.ts';
import type { WatchTrouble } from '../../disk/port/folder.ts';
import type { SyncSession } from '../cycle/session.ts';
import { workspacePath } from '../state/scoped-workspace.ts';
import type { LoopView } from './loop-view.ts';
import { proofProblems } from './proof-status.ts';
import { notDurableReason, problemReason, type StateReason } from './reasons.ts';

export const conflictKind = 'conflict';

/** Those that are no path's own state: conflicts, failures, and what the watcher and the proof found. */
export function* generalProblems(loop: LoopView): IterableIterator<MirrorProblem> {
  const { row, conflicts } = loop;
  for (const { path, copyPath } of conflicts) {
    const copy = workspacePath(row.rootPath, copyPath);
    const cause = `Both sides changed it. The folder's version is the conflict copy ${copy}.`;
    const next = 'Choose a version with "mooring conflicts resolve", or delete the conflict copy.';
    yield problem(conflictKind, workspacePath(row.rootPath, path), cause, next);
  }
  for (const each of [...failureOf(loop), ...watchTroubleOf(loop), ...proofProblems(loop.proof)])
    yield { ...each, path: workspacePath(row.rootPath, each.path) };
}

/** Rule files that are not applied. */
export function* ruleFaults(session: SyncSession): IterableIterator<MirrorProblem> {
  for (const { path, cause } of session.folderState.ruleFaults)
    yield problem(
      'ignore_rules',
      path,
      `${cause}. Its rules are not applied, so nothing below it is synced.`,
      'Shorten the file, in the folder or in the workspace.',
    );
}

/** Failed actions, and changes that are not durable. */
export function* retriedProblems(session: SyncSession): IterableIterator<MirrorProblem> {
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

/** Why a path that differs is not synced. A file that is ignored and only in the folder is not listed. */
export function listedReason(session: SyncSession, path: string): StateReason | null {
  const { trees } = session;
  return trees.isInWorkspace(path) || trees.isBlocked(path) ? problemReason(session, path) : null;
}

function failureOf({ failure, retryAtMs, row }: LoopView): readonly MirrorProblem[] {
  if (failure === null) return [];
  const next = `See the log of the agent. The mirror of ${row.dir} restarts automatically.`;
  return [problem('mirror_failed', '/', failure, next, retryAtMs)];
}

/** A smaller limit would soon be reached again. */
const watchesAdvisedMin = 524_288;

function watchTroubleOf({ watchTrouble }: LoopView): readonly MirrorProblem[] {
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
