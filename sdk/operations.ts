// Operations in all states: list, steps and replay.
import { pagesOf } from './pages.ts';
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
import type {
  Accepted,
  CallOptions,
  Operation,
  OperationBulkReplayBody,
  OperationBulkResult,
  OperationPage,
  OperationSteps,
  OperationsOptions,
  ReplayOf,
  WritebackPreview,
} from './types.ts';

export class OperationCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page, newest first. */
  async list(workspaceId: string, options: OperationsOptions = {}): Promise<OperationPage> {
    const { status, action, provider, cursor, limit } = options;
    return await this.#transport.call({
      method: 'GET',
      route: workspaceRoute(workspaceId, 'ops'),
      query: { status, action, provider, cursor, limit },
      call: options,
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
    return await this.#transport.call({
      method: 'GET',
      route: operationRoute(workspaceId, opId),
      call: options,
    });
  }

  async steps(workspaceId: string, opId: string, options?: CallOptions): Promise<OperationSteps> {
    const route = operationRoute(workspaceId, opId, '/steps');
    return await this.#transport.call({ method: 'GET', route, call: options });
  }

  /** Makes the operation pending again. InvalidStateError: it is not dead-lettered. */
  async replay(
    workspaceId: string,
    opId: string,
    options: CallOptions & { readonly send?: ReplayOf } = {},
  ): Promise<Accepted> {
    const { send = 'current' } = options;
    const route = operationRoute(workspaceId, opId, '/replay');
    return await this.#transport.call({ method: 'POST', route, body: { send }, call: options });
  }

  /** The request that a replay would send. */
  async previewReplay(
    workspaceId: string,
    opId: string,
    options: CallOptions & { readonly send?: ReplayOf } = {},
  ): Promise<WritebackPreview> {
    const { send = 'current' } = options;
    const route = operationRoute(workspaceId, opId, '/preview');
    return await this.#transport.call({ method: 'GET', route, query: { send }, call: options });
  }

  /** Replays the dead-lettered operations that match, oldest first, at most 1,000 per request. */
  async replayMany(
    workspaceId: string,
    input: OperationBulkReplayBody = {},
    options?: CallOptions,
  ): Promise<OperationBulkResult> {
    const route = workspaceRoute(workspaceId, 'ops/replay');
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }
}

function operationRoute(workspaceId: string, opId: string, rest = ''): string {
  return workspaceRoute(workspaceId, `ops/${encodeURIComponent(opId)}${rest}`);
}
