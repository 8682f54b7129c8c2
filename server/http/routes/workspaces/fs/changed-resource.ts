// W/fs/changes/resource: a file as a change left it.
import { grantsScope } from '../../../../auth/scopes.ts';
import { ChangedResource } from '../../../../contract/changes.ts';
import { ChangedResourceQueryParameters } from '../../../../contract/parameters.ts';
import { parseId } from '../../../../platform/crypto/ids.ts';
import { jsonWithContent, piecesOf, wholeContentBytesMax } from '../../../../platform/json/content-json.ts';
import { JsonSyntaxError, parseJsonInSlices } from '../../../../platform/json/parse-in-slices.ts';
import type { FileEntry } from '../../../../workspaces/model.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { sendJsonStream } from '../../../request/json-stream.ts';
import { digestOf, isFileEvent } from './change-events.ts';

const byteOrderMark = Buffer.from('\ufeff');

export function registerChangedResource(app: App, { feed, workspaces }: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/changes/resource',
    route('fs:read', {
      operationId: 'getChangedResource',
      tag: 'Events',
      summary: 'Read a resource after a change',
      callers: 'Scope: `fs:read` on the path of the change.',
      points: [
        '404 if the change does not exist, is not visible to the token, or its content is no longer retained.',
      ],
      query: ChangedResourceQueryParameters,
      answers: { 200: jsonAnswer(ChangedResource, 'The resource.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId } = request.params;
      const { access, token } = callerOf(request);
      const asked = queryOf(request).text('eventId');
      if (asked === undefined) throw new ApiError('bad_request', 'missing eventId query');
      const seq = parseId(asked, 'evt_');
      const none = new ApiError('not_found', 'change not found');
      if (seq === null) throw none;
      const one = { direction: 'asc', from: seq - 1, limit: 1, pathPrefix: null, provider: null } as const;
      const [event] = (await feed.page(workspaceId, { ...one, access })).events;
      if (event?.seq !== seq || !isFileEvent(event)) throw none;
      if (!token.owner && !grantsScope(token.scopes, 'fs:read', event.path)) throw none;
      const { path } = event;
      const digest = digestOf(event);
      if (event.type === 'file.deleted') {
        return sendJson(reply, ChangedResource, 200, { path, data: { path, deleted: true }, digest });
      }
      const gone = new ApiError('not_found', 'the content of this change is no longer retained');
      const [then] = await workspaces.history(workspaceId, path, 1, event.revision + 1);
      if (then?.revision !== event.revision || then.hash === null) throw gone;
      const { hash, encoding, sizeBytes } = then;
      if (sizeBytes > wholeContentBytesMax) {
        const opened = await workspaces.openContent(hash);
        if (opened === null) throw gone;
        return sendJsonStream(reply, largeResource(path, then, opened, digest), opened.stream);
      }
      const content = await workspaces.readEncoded({ hash, encoding });
      if (content === null) throw gone;
      const data = dataOf(path, then, content);
      return sendJson(reply, ChangedResource, 200, { path, data, digest });
    },
  );
}

type ChangedFile = Pick<FileEntry, 'encoding' | 'contentType'>;

interface Opened {
  readonly sizeBytes: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/** The content in the forms that clients of the reference expect. */
function dataOf(path: string, file: ChangedFile, content: string): unknown {
  const { contentType } = file;
  if (file.encoding === 'base64') return { contentBase64: content, contentType, encoding: 'base64' };
  if (!isNamedJson(path, file)) return content;
  try {
    return JSON.parse(content) as unknown;
  } catch {
    // Content with a JSON type that is not JSON is text.
    return content;
  }
}

function isNamedJson(path: string, { contentType }: ChangedFile): boolean {
  return contentType.includes('json') || path.endsWith('.json');
}

/** The same of a large content, within the texts of the answer. Of a content that is JSON, all is read before the first piece. */
async function* largeResource(
  path: string,
  file: ChangedFile,
  { sizeBytes, stream }: Opened,
  digest: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const before = `{"path":${JSON.stringify(path)},"data":`;
  const after = `,"digest":"${digest}"}`;
  if (file.encoding === 'base64') {
    const rest = JSON.stringify({ contentType: file.contentType, encoding: 'base64' }).slice(1);
    return yield* jsonWithContent([`${before}{"contentBase64":`, `,${rest}${after}`], 'base64', stream);
  }
  if (!isNamedJson(path, file)) return yield* jsonWithContent([before, after], 'utf-8', stream);
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  let length = 0;
  for await (const piece of stream) {
    bytes.set(piece, length);
    length += piece.length;
  }
  if (!(await isJson(bytes))) return yield* jsonWithContent([before, after], 'utf-8', piecesOf(bytes));
  yield Buffer.from(before);
  yield* piecesOf(bytes);
  yield Buffer.from(after);
}

async function isJson(bytes: Buffer): Promise<boolean> {
  // A byte order mark may begin a body, but is no JSON within another one.
  if (bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)) return false;
  try {
    await parseJsonInSlices(bytes);
    return true;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}
