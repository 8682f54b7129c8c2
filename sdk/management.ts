// The agent's own calls beside the v1 filesystem: workspaces, tokens, providers, sign-in, settling, backup. They need the
// owner's or the UI's token. Those about mirrors are in mirrors.ts.
import { answerMarginMs, MirrorCalls } from './mirrors.ts';
import { workspaceRoute } from './routes.ts';
import type { RequestInput, Transport } from './transport.ts';
import type {
  AccessToken,
  AccessTokenCreateBody,
  AccessTokenCreated,
  AgentClients,
  AgentSettings,
  AgentStatus,
  BackupResult,
  CallOptions,
  Diagnostics,
  DiagnosticsBundle,
  Provider,
  ProviderCreateBody,
  ProviderList,
  ProviderRemoved,
  ProviderTest,
  ProviderUpdateBody,
  SettleResult,
  SignInLink,
  SignInToken,
  Workspace,
} from './types.ts';

const segment = encodeURIComponent;

export class ManagementCalls extends MirrorCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport);
    this.#transport = transport;
  }

  readonly workspaces = {
    list: async (options: CallOptions & { readonly includeDeleted?: boolean } = {}): Promise<Workspace[]> => {
      const query = options.includeDeleted ? { deleted: 'true' } : {};
      const call = { method: 'GET', route: '/v1/workspaces', query, call: options } as const;
      return (await this.#call<{ workspaces: Workspace[] }>(call)).workspaces;
    },
    create: async (
      input: { readonly name: string; readonly workspaceId?: string },
      options?: CallOptions,
    ): Promise<Workspace> =>
      await this.#call({ method: 'POST', route: '/v1/workspaces', body: input, call: options }),
    rename: async (workspaceId: string, name: string, options?: CallOptions): Promise<Workspace> =>
      await this.#call({
        method: 'PATCH',
        route: workspaceRoute(workspaceId),
        body: { name },
        call: options,
      }),
    /** Its contents are kept 30 days; its mirrored folders stay as they are. */
    remove: async (workspaceId: string, options?: CallOptions): Promise<void> => {
      await this.#call({ method: 'DELETE', route: workspaceRoute(workspaceId), call: options });
    },
    restore: async (workspaceId: string, options?: CallOptions): Promise<Workspace> =>
      await this.#call({ method: 'POST', route: workspaceRoute(workspaceId, 'restore'), call: options }),
  };

  readonly tokens = {
    list: async (workspaceId: string, options?: CallOptions): Promise<AccessToken[]> => {
      const call = { method: 'GET', route: workspaceRoute(workspaceId, 'tokens'), call: options } as const;
      return (await this.#call<{ tokens: AccessToken[] }>(call)).tokens;
    },
    /** The bare token is in the answer and nowhere else. */
    create: async (
      workspaceId: string,
      input: AccessTokenCreateBody = {},
      options?: CallOptions,
    ): Promise<AccessTokenCreated> =>
      await this.#call({
        method: 'POST',
        route: workspaceRoute(workspaceId, 'tokens'),
        body: input,
        call: options,
      }),
    revoke: async (workspaceId: string, tokenId: string, options?: CallOptions): Promise<void> => {
      const route = workspaceRoute(workspaceId, `tokens/${segment(tokenId)}`);
      await this.#call({ method: 'DELETE', route, call: options });
    },
  };

  /** Who carries changes below `/<provider>/` to the outside. */
  readonly providers = {
    list: async (workspaceId: string, options?: CallOptions): Promise<Provider[]> => {
      const call = { method: 'GET', route: providersOf(workspaceId), call: options } as const;
      return (await this.#call<ProviderList>(call)).providers;
    },
    /** Registered ones, and senders of webhooks that are not. */
    withSenders: async (workspaceId: string, options?: CallOptions): Promise<ProviderList> =>
      await this.#call({ method: 'GET', route: providersOf(workspaceId), call: options }),
    get: async (workspaceId: string, provider: string, options?: CallOptions): Promise<Provider> =>
      await this.#call({ method: 'GET', route: providersOf(workspaceId, provider), call: options }),
    /** The secret goes in and never comes out. */
    add: async (workspaceId: string, input: ProviderCreateBody, options?: CallOptions): Promise<Provider> =>
      await this.#call({ method: 'POST', route: providersOf(workspaceId), body: input, call: options }),
    /** What is absent stays. */
    update: async (
      workspaceId: string,
      provider: string,
      input: ProviderUpdateBody,
      options?: CallOptions,
    ): Promise<Provider> => {
      const route = providersOf(workspaceId, provider);
      return await this.#call({ method: 'PATCH', route, body: input, call: options });
    },
    /** What waits for it is canceled. */
    remove: async (workspaceId: string, provider: string, options?: CallOptions): Promise<ProviderRemoved> =>
      await this.#call({ method: 'DELETE', route: providersOf(workspaceId, provider), call: options }),
    /** Calls it once, with a message that carries nothing. */
    test: async (workspaceId: string, provider: string, options?: CallOptions): Promise<ProviderTest> => {
      const route = `${providersOf(workspaceId, provider)}/test`;
      return await this.#call({ method: 'POST', route, call: options });
    },
    /** Items wait until it is resumed. */
    pause: async (workspaceId: string, provider: string, options?: CallOptions): Promise<Provider> => {
      const route = `${providersOf(workspaceId, provider)}/pause`;
      return await this.#call({ method: 'POST', route, call: options });
    },
    resume: async (workspaceId: string, provider: string, options?: CallOptions): Promise<Provider> => {
      const route = `${providersOf(workspaceId, provider)}/resume`;
      return await this.#call({ method: 'POST', route, call: options });
    },
  };

  readonly signIn = {
    /** A link with a single-use code that works for 60 s. */
    link: async (options?: CallOptions): Promise<SignInLink> =>
      await this.#call({ method: 'POST', route: '/v1/agent/sign-in/link', call: options }),
    /** Needs no token. */
    exchange: async (code: string, options?: CallOptions): Promise<SignInToken> =>
      await this.#call({
        method: 'POST',
        route: '/v1/agent/sign-in/exchange',
        body: { code },
        call: options,
      }),
    /** A fresh token for a UI token that is still valid. */
    renew: async (options?: CallOptions): Promise<SignInToken> =>
      await this.#call({ method: 'POST', route: '/v1/agent/sign-in/renew', call: options }),
  };

  /** Whether the agent answers. Needs no token. */
  async health(options?: CallOptions): Promise<{ status: 'ok' }> {
    return await this.#call({ method: 'GET', route: '/health', call: options });
  }

  async agentStatus(options?: CallOptions): Promise<AgentStatus> {
    return await this.#call({ method: 'GET', route: '/v1/agent/status', call: options });
  }

  /** Tokens with which something was asked in the last minutes, or that hold a stream open. */
  async clientsAtWork(options?: CallOptions): Promise<AgentClients> {
    return await this.#call({ method: 'GET', route: '/v1/agent/clients', call: options });
  }

  /** Scans, and answers when every change made before the call was seen and settled, or when the time is up. */
  async settle(
    input: { readonly workspaceId?: string; readonly timeoutMs?: number } = {},
    options: CallOptions = {},
  ): Promise<SettleResult> {
    const timeoutMs = options.timeoutMs ?? (input.timeoutMs ?? 60_000) + answerMarginMs;
    const call = { ...options, timeoutMs };
    return await this.#call({ method: 'POST', route: '/v1/agent/settle', body: input, safe: true, call });
  }

  /** A verified backup into an empty or new folder of the agent's machine. */
  async backup(dir: string, options?: CallOptions): Promise<BackupResult> {
    return await this.#call({ method: 'POST', route: '/v1/agent/backup', body: { dir }, call: options });
  }

  async diagnostics(options?: CallOptions): Promise<Diagnostics> {
    return await this.#call({ method: 'GET', route: '/v1/agent/diagnostics', call: options });
  }

  /** How the agent is, for somebody who helps: no tokens, secrets, contents, names of files, folders or hosts. */
  async diagnosticsBundle(options?: CallOptions): Promise<DiagnosticsBundle> {
    return await this.#call({ method: 'GET', route: '/v1/agent/diagnostics/bundle', call: options });
  }

  /** What the agent runs with: limits, retention, and what each setting is called. */
  async agentSettings(options?: CallOptions): Promise<AgentSettings> {
    return await this.#call({ method: 'GET', route: '/v1/agent/settings', call: options });
  }

  /** Figures of the agent in the text form of Prometheus. Needs `admin:read`, unless the agent tells them openly. */
  async metrics(options?: CallOptions): Promise<string> {
    const input = { method: 'GET', route: '/metrics', accept: 'text/plain', call: options } as const;
    return await (await this.#transport.open(input)).text();
  }

  /** The OpenAPI document of the agent. Needs no token. */
  async openApi(options?: CallOptions): Promise<Readonly<Record<string, unknown>>> {
    return await this.#call({ method: 'GET', route: '/v1/openapi.json', call: options });
  }

  async #call<T>(input: RequestInput): Promise<T> {
    return (await this.#transport.json<T>(input)).body;
  }
}

function providersOf(workspaceId: string, provider?: string): string {
  const all = workspaceRoute(workspaceId, 'providers');
  return provider === undefined ? all : `${all}/${segment(provider)}`;
}
