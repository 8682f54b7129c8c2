// Workspaces and access tokens: the owner's calls, and the control plane for programs that know only the agent's address and a token.
import { CallGroup, segment, workspaceRoute } from './call-group.ts';
import type {
  AccessToken,
  AccessTokenCreateBody,
  AccessTokenCreated,
  CallOptions,
  ControlWorkspace,
  JoinBody,
  JoinedWorkspace,
  MountSession,
  MountSessionBody,
  RefreshedTokens,
  Workspace,
} from './types.ts';

/** Requires the owner's or a UI token. */
export class WorkspaceCalls extends CallGroup {
  async list(options: CallOptions & { readonly includeDeleted?: boolean } = {}): Promise<Workspace[]> {
    const query = options.includeDeleted ? { deleted: 'true' } : {};
    return (await this.transport.get<{ workspaces: Workspace[] }>('/v1/workspaces', options, query))
      .workspaces;
  }

  async create(
    input: { readonly name: string; readonly workspaceId?: string },
    options?: CallOptions,
  ): Promise<Workspace> {
    return await this.transport.post('/v1/workspaces', options, input);
  }

  async rename(workspaceId: string, name: string, options?: CallOptions): Promise<Workspace> {
    return await this.transport.patch(workspaceRoute(workspaceId), options, { name });
  }

  /** The workspace can be restored for 30 days. Mirrored folders keep their files. */
  async remove(workspaceId: string, options?: CallOptions): Promise<void> {
    await this.transport.delete(workspaceRoute(workspaceId), options);
  }

  async restore(workspaceId: string, options?: CallOptions): Promise<Workspace> {
    return await this.transport.post(workspaceRoute(workspaceId, 'restore'), options);
  }
}

export class TokenCalls extends CallGroup {
  async list(workspaceId: string, options?: CallOptions): Promise<AccessToken[]> {
    return (
      await this.transport.get<{ tokens: AccessToken[] }>(workspaceRoute(workspaceId, 'tokens'), options)
    ).tokens;
  }

  /** Only this answer contains the token itself. */
  async create(
    workspaceId: string,
    input: AccessTokenCreateBody = {},
    options?: CallOptions,
  ): Promise<AccessTokenCreated> {
    return await this.transport.post(workspaceRoute(workspaceId, 'tokens'), options, input);
  }

  async revoke(workspaceId: string, tokenId: string, options?: CallOptions): Promise<void> {
    const route = workspaceRoute(workspaceId, `tokens/${segment(tokenId)}`);
    await this.transport.delete(route, options);
  }
}

/** Workspaces, tokens and mount sessions for programs that know only the agent's address and a token. */
export class ControlCalls extends CallGroup {
  /** Requires the owner token. */
  async createWorkspace(
    input: { readonly name?: string } = {},
    options?: CallOptions,
  ): Promise<ControlWorkspace> {
    return await this.transport.post('/api/v1/workspaces', options, input);
  }

  /** A token for an agent, limited to the permissions of the requesting token. */
  async join(workspaceId: string, input: JoinBody = {}, options?: CallOptions): Promise<JoinedWorkspace> {
    return await this.transport.post(`${workspaceOf(workspaceId)}/join`, options, input);
  }

  /** The client mounts the folder. The agent does not mirror it. */
  async mountSession(
    workspaceId: string,
    input: MountSessionBody,
    options?: CallOptions,
  ): Promise<MountSession> {
    return await this.transport.post(`${workspaceOf(workspaceId)}/relayfile/mount-session`, options, input);
  }

  /** Exchanges a refresh token for a short-lived token. */
  async refreshToken(refreshToken: string, options?: CallOptions): Promise<RefreshedTokens> {
    return await this.transport.post('/api/v1/auth/token/refresh', options, { refreshToken });
  }
}

function workspaceOf(workspaceId: string): string {
  return `/api/v1/workspaces/${segment(workspaceId)}`;
}
