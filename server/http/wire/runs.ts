// Converts runs to JSON, and builds the refusal of a conflicting commit or undo.
import type { Run, RunConflict, RunSummary } from '../../contract/runs.ts';
import type { Decision, RunNow, RunSummary as Summary, UndecidedConflict } from '../../runs/service.ts';
import { ApiError } from '../base/api-error.ts';
import { runConflictsMax } from '../base/limits.ts';
import { wireRevision, wireTime } from './records.ts';

export function wireRun({ run, state, expiresAtMs, staged }: RunNow): Run {
  const { runId, workspaceId, forkId, name, rootPath, command, createdBy, createdAtMs, endedAtMs } = run;
  return {
    runId,
    workspaceId,
    forkId,
    name,
    path: rootPath,
    command: [...command],
    state,
    createdBy,
    createdAt: wireTime(createdAtMs),
    endedAt: endedAtMs === null ? null : wireTime(endedAtMs),
    expiresAt: expiresAtMs === null ? null : wireTime(expiresAtMs),
    writtenCount: staged.writes,
    deletedCount: staged.deletes,
    bytes: staged.bytes,
    commits: run.commits.map(({ batch, atMs, writes, deletes }) => ({
      batch: `batch_${batch}`,
      at: wireTime(atMs),
      writtenCount: writes,
      deletedCount: deletes,
    })),
  };
}

export function wireSummary({
  created,
  updated,
  deleted,
  moved,
  conflicts,
  addedLines,
  removedLines,
  isEveryLineCounted,
  stagedRevision,
}: Summary & { readonly stagedRevision: number }): RunSummary {
  return {
    createdCount: created,
    updatedCount: updated,
    deletedCount: deleted,
    movedCount: moved,
    conflictCount: conflicts,
    addedLines,
    removedLines,
    linesComplete: isEveryLineCounted,
    stagedRevision,
  };
}

/** As the body of a commit or an undo gives them. */
export function decisionsOf(
  given: readonly {
    readonly path: string;
    readonly take: Decision['take'];
    readonly revision?: string;
  }[] = [],
): readonly Decision[] {
  return given.map(({ path, take, revision }) => ({
    path,
    take,
    revision: revision === undefined ? null : numberOf(revision),
  }));
}

function numberOf(revision: string): number {
  return revision === '0' ? 0 : Number(revision.slice('rev_'.length));
}

export function runConflict(conflicts: readonly UndecidedConflict[]): ApiError {
  const listed = conflicts.slice(0, runConflictsMax).map(
    ({ path, revision, reason }): RunConflict => ({
      path,
      revision: revision === 0 ? '0' : wireRevision(revision),
      reason,
    }),
  );
  return new ApiError(
    'run_conflict',
    `nothing was changed: the workspace has newer changes of ${conflicts.length} files, first ${listed[0]?.path ?? ''}; decide on each in \`decisions\``,
    { fields: { details: { conflictCount: conflicts.length, conflicts: listed } } },
  );
}
