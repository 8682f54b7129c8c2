// PUT and DELETE W/fs/file: writes or deletes one file, with the required precondition.
import { requireScope } from '../../../../auth/scopes.ts';
import { WriteFileBody, WriteQueued } from '../../../../contract/files.ts';
import {
  DeleteFileQueryParameters,
  IfMatchHeaders,
  WriteFileQueryParameters,
} from '../../../../contract/parameters.ts';
import { normalizeReadPath } from '../../../../workspaces/model.ts';
import { ApiError, refusingAs } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { isStream } from '../../../plugins/bodies.ts';
import { changeFile } from '../../../request/change-files.ts';
import { deleteQuotaExceeded } from '../../../request/delete-quota.ts';
import { toWriteChange, UnwritableError } from '../../../request/file-writes.ts';
import { filesOf, forkErrors, isForked } from '../../../request/fork-access.ts';
import { requiredPath, requiredPrecondition, writtenPath } from './file-request.ts';
import { createRawWriter } from './raw-file.ts';

const url = '/v1/workspaces/:workspaceId/fs/file';

export function registerWrite(app: App, dependencies: HttpDependencies): void {
  const { workspaces, config } = dependencies;
  const writeRaw = createRawWriter(dependencies, app.senderWatch);
  app.put(
    url,
    commandRoute(
      { kind: 'workspace', scope: 'fs:write', path: 'query', file: true },
      {
        operationId: 'writeFile',
        tag: 'Files',
        summary: 'Create or update one file',
        callers: 'Scope: `fs:write` on the path.',
        points: [
          'Durable once it is answered.',
          '`If-Match` is required: without it 412. A revision that is not current: 409 with both revisions and the start of the current content.',
          'Identical content is a write: it makes a new revision.',
          'Metadata in the request replaces the existing metadata; without it, the existing metadata remains. Property values that are not strings are stored as JSON text.',
          'A path has at most 4,096 bytes, 100 segments and 255 bytes per segment; no segment is empty, `.` or `..`.',
          'A body of type `application/octet-stream` is the content itself and is streamed to the disk. Then `path` is required in the query, `contentType` and a content identity are optional there, and the metadata remains.',
        ],
        query: WriteFileQueryParameters,
        body: WriteFileBody,
        headers: IfMatchHeaders,
        answers: { 202: jsonAnswer(WriteQueued, 'Written; the operation for the provider is queued.') },
        errors: [...forkErrors, 'revision_conflict', 'invalid_state', 'precondition_failed', 'rate_limited'],
        config: { streamedBody: true, longMember: 'content', forks: true },
        bodyBytesMax: config.maxBodyBytes,
      },
    ),
    async (request, reply) => {
      const precondition = requiredPrecondition(request);
      const caller = callerOf(request);
      const { body, params } = request;
      if (isStream(body)) {
        const queued = await writeRaw(request, params.workspaceId, body, precondition);
        return sendJson(reply, WriteQueued, 202, queued);
      }
      const path = writtenPath(request, body.path);
      if (!caller.token.owner) {
        const decision = requireScope(caller.token.scopes, 'fs:write', normalizeReadPath(path));
        if (!decision.ok) throw new ApiError('forbidden', decision.message);
      }
      const change = await toWriteChange(workspaces, { ...body, path, precondition }).catch(
        refusingAs([UnwritableError, 'bad_request']),
      );
      const files = await filesOf(dependencies, request, params.workspaceId);
      const queued = await changeFile(request, workspaces, files, params.workspaceId, change);
      return sendJson(reply, WriteQueued, 202, queued);
    },
  );
}

export function registerDelete(app: App, dependencies: HttpDependencies): void {
  const { workspaces, tokens } = dependencies;
  app.delete(
    url,
    commandRoute(
      { kind: 'workspace', scope: 'fs:write', path: 'query', file: true },
      {
        operationId: 'deleteFile',
        tag: 'Files',
        summary: 'Delete one file',
        points: [
          '`If-Match` is required: `*` deletes any revision, a revision deletes only that one.',
          'The content remains in the history of the path.',
          'The deletion counts against the delete quota of the token, if it has one.',
        ],
        query: DeleteFileQueryParameters,
        headers: IfMatchHeaders,
        answers: {
          202: jsonAnswer(WriteQueued, 'Deleted; `targetRevision` is the revision of the deletion.'),
        },
        errors: [...forkErrors, 'revision_conflict', 'precondition_failed', 'delete_storm_rejected'],
        config: { forks: true },
      },
    ),
    async (request, reply) => {
      const path = requiredPath(request);
      const precondition = requiredPrecondition(request);
      const caller = callerOf(request);
      // Deletions in a fork count when it is committed.
      if (!isForked(request) && !(await tokens.takeDeletes(caller.token, 1))) {
        throw deleteQuotaExceeded(
          'the delete quota of this token is used up for this minute: try again after a minute',
        );
      }
      const { workspaceId } = request.params;
      const files = await filesOf(dependencies, request, workspaceId);
      const change = { kind: 'delete_file', path, precondition } as const;
      const queued = await changeFile(request, workspaces, files, workspaceId, change);
      return sendJson(reply, WriteQueued, 202, queued);
    },
  );
}
