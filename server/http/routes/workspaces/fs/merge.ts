// W/fs/merge: an edit of an older revision, merged by lines with what stands there now. All of it or nothing.
import { MergeBody, type MergeClash, MergeResult } from '../../../../contract/merge.ts';
import { CorrelationHeaders, FileQueryParameters, WorkspaceParams } from '../../../../contract/parameters.ts';
import { type MergeResult as MergeOutcome, mergeIntoFile } from '../../../../workspaces/merge.ts';
import { normalizeReadPath, parseWritePath } from '../../../../workspaces/model.ts';
import type { WorkspaceService } from '../../../../workspaces/service.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import {
  contentTypeCharactersMax,
  mergeBodyBytesMax,
  mergeClashCharactersMax,
  mergeClashesMax,
  mergeInputBytesMax,
} from '../../../base/limits.ts';
import {
  type App,
  bearer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { refusalError } from '../../../request/file-writes.ts';
import { wireRevision } from '../../../wire/records.ts';

export function registerMerge(app: App, { workspaces, compute }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/fs/merge',
    {
      bodyLimit: mergeBodyBytesMax,
      config: { access: { kind: 'workspace', scope: 'fs:write', path: 'query', file: true } },
      schema: {
        operationId: 'mergeFile',
        tags: ['Files'],
        summary: 'Merge an edit of an older revision',
        description:
          'Scope: `fs:write` on `path`. `baseRevision` must be one of the 20 newest revisions of the path and hold `baseContent`. Lines that only one side changed are taken, lines that both changed alike are taken once; where they differ, or touch, nothing is written and 409 `merge_conflict` lists them. Each input has at most 512 KiB.',
        security: bearer,
        params: WorkspaceParams,
        headers: CorrelationHeaders,
        querystring: FileQueryParameters,
        body: MergeBody,
        response: {
          200: jsonAnswer(MergeResult, 'Merged and written; durable once it is answered.'),
          ...errorAnswers([
            ...workspaceErrors,
            'not_found',
            'revision_conflict',
            'merge_conflict',
            'merge_base_unavailable',
            'payload_too_large',
            'merge_ineligible',
            'rate_limited',
            'unavailable',
          ]),
        },
      },
    },
    async (request, reply) => {
      const { body, params } = request;
      const path = writtenPath(queryOf(request).text('path'));
      const caller = callerOf(request);
      refuseUnfit(body);
      const result = await mergeIntoFile(
        { workspaces, compute },
        { ...body, workspaceId: params.workspaceId, path },
        { actor: caller.actor, access: caller.access, correlationId: correlationIdOf(request) },
      );
      if (result.kind !== 'merged') throw await mergeError(workspaces, result);
      return sendJson(reply, MergeResult, 200, {
        targetRevision: wireRevision(result.applied.revision),
        strategy: body.strategy,
        baseRevision: body.baseRevision,
        mergedAgainstRevision: wireRevision(result.againstRevision),
      });
    },
  );
}

function writtenPath(asked: string | undefined): string {
  if (asked === undefined) throw new ApiError('bad_request', 'missing path query');
  const parsed = parseWritePath(normalizeReadPath(asked));
  if (!parsed.ok) throw new ApiError('bad_request', parsed.reason);
  return parsed.path;
}

/** What cannot be merged whatever stands there. */
function refuseUnfit({ strategy, content, baseContent, contentType }: MergeBody): void {
  if (!content.isWellFormed() || !baseContent.isWellFormed()) {
    throw new ApiError('bad_request', 'invalid input: content holds an unpaired surrogate');
  }
  if (
    contentType !== undefined &&
    (contentType.length > contentTypeCharactersMax || !contentType.isWellFormed())
  )
    throw new ApiError('bad_request', 'contentType is too long or no text');
  for (const [name, text] of [
    ['content', content],
    ['baseContent', baseContent],
  ] as const) {
    if (Buffer.byteLength(text) > mergeInputBytesMax) {
      throw new ApiError('payload_too_large', `${name} is larger than ${mergeInputBytesMax} bytes`);
    }
  }
  if (strategy !== 'three-way-lines-v1') throw ineligible('unsupported_strategy');
}

async function mergeError(
  workspaces: WorkspaceService,
  result: Exclude<MergeOutcome, { kind: 'merged' }>,
): Promise<ApiError> {
  switch (result.kind) {
    case 'not_found':
      return new ApiError('not_found', 'there is no file at this path');
    case 'forbidden':
      return new ApiError('forbidden', 'access denied by ACL');
    case 'base_unavailable':
      return new ApiError('merge_base_unavailable', 'the base is none of the newest revisions of this path');
    case 'ineligible':
      return ineligible(result.reason);
    case 'clashes':
      return new ApiError('merge_conflict', 'both sides changed the same lines', {
        fields: {
          currentRevision: wireRevision(result.currentRevision),
          conflicts: result.clashes.slice(0, mergeClashesMax).map(
            ({ unit, base, mine, theirs }): MergeClash => ({
              unit,
              reason: 'both sides changed it differently',
              base: shown(base),
              mine: shown(mine),
              theirs: shown(theirs),
            }),
          ),
        },
      });
    case 'refused':
      // The reference knows no `revision_conflict` of a merge.
      return result.refusal.earlier === undefined
        ? await refusalError(workspaces, result.refusal)
        : ineligible('content_identity_reused', result.refusal.message);
  }
}

function ineligible(reason: string, message = 'this cannot be merged'): ApiError {
  return new ApiError('merge_ineligible', message, { fields: { reason } });
}

function shown(text: string): string {
  // A cut must not leave half of a surrogate pair.
  return text.slice(0, mergeClashCharactersMax).replace(/[\ud800-\udbff]$/, '');
}
