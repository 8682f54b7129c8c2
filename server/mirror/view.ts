// What everybody is shown of a mirror: state, counts, problems in four parts. Reads only; no I/O.
import type { Mirror, MirrorProblem, MirrorState } from '../contract/workspaces.ts';
import { comparePaths } from '../core/path.ts';
import type { WatchState, WatchTrouble } from '../disk/folder.ts';
import type { ConflictRow, MirrorRow } from '../store/port.ts';
import { believedDeletes, haltText, isHaltCause, isLoss } from './guard.ts';
import type { Progress } from './progress.ts';
import type { ProofReading } from './proof.ts';
import { proofOf, proofProblems } from './proof-view.ts';
import { keptHere, notDurable, stuckReason } from './reasons.ts';
import { workspacePath } from './scoped-workspace.ts';
import type { MirrorSession } from './session.ts';

const problemsShownMax = 100;

export interface LoopView {
  readonly row: MirrorRow;
  readonly session: MirrorSession | null;
  readonly conflicts: readonly ConflictRow[];
  /** Files that both sides agree on; without a session as it was at the end of the last one. */
  readonly files: number;
  readonly state: MirrorState;
  readonly watch: WatchState;
  /** Why the system tells of no changes; null when it does. */
  readonly watchTrouble: WatchTrouble | null;
  /** Why the state is `error`; null when it is not. */
  readonly failure: string | null;
  /** When it begins anew after a failure. */
  readonly retryAtMs: number | null;
  readonly proof: ProofReading;
}

export function viewOf(loop: LoopView): Mirror {
  const { row, session } = loop;
  const problems = [
    ...failureOf(loop),
    ...watchTroubleOf(loop),
    ...proofProblems(loop.proof),
    ...(session === null ? [] : problemsOf(session)),
  ];
  const { conflicts } = loop;
  const progress = session?.progress ?? null;
  return {
    mirrorId: row.mirrorId,
    workspaceId: row.workspaceId,
    dir: row.dir,
    mode: row.mode,
    path: row.rootPath,
    state: progress?.phase !== 'syncing' || loop.state === 'halted' ? loop.state : 'syncing',
    watch: loop.watch,
    files: loop.files,
    pendingLocal: session?.pendingLocal ?? 0,
    pendingRemote: session?.pendingRemote ?? 0,
    conflicts: conflicts.length,
    kept: session?.kept.length ?? 0,
    problems: problems.length,
    problemList: [
      ...conflicts.map(({ path, copyPath }) =>
        problem(
          'conflict',
          path,
          `Both sides changed it; the folder's version is ${workspacePath(row.rootPath, copyPath)}.`,
          'Choose one with "mooring conflicts resolve", or delete the copy.',
        ),
      ),
      ...problems,
    ]
      .slice(0, problemsShownMax)
      .map((one) => ({ ...one, path: workspacePath(row.rootPath, one.path) })),
    warnings:
      session === null ? [] : [...secretsOf(session, row.rootPath), ...ruleChangesOf(session, row.rootPath)],
    lastSyncAt: row.lastSyncAtMs === null ? null : new Date(row.lastSyncAtMs).toISOString(),
    halt: haltOf(loop),
    deletesPerMinuteMax: believedDeletes(row.deletesPerMinuteMax),
    progress: progressOf(loop, progress),
    proof: proofOf(loop.proof, loop.state, row.rootPath),
  };
}

/** Only a first scan is shown: the later ones pass by while everything is in step. */
function progressOf({ state }: LoopView, progress: Progress | null): Mirror['progress'] {
  if (progress === null || (progress.phase === 'scanning' && state !== 'scanning')) return null;
  const { phase, done, total, pace, leftMs } = progress;
  return {
    phase,
    unit: 'files',
    done: done.files,
    total: total?.files ?? null,
    bytesDone: done.bytes,
    bytesTotal: total?.bytes ?? null,
    filesPerSecond: pace === null ? null : rounded(pace.filesPerSecond),
    bytesPerSecond: pace === null ? null : rounded(pace.bytesPerSecond),
    leftMs,
  };
}

function rounded(perSecond: number): number {
  return Math.round(perSecond * 10) / 10;
}

export function haltOf({ row, session }: LoopView): Mirror['halt'] {
  const cause = row.haltedCause;
  if (cause === null || !isHaltCause(cause)) return null;
  const held = session?.losses.waitingCounts;
  return {
    reason: cause,
    ...haltText(cause, row.dir, held),
    deletes: session?.losses.waiting.length ?? 0,
    truncations: held?.truncations ?? 0,
    answers: isLoss(cause) ? ['restore', 'delete'] : [],
  };
}

function failureOf({ failure, retryAtMs, row }: LoopView): readonly MirrorProblem[] {
  if (failure === null) return [];
  const next = `See the log of the agent; the mirror of ${row.dir} is tried again by itself.`;
  return [problem('mirror_failed', '/', failure, next, retryAtMs)];
}

/** Raising it to less would soon run into it again. */
const watchesAdvisedMin = 524_288;

function watchTroubleOf({ watchTrouble }: LoopView): readonly MirrorProblem[] {
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

function problemsOf(session: MirrorSession): readonly MirrorProblem[] {
  const problems: MirrorProblem[] = [];
  for (const { path, failure, retryAtMs } of session.problems.list()) {
    problems.push(problem(failure.kind, path, failure.cause, failure.next, retryAtMs));
  }
  const listed = new Set(problems.map(({ path }) => path));
  for (const path of session.undurable) {
    if (listed.has(path)) continue;
    problems.push(
      problem(notDurable.kind, path, notDurable.cause, notDurable.next, session.durableAgainAtMs),
    );
  }
  for (const path of session.trees.candidates()) {
    const reason = listed.has(path) ? null : stuckReason(session, path);
    if (reason !== null && isListed(session, path))
      problems.push(problem(reason.kind, path, reason.cause, reason.next));
  }
  if (session.mode === 'to-folder') {
    for (const path of session.kept)
      problems.push(problem(keptHere.kind, path, keptHere.cause, keptHere.next));
  }
  return problems;
}

/** Files with secrets are carried as others are; once is said that they are (sync-engine rule 17). */
function secretsOf(session: MirrorSession, rootPath: string): MirrorProblem[] {
  const carried = [...session.trees.secrets].filter((path) => !session.isIgnored(path));
  const paths = carried.sort(comparePaths).map((path) => workspacePath(rootPath, path));
  const [first] = paths;
  if (first === undefined) return [];
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : '';
  return [
    problem(
      'secrets',
      first,
      `${first}${more} may hold secrets, and is in the folder as well as in the workspace.`,
      'If it is meant for the folder alone, name it in .mooringignore, then delete it in the workspace.',
    ),
  ];
}

/** Rules reach further than the file that holds them (sync-engine rule 17). */
function ruleChangesOf({ ruleChanges, context }: MirrorSession, rootPath: string): MirrorProblem[] {
  return ruleChanges.recent(context.clock.nowMs()).map((change) => {
    const path = workspacePath(rootPath, change.path);
    const at = new Date(change.atMs).toISOString();
    return problem(
      'rules_changed',
      path,
      `The rules of ${path} were changed by ${change.by} at ${at}, not in the folder.`,
      `Look at what they say now; "mooring log ${path}" shows each change.`,
    );
  });
}

/** What is ignored and only in the folder is nobody's problem. */
function isListed({ trees }: MirrorSession, path: string): boolean {
  return trees.workspaceAt(path) !== null || trees.localAt(path)?.kind === 'blocked';
}

/** `retryAtMs` null: it is not tried again by itself. */
function problem(
  kind: string,
  path: string,
  cause: string,
  next: string,
  retryAtMs: number | null = null,
): MirrorProblem {
  return { kind, path, cause, next, retryAt: retryAtMs === null ? null : new Date(retryAtMs).toISOString() };
}
