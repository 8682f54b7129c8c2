// W/fs/file: one file, read, written and deleted. Writing and deleting always say against which revision.
import type { FastifyRequest } from 'fastify';
import { requireScope } from '../../../../auth/scopes.ts';
import { type FileRecord, WriteFileBody, WriteQueued } from '../../../../contract/files.ts';
import {
  DeleteFileQueryParameters,
  IfMatchHeaders,
  ReadFileHeaders,
  ReadFileQueryParameters,
  WorkspaceParams,
  WriteFileQueryParameters,
} from '../../../../contract/parameters.ts';
import { fileRecord } from '../../../../workspaces/file-record.ts';
import { pastEntry } from '../../../../workspaces/history.ts';
import { type FileEntry, normalizeReadPath, type Precondition } from '../../../../workspaces/model.ts';
import type { HttpDependencies } from '../../../dependencies.ts';
import { filesOf, forkErrors, isForked } from '../../../forks.ts';
import { revisionNumber } from '../../../history-wire.ts';
import { deleteQuotaRetryAfterSeconds } from '../../../limits.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { isStream } from '../../../plugins/bodies.ts';
import { ApiError, correlationIdOf } from '../../../plugins/errors.ts';
import { rawType, sendRaw, wantsRaw } from '../../../raw-content.ts';
import {
  type Answer,
  type App,
  bearer,
  emptyAnswer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../routing.ts';
import { revisionName } from '../../../wire.ts';
import {
  preconditionOf,
  refusalError,
  stripEtag,
  toWriteChange,
  UnwritableError,
  writeQueued,
} from '../../../writing.ts';

import { requiredRevision } from './history.ts';
import { createRawWriter } from './raw-file.ts';

const url = '/v1/workspaces/:workspaceId/fs/file';
const readAccess = { kind: 'workspace', scope: 'fs:read', path: 'query', file: true } as const;
const etag = { etag: { type: 'string', description: 'The revision, bare.' } } as const;

const rawHeaders = {
  'repr-digest': {
    type: 'string',
    description: 'RFC 9530: SHA-256 of the whole content, whatever part is sent.',
  },
  'accept-ranges': { type: 'string', description: '`bytes`' },
} as const;
const rawBytes = { schema: { type: 'string', format: 'binary' } } as const;
const fileAnswer: Answer = {
  description: 'The file.',
  content: { 'application/json': { schema: { $ref: 'File#' } }, [rawType]: rawBytes },
  headers: { ...etag, ...rawHeaders },
};
const partAnswer: Answer = {
  description: 'The part of the bytes that was asked for.',
  content: { [rawType]: rawBytes },
  headers: {
    ...etag,
    ...rawHeaders,
    'content-range': { type: 'string', description: '`bytes <first>-<last>/<size>`' },
  },
};

export function registerFile(app: App, dependencies: HttpDependencies): void {
  registerRead(app, dependencies);
  registerHead(app, dependencies);
  registerWrite(app, dependencies);
  registerDelete(app, dependencies);
}

function registerRead(app: App, dependencies: HttpDependencies): void {
  const { workspaces } = dependencies;
  app.get(
    url,
    {
      config: { access: readAccess, forks: true },
      schema: {
        operationId: 'readFile',
        tags: ['Files'],
        summary: 'Read one file',
        description:
          'Scope: `fs:read` on `path`. The content comes as text, or as base64 when the file was written so or holds bytes that are no text; as its bare bytes, also a part of them, where `Accept` names `application/octet-stream`. `If-None-Match` with the current revision (quotes and `W/` are ignored, lists and `*` understood) answers 304. `revision` reads a kept one instead, under the access rules of its time and today’s.',
        security: bearer,
        params: WorkspaceParams,
        headers: ReadFileHeaders,
        querystring: ReadFileQueryParameters,
        response: {
          200: fileAnswer,
          206: partAnswer,
          304: emptyAnswer('The caller has this revision already.', etag),
          ...errorAnswers([...workspaceErrors, ...forkErrors, 'range_not_satisfiable']),
        },
      },
    },
    async (request, reply) => {
      const found = await readEntry(dependencies, request, request.params.workspaceId);
      reply.header('etag', revisionName(found)).header('vary', 'accept');
      if (isKnown(request, found)) return reply.code(304).send();
      if (wantsRaw(request)) return await sendRaw(workspaces, request, reply, found);
      const bytes = await workspaces.readContent(found.hash);
      if (bytes === null) throw contentGone(found);
      return sendJson<FileRecord>(reply, 200, fileRecord(found, bytes));
    },
  );
}

function registerHead(app: App, dependencies: HttpDependencies): void {
  app.head(
    url,
    {
      config: { access: readAccess, forks: true },
      schema: {
        operationId: 'headFile',
        tags: ['Files'],
        summary: 'Look at one file without reading it',
        description:
          'Scope: `fs:read` on `path`. The headers of a read: `ETag`, and where `Accept` names `application/octet-stream` also length and digest.',
        security: bearer,
        params: WorkspaceParams,
        headers: ReadFileHeaders,
        querystring: ReadFileQueryParameters,
        response: {
          200: emptyAnswer('The file is there.', { ...etag, ...rawHeaders }),
          304: emptyAnswer('The caller has this revision already.', etag),
          ...errorAnswers([...workspaceErrors, ...forkErrors]),
        },
      },
    },
    async (request, reply) => {
      const found = await readEntry(dependencies, request, request.params.workspaceId);
      reply.header('etag', revisionName(found)).header('vary', 'accept');
      if (isKnown(request, found)) return reply.code(304).send();
      if (wantsRaw(request)) return await sendRaw(dependencies.workspaces, request, reply, found);
      return reply.code(200).header('content-type', 'application/json').send();
    },
  );
}

/** The file, or the kept revision of it that the query names. */
async function readEntry(
  dependencies: HttpDependencies,
  request: FastifyRequest,
  workspaceId: string,
): Promise<FileEntry> {
  const path = requiredPath(request);
  const { access } = callerOf(request);
  const files = await filesOf(dependencies, request, workspaceId);
  const { entry, allowed } = await files.getFile(workspaceId, path, access);
  // The root is no file, and no rule can be about it.
  if (!allowed && path !== '/') throw new ApiError('forbidden', 'access denied by ACL');
  const asked = queryOf(request).text('revision');
  if (asked !== undefined && queryOf(request).first('forkId') !== undefined) {
    throw new ApiError('bad_request', 'a fork keeps no earlier revisions: give revision or forkId');
  }
  const found =
    asked === undefined
      ? entry
      : pastEntry(
          await requiredRevision(
            dependencies.history,
            workspaceId,
            path,
            revisionNumber(asked, 'revision'),
            access,
          ),
        );
  if (found === null) throw fileNotFound(asked);
  return found;
}

function isKnown(request: FastifyRequest, entry: FileEntry): boolean {
  const known = request.headers['if-none-match'];
  return known !== undefined && namesRevision(known, revisionName(entry));
}

function registerWrite(app: App, dependencies: HttpDependencies): void {
  const { workspaces, config } = dependencies;
  const writeRaw = createRawWriter(dependencies);
  app.put(
    url,
    {
      bodyLimit: config.maxBodyBytes,
      config: {
        access: { kind: 'workspace', scope: 'fs:write', path: 'query', file: true },
        streamedBody: true,
        forks: true,
      },
      schema: {
        operationId: 'writeFile',
        tags: ['Files'],
        summary: 'Create or update one file',
        description:
          'Scope: `fs:write` on the path. Durable once it is answered. `If-Match` is required: without it 412, with a revision that is not the current one 409 with both revisions and the beginning of the current content. Identical content is still a write. Metadata replaces the old when any is given and is kept otherwise; property values that are no strings are stored as JSON text. A path has at most 4,096 bytes, 100 segments and 255 bytes a segment, and none of them is empty, `.` or `..`. A body of the type `application/octet-stream` is the content itself, streamed to the disk: `path` then stands in the query, `contentType` may, and metadata is kept.',
        security: bearer,
        params: WorkspaceParams,
        headers: IfMatchHeaders,
        querystring: WriteFileQueryParameters,
        body: WriteFileBody,
        response: {
          202: jsonAnswer(WriteQueued, 'Written; the operation towards the provider is queued.'),
          ...errorAnswers([
            ...workspaceErrors,
            ...forkErrors,
            'revision_conflict',
            'invalid_state',
            'precondition_failed',
            'payload_too_large',
            'rate_limited',
          ]),
        },
      },
    },
    async (request, reply) => {
      const precondition = requiredPrecondition(request);
      const caller = callerOf(request);
      const { body, params } = request;
      if (isStream(body)) {
        const queued = await writeRaw(request, params.workspaceId, body, precondition);
        return sendJson<WriteQueued>(reply, 202, queued);
      }
      const path = writtenPath(request, body.path);
      if (!caller.token.owner) {
        const decision = requireScope(caller.token.scopes, 'fs:write', normalizeReadPath(path));
        if (!decision.ok) throw new ApiError('forbidden', decision.message);
      }
      const change = await toWriteChange(workspaces, { ...body, path, precondition }).catch(
        (error: unknown) => {
          if (error instanceof UnwritableError) throw new ApiError('bad_request', error.message);
          throw error;
        },
      );
      const files = await filesOf(dependencies, request, params.workspaceId);
      const [result] = await files.change({
        workspaceId: params.workspaceId,
        changes: [change],
        atomic: false,
        actor: caller.actor,
        origin: 'agent_write',
        access: caller.access,
        correlationId: correlationIdOf(request),
        makesOperations: true,
      });
      if (result === undefined) throw new Error('a change came back without a result');
      if (!result.ok) throw await refusalError(workspaces, result);
      return sendJson<WriteQueued>(reply, 202, writeQueued(result));
    },
  );
}

function registerDelete(app: App, dependencies: HttpDependencies): void {
  const { workspaces, tokens } = dependencies;
  app.delete(
    url,
    {
      config: {
        access: { kind: 'workspace', scope: 'fs:write', path: 'query', file: true },
        forks: true,
      },
      schema: {
        operationId: 'deleteFile',
        tags: ['Files'],
        summary: 'Delete one file',
        description:
          'Scope: `fs:write` on `path`. `If-Match` is required: `*` deletes whatever is there, a revision only that one. The content stays in the history of the path. A token may carry a quota of deletes a minute.',
        security: bearer,
        params: WorkspaceParams,
        headers: IfMatchHeaders,
        querystring: DeleteFileQueryParameters,
        response: {
          202: jsonAnswer(WriteQueued, 'Deleted; `targetRevision` is the revision of the deletion.'),
          ...errorAnswers([
            ...workspaceErrors,
            ...forkErrors,
            'revision_conflict',
            'precondition_failed',
            'delete_storm_rejected',
          ]),
        },
      },
    },
    async (request, reply) => {
      const path = requiredPath(request);
      const precondition = requiredPrecondition(request);
      const caller = callerOf(request);
      // What a fork deletes counts when it is committed.
      if (!isForked(request) && !tokens.takeDelete(caller.token)) {
        throw new ApiError(
          'delete_storm_rejected',
          'the delete quota of this token is used up for this minute',
          {
            retryAfterSeconds: deleteQuotaRetryAfterSeconds,
          },
        );
      }
      const files = await filesOf(dependencies, request, request.params.workspaceId);
      const [result] = await files.change({
        workspaceId: request.params.workspaceId,
        changes: [{ kind: 'delete_file', path, precondition }],
        atomic: false,
        actor: caller.actor,
        origin: 'agent_write',
        access: caller.access,
        correlationId: correlationIdOf(request),
        makesOperations: true,
      });
      if (result === undefined) throw new Error('a change came back without a result');
      if (!result.ok) throw await refusalError(workspaces, result);
      return sendJson<WriteQueued>(reply, 202, writeQueued(result));
    },
  );
}

function requiredPath(request: FastifyRequest): string {
  const path = queryOf(request).text('path');
  if (path === undefined) throw new ApiError('bad_request', 'missing path query');
  return normalizeReadPath(path);
}

/** Ruling 1: the path stands in the query or in the body. */
function writtenPath(request: FastifyRequest, inBody: string | undefined): string {
  const inQuery = queryOf(request).text('path');
  const path = inQuery ?? inBody;
  if (path === undefined || path === '') throw new ApiError('bad_request', 'missing path query');
  if (
    inQuery !== undefined &&
    inBody !== undefined &&
    normalizeReadPath(inQuery) !== normalizeReadPath(inBody)
  ) {
    throw new ApiError('bad_request', 'the path of the query and the path of the body differ');
  }
  return path;
}

function requiredPrecondition(request: FastifyRequest): Precondition {
  const precondition = preconditionOf(request.headers['if-match']);
  if (precondition === null) throw new ApiError('precondition_failed', 'missing If-Match header');
  return precondition;
}

function namesRevision(ifNoneMatch: string, revision: string): boolean {
  return ifNoneMatch.split(',').some((tag) => {
    const named = stripEtag(tag.trim());
    return named === '*' || named === revision;
  });
}

function fileNotFound(revision?: string): ApiError {
  const when = revision === undefined ? '' : ` at ${revision}`;
  return new ApiError('not_found', `there is no file at this path${when}`);
}

/** The content of an entry stays readable through history, so this is a moment between two commits, if it is ever seen. */
function contentGone(entry: FileEntry): ApiError {
  return new ApiError('unavailable', `the content of revision ${entry.revision} cannot be read right now`);
}
