// The loaded operations that pass the filters, and loading of further pages.
import { useEffect } from 'react';
import type { Operation } from '../../../sdk/index.ts';
import { isRetrying, providerOf } from '../../model/outbound/outbound-view.ts';
import { type OperationsQuery, useOperations } from './queries.ts';

export interface ShownOperations {
  readonly list: ReturnType<typeof useOperations>;
  readonly rows: readonly Operation[];
  /** Names in the loaded operations, and the selected one. */
  readonly providers: readonly string[];
  loadMore(): void;
}

export function useShownOperations(workspaceId: string, query: OperationsQuery): ShownOperations {
  const list = useOperations(workspaceId, query);
  const loaded = (list.data?.pages ?? []).flatMap((page) => page.items);
  // The API has one status for both.
  const rows = loaded.filter((row) =>
    query.filter === 'retrying' ? isRetrying(row) : query.filter === 'pending' ? !isRetrying(row) : true,
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  // A page without matches: the next one may have some.
  const noMatchYet = rows.length === 0 && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (noMatchYet) void fetchNextPage();
  }, [noMatchYet, fetchNextPage]);
  const names = [query.provider, ...loaded.map(providerOf)];
  return {
    list,
    rows,
    providers: [...new Set(names)].filter((name) => name !== '').sort(),
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
  };
}
