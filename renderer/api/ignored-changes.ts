// What a command did to the files of its run that no mirror syncs, and the difference of one of them.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type IgnoredChange, type IgnoredChanges, NotFoundError, type Run } from '../../sdk/index.ts';
import { runsKey } from './runs.ts';
import { useServices } from './services.ts';

/** The changes are no event, and each answer compares the folder. */
const pollMs = 10_000;
const pollOfManyMs = 60_000;
const manyCopiedFiles = 10_000;
/** Of the list; the further ones are counted. */
export const listedIgnoredMax = 1_000;

function ignoredKey({ workspaceId, runId }: Run): readonly string[] {
  return [...runsKey(workspaceId), 'ignored', runId];
}

/** null: nothing was copied into the folder of the run. `copiedFiles`: how many were; 0: does not ask. */
export function useIgnoredChanges(run: Run, copiedFiles: number): UseQueryResult<IgnoredChanges | null> {
  const { client } = useServices();
  return useQuery({
    queryKey: ignoredKey(run),
    enabled: run.state === 'open' && copiedFiles > 0,
    queryFn: async ({ signal }) =>
      await client.runs
        .ignoredPage(run.workspaceId, run.runId, { limit: listedIgnoredMax, signal })
        .catch((error: unknown) => {
          if (error instanceof NotFoundError) return null;
          throw error;
        }),
    refetchInterval: copiedFiles > manyCopiedFiles ? pollOfManyMs : pollMs,
  });
}

/** The change with its difference. `previous`: the path before it in the list; null: it is the first. Answers null where the list has changed since. */
export function useIgnoredDifference(
  run: Run,
  path: string,
  previous: string | null,
): UseQueryResult<IgnoredChange | null> {
  const { client } = useServices();
  return useQuery({
    queryKey: [...ignoredKey(run), 'difference', path],
    queryFn: async ({ signal }) => {
      const after = previous === null ? {} : { cursor: previous };
      const query = { ...after, limit: 1, patch: true, signal };
      const { changes } = await client.runs.ignoredPage(run.workspaceId, run.runId, query);
      return changes.find((change) => change.path === path) ?? null;
    },
    gcTime: 0,
  });
}
