// Workspaces: list, create, rename, remove and restore. Requires the owner's or a UI token.
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
import type { CallOptions, Workspace } from './types.ts';

export class WorkspaceCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(options: CallOptions & { readonly includeDeleted?: boolean } = {}): Promise<Workspace[]> {
    const query = options.includeDeleted ? { deleted: 'true' } : {};
    const request = { method: 'GET', route: '/v1/workspaces', query, call: options } as const;
    return (await this.#transport.call<{ workspaces: Workspace[] }>(request)).workspaces;
  }

  async create(
    input: { readonly name: string; readonly workspaceId?: string },
    options?: CallOptions,
  ): Promise<Workspace> {
    return await this.#transport.call({
      method: 'POST',
      route: '/v1/workspaces',
      body: input,
      call: options,
    });
  }

  async rename(workspaceId: string, name: string, options?: CallOptions): Promise<Workspace> {
    const route = workspaceRoute(workspaceId);
    return await this.#transport.call({ method: 'PATCH', route, body: { name }, call: options });
  }

  /** The workspace can be restored for 30 days. Mirrored folders keep their files. */
  async remove(workspaceId: string, options?: CallOptions): Promise<void> {
    await this.#transport.call({ method: 'DELETE', route: workspaceRoute(workspaceId), call: options });
  }

  async restore(workspaceId: string, options?: CallOptions): Promise<Workspace> {
    const route = workspaceRoute(workspaceId, 'restore');
    return await this.#transport.call({ method: 'POST', route, call: options });
  }
}
