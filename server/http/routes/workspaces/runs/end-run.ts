// W/runs/{runId}/commit and /undo.

import { RunParams } from '../../../../contract/parameters.ts';
import { CommitRunBody, RunCommitted, RunUndone, UndoRunBody } from '../../../../contract/runs.ts';
import type { UndoRunResult } from '../../../../runs/service.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { runPathsMax } from '../../../base/limits.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { takeDeletes } from '../../../request/delete-quota.ts';
import { refusalError } from '../../../request/file-writes.ts';
import { runCaller } from '../../../request/run-caller.ts';
import { whileConnected } from '../../../request/while-connected.ts';
import { stagedChanged } from '../../../wire/forks.ts';
import { restored } from '../../../wire/history.ts';
import { wireRevision } from '../../../wire/records.ts';
import { decisionsOf, runConflict, wireRun } from '../../../wire/runs.ts';
import { refusedRestore } from '../fs/restore.ts';

const url = '/v1/workspaces/:workspaceId/runs/:runId';
const uncovered = (what: string) =>
  `the delete quota of this token does not cover this ${what}: try again after a minute, or use another token`;

export function registerCommitRun(app: App, dependencies: HttpDependencies): void {
  const { runs, runFolders, workspaces, tokens } = dependencies;
  app.post(
    `${url}/commit`,
    commandRoute('fs:write', {
      operationId: 'commitRun',
      tag: 'Runs',
      summary: 'Commit a run, wholly or in part',
      callers:
        'Scope: `fs:write` on every committed path; access rules apply as to the same writes in the workspace.',
      points: [
        'The staged changes, or those that `paths` match, become one change of the workspace, or none does.',
        'Texts that the workspace changed meanwhile are merged by lines. What cannot be merged: 409 `run_conflict` lists it, and nothing is changed. Send `decisions` for each.',
        'What was changed in the folder of the run just now is synced first. The folder in the data directory is deleted after the commit, or with `keepFolder` 7 days after it.',
        'A run whose changes are all committed ends; after a commit in part it stays open with the others.',
        'With `stagedRevision`, only what the caller has read is committed: 409 `staged_changed` if there are other changes, in the folder of the run too.',
        'Its deletions count against the delete quota of the token.',
      ],
      params: RunParams,
      optionalBody: CommitRunBody,
      answers: { 200: jsonAnswer(RunCommitted, 'The changes are committed.') },
      errors: [
        'not_found',
        'run_conflict',
        'staged_changed',
        'invalid_state',
        'fork_expired',
        'delete_storm_rejected',
      ],
    }),
    async (request, reply) => {
      const { workspaceId, runId } = request.params;
      const { paths = [], decisions, keepFolder = false, stagedRevision = null } = request.body ?? {};
      const caller = runCaller(request);
      const { token } = callerOf(request);
      await runs.get(workspaceId, runId, caller);
      const folder = await runFolders.beforeCommit(workspaceId, runId, {
        keepsFolder: keepFolder,
        signal: whileConnected(reply),
      });
      if (token.deletesPerMinute !== null) {
        await takeDeletes(
          tokens,
          token,
          await runs.deletions(workspaceId, runId, paths),
          uncovered('commit'),
        );
      }
      const result = await runs.commit(workspaceId, runId, caller, {
        globs: paths,
        decisions: decisionsOf(decisions),
        stagedRevision,
      });
      if (result.kind === 'unseen') throw stagedChanged();
      if (result.kind === 'nothing')
        throw new ApiError(
          'bad_request',
          'no staged change has a path that `paths` match: see the changes of the run',
        );
      if (result.kind === 'conflicts') throw runConflict(result.conflicts);
      if (result.kind === 'refused') throw await refusalError(workspaces, result.refusal);
      void folder
        .end()
        .catch((error: unknown) =>
          request.log.warn({ err: error, runId }, 'the folder of a committed run is still there'),
        );
      return sendJson(reply, RunCommitted, 200, {
        run: wireRun(await runs.current(workspaceId, runId, caller.access)),
        revision: wireRevision(result.revision),
        writtenCount: result.writes,
        deletedCount: result.deletes,
        mergedPaths: result.merged.slice(0, runPathsMax),
        folderUnsynced: !folder.isSynced,
      });
    },
  );
}

export function registerUndoRun(app: App, dependencies: HttpDependencies): void {
  const { runs, tokens } = dependencies;
  app.post(
    `${url}/undo`,
    commandRoute('fs:write', {
      operationId: 'undoRun',
      tag: 'Runs',
      summary: 'Undo a committed run',
      callers: 'Scopes: `fs:read` and `fs:write` on every committed path, subject to access rules.',
      points: [
        'All commits of the run are reverted as one change, with its own revisions, events and operations, or nothing is.',
        'Texts that were changed since are merged by lines. What cannot be merged: 409 `run_conflict` lists it, and nothing is changed. Send `decisions` for each.',
        'Possible as long as the history contains what was there before.',
        'Its deletions count against the delete quota of the token.',
      ],
      params: RunParams,
      optionalBody: UndoRunBody,
      answers: { 200: jsonAnswer(RunUndone, 'The run is undone, or the plan of a dry run.') },
      errors: ['not_found', 'run_conflict', 'invalid_state', 'delete_storm_rejected'],
    }),
    async (request, reply) => {
      const { workspaceId, runId } = request.params;
      const { dryRun = false, decisions } = request.body ?? {};
      const caller = runCaller(request);
      const { token } = callerOf(request);
      const undo = async (isDry: boolean) =>
        done(
          await runs.undo(workspaceId, runId, caller, { dryRun: isDry, decisions: decisionsOf(decisions) }),
        );
      if (!dryRun && token.deletesPerMinute !== null)
        await takeDeletes(tokens, token, (await undo(true)).restored.deleted, uncovered('undo'));
      const { restored: result, merged } = await undo(dryRun);
      const { batch } = restored(result, dryRun, correlationIdOf(request));
      return sendJson(reply, RunUndone, 200, {
        run: wireRun(await runs.current(workspaceId, runId, caller.access)),
        dryRun,
        batch: batch ?? null,
        createdCount: result.created,
        updatedCount: result.updated,
        deletedCount: result.deleted,
        mergedPaths: merged.slice(0, runPathsMax),
        keptPaths: [...result.kept],
      });
    },
  );
}

function done(result: UndoRunResult): Extract<UndoRunResult, { kind: 'undone' }> {
  if (result.kind === 'conflicts') throw runConflict(result.conflicts);
  if (result.kind === 'refused') throw refusedRestore(result.refusal);
  return result;
}
