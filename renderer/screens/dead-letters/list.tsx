// The letters: provider, path, cause, age, tries. Several can be selected; what is done with them stands above them.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, RefObject } from 'react';
import type { DeadLetter } from '../../../sdk/index.ts';
import { useDisabledReason } from '../../api/services.ts';
import { count } from '../../model/format.ts';
import { causeTitle, splitLastError } from '../../model/inbound/failure-cause.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { LoadError } from '../../parts/feedback/failed-reading.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { GridCell } from '../../parts/tables/grid.tsx';
import { MarkCell, type Selection, SelectionBar } from '../../parts/tables/selection.tsx';
import { LoadingRows, WorkList } from '../../parts/tables/work-list.tsx';
import { EmptyDeadLetters } from './empty-dead-letters.tsx';
import type { DeadLettersLocation } from './location.ts';
import { type DeadLetterPage, deadLettersMax, useDeadLetterPath } from './queries.ts';

interface DeadLetterListProps {
  readonly workspaceId: string;
  readonly query: UseQueryResult<DeadLetterPage>;
  readonly rows: readonly DeadLetter[];
  /** Webhooks taken in so far. */
  readonly accepted: number | undefined;
  readonly place: DeadLettersLocation;
  readonly go: (change: Partial<DeadLettersLocation>, replace?: boolean) => void;
  readonly selection: Selection<DeadLetter>;
  readonly onAsk: (kind: 'replay' | 'acknowledge', letters: readonly DeadLetter[]) => void;
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onEnter: () => void;
  readonly onChanged: () => void;
}

export function DeadLetterList(props: DeadLetterListProps): ReactElement {
  const { workspaceId, query, rows, place, go, selection, focusHandle, onEnter } = props;
  return (
    <section className="pane list" aria-label="Letters">
      <DeadLetterSelection {...props} />
      {rows.length === 0 ? null : (
        <div className="grid-head letter-row" aria-hidden="true">
          <span />
          <span className="when-wide">Provider</span>
          <span>Path and cause</span>
          <span>Failed</span>
          <span className="number when-wide">Tries</span>
        </div>
      )}
      {query.data === undefined && query.isError ? (
        <div className="binary">
          <LoadError
            error={query.error}
            path={workspaceId}
            retry="By itself, every 5 s."
            onAgain={() => void query.refetch()}
          />
        </div>
      ) : query.data === undefined ? (
        <LoadingRows rowPx={48} />
      ) : rows.length === 0 ? (
        <EmptyDeadLetters
          workspaceId={workspaceId}
          accepted={props.accepted}
          filtered={isFiltered(place)}
          onClear={() => go({ provider: null, cause: null, age: 'any', text: '' }, true)}
          onChanged={props.onChanged}
        />
      ) : (
        <WorkList
          label="Dead letters"
          rows={rows}
          idOf={(row) => row.envelopeId}
          openId={place.envelopeId}
          rowPx={48}
          columns={5}
          complete={!query.data.more}
          rowClass="letter-row"
          focusHandle={focusHandle}
          onOpen={(row) => go({ envelopeId: row.envelopeId }, place.envelopeId !== null)}
          onEnter={(row) => {
            go({ envelopeId: row.envelopeId }, true);
            onEnter();
          }}
        >
          {(row) => (
            <DeadLetterCells
              workspaceId={workspaceId}
              letter={row}
              marked={selection.marked.has(row.envelopeId)}
              onMark={() => selection.toggle(row.envelopeId)}
            />
          )}
        </WorkList>
      )}
      {query.data?.more ? (
        <div className="pane-foot">
          Only the newest {count(deadLettersMax)} are read. Filters find the others.
        </div>
      ) : null}
    </section>
  );
}

function DeadLetterSelection({ selection, rows, onAsk }: DeadLetterListProps): ReactElement {
  const disabledReason = useDisabledReason();
  const selected = selection.rows;
  const causes = new Set(selected.map((letter) => splitLastError(letter.lastError).cause));
  const number = count(selected.length);
  return (
    <SelectionBar
      selection={selection}
      of={rows.length}
      {...(causes.size === 1 && selected.length > 1 ? { note: 'same cause' } : {})}
    >
      <Button shortcut="R" disabledReason={disabledReason} onClick={() => onAsk('replay', selected)}>
        {`Replay ${number}…`}
      </Button>
      <Button shortcut="A" disabledReason={disabledReason} onClick={() => onAsk('acknowledge', selected)}>
        {selected.length === 1 ? 'Acknowledge' : `Acknowledge ${number}…`}
      </Button>
    </SelectionBar>
  );
}

function DeadLetterCells({
  workspaceId,
  letter,
  marked,
  onMark,
}: {
  readonly workspaceId: string;
  readonly letter: DeadLetter;
  readonly marked: boolean;
  readonly onMark: () => void;
}): ReactElement {
  const path = useDeadLetterPath(workspaceId, letter);
  const { cause, text } = splitLastError(letter.lastError);
  return (
    <>
      <MarkCell id={letter.envelopeId} marked={marked} onToggle={onMark} />
      <GridCell className="ellipsis when-wide">{letter.provider}</GridCell>
      <GridCell className="two-lines">
        {typeof path.data === 'string' ? (
          <PathText path={path.data} />
        ) : (
          <span className="mono ellipsis faint">{path.data === null ? 'No path' : letter.deliveryId}</span>
        )}
        <Status kind="failed" word={cause === null ? text : causeTitle(cause)} />
      </GridCell>
      <GridCell className="soft">
        <Time at={letter.failedAt} as="age" />
      </GridCell>
      <GridCell className="number when-wide">{letter.attemptCount}</GridCell>
    </>
  );
}

function isFiltered(place: DeadLettersLocation): boolean {
  return place.provider !== null || place.cause !== null || place.age !== 'any' || place.text !== '';
}
