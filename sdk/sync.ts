// Inbound events: webhooks, sync status per provider, dead letters, and the admin API.
import { CallGroup, segment, workspaceRoute } from './call-group.ts';
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

export class SyncCalls extends CallGroup {
  /** The event is durable when this resolves, and applied later. A repeated `delivery_id` has no effect. */
  async ingestWebhook(workspaceId: string, input: WebhookInput, options?: CallOptions): Promise<Accepted> {
    return await this.transport.call({
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
    return await this.transport.get(workspaceRoute(workspaceId, 'sync/status'), options, { provider });
  }

  async ingress(
    workspaceId: string,
    options: CallOptions & { readonly provider?: string } = {},
  ): Promise<IngressStatus> {
    const { provider } = options;
    return await this.transport.get(workspaceRoute(workspaceId, 'sync/ingress'), options, { provider });
  }

  readonly deadLetters = {
    /** One page, newest first. */
    list: async (workspaceId: string, options: DeadLettersOptions = {}): Promise<DeadLetterPage> => {
      const { provider, cause, text, cursor, limit } = options;
      return await this.transport.get(deadLetters(workspaceId), options, {
        provider,
        cause,
        text,
        cursor,
        limit,
      });
    },
    get: async (workspaceId: string, envelopeId: string, options?: CallOptions): Promise<DeadLetter> =>
      await this.transport.get(deadLetter(workspaceId, envelopeId), options),
    /** The envelope with all attempts, also after a replay or an acknowledgement. */
    detail: async (
      workspaceId: string,
      envelopeId: string,
      options?: CallOptions,
    ): Promise<DeadLetterDetail> =>
      await this.transport.get(`${deadLetter(workspaceId, envelopeId)}/detail`, options),
    /** The result that `replay` would have with the same input. */
    preview: async (
      workspaceId: string,
      envelopeId: string,
      input: DeadLetterReplayBody = {},
      options?: CallOptions,
    ): Promise<DeadLetterPreview> =>
      await this.transport.postSafe(`${deadLetter(workspaceId, envelopeId)}/preview`, options, input),
    replay: async (
      workspaceId: string,
      envelopeId: string,
      input: DeadLetterReplayBody = {},
      options?: CallOptions,
    ): Promise<Accepted> =>
      await this.transport.post(`${deadLetter(workspaceId, envelopeId)}/replay`, options, input),
    acknowledge: async (
      workspaceId: string,
      envelopeId: string,
      options?: CallOptions,
    ): Promise<DeadLetterAcknowledged> =>
      await this.transport.post(`${deadLetter(workspaceId, envelopeId)}/ack`, options),
    /** Replays all that match, at most 1,000 per request. */
    replayMany: async (
      workspaceId: string,
      input: DeadLetterBulkReplayBody = {},
      options?: CallOptions,
    ): Promise<DeadLetterBulkResult> =>
      await this.transport.post(`${deadLetters(workspaceId)}/replay`, options, input),
    acknowledgeMany: async (
      workspaceId: string,
      input: DeadLetterBulkAckBody = {},
      options?: CallOptions,
    ): Promise<DeadLetterBulkResult> =>
      await this.transport.post(`${deadLetters(workspaceId)}/ack`, options, input),
  };

  /** Requires the scope `admin:read` or `admin:replay`. */
  readonly admin = {
    backends: async (options?: CallOptions): Promise<BackendStatus> =>
      await this.transport.get('/v1/admin/backends', options),
    ingress: async (options: AdminIngressOptions = {}): Promise<AdminIngress> =>
      await this.transport.get('/v1/admin/ingress', options, parametersOf(options)),
    sync: async (options: AdminSyncOptions = {}): Promise<AdminSync> =>
      await this.transport.get('/v1/admin/sync', options, parametersOf(options)),
    replayEnvelope: async (envelopeId: string, options?: CallOptions): Promise<Accepted> =>
      await this.transport.post(`/v1/admin/replay/envelope/${segment(envelopeId)}`, options),
    replayOperation: async (opId: string, options?: CallOptions): Promise<Accepted> =>
      await this.transport.post(`/v1/admin/replay/op/${segment(opId)}`, options),
  };
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
