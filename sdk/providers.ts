// Providers of a workspace: register, test, pause, refresh and remove.
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
import type {
  Accepted,
  CallOptions,
  Provider,
  ProviderCreateBody,
  ProviderList,
  ProviderRemoved,
  ProviderTest,
  ProviderUpdateBody,
} from './types.ts';

export class ProviderCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(workspaceId: string, options?: CallOptions): Promise<Provider[]> {
    return (await this.withSenders(workspaceId, options)).providers;
  }

  /** Registered providers, and senders of webhooks that are not registered. */
  async withSenders(workspaceId: string, options?: CallOptions): Promise<ProviderList> {
    const route = workspaceRoute(workspaceId, 'providers');
    return await this.#transport.call({ method: 'GET', route, call: options });
  }

  async get(workspaceId: string, provider: string, options?: CallOptions): Promise<Provider> {
    const route = providerRoute(workspaceId, provider);
    return await this.#transport.call({ method: 'GET', route, call: options });
  }

  /** No answer contains the secret. */
  async add(workspaceId: string, input: ProviderCreateBody, options?: CallOptions): Promise<Provider> {
    const route = workspaceRoute(workspaceId, 'providers');
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }

  /** Absent settings keep their values. */
  async update(
    workspaceId: string,
    provider: string,
    input: ProviderUpdateBody,
    options?: CallOptions,
  ): Promise<Provider> {
    const route = providerRoute(workspaceId, provider);
    return await this.#transport.call({ method: 'PATCH', route, body: input, call: options });
  }

  /** Cancels its pending operations. */
  async remove(workspaceId: string, provider: string, options?: CallOptions): Promise<ProviderRemoved> {
    const route = providerRoute(workspaceId, provider);
    return await this.#transport.call({ method: 'DELETE', route, call: options });
  }

  /** Sends one empty test message. */
  async test(workspaceId: string, provider: string, options?: CallOptions): Promise<ProviderTest> {
    const route = providerRoute(workspaceId, provider, '/test');
    return await this.#transport.call({ method: 'POST', route, call: options });
  }

  /** Operations stay pending until it is resumed. */
  async pause(workspaceId: string, provider: string, options?: CallOptions): Promise<Provider> {
    const route = providerRoute(workspaceId, provider, '/pause');
    return await this.#transport.call({ method: 'POST', route, call: options });
  }

  async resume(workspaceId: string, provider: string, options?: CallOptions): Promise<Provider> {
    const route = providerRoute(workspaceId, provider, '/resume');
    return await this.#transport.call({ method: 'POST', route, call: options });
  }

  /** Pulls the files of a provider, or of all providers. Answers before the pull ends. */
  async refresh(
    workspaceId: string,
    input: { readonly provider?: string; readonly reason?: string } = {},
    options?: CallOptions,
  ): Promise<Accepted> {
    const route = workspaceRoute(workspaceId, 'sync/refresh');
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }
}

function providerRoute(workspaceId: string, provider: string, rest = ''): string {
  return workspaceRoute(workspaceId, `providers/${encodeURIComponent(provider)}${rest}`);
}
