// The operations that the filters let through, as far as they are read, and reading on.
import { useEffect } from 'react';
import type { Operation } from '../../../sdk/index.ts';
import { isRetrying, providerOf } from '../../model/outbound/outbound-view.ts';
import { type OperationsQuery, useOperations } from './queries.ts';

export interface ShownOperations {
  readonly list: ReturnType<typeof useOperations>;
  readonly rows: readonly Operation[];
  /** Of all that was read, and the one that is chosen, by name. */
  readonly providers: readonly string[];
  readOn(): void;
}

export function useShownOperations(workspaceId: string, query: OperationsQuery): ShownOperations {
  const list = useOperations(workspaceId, query);
  const read = (list.data?.pages ?? []).flatMap((page) => page.items);
  // Both are pending to the agent.
  const rows = read.filter((row) =>
    query.filter === 'retrying' ? isRetrying(row) : query.filter === 'pending' ? !isRetrying(row) : true,
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  // A whole page without a match: the next one may have some.
  const nothingYet = rows.length === 0 && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (nothingYet) void fetchNextPage();
  }, [nothingYet, fetchNextPage]);
  const named = [query.provider, ...read.map(providerOf)];
  return {
    list,
    rows,
    providers: [...new Set(named)].filter((name) => name !== '').sort(),
    readOn: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
  };
}
