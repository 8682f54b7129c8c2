// Providers of a workspace: register, test, pause, refresh and remove.
import { CallGroup, segment, workspaceRoute } from './call-group.ts';
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

export class ProviderCalls extends CallGroup {
  async list(workspaceId: string, options?: CallOptions): Promise<Provider[]> {
    return (await this.withSenders(workspaceId, options)).providers;
  }

  /** Registered providers, and senders of webhooks that are not registered. */
  async withSenders(workspaceId: string, options?: CallOptions): Promise<ProviderList> {
    return await this.transport.get(workspaceRoute(workspaceId, 'providers'), options);
  }

  async get(workspaceId: string, provider: string, options?: CallOptions): Promise<Provider> {
    return await this.transport.get(providerRoute(workspaceId, provider), options);
  }

  /** No answer contains the secret. */
  async add(workspaceId: string, input: ProviderCreateBody, options?: CallOptions): Promise<Provider> {
    return await this.transport.post(workspaceRoute(workspaceId, 'providers'), options, input);
  }

  /** Absent settings keep their values. */
  async update(
    workspaceId: string,
    provider: string,
    input: ProviderUpdateBody,
    options?: CallOptions,
  ): Promise<Provider> {
    return await this.transport.patch(providerRoute(workspaceId, provider), options, input);
  }

  /** Cancels its pending operations. */
  async remove(workspaceId: string, provider: string, options?: CallOptions): Promise<ProviderRemoved> {
    return await this.transport.delete(providerRoute(workspaceId, provider), options);
  }

  /** Sends one empty test message. */
  async test(workspaceId: string, provider: string, options?: CallOptions): Promise<ProviderTest> {
    return await this.transport.post(providerRoute(workspaceId, provider, '/test'), options);
  }

  /** Operations stay pending until it is resumed. */
  async pause(workspaceId: string, provider: string, options?: CallOptions): Promise<Provider> {
    return await this.transport.post(providerRoute(workspaceId, provider, '/pause'), options);
  }

  async resume(workspaceId: string, provider: string, options?: CallOptions): Promise<Provider> {
    return await this.transport.post(providerRoute(workspaceId, provider, '/resume'), options);
  }

  /** Pulls the files of a provider, or of all providers. Answers before the pull ends. */
  async refresh(
    workspaceId: string,
    input: { readonly provider?: string; readonly reason?: string } = {},
    options?: CallOptions,
  ): Promise<Accepted> {
    return await this.transport.post(workspaceRoute(workspaceId, 'sync/refresh'), options, input);
  }
}

function providerRoute(workspaceId: string, provider: string, rest = ''): string {
  return workspaceRoute(workspaceId, `providers/${segment(provider)}${rest}`);
}
