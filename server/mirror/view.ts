// What everybody is shown of a mirror: state, counts, problems in four parts. Reads only; no I/O.
import type { Mirror, MirrorProblem, MirrorState } from '../contract/workspaces.ts';
import type { FolderEntry, WatchState, WatchTrouble } from '../disk/folder.ts';
import { proposedName } from '../disk/names.ts';
import type { ConflictRow, MirrorRow } from '../store/port.ts';
import { haltText, isHaltCause, isLoss } from './guard.ts';
import type { Held } from './held.ts';
import type { Progress } from './progress.ts';
import type { ProofReading } from './proof.ts';
import { proofOf, proofProblems } from './proof-view.ts';
import { workspacePath } from './scoped-workspace.ts';
import type { MirrorSession } from './session.ts';

const problemsShownMax = 100;

export interface LoopView {
  readonly row: MirrorRow;
  readonly session: MirrorSession | null;
  readonly conflicts: readonly ConflictRow[];
  readonly state: MirrorState;
  readonly watch: WatchState;
  /** Why the system tells of no changes; null when it does. */
  readonly watchTrouble: WatchTrouble | null;
  /** Why the state is `error`; null when it is not. */
  readonly failure: string | null;
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
    files: session?.trees.tracked ?? 0,
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
    lastSyncAt: row.lastSyncAtMs === null ? null : new Date(row.lastSyncAtMs).toISOString(),
    halt: haltOf(loop),
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
  return {
    reason: cause,
    ...haltText(cause, row.dir),
    deletes: session?.losses.waiting.length ?? 0,
    answers: isLoss(cause) ? ['restore', 'delete'] : [],
  };
}

function failureOf({ failure, row }: LoopView): readonly MirrorProblem[] {
  if (failure === null) return [];
  return [
    problem(
      'mirror_failed',
      '/',
      failure,
      `See the log of the agent; the mirror of ${row.dir} is tried again by itself.`,
    ),
  ];
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
    problems.push({
      ...problem(failure.kind, path, failure.cause, failure.next),
      retryAt: new Date(retryAtMs).toISOString(),
    });
  }
  const listed = new Set(problems.map(({ path }) => path));
  for (const path of session.undurable) {
    if (listed.has(path)) continue;
    problems.push(
      problem(
        'not_durable',
        path,
        'It is in the folder, but the disk refuses to make it durable.',
        'See the disk; it is tried again every second.',
      ),
    );
  }
  for (const path of session.trees.candidates()) {
    const local = session.trees.localAt(path);
    const file = session.trees.workspaceAt(path);
    if (local?.kind === 'blocked') {
      problems.push(blocked(path, local));
    } else if (file !== null && session.isIgnored(path)) {
      problems.push(
        problem(
          'ignored',
          path,
          'It is ignored by this mirror and stays in the workspace.',
          'Change .mooringignore to have it in the folder.',
        ),
      );
    } else if (file !== null) {
      const held = session.held.why(path, file);
      if (held !== null) problems.push(problem(held.kind, path, held.cause, nextOf(path, held)));
    }
  }
  if (session.mode === 'to-folder') {
    for (const path of session.kept) problems.push(keptHere(path));
  }
  return problems;
}

function keptHere(path: string): MirrorProblem {
  return problem(
    'kept_here',
    path,
    'It is kept here: this mirror never writes the workspace.',
    'Delete it, or write it to the workspace another way.',
  );
}

function blocked(path: string, { reason, detail }: Extract<FolderEntry, { kind: 'blocked' }>): MirrorProblem {
  switch (reason) {
    case 'symlink':
    case 'special_file':
      return problem(reason, path, detail, 'Nothing: it stays in the folder only.');
    case 'unreadable':
      return problem(
        reason,
        path,
        `The agent cannot read it: ${detail}.`,
        'Give the agent the right to read it.',
      );
    case 'too_large':
      return problem(reason, path, detail, 'Nothing: it stays in the folder only.');
    case 'name':
      return problem(reason, path, detail, 'Give it another name.');
  }
}

function nextOf(path: string, held: Held): string {
  switch (held.kind) {
    case 'too_large':
      return 'Nothing: it stays in the workspace.';
    case 'name':
      return `Rename it in the workspace, for example to ${proposedName(path)}.`;
    case 'collision':
      return 'Rename one of the two in the workspace.';
  }
}

function problem(kind: string, path: string, cause: string, next: string): MirrorProblem {
  return { kind, path, cause, next, retryAt: null };
}
