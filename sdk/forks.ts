// Forks: a view of a workspace as it stood at a moment, with changes of its own that are committed as one or given up. What a
// fork shows and takes goes through the calls for files with `forkId`.
import { workspaceRoute } from './routes.ts';
import type { RequestInput, Transport } from './transport.ts';
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

  /** The same proposal answers the fork that it has, so this may be repeated. */
  async create(workspaceId: string, input: CreateForkBody, options?: CallOptions): Promise<ForkHandle> {
    const route = workspaceRoute(workspaceId, 'forks');
    return await this.#call({ method: 'POST', route, body: input, safe: true, call: options });
  }

  /** Open ones, oldest first. */
  async list(workspaceId: string, options?: CallOptions): Promise<Fork[]> {
    const route = workspaceRoute(workspaceId, 'forks');
    return (await this.#call<ForkList>({ method: 'GET', route, call: options })).forks;
  }

  /** NotFoundError: unknown, committed or given up. GoneError: its time is over. */
  async get(workspaceId: string, forkId: string, options?: CallOptions): Promise<Fork> {
    return await this.#call({ method: 'GET', route: forkRoute(workspaceId, forkId), call: options });
  }

  /** A page of what it has staged, each beside what the workspace has there now. */
  async changes(workspaceId: string, forkId: string, options: ForkChangesOptions = {}): Promise<ForkChanges> {
    const { cursor, limit } = options;
    const patch = options.patch === true ? 'true' : undefined;
    const route = forkRoute(workspaceId, forkId, '/changes');
    return await this.#call({ method: 'GET', route, query: { cursor, limit, patch }, call: options });
  }

  /** All that it has staged, in the order of paths. */
  async *staged(
    workspaceId: string,
    forkId: string,
    options: ForkChangesOptions = {},
  ): AsyncGenerator<ForkChange, void, undefined> {
    let cursor = options.cursor;
    for (;;) {
      const page = await this.changes(workspaceId, forkId, {
        ...options,
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.changes;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  /** From now on it shows the workspace as it stands now. Conflicts are settled by writing with `ifMatch: liveRevision`. */
  async rebase(workspaceId: string, forkId: string, options?: CallOptions): Promise<ForkRebased> {
    const route = forkRoute(workspaceId, forkId, '/rebase');
    return await this.#call({ method: 'POST', route, safe: true, call: options });
  }

  /** All of it becomes part of the workspace, or nothing. ParentMovedError: others have changed some of its paths. */
  async commit(workspaceId: string, forkId: string, options?: CallOptions): Promise<ForkCommitted> {
    const route = forkRoute(workspaceId, forkId, '/commit');
    return await this.#call({ method: 'POST', route, call: options });
  }

  /** What it has staged is gone. Repeating it does nothing. */
  async discard(workspaceId: string, forkId: string, options?: CallOptions): Promise<void> {
    const route = forkRoute(workspaceId, forkId);
    await this.#call({ method: 'DELETE', route, safe: true, call: options });
  }

  async #call<T>(input: RequestInput): Promise<T> {
    return (await this.#transport.json<T>(input)).body;
  }
}

function forkRoute(workspaceId: string, forkId: string, rest = ''): string {
  return workspaceRoute(workspaceId, `forks/${encodeURIComponent(forkId)}${rest}`);
}
