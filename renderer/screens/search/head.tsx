// The head of Search: the field, the number of results, and why results may be missing.
import { type ReactElement, type RefObject, useCallback } from 'react';
import { BadRequestError } from '../../../sdk/index.ts';
import { useIndexedFiles, workspacesMax } from '../../api/searches.ts';
import { useStatus } from '../../api/services.ts';
import { count } from '../../model/format.ts';
import type { SearchForm } from '../../model/search/search-form.ts';
import { resultText } from '../../model/search/search-rows.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { takesFocus } from '../../parts/fields/takes-focus.ts';
import type { Results } from './results.ts';

export function SearchHead({
  form,
  results,
  field,
  onChange,
  onEnter,
  onLeave,
}: {
  readonly form: SearchForm;
  readonly results: Results;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onChange: (q: string) => void;
  /** The text is complete. */
  readonly onEnter: () => void;
  /** Moves the focus into the results. */
  readonly onLeave: () => void;
}): ReactElement {
  // Always the same function: another one would take the focus again.
  const fieldRef = useCallback(
    (input: HTMLInputElement | null) => {
      field.current = input;
      return takesFocus(input);
    },
    [field],
  );
  return (
    <>
      <h1 className="reader-only">Search</h1>
      <div className="search-query">
        <Icon of="search" />
        <input
          ref={fieldRef}
          type="text"
          aria-label="Search files"
          aria-invalid={results.error instanceof BadRequestError}
          placeholder="Search names and contents"
          autoComplete="off"
          spellCheck={false}
          value={form.q}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && form.q !== '') onChange('');
            else if (event.key === 'ArrowDown') onLeave();
            else if (event.key === 'Enter') {
              onEnter();
              onLeave();
            } else return;
            event.preventDefault();
          }}
        />
        <span className="soft number-text" role="status">
          {results.isEmpty === false && results.rows.length > 0 ? resultText(results) : ''}
        </span>
        {form.q === '' ? null : (
          <Button
            kind="ghost"
            icon="close"
            label="Clear the search"
            shortcut="Esc"
            onClick={() => {
              onChange('');
              field.current?.focus();
            }}
          />
        )}
      </div>
      <IncompleteNote incomplete={results.isEmpty === null ? null : results.incomplete} />
    </>
  );
}

function IncompleteNote({ incomplete }: { readonly incomplete: Results['incomplete'] }): ReactElement | null {
  const isBuilding = incomplete === 'indexing';
  const indexed = useIndexedFiles(isBuilding);
  const total = (useStatus()?.workspaces ?? []).reduce((sum, { files }) => sum + files, 0);
  if (incomplete === null) return null;
  return (
    <div className="note-line" role="status">
      <Icon of={isBuilding ? 'waiting' : 'warning'} small />
      {isBuilding
        ? `Indexing${indexed === null ? '' : `: ${count(Math.min(indexed, total))} of ${count(total)} files`}. Results so far.`
        : incomplete === 'limit'
          ? 'Search limit reached: files may be missing. Use a longer text or a folder.'
          : incomplete === 'workspaces'
            ? `The first ${count(workspacesMax)} workspaces are searched. Choose a workspace to search another.`
            : 'The search index has reached its size limit: contents of some files are not searched.'}
    </div>
  );
}
