// POST W/fs/bulk-read: reads many files, with one result per file in the order of the request.
import { grantsScope } from '../../../../auth/scopes.ts';
import { BulkRead, BulkReadBody } from '../../../../contract/files.ts';
import { ForkQueryParameters } from '../../../../contract/parameters.ts';
import { jsonWithContent, wholeContentBytesMax } from '../../../../platform/json/content-json.ts';
import { wireSize } from '../../../../workspaces/file-record.ts';
import { type FileEntry, normalizeReadPath } from '../../../../workspaces/model.ts';
import type { WorkspaceService } from '../../../../workspaces/service.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { bulkReadAnswerBytesMax, bulkReadBodyBytesMax } from '../../../base/limits.ts';
import { commandRoute } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf } from '../../../plugins/auth.ts';
import { filesOf, forkErrors } from '../../../request/fork-access.ts';
import { sendJsonStream } from '../../../request/json-stream.ts';
import { revisionName } from '../../../wire/records.ts';

type ReadFile = BulkRead['files'][number];

/** A file whose content is large. */
interface LargeFile {
  readonly properties: ReadFile;
  readonly entry: FileEntry;
}

export function registerBulkRead(app: App, dependencies: HttpDependencies): void {
  const { workspaces } = dependencies;
  app.post(
    '/v1/workspaces/:workspaceId/fs/bulk-read',
    commandRoute('fs:read', {
      operationId: 'bulkRead',
      tag: 'Files',
      summary: 'Read many files',
      callers: 'Scope: any grant of `fs:read`; each path is checked separately.',
      points: [
        'At most 100 paths, answered in their order.',
        'A file that cannot be read has an `error` with the status of a single read.',
        'Content above 32 MiB per response, or above `contentBytesMax` bytes of one file, is omitted: those files have the status 413 and all but their content.',
        'The bytes of an omitted content are read with `Accept: application/octet-stream`, `Range`, and its `revision`.',
      ],
      query: ForkQueryParameters,
      body: BulkReadBody,
      answers: { 200: jsonAnswer(BulkRead, 'Each file, or the error of its read.') },
      errors: forkErrors,
      config: { forks: true },
      bodyBytesMax: bulkReadBodyBytesMax,
    }),
    async (request, reply) => {
      const { token, access } = callerOf(request);
      const forked = await filesOf(dependencies, request, request.params.workspaceId);
      const { contentBytesMax = Number.POSITIVE_INFINITY } = request.body;
      let bytesLeft = bulkReadAnswerBytesMax;
      const files: (ReadFile | LargeFile)[] = [];
      for (const path of request.body.paths) files.push(await read(path));
      return files.some(isLarge)
        ? sendJsonStream(reply, piecesOf(files, workspaces))
        : sendJson(reply, BulkRead, 200, { files: files as ReadFile[] });

      async function read(asked: string): Promise<ReadFile | LargeFile> {
        const path = normalizeReadPath(asked);
        if (!token.owner && !grantsScope(token.scopes, 'fs:read', path)) {
          return failed(asked, 403, 'forbidden', 'file access denied by path scope');
        }
        const { entry, allowed } = await forked.getFile(request.params.workspaceId, path, access);
        if (!allowed) return failed(asked, 403, 'forbidden', 'access denied by ACL');
        if (entry === null) return failed(asked, 404, 'not_found', 'there is no file at this path');
        const size = wireSize(entry);
        const properties = propertiesOf(asked, entry);
        if (size > bytesLeft || entry.sizeBytes > contentBytesMax)
          return { ...properties, contentBytes: entry.sizeBytes, error: omitted };
        bytesLeft -= size;
        if (entry.sizeBytes > wholeContentBytesMax) return { properties, entry };
        const content = await workspaces.readEncoded(entry);
        return content === null ? failed(asked, 503, 'unavailable', unreadable) : { ...properties, content };
      }
    },
  );
}

function isLarge(file: ReadFile | LargeFile): file is LargeFile {
  return 'properties' in file;
}

const unreadable = 'the content cannot be read right now';

/** The answer as JSON. */
async function* piecesOf(
  files: readonly (ReadFile | LargeFile)[],
  workspaces: WorkspaceService,
): AsyncGenerator<Uint8Array, void, undefined> {
  let before = '{"files":[';
  for (const file of files) {
    if (isLarge(file)) {
      const { properties, entry } = file;
      const opened = await workspaces.openContent(entry.hash);
      if (opened === null) throw new ApiError('unavailable', unreadable);
      const begin = `${before}${JSON.stringify(properties).slice(0, -1)},"content":`;
      yield* jsonWithContent([begin, '}'], entry.encoding, opened.stream);
    } else yield Buffer.from(`${before}${JSON.stringify(file)}`);
    before = ',';
  }
  yield Buffer.from(']}');
}

const omitted = {
  status: 413,
  code: 'payload_too_large',
  message: 'the response exceeds its size limit: read this file separately',
} as const;

/** All but the content. */
function propertiesOf(path: string, entry: FileEntry): ReadFile {
  return {
    path,
    revision: revisionName(entry),
    contentType: entry.contentType,
    ...(entry.encoding === 'base64' ? { encoding: 'base64' as const } : {}),
    contentHash: entry.hash,
    semantics: entry.semantics,
  };
}

function failed(path: string, status: number, code: string, message: string): ReadFile {
  return { path, error: { status, code, message } };
}
