// W/forks/{forkId}/rebase and /commit: where a fork meets what others have done meanwhile.
import type { FastifyRequest } from 'fastify';
import { ForkCommitted, type ForkConflict, ForkRebased } from '../../../../contract/forks.ts';
import { CorrelationHeaders, ForkParams } from '../../../../contract/parameters.ts';
import { unusableFork } from '../../../../workspaces/forks.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandBodyBytesMax, deleteQuotaRetryAfterSeconds, forkConflictsMax } from '../../../base/limits.ts';
import {
  type App,
  bearer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { previewOf, refusalError } from '../../../request/file-writes.ts';
import { parentMoved, wireConflict } from '../../../wire/forks.ts';
import { wireRevision } from '../../../wire/records.ts';

const url = '/v1/workspaces/:workspaceId/forks/:forkId';
const mayWrite = { kind: 'workspace', scope: 'fs:write', path: 'none' } as const;

export function registerRebase(app: App, { forks, workspaces }: HttpDependencies): void {
  app.post(
    `${url}/rebase`,
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: mayWrite },
      schema: {
        operationId: 'rebaseFork',
        tags: ['Forks'],
        summary: 'Bring a fork up to date',
        description:
          'Scope: `fs:write` on every path that it has staged, where access rules show them; its creator and the owner need any grant only. From now on the fork shows the workspace as it stands now, under its own changes. Paths that both have changed are answered and stay as the fork has them; writing or deleting one with `If-Match: <liveRevision>` settles it. Until then a commit is refused.',
        security: bearer,
        params: ForkParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(ForkRebased, 'It is up to date; the conflicts, if any, at most 1,000.'),
          ...errorAnswers([...workspaceErrors, 'not_found', 'fork_expired', 'payload_too_large']),
        },
      },
    },
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
    {
      bodyLimit: commandBodyBytesMax,
      config: { access: mayWrite },
      schema: {
        operationId: 'commitFork',
        tags: ['Forks'],
        summary: 'Make a fork part of the workspace',
        description:
          'Scope: `fs:write` on every path that it has staged; access rules hold as for the same writes made live. All of it is one change of the workspace, with the events and operations that the writes would have made, or nothing is done: a path that somebody else has changed since is a 409 `parent_moved` that lists them. The fork is gone afterwards. Its deletions count against the token’s quota.',
        security: bearer,
        params: ForkParams,
        headers: CorrelationHeaders,
        response: {
          200: jsonAnswer(ForkCommitted, 'It is part of the workspace.'),
          ...errorAnswers([
            ...workspaceErrors,
            'not_found',
            'parent_moved',
            'invalid_state',
            'fork_expired',
            'payload_too_large',
            'delete_storm_rejected',
          ]),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId, forkId } = request.params;
      const { access, actor } = callerOf(request);
      await takeDeletes(dependencies, request, workspaceId, forkId);
      const result = await forks.commit({
        workspaceId,
        forkId,
        access,
        actor,
        correlationId: correlationIdOf(request),
      });
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

/** A fork is no way around the brake on deletions. */
async function takeDeletes(
  { forks, tokens }: HttpDependencies,
  request: FastifyRequest,
  workspaceId: string,
  forkId: string,
): Promise<void> {
  const { token } = callerOf(request);
  if (token.deletesPerMinute === null) return;
  const { deletes } = await forks.get(workspaceId, forkId, null);
  for (let index = 0; index < deletes; index += 1) {
    if (tokens.takeDelete(token)) continue;
    throw new ApiError('delete_storm_rejected', 'the delete quota of this token does not cover this commit', {
      retryAfterSeconds: deleteQuotaRetryAfterSeconds,
    });
  }
}
