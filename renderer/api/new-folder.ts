// A folder that is chosen for a mirror: what the agent knows of it, and the count of its files.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDebounced } from '../parts/fields/use-debounced.ts';
import { useServices } from './services.ts';

const pauseMs = 120;
/** A count that is no longer needed is ended, so a folder that is only passed through costs little. */
const countPauseMs = 200;

/** `path`: the typed text. The answer may be that of the path before; compare `typed`. */
export function useNewFolder(path: string) {
  const { client } = useServices();
  const typed = useDebounced(path, () => false, pauseMs);
  return useQuery({
    queryKey: ['new-folder', typed],
    queryFn: async ({ signal }) => ({ typed, ...(await client.mirrors.lookAt(typed, { signal })) }),
    enabled: typed !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

/** null: nothing is counted. A count that is no longer needed is ended. */
export function useNewFolderCount(dir: string | null) {
  const { client } = useServices();
  const counted = useDebounced(dir, (next) => next === null, countPauseMs);
  return useQuery({
    queryKey: ['new-folder-count', counted],
    queryFn: async ({ signal }) => await client.mirrors.countFiles(counted ?? '', { signal }),
    enabled: counted !== null && counted === dir,
    gcTime: 0,
  });
}
