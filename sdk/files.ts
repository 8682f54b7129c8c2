// Files: read, write, list, query, export; as they are, or as a fork shows them (`forkId`). It must never repeat a change that
// may have been applied (transport.ts decides).
import { wireContent } from './content.ts';
import { type Edit, editFile } from './edit.ts';
import { momentText } from './history.ts';
import { ManagementCalls } from './management.ts';
import { fileStatOf, rawFileOf, rawType } from './raw.ts';
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
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
  ReadOptions,
  Tree,
  TreeOptions,
  WriteOptions,
  WriteQueued,
} from './types.ts';

export class FileCalls extends ManagementCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport);
    this.#transport = transport;
  }

  /** A page of at most 1,000 files and directories below a path, byte-wise by path. */
  async listTree(workspaceId: string, options: TreeOptions = {}): Promise<Tree> {
    const { path, depth, cursor, forkId } = options;
    return await this.#get(workspaceId, 'fs/tree', { path, depth, cursor, forkId }, options);
  }

  /** Every page of a tree, one after the other. */
  async *treePages(workspaceId: string, options: TreeOptions = {}): AsyncGenerator<Tree, void, undefined> {
    let cursor = options.cursor;
    for (;;) {
      const page = await this.listTree(workspaceId, {
        ...options,
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield page;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  /** One file with its content; `bytesOf` turns it into bytes. NotFoundError: no such file. */
  async readFile(workspaceId: string, path: string, options: ReadOptions = {}): Promise<FileRecord> {
    const { revision, at, forkId } = options;
    return await this.#get(workspaceId, 'fs/file', { path, revision, at: momentText(at), forkId }, options);
  }

  /** What a file is, without its content. NotFoundError: no such file. */
  async statFile(workspaceId: string, path: string, options: ReadOptions = {}): Promise<FileStat> {
    const { revision, at, forkId } = options;
    const { headers } = await this.#transport.open({
      method: 'HEAD',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path, revision, at: momentText(at), forkId },
      accept: rawType,
      call: options,
    });
    return fileStatOf(headers);
  }

  /** The bytes of a file, or of a part of it, as a stream: of any size, never whole in memory. */
  async readRaw(workspaceId: string, path: string, options: RawReadOptions = {}): Promise<RawFile> {
    const { revision, at, forkId, start = 0, end } = options;
    const whole = start === 0 && end === undefined;
    const response = await this.#transport.open({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path, revision, at: momentText(at), forkId },
      accept: rawType,
      ...(whole ? {} : { range: `bytes=${start}-${end === undefined ? '' : end - 1}` }),
      call: options,
    });
    return rawFileOf(response);
  }

  /** Bytes, a Blob or a stream become the content. Browsers send a stream only over HTTP/2: give them a Blob. */
  async writeRaw(
    workspaceId: string,
    path: string,
    content: Uint8Array | Blob | ReadableStream<Uint8Array>,
    options: RawWriteOptions = {},
  ): Promise<WriteQueued> {
    const { ifMatch = '*', contentType, forkId } = options;
    const { body } = await this.#transport.json<WriteQueued>({
      method: 'PUT',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path, contentType, forkId },
      ifMatch,
      rawBody: content,
      call: options,
    });
    return body;
  }

  /** Writes what `edit` makes of the file, of null where there is none; begins again when somebody else was faster. */
  async edit(
    workspaceId: string,
    path: string,
    edit: Edit,
    options: EditOptions = {},
  ): Promise<WriteQueued | null> {
    const file = {
      read: async () => await this.readFile(workspaceId, path, options),
      write: async (content: string | Uint8Array, write: WriteOptions) =>
        await this.writeFile(workspaceId, path, content, write),
    };
    return await editFile(file, edit, options);
  }

  /** Up to 100 files at once, in the order asked for; each is the file or its error. */
  async bulkRead(workspaceId: string, paths: readonly string[], options?: InForkOptions): Promise<BulkRead> {
    const route = workspaceRoute(workspaceId, 'fs/bulk-read');
    const { body } = await this.#transport.json<BulkRead>({
      method: 'POST',
      route,
      query: { forkId: options?.forkId },
      body: { paths },
      safe: true,
      call: options,
    });
    return body;
  }

  /**
   * Durable when it resolves. RevisionConflictError: the file is at another revision than `ifMatch`. With a `contentIdentity` it is
   * repeated when no answer came: the agent applies one identity once.
   */
  async writeFile(
    workspaceId: string,
    path: string,
    content: string | Uint8Array,
    options: WriteOptions = {},
  ): Promise<WriteQueued> {
    const { ifMatch = '*', contentType, semantics, contentIdentity, forkId } = options;
    const { body } = await this.#transport.json<WriteQueued>({
      method: 'PUT',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path, forkId },
      ifMatch,
      body: { ...wireContent(content), contentType, semantics, contentIdentity },
      safe: contentIdentity !== undefined,
      call: options,
    });
    return body;
  }

  /**
   * Brings an edit of an older revision together with what stands there now. InvalidStateError `merge_conflict`: both changed
   * the same lines, nothing was written; its `body.conflicts` says where.
   */
  async mergeFile(
    workspaceId: string,
    path: string,
    input: MergeBody,
    options?: CallOptions,
  ): Promise<MergeResult> {
    const { body } = await this.#transport.json<MergeResult>({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/merge'),
      query: { path },
      body: input,
      call: options,
    });
    return body;
  }

  /**
   * Many files, at most 10,000, in one request; the accepted ones are durable together, each refused one stands in `errors`. When each has a
   * `contentIdentity` the request is repeated when no answer came.
   */
  async bulkWrite(
    workspaceId: string,
    files: readonly BulkFileInput[],
    options?: InForkOptions,
  ): Promise<BulkResult> {
    const { body } = await this.#transport.json<BulkResult>({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/bulk'),
      query: { forkId: options?.forkId },
      body: { files: files.map((file) => ({ ...file, ...wireContent(file.content) })) },
      safe: files.length > 0 && files.every(({ contentIdentity }) => contentIdentity !== undefined),
      call: options,
    });
    return body;
  }

  async deleteFile(workspaceId: string, path: string, options: DeleteOptions = {}): Promise<WriteQueued> {
    const { body } = await this.#transport.json<WriteQueued>({
      method: 'DELETE',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path, forkId: options.forkId },
      ifMatch: options.ifMatch ?? '*',
      call: options,
    });
    return body;
  }

  /** Files by their metadata, a page. */
  async queryFiles(workspaceId: string, options: QueryOptions = {}): Promise<QueryResult> {
    const { path, provider, relation, permission, comment, cursor, limit, forkId } = options;
    const properties = Object.entries(options.properties ?? {}).map(([key, value]) => [
      `property.${key}`,
      value,
    ]);
    const query = { path, provider, relation, permission, comment, cursor, limit, forkId };
    return await this.#get(workspaceId, 'fs/query', { ...query, ...Object.fromEntries(properties) }, options);
  }

  /** Every file that matches, to the end of the list. */
  async *files(
    workspaceId: string,
    options: QueryOptions = {},
  ): AsyncGenerator<QueryResult['items'][number], void, undefined> {
    let cursor = options.cursor;
    for (;;) {
      const page = await this.queryFiles(workspaceId, {
        ...options,
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.items;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  /** All visible files of one moment, as a stream: a JSON array, a gzipped tar, or a patch that `git apply` takes. */
  async exportWorkspace(workspaceId: string, options: ExportOptions = {}): Promise<ExportedWorkspace> {
    const { format = 'json', path, forkId } = options;
    const response = await this.#transport.open({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/export'),
      query: { format, path, forkId },
      call: options,
    });
    const stream = response.body ?? new Blob([]).stream();
    return { contentType: response.headers.get('content-type') ?? '', stream };
  }

  async #get<T>(
    workspaceId: string,
    rest: string,
    query: Readonly<Record<string, string | number | undefined>>,
    call?: CallOptions,
  ): Promise<T> {
    const route = workspaceRoute(workspaceId, rest);
    const { body } = await this.#transport.json<T>({ method: 'GET', route, query, call });
    return body;
  }
}
