// Operations and writeback: what waits for a provider, what became of it, and what is done about it.
import { FileCalls } from './files.ts';
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
import type {
  Accepted,
  AcknowledgeInput,
  CallOptions,
  Operation,
  OperationBulkBody,
  OperationBulkReplayBody,
  OperationBulkResult,
  OperationPage,
  OperationSteps,
  OperationsOptions,
  ReplayOf,
  SweepDraftsBody,
  SweptDrafts,
  WritebackAcknowledged,
  WritebackCanceled,
  WritebackItem,
  WritebackPreview,
} from './types.ts';

export class OperationCalls extends FileCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport);
    this.#transport = transport;
  }

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
