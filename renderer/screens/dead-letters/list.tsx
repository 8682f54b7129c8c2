// The list of dead letters: path and cause, provider, attempts, age. The actions of a selection are below it.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, RefObject } from 'react';
import type { DeadLetter } from '../../../sdk/index.ts';
import { useDisabledReason } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { type DeadLetterColumn, deadLetterColumns } from '../../model/inbound/dead-letter-columns.ts';
import { causeTitle, splitLastError } from '../../model/inbound/failure-cause.ts';
import { Button } from '../../parts/buttons/button.tsx';
import type { RowAction } from '../../parts/buttons/row-menu.tsx';
import { QueryError } from '../../parts/feedback/load-error.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { GridCell } from '../../parts/tables/grid.tsx';
import { MarkCell, type Selection, SelectionBar } from '../../parts/tables/selection.tsx';
import { useColumns } from '../../parts/tables/use-columns.ts';
import type { ColumnSorting } from '../../parts/tables/use-sort.ts';
import { LoadingRows, WorkList } from '../../parts/tables/work-list.tsx';
import { EmptyDeadLetters } from './empty-dead-letters.tsx';
import type { DeadLettersLocation } from './location.ts';
import { type DeadLetterPage, deadLettersMax, useDeadLetterPath } from './queries.ts';

interface DeadLetterListProps {
  readonly workspaceId: string;
  readonly query: UseQueryResult<DeadLetterPage>;
  readonly rows: readonly DeadLetter[];
  /** Number of accepted inbound events. */
  readonly accepted: number | undefined;
  readonly location: DeadLettersLocation;
  readonly go: (change: Partial<DeadLettersLocation>, replace?: boolean) => void;
  readonly selection: Selection<DeadLetter>;
  readonly sorting: ColumnSorting<DeadLetterColumn>;
  readonly actionsOf: (row: DeadLetter) => readonly RowAction[];
  readonly onAct: (kind: 'replay' | 'acknowledge', deadLetters: readonly DeadLetter[]) => void;
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onEnter: () => void;
  readonly onChanged: () => void;
}

export function DeadLetterList(props: DeadLetterListProps): ReactElement {
  const { workspaceId, query, rows, location, go, selection, focusHandle, onEnter } = props;
  const layout = useColumns('dead-letters', deadLetterColumns);
  return (
    <section className="pane list" aria-label="Dead letters">
      {query.data === undefined && query.isError ? (
        <QueryError query={query} path={workspaceId} />
      ) : query.data === undefined ? (
        <LoadingRows rowPx={48} />
      ) : rows.length === 0 ? (
        <EmptyDeadLetters
          workspaceId={workspaceId}
          accepted={props.accepted}
          isFiltered={isFiltered(location)}
          onClear={() => go({ provider: null, cause: null, age: 'any', text: '' }, true)}
          onChanged={props.onChanged}
        />
      ) : (
        <WorkList
          label="Dead letters"
          rows={rows}
          idOf={(row) => row.envelopeId}
          openId={location.envelopeId}
          rowPx={48}
          columns={layout}
          sorting={props.sorting}
          selection={selection}
          actionsOf={props.actionsOf}
          complete={!query.data.hasMore}
          rowClass="dead-letter-row"
          focusHandle={focusHandle}
          onOpen={(row) => go({ envelopeId: row.envelopeId }, location.envelopeId !== null)}
          onEnter={(row) => {
            go({ envelopeId: row.envelopeId }, true);
            onEnter();
          }}
        >
          {(row) => (
            <DeadLetterCells
              workspaceId={workspaceId}
              deadLetter={row}
              isMarked={selection.marked.has(row.envelopeId)}
              onMark={() => selection.toggle(row.envelopeId)}
            />
          )}
        </WorkList>
      )}
      <DeadLetterSelection {...props} />
      {rows.length === 0 || selection.rows.length > 0 ? null : (
        <div className="pane-foot">
          {query.data?.hasMore
            ? `Newest ${count(deadLettersMax)} shown. Use the filters to find others.`
            : plural(rows.length, 'dead letter')}
        </div>
      )}
    </section>
  );
}

function DeadLetterSelection({ selection, rows, onAct }: DeadLetterListProps): ReactElement {
  const disabledReason = useDisabledReason();
  const selected = selection.rows;
  const causes = new Set(selected.map(({ lastError }) => splitLastError(lastError).cause));
  const number = count(selected.length);
  return (
    <SelectionBar
      selection={selection}
      of={rows.length}
      {...(causes.size === 1 && selected.length > 1 ? { note: 'same cause' } : {})}
    >
      <Button shortcut="R" disabledReason={disabledReason} onClick={() => onAct('replay', selected)}>
        {`Replay ${number}…`}
      </Button>
      <Button shortcut="A" disabledReason={disabledReason} onClick={() => onAct('acknowledge', selected)}>
        {selected.length === 1 ? 'Dismiss' : `Dismiss ${number}…`}
      </Button>
    </SelectionBar>
  );
}

function DeadLetterCells({
  workspaceId,
  deadLetter,
  isMarked,
  onMark,
}: {
  readonly workspaceId: string;
  readonly deadLetter: DeadLetter;
  readonly isMarked: boolean;
  readonly onMark: () => void;
}): ReactElement {
  const path = useDeadLetterPath(workspaceId, deadLetter);
  const { cause, text } = splitLastError(deadLetter.lastError);
  return (
    <>
      <MarkCell id={deadLetter.envelopeId} marked={isMarked} onToggle={onMark} />
      <GridCell className="two-lines">
        {typeof path.data === 'string' ? (
          <PathText path={path.data} />
        ) : (
          <span className="mono ellipsis faint">
            {path.data === null ? 'No path' : deadLetter.deliveryId}
          </span>
        )}
        <Status kind="failed" word={cause === null ? text : causeTitle(cause)} />
      </GridCell>
      <GridCell className="soft ellipsis">{deadLetter.provider}</GridCell>
      <GridCell className="soft number">{deadLetter.attemptCount}</GridCell>
      <GridCell className="soft number">
        <Time at={deadLetter.failedAt} as="age" />
      </GridCell>
    </>
  );
}

function isFiltered({ provider, cause, age, text }: DeadLettersLocation): boolean {
  return provider !== null || cause !== null || age !== 'any' || text !== '';
}
