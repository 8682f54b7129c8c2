// What the finder offers for a text: commands at once, files and contents of all workspaces as the agent finds them. A text that begins
// with `/` is completed folder by folder, one that begins with `>` finds commands only.
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useFoundFiles } from '../api/searches.ts';
import { useFolders, useOpenFolder, useStatus, workspaceName } from '../api/services.ts';
import { filesHref } from '../location/app-location.ts';
import { screenHref } from '../location/screen-location.ts';
import { useChosenWorkspace } from '../location/workspace-choice.ts';
import { nameOf, parentOf } from '../model/files/path.ts';
import { filterWords } from '../model/search/filter-words.ts';
import {
  contentRequest,
  emptyForm,
  nameRequest,
  type SearchForm,
  searchFields,
} from '../model/search/search-form.ts';
import { bestLines, closestNames, shownLine } from '../model/search/search-rows.ts';
import { useDebounced } from '../parts/fields/use-debounced.ts';
import type { Choice } from './choice.ts';
import { useAllCommands } from './commands.ts';
import { useIdChoices } from './id-choices.ts';

const pathsMax = 12;
const commandsMax = 8;
const namesMax = 5;
const contentsMax = 3;
const linesMax = 2;
/** Letters that arrive within this time are one search. The answer is there before a person types the next letter. */
const typingPauseMs = 20;

interface Choices {
  readonly choices: readonly Choice[];
  readonly isLoading: boolean;
  /** Filters among the words of the query, as they were typed. */
  readonly filters: readonly string[];
  /** The address of the same search on its page. */
  readonly pageHref: string;
}

export function useChoices(query: string, onKeys: () => void): Choices {
  const [, navigate] = useLocation();
  const workspaces = useStatus()?.workspaces ?? [];
  const { workspace } = useChosenWorkspace(workspaces);
  const isCommand = query.startsWith('>');
  const isPath = query.startsWith('/');
  const isId = query.startsWith('#');
  const text = isCommand ? query.slice(1).trim().toLowerCase() : query.toLowerCase();
  const commands = useAllCommands(onKeys).filter(
    (choice) => choice.text.toLowerCase().includes(text) || choice.id.toLowerCase().startsWith(text || '\n'),
  );
  const paths = usePaths(workspace?.workspaceId ?? null, isPath ? query : '', navigate);
  const byId = useIdChoices(query, workspace?.workspaceId ?? null);
  const { q, filters, words } = filterWords(query, workspaces);
  const form: SearchForm = { ...emptyForm, ...filters, q: q.trim() };
  const pageHref = screenHref('search', null, searchFields(form));
  const isSearch = !isCommand && !isPath && !isId && byId.length === 0;
  const found = useFound(isSearch ? form : emptyForm, () => navigate(pageHref));
  const rest = { filters: isSearch ? words : [], pageHref };
  if (isId || byId.length > 0) return { ...rest, choices: byId, isLoading: false };
  if (isPath) return { ...rest, choices: paths, isLoading: false };
  const shown = isCommand ? commands : commands.slice(0, text === '' ? 12 : commandsMax);
  return { ...rest, choices: [...shown, ...found.choices], isLoading: found.isLoading };
}

/** Files by name and by content, and the same search on its page. Nothing for the empty form. */
function useFound(typed: SearchForm, openPage: () => void): Pick<Choices, 'choices' | 'isLoading'> {
  const [, navigate] = useLocation();
  const workspaces = useStatus()?.workspaces ?? [];
  const settled = useDebounced(JSON.stringify(typed), (text) => text.includes('"q":""'), typingPauseMs);
  const form = useMemo(() => JSON.parse(settled) as SearchForm, [settled]);
  const workspaceIds = useMemo(
    () => (form.workspaceId === null ? workspaces.map(({ workspaceId }) => workspaceId) : [form.workspaceId]),
    [form.workspaceId, workspaces],
  );
  const names = useFoundFiles(nameRequest(form), workspaceIds, namesMax);
  const contents = useFoundFiles(contentRequest(form), workspaceIds, contentsMax);
  if (typed === emptyForm || (nameRequest(typed) === null && contentRequest(typed) === null))
    return { choices: [], isLoading: false };
  const sideOf = (workspaceId: string) =>
    workspaces.length > 1 ? { side: workspaceName(workspaces, workspaceId) } : {};
  const files = closestNames(names.files)
    .slice(0, namesMax)
    .map(
      ({ workspaceId, path, pathRanges = [] }): Choice => ({
        id: `name ${workspaceId} ${path}`,
        group: 'Files',
        icon: 'file',
        text: path,
        path,
        ranges: pathRanges,
        file: { workspaceId, path, line: null },
        ...sideOf(workspaceId),
        run: () => navigate(filesHref(workspaceId, path, 'file')),
      }),
    );
  const lines = contents.files.slice(0, contentsMax).flatMap(({ workspaceId, path, matches }) =>
    bestLines(matches, linesMax).map(
      (match): Choice => ({
        id: `content ${workspaceId} ${path} ${match.line}`,
        group: 'In contents',
        icon: 'file',
        text: `${nameOf(path)}:${match.line}`,
        found: shownLine(match),
        file: { workspaceId, path, line: match.line },
        ...sideOf(workspaceId),
        run: () => navigate(filesHref(workspaceId, path, 'file', { line: match.line })),
      }),
    ),
  );
  const page: Choice = {
    id: 'search page',
    group: 'Search',
    icon: 'search',
    text: typed.q === '' ? 'Open on the Search page' : `Search contents for “${typed.q}”`,
    side: 'Ctrl ↵',
    run: openPage,
  };
  return {
    choices: [...files, ...lines, ...(workspaces.length === 0 ? [] : [page])],
    isLoading: names.isLoading || contents.isLoading,
  };
}

/** Files and folders that begin with the path, in their folder. */
function usePaths(
  workspaceId: string | null,
  path: string,
  navigate: (to: string) => void,
): readonly Choice[] {
  const store = useFolders(workspaceId ?? '');
  const folder = path === '' ? null : path.length > 1 ? parentOf(path) : '/';
  useOpenFolder(store, workspaceId === null ? null : folder);
  if (workspaceId === null || folder === null) return [];
  const text = path.toLowerCase();
  return (store.view(folder)?.entries ?? [])
    .filter((entry) => entry.path.toLowerCase().startsWith(text))
    .slice(0, pathsMax)
    .map((entry) => ({
      id: `path:${entry.path}`,
      group: 'Files',
      icon: entry.type === 'dir' ? ('folder' as const) : ('file' as const),
      text: entry.path,
      path: entry.path,
      ...(entry.type === 'dir' ? { completesTo: `${entry.path}/`, side: 'Tab to open' } : {}),
      run: () => navigate(filesHref(workspaceId, entry.path, entry.type)),
    }));
}
