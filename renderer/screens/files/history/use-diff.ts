// The changes of a revision: shown for the selected one, counted in the rows near it.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { FileDiff } from '../../../../server/contract/history.ts';
import { useServices } from '../../../api/services.ts';

export function useDiff(
  workspaceId: string,
  path: string,
  revision: string,
  isWanted: boolean,
): UseQueryResult<FileDiff> {
  const { client } = useServices();
  return useQuery({
    queryKey: ['diff', workspaceId, path, revision],
    queryFn: async ({ signal }) => await client.history.diff(workspaceId, path, { to: revision, signal }),
    enabled: isWanted,
    // A revision never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
