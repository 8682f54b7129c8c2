// The search in the address: `#search?q=harbour&kind=words&file=…`, without the defaults.
import { useScreenLocation } from '../../location/screen-location.ts';
import {
  type ChangedWithin,
  changedWithin,
  type SearchForm,
  searchKinds,
} from '../../model/search/search-form.ts';

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
      changed: field('changed') in changedWithin ? (field('changed') as ChangedWithin) : 'any',
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
          q: form.q,
          kind: form.kind === 'all' ? '' : form.kind,
          workspace: form.workspaceId ?? '',
          folder: form.folder,
          glob: form.glob,
          changed: form.changed === 'any' ? '' : form.changed,
          case: form.caseSensitive ? 'yes' : '',
          row: at.rowId ?? '',
          line: at.rowId === null || at.line === null ? '' : String(at.line),
        },
      });
    },
  };
}
