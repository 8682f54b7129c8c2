// Inbound events: webhooks, sync status per provider, dead letters, and the admin API.
import { workspaceRoute } from './routes.ts';
import type { RequestInput, Transport } from './transport.ts';
import type {
  Accepted,
  AdminIngress,
  AdminIngressOptions,
  AdminSync,
  AdminSyncOptions,
  BackendStatus,
  CallOptions,
  DeadLetter,
  DeadLetterAcknowledged,
  DeadLetterBulkAckBody,
  DeadLetterBulkReplayBody,
  DeadLetterBulkResult,
  DeadLetterDetail,
  DeadLetterPage,
  DeadLetterPreview,
  DeadLetterReplayBody,
  DeadLettersOptions,
  IngressStatus,
  SyncStatus,
  WebhookInput,
} from './types.ts';

const segment = encodeURIComponent;

export class SyncCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The event is durable when this resolves, and applied later. A repeated `delivery_id` has no effect. */
  async ingestWebhook(workspaceId: string, input: WebhookInput, options?: CallOptions): Promise<Accepted> {
    return await this.#transport.call({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'webhooks/ingest'),
      body: input,
      safe: input.delivery_id !== undefined,
      call: options,
    });
  }

  async status(
    workspaceId: string,
    options: CallOptions & { readonly provider?: string } = {},
  ): Promise<SyncStatus> {
    const { provider } = options;
    return await this.#get(workspaceRoute(workspaceId, 'sync/status'), { provider }, options);
  }

  async ingress(
    workspaceId: string,
    options: CallOptions & { readonly provider?: string } = {},
  ): Promise<IngressStatus> {
    const { provider } = options;
    return await this.#get(workspaceRoute(workspaceId, 'sync/ingress'), { provider }, options);
  }

  readonly deadLetters = {
    /** One page, newest first. */
    list: async (workspaceId: string, options: DeadLettersOptions = {}): Promise<DeadLetterPage> => {
      const { provider, cause, text, cursor, limit } = options;
      return await this.#get(deadLetters(workspaceId), { provider, cause, text, cursor, limit }, options);
    },
    get: async (workspaceId: string, envelopeId: string, options?: CallOptions): Promise<DeadLetter> =>
      await this.#get(deadLetter(workspaceId, envelopeId), {}, options),
    /** The envelope with all attempts, also after a replay or an acknowledgement. */
    detail: async (
      workspaceId: string,
      envelopeId: string,
      options?: CallOptions,
    ): Promise<DeadLetterDetail> =>
      await this.#get(`${deadLetter(workspaceId, envelopeId)}/detail`, {}, options),
    /** The result that `replay` would have with the same input. */
    preview: async (
      workspaceId: string,
      envelopeId: string,
      input: DeadLetterReplayBody = {},
      options?: CallOptions,
    ): Promise<DeadLetterPreview> =>
      await this.#transport.call({
        method: 'POST',
        route: `${deadLetter(workspaceId, envelopeId)}/preview`,
        body: input,
        safe: true,
        call: options,
      }),
    replay: async (
      workspaceId: string,
      envelopeId: string,
      input: DeadLetterReplayBody = {},
      options?: CallOptions,
    ): Promise<Accepted> =>
      await this.#transport.call({
        method: 'POST',
        route: `${deadLetter(workspaceId, envelopeId)}/replay`,
        body: input,
        call: options,
      }),
    acknowledge: async (
      workspaceId: string,
      envelopeId: string,
      options?: CallOptions,
    ): Promise<DeadLetterAcknowledged> =>
      await this.#transport.call({
        method: 'POST',
        route: `${deadLetter(workspaceId, envelopeId)}/ack`,
        call: options,
      }),
    /** Replays all that match, at most 1,000 per request. */
    replayMany: async (
      workspaceId: string,
      input: DeadLetterBulkReplayBody = {},
      options?: CallOptions,
    ): Promise<DeadLetterBulkResult> =>
      await this.#transport.call({
        method: 'POST',
        route: `${deadLetters(workspaceId)}/replay`,
        body: input,
        call: options,
      }),
    acknowledgeMany: async (
      workspaceId: string,
      input: DeadLetterBulkAckBody = {},
      options?: CallOptions,
    ): Promise<DeadLetterBulkResult> =>
      await this.#transport.call({
        method: 'POST',
        route: `${deadLetters(workspaceId)}/ack`,
        body: input,
        call: options,
      }),
  };

  /** Requires the scope `admin:read` or `admin:replay`. */
  readonly admin = {
    backends: async (options?: CallOptions): Promise<BackendStatus> =>
      await this.#get('/v1/admin/backends', {}, options),
    ingress: async (options: AdminIngressOptions = {}): Promise<AdminIngress> =>
      await this.#get('/v1/admin/ingress', parametersOf(options), options),
    sync: async (options: AdminSyncOptions = {}): Promise<AdminSync> =>
      await this.#get('/v1/admin/sync', parametersOf(options), options),
    replayEnvelope: async (envelopeId: string, options?: CallOptions): Promise<Accepted> =>
      await this.#transport.call({
        method: 'POST',
        route: `/v1/admin/replay/envelope/${segment(envelopeId)}`,
        call: options,
      }),
    replayOperation: async (opId: string, options?: CallOptions): Promise<Accepted> =>
      await this.#transport.call({
        method: 'POST',
        route: `/v1/admin/replay/op/${segment(opId)}`,
        call: options,
      }),
  };

  async #get<T>(route: string, query: NonNullable<RequestInput['query']>, call?: CallOptions): Promise<T> {
    return await this.#transport.call({ method: 'GET', route, query, call });
  }
}

/** The query parameters: all options except those of every call. */
function parametersOf(
  options: AdminIngressOptions | AdminSyncOptions,
): Readonly<Record<string, string | number | undefined>> {
  const { signal: _signal, correlationId: _correlationId, timeoutMs: _timeoutMs, ...parameters } = options;
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? String(value) : value,
    ]),
  );
}

function deadLetters(workspaceId: string): string {
  return workspaceRoute(workspaceId, 'sync/dead-letter');
}

function deadLetter(workspaceId: string, envelopeId: string): string {
  return `${deadLetters(workspaceId)}/${segment(envelopeId)}`;
}
