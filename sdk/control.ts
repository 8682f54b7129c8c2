// The control plane: how a program that knows only this agent's address and a token comes to a workspace, to a token of its own,
// and to what a mount program needs.
import type { RequestInput, Transport } from './transport.ts';
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

  /** Needs the owner's token. */
  async createWorkspace(
    input: { readonly name?: string } = {},
    options?: CallOptions,
  ): Promise<ControlWorkspace> {
    return await this.#call({ method: 'POST', route: '/api/v1/workspaces', body: input, call: options });
  }

  /** A token for an agent of this workspace, which may do no more than the one that asks. */
  async join(workspaceId: string, input: JoinBody = {}, options?: CallOptions): Promise<JoinedWorkspace> {
    const route = `${workspaceOf(workspaceId)}/join`;
    return await this.#call({ method: 'POST', route, body: input, call: options });
  }

  /** The client mounts the folder itself; the agent mirrors nothing into it. */
  async mountSession(
    workspaceId: string,
    input: MountSessionBody,
    options?: CallOptions,
  ): Promise<MountSession> {
    const route = `${workspaceOf(workspaceId)}/relayfile/mount-session`;
    return await this.#call({ method: 'POST', route, body: input, call: options });
  }

  /** A short-lived token for a long-lived one. */
  async refreshToken(refreshToken: string, options?: CallOptions): Promise<RefreshedTokens> {
    const route = '/api/v1/auth/token/refresh';
    return await this.#call({ method: 'POST', route, body: { refreshToken }, call: options });
  }

  async #call<T>(input: RequestInput): Promise<T> {
    return (await this.#transport.json<T>(input)).body;
  }
}

function workspaceOf(workspaceId: string): string {
  return `/api/v1/workspaces/${encodeURIComponent(workspaceId)}`;
}
