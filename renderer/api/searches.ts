// Searches of several workspaces as one: pages of files, the best of all workspaces first. The Search screen and the finder use it.
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type MooringClient, NotFoundError } from '../../sdk/index.ts';
import { optionsOf, type SearchRequest } from '../model/search/search-form.ts';
import type { FoundFile } from '../model/search/search-rows.ts';
import { useServices } from './services.ts';
import { someAtOnce } from './some-at-once.ts';

/** Workspaces that are searched together, one request for each. */
export const workspacesMax = 200;
/** Of these requests run at the same time. */
const searchesAtOnce = 16;
/** Requests for a page whose first ones were empty. */
const emptyPagesMax = 4;
const indexingPollMs = 1_000;

/** `workspaces`: there are more than `workspacesMax`. */
export type Incomplete = 'indexing' | 'limit' | 'index_full' | 'workspaces';

interface FoundPage {
  readonly files: readonly FoundFile[];
  /** By workspace; absent: it has no further files. */
  readonly cursors: ReadonlyMap<string, string | null>;
  readonly incomplete: Incomplete | null;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  /** Why files may be missing; null: none is. */
  readonly incomplete: Incomplete | null;
  /** null: none, or there is an earlier answer. */
  readonly error: Error | null;
  readonly isLoading: boolean;
  /** The files belong to the request before. */
  readonly isOutdated: boolean;
  readonly refetch: () => void;
}

/** The prefix of the keys of all searches. */
export const searchKey = ['search'] as const;

/** `request` null: nothing is searched. */
export function useFoundFiles(
  request: SearchRequest | null,
  workspaceIds: readonly string[],
  limit: number,
): FoundFiles {
  const { client } = useServices();
  const isEnabled = request !== null && workspaceIds.length > 0;
  const query = useInfiniteQuery({
    queryKey: [...searchKey, workspaceIds, request, limit],
    queryFn: async ({ pageParam, signal }) => {
      if (request === null) throw new Error('a search without a request');
      const page = await readPage(client, request, pageParam ?? cursorsAt(workspaceIds), { limit, signal });
      return {
        ...page,
        incomplete: page.incomplete ?? (workspaceIds.length > workspacesMax ? 'workspaces' : null),
      };
    },
    initialPageParam: null as ReadonlyMap<string, string | null> | null,
    getNextPageParam: (page) => (page.cursors.size === 0 ? undefined : page.cursors),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ incomplete }) => incomplete === 'indexing') ? indexingPollMs : false,
    gcTime: 30_000,
  });
  const pages = isEnabled ? (query.data?.pages ?? []) : [];
  return {
    files: pages.flatMap(({ files }) => files),
    hasMore: isEnabled && query.hasNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
    },
    incomplete: pages.find(({ incomplete }) => incomplete !== null)?.incomplete ?? null,
    error:
      isEnabled && (query.data === undefined || query.isPlaceholderData || query.isError)
        ? query.error
        : null,
    isLoading: isEnabled && query.isPending,
    isOutdated: isEnabled && query.isPlaceholderData,
    refetch: () => void query.refetch(),
  };
}

/** Files in the index, while it is being built. */
export function useIndexedFiles(isBuilding: boolean): number | null {
  const { client } = useServices();
  const { data } = useQuery({
    queryKey: ['search-index'],
    queryFn: async ({ signal }) => await client.searches.index({ signal }),
    enabled: isBuilding,
    refetchInterval: isBuilding ? indexingPollMs : false,
  });
  return data?.files ?? null;
}

function cursorsAt(workspaceIds: readonly string[]): ReadonlyMap<string, string | null> {
  return new Map(workspaceIds.slice(0, workspacesMax).map((workspaceId) => [workspaceId, null]));
}

async function readPage(
  client: MooringClient,
  request: SearchRequest,
  from: ReadonlyMap<string, string | null>,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<FoundPage> {
  const found: FoundFile[] = [];
  let incomplete: Incomplete | null = null;
  let cursors: ReadonlyMap<string, string | null> = from;
  for (let page = 0; page < emptyPagesMax && cursors.size > 0 && found.length === 0; page += 1) {
    const answers = await someAtOnce([...cursors], searchesAtOnce, async ([workspaceId, cursor]) => {
      const options = {
        ...optionsOf(request, Date.now()),
        limit,
        signal,
        ...(cursor === null ? {} : { cursor }),
      };
      return { workspaceId, page: await foundIn(client, workspaceId, request.q, options) };
    });
    const next = new Map<string, string | null>();
    for (const { workspaceId, page: one } of answers) {
      if (one === null) continue;
      found.push(...one.items.map((item) => ({ ...item, workspaceId })));
      if (one.nextCursor !== null) next.set(workspaceId, one.nextCursor);
      incomplete ??= one.incomplete ?? null;
    }
    cursors = next;
  }
  return {
    files: found.toSorted((left, right) => right.score - left.score),
    cursors,
    incomplete: cursors.size > 0 && incomplete === 'limit' ? null : incomplete,
  };
}

/** null: the workspace was deleted meanwhile. */
async function foundIn(
  client: MooringClient,
  workspaceId: string,
  q: string,
  options: Parameters<MooringClient['searches']['page']>[2],
): Promise<Awaited<ReturnType<MooringClient['searches']['page']>> | null> {
  try {
    return await client.searches.page(workspaceId, q, options);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
