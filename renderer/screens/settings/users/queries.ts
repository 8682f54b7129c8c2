// The users of a workspace, loaded again while they are shown: others change them, too.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { WorkspaceUser } from '../../../../server/contract/users.ts';
import { useServices } from '../../../api/services.ts';

const pollMs = 10_000;

export function usersKey(workspaceId: string): readonly string[] {
  return ['users', workspaceId];
}

export function useWorkspaceUsers(workspaceId: string | null): UseQueryResult<readonly WorkspaceUser[]> {
  const { client } = useServices();
  return useQuery({
    queryKey: usersKey(workspaceId ?? ''),
    queryFn: async ({ signal }) => await client.users.ofWorkspace(workspaceId ?? '', { signal }),
    enabled: workspaceId !== null,
    refetchInterval: pollMs,
  });
}
