// W/fs/file: one file, read or only looked at. file-changes.ts writes and deletes it.
import type { FastifyRequest } from 'fastify';
import { FileRecord } from '../../../../contract/files.ts';
import {
  ReadFileHeaders,
  ReadFileQueryParameters,
  WorkspaceParams,
} from '../../../../contract/parameters.ts';
import { fileRecord } from '../../../../workspaces/file-record.ts';
import { pastEntry } from '../../../../workspaces/history.ts';
import type { FileEntry, RevisionRow } from '../../../../workspaces/model.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import {
  type Answer,
  type App,
  bearer,
  emptyAnswer,
  errorAnswers,
  jsonAnswer,
  sendJson,
  workspaceErrors,
} from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { stripEtag } from '../../../request/file-writes.ts';
import { filesOf, forkErrors } from '../../../request/fork-access.ts';
import { rawType, sendRaw, wantsRaw } from '../../../request/raw-content.ts';
import { momentMs, revisionNumber } from '../../../wire/history.ts';
import { revisionName } from '../../../wire/records.ts';
import { registerDelete, registerWrite } from './file-changes.ts';
import { requiredPath } from './file-request.ts';
import { requiredRevision } from './history.ts';

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
const fileJson = jsonAnswer(FileRecord, 'The file.', { ...etag, ...rawHeaders });
const fileAnswer: Answer = { ...fileJson, content: { ...fileJson.content, [rawType]: rawBytes } };
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
          'Scope: `fs:read` on `path`. The content comes as text, or as base64 when the file was written so or holds bytes that are no text; as its bare bytes, also a part of them, where `Accept` names `application/octet-stream`. `If-None-Match` with the current revision (quotes and `W/` are ignored, lists and `*` understood) answers 304. `revision` reads a kept one instead, `at` the one that stood at the path at a moment, under the access rules of its time and today’s.',
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
      const isWhole = !wantsRaw(request) && request.headers['if-none-match'] === undefined;
      const { workspaceId } = request.params;
      const found = isWhole
        ? await readWhole(dependencies, request, workspaceId)
        : { entry: await readEntry(dependencies, request, workspaceId), content: null };
      const { entry } = found;
      reply.header('etag', revisionName(entry)).header('vary', 'accept');
      if (isKnown(request, entry)) return reply.code(304).send();
      if (wantsRaw(request)) return await sendRaw(workspaces, request, reply, entry);
      const content = found.content ?? (await workspaces.readEncoded(entry));
      if (content === null) throw contentGone(entry);
      return sendJson(reply, FileRecord, 200, fileRecord(entry, content));
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

/** As `readEntry`, with the content where the look at the file brings it along. */
async function readWhole(
  dependencies: HttpDependencies,
  request: FastifyRequest,
  workspaceId: string,
): Promise<{ entry: FileEntry; content: string | null }> {
  if (pastOf(request) !== null) {
    return { entry: await readEntry(dependencies, request, workspaceId), content: null };
  }
  const path = requiredPath(request);
  const files = await filesOf(dependencies, request, workspaceId);
  const { entry, allowed, content } = await files.readFile(workspaceId, path, callerOf(request).access);
  requireAllowed(allowed, path);
  if (entry === null) throw fileNotFound();
  return { entry, content };
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
  requireAllowed(allowed, path);
  const past = pastOf(request);
  if (past !== null && queryOf(request).first('forkId') !== undefined) {
    throw new ApiError('bad_request', `a fork keeps no earlier revisions: give ${past.by} or forkId`);
  }
  const found = past === null ? entry : pastEntry(await requiredPast(dependencies, request, past, path));
  if (found === null) throw fileNotFound(past?.asked);
  return found;
}

/** What of the past is asked for; null: what stands there now. */
interface Past {
  readonly by: 'revision' | 'at';
  readonly asked: string;
}

function pastOf(request: FastifyRequest): Past | null {
  const query = queryOf(request);
  const [revision, at] = [query.text('revision'), query.text('at')];
  if (revision !== undefined && at !== undefined)
    throw new ApiError('bad_request', 'give revision or at, not both');
  if (revision !== undefined) return { by: 'revision', asked: revision };
  return at === undefined ? null : { by: 'at', asked: at };
}

async function requiredPast(
  { history }: HttpDependencies,
  request: FastifyRequest,
  { by, asked }: Past,
  path: string,
): Promise<RevisionRow> {
  const { access } = callerOf(request);
  const { workspaceId } = request.params as { workspaceId: string };
  if (by === 'revision')
    return await requiredRevision(history, workspaceId, path, revisionNumber(asked, 'revision'), access);
  const found = await history.revisionAt(workspaceId, path, momentMs(asked), access);
  if (found.kind === 'hidden') throw new ApiError('forbidden', 'access denied by ACL');
  if (found.kind === 'missing') throw fileNotFound(asked);
  return found.row;
}

function requireAllowed(allowed: boolean, path: string): void {
  // The root is no file, and no rule can be about it.
  if (!allowed && path !== '/') throw new ApiError('forbidden', 'access denied by ACL');
}

function isKnown(request: FastifyRequest, entry: FileEntry): boolean {
  const known = request.headers['if-none-match'];
  return known !== undefined && namesRevision(known, revisionName(entry));
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
