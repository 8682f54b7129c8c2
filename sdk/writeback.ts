// Pending operations: preview, acknowledge, retry and cancel; and drafts.
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
import type {
  Accepted,
  AcknowledgeInput,
  CallOptions,
  OperationBulkBody,
  OperationBulkResult,
  SweepDraftsBody,
  SweptDrafts,
  WritebackAcknowledged,
  WritebackCanceled,
  WritebackItem,
  WritebackPreview,
} from './types.ts';

export class WritebackCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Pending and running operations, oldest first. */
  async pending(workspaceId: string, options?: CallOptions): Promise<WritebackItem[]> {
    const route = workspaceRoute(workspaceId, 'writeback/pending');
    return await this.#transport.call({ method: 'GET', route, call: options });
  }

  /** The request of an operation, and the diff against the provider's revision. */
  async preview(workspaceId: string, operationId: string, options?: CallOptions): Promise<WritebackPreview> {
    const route = operationRoute(workspaceId, operationId, 'preview');
    return await this.#transport.call({ method: 'GET', route, call: options });
  }

  async acknowledge(
    workspaceId: string,
    operationId: string,
    input: AcknowledgeInput = {},
    options?: CallOptions,
  ): Promise<WritebackAcknowledged> {
    const route = operationRoute(workspaceId, operationId, 'ack');
    const body = { success: true, ...input };
    return await this.#transport.call({ method: 'POST', route, body, call: options });
  }

  /** The operation is never sent. InvalidStateError: it is not pending. */
  async cancel(workspaceId: string, operationId: string, options?: CallOptions): Promise<WritebackCanceled> {
    const route = operationRoute(workspaceId, operationId, 'cancel');
    return await this.#transport.call({ method: 'POST', route, call: options });
  }

  /** Cancels the pending operations that match, oldest first, at most 1,000 per request. */
  async cancelMany(
    workspaceId: string,
    input: OperationBulkBody = {},
    options?: CallOptions,
  ): Promise<OperationBulkResult> {
    const route = workspaceRoute(workspaceId, 'writeback/cancel');
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }

  /** Skips the backoff of a pending operation. InvalidStateError: its message has the reason. */
  async retryNow(workspaceId: string, operationId: string, options?: CallOptions): Promise<Accepted> {
    const route = operationRoute(workspaceId, operationId, 'send');
    return await this.#transport.call({ method: 'POST', route, call: options });
  }

  /** Retries the pending operations that match, oldest first, at most 1,000 per request. */
  async retryManyNow(
    workspaceId: string,
    input: OperationBulkBody = {},
    options?: CallOptions,
  ): Promise<OperationBulkResult> {
    const route = workspaceRoute(workspaceId, 'writeback/send');
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }

  /** Lists leftover drafts, and deletes them with `apply`. */
  async sweepDrafts(
    workspaceId: string,
    input: SweepDraftsBody = {},
    options?: CallOptions,
  ): Promise<SweptDrafts> {
    const route = workspaceRoute(workspaceId, 'writeback/sweep-drafts');
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }
}

function operationRoute(workspaceId: string, operationId: string, action: string): string {
  return workspaceRoute(workspaceId, `writeback/${encodeURIComponent(operationId)}/${action}`);
}
