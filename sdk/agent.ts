// The agent itself: status, settings, sign-in, backup and diagnostics. Most calls require the owner's or a UI token.
import { CallGroup } from './call-group.ts';
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

class SignInCalls extends CallGroup {
  /** A link with a single-use code that is valid for 60 s. */
  async link(options?: CallOptions): Promise<SignInLink> {
    return await this.transport.post('/v1/agent/sign-in/link', options);
  }

  /** Needs no token. */
  async exchange(code: string, options?: CallOptions): Promise<SignInToken> {
    return await this.transport.post('/v1/agent/sign-in/exchange', options, { code });
  }

  /** A new UI token for a valid one. */
  async renew(options?: CallOptions): Promise<SignInToken> {
    return await this.transport.post('/v1/agent/sign-in/renew', options);
  }
}

export class AgentCalls extends CallGroup {
  readonly signIn = new SignInCalls(this.transport);

  /** Answers while the agent is running. Needs no token. */
  async health(options?: CallOptions): Promise<{ status: 'ok' }> {
    return await this.transport.get('/health', options);
  }

  async status(options?: CallOptions): Promise<AgentStatus> {
    return await this.transport.get('/v1/agent/status', options);
  }

  /** Tokens with a request in the last minutes or an open stream. */
  async clients(options?: CallOptions): Promise<AgentClients> {
    return await this.transport.get('/v1/agent/clients', options);
  }

  /** All settings with their values, flags and variables. */
  async settings(options?: CallOptions): Promise<AgentSettings> {
    return await this.transport.get('/v1/agent/settings', options);
  }

  /** A verified backup in an empty or new folder of the agent's machine. */
  async backup(dir: string, options?: CallOptions): Promise<BackupResult> {
    return await this.transport.post('/v1/agent/backup', options, { dir });
  }

  async diagnostics(options?: CallOptions): Promise<Diagnostics> {
    return await this.transport.get('/v1/agent/diagnostics', options);
  }

  /** A support archive without tokens, secrets, contents, and names of files, folders and hosts. */
  async diagnosticsBundle(options?: CallOptions): Promise<DiagnosticsBundle> {
    return await this.transport.get('/v1/agent/diagnostics/bundle', options);
  }

  /** Metrics in the Prometheus text format. Requires `admin:read`, unless the agent runs with `--metrics open`. */
  async metrics(options?: CallOptions): Promise<string> {
    const request = { method: 'GET', route: '/metrics', accept: 'text/plain', call: options } as const;
    return await (await this.transport.open(request)).text();
  }

  /** The OpenAPI document of the agent. Needs no token. */
  async openApi(options?: CallOptions): Promise<Readonly<Record<string, unknown>>> {
    return await this.transport.get('/v1/openapi.json', options);
  }
}
