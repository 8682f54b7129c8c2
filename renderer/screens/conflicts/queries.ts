// Queries of the Conflicts screen. A mirror detects conflicts in its sync cycles, without an event for each, so lists are loaded again
// with every event and at an interval.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Conflict, ConflictDetail } from '../../../server/contract/conflicts.ts';
import { type PendingWork, useAllConflicts } from '../../api/pending-work.ts';
import { useServices } from '../../api/services.ts';
import { useLiveRefresh } from '../../api/use-live-refresh.ts';

const pollMs = 5_000;

export function conflictsKey(workspaceId: string): readonly string[] {
  return ['conflicts', workspaceId];
}

export function useConflicts(workspaceId: string | null): UseQueryResult<readonly Conflict[]> {
  const { client } = useServices();
  return useQuery({
    queryKey: [...conflictsKey(workspaceId ?? ''), 'list'],
    queryFn: async ({ signal }) => await client.conflicts.list(workspaceId ?? '', { signal }),
    enabled: workspaceId !== null,
    refetchInterval: pollMs,
  });
}

export function useConflict(workspaceId: string, conflictId: string): UseQueryResult<ConflictDetail> {
  const { client } = useServices();
  const key = [...conflictsKey(workspaceId), 'detail', conflictId];
  useLiveRefresh(workspaceId, key);
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => await client.conflicts.get(workspaceId, conflictId, { signal }),
  });
}

/** Counts for the navigation. */
export function useOpenConflicts(workspaceId: string | null): PendingWork {
  const { data } = useConflicts(workspaceId);
  const all = useAllConflicts();
  if (workspaceId === null) return all;
  return new Map(data === undefined ? [] : [[workspaceId, data.length]]);
}
