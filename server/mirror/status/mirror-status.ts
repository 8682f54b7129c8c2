// The status of a mirror as the API returns it: state, counts, problems. Reads only; no I/O.
import type { Mirror, MirrorProblem } from '../../contract/workspaces.ts';
import type { Progress } from '../cycle/progress.ts';
import type { SyncSession } from '../cycle/session.ts';
import { haltText, isDeletionHalt, resolveDeletionLimit } from '../guard/halt-causes.ts';
import { workspacePath } from '../state/scoped-workspace.ts';
import { conflictKind, problem } from './listed-problems.ts';
import type { LoopView } from './loop-view.ts';
import type { PathSummary } from './path-summary.ts';
import { proofOf } from './proof-status.ts';

const problemsShownMax = 100;

export function viewOf(loop: LoopView, { problems, kept, secrets }: PathSummary): Mirror {
  const { row, session, conflicts } = loop;
  const progress = session?.progress ?? null;
  return {
    mirrorId: row.mirrorId,
    workspaceId: row.workspaceId,
    dir: row.dir,
    mode: row.mode,
    path: row.rootPath,
    state: progress?.phase !== 'syncing' || loop.state === 'halted' ? loop.state : 'syncing',
    pausedUntil: row.pausedUntilMs === null ? null : new Date(row.pausedUntilMs).toISOString(),
    watch: loop.watch,
    files: loop.files,
    pendingLocal: session?.pendingLocal ?? 0,
    pendingRemote: session?.pendingRemote ?? 0,
    conflicts: conflicts.length,
    kept,
    problems: problems.count - problems.countOf(conflictKind),
    problemList: [...problems.first(problemsShownMax)],
    problemGroups: [...problems.groups()],
    warnings:
      session === null ? [] : [...secretsOf(secrets, row.rootPath), ...ruleChangesOf(session, row.rootPath)],
    lastSyncAt: row.lastSyncAtMs === null ? null : new Date(row.lastSyncAtMs).toISOString(),
    fullScan: fullScanOf(loop),
    halt: haltOf(loop),
    deletesPerMinuteMax: resolveDeletionLimit(row.deletesPerMinuteMax),
    progress: progressOf(loop, progress),
    proof: proofOf(loop.proof, loop.state, row.rootPath),
  };
}

function fullScanOf({ fullScan, state }: LoopView): Mirror['fullScan'] {
  const { lastAtMs, nextAtMs, cpuMs } = fullScan;
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    lastAt: time(lastAtMs),
    nextAt: state === 'halted' ? null : time(nextAtMs),
    cpuMs: cpuMs === null ? null : Math.round(cpuMs),
  };
}

/** Only a first scan is shown: later ones run while the mirror is up to date. */
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

export function haltOf({ row, halt }: Pick<LoopView, 'row' | 'halt'>): Mirror['halt'] {
  const { cause, pendingCounts, pendingDeletions } = halt;
  if (cause === null) return null;
  return {
    reason: cause,
    ...haltText(cause, row.dir, pendingCounts),
    deletes: pendingDeletions.length,
    truncations: pendingCounts.truncations,
    answers: isDeletionHalt(cause) ? ['restore', 'delete'] : [],
  };
}

/** Files with secrets are synced as others; one warning names them (docs/sync-rules.md#17). */
function secretsOf({ count, first }: PathSummary['secrets'], rootPath: string): MirrorProblem[] {
  if (first === null) return [];
  const path = workspacePath(rootPath, first);
  const more = count > 1 ? ` and ${count - 1} more` : '';
  return [
    problem(
      'secrets',
      path,
      `${path}${more} may contain secrets and ${count > 1 ? 'are' : 'is'} synced to the workspace.`,
      'To keep such a file in the folder only, add it to .mooringignore, then delete it in the workspace.',
    ),
  ];
}

/** Rules affect more files than the one that contains them (docs/sync-rules.md#17). */
function ruleChangesOf({ ruleChanges, context }: SyncSession, rootPath: string): MirrorProblem[] {
  return ruleChanges.recent(context.clock.nowMs()).map((change) => {
    const path = workspacePath(rootPath, change.path);
    const at = new Date(change.atMs).toISOString();
    return problem(
      'rules_changed',
      path,
      `${change.by} changed the ignore rules of ${path} at ${at}, not in the folder.`,
      `Review them; "mooring log ${path}" shows each change.`,
    );
  });
}
