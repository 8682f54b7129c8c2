// Files of a workspace, or of a fork with `forkId`: read, write, list, query and export; and imports of GitHub tarballs.
import { CallGroup, pagesOf, segment, timeText, workspaceRoute } from './call-group.ts';
import { bytesOf, wireContent } from './content.ts';
import { type Edit, editFile } from './edit.ts';
import type {
  BulkFileInput,
  BulkRead,
  BulkResult,
  CallOptions,
  DeleteOptions,
  EditOptions,
  ExportedWorkspace,
  ExportOptions,
  FileRecord,
  FileStat,
  InForkOptions,
  MergeBody,
  MergeResult,
  QueryOptions,
  QueryResult,
  RawFile,
  RawReadOptions,
  RawWriteOptions,
  ReadManyOptions,
  ReadOptions,
  StagedMove,
  TarballFetchBody,
  TarballImported,
  TarballJob,
  TarballParameters,
  Tree,
  TreeOptions,
  WriteOptions,
  WriteQueued,
} from './types.ts';

const rawType = 'application/octet-stream';
/** A larger file is moved as bytes: base64 is longer, the body of a request is limited, and decoding occupies the thread. */
const jsonBytesMax = 1_048_576;

export class FileCalls extends CallGroup {
  /** One page of at most 1,000 files and directories below a path, in byte order of their paths. */
  async tree(workspaceId: string, options: TreeOptions = {}): Promise<Tree> {
    const { path, depth, cursor, forkId } = options;
    return await this.transport.get(workspaceRoute(workspaceId, 'fs/tree'), options, {
      path,
      depth,
      cursor,
      forkId,
    });
  }

  /** Every page of a tree. */
  treePages(workspaceId: string, options: TreeOptions = {}): AsyncGenerator<Tree, void, undefined> {
    return pagesOf(async (query: TreeOptions) => await this.tree(workspaceId, query), options);
  }

  /** One file with its content. `bytesOf` returns the content as bytes. NotFoundError: the file does not exist. */
  async read(workspaceId: string, path: string, options: ReadOptions = {}): Promise<FileRecord> {
    const { revision, at, forkId } = options;
    return await this.transport.get(workspaceRoute(workspaceId, 'fs/file'), options, {
      path,
      revision,
      at: timeText(at),
      forkId,
    });
  }

  /** At most 100 files in the order of `paths`. Each is the file or its error. */
  async readMany(
    workspaceId: string,
    paths: readonly string[],
    options?: ReadManyOptions,
  ): Promise<BulkRead> {
    return await this.transport.call({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/bulk-read'),
      query: { forkId: options?.forkId },
      body: { paths, contentBytesMax: options?.contentBytesMax },
      safe: true,
      call: options,
    });
  }

  /** Revision and size of a file. NotFoundError: the file does not exist. */
  async stat(workspaceId: string, path: string, options: ReadOptions = {}): Promise<FileStat> {
    const { revision, at, forkId } = options;
    const { headers } = await this.transport.open({
      method: 'HEAD',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path, revision, at: timeText(at), forkId },
      accept: rawType,
      call: options,
    });
    return fileStatOf(headers);
  }

  /** The bytes of a file or of a range, as a stream that is never buffered completely. */
  async readRaw(workspaceId: string, path: string, options: RawReadOptions = {}): Promise<RawFile> {
    const { revision, at, forkId, start = 0, end } = options;
    const isWholeFile = start === 0 && end === undefined;
    const response = await this.transport.open({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path, revision, at: timeText(at), forkId },
      accept: rawType,
      ...(isWholeFile ? {} : { range: `bytes=${start}-${end === undefined ? '' : end - 1}` }),
      call: options,
    });
    return rawFileOf(response);
  }

  /** Writes bytes, a Blob or a stream. Browsers send a stream only over HTTP/2: use a Blob there. */
  async writeRaw(
    workspaceId: string,
    path: string,
    content: Uint8Array | Blob | ReadableStream<Uint8Array>,
    options: RawWriteOptions = {},
  ): Promise<WriteQueued> {
    const { ifMatch = '*', contentType, contentIdentity, forkId } = options;
    return await this.transport.call({
      method: 'PUT',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: {
        ...{ path, contentType, forkId },
        identityKind: contentIdentity?.kind,
        identityKey: contentIdentity?.key,
        identityTtlSeconds: contentIdentity?.ttlSeconds,
      },
      ifMatch,
      rawBody: content,
      call: options,
    });
  }

  /**
   * The file is durable when this resolves. RevisionConflictError: the file has another revision than `ifMatch`. With a
   * `contentIdentity` the request is retried without an answer, because the agent applies each identity once.
   */
  async write(
    workspaceId: string,
    path: string,
    content: string | Uint8Array,
    options: WriteOptions = {},
  ): Promise<WriteQueued> {
    const { ifMatch = '*', contentType, semantics, contentIdentity, forkId } = options;
    return await this.transport.call({
      method: 'PUT',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path, forkId },
      ifMatch,
      body: { ...wireContent(content), contentType, semantics, contentIdentity },
      safe: contentIdentity !== undefined,
      call: options,
    });
  }

  /**
   * At most 10,000 files in one request. The accepted files become durable together, and `errors` lists the refused ones. The request
   * is retried without an answer if every file has a `contentIdentity`.
   */
  async writeMany(
    workspaceId: string,
    files: readonly BulkFileInput[],
    options?: InForkOptions,
  ): Promise<BulkResult> {
    return await this.transport.call({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/bulk'),
      query: { forkId: options?.forkId },
      body: { files: files.map((file) => ({ ...file, ...wireContent(file.content) })) },
      safe: files.length > 0 && files.every(({ contentIdentity }) => contentIdentity !== undefined),
      call: options,
    });
  }

  /**
   * Moves a file in a fork, with its content type and metadata. `revision`: of the file that is moved. RevisionConflictError: it has
   * changed, or the target has another revision than `ifMatch` (default `0`: it must not exist).
   */
  async stageMove(
    workspaceId: string,
    forkId: string,
    { from, revision, to, ifMatch = '0' }: StagedMove,
    call: CallOptions = {},
  ): Promise<void> {
    const options = { ...call, forkId };
    const { files } = await this.readMany(workspaceId, [from], { ...options, contentBytesMax: jsonBytesMax });
    const listed: BulkRead['files'][number] = files[0] ?? { path: from };
    const write = { ...options, ifMatch };
    if (listed.contentBytes !== undefined && !hasMetadata(listed.semantics)) {
      const { stream } = await this.readRaw(workspaceId, from, options);
      const bytes = await new Response(stream).blob();
      await this.writeRaw(workspaceId, to, bytes, { ...write, ...typeOf(listed) });
    } else {
      // A file that the list refuses is read: it is large and has metadata, or the error says why.
      const file = listed.error === undefined ? listed : await this.read(workspaceId, from, options);
      const { semantics = {} } = file;
      const content = file.encoding === 'base64' ? bytesOf(file) : (file.content ?? '');
      const metadata = hasMetadata(semantics) ? { semantics } : {};
      await this.write(workspaceId, to, content, { ...write, ...typeOf(file), ...metadata });
    }
    await this.delete(workspaceId, from, { ...options, ifMatch: revision });
  }

  async delete(workspaceId: string, path: string, options: DeleteOptions = {}): Promise<WriteQueued> {
    return await this.transport.call({
      method: 'DELETE',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path, forkId: options.forkId },
      ifMatch: options.ifMatch ?? '*',
      call: options,
    });
  }

  /** Writes what `edit` returns for the current file (null: no file), and retries when the file changed meanwhile. */
  async edit(
    workspaceId: string,
    path: string,
    edit: Edit,
    options: EditOptions = {},
  ): Promise<WriteQueued | null> {
    const file = {
      read: async () => await this.read(workspaceId, path, options),
      write: async (content: string | Uint8Array, write: WriteOptions) =>
        await this.write(workspaceId, path, content, write),
    };
    return await editFile(file, edit, options);
  }

  /**
   * Merges an edit of an older revision with the current content. InvalidStateError `merge_conflict`: both changed the same lines and
   * nothing was written. Its `body.conflicts` lists the lines.
   */
  async merge(
    workspaceId: string,
    path: string,
    input: MergeBody,
    options?: CallOptions,
  ): Promise<MergeResult> {
    const route = workspaceRoute(workspaceId, 'fs/merge');
    return await this.transport.call({ method: 'POST', route, query: { path }, body: input, call: options });
  }

  /** One page of files, selected by path and metadata. */
  async query(workspaceId: string, options: QueryOptions = {}): Promise<QueryResult> {
    const { path, provider, relation, permission, comment, cursor, limit, forkId } = options;
    const properties = Object.entries(options.properties ?? {}).map(([key, value]) => [
      `property.${key}`,
      value,
    ]);
    const query = { path, provider, relation, permission, comment, cursor, limit, forkId };
    return await this.transport.get(workspaceRoute(workspaceId, 'fs/query'), options, {
      ...query,
      ...Object.fromEntries(properties),
    });
  }

  /** All files that match, without content. */
  async *all(
    workspaceId: string,
    options: QueryOptions = {},
  ): AsyncGenerator<QueryResult['items'][number], void, undefined> {
    const readPage = async (query: QueryOptions) => await this.query(workspaceId, query);
    for await (const { items } of pagesOf(readPage, options)) yield* items;
  }

  /** All visible files at one point in time, as a stream: a JSON array, a gzipped tar, or a patch for `git apply`. */
  async export(workspaceId: string, options: ExportOptions = {}): Promise<ExportedWorkspace> {
    const { format = 'json', path, level, forkId } = options;
    const response = await this.transport.open({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/export'),
      query: { format, path, level, forkId },
      call: options,
    });
    const stream = response.body ?? new Blob([]).stream();
    const tarBytes = response.headers.get('mooring-tar-bytes');
    return {
      contentType: response.headers.get('content-type') ?? '',
      tarBytes: tarBytes === null ? null : Number(tarBytes),
      stream,
    };
  }
}

/** From the headers of a GET or HEAD answer. */
function fileStatOf(headers: Headers): FileStat {
  return { revision: headers.get('etag') ?? '', size: Number(headers.get('content-length') ?? 0) };
}

function rawFileOf(response: Response): RawFile {
  const { headers } = response;
  const revision = headers.get('etag') ?? '';
  const stream = response.body ?? new Blob([]).stream();
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '');
  if (range === null) {
    const size = Number(headers.get('content-length') ?? 0);
    return { revision, size, part: { start: 0, end: size }, stream };
  }
  const [, first, last, size] = range;
  return { revision, size: Number(size), part: { start: Number(first), end: Number(last) + 1 }, stream };
}

/** Imports of GitHub source tarballs: uploaded, or fetched by the agent from an allowed host. */
export class ImportCalls extends CallGroup {
  /** Writes files below `/github/repos/{owner}/{repo}/contents`. Browsers send a stream only over HTTP/2: use a Blob there. */
  async tarball(
    workspaceId: string,
    input: TarballParameters,
    archive: Uint8Array | Blob | ReadableStream<Uint8Array>,
    options?: CallOptions,
  ): Promise<TarballImported> {
    const { owner, repo, headSha, jobId } = input;
    return await this.transport.call({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/import/github-tarball'),
      query: { owner, repo, headSha, jobId },
      rawBody: archive,
      rawType: 'application/gzip',
      call: options,
    });
  }

  /** Answers before the fetch. `job` returns its progress. A request for the same commit returns the same job. */
  async fetch(
    workspaceId: string,
    input: TarballFetchBody,
    options: CallOptions & { readonly githubToken?: string } = {},
  ): Promise<TarballJob> {
    const { githubToken } = options;
    return await this.transport.call({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/import/github-tarball/fetch'),
      body: input,
      ...(githubToken === undefined ? {} : { headers: { 'x-github-token': githubToken } }),
      call: options,
    });
  }

  /** NotFoundError: unknown job. Jobs are lost when the agent restarts. */
  async job(workspaceId: string, jobId: string, options?: CallOptions): Promise<TarballJob> {
    const route = workspaceRoute(workspaceId, `fs/import/github-tarball/jobs/${segment(jobId)}`);
    return await this.transport.get(route, options);
  }
}

function hasMetadata(semantics: FileRecord['semantics'] = {}): boolean {
  return Object.values(semantics).some((each) => Object.keys(each).length > 0);
}

function typeOf({ contentType }: { readonly contentType?: string }): { readonly contentType?: string } {
  return contentType === undefined ? {} : { contentType };
}
