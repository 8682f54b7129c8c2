// The place inside of a screen: `#writeback/op_12?workspace=rw_…&filter=failed`. What is selected stands in the path, what
// narrows the list in the search; the default of a field does not stand in the address.
import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';

export interface ScreenLocation {
  /** What is selected; null: nothing. */
  readonly selected: string | null;
  field(name: string): string;
  /** Changes the place. An empty field leaves the address; what is not named stays. */
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

/** `search`: what else the address says already. */
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
  const place = selected === null ? '' : `/${encodeURIComponent(selected)}`;
  return `/${screenId}${place}${text === '' ? '' : `?${text}`}`;
}
