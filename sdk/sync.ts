// What comes in: webhooks, the state of each provider's sync, dead letters, and the admin plane's view of it all.
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

  /** Durable when it resolves, applied soon after. With a `delivery_id` it may be repeated without effect. */
  async ingestWebhook(workspaceId: string, input: WebhookInput, options?: CallOptions): Promise<Accepted> {
    return await this.#call({
      method: 'POST',
      route: `${workspace(workspaceId)}/webhooks/ingest`,
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
    return await this.#get(`${workspace(workspaceId)}/sync/status`, { provider }, options);
  }

  async ingress(
    workspaceId: string,
    options: CallOptions & { readonly provider?: string } = {},
  ): Promise<IngressStatus> {
    const { provider } = options;
    return await this.#get(`${workspace(workspaceId)}/sync/ingress`, { provider }, options);
  }

  readonly deadLetters = {
    /** Newest first, a page. */
    list: async (workspaceId: string, options: DeadLettersOptions = {}): Promise<DeadLetterPage> => {
      const { provider, cause, text, cursor, limit } = options;
      return await this.#get(deadLetters(workspaceId), { provider, cause, text, cursor, limit }, options);
    },
    get: async (workspaceId: string, envelopeId: string, options?: CallOptions): Promise<DeadLetter> =>
      await this.#get(deadLetter(workspaceId, envelopeId), {}, options),
    /** The whole envelope with every attempt; also after it was replayed or acknowledged. */
    detail: async (
      workspaceId: string,
      envelopeId: string,
      options?: CallOptions,
    ): Promise<DeadLetterDetail> =>
      await this.#get(`${deadLetter(workspaceId, envelopeId)}/detail`, {}, options),
    /** What `replay` with the same input would do now. */
    preview: async (
      workspaceId: string,
      envelopeId: string,
      input: DeadLetterReplayBody = {},
      options?: CallOptions,
    ): Promise<DeadLetterPreview> =>
      await this.#call({
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
      await this.#call({
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
      await this.#call({
        method: 'POST',
        route: `${deadLetter(workspaceId, envelopeId)}/ack`,
        call: options,
      }),
    /** All that match, at most 1,000 at once. */
    replayMany: async (
      workspaceId: string,
      input: DeadLetterBulkReplayBody = {},
      options?: CallOptions,
    ): Promise<DeadLetterBulkResult> =>
      await this.#call({
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
      await this.#call({
        method: 'POST',
        route: `${deadLetters(workspaceId)}/ack`,
        body: input,
        call: options,
      }),
  };

  /** Scope `admin:read` or `admin:replay`. */
  readonly admin = {
    backends: async (options?: CallOptions): Promise<BackendStatus> =>
      await this.#get('/v1/admin/backends', {}, options),
    ingress: async (options: AdminIngressOptions = {}): Promise<AdminIngress> =>
      await this.#get('/v1/admin/ingress', parametersOf(options), options),
    sync: async (options: AdminSyncOptions = {}): Promise<AdminSync> =>
      await this.#get('/v1/admin/sync', parametersOf(options), options),
    replayEnvelope: async (envelopeId: string, options?: CallOptions): Promise<Accepted> =>
      await this.#call({
        method: 'POST',
        route: `/v1/admin/replay/envelope/${segment(envelopeId)}`,
        call: options,
      }),
    replayOperation: async (opId: string, options?: CallOptions): Promise<Accepted> =>
      await this.#call({ method: 'POST', route: `/v1/admin/replay/op/${segment(opId)}`, call: options }),
  };

  async #get<T>(route: string, query: NonNullable<RequestInput['query']>, call?: CallOptions): Promise<T> {
    return await this.#call({ method: 'GET', route, query, call });
  }

  async #call<T>(input: RequestInput): Promise<T> {
    return (await this.#transport.json<T>(input)).body;
  }
}

/** All but what every call takes. */
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

function workspace(workspaceId: string): string {
  return `/v1/workspaces/${segment(workspaceId)}`;
}

function deadLetters(workspaceId: string): string {
  return `${workspace(workspaceId)}/sync/dead-letter`;
}

function deadLetter(workspaceId: string, envelopeId: string): string {
  return `${deadLetters(workspaceId)}/${segment(envelopeId)}`;
}
