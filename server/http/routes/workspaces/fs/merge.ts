// W/fs/merge: merges an edit of an older revision by lines with the current content, completely or not at all.
import type { FastifyRequest } from 'fastify';
import { MergeBody, type MergeClash, MergeResult } from '../../../../contract/merge.ts';
import { FileQueryParameters } from '../../../../contract/parameters.ts';
import { type MergeResult as MergeOutcome, mergeIntoFile } from '../../../../workspaces/merge.ts';
import { parseWritePath } from '../../../../workspaces/model.ts';
import type { WorkspaceService } from '../../../../workspaces/service.ts';
import { ApiError, correlationIdOf } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import {
  contentTypeCharactersMax,
  mergeBodyBytesMax,
  mergeConflictCharactersMax,
  mergeConflictsMax,
  mergeInputBytesMax,
} from '../../../base/limits.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { refusalError } from '../../../request/file-writes.ts';
import { wireRevision } from '../../../wire/records.ts';
import { requiredPath } from './file-request.ts';

export function registerMerge(app: App, { workspaces, compute }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/fs/merge',
    commandRoute(
      { kind: 'workspace', scope: 'fs:write', path: 'query', file: true },
      {
        operationId: 'mergeFile',
        tag: 'Files',
        summary: 'Merge an edit of an older revision',
        points: [
          '`baseRevision` must be one of the 20 newest revisions of the path, with the content `baseContent`.',
          'Lines changed on one side are taken from that side; equal changes of both sides are taken once.',
          'Overlapping or adjacent different changes: nothing is written, and 409 `merge_conflict` lists them.',
          'Each input has at most 512 KiB.',
        ],
        query: FileQueryParameters,
        body: MergeBody,
        answers: { 200: jsonAnswer(MergeResult, 'Merged and written durably.') },
        errors: [
          'not_found',
          'revision_conflict',
          'merge_conflict',
          'merge_base_unavailable',
          'merge_ineligible',
          'rate_limited',
        ],
        bodyBytesMax: mergeBodyBytesMax,
      },
    ),
    async (request, reply) => {
      const { body, params } = request;
      const path = writtenPath(request);
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

function writtenPath(request: FastifyRequest): string {
  const parsed = parseWritePath(requiredPath(request));
  if (!parsed.ok) throw new ApiError('bad_request', parsed.reason);
  return parsed.path;
}

/** Rejects requests that cannot be merged with any content. */
function refuseUnfit({ strategy, content, baseContent, contentType }: MergeBody): void {
  if (!content.isWellFormed() || !baseContent.isWellFormed()) {
    throw new ApiError('bad_request', 'invalid input: content contains an unpaired surrogate');
  }
  if (
    contentType !== undefined &&
    (contentType.length > contentTypeCharactersMax || !contentType.isWellFormed())
  )
    throw new ApiError(
      'bad_request',
      `contentType is not well-formed or has more than ${contentTypeCharactersMax} characters`,
    );
  for (const [name, text] of [
    ['content', content],
    ['baseContent', baseContent],
  ] as const) {
    if (Buffer.byteLength(text) > mergeInputBytesMax) {
      throw new ApiError(
        'payload_too_large',
        `${name} has more than ${mergeInputBytesMax} bytes: merge it locally`,
      );
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
      return new ApiError('not_found', 'no file at this path');
    case 'forbidden':
      return new ApiError('forbidden', 'access denied by ACL');
    case 'base_unavailable':
      return new ApiError(
        'merge_base_unavailable',
        'the base is not one of the newest revisions of this path: read the file again and merge locally',
      );
    case 'ineligible':
      return ineligible(result.reason);
    case 'clashes':
      return new ApiError(
        'merge_conflict',
        'both sides changed the same lines: resolve the conflicts and write the file',
        {
          fields: {
            currentRevision: wireRevision(result.currentRevision),
            conflicts: result.clashes.slice(0, mergeConflictsMax).map(
              ({ unit, base, mine, theirs }): MergeClash => ({
                unit,
                reason: 'both sides changed these lines differently',
                base: excerpt(base),
                mine: excerpt(mine),
                theirs: excerpt(theirs),
              }),
            ),
          },
        },
      );
    case 'refused':
      // The reference has no `revision_conflict` for a merge.
      return result.refusal.earlier === undefined
        ? await refusalError(workspaces, result.refusal)
        : ineligible('content_identity_reused', result.refusal.message);
  }
}

function ineligible(reason: string, message = 'the file cannot be merged: see reason'): ApiError {
  return new ApiError('merge_ineligible', message, { fields: { reason } });
}

function excerpt(text: string): string {
  // The cut must not split a surrogate pair.
  return text.slice(0, mergeConflictCharactersMax).replace(/[\ud800-\udbff]$/, '');
}
