// The location within a screen: `#writeback/op_12?workspace=rw_…&filter=failed`. The path contains the selection, the search
// the filters without their defaults.
import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';

export interface ScreenLocation {
  /** Id of the selected row; null: none. */
  readonly selected: string | null;
  field(name: string): string;
  /** Changes the location. An empty field is removed from the address; omitted ones keep their values. */
  go(change: {
    readonly selected?: string | null;
    readonly fields?: Readonly<Record<string, string>>;
    readonly replace?: boolean;
  }): void;
}

export function useScreenLocation(screenId: string): ScreenLocation {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const rest = path.slice(`/${screenId}/`.length);
  const selected = rest === '' ? null : rest;
  const go = useCallback<ScreenLocation['go']>(
    (change) => {
      const next = change.selected === undefined ? selected : change.selected;
      navigate(screenHref(screenId, next, change.fields ?? {}, search), { replace: change.replace ?? false });
    },
    [navigate, screenId, selected, search],
  );
  return { selected, field: (name) => new URLSearchParams(search).get(name) ?? '', go };
}

/** `search`: the present search of the address, which is kept. */
export function screenHref(
  screenId: string,
  selected: string | null,
  fields: Readonly<Record<string, string>>,
  search = '',
): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(fields)) {
    if (value === '') params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  const selectedPath = selected === null ? '' : `/${encodeURIComponent(selected)}`;
  return `/${screenId}${selectedPath}${text === '' ? '' : `?${text}`}`;
}
