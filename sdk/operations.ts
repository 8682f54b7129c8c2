// Operations: all states, and the pending ones of writeback; and drafts.
import { CallGroup, pagesOf, segment, workspaceRoute } from './call-group.ts';
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

export class OperationCalls extends CallGroup {
  /** One page, newest first. */
  async list(workspaceId: string, options: OperationsOptions = {}): Promise<OperationPage> {
    const { status, action, provider, registered, text, cursor, limit } = options;
    return await this.transport.get(workspaceRoute(workspaceId, 'ops'), options, {
      status,
      action,
      provider,
      registered: registered === true ? 'true' : undefined,
      text,
      cursor,
      limit,
    });
  }

  /** All operations that match, newest first. */
  async *all(
    workspaceId: string,
    options: OperationsOptions = {},
  ): AsyncGenerator<Operation, void, undefined> {
    const readPage = async (query: OperationsOptions) => await this.list(workspaceId, query);
    for await (const { items } of pagesOf(readPage, options)) yield* items;
  }

  async get(workspaceId: string, opId: string, options?: CallOptions): Promise<Operation> {
    return await this.transport.get(operationRoute(workspaceId, opId), options);
  }

  async steps(workspaceId: string, opId: string, options?: CallOptions): Promise<OperationSteps> {
    return await this.transport.get(operationRoute(workspaceId, opId, '/steps'), options);
  }

  /** Makes the operation pending again. InvalidStateError: it is not dead-lettered. */
  async replay(
    workspaceId: string,
    opId: string,
    options: CallOptions & { readonly send?: ReplayOf } = {},
  ): Promise<Accepted> {
    const { send = 'current' } = options;
    return await this.transport.post(operationRoute(workspaceId, opId, '/replay'), options, { send });
  }

  /** The request that a replay would send. */
  async previewReplay(
    workspaceId: string,
    opId: string,
    options: CallOptions & { readonly send?: ReplayOf } = {},
  ): Promise<WritebackPreview> {
    const { send = 'current' } = options;
    return await this.transport.get(operationRoute(workspaceId, opId, '/preview'), options, { send });
  }

  /** Replays the dead-lettered operations that match, oldest first, at most 1,000 per request. */
  async replayMany(
    workspaceId: string,
    input: OperationBulkReplayBody = {},
    options?: CallOptions,
  ): Promise<OperationBulkResult> {
    return await this.transport.post(workspaceRoute(workspaceId, 'ops/replay'), options, input);
  }
}

function operationRoute(workspaceId: string, opId: string, rest = ''): string {
  return workspaceRoute(workspaceId, `ops/${segment(opId)}${rest}`);
}

export class WritebackCalls extends CallGroup {
  /** Pending and running operations, oldest first. */
  async pending(workspaceId: string, options?: CallOptions): Promise<WritebackItem[]> {
    return await this.transport.get(workspaceRoute(workspaceId, 'writeback/pending'), options);
  }

  /** The request of an operation, and the diff against the provider's revision. */
  async preview(workspaceId: string, operationId: string, options?: CallOptions): Promise<WritebackPreview> {
    return await this.transport.get(writebackRoute(workspaceId, operationId, 'preview'), options);
  }

  async acknowledge(
    workspaceId: string,
    operationId: string,
    input: AcknowledgeInput = {},
    options?: CallOptions,
  ): Promise<WritebackAcknowledged> {
    const route = writebackRoute(workspaceId, operationId, 'ack');
    const body = { success: true, ...input };
    return await this.transport.post(route, options, body);
  }

  /** The operation is never sent. InvalidStateError: it is not pending. */
  async cancel(workspaceId: string, operationId: string, options?: CallOptions): Promise<WritebackCanceled> {
    return await this.transport.post(writebackRoute(workspaceId, operationId, 'cancel'), options);
  }

  /** Cancels the pending operations that match, oldest first, at most 1,000 per request. */
  async cancelMany(
    workspaceId: string,
    input: OperationBulkBody = {},
    options?: CallOptions,
  ): Promise<OperationBulkResult> {
    return await this.transport.post(workspaceRoute(workspaceId, 'writeback/cancel'), options, input);
  }

  /** Skips the backoff of a pending operation. InvalidStateError: its message has the reason. */
  async retryNow(workspaceId: string, operationId: string, options?: CallOptions): Promise<Accepted> {
    return await this.transport.post(writebackRoute(workspaceId, operationId, 'send'), options);
  }

  /** Retries the pending operations that match, oldest first, at most 1,000 per request. */
  async retryManyNow(
    workspaceId: string,
    input: OperationBulkBody = {},
    options?: CallOptions,
  ): Promise<OperationBulkResult> {
    return await this.transport.post(workspaceRoute(workspaceId, 'writeback/send'), options, input);
  }

  /** Lists leftover drafts, and deletes them with `apply`. */
  async sweepDrafts(
    workspaceId: string,
    input: SweepDraftsBody = {},
    options?: CallOptions,
  ): Promise<SweptDrafts> {
    return await this.transport.post(workspaceRoute(workspaceId, 'writeback/sweep-drafts'), options, input);
  }
}

function writebackRoute(workspaceId: string, operationId: string, action: string): string {
  return workspaceRoute(workspaceId, `writeback/${segment(operationId)}/${action}`);
}
