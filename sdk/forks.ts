// Forks: staged changes over a base revision, committed atomically. Files of a fork are read and written with `forkId` (files.ts).
import { CallGroup, pagesOf, segment, workspaceRoute } from './call-group.ts';
import type {
  CallOptions,
  CommitForkOptions,
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

export class ForkCalls extends CallGroup {
  /** An existing proposal id returns its fork. */
  async create(workspaceId: string, input: CreateForkBody, options?: CallOptions): Promise<ForkHandle> {
    return await this.transport.postSafe(workspaceRoute(workspaceId, 'forks'), options, input);
  }

  /** Open forks, oldest first. */
  async list(workspaceId: string, options?: CallOptions): Promise<Fork[]> {
    return (await this.transport.get<ForkList>(workspaceRoute(workspaceId, 'forks'), options)).forks;
  }

  /** NotFoundError: unknown, committed or discarded. GoneError: expired. */
  async get(workspaceId: string, forkId: string, options?: CallOptions): Promise<Fork> {
    return await this.transport.get(forkRoute(workspaceId, forkId), options);
  }

  /** One page of staged changes, each with the current revision of the workspace. */
  async changes(workspaceId: string, forkId: string, options: ForkChangesOptions = {}): Promise<ForkChanges> {
    const { cursor, limit, glob } = options;
    const patch = options.patch === true ? 'true' : undefined;
    const route = forkRoute(workspaceId, forkId, '/changes');
    return await this.transport.get(route, options, { cursor, limit, patch, glob });
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
    return await this.transport.postSafe(forkRoute(workspaceId, forkId, '/rebase'), options);
  }

  /**
   * Commits all staged changes atomically. ParentMovedError: the workspace has newer revisions of some paths. StagedChangedError: there are
   * changes after `stagedRevision`.
   */
  async commit(
    workspaceId: string,
    forkId: string,
    { stagedRevision, ...options }: CommitForkOptions = {},
  ): Promise<ForkCommitted> {
    const body = stagedRevision === undefined ? undefined : { stagedRevision };
    return await this.transport.post(forkRoute(workspaceId, forkId, '/commit'), options, body);
  }

  /** Deletes the staged changes. Repeating it has no effect. */
  async discard(workspaceId: string, forkId: string, options?: CallOptions): Promise<void> {
    const route = forkRoute(workspaceId, forkId);
    await this.transport.call({ method: 'DELETE', route, safe: true, call: options });
  }
}

function forkRoute(workspaceId: string, forkId: string, rest = ''): string {
  return workspaceRoute(workspaceId, `forks/${segment(forkId)}${rest}`);
}
