// PUT W/fs/file with a body of `application/octet-stream`, which is streamed to the disk. All checks that do not need the body precede
// it.
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { ContentIdentity, WriteQueued } from '../../../../contract/files.ts';
import { contentTypeOf } from '../../../../workspaces/content-type.ts';
import type { Files } from '../../../../workspaces/forks.ts';
import {
  ContentTooLargeError,
  failedPrecondition,
  isAclPath,
  type Precondition,
  parseWritePath,
} from '../../../../workspaces/model.ts';
import { ApiError } from '../../../base/api-error.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import {
  contentTypeCharactersMax,
  identityKeyCharactersMax,
  identityKindCharactersMax,
  streamedBodiesMax,
} from '../../../base/limits.ts';
import { callerOf, queryOf } from '../../../plugins/auth.ts';
import { tooLarge, tooSlow } from '../../../plugins/body-reader.ts';
import type { SenderWatch } from '../../../plugins/sender-watch.ts';
import { changeFile } from '../../../request/change-files.ts';
import { refusalError } from '../../../request/file-writes.ts';
import { filesOf } from '../../../request/fork-access.ts';

/** Answers a PUT whose body is a stream. */
export type RawWriter = (
  request: FastifyRequest,
  workspaceId: string,
  body: Readable,
  precondition: Precondition,
) => Promise<WriteQueued>;

export function createRawWriter(dependencies: HttpDependencies, senders: SenderWatch): RawWriter {
  const { workspaces, config } = dependencies;
  let running = 0;

  /** The checks that do not need the body. */
  async function target(
    request: FastifyRequest,
    workspaceId: string,
    files: Files,
    precondition: Precondition,
    contentIdentity: ContentIdentity | undefined,
  ): Promise<string> {
    const asked = queryOf(request).text('path');
    if (asked === undefined) throw new ApiError('bad_request', 'missing path query');
    const parsed = parseWritePath(asked);
    if (!parsed.ok) throw new ApiError('bad_request', parsed.reason);
    const { path } = parsed;
    const type = queryOf(request).text('contentType') ?? '';
    if (type.length > contentTypeCharactersMax || !type.isWellFormed())
      throw new ApiError(
        'bad_request',
        `contentType is not well-formed or has more than ${contentTypeCharactersMax} characters`,
      );
    if (Number(request.headers['content-length'] ?? 0) > config.maxBodyBytes) throw tooLarge();
    const { entry, allowed } = await files.getFile(workspaceId, path, callerOf(request).access);
    if (!allowed) throw new ApiError('forbidden', 'access denied by ACL');
    // A repeat no longer meets the precondition that the first write met: only the write itself knows whether it is one.
    if (contentIdentity !== undefined) return path;
    const unmet = failedPrecondition({ kind: 'delete_file', path, precondition }, precondition, entry);
    if (unmet !== null) throw await refusalError(workspaces, unmet);
    return path;
  }

  async function receive(body: Readable): ReturnType<typeof workspaces.stageStream> {
    if (running >= streamedBodiesMax)
      throw new ApiError('rate_limited', 'too many streamed bodies at once: try again', {
        retryAfterSeconds: 1,
      });
    running += 1;
    try {
      return await workspaces.stageStream(chunksOf(body, senders), config.maxBodyBytes);
    } catch (error) {
      // Discards the rest of the body, so that the client reads the response.
      body.resume();
      throw error instanceof ContentTooLargeError ? tooLarge() : error;
    } finally {
      running -= 1;
    }
  }

  return async (request, workspaceId, body, precondition) => {
    const files = await filesOf(dependencies, request, workspaceId);
    const contentIdentity = identityOf(request);
    const path = await target(request, workspaceId, files, precondition, contentIdentity);
    const { content, isText } = await receive(body);
    const contentType = queryOf(request).text('contentType');
    return await changeFile(request, workspaces, files, workspaceId, {
      kind: 'write_file',
      path,
      precondition,
      content,
      ...(contentType === undefined ? {} : { contentType }),
      defaultContentType: contentTypeOf(path, isText),
      encoding: isText ? 'utf-8' : 'base64',
      ...(contentIdentity === undefined ? {} : { contentIdentity }),
      ...(isAclPath(path) && 'binary' in content && isText
        ? { aclText: Buffer.from(content.binary, 'latin1').toString('utf8') }
        : {}),
    });
  };
}

/** undefined: the query names none. */
function identityOf(request: FastifyRequest): ContentIdentity | undefined {
  const query = queryOf(request);
  const [kind, key] = [query.text('identityKind'), query.text('identityKey')];
  if (kind === undefined && key === undefined) return undefined;
  if (kind === undefined || key === undefined)
    throw new ApiError('bad_request', 'identityKind and identityKey belong together: give both, or neither');
  if (kind.length > identityKindCharactersMax || key.length > identityKeyCharactersMax)
    throw new ApiError(
      'bad_request',
      `identityKind has more than ${identityKindCharactersMax} characters, or identityKey more than ${identityKeyCharactersMax}`,
    );
  if (!kind.isWellFormed() || !key.isWellFormed())
    throw new ApiError('bad_request', 'identityKind or identityKey is not well-formed');
  const ttlSeconds = Number(query.text('identityTtlSeconds') ?? Number.NaN);
  return { kind, key, ...(Number.isSafeInteger(ttlSeconds) ? { ttlSeconds } : {}) };
}

/** Throws an ApiError when the sender is too slow. Only the time waiting for bytes counts. */
async function* chunksOf(body: Readable, senders: SenderWatch): AsyncGenerator<Uint8Array> {
  // The connection must stay open for the response of a refusal.
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  let fail: (error: ApiError) => void = () => undefined;
  const sender = senders.watch(() => fail(tooSlow()), null);
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        fail = reject;
        chunks.next().then(resolve, reject);
      });
      if (next.done === true) return;
      sender.received(next.value.byteLength);
      sender.pause();
      yield next.value;
      sender.resume();
    }
  } finally {
    sender.end();
    // Discards the rest of the body. Not awaited: a slow sender may never send it.
    void chunks.return?.();
  }
}
