// The Search screen: names and contents of the files of all workspaces, with the file at the found line beside them. The URL holds
// the search.
import { type ReactElement, type RefObject, useRef } from 'react';
import { useLocation } from 'wouter';
import { searchKey } from '../api/searches.ts';
import { useStatus } from '../api/services.ts';
import { useLiveRefresh } from '../api/use-live-refresh.ts';
import { useKeys } from '../keys.ts';
import { filesHref } from '../location/app-location.ts';
import { filterWords } from '../model/search/filter-words.ts';
import type { FoundFile, SearchRow } from '../model/search/search-rows.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import { DetailPane } from '../parts/tables/detail-head.tsx';
import { closesDetail, keysIntoList } from '../parts/tables/list-keys.ts';
import type { FocusHandle } from '../parts/tables/work-list.tsx';
import { SearchFilters } from './search/filters.tsx';
import { SearchHead } from './search/head.tsx';
import { SearchList } from './search/list.tsx';
import { type SearchLocation, useSearchLocation } from './search/location.ts';
import { FoundFilePane } from './search/preview.tsx';
import { useResults } from './search/results.ts';

export function SearchScreen(): ReactElement {
  const workspaces = useStatus()?.workspaces ?? [];
  const { location, go } = useSearchLocation();
  const results = useResults(location.form, workspaces);
  useLiveRefresh(location.form.workspaceId, searchKey);
  const open = openRow(results.rows, location.rowId);
  const hits = open === null ? [] : open.file.matches.map(({ line }) => line);
  const line = hits.includes(location.line ?? 0) ? location.line : (hits[0] ?? null);
  const [, navigate] = useLocation();
  const openFile = (file: FoundFile): void =>
    navigate(filesHref(file.workspaceId, file.path, 'file', { line: line ?? null }));
  const step = (by: 1 | -1): void => {
    const next = hits[hits.indexOf(line ?? 0) + by];
    if (open !== null && next !== undefined) go({ rowId: open.id, line: next });
  };
  // An expression and an exact text are searched as they are written.
  const type = (text: string, options = {}): void => {
    const hasWords = location.form.kind !== 'regex' && location.form.kind !== 'exact';
    const { q, filters } = hasWords ? filterWords(text, workspaces, options) : { q: text, filters: {} };
    if (q !== location.form.q) go({ ...filters, q, rowId: null });
  };
  const { field, listFocus } = useSearchKeys({ open: open?.file ?? null, location, go, step });
  return (
    <div className="work">
      <SearchHead
        form={location.form}
        results={results}
        field={field}
        onChange={(q) => type(q, { whileTyping: true })}
        onEnter={() => type(location.form.q)}
        onLeave={() => listFocus.current?.(true)}
      />
      <SearchFilters
        form={location.form}
        workspaces={workspaces}
        onChange={(change) => go({ ...change, rowId: null })}
      />
      <div className={location.rowId === null ? 'work-panes found' : 'work-panes found with-detail'}>
        <SearchList
          form={location.form}
          results={results}
          workspaces={workspaces}
          openId={open?.id ?? null}
          listFocus={listFocus}
          onOpen={(row) => go({ rowId: row.id, line: null })}
          onEnter={openFile}
          onChange={(change) => go({ ...change, rowId: null })}
        />
        <DetailPane label="Found file" openId={open?.id ?? null}>
          {() =>
            open === null ? null : (
              <FoundFilePane
                key={open.id}
                file={open.file}
                hits={hits}
                line={line}
                onStep={step}
                onOpen={() => openFile(open.file)}
                onClose={() => go({ rowId: null })}
              />
            )
          }
        </DetailPane>
      </div>
    </div>
  );
}

type FileRow = Exclude<SearchRow, { readonly kind: 'heading' }>;

/** The first row is open until another one is. */
function openRow(rows: readonly SearchRow[], rowId: string | null): FileRow | null {
  const files = rows.filter((row): row is FileRow => row.kind !== 'heading');
  return files.find(({ id }) => id === rowId) ?? files[0] ?? null;
}

function useSearchKeys({
  open,
  location,
  go,
  step,
}: {
  readonly open: FoundFile | null;
  readonly location: SearchLocation;
  readonly go: ReturnType<typeof useSearchLocation>['go'];
  readonly step: (by: 1 | -1) => void;
}): { readonly field: RefObject<HTMLInputElement | null>; readonly listFocus: FocusHandle } {
  const field = useRef<HTMLInputElement>(null);
  const listFocus: FocusHandle = useRef(null);
  useKeys({
    ...keysIntoList(() => listFocus.current?.(true)),
    '/': () => field.current?.select(),
    n: () => step(1),
    p: () => step(-1),
    c: () => open !== null && void copyText(open.path, 'the path'),
    Escape: () => {
      const inList = document.activeElement?.closest('.list') != null;
      if (location.rowId !== null && closesDetail()) go({ rowId: null });
      if (inList) field.current?.focus();
      else listFocus.current?.(false);
    },
  });
  return { field, listFocus };
}
