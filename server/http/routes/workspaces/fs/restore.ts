// POST W/fs/restore: restores a file or a directory to a retained state, or reverts one batch.
import { requireScope } from '../../../../auth/scopes.ts';
import type { ErrorCode } from '../../../../contract/errors.ts';
import { RestoreBody, Restored } from '../../../../contract/history.ts';
import { normalizeReadPath, type RestoreResult, type RestoreTarget } from '../../../../workspaces/model.ts';
import type { Caller } from '../../../base/access.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { takeDeletes } from '../../../request/delete-quota.ts';
import { batchNumber, pointInTimeMs, restored, revisionNumber } from '../../../wire/history.ts';
import { requireVisible } from './history.ts';

type Refused = Extract<RestoreResult, { ok: false }>;

const refusalCodes: Readonly<Record<Refused['code'], ErrorCode>> = {
  not_found: 'not_found',
  not_kept: 'not_found',
  forbidden: 'forbidden',
  workspace_not_found: 'workspace_not_found',
  invalid_path: 'bad_request',
  changed: 'invalid_state',
  too_many: 'invalid_state',
  revision_conflict: 'invalid_state',
  invalid_content: 'invalid_state',
  path_conflict: 'invalid_state',
  not_applied: 'invalid_state',
};

const uncovered =
  'the delete quota of this token does not cover this restore: try again after a minute, or use another token';

export function registerRestore(app: App, { workspaces, tokens }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/fs/restore',
    commandRoute('fs:write', {
      operationId: 'restoreFiles',
      tag: 'History',
      summary: 'Restore a past state',
      callers: 'Scopes: `fs:read` and `fs:write` on `path`.',
      points: [
        'Exactly one of `revision`, `at` and `batch`.',
        'One atomic change with its own revisions, events and operations: files get their past content and metadata, files that did not exist are deleted, equal files do not change. Revert the `batch` of the response to undo it.',
        'Files hidden from the token by access rules, then or now, do not change.',
        'A state that is no longer retained: `not_found`. Files of a batch that changed since: `invalid_state`, listed in `details.paths`.',
      ],
      body: RestoreBody,
      answers: {
        200: jsonAnswer(Restored, 'The plan of a dry run.'),
        202: jsonAnswer(Restored, 'Restored and durable.'),
      },
      errors: ['not_found', 'invalid_state', 'delete_storm_rejected'],
    }),
    async (request, reply) => {
      const { body } = request;
      const { workspaceId } = request.params;
      const caller = callerOf(request);
      const target = targetOf(body);
      requireScopes(caller, target);
      await requireVisible(workspaces, workspaceId, target.path, caller.access);
      const correlationId = correlationIdOf(request);
      const run = async (dryRun: boolean) => {
        const result = await workspaces.restoreFiles({
          workspaceId,
          target,
          dryRun,
          actor: caller.actor,
          access: caller.access,
          correlationId,
        });
        if (!result.ok) throw refusedRestore(result);
        return result;
      };
      const dryRun = body.dryRun === true;
      // Deletions of a restore count against the delete quota, before the restore runs.
      if (!dryRun && caller.token.deletesPerMinute !== null) {
        const { deleted } = await run(true);
        await takeDeletes(tokens, caller.token, deleted, uncovered);
      }
      const result = await run(dryRun);
      return sendJson(reply, Restored, dryRun ? 200 : 202, restored(result, dryRun, correlationId));
    },
  );
}

function targetOf(body: RestoreBody): RestoreTarget {
  const { revision, at, batch, ifChanged = 'refuse' } = body;
  const path = normalizeReadPath(body.path ?? '');
  if ([revision, at, batch].filter((given) => given !== undefined).length !== 1) {
    throw new ApiError('bad_request', 'give exactly one of revision, at and batch');
  }
  if (batch !== undefined) return { kind: 'batch', path, batch: batchNumber(batch), ifChanged };
  if (revision !== undefined)
    return { kind: 'revision', path, revision: revisionNumber(revision, 'revision') };
  return { kind: 'instant', path, atMs: pointInTimeMs(at ?? '') };
}

/** Each file of a batch is checked separately: a token can only revert files within its scopes. */
function requireScopes({ token }: Caller, target: RestoreTarget): void {
  if (token.owner) return;
  const path = target.kind === 'batch' && target.path === '/' ? null : target.path;
  for (const scope of ['fs:read', 'fs:write'] as const) {
    const decision = requireScope(token.scopes, scope, path);
    if (!decision.ok) throw new ApiError('forbidden', decision.message);
  }
}

export function refusedRestore({ code, message, paths }: Refused): ApiError {
  return new ApiError(refusalCodes[code], message, {
    fields: paths.length === 0 ? {} : { details: { paths } },
  });
}
