// The results of the present search: names, contents, or both, as rows of the list.
import { useMemo } from 'react';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { type FoundFiles, useFoundFiles } from '../../api/searches.ts';
import { contentRequest, nameRequest, type SearchForm } from '../../model/search/search-form.ts';
import { closestNames, type FoundRows, type SearchRow, searchRows } from '../../model/search/search-rows.ts';
import { useDebounced } from '../../parts/fields/use-debounced.ts';

/** Names above the contents. The kind Names has all. */
const namesAboveContents = 5;
const filesPerPage = 50;
const typingPauseMs = 80;

export interface Results extends FoundRows {
  readonly rows: readonly SearchRow[];
  /** null: nothing is searched. */
  readonly isEmpty: boolean | null;
  readonly isLoading: boolean;
  readonly isOutdated: boolean;
  readonly error: Error | null;
  readonly incomplete: FoundFiles['incomplete'];
  readonly loadMore: () => void;
  readonly refetch: () => void;
}

export function useResults(typed: SearchForm, workspaces: readonly Workspace[]): Results {
  const form = useSettledForm(typed);
  const workspaceIds = useMemo(
    () => (form.workspaceId === null ? workspaces.map(({ workspaceId }) => workspaceId) : [form.workspaceId]),
    [form.workspaceId, workspaces],
  );
  const isBoth = form.kind === 'all';
  const names = useFoundFiles(nameRequest(form), workspaceIds, isBoth ? namesAboveContents : filesPerPage);
  const contents = useFoundFiles(contentRequest(form), workspaceIds, filesPerPage);
  const shownNames = isBoth ? closestNames(names.files).slice(0, namesAboveContents) : names.files;
  const found: FoundRows = {
    names: shownNames,
    contents: contents.files,
    hasMoreNames: names.hasMore || shownNames.length < names.files.length,
    hasMoreContents: contents.hasMore,
  };
  const isLoading = names.isLoading || contents.isLoading;
  const isEmpty = isLoading ? false : found.names.length + found.contents.length === 0;
  return {
    ...found,
    rows: searchRows(found),
    isEmpty: nameRequest(form) === null && contentRequest(form) === null ? null : isEmpty,
    isLoading,
    isOutdated: names.isOutdated || contents.isOutdated || form !== typed,
    error: contents.error ?? names.error,
    incomplete: contents.incomplete ?? names.incomplete,
    loadMore: () => (form.kind === 'names' ? names.loadMore() : contents.loadMore()),
    refetch: () => {
      names.refetch();
      contents.refetch();
    },
  };
}

/** The form after a short pause in typing. */
function useSettledForm(typed: SearchForm): SearchForm {
  const key = JSON.stringify(typed);
  const settled = useDebounced(key, (text) => text.includes('"q":""'), typingPauseMs);
  return useMemo(
    () => (settled === key ? typed : (JSON.parse(settled) as SearchForm)),
    [settled, key, typed],
  );
}
