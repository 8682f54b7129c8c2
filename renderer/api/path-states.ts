// Where the paths that are shown stand in their mirrors. Asked for them alone: when they come into sight, when something happened
// in the workspace, and when the status says that a mirror has moved; at most once a second, and twice as rarely while a file is
// on its way and nothing else tells of it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { PathState } from '../../sdk/index.ts';
import type { Mirror } from '../../server/contract/workspaces.ts';
import { isTransient, mirrorActivityKey } from '../model/mirror/path-state-view.ts';
import { useDebounced } from '../parts/fields/use-debounced.ts';
import { useServices } from './services.ts';
import { useLiveRefresh } from './use-live-refresh.ts';

/** The agent answers no more at once. */
const pathsMax = 1_000;
const movingMs = 2_000;
const none: ReadonlyMap<string, PathState> = new Map();

export type PathStatesByPath = ReadonlyMap<string, PathState>;

/** `mirrors`: those of the workspace; without any nothing is asked. */
export function usePathStates(
  workspaceId: string,
  paths: readonly string[],
  mirrors: readonly Mirror[],
): PathStatesByPath {
  const { client, queries } = useServices();
  const shown = JSON.stringify(paths.slice(0, pathsMax));
  // Rows that only fly by are not asked for; the first ones are at once.
  const settled = useDebounced(shown);
  const asked = settled === '[]' ? shown : settled;
  const all = ['path-states', workspaceId] as const;
  const query = useQuery({
    queryKey: [...all, asked],
    queryFn: async ({ signal }) =>
      await client.mirrors.pathStates(workspaceId, JSON.parse(asked) as string[], { signal }),
    enabled: mirrors.length > 0 && asked !== '[]',
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.some(isTransient) ? movingMs : false),
    staleTime: 0,
    gcTime: 10_000,
  });
  useLiveRefresh(workspaceId, all);
  const moved = mirrorActivityKey(mirrors);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the movement is why it is read again
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['path-states', workspaceId] });
  }, [queries, workspaceId, moved]);
  const { data } = query;
  return useMemo(
    () => (data === undefined ? none : new Map(data.map((each) => [each.path, each] as const))),
    [data],
  );
}
