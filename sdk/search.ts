// Searches contents and paths of a workspace or a fork, and the state of the search index.
import { CallGroup, pagesOf, timeText, workspaceRoute } from './call-group.ts';
import type { CallOptions, SearchIndexStatus, SearchItem, SearchOptions, SearchResult } from './types.ts';

const indexRoute = '/v1/agent/search-index';

export class SearchCalls extends CallGroup {
  /** One page. It can be empty and still have a `nextCursor`. */
  async page(workspaceId: string, q: string, options: SearchOptions = {}): Promise<SearchResult> {
    const { mode, path, glob, provider, changedSince, limit, cursor, context } = options;
    const { caseSensitive, waitMs, forkId } = options;
    return await this.transport.get(workspaceRoute(workspaceId, 'fs/search'), options, {
      q,
      mode,
      path,
      glob,
      provider,
      changedSince: changedSince === undefined ? undefined : timeText(changedSince),
      limit,
      cursor,
      context,
      caseSensitive: caseSensitive === true ? 'true' : undefined,
      wait: waitMs,
      forkId,
    });
  }

  /** All files that match, the best ones first. Stop the loop when enough were found. */
  async *items(
    workspaceId: string,
    q: string,
    options: SearchOptions = {},
  ): AsyncGenerator<SearchItem, void, undefined> {
    const readPage = async (page: SearchOptions) => await this.page(workspaceId, q, page);
    for await (const { items } of pagesOf(readPage, options)) yield* items;
  }

  /** Of the agent, for its owner. */
  async index(options?: CallOptions): Promise<SearchIndexStatus> {
    return await this.transport.get(indexRoute, options);
  }

  /** Discards the index and builds it again. Answers when that has begun. */
  async rebuildIndex(options?: CallOptions): Promise<SearchIndexStatus> {
    return await this.transport.post(`${indexRoute}/rebuild`, options);
  }
}
