// What the finder offers for a text: commands at once, files and contents of all workspaces as the agent finds them. A text that begins
// with `/` is completed folder by folder, one that begins with `>` finds commands only.
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { workspaceOfId } from '../api/id-search.ts';
import { useFoundFiles } from '../api/searches.ts';
import {
  describeError,
  useFolders,
  useOpenFolder,
  useServices,
  useStatus,
  workspaceName,
} from '../api/services.ts';
import { filesHref } from '../location/app-location.ts';
import { screenHref } from '../location/screen-location.ts';
import { rememberWorkspace, useChosenWorkspace } from '../location/workspace-choice.ts';
import { nameOf, parentOf } from '../model/files/path.ts';
import { pastedId } from '../model/inbound/pasted-id.ts';
import { contentRequest, nameRequest, type SearchForm } from '../model/search/search-form.ts';
import { closestNames, type ShownLine, shownLine } from '../model/search/search-rows.ts';
import type { TextRange } from '../model/text/text-parts.ts';
import { announceFailure } from '../parts/feedback/answers.ts';
import type { Meaning } from '../parts/feedback/icon.tsx';
import { useDebounced } from '../parts/fields/use-debounced.ts';
import { screens } from '../screens.ts';
import { useAllCommands } from './commands.ts';

const pathsMax = 12;
const commandsMax = 8;
const namesMax = 5;
const contentsMax = 3;
const typingPauseMs = 60;

export interface Choice {
  readonly id: string;
  readonly group: 'Commands' | 'Files' | 'In contents' | 'Id' | 'Search';
  readonly icon: Meaning;
  readonly text: string;
  /** Shown instead of `text`. */
  readonly path?: string;
  /** Found characters of the path. */
  readonly ranges?: readonly TextRange[];
  /** A found line, shown after `text`. */
  readonly found?: ShownLine;
  readonly side?: string;
  readonly run: () => void;
  /** Tab replaces the query with this path of a folder. */
  readonly completesTo?: string;
}

interface Choices {
  readonly choices: readonly Choice[];
  readonly isLoading: boolean;
}

export function useChoices(query: string, onKeys: () => void): Choices {
  const [, navigate] = useLocation();
  const { workspace } = useChosenWorkspace(useStatus()?.workspaces ?? []);
  const isCommand = query.startsWith('>');
  const isPath = query.startsWith('/');
  const text = isCommand ? query.slice(1).trim().toLowerCase() : query.toLowerCase();
  const commands = useAllCommands(onKeys).filter(
    (choice) => choice.text.toLowerCase().includes(text) || choice.id.toLowerCase().startsWith(text || '\n'),
  );
  const paths = usePaths(workspace?.workspaceId ?? null, isPath ? query : '', navigate);
  const byId = useIdChoice(query, workspace?.workspaceId ?? null);
  const found = useFound(isCommand || isPath || byId !== null ? '' : query, navigate);
  if (byId !== null) return { choices: [byId], isLoading: false };
  if (isPath) return { choices: paths, isLoading: false };
  const shown = isCommand ? commands : commands.slice(0, text === '' ? 12 : commandsMax);
  return { choices: [...shown, ...found.choices], isLoading: found.isLoading };
}

const anywhere = { workspaceId: null, folder: '', glob: '', changed: 'any', caseSensitive: false } as const;

/** Files of all workspaces by name and by content, and the same search on its page. */
function useFound(query: string, navigate: (to: string) => void): Choices {
  const workspaces = useStatus()?.workspaces ?? [];
  const workspaceIds = useMemo(() => workspaces.map(({ workspaceId }) => workspaceId), [workspaces]);
  const q = useDebounced(query, (text) => text === '', typingPauseMs);
  const form: SearchForm = { ...anywhere, q, kind: 'all' };
  const names = useFoundFiles(nameRequest(form), workspaceIds, namesMax);
  const contents = useFoundFiles(contentRequest(form), workspaceIds, contentsMax);
  if (query === '') return { choices: [], isLoading: false };
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
        ...sideOf(workspaceId),
        run: () => navigate(filesHref(workspaceId, path, 'file')),
      }),
    );
  const lines = contents.files.slice(0, contentsMax).flatMap(({ workspaceId, path, matches }): Choice[] => {
    const [match] = matches;
    if (match === undefined) return [];
    return [
      {
        id: `content ${workspaceId} ${path}`,
        group: 'In contents',
        icon: 'file',
        text: `${nameOf(path)}:${match.line}`,
        found: shownLine(match),
        ...sideOf(workspaceId),
        run: () => navigate(filesHref(workspaceId, path, 'file', { line: match.line })),
      },
    ];
  });
  const page: Choice = {
    id: 'search page',
    group: 'Search',
    icon: 'search',
    text: `Search contents for “${query}”`,
    side: 'Ctrl ↵',
    run: () => navigate(screenHref('search', null, { q: query })),
  };
  return {
    choices: [...files, ...lines, ...(workspaces.length === 0 ? [] : [page])],
    isLoading: names.isLoading || contents.isLoading,
  };
}

/** A pasted id opens its screen, in the workspace that contains it. null: not an id. */
function useIdChoice(query: string, workspaceId: string | null): Choice | null {
  const { client } = useServices();
  const workspaces = useStatus()?.workspaces ?? [];
  const [, navigate] = useLocation();
  const found = pastedId(query);
  const screen = screens.find((each) => each.id === found?.screenId);
  if (found === null || screen === undefined || workspaceId === null) return null;
  const open = async (): Promise<void> => {
    try {
      const others = workspaces.map((each) => each.workspaceId).filter((id) => id !== workspaceId);
      const owner = await workspaceOfId(client, found, [workspaceId, ...others]);
      if (owner === null) announceFailure(`${found.id} not found in any workspace.`);
      const workspace = owner ?? workspaceId;
      rememberWorkspace(workspace);
      navigate(screenHref(screen.id, found.id, { workspace }));
    } catch (error) {
      announceFailure(describeError(error));
    }
  };
  return {
    id: found.id,
    group: 'Id',
    icon: screen.icon,
    text: `${found.name} ${found.id}`,
    side: screen.name,
    run: () => void open(),
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
