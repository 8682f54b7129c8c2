// The control plane: workspaces, tokens and mount sessions for programs that know only the agent's address and a token.
import type { Transport } from './transport.ts';
import type {
  CallOptions,
  ControlWorkspace,
  JoinBody,
  JoinedWorkspace,
  MountSession,
  MountSessionBody,
  RefreshedTokens,
} from './types.ts';

export class ControlCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Requires the owner token. */
  async createWorkspace(
    input: { readonly name?: string } = {},
    options?: CallOptions,
  ): Promise<ControlWorkspace> {
    return await this.#transport.call({
      method: 'POST',
      route: '/api/v1/workspaces',
      body: input,
      call: options,
    });
  }

  /** A token for an agent, limited to the permissions of the requesting token. */
  async join(workspaceId: string, input: JoinBody = {}, options?: CallOptions): Promise<JoinedWorkspace> {
    const route = `${workspaceOf(workspaceId)}/join`;
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }

  /** The client mounts the folder. The agent does not mirror it. */
  async mountSession(
    workspaceId: string,
    input: MountSessionBody,
    options?: CallOptions,
  ): Promise<MountSession> {
    const route = `${workspaceOf(workspaceId)}/relayfile/mount-session`;
    return await this.#transport.call({ method: 'POST', route, body: input, call: options });
  }

  /** Exchanges a refresh token for a short-lived token. */
  async refreshToken(refreshToken: string, options?: CallOptions): Promise<RefreshedTokens> {
    const route = '/api/v1/auth/token/refresh';
    return await this.#transport.call({ method: 'POST', route, body: { refreshToken }, call: options });
  }
}

function workspaceOf(workspaceId: string): string {
  return `/api/v1/workspaces/${encodeURIComponent(workspaceId)}`;
}
