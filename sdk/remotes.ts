// Remotes: workspaces of other servers that a workspace is synced with. Requires the owner's or a UI token.
import { CallGroup, segment, workspaceRoute } from './call-group.ts';
import type { CallOptions, Remote, RemoteCreateBody, RemoteResumeBody } from './types.ts';

export class RemoteCalls extends CallGroup {
  /** At most one. */
  async list(workspaceId: string, options?: CallOptions): Promise<Remote[]> {
    return (await this.transport.get<{ remotes: Remote[] }>(workspaceRoute(workspaceId, 'remotes'), options))
      .remotes;
  }

  /** InvalidStateError: the address, the token or the workspace is wrong, or the workspace has a remote. */
  async add(workspaceId: string, remote: RemoteCreateBody, options?: CallOptions): Promise<Remote> {
    return await this.transport.post(workspaceRoute(workspaceId, 'remotes'), options, remote);
  }

  /** Both workspaces keep their files. */
  async remove(workspaceId: string, remoteId: string, options?: CallOptions): Promise<void> {
    await this.transport.delete(remoteRoute(workspaceId, remoteId), options);
  }

  async pause(workspaceId: string, remoteId: string, options?: CallOptions): Promise<Remote> {
    return await this.transport.post(remoteRoute(workspaceId, remoteId, '/pause'), options);
  }

  /** Connects at once. `answer`: what becomes of the deletions for which it halted. */
  async resume(
    workspaceId: string,
    remoteId: string,
    options: CallOptions & RemoteResumeBody = {},
  ): Promise<Remote> {
    const { answer } = options;
    return await this.transport.post(remoteRoute(workspaceId, remoteId, '/resume'), options, { answer });
  }
}

function remoteRoute(workspaceId: string, remoteId: string, rest = ''): string {
  return workspaceRoute(workspaceId, `remotes/${segment(remoteId)}${rest}`);
}
