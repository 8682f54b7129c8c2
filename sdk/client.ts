// The client: every call of the agent that a program needs, typed. It holds no state beside its options and may be shared.
// It must never repeat a change that may have been applied (transport.ts decides).
import { wireContent } from './content.ts';
import { type Edit, editFile } from './edit.ts';
import { HistoryCalls } from './history.ts';
import { type SubscribeOptions, type Subscription, subscribe } from './live.ts';
import { ManagementCalls } from './management.ts';
import { SubscriptionCalls, WebhookCalls } from './notices.ts';
import { rawFileOf, rawType } from './raw.ts';
import { SyncCalls } from './sync.ts';
import { Transport, type TransportOptions } from './transport.ts';
import type {
  Accepted,
  AcknowledgeInput,
  BulkFileInput,
  BulkRead,
  BulkResult,
  CallOptions,
  DeleteOptions,
  EditOptions,
  Events,
  EventsOptions,
  ExportedWorkspace,
  ExportOptions,
  FileRecord,
  MergeBody,
  MergeResult,
  Operation,
  OperationBulkBody,
  OperationBulkReplayBody,
  OperationBulkResult,
  OperationPage,
  OperationSteps,
  OperationsOptions,
  QueryOptions,
  QueryResult,
  RawFile,
  RawReadOptions,
  RawWriteOptions,
  ReadOptions,
  ReplayOf,
  SweepDraftsBody,
  SweptDrafts,
  Tree,
  TreeOptions,
  WorkspaceEvent,
  WritebackAcknowledged,
  WritebackCanceled,
  WritebackItem,
  WritebackPreview,
  WriteOptions,
  WriteQueued,
} from './types.ts';

export interface ClientOptions extends TransportOptions {
  /** For `subscribe`, where there is no global WebSocket (before Node 22). */
  readonly webSocket?: (url: string) => WebSocket;
}

export class MooringClient extends ManagementCalls {
  /** What comes in from providers: webhooks, sync status, dead letters, the admin plane. */
  readonly sync: SyncCalls;
  /** Addresses that are told of changes. */
  readonly webhooks: WebhookCalls;
  /** Events of one resource that wait until they are accepted. */
  readonly subscriptions: SubscriptionCalls;
  /** What was: revisions of files, differences, restoring. */
  readonly history: HistoryCalls;
  readonly #transport: Transport;
  readonly #webSocket: ((url: string) => WebSocket) | undefined;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    super(transport);
    this.#transport = transport;
    this.sync = new SyncCalls(transport);
    this.webhooks = new WebhookCalls(transport);
    this.subscriptions = new SubscriptionCalls(transport);
    this.history = new HistoryCalls(transport);
    this.#webSocket = options.webSocket;
  }

  // ---- files

  /** A page of at most 1,000 files and directories below a path, byte-wise by path. */
  async listTree(workspaceId: string, options: TreeOptions = {}): Promise<Tree> {
    const { path, depth, cursor } = options;
    return await this.#get(workspaceId, 'fs/tree', { path, depth, cursor }, options);
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
    return await this.#get(workspaceId, 'fs/file', { path, revision: options.revision }, options);
  }

  /** The bytes of a file, or of a part of it, as a stream: of any size, never whole in memory. */
  async readRaw(workspaceId: string, path: string, options: RawReadOptions = {}): Promise<RawFile> {
    const { revision, start = 0, end } = options;
    const whole = start === 0 && end === undefined;
    const response = await this.#transport.open({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path, revision },
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
    const { ifMatch = '*', contentType } = options;
    const { body } = await this.#transport.json<WriteQueued>({
      method: 'PUT',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path, contentType },
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
  async bulkRead(workspaceId: string, paths: readonly string[], options?: CallOptions): Promise<BulkRead> {
    const route = workspaceRoute(workspaceId, 'fs/bulk-read');
    const { body } = await this.#transport.json<BulkRead>({
      method: 'POST',
      route,
      body: { paths },
      safe: true,
      call: options,
    });
    return body;
  }

  /** Durable when it resolves. RevisionConflictError: the file is at another revision than `ifMatch`. */
  async writeFile(
    workspaceId: string,
    path: string,
    content: string | Uint8Array,
    options: WriteOptions = {},
  ): Promise<WriteQueued> {
    const { ifMatch = '*', contentType, semantics, contentIdentity } = options;
    const { body } = await this.#transport.json<WriteQueued>({
      method: 'PUT',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path },
      ifMatch,
      body: { ...wireContent(content), contentType, semantics, contentIdentity },
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

  /** Many files in one request; the accepted ones are durable together, each refused one stands in `errors`. */
  async bulkWrite(
    workspaceId: string,
    files: readonly BulkFileInput[],
    options?: CallOptions,
  ): Promise<BulkResult> {
    const { body } = await this.#transport.json<BulkResult>({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/bulk'),
      body: { files: files.map((file) => ({ ...file, ...wireContent(file.content) })) },
      call: options,
    });
    return body;
  }

  async deleteFile(workspaceId: string, path: string, options: DeleteOptions = {}): Promise<WriteQueued> {
    const { body } = await this.#transport.json<WriteQueued>({
      method: 'DELETE',
      route: workspaceRoute(workspaceId, 'fs/file'),
      query: { path },
      ifMatch: options.ifMatch ?? '*',
      call: options,
    });
    return body;
  }

  /** Files by their metadata, a page. */
  async queryFiles(workspaceId: string, options: QueryOptions = {}): Promise<QueryResult> {
    const { path, provider, relation, permission, comment, cursor, limit } = options;
    const properties = Object.entries(options.properties ?? {}).map(([key, value]) => [
      `property.${key}`,
      value,
    ]);
    const query = { path, provider, relation, permission, comment, cursor, limit };
    return await this.#get(workspaceId, 'fs/query', { ...query, ...Object.fromEntries(properties) }, options);
  }

  /** All visible files of one moment, as a stream: a JSON array, a gzipped tar, or a patch that `git apply` takes. */
  async exportWorkspace(workspaceId: string, options: ExportOptions = {}): Promise<ExportedWorkspace> {
    const { format = 'json', path } = options;
    const response = await this.#transport.open({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/export'),
      query: { format, path },
      call: options,
    });
    const stream = response.body ?? new Blob([]).stream();
    return { contentType: response.headers.get('content-type') ?? '', stream };
  }

  // ---- events

  async getEvents(workspaceId: string, options: EventsOptions = {}): Promise<Events> {
    const { path, provider, cursor, limit, direction } = options;
    const { body, headers } = await this.#transport.json<Omit<Events, 'cursorGap'>>({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'fs/events'),
      query: { path, provider, cursor, limit, direction },
      call: options,
    });
    return { ...body, cursorGap: headers.get('mooring-cursor-gap') === '1' };
  }

  /** Every event that there is after a cursor (without one: every kept event), to the end of the feed. */
  async *events(
    workspaceId: string,
    options: EventsOptions = {},
  ): AsyncGenerator<WorkspaceEvent, void, undefined> {
    let cursor = options.cursor;
    for (;;) {
      const page = await this.getEvents(workspaceId, {
        ...options,
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.events;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  /** Events as they happen, without a gap over reconnects. See live.ts. */
  subscribe(workspaceId: string, options: SubscribeOptions): Subscription {
    return subscribe(
      {
        token: () => this.#transport.token(),
        baseUrl: this.#transport.baseUrl,
        getEvents: (query) => this.getEvents(workspaceId, query),
        ...(this.#webSocket === undefined ? {} : { webSocket: this.#webSocket }),
      },
      workspaceId,
      options,
    );
  }

  // ---- operations and writeback

  async listOperations(workspaceId: string, options: OperationsOptions = {}): Promise<OperationPage> {
    const { status, action, provider, cursor, limit } = options;
    return await this.#get(workspaceId, 'ops', { status, action, provider, cursor, limit }, options);
  }

  async getOperation(workspaceId: string, opId: string, options?: CallOptions): Promise<Operation> {
    return await this.#get(workspaceId, `ops/${encodeURIComponent(opId)}`, {}, options);
  }

  async listPendingWriteback(workspaceId: string, options?: CallOptions): Promise<WritebackItem[]> {
    return await this.#get(workspaceId, 'writeback/pending', {}, options);
  }

  async ackWriteback(
    workspaceId: string,
    itemId: string,
    input: AcknowledgeInput = {},
    options?: CallOptions,
  ): Promise<WritebackAcknowledged> {
    const { body } = await this.#transport.json<WritebackAcknowledged>({
      method: 'POST',
      route: workspaceRoute(workspaceId, `writeback/${encodeURIComponent(itemId)}/ack`),
      body: { success: true, ...input },
      call: options,
    });
    return body;
  }

  /** What an item would send, and how that differs from what its provider has. Nothing is sent. */
  async previewWriteback(
    workspaceId: string,
    itemId: string,
    options?: CallOptions,
  ): Promise<WritebackPreview> {
    return await this.#get(workspaceId, `writeback/${encodeURIComponent(itemId)}/preview`, {}, options);
  }

  /** A pending item is never sent. InvalidStateError: it is not pending. */
  async cancelWriteback(
    workspaceId: string,
    itemId: string,
    options?: CallOptions,
  ): Promise<WritebackCanceled> {
    return await this.#post(
      workspaceId,
      `writeback/${encodeURIComponent(itemId)}/cancel`,
      undefined,
      options,
    );
  }

  /** A pending item is tried at once, whatever pause it is in. InvalidStateError: its message says why it cannot be. */
  async sendWritebackNow(workspaceId: string, itemId: string, options?: CallOptions): Promise<Accepted> {
    return await this.#post(workspaceId, `writeback/${encodeURIComponent(itemId)}/send`, undefined, options);
  }

  /** All pending items that match, oldest first, at most 1,000 at once. What became of each stands in the answer. */
  async sendWritebacksNow(
    workspaceId: string,
    input: OperationBulkBody = {},
    options?: CallOptions,
  ): Promise<OperationBulkResult> {
    return await this.#post(workspaceId, 'writeback/send', input, options);
  }

  /** The same: they are never sent. */
  async cancelWritebacks(
    workspaceId: string,
    input: OperationBulkBody = {},
    options?: CallOptions,
  ): Promise<OperationBulkResult> {
    return await this.#post(workspaceId, 'writeback/cancel', input, options);
  }

  /** All dead-lettered operations that match, oldest first, at most 1,000 at once. */
  async replayOperations(
    workspaceId: string,
    input: OperationBulkReplayBody = {},
    options?: CallOptions,
  ): Promise<OperationBulkResult> {
    return await this.#post(workspaceId, 'ops/replay', input, options);
  }

  /** Drafts that were left behind; with `apply` they go. */
  async sweepDrafts(
    workspaceId: string,
    input: SweepDraftsBody = {},
    options?: CallOptions,
  ): Promise<SweptDrafts> {
    return await this.#post(workspaceId, 'writeback/sweep-drafts', input, options);
  }

  async getOperationSteps(workspaceId: string, opId: string, options?: CallOptions): Promise<OperationSteps> {
    return await this.#get(workspaceId, `ops/${encodeURIComponent(opId)}/steps`, {}, options);
  }

  /** Back to pending. InvalidStateError: it is not dead-lettered. */
  async replayOperation(
    workspaceId: string,
    opId: string,
    options: CallOptions & { readonly send?: ReplayOf } = {},
  ): Promise<Accepted> {
    const { send = 'current' } = options;
    return await this.#post(workspaceId, `ops/${encodeURIComponent(opId)}/replay`, { send }, options);
  }

  /** What a replay would send. Nothing is sent. */
  async previewReplay(
    workspaceId: string,
    opId: string,
    options: CallOptions & { readonly send?: ReplayOf } = {},
  ): Promise<WritebackPreview> {
    const { send = 'current' } = options;
    return await this.#get(workspaceId, `ops/${encodeURIComponent(opId)}/preview`, { send }, options);
  }

  /** Every operation that matches, newest first, to the end of the list. */
  async *operations(
    workspaceId: string,
    options: OperationsOptions = {},
  ): AsyncGenerator<Operation, void, undefined> {
    let cursor = options.cursor;
    for (;;) {
      const page = await this.listOperations(workspaceId, {
        ...options,
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.items;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  /** Pulls what providers have; absent: every provider. The answer comes before the pull. */
  async refresh(
    workspaceId: string,
    input: { readonly provider?: string; readonly reason?: string } = {},
    options?: CallOptions,
  ): Promise<Accepted> {
    return await this.#post(workspaceId, 'sync/refresh', input, options);
  }

  async #post<T>(workspaceId: string, rest: string, content: unknown, call?: CallOptions): Promise<T> {
    const route = workspaceRoute(workspaceId, rest);
    const { body } = await this.#transport.json<T>({ method: 'POST', route, body: content, call });
    return body;
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

function workspaceRoute(workspaceId: string, rest: string): string {
  return `/v1/workspaces/${encodeURIComponent(workspaceId)}/${rest}`;
}
