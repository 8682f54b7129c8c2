// GET and HEAD W/fs/file. file-changes.ts has PUT and DELETE.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FileRecord } from '../../../../contract/files.ts';
import { ReadFileHeaders, ReadFileQueryParameters } from '../../../../contract/parameters.ts';
import { wholeContentBytesMax } from '../../../../platform/json/content-json.ts';
import { fileRecord, fileRecordPieces } from '../../../../workspaces/file-record.ts';
import { pastEntry } from '../../../../workspaces/history.ts';
import { type FileEntry, normalizeReadPath, type RevisionRow } from '../../../../workspaces/model.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import type { ResponseCache } from '../../../base/response-cache.ts';
import { route } from '../../../base/route-options.ts';
import {
  type Answer,
  type App,
  emptyAnswer,
  jsonAnswer,
  jsonBody,
  sendJsonText,
} from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { stripEtag } from '../../../request/file-writes.ts';
import { filesOf, forkErrors } from '../../../request/fork-access.ts';
import { sendJsonStream } from '../../../request/json-stream.ts';
import { rawType, sendRaw, wantsRaw } from '../../../request/raw-content.ts';
import { pointInTimeMs, revisionNumber } from '../../../wire/history.ts';
import { revisionName } from '../../../wire/records.ts';
import { registerDelete, registerWrite } from './file-changes.ts';
import { requiredPath } from './file-request.ts';
import { requiredRevision } from './history.ts';

const url = '/v1/workspaces/:workspaceId/fs/file';
const readAccess = { kind: 'workspace', scope: 'fs:read', path: 'query', file: true } as const;
const etag = { etag: { type: 'string', description: 'The revision, without quotes.' } } as const;

const rawHeaders = {
  'repr-digest': {
    type: 'string',
    description: 'RFC 9530: SHA-256 of the whole content, also for a range.',
  },
  'accept-ranges': { type: 'string', description: '`bytes`' },
} as const;
const rawBytes = { schema: { type: 'string', format: 'binary' } } as const;
const fileJson = jsonAnswer(FileRecord, 'The file.', { ...etag, ...rawHeaders });
const fileAnswer: Answer = { ...fileJson, content: { ...fileJson.content, [rawType]: rawBytes } };
const partAnswer: Answer = {
  description: 'The requested range.',
  content: { [rawType]: rawBytes },
  headers: {
    ...etag,
    ...rawHeaders,
    'content-range': { type: 'string', description: '`bytes <first>-<last>/<size>`' },
  },
};

export function registerFile(app: App, dependencies: HttpDependencies, responses: ResponseCache): void {
  registerRead(app, dependencies, responses);
  registerHead(app, dependencies);
  registerWrite(app, dependencies);
  registerDelete(app, dependencies);
}

function registerRead(app: App, dependencies: HttpDependencies, responses: ResponseCache): void {
  app.get(
    url,
    route(readAccess, {
      operationId: 'readFile',
      tag: 'Files',
      summary: 'Read one file',
      points: [
        'JSON by default: `content` is text, or base64 for binary content and for files written as base64.',
        'With `Accept: application/octet-stream`: the raw bytes; `Range` selects a part.',
        '`If-None-Match` with the current revision: 304. Quotes and `W/` are ignored; lists and `*` are supported.',
        '`revision` reads a retained revision. `at` reads the revision at a point in time. Both apply the access rules of that time and the current ones.',
      ],
      query: ReadFileQueryParameters,
      headers: ReadFileHeaders,
      answers: {
        200: fileAnswer,
        206: partAnswer,
        304: emptyAnswer('The caller already has this revision.', etag),
      },
      errors: [...forkErrors, 'range_not_satisfiable'],
      config: { forks: true },
    }),
    (request, reply) => {
      const key = cacheKey(request);
      const { workspaceId } = request.params;
      const cached = key === null ? null : responses.get(workspaceId, key);
      if (cached === null) return answerRead(dependencies, responses, request, reply, key);
      // Without a promise: this is the common case.
      reply.header('etag', cached.etag).header('vary', 'accept');
      if (isKnown(request, cached.etag)) reply.code(304).send();
      else sendJsonText(reply, 200, cached.body);
      return undefined;
    },
  );
}

/** null: the response is not kept: raw bytes, a fork, an earlier revision. */
function cacheKey(request: FastifyRequest): string | null {
  const query = queryOf(request);
  const path = query.text('path');
  if (path === undefined || wantsRaw(request) || query.first('forkId') !== undefined) return null;
  if (query.text('revision') !== undefined || query.text('at') !== undefined) return null;
  return `file ${normalizeReadPath(path)}`;
}

async function answerRead(
  dependencies: HttpDependencies,
  responses: ResponseCache,
  request: FastifyRequest<{ Params: { workspaceId: string } }>,
  reply: FastifyReply,
  key: string | null,
): Promise<FastifyReply> {
  const { workspaces } = dependencies;
  const isWhole = !wantsRaw(request) && request.headers['if-none-match'] === undefined;
  const { workspaceId } = request.params;
  const count = responses.countBefore(workspaceId);
  const found = isWhole
    ? await readWhole(dependencies, request, workspaceId)
    : { entry: await readEntry(dependencies, request, workspaceId), content: null, forEveryone: false };
  const { entry } = found;
  const revision = revisionName(entry);
  reply.header('etag', revision).header('vary', 'accept');
  if (isKnown(request, revision)) return reply.code(304).send();
  if (wantsRaw(request)) return await sendRaw(workspaces, request, reply, entry);
  if (entry.sizeBytes > wholeContentBytesMax) return await sendLarge(dependencies, reply, entry);
  const content = found.content ?? (await workspaces.readEncoded(entry));
  if (content === null) throw contentGone(entry);
  const body = jsonBody(JSON.stringify(fileRecord(entry, content) satisfies FileRecord));
  if (key !== null && found.forEveryone) responses.keep(workspaceId, key, count, { etag: revision, body });
  return sendJsonText(reply, 200, body);
}

async function sendLarge(
  { workspaces }: HttpDependencies,
  reply: FastifyReply,
  entry: FileEntry,
): Promise<FastifyReply> {
  const opened = await workspaces.openContent(entry.hash);
  if (opened === null) throw contentGone(entry);
  return sendJsonStream(reply, fileRecordPieces(entry, opened.stream), opened.stream);
}

function registerHead(app: App, dependencies: HttpDependencies): void {
  app.head(
    url,
    route(readAccess, {
      operationId: 'headFile',
      tag: 'Files',
      summary: 'Get the headers of one file',
      points: [
        'Returns the headers of a read: `ETag`, and with `Accept: application/octet-stream` also length and digest.',
      ],
      query: ReadFileQueryParameters,
      headers: ReadFileHeaders,
      answers: {
        200: emptyAnswer('The file exists.', { ...etag, ...rawHeaders }),
        304: emptyAnswer('The caller already has this revision.', etag),
      },
      errors: forkErrors,
      config: { forks: true },
    }),
    async (request, reply) => {
      const found = await readEntry(dependencies, request, request.params.workspaceId);
      reply.header('etag', revisionName(found)).header('vary', 'accept');
      if (isKnown(request, revisionName(found))) return reply.code(304).send();
      if (wantsRaw(request)) return await sendRaw(dependencies.workspaces, request, reply, found);
      return reply.code(200).header('content-type', 'application/json').send();
    },
  );
}

/** Like `readEntry`, with the content if the same read returns it. */
async function readWhole(
  dependencies: HttpDependencies,
  request: FastifyRequest,
  workspaceId: string,
): Promise<{ entry: FileEntry; content: string | null; forEveryone: boolean }> {
  if (pastOf(request) !== null) {
    return {
      entry: await readEntry(dependencies, request, workspaceId),
      content: null,
      forEveryone: false,
    };
  }
  const path = requiredPath(request);
  const files = await filesOf(dependencies, request, workspaceId);
  const { access } = callerOf(request);
  const { entry, allowed, content, forEveryone } = await files.readFile(workspaceId, path, access);
  requireAllowed(allowed, path);
  if (entry === null) throw fileNotFound();
  return { entry, content, forEveryone };
}

/** The file, or the retained revision that the query names. */
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
    throw new ApiError('bad_request', `a fork has no earlier revisions: give either ${past.by} or forkId`);
  }
  const found = past === null ? entry : pastEntry(await requiredPast(dependencies, request, past, path));
  if (found === null) throw fileNotFound(past?.value);
  return found;
}

/** The requested past state; null: the current one. */
interface Past {
  readonly by: 'revision' | 'at';
  readonly value: string;
}

function pastOf(request: FastifyRequest): Past | null {
  const query = queryOf(request);
  const [revision, at] = [query.text('revision'), query.text('at')];
  if (revision !== undefined && at !== undefined)
    throw new ApiError('bad_request', 'revision and at exclude each other: give one of them');
  if (revision !== undefined) return { by: 'revision', value: revision };
  return at === undefined ? null : { by: 'at', value: at };
}

async function requiredPast(
  { history }: HttpDependencies,
  request: FastifyRequest,
  { by, value }: Past,
  path: string,
): Promise<RevisionRow> {
  const { access } = callerOf(request);
  const { workspaceId } = request.params as { workspaceId: string };
  if (by === 'revision')
    return await requiredRevision(history, workspaceId, path, revisionNumber(value, 'revision'), access);
  const found = await history.revisionAt(workspaceId, path, pointInTimeMs(value), access);
  if (found.kind === 'hidden') throw new ApiError('forbidden', 'access denied by ACL');
  if (found.kind === 'missing') throw fileNotFound(value);
  return found.row;
}

function requireAllowed(allowed: boolean, path: string): void {
  // The root is not a file, and no rule applies to it.
  if (!allowed && path !== '/') throw new ApiError('forbidden', 'access denied by ACL');
}

function isKnown(request: FastifyRequest, revision: string): boolean {
  const known = request.headers['if-none-match'];
  return known !== undefined && namesRevision(known, revision);
}

function namesRevision(ifNoneMatch: string, revision: string): boolean {
  return ifNoneMatch.split(',').some((tag) => {
    const named = stripEtag(tag.trim());
    return named === '*' || named === revision;
  });
}

function fileNotFound(revision?: string): ApiError {
  const when = revision === undefined ? '' : ` at ${revision}`;
  return new ApiError('not_found', `no file at this path${when}`);
}

/** History retains the content of an entry, so this can only happen between two commits. */
function contentGone(entry: FileEntry): ApiError {
  return new ApiError(
    'unavailable',
    `the content of revision ${entry.revision} cannot be read at the moment: try again`,
  );
}
