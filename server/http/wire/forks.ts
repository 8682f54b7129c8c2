// Converts forks to JSON, and builds the refusal of a conflicting commit.
import type { Fork, ForkChange, ForkConflict, ForkHandle } from '../../contract/forks.ts';
import type { CommitForkResult, ForkRow, StagedChange, VisibleFork } from '../../workspaces/forks.ts';
import { ApiError } from '../base/api-error.ts';
import { forkConflictsMax } from '../base/limits.ts';
import { revisionName, wireRevision, wireTime } from './records.ts';

export function forkHandle({
  forkId,
  proposalId,
  workspaceId,
  expiresAtMs,
  baseRevision,
}: ForkRow): ForkHandle {
  return {
    forkId,
    proposalId,
    workspaceId,
    expiresAt: wireTime(expiresAtMs),
    parentRevision: wireRevision(baseRevision),
  };
}

export function wireFork(row: VisibleFork): Fork {
  return {
    ...forkHandle(row),
    createdBy: row.createdBy,
    createdAt: wireTime(row.createdAtMs),
    writtenCount: row.writes,
    deletedCount: row.deletes,
    bytes: row.bytes,
  };
}

export function wireConflict({ path, kind, live }: StagedChange): ForkConflict {
  return {
    path,
    forkType: kind,
    liveExists: live !== null,
    liveRevision: live === null ? '0' : revisionName(live),
  };
}

export function wireChange(change: StagedChange): ForkChange {
  const { file, baseRevision, conflicts } = change;
  return {
    ...wireConflict(change),
    conflicts,
    madeOn: baseRevision === 0 ? null : wireRevision(baseRevision),
    ...(file === null
      ? {}
      : {
          revision: revisionName(file),
          contentHash: file.hash,
          size: file.sizeBytes,
          contentType: file.contentType,
        }),
  };
}

/** Nothing is committed. */
export function stagedChanged(): ApiError {
  return new ApiError(
    'staged_changed',
    'nothing was committed: other changes were staged after those that you read; read the staged changes again, then commit with their stagedRevision',
  );
}

export function parentMoved({
  revision,
  conflicts,
}: Extract<CommitForkResult, { kind: 'conflicts' }>): ApiError {
  const named = conflicts.slice(0, forkConflictsMax);
  return new ApiError(
    'parent_moved',
    `nothing was committed: the workspace changed ${conflicts.length} paths of the fork, first ${named[0]?.path ?? ''}; rebase the fork and resolve them`,
    {
      fields: {
        currentRevision: wireRevision(revision),
        details: { conflictCount: conflicts.length, conflicts: named.map(wireConflict) },
      },
    },
  );
}
