// The states of the visible paths in their mirrors. Requested when paths become visible, after events in the workspace, and
// when the status of a mirror changes; at most once per second, and every two seconds while a file is transferred.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { PathState } from '../../sdk/index.ts';
import type { Mirror } from '../../server/contract/workspaces.ts';
import { isTransient, mirrorActivityKey } from '../model/mirror/path-state-view.ts';
import { useDebounced } from '../parts/fields/use-debounced.ts';
import { useServices } from './services.ts';
import { useLiveRefresh } from './use-live-refresh.ts';

/** Limit of one request to the agent. */
const pathsMax = 1_000;
const transientMs = 2_000;
const none: ReadonlyMap<string, PathState> = new Map();

export type PathStatesByPath = ReadonlyMap<string, PathState>;

/** `mirrors`: those of the workspace; none: no request. */
export function usePathStates(
  workspaceId: string,
  paths: readonly string[],
  mirrors: readonly Mirror[],
): PathStatesByPath {
  const { client, queries } = useServices();
  const shown = JSON.stringify(paths.slice(0, pathsMax));
  // Debounced while scrolling; the first rows are requested immediately.
  const debounced = useDebounced(shown);
  const requested = debounced === '[]' ? shown : debounced;
  const all = ['path-states', workspaceId] as const;
  const query = useQuery({
    queryKey: [...all, requested],
    queryFn: async ({ signal }) =>
      await client.mirrors.pathStates(workspaceId, JSON.parse(requested) as string[], { signal }),
    enabled: mirrors.length > 0 && requested !== '[]',
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.some(isTransient) ? transientMs : false),
    gcTime: 10_000,
  });
  useLiveRefresh(workspaceId, all);
  const activity = mirrorActivityKey(mirrors);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the activity is the reason to refetch
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['path-states', workspaceId] });
  }, [queries, workspaceId, activity]);
  const { data } = query;
  return useMemo(
    () => (data === undefined ? none : new Map(data.map((each) => [each.path, each] as const))),
    [data],
  );
}
