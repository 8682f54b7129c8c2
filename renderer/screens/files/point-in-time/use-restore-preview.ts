// What a restore of a point in time would change now.
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../../api/services.ts';

/** `atMs` null: no time is chosen. */
export function useRestorePreview(workspaceId: string, path: string, atMs: number | null) {
  const { client } = useServices();
  return useQuery({
    queryKey: ['as-of-preview', workspaceId, path, atMs],
    queryFn: async ({ signal }) =>
      await client.history.restore(workspaceId, { path, at: new Date(atMs ?? 0), dryRun: true }, { signal }),
    enabled: atMs !== null,
    retry: false,
    gcTime: 0,
  });
}
