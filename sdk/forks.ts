// Forks: staged changes over a base revision, committed atomically. Files of a fork are read and written with `forkId` (files.ts).
import { pagesOf } from './pages.ts';
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
import type {
  CallOptions,
  CreateForkBody,
  Fork,
  ForkChange,
  ForkChanges,
  ForkChangesOptions,
  ForkCommitted,
  ForkHandle,
  ForkList,
  ForkRebased,
} from './types.ts';

export class ForkCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** An existing proposal id returns its fork. */
  async create(workspaceId: string, input: CreateForkBody, options?: CallOptions): Promise<ForkHandle> {
    const route = workspaceRoute(workspaceId, 'forks');
    return await this.#transport.call({ method: 'POST', route, body: input, safe: true, call: options });
  }

  /** Open forks, oldest first. */
  async list(workspaceId: string, options?: CallOptions): Promise<Fork[]> {
    const route = workspaceRoute(workspaceId, 'forks');
    return (await this.#transport.call<ForkList>({ method: 'GET', route, call: options })).forks;
  }

  /** NotFoundError: unknown, committed or discarded. GoneError: expired. */
  async get(workspaceId: string, forkId: string, options?: CallOptions): Promise<Fork> {
    return await this.#transport.call({
      method: 'GET',
      route: forkRoute(workspaceId, forkId),
      call: options,
    });
  }

  /** One page of staged changes, each with the current revision of the workspace. */
  async changes(workspaceId: string, forkId: string, options: ForkChangesOptions = {}): Promise<ForkChanges> {
    const { cursor, limit } = options;
    const patch = options.patch === true ? 'true' : undefined;
    const route = forkRoute(workspaceId, forkId, '/changes');
    return await this.#transport.call({
      method: 'GET',
      route,
      query: { cursor, limit, patch },
      call: options,
    });
  }

  /** All staged changes in the order of their paths. */
  async *staged(
    workspaceId: string,
    forkId: string,
    options: ForkChangesOptions = {},
  ): AsyncGenerator<ForkChange, void, undefined> {
    const readPage = async (query: ForkChangesOptions) => await this.changes(workspaceId, forkId, query);
    for await (const { changes } of pagesOf(readPage, options)) yield* changes;
  }

  /** Moves the fork to the current revision of the workspace. Resolve each conflict by a write with `ifMatch: liveRevision`. */
  async rebase(workspaceId: string, forkId: string, options?: CallOptions): Promise<ForkRebased> {
    const route = forkRoute(workspaceId, forkId, '/rebase');
    return await this.#transport.call({ method: 'POST', route, safe: true, call: options });
  }

  /** Commits all staged changes atomically. ParentMovedError: the workspace has newer revisions of some paths. */
  async commit(workspaceId: string, forkId: string, options?: CallOptions): Promise<ForkCommitted> {
    const route = forkRoute(workspaceId, forkId, '/commit');
    return await this.#transport.call({ method: 'POST', route, call: options });
  }

  /** Deletes the staged changes. Repeating it has no effect. */
  async discard(workspaceId: string, forkId: string, options?: CallOptions): Promise<void> {
    const route = forkRoute(workspaceId, forkId);
    await this.#transport.call({ method: 'DELETE', route, safe: true, call: options });
  }
}

function forkRoute(workspaceId: string, forkId: string, rest = ''): string {
  return workspaceRoute(workspaceId, `forks/${encodeURIComponent(forkId)}${rest}`);
}
