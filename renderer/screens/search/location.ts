// The search in the address: `#search?q=harbour&kind=words&file=…`, without the defaults.
import { useScreenLocation } from '../../location/screen-location.ts';
import { changedOf, type SearchForm, searchFields, searchKinds } from '../../model/search/search-form.ts';

export interface SearchLocation {
  readonly form: SearchForm;
  /** The open row; null: the first. */
  readonly rowId: string | null;
  /** The line that is shown of its file; null: the first that matches. */
  readonly line: number | null;
}

export type SearchChange = Partial<SearchForm & Pick<SearchLocation, 'rowId' | 'line'>>;

export function useSearchLocation(): {
  readonly location: SearchLocation;
  readonly go: (change: SearchChange) => void;
} {
  const { field, go } = useScreenLocation('search');
  const line = Number(field('line'));
  const location: SearchLocation = {
    form: {
      q: field('q'),
      kind: searchKinds.find((kind) => kind === field('kind')) ?? 'all',
      workspaceId: field('workspace') || null,
      folder: field('folder'),
      glob: field('glob'),
      changed: changedOf(field('changed')) ?? 'any',
      caseSensitive: field('case') === 'yes',
    },
    rowId: field('row') || null,
    line: Number.isSafeInteger(line) && line > 0 ? line : null,
  };
  return {
    location,
    go: (change) => {
      const form = { ...location.form, ...change };
      const at = { ...location, ...change };
      go({
        replace: true,
        fields: {
          ...searchFields(form),
          row: at.rowId ?? '',
          line: at.rowId === null || at.line === null ? '' : String(at.line),
        },
      });
    },
  };
}
