// Which files of a workspace a typed folder or pattern matches now, and the folders that complete it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { MooringClient } from '../../sdk/index.ts';
import { NotFoundError } from '../../sdk/index.ts';
import { pathProblem, typedPath } from '../model/access/token-path.ts';
import { parentOf } from '../model/files/path.ts';
import { useDebounced } from '../parts/fields/use-debounced.ts';
import { useServices } from './services.ts';
import { useLiveRefresh } from './use-live-refresh.ts';

const pauseMs = 120;
/** Entries that are read to count a prefix or to complete a name; a page has 1,000. */
const pagesMax = 5;
const proposalsMax = 50;

export interface MatchingFiles {
  /** What the token is limited to; null: all files. */
  readonly pattern: string | null;
  readonly files: number;
  /** true: there are more files than were counted. */
  readonly isLeast: boolean;
}

/** Counts again after each change of a file. undefined: not known yet, or the text is invalid. */
export function useMatchingFiles(workspaceId: string, text: string) {
  const { client } = useServices();
  const typed = useDebounced(text, () => false, pauseMs);
  useLiveRefresh(workspaceId, ['matching-files', workspaceId]);
  return useQuery({
    queryKey: ['matching-files', workspaceId, typed],
    queryFn: async ({ signal }) => ({ typed, ...(await matchingFiles(client, workspaceId, typed, signal)) }),
    enabled: workspaceId !== '' && pathProblem(typed) === null,
    // For a workspace that is not followed.
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

async function matchingFiles(
  client: MooringClient,
  workspaceId: string,
  text: string,
  signal: AbortSignal,
): Promise<MatchingFiles> {
  const typed = typedPath(text);
  const below = async (path: string): Promise<number> =>
    (await client.listTree(workspaceId, { path, depth: 1, signal })).totalFiles ?? 0;
  if (typed.kind === 'all') return { pattern: null, files: await below('/'), isLeast: false };
  if (typed.kind === 'below')
    return { pattern: typed.pattern, files: await below(typed.folder), isLeast: false };
  if (typed.kind === 'entry') {
    const files = await below(typed.path);
    if (files === 0 && (await isFile(client, workspaceId, typed.path, signal)))
      return { pattern: typed.path, files: 1, isLeast: false };
    return { pattern: `${typed.path}/**`, files, isLeast: false };
  }
  const options = { path: typed.folder, depth: 100, signal };
  const { entries, isCut } = await firstEntries(client, workspaceId, options);
  const files = entries.filter(({ path, type }) => type === 'file' && path.startsWith(typed.prefix)).length;
  return { pattern: text, files, isLeast: isCut };
}

async function isFile(
  client: MooringClient,
  workspaceId: string,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await client.files.stat(workspaceId, path, { signal });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

async function firstEntries(
  client: MooringClient,
  workspaceId: string,
  options: { readonly path: string; readonly depth: number; readonly signal: AbortSignal },
) {
  const entries = [];
  let pages = 0;
  for await (const page of client.files.treePages(workspaceId, options)) {
    entries.push(...page.entries);
    pages += 1;
    if (pages === pagesMax) return { entries, isCut: page.nextCursor !== null };
  }
  return { entries, isCut: false };
}

/** The folders that begin as the typed text does, as `/docs/api`. */
export function useFolderCompletion(workspaceId: string, text: string): readonly string[] {
  const { client } = useServices();
  const parent = text.startsWith('/') && !text.includes('*') ? parentOf(text) : null;
  const { data } = useQuery({
    queryKey: ['folder-completion', workspaceId, parent],
    queryFn: async ({ signal }) => {
      const options = { path: parent ?? '/', depth: 1, signal };
      const { entries } = await firstEntries(client, workspaceId, options);
      return entries.filter(({ type }) => type === 'dir').map(({ path }) => path);
    },
    enabled: workspaceId !== '' && parent !== null,
    gcTime: 0,
  });
  return (data ?? []).filter((path) => path.startsWith(text)).slice(0, proposalsMax);
}
