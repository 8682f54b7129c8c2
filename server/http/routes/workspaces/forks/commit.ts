// W/forks/{forkId}/rebase and /commit.
import type { FastifyRequest } from 'fastify';
import { CommitForkBody, ForkCommitted, type ForkConflict, ForkRebased } from '../../../../contract/forks.ts';
import { ForkParams } from '../../../../contract/parameters.ts';
import { unusableFork } from '../../../../workspaces/forks.ts';
import { correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { forkConflictsMax } from '../../../base/limits.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { takeDeletes } from '../../../request/delete-quota.ts';
import { previewOf, refusalError } from '../../../request/file-writes.ts';
import { parentMoved, stagedChanged, wireConflict } from '../../../wire/forks.ts';
import { wireRevision } from '../../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/forks/:forkId';

export function registerRebase(app: App, { forks, workspaces }: HttpDependencies): void {
  app.post(
    `${url}/rebase`,
    commandRoute('fs:write', {
      operationId: 'rebaseFork',
      tag: 'Forks',
      summary: 'Rebase a fork onto the workspace',
      callers:
        'Scope: `fs:write` on every staged path, subject to access rules; the creator of the fork and the owner need any grant only.',
      points: [
        'The fork then shows the current workspace under its staged changes.',
        'Paths that both changed are listed and keep the version of the fork. Resolve one by writing or deleting it with `If-Match: <liveRevision>`. Until then a commit is refused.',
      ],
      params: ForkParams,
      answers: { 200: jsonAnswer(ForkRebased, 'The fork is rebased; lists up to 1,000 conflicts.') },
      errors: ['not_found', 'fork_expired'],
    }),
    async (request, reply) => {
      const { workspaceId, forkId } = request.params;
      const { access, actor } = callerOf(request);
      const result = await forks.rebase({ workspaceId, forkId, access, actor });
      if (result.kind !== 'rebased') throw unusableFork(result.kind);
      const conflicts: ForkConflict[] = [];
      for (const change of result.conflicts.slice(0, forkConflictsMax)) {
        const preview = await previewOf(workspaces, change.live ?? undefined);
        conflicts.push({
          ...wireConflict(change),
          ...(preview === '' ? {} : { liveContentPreview: preview }),
        });
      }
      return sendJson(reply, ForkRebased, 200, {
        parentRevision: wireRevision(result.baseRevision),
        cleanCount: result.clean,
        conflicts,
      });
    },
  );
}

export function registerCommit(app: App, dependencies: HttpDependencies): void {
  const { forks, workspaces } = dependencies;
  app.post(
    `${url}/commit`,
    commandRoute('fs:write', {
      operationId: 'commitFork',
      tag: 'Forks',
      summary: 'Commit a fork to the workspace',
      callers:
        'Scope: `fs:write` on every staged path; access rules apply as to the same writes in the workspace.',
      points: [
        'All staged changes become one change of the workspace, with its events and operations, or none does.',
        'A path that changed in the workspace since: 409 `parent_moved` lists the conflicts.',
        'The fork is deleted afterwards.',
        'Its deletions count against the delete quota of the token.',
      ],
      params: ForkParams,
      optionalBody: CommitForkBody,
      answers: { 200: jsonAnswer(ForkCommitted, 'The fork is committed.') },
      errors: [
        'not_found',
        'parent_moved',
        'staged_changed',
        'invalid_state',
        'fork_expired',
        'delete_storm_rejected',
      ],
    }),
    async (request, reply) => {
      const { workspaceId, forkId } = request.params;
      const { access, actor } = callerOf(request);
      const stagedRevision = request.body?.stagedRevision;
      await takeForkDeletes(dependencies, request, workspaceId, forkId);
      const result = await forks.commit({
        workspaceId,
        forkId,
        access,
        actor,
        correlationId: correlationIdOf(request),
        ...(stagedRevision === undefined ? {} : { seen: { stagedRevision, own: [] } }),
      });
      if (result.kind === 'unseen') throw stagedChanged();
      if (result.kind === 'conflicts') throw parentMoved(result);
      if (result.kind === 'refused') throw await refusalError(workspaces, result.refusal);
      if (result.kind !== 'committed') throw unusableFork(result.kind);
      return sendJson(reply, ForkCommitted, 200, {
        revision: wireRevision(result.revision),
        writtenCount: result.writes,
        deletedCount: result.deletes,
      });
    },
  );
}

const uncovered =
  'the delete quota of this token does not cover this commit: try again after a minute, or commit with another token';

/** Deletions of a fork count against the delete quota. */
async function takeForkDeletes(
  { forks, tokens }: HttpDependencies,
  request: FastifyRequest,
  workspaceId: string,
  forkId: string,
): Promise<void> {
  const { token } = callerOf(request);
  if (token.deletesPerMinute === null) return;
  const { deletes } = await forks.get(workspaceId, forkId, null);
  await takeDeletes(tokens, token, deletes, uncovered);
}
