// The results: names and files with their first matching lines, or why there are none.
import type { ReactElement, RefObject } from 'react';
import { BadRequestError } from '../../../sdk/index.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { describeError, workspaceName } from '../../api/services.ts';
import { plural } from '../../model/format.ts';
import { emptyForm, hasFilters, type SearchForm } from '../../model/search/search-form.ts';
import {
  type FoundFile,
  moreLines,
  rowPx,
  type SearchRow,
  shownLine,
  shownLinesMax,
} from '../../model/search/search-rows.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { EmptyList } from '../../parts/feedback/empty-list.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { QueryError } from '../../parts/feedback/load-error.tsx';
import { MarkedText } from '../../parts/feedback/marked-text.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { GridCell } from '../../parts/tables/grid.tsx';
import { LoadingRows, WorkList } from '../../parts/tables/work-list.tsx';
import type { Results } from './results.ts';

interface SearchListProps {
  readonly form: SearchForm;
  readonly results: Results;
  readonly workspaces: readonly Workspace[];
  readonly openId: string | null;
  readonly listFocus: RefObject<((begin: boolean) => void) | null>;
  readonly onOpen: (row: SearchRow) => void;
  readonly onEnter: (file: FoundFile) => void;
  readonly onChange: (change: Partial<SearchForm>) => void;
}

export function SearchList(props: SearchListProps): ReactElement {
  const { form, results } = props;
  return (
    <section className="pane list" aria-label="Results" aria-busy={results.isOutdated}>
      {results.error instanceof BadRequestError ? (
        <InvalidSearch form={form} error={results.error} onChange={props.onChange} />
      ) : results.error !== null ? (
        <QueryError query={results} path="/" retry="Retries when you change the search." />
      ) : results.isEmpty === null ? (
        <NoQuery {...props} />
      ) : results.isLoading ? (
        <LoadingRows rowPx={48} />
      ) : results.isEmpty ? (
        <NothingFound {...props} />
      ) : (
        <FoundList {...props} />
      )}
      {results.isEmpty === false ? <KindHint kind={form.kind} /> : null}
    </section>
  );
}

function FoundList({
  results,
  workspaces,
  openId,
  listFocus,
  onOpen,
  onEnter,
}: SearchListProps): ReactElement {
  const showsWorkspace = workspaces.length > 1;
  return (
    <WorkList
      label="Results"
      rows={results.rows}
      idOf={(row) => row.id}
      openId={openId}
      rowPx={rowPx}
      columns={1}
      complete={!results.hasMoreContents && !results.hasMoreNames}
      rowClass="found-row"
      headingOf={(row) =>
        row.kind === 'heading' ? (
          <>
            <b>{row.text}</b> <span className="soft">{row.note}</span>
          </>
        ) : null
      }
      focusHandle={listFocus}
      onOpen={onOpen}
      onEnter={(row) => row.kind !== 'heading' && onEnter(row.file)}
      onNearEnd={results.loadMore}
    >
      {(row) =>
        row.kind === 'heading' ? null : (
          <GridCell className="found-cell">
            <span className="row">
              <Icon of="file" small />
              <PathText path={row.file.path} ranges={row.file.pathRanges ?? []} />
              <span className="end faint found-where">
                {row.kind === 'name' ? '' : linesOf(row.file)}
                {showsWorkspace ? <span>{workspaceName(workspaces, row.file.workspaceId)}</span> : null}
              </span>
            </span>
            {row.kind === 'content' ? <FoundLines file={row.file} /> : null}
          </GridCell>
        )
      }
    </WorkList>
  );
}

function FoundLines({ file }: { readonly file: FoundFile }): ReactElement {
  const more = moreLines(file);
  return (
    <>
      {file.matches.slice(0, shownLinesMax).map((match) => {
        const { text, ranges, isCut } = shownLine(match);
        return (
          <span key={match.line} className="found-line">
            <span className="number" aria-hidden="true">
              {match.line}
            </span>
            <span className="ellipsis">
              {isCut ? '… ' : ''}
              <MarkedText text={text} ranges={ranges} />
            </span>
          </span>
        );
      })}
      {more === null ? null : <span className="found-more">{more}</span>}
    </>
  );
}

function linesOf({ matches, moreMatches }: FoundFile): string {
  return moreMatches ? `${matches.length}+ lines` : plural(matches.length, 'line');
}

function KindHint({ kind }: Pick<SearchForm, 'kind'>): ReactElement {
  return <div className="pane-foot">{hints[kind]}</div>;
}

const hints: Readonly<Record<SearchForm['kind'], ReactElement>> = {
  all: <Hint text="Quote a phrase, type a filter:" example={'"harbour master" type:md after:2026-11-01'} />,
  words: <Hint text="Quote a phrase:" example={'"harbour master"'} />,
  names: <Hint text="Parts of a path, in any order:" example="guide price md" />,
  exact: <Hint text="Matches within one line, for example" example="total += 1;" />,
  regex: <Hint text="RE2 syntax, within one line:" example="^## \w+" />,
};

function Hint({ text, example }: { readonly text: string; readonly example: string }): ReactElement {
  return (
    <span>
      {text} <code className="tag mono">{example}</code>
    </span>
  );
}

const filterExamples = ['type:json', 'path:/guides', 'in:workspace', 'after:2026-11-01', 'changed:week'];

function NoQuery({ workspaces }: SearchListProps): ReactElement {
  const files = workspaces.reduce((sum, each) => sum + each.files, 0);
  return (
    <EmptyList icon="search" title={<>Search {plural(files, 'file')}</>}>
      <p>
        Names and contents of {workspaces.length === 1 ? 'the workspace' : 'all workspaces'} are searched as
        you type. Quote a phrase to find its words in this order.
      </p>
      <p>
        Filters can be typed as words:{' '}
        {filterExamples.map((example) => (
          <code key={example} className="tag mono">
            {example}
          </code>
        ))}
      </p>
    </EmptyList>
  );
}

function NothingFound({ form, onChange }: SearchListProps): ReactElement {
  const isNames = form.kind === 'names';
  return (
    <EmptyList
      icon="search"
      title={
        <>
          No {isNames ? 'name' : form.kind === 'all' ? 'file' : 'text'} matches “{form.q.trim() || form.glob}”
        </>
      }
    >
      <p>
        {isNames
          ? 'Each part of the query must occur in the path.'
          : 'Binary files and files of more than 1 MiB are found by name only.'}
      </p>
      <div className="row wrap">
        {hasFilters(form) ? (
          <Button onClick={() => onChange({ ...emptyForm, q: form.q, kind: form.kind })}>
            Clear filters
          </Button>
        ) : null}
        {form.kind === 'all' ? (
          <Button onClick={() => onChange({ kind: 'exact' })}>Search exact text</Button>
        ) : (
          <Button onClick={() => onChange({ kind: 'all' })}>Search names and contents</Button>
        )}
      </div>
    </EmptyList>
  );
}

function InvalidSearch({
  form,
  error,
  onChange,
}: Pick<SearchListProps, 'form' | 'onChange'> & { readonly error: BadRequestError }): ReactElement {
  const isRegex = form.kind === 'regex';
  return (
    <EmptyList icon="warning" title={isRegex ? 'Invalid regular expression' : 'Invalid search'} isAlert>
      <p>{isRegex ? causeOf(error) : describeError(error)}</p>
      {isRegex ? (
        <div className="row">
          <Button onClick={() => onChange({ kind: 'exact' })}>Search exact text</Button>
        </div>
      ) : null}
    </EmptyList>
  );
}

/** The heading says the rest. */
function causeOf(error: BadRequestError): string {
  const text = describeError(error).replace(/^Q is not a valid expression: /, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
