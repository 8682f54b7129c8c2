// The agent itself: status, settings, sign-in, backup and diagnostics. Most calls require the owner's or a UI token.
import type { Transport } from './transport.ts';
import type {
  AgentClients,
  AgentSettings,
  AgentStatus,
  BackupResult,
  CallOptions,
  Diagnostics,
  DiagnosticsBundle,
  SignInLink,
  SignInToken,
} from './types.ts';

export class AgentCalls {
  readonly signIn: SignInCalls;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.signIn = new SignInCalls(transport);
  }

  /** Answers while the agent is running. Needs no token. */
  async health(options?: CallOptions): Promise<{ status: 'ok' }> {
    return await this.#transport.call({ method: 'GET', route: '/health', call: options });
  }

  async status(options?: CallOptions): Promise<AgentStatus> {
    return await this.#transport.call({ method: 'GET', route: '/v1/agent/status', call: options });
  }

  /** Tokens with a request in the last minutes or an open stream. */
  async clients(options?: CallOptions): Promise<AgentClients> {
    return await this.#transport.call({ method: 'GET', route: '/v1/agent/clients', call: options });
  }

  /** All settings with their values, flags and variables. */
  async settings(options?: CallOptions): Promise<AgentSettings> {
    return await this.#transport.call({ method: 'GET', route: '/v1/agent/settings', call: options });
  }

  /** A verified backup in an empty or new folder of the agent's machine. */
  async backup(dir: string, options?: CallOptions): Promise<BackupResult> {
    return await this.#transport.call({
      method: 'POST',
      route: '/v1/agent/backup',
      body: { dir },
      call: options,
    });
  }

  async diagnostics(options?: CallOptions): Promise<Diagnostics> {
    return await this.#transport.call({ method: 'GET', route: '/v1/agent/diagnostics', call: options });
  }

  /** A support archive without tokens, secrets, contents, and names of files, folders and hosts. */
  async diagnosticsBundle(options?: CallOptions): Promise<DiagnosticsBundle> {
    return await this.#transport.call({
      method: 'GET',
      route: '/v1/agent/diagnostics/bundle',
      call: options,
    });
  }

  /** Metrics in the Prometheus text format. Requires `admin:read`, unless the agent runs with `--metrics open`. */
  async metrics(options?: CallOptions): Promise<string> {
    const request = { method: 'GET', route: '/metrics', accept: 'text/plain', call: options } as const;
    return await (await this.#transport.open(request)).text();
  }

  /** The OpenAPI document of the agent. Needs no token. */
  async openApi(options?: CallOptions): Promise<Readonly<Record<string, unknown>>> {
    return await this.#transport.call({ method: 'GET', route: '/v1/openapi.json', call: options });
  }
}

export class SignInCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A link with a single-use code that is valid for 60 s. */
  async link(options?: CallOptions): Promise<SignInLink> {
    return await this.#transport.call({ method: 'POST', route: '/v1/agent/sign-in/link', call: options });
  }

  /** Needs no token. */
  async exchange(code: string, options?: CallOptions): Promise<SignInToken> {
    return await this.#transport.call({
      method: 'POST',
      route: '/v1/agent/sign-in/exchange',
      body: { code },
      call: options,
    });
  }

  /** A new UI token for a valid one. */
  async renew(options?: CallOptions): Promise<SignInToken> {
    return await this.#transport.call({ method: 'POST', route: '/v1/agent/sign-in/renew', call: options });
  }
}
